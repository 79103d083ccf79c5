// Package cph loads problems of Competitive Programming Helper.
package cph

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"time"

	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/problem"
	"tribunal/judge/packages/draft"
	"tribunal/judge/packages/tree"
	"tribunal/judge/packages/yamlloose"
)

// folder holds the problems that Competitive Programming Helper, an extension of editors, keeps for
// the sources in a folder: a file *.prob for each.
const folder, Ending = ".cph", ".prob"

// Family describes problems of Competitive Programming Helper.
var Family = draft.Family{
	Formats: []draft.Format{{Name: "cph", Main: "data", Points: draft.ByGroups, Compare: draft.ByTokens, Inputs: problem.ICPC, Outputs: problem.ICPC, Output: 64 * limits.MiB, Fallback: draft.PlainCPU}},
	Origin:  "Competitive Programming Helper", Signs: ".cph/ with a file *.prob, or that file",
	Lacks: "interactive problems",
	Is:    is, Read: read,
}

// cphProblem is the content of such a file.
type cphProblem struct {
	Name        string  `json:"name"`
	Interactive bool    `json:"interactive"`
	TimeLimit   float64 `json:"timeLimit"`   // in ms; 0 for none
	MemoryLimit float64 `json:"memoryLimit"` // in MiB; 0 for none
	Tests       []test  `json:"tests"`
}

type test struct {
	Input  string `json:"input"`
	Output string `json:"output"`
}

// files returns the names of the problems in folder. They may begin with a dot.
func files(p *draft.Draft) (list []string, err error) {
	dir, info, err := p.Tree.Open(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, p.Tree.Fail(folder, err)
	}
	defer dir.Close()
	if !info.IsDir() {
		return nil, nil
	}
	names, err := dir.Readdirnames(tree.MaxEntries)
	for _, name := range names {
		if path.Ext(name) == Ending {
			list = append(list, name)
		}
	}
	if err != nil && err != io.EOF {
		return nil, p.Tree.Fail(folder, err)
	}
	slices.Sort(list)
	return list, nil
}

// is reports whether folder holds a problem.
func is(p *draft.Draft, _ draft.Listing) (bool, error) {
	list, err := files(p)
	return len(list) > 0, err
}

// read reads the only problem in folder.
func read(p *draft.Draft) error {
	list, err := files(p)
	if err != nil {
		return err
	}
	if len(list) > 1 {
		hint := fmt.Sprintf("name one of them instead of the folder, such as %s", path.Join(p.Show("."), folder, list[0]))
		return p.Tree.Errorf(folder, 0, hint, "it has %d problems", len(list))
	}
	return ReadFile(p, path.Join(folder, list[0]))
}

// ReadFile reads a problem, which is one file with all tests in it.
func ReadFile(p *draft.Draft, rel string) error {
	var doc cphProblem
	if err := p.ReadJSON(rel, maxHeld, "let the extension write it again", &doc); err != nil {
		return err
	}
	switch {
	case doc.Interactive:
		return p.Tree.Errorf(rel, 0, "write a package with an interactor, such as one of Kattis", "an interactive problem, whose interactor is not in the file")
	case len(doc.Tests) == 0:
		return p.Tree.Errorf(rel, 0, "add some in the editor", "no cases")
	case doc.TimeLimit < 0 || doc.MemoryLimit < 0:
		return p.Tree.Errorf(rel, 0, "0 is no limit", "a limit below 0")
	}
	p.Title = doc.Name
	if doc.TimeLimit > 0 {
		p.Time.Limit, p.Time.From = time.Duration(min(max(doc.TimeLimit, 1), float64(yamlloose.Longest.Milliseconds()))*float64(time.Millisecond)), rel
	}
	if doc.MemoryLimit > 0 {
		p.Limits.Memory = limits.Bytes(min(max(doc.MemoryLimit, 1), 1<<20)) * limits.MiB
	}
	group := &draft.Group{Name: "tests"}
	for i, t := range doc.Tests {
		name := fmt.Sprintf("tests/%d", i+1)
		c := &draft.Case{Name: name, Group: group.Name, InputSize: int64(len(t.Input)), AnswerSize: int64(len(t.Output))}
		c.Input, c.Answer = rel+"."+name+".in", rel+"."+name+".ans"
		p.Hold(c.Input, []byte(t.Input))
		p.Hold(c.Answer, []byte(t.Output))
		group.Cases = append(group.Cases, c)
	}
	p.Data, p.Cases = &draft.Group{Groups: []*draft.Group{group}}, group.Cases
	return nil
}

// maxHeld bounds a file that holds all test data of a package.
const maxHeld = 64 << 20
