package pkgimport

import (
	"cmp"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"tribunal/judge/internal/diff"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/points"
	"tribunal/judge/internal/problem"
	"tribunal/judge/packages/draft"
)

// translate fills the document with the settings of the package. It refuses settings with which a
// problem of the repository would judge differently, and notes those that it leaves out.
func (p *plan) translate() error {
	b := p.Package
	if p.Problem.Placed {
		return p.refuse(".", "its programs include files by their places in the package, which no import or export keeps")
	}
	if b.InFile+b.OutFile != "" {
		return p.refuse(".", "its submissions use the files %s, but those of our problems standard input and output", strings.Join(strings.Fields(b.InFile+" "+b.OutFile), " and "))
	}
	if b.OutputOnly {
		return p.refuse(".", "its submissions are outputs, but those of our problems programs")
	}
	if err := p.checkProtocols(); err != nil {
		return err
	}
	for _, c := range b.Cases {
		for _, word := range slices.Concat(c.Args, c.OutputArgs) {
			if !utf8.ValidString(word) || strings.ContainsRune(word, 0) {
				return p.refuse(c.Input, "the argument %.40q is not text", word)
			}
		}
	}
	p.doc = document{
		title: strings.Join(strings.Fields(b.Title), " "), limits: p.Limits, format: b.Format,
	}
	p.doc.source = strings.Join(strings.Fields(cmp.Or(b.Source, "problem package "+b.ID)), " ")
	q := p.Problem
	p.doc.terms = q.Terms
	if p.doc.license = problem.LicenseOf(q.License); p.doc.license == "" && q.License != "" {
		p.note("left out: the license %.60q (hint: problems have %s)", q.License, strings.Join(problem.Licenses(), ", "))
	}
	if uuidForm().MatchString(q.UUID) {
		p.doc.uuid = q.UUID
	}
	p.doc.authors, p.doc.keywords = singleLines(q.Authors), singleLines(q.Keywords)
	// The problem's file has times in whole milliseconds, and memory limits of at least 1 MiB.
	if c := &p.doc.terms.Compile; c.CPU > 0 {
		c.CPU = max(c.CPU.Truncate(time.Millisecond), time.Millisecond)
	}
	if c := &p.doc.terms.Compile; c.Memory > 0 {
		c.Memory = max(c.Memory, limits.MiB)
	}
	p.doc.limits.CPU = (p.Limits.CPU + time.Millisecond - 1).Truncate(time.Millisecond)
	p.doc.limits.Wall = cmp.Or(p.Limits.Wall, p.Problem.Limits.Wall)
	p.doc.limits.Memory = max(p.doc.limits.Memory, limits.MiB)
	hasValidators := len(b.Validation.Programs)+len(b.InputPrograms)+len(b.AnswerPrograms) > 0 || q.Grader != nil
	if v := b.Validate; hasValidators && v != limits.Validator {
		p.doc.validation = limits.Limits{CPU: max(v.CPU.Truncate(time.Millisecond), time.Millisecond), Memory: max(v.Memory, limits.MiB), Output: v.Output}
	}
	if b.Scoring {
		p.doc.types = append(p.doc.types, "scoring")
	} else if q.Groups != nil {
		p.doc.types = append(p.doc.types, "pass-fail")
	}
	if q.Interactive() {
		p.doc.types = append(p.doc.types, "interactive")
	}
	if q.MultiPass() {
		p.doc.types, p.doc.passes = append(p.doc.types, "multi-pass"), q.Validator.Passes
	}
	if err := p.comparison(); err != nil {
		return err
	}
	p.doc.inputs = p.optionalValidators(b.InputPrograms, b.InputProtocol, func(c *draft.Case) draft.InputArgs { return c.InputArgs })
	p.doc.answers = p.optionalValidators(b.AnswerPrograms, problem.Answers, func(c *draft.Case) draft.InputArgs { return c.AnswerArgs })
	p.noteLeftOut()
	return nil
}

// checkProtocols refuses validators that are called otherwise than those of our problems.
func (p *plan) checkProtocols() error {
	b := p.Package
	check := func(list []string, protocol problem.Protocol) error {
		for _, rel := range list {
			if draft.ValidatorProtocol(rel, protocol).Rules().Ours == "" {
				return p.refuse(rel, "it follows the protocol of %s packages, but validators of our problems that of ICPC packages or of testlib", b.Format)
			}
		}
		return nil
	}
	if err := check(b.Validation.Programs, b.Validation.Protocol); err != nil {
		return err
	}
	rules := b.Validation.Protocol.Rules()
	if v := b.Validation; v.Form != nil || v.Interactor != "" && rules.Interactor != rules.Ours.Rules().Interactor {
		return p.refuse(cmp.Or(v.Interactor, strings.Join(v.Programs, " ")), "it has other arguments than validators of our problems")
	}
	if b.Validation.Source {
		return p.refuse(b.Validation.Programs[0], "it reads the source of submissions, which validators of our problems do not get")
	}
	return check(b.InputPrograms, b.InputProtocol)
}

