package draft

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"tribunal/judge/internal/cases"
	"tribunal/judge/internal/content"
	"tribunal/judge/internal/diff"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/verdict"
	"tribunal/judge/internal/yamlstrict"
)

// Problem returns the package as a problem to judge, which is valid until the package is closed. It
// fails with a [*yamlstrict.Error] if the package needs a feature that tribunal does not support.
func (p *Draft) Problem() (*problem.Problem, error) {
	if err := p.supported(); err != nil {
		return nil, err
	}
	made := p.filled
	made.FilesHint, made.Placed = p.filesHint(), p.Placed || p.Inclusion != nil
	made.Validator, made.Files = p.validator(), p
	if made.License == problem.UnknownLicense {
		made.License = ""
	}
	made.Limits.CPU = cmp.Or(p.Limits.CPU, p.Time.Limit)
	for _, s := range p.Statements {
		made.Texts = append(made.Texts, problem.Text{
			Language: s.Language, Title: p.Names[s.Language], Path: p.Show(s.Path),
			Read:   func() ([]byte, error) { return p.statementText(s.Path) },
			Beside: func(name string, max int64) ([]byte, error) { return p.picture(path.Dir(s.Path), name, max) },
		})
	}
	made.InputValidators = p.validatorsAt(p.InputPrograms, p.InputProtocol)
	made.AnswerValidators = p.validatorsAt(p.AnswerPrograms, problem.Answers)
	made.Tests = p.tests
	if made.Shown == nil {
		made.Shown = p.shownSamples
	}
	set := &cases.Set{Problem: made.ID, Lock: &cases.Lock{}}
	byMode := map[diff.Options]bool{}
	samples := p.samples()
	for _, c := range p.Cases {
		given, err := p.Given(c)
		if err != nil {
			return nil, err
		}
		if given.Compare != nil {
			made.Compare = *given.Compare
			byMode[made.Compare] = true
		}
		if n := len(set.Groups); n == 0 || set.Groups[n-1].Name != c.Group {
			set.Groups = append(set.Groups, cases.Group{Name: c.Group})
		}
		set.Groups[len(set.Groups)-1].Cases++
		set.Cases = append(set.Cases, given)
		sample := samples[c.Name]
		if sample && p.Samples == nil {
			made.Samples = append(made.Samples, c.Name)
		}
		if c.FullFeedback == nil && sample || c.FullFeedback != nil && *c.FullFeedback {
			made.Open = append(made.Open, c.Name)
		}
	}
	if len(byMode) != 1 { // cases differ in how they are compared, or validators judge the outputs
		made.Compare = diff.Options{Mode: diff.Tokens}
	}
	made.Read = func() (*cases.Set, error) {
		own := *set
		own.Cases = slices.Clone(set.Cases)
		return &own, nil
	}
	var err error
	if made.Groups, err = p.scoring(); err != nil {
		return nil, err
	}
	for _, s := range p.Submissions {
		if s.Model || made.Reference == "" && s.Expect.Main() == verdict.AC && (s.Expect.Score == nil || !made.Scoring || made.Groups.IsBest(*s.Expect.Score)) {
			made.Reference = s.Path
		}
		if s.Model {
			break
		}
	}
	if made.Groups != nil && made.Groups.Custom() {
		made.Grader = &problem.Grader{Program: p.Grader, Limits: p.ValidatorLimits()}
	}
	return &made, nil
}

// samples returns the names of the cases that the statement shows: the Samples, or by default those of the groups of
// that name.
func (p *Draft) samples() map[string]bool {
	set := map[string]bool{}
	for _, name := range p.Samples {
		set[name] = true
	}
	for _, c := range p.Cases {
		if p.Samples == nil && (c.Group == "sample" || c.Group == "samples") {
			set[c.Name] = true
		}
	}
	return set
}

// supported returns an error if the package cannot be judged as it asks.
func (p *Draft) supported() error {
	not := func(what, hint string) error {
		return &yamlstrict.Error{File: p.Path, Msg: what + " are not supported", Hint: hint}
	}
	switch {
	case p.OutputOnly && p.Cases[0].Submitted == "":
		return not("submit-answer problems", "no such format says how outputs are called")
	case p.Validation.Interactive && p.InFile+p.OutFile != "":
		return not("named files of an interactive problem", "have programs read standard input and write standard output")
	case len(p.Validation.Programs) > 1 && (p.Validation.Interactive || p.Validation.Passes > 1 || p.Validation.Score || p.Scoring && !p.LegacyPoints):
		// No format says which validator would talk to the submission, or how to combine scores.
		return not("several output validators of an interactive, multi-pass or scored problem", "combine "+strings.Join(p.Validation.Programs, ", ")+" into one program")
	}
	return nil
}

