package pkgexport

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"tribunal/judge/internal/cases"
)

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