// comparison sets how outputs are judged, by validators or by comparing, and p.flags for the cases
// with arguments of their own.
func (p *plan) comparison() error {
	b := p.Package
	first := b.Cases[0]
	sameArgs := !slices.ContainsFunc(b.Cases, func(c *draft.Case) bool { return !slices.Equal(c.OutputArgs, first.OutputArgs) })
	p.flags = func(c *draft.Case) []string {
		if sameArgs || len(b.Validation.Programs) == 0 && slices.Equal(c.OutputArgs, first.OutputArgs) {
			return nil
		}
		return append([]string{}, c.OutputArgs...)
	}
	if programs := b.Validation.Programs; p.Problem.Validator != nil {
		if rel := b.Validation.Interactor; rel != "" {
			programs = append([]string{rel}, programs...)
		}
		taken := map[string]bool{}
		for _, rel := range programs {
			v := validator{path: rel, name: programName(rel, taken), protocol: b.Validation.Protocol.Rules().Ours}
			if sameArgs {
				v.args = first.OutputArgs
			}
			p.doc.outputs = append(p.doc.outputs, v)
		}
		return nil
	}
	given, err := b.Given(first)
	if err != nil {
		return err
	}
	p.doc.compare = diff.Options{Mode: diff.Exact}
	if o := *given.Compare; o.Mode == diff.Float || !o.Spaces || o.FoldCase {
		p.doc.compare = o
	}
	return nil
}

// optionalValidators returns input or answer validators. The arguments of each are those of the
// first case; cases with other arguments get settings of their own.
func (p *plan) optionalValidators(list []string, protocol problem.Protocol, args func(*draft.Case) draft.InputArgs) (all []validator) {
	taken := map[string]bool{}
	for _, rel := range list {
		all = append(all, validator{path: rel, name: programName(rel, taken), protocol: draft.ValidatorProtocol(rel, protocol), args: args(p.Package.Cases[0]).Of(rel)})
	}
	return all
}

// validator is an output, input or answer validator that the import copies into the problem.
type validator struct {
	path, name string // path in the package; name of the folder in the repository
	protocol   problem.Protocol
	args       []string // arguments in all cases that have none of their own
}

// programName returns a name for the folder of a program: the name in the package without its
// extension, changed if it is not valid in the repository or already taken.
func programName(rel string, taken map[string]bool) string {
	name := strings.TrimSuffix(path.Base(rel), path.Ext(rel))
	if !validProgramName().MatchString(name) {
		name = toValidName(name)
	}
	return unique(name, taken)
}

// uuidForm matches a UUID as written by RFC 9562.
var uuidForm = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$`)
})

// singleLines puts each text on one line, and drops empty texts.
func singleLines(words []string) (list []string) {
	for _, w := range words {
		if w = strings.Join(strings.Fields(w), " "); w != "" {
			list = append(list, w)
		}
	}
	return list
}

var validProgramName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9_.-]*$`) })

// noteLeftOut notes the parts of the package that are left out.
func (p *plan) noteLeftOut() {
	b := p.Package
	noteIf := func(exists bool, part string) {
		if exists {
			p.note("left out: %s", part)
		}
	}
	for _, language := range slices.Sorted(maps.Keys(b.Names)) {
		hasStatement := slices.ContainsFunc(b.Statements, func(s draft.Statement) bool { return s.Language == language })
		noteIf(len(b.Names) > 1 && b.Names[language] != b.Title && !hasStatement, "the name in "+language+", because there is no statement in this language")
	}
	noteIf(b.UUID != "" && p.doc.uuid == "", "the uuid, which is malformed: "+b.UUID)
	for _, d := range []struct {
		name  string
		cases []*draft.Case
	}{
		{"valid_input", b.ValidInput}, {"invalid_input", b.InvalidInput}, {"invalid_answer", b.InvalidAnswer},
		{"invalid_output", b.InvalidOutput}, {"valid_output", b.ValidOutput},
	} {
		noteIf(len(d.cases) > 0, "the tests of validators in "+d.name)
	}
	noteIf(slices.ContainsFunc(b.Cases, func(c *draft.Case) bool { return c.Hint != "" || c.HintFile != "" }), "hints of cases")
	if root := p.Problem.Groups; b.Scoring && len(b.Validation.Programs) > 0 && b.Validation.Protocol.Rules().Feedback {
		if r, is := root.Rule.(points.Polygon); is && r.Refused {
			p.note("points that the checker gives for wrong outputs or within a batch do not count in our problems")
		}
	}
}
