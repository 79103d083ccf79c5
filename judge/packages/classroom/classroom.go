// Package classroom loads assignments of GitHub Classroom.
package classroom

import (
	"errors"
	"fmt"
	"io/fs"

	"tribunal/judge/internal/diff"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/problem"
	"tribunal/judge/packages/draft"
)

// tests is the file with the tests of an assignment
// (https://github.com/github/classroom-resources, autograding.json).
const tests = ".github/classroom/autograding.json"

// Family describes assignments of GitHub Classroom.
var Family = draft.Family{
	Formats: []draft.Format{{Name: "classroom", Main: "data", Points: draft.ByGroups, Compare: draft.AsSaid, Inputs: problem.ICPC, Outputs: problem.ICPC, Output: 64 * limits.MiB, Fallback: draft.PlainCPU}},
	Origin:  "GitHub Classroom", Signs: tests, Empty: "a test needs an output, and the comparison exact",
	Lacks: "tests without an output, comparisons other than exact, points",
	Is:    is, Read: read,
}

// A test is one of the assignment. Its output is compared without blanks at the ends of lines.
type test struct {
	Name       string `json:"name"`
	Setup      string `json:"setup"`
	Run        string `json:"run"`
	Input      string `json:"input"`
	Output     string `json:"output"`
	Comparison string `json:"comparison"`
}

// is reports whether a package has the file.
func is(p *draft.Draft, _ draft.Listing) (bool, error) {
	f, info, err := p.Tree.Open(tests)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	} else if err != nil {
		return false, p.Tree.Fail(tests, err)
	}
	return info.Mode().IsRegular(), f.Close()
}

// read reads the tests.
func read(p *draft.Draft) error {
	var doc struct{ Tests []test }
	if err := p.ReadJSON(tests, 16<<20, "GitHub Classroom writes it", &doc); err != nil {
		return err
	}
	p.Compare = diff.Options{Mode: diff.Lines}
	group := &draft.Group{Name: "tests"}
	for i, t := range doc.Tests {
		name := fmt.Sprintf("tests/%d", i+1)
		switch {
		case t.Output == "":
			p.Note(tests, 0, "test %d, %q, is not read: it compares no output", i+1, t.Name)
			continue
		case t.Comparison != "exact":
			p.Note(tests, 0, "test %d, %q, is not read: its comparison is %q", i+1, t.Name, t.Comparison)
			continue
		}
		c := &draft.Case{Name: name, Group: group.Name, Description: t.Name, InputSize: int64(len(t.Input)), AnswerSize: int64(len(t.Output))}
		c.Input, c.Answer = tests+"."+name+".in", tests+"."+name+".ans"
		p.Hold(c.Input, []byte(t.Input))
		p.Hold(c.Answer, []byte(t.Output))
		group.Cases = append(group.Cases, c)
	}
	p.Data, p.Cases = &draft.Group{Groups: []*draft.Group{group}}, group.Cases
	return nil
}
