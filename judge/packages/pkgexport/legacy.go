package pkgexport

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"tribunal/judge/internal/cases"
	"tribunal/judge/internal/points"
	"tribunal/judge/internal/problem"
)

// legacy plans an ICPC/Kattis package of the legacy version.
func (p *plan) legacy() error {
	p.noteLimits()
	q := p.Problem
	if q.MultiPass() {
		return q.Errorf("type", p.exportHint(Kattis), "this format has no multi-pass problems")
	}
	ownFlags := slices.ContainsFunc(p.Cases, func(c cases.Case) bool { return c.Flags != nil || c.Asked != "" })
	grading, err := p.grading()
	if err != nil {
		return err
	}
	p.addText("problem.yaml", fmt.Sprintf(`name: %s
uuid: %s
source: %s
%s%slimits:
  memory: %d
  output: %d
%s%s`, p.names(), uuid(q), quoted(q.Source), p.provenance(), grading, mebi(q.Limits.Memory), mebi(q.Limits.Output), p.otherLimits(), p.validation(!ownFlags)))
	p.addText(".timelimit", seconds(q.Limits.CPU)+"\n")
	samples, _ := p.splitSamples()
	if p.ownStatement() {
		rich, err := p.rich()
		if err != nil {
			return err
		}
		if rich { // problemtools reads Markdown, and adds the samples
			p.addText("problem_statement/problem."+p.language()+".md", markdown(q))
		} else {
			p.addFile("problem_statement/problem."+p.language()+".txt", p.plainText(samples))
		}
	}
	if err := p.statements("problem_statement", ".", localized); err != nil {
		return err
	}
	list, err := p.dataFolders()
	if err != nil {
		return err
	}
	for _, f := range list {
		if err := p.legacyGroup(f, ownFlags); err != nil {
			return err
		}
	}
	if err := p.icpcValidators(); err != nil {
		return err
	}
	if err := p.includes(); err != nil {
		return err
	}
	return p.domjudgeSubmissions()
}

// validation returns the keys validation, type if validation does not say it, and validator_flags of
// problem.yaml. If flags is false, it
// leaves out validator_flags, the arguments of the output validator for all cases.
func (p *plan) validation(flags bool) string {
	text := "validation: default\n"
	if p.hasOutputValidator() {
		words := []string{"custom"}
		if p.Problem.Interactive() {
			words = append(words, "interactive")
		}
		if p.Problem.MultiPass() {
			words = append(words, "multi-pass")
		}
		if g := p.Problem.Groups; p.Problem.Scoring {
			if r, legacy := g.Rule.(points.Legacy); legacy && r.Scored {
				words = append(words, "score")
			}
		}
		text = "validation: " + strings.Join(words, " ") + "\n"
		if p.Problem.Interactive() && p.Problem.MultiPass() { // DOMjudge has no such validation, but reads types
			text = "type: interactive multi-pass\nvalidation: custom interactive\n"
		}
	}
	if args := p.outputArgs(nil); len(args) > 0 && flags {
		text += "validator_flags: " + oneLine(args) + "\n"
	}
	return text
}

// legacyGroup plans the cases of a folder and its settings. The cases must have the same settings,
// because the format has none for a single case. With ownFlags, the settings include the arguments
// of the output validator.
func (p *plan) legacyGroup(f dataFolder, ownFlags bool) error {
	settings := f.scoreSettings()
	if len(f.cases) == 0 {
		if settings != "" {
			p.addText(path.Join(f.dir, "testdata.yaml"), settings)
		}
		return nil
	}
	first := f.cases[0]
	for _, c := range f.cases {
		switch {
		case c.Args != nil:
			return c.Errorf("args", p.exportHint(Kattis), "this format has no arguments of submissions")
		case c.FilesDir != "":
			return c.Errorf("files", p.exportHint(Kattis), "this format has no files beside submissions")
		case c.Asked != first.Asked || !slices.Equal(c.Flags, first.Flags):
			return c.Errorf("output_validator_args", "move it to a group of its own, or "+p.exportHint(Kattis),
				"the output validator or its arguments differ from those of %s, but this format sets them only for whole groups", first.Short())
		}
	}
	p.noteArgs(f.cases, first)
	settings += p.legacyFlags(first)
	if ownFlags {
		flags := oneLine(p.outputArgs(first))
		if first.Asked != "" {
			flags = fmt.Sprintf("{name: %s, flags: %s}", quoted(first.Asked), flags)
		}
		settings += "output_validator_flags: " + flags + "\n"
	}
	if settings != "" {
		p.addText(path.Join(f.dir, "testdata.yaml"), settings)
	}
	for i, c := range f.cases {
		p.caseWithNote(c, path.Join(f.dir, f.names[i]))
	}
	return nil
}

