package pkgformat

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"time"

	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/quote"
)

// cphFolder holds the problems that Competitive Programming Helper, an extension of editors, keeps for
// the sources in a folder: a file *.prob for each.
const cphFolder, cphEnding = ".cph", ".prob"

// cphFamily are problems of Competitive Programming Helper.
var cphFamily = Family{
	Formats: []Format{{Name: "cph", Main: "data", Points: ByGroups, Compare: ByTokens, Inputs: problem.ICPC, Outputs: problem.ICPC, Output: 64 * limits.MiB, Fallback: PlainCPU}},
	Origin:  "Competitive Programming Helper", Signs: ".cph/ with a file *.prob, or that file",
	Lacks: "interactive problems",
	Is:    isCPH,
	Read:  readCPH,
}

// cphProblem is the content of such a file.
type cphProblem struct {
	Name        string    `json:"name"`
	Interactive bool      `json:"interactive"`
	TimeLimit   float64   `json:"timeLimit"`   // in ms; 0 for none
	MemoryLimit float64   `json:"memoryLimit"` // in MiB; 0 for none
	Tests       []cphTest `json:"tests"`
}

type cphTest struct {
	Input  string `json:"input"`
	Output string `json:"output"`
}

// cphFiles returns the names of the problems in cphFolder. They may begin with a dot.
func cphFiles(p *Package) (list []string, err error) {
	dir, info, err := p.files.open(cphFolder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, p.files.fail(cphFolder, err)
	}
	defer dir.Close()
	if !info.IsDir() {
		return nil, nil
	}
	names, err := dir.Readdirnames(maxEntries)
	for _, name := range names {
		if path.Ext(name) == cphEnding {
			list = append(list, name)
		}
	}
	if err != nil && err != io.EOF {
		return nil, p.files.fail(cphFolder, err)
	}
	slices.Sort(list)
	return list, nil
}

// isCPH reports whether cphFolder holds a problem.
func isCPH(p *Package, _ listing) (bool, error) {
	list, err := cphFiles(p)
	return len(list) > 0, err
}

// readCPH reads the only problem in cphFolder.
func readCPH(p *Package) error {
	list, err := cphFiles(p)
	if err != nil {
		return err
	}
	if len(list) > 1 {
		hint := fmt.Sprintf("name one of them instead of the folder, such as %s", p.Show(path.Join(cphFolder, list[0])))
		return p.files.errorf(cphFolder, 0, hint, "it has %d problems", len(list))
	}
	return readCPHFile(p, path.Join(cphFolder, list[0]))
}

// readCPHFile reads a problem, which is one file with all tests in it.
func readCPHFile(p *Package, rel string) error {
	data, err := p.files.read(rel, maxHeld)
	if err == nil {
		data, err = p.files.text(rel, data)
	}
	if err != nil {
		return err
	}
	var doc cphProblem
	if err := json.Unmarshal(data, &doc); err != nil {
		return p.files.errorf(rel, lineOfJSON(data, err), "let the extension write it again", "%s", wrongJSON(err))
	}
	switch {
	case doc.Interactive:
		return p.files.errorf(rel, 0, "write a package with an interactor, such as one of Kattis", "an interactive problem, whose interactor is not in the file")
	case len(doc.Tests) == 0:
		return p.files.errorf(rel, 0, "add some in the editor", "no cases")
	case doc.TimeLimit < 0 || doc.MemoryLimit < 0:
		return p.files.errorf(rel, 0, "0 is no limit", "a limit below 0")
	}
	p.Title = doc.Name
	if doc.TimeLimit > 0 {
		p.Time.Limit, p.Time.From = time.Duration(min(max(doc.TimeLimit, 1), float64(longest.Milliseconds()))*float64(time.Millisecond)), rel
	}
	if doc.MemoryLimit > 0 {
		p.Limits.Memory = limits.Bytes(min(max(doc.MemoryLimit, 1), 1<<20)) * limits.MiB
	}
	group := &Group{Name: "tests"}
	for i, t := range doc.Tests {
		name := fmt.Sprintf("tests/%d", i+1)
		c := &Case{Name: name, Group: group.Name, InputSize: int64(len(t.Input)), AnswerSize: int64(len(t.Output))}
		c.Input, c.Answer = rel+"."+name+".in", rel+"."+name+".ans"
		p.hold(c.Input, []byte(t.Input))
		p.hold(c.Answer, []byte(t.Output))
		group.Cases = append(group.Cases, c)
	}
	p.Data, p.Cases = &Group{Groups: []*Group{group}}, group.Cases
	return nil
}

// maxHeld bounds a file that holds all test data of a package.
const maxHeld = 64 << 20

// wrongJSON returns an error of package json for people.
func wrongJSON(err error) string {
	if e, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return fmt.Sprintf("%s: it does not take a %s", quote.Name(e.Field), e.Value)
	}
	return err.Error()
}

// lineOfJSON returns the line to which an error of package json belongs; 0 if that is unknown.
func lineOfJSON(data []byte, err error) int {
	offset := int64(-1)
	if e, ok := errors.AsType[*json.SyntaxError](err); ok {
		offset = e.Offset
	} else if e, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		offset = e.Offset
	}
	if offset < 0 {
		return 0
	}
	return 1 + bytes.Count(data[:min(offset, int64(len(data)))], []byte("\n"))
}