// Given converts a case of the package, either one to judge or one that tests a validator. It fails
// with a [*yamlstrict.Error] if the flags for comparing outputs are invalid.
func (p *Draft) Given(c *Case) (cases.Case, error) {
	given := &cases.Given{
		Input:  func() (content.Content, error) { return p.ofCase(c, c.Input) },
		Output: func() (content.Content, error) { return p.ofCase(c, c.Answer) },
		// If an answer need not be a correct output, those of samples have to, which contestants see unless another
		// file is shown instead. A validator that reads about the submission may well refuse an output that none
		// wrote.
		Loose: p.Validation.Source || p.LooseAnswers && (!strings.HasPrefix(c.Name, "sample/") || c.Overridden),
	}
	if c.Files != "" {
		given.Files = func() (map[string][]byte, error) { return p.Beside(c) }
	}
	made := cases.Case{
		Name: c.Name, Group: c.Group, Note: c.Note, File: p.Show(cmp.Or(c.Input, ".")), Given: given, Args: c.Args,
		InputArgs: argsOf(p.InputPrograms, c.InputArgs), AnswerArgs: argsOf(p.AnswerPrograms, c.AnswerArgs), InputValidators: c.Validators,
		Submitted: c.Submitted,
	}
	if c.Answer != "" {
		made.OutputFile = p.Show(c.Answer)
	}
	if len(p.Validation.Programs) > 0 {
		made.Flags, made.Asked = c.OutputArgs, p.chosen(c)
		return made, nil
	}
	o, err := p.format.Compare(p, c)
	made.Compare = &o
	return made, err
}

// chosen returns the name of the output validator that a case selects; "" if it selects none or
// there is only one.
func (p *Draft) chosen(c *Case) string {
	if all := p.Validation.Programs; len(all) > 1 && c.OutputValidator != "" {
		for _, rel := range all {
			if Named(rel, c.OutputValidator) {
				return path.Base(rel)
			}
		}
	}
	return ""
}

// validator returns the output validators as a chain, with the interactor first if there is one;
// nil if outputs are compared.
func (p *Draft) validator() *problem.Validator {
	v := problem.Validator{
		Always: true, Protocol: p.Validation.Protocol, Limits: p.ValidatorLimits(), Entire: !p.Scoring,
		Interactive: p.Validation.Interactive && p.Validation.Interactor == "", Passes: p.Validation.Passes,
		Form: p.Validation.Form, Source: p.Validation.Source, Measured: p.Validation.Measured,
	}
	var first *problem.Validator
	for _, rel := range slices.Backward(p.Validation.Programs) {
		one := v
		one.Program, one.Then = rel, first
		if len(p.Validation.Programs) > 1 {
			one.Name = path.Base(rel)
		}
		first = &one
	}
	if rel := p.Validation.Interactor; rel != "" {
		v.Program, v.Interactive, v.Then = rel, true, first
		first = &v
	}
	return first
}

// ValidatorLimits returns the limits of one run of a validator of any kind, or of a grader.
func (p *Draft) ValidatorLimits() limits.Limits {
	l := p.Validate
	l.Wall = 2 * l.CPU
	return l
}

const (
	Viva          = ".viva" // extension of validators for VIVA, which is not supported
	Checktestdata = ".ctd"  // extension of validators in Checktestdata
)

// ValidatorProtocol returns the protocol of the input or answer validator rel. It is usual, the
// protocol of the package, except that Checktestdata programs always have the exit statuses of the ICPC formats.
func ValidatorProtocol(rel string, usual problem.Protocol) problem.Protocol {
	if path.Ext(rel) == Checktestdata && usual.Rules().Valid != problem.ExitAccepts {
		return problem.ICPC
	}
	return usual
}

// validatorsAt returns the input or answer validators at the given paths, except unsupported ones.
// Cases refer to them by path.
func (p *Draft) validatorsAt(list []string, protocol problem.Protocol) (all []problem.InputValidator) {
	for _, rel := range list {
		if path.Ext(rel) != Viva {
			all = append(all, problem.InputValidator{
				Name: rel, Program: rel, Protocol: ValidatorProtocol(rel, protocol), Limits: p.ValidatorLimits(),
				Some: protocol.Rules().Some,
			})
		}
	}
	return all
}

// argsOf maps the given paths of validators to their arguments in args. It leaves out validators
// without arguments, and returns nil if none has any.
func argsOf(list []string, args InputArgs) map[string][]string {
	var all map[string][]string
	for _, rel := range list {
		if own := args.Of(rel); len(own) > 0 {
			if all == nil {
				all = map[string][]string{}
			}
			all[rel] = own
		}
	}
	return all
}

// tests returns the cases that test the validators. Its errors are those of [Draft.Given].
func (p *Draft) tests() ([]problem.Test, error) {
	var all []problem.Test
	for _, kind := range []struct {
		list  []*Case
		of    problem.Tested
		right bool
	}{
		{p.ValidInput, problem.TestedInput, true},
		{p.InvalidInput, problem.TestedInput, false},
		{p.ValidOutput, problem.TestedOutput, true},
		{p.ShownOutput, problem.TestedOutput, true},
		{p.InvalidOutput, problem.TestedOutput, false},
		{p.InvalidAnswer, problem.TestedAnswer, false},
	} {
		for _, c := range kind.list {
			given, err := p.Given(c)
			if err != nil {
				return nil, err
			}
			rel := map[problem.Tested]string{
				problem.TestedInput: c.Input, problem.TestedAnswer: c.Answer, problem.TestedOutput: c.Output,
			}[kind.of]
			all = append(all, problem.Test{
				Case: given, Of: kind.of, Right: kind.right, File: p.Show(rel),
				Valid: kind.of == problem.TestedInput && kind.right || kind.of != problem.TestedInput && !p.LooseTests,
				Read:  func() (content.Content, error) { return p.Content(rel) },
			})
		}
	}
	return slices.Clip(all), nil
}