// legacyFlags returns the settings with the arguments of the input and answer validators for a
// case, or for all cases if c is nil.
func (p *plan) legacyFlags(c *cases.Case) string {
	return p.validatorFlags("input", p.inputValidators(), c) + p.validatorFlags("answer", p.Problem.AnswerValidators, c)
}

// validatorFlags returns the setting with the arguments of the input or answer validators for a
// case; kind is "input" or "answer". The format has arguments either for all these validators or
// for a single one.
func (p *plan) validatorFlags(kind string, all []problem.InputValidator, c *cases.Case) string {
	list := slices.DeleteFunc(slices.Clone(all), func(v problem.InputValidator) bool { return len(inputArgs(v, c)) == 0 })
	if len(list) == 0 {
		return ""
	}
	args := inputArgs(list[0], c)
	if same := !slices.ContainsFunc(list, func(v problem.InputValidator) bool { return !slices.Equal(inputArgs(v, c), args) }); !same {
		p.note("left out: the arguments of %s validators other than %s", kind, list[0].Name)
	} else if len(list) == len(all) {
		return kind + "_validator_flags: " + oneLine(args) + "\n"
	}
	return fmt.Sprintf("%s_validator_flags: {name: %s, flags: %s}\n", kind, quoted(list[0].Name), strings.TrimSpace(oneLine(args)))
}

// domjudge plans a package of the legacy version with the files that DOMjudge adds.
func (p *plan) domjudge() error {
	p.noteLimits()
	if err := p.checkCases(); err != nil {
		return err
	}
	q := p.Problem
	validation := p.validation(true)
	p.addText("problem.yaml", fmt.Sprintf(`name: %s
uuid: %s
source: %s
%slimits:
  memory: %d
  output: %d
%s%s`, quoted(q.Title), uuid(q), quoted(q.Source), p.provenance(), mebi(q.Limits.Memory), mebi(q.Limits.Output), p.otherLimits(), validation))
	p.addText("domjudge-problem.ini", fmt.Sprintf("short-name = %s\ntimelimit = %s\n", q.ID, seconds(q.Limits.CPU)))
	if flags := p.legacyFlags(nil); flags != "" {
		p.addText("data/testdata.yaml", flags)
	}
	samples, groups := p.splitSamples()
	if p.ownStatement() {
		rich, err := p.rich()
		if err != nil {
			return err
		}
		if rich {
			p.addFile("problem.html", p.html(samples))
		} else {
			p.addFile("problem.txt", p.plainText(samples))
		}
	}
	if err := p.statements("problem_statement", ".", localized); err != nil {
		return err
	}
	var secret []*cases.Case
	for _, g := range groups {
		secret = append(secret, g...)
	}
	p.addFolder("data/sample", samples)
	p.addFolder("data/secret", secret)
	if err := p.icpcValidators(); err != nil {
		return err
	}
	if err := p.includes(); err != nil {
		return err
	}
	return p.domjudgeSubmissions()
}

// addFolder plans cases in one folder, called like their groups and themselves; without the group if
// that is the folder.
func (p *plan) addFolder(dir string, list []*cases.Case) {
	var names []string
	for _, c := range list {
		name := c.Short()
		if c.Group != path.Base(dir) {
			name = strings.ReplaceAll(c.Name, "/", "-")
		}
		names = append(names, name)
	}
	for i, name := range numbered(names) {
		p.caseWithNote(list[i], path.Join(dir, name))
	}
}

// caseWithNote plans a case with its note, if it has one.
func (p *plan) caseWithNote(c *cases.Case, name string) {
	p.addCase(c, name+".in", name+".ans")
	if c.Note != "" {
		p.addText(name+".desc", c.Note+"\n")
	}
}

func (p *plan) domjudgeSubmissions() error {
	list, err := p.submissions()
	if err != nil {
		return err
	}
	for _, s := range list {
		if s.bruteForce {
			p.note("left out: the brute-force solver, because it may exceed the limits")
			continue
		}
		if p.flat && slices.ContainsFunc(slices.Collect(maps.Keys(s.files)), func(name string) bool { return strings.Contains(name, "/") }) {
			p.note("DOMjudge does not take the files in folders of submissions, as in %s", s.path)
		}
		if !s.partial && path.Dir(s.path) == rejected && !s.annotate(p.CaseData.Builder.Languages(), s.want.DOMjudge()) {
			p.note("left out: %s: its sources cannot hold a comment with its verdict, %s", s.path, s.want)
			continue
		}
		p.addSubmission("submissions", s)
	}
	return nil
}
