package pkgexport

import (
	"fmt"
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
		return q.Errorf("type", p.instead(Kattis), "multi-pass problems are none of this format")
	}
	ownFlags := slices.ContainsFunc(p.Cases, func(c cases.Case) bool { return c.Flags != nil || c.Asked != "" })
	grading, err := p.grading()
	if err != nil {
		return err
	}
	p.text("problem.yaml", fmt.Sprintf(`name: %s
uuid: %s
source: %s
%s%slimits:
  memory: %d
  output: %d
%s%s`, p.names(), uuid(q), quoted(q.Source), p.provenance(), grading, mebi(q.Limits.Memory), mebi(q.Limits.Output), p.otherLimits(), p.validation(!ownFlags)))
	p.text(".timelimit", seconds(q.Limits.CPU)+"\n")
	samples, _ := p.arrange()
	if p.ownStatement() {
		p.made("problem_statement/problem."+p.language()+".txt", p.plain(samples))
	}
	if err := p.statements("problem_statement", localized); err != nil {
		return err
	}
	list, err := p.places()
	if err != nil {
		return err
	}
	for _, in := range list {
		if err := p.legacyGroup(in, ownFlags); err != nil {
			return err
		}
	}
	if err := p.icpcValidators("output_validators"); err != nil {
		return err
	}
	if err := p.includes(); err != nil {
		return err
	}
	return p.domjudgeSubmissions()
}

// validation returns the lines of problem.yaml that say how outputs are judged. If flags is set,
// they include the arguments of the output validator for all cases.
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
		if g := p.Problem.Scoring; g != nil {
			if r, legacy := g.Rule.(points.Legacy); legacy && r.Scored {
				words = append(words, "score")
			}
		}
		text = "validation: " + strings.Join(words, " ") + "\n"
	}
	if args := p.outputArgs(nil); len(args) > 0 && flags {
		text += "validator_flags: " + oneLine(args) + "\n"
	}
	return text
}

// legacyGroup plans the cases of a folder and the settings that they share: the format has no
// settings for a single case.
func (p *plan) legacyGroup(in place, ownFlags bool) error {
	settings := in.scoreSettings()
	if len(in.cases) == 0 {
		if settings != "" {
			p.text(path.Join(in.dir, "testdata.yaml"), settings)
		}
		return nil
	}
	first := in.cases[0]
	for _, c := range in.cases {
		switch {
		case c.Args != nil:
			return c.Errorf("args", p.instead(Kattis), "this format has no arguments of submissions")
		case c.FilesDir != "":
			return c.Errorf("files", p.instead(Kattis), "this format has no files beside submissions")
		case c.Asked != first.Asked || !slices.Equal(c.Flags, first.Flags):
			return c.Errorf("output_validator_args", "put it into a group of its own, or "+p.instead(Kattis),
				"the output validator is called otherwise than for %s, which this format says of whole groups alone", first.Short())
		}
	}
	p.noteArgs(in.cases, first)
	settings += p.legacyFlags(first)
	if ownFlags {
		flags := oneLine(p.outputArgs(first))
		if first.Asked != "" {
			flags = fmt.Sprintf("{name: %s, flags: %s}", quoted(first.Asked), flags)
		}
		settings += "output_validator_flags: " + flags + "\n"
	}
	if settings != "" {
		p.text(path.Join(in.dir, "testdata.yaml"), settings)
	}
	for i, c := range in.cases {
		p.caseWithNote(c, path.Join(in.dir, in.names[i]))
	}
	return nil
}

// legacyFlags returns the settings with the arguments of the input and answer validators for a
// case, or for all cases if c is nil.
func (p *plan) legacyFlags(c *cases.Case) string {
	return p.flagsOf("input", p.inputValidators(), c) + p.flagsOf("answer", p.Problem.AnswerValidators, c)
}

// flagsOf returns the setting with the arguments of the input or answer validators for a case; of
// is "input" or "answer". The format takes arguments for all of them, or for a single one.
func (p *plan) flagsOf(of string, all []problem.InputValidator, c *cases.Case) string {
	list := slices.DeleteFunc(slices.Clone(all), func(v problem.InputValidator) bool { return len(inputArgs(v, c)) == 0 })
	if len(list) == 0 {
		return ""
	}
	args := inputArgs(list[0], c)
	if alike := !slices.ContainsFunc(list, func(v problem.InputValidator) bool { return !slices.Equal(inputArgs(v, c), args) }); !alike {
		p.note("the package does not say with which arguments %s validators but %s are called", of, list[0].Name)
	} else if len(list) == len(all) {
		return of + "_validator_flags: " + oneLine(args) + "\n"
	}
	return fmt.Sprintf("%s_validator_flags: {name: %s, flags: %s}\n", of, quoted(list[0].Name), strings.TrimSpace(oneLine(args)))
}
