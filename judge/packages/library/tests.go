package library

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"path"
	"strconv"
	"strings"

	"tribunal/judge/internal/quote"
	"tribunal/judge/packages/draft"
	"tribunal/judge/packages/tree"
)

const (
	hashes     = "hash.json"
	maxLibrary = 100_000 // cases of a problem
)

// test is a table tests of info.toml: a generator, which is called with 0, 1, … as its
// arguments, or inputs in gen/, which are numbered in the same way.
type test struct {
	name   string
	number int64
	line   int
}

// libraryCases adds the cases of all tests and makes those that are not in the package. The cases of
// example.in, which the statement shows, come first.
func (p *reader) libraryCases(tests []test) error {
	groups := []*draft.Group{{Name: "sample"}, {Name: "tests"}}
	var inputs, answers []draft.Step
	made := map[string]string{} // hashes in the file have these names; the values are paths
	for _, t := range tests {
		if err := p.libraryName("test", t.name, t.line); err != nil {
			return err
		}
		ext := path.Ext(t.name)
		stem := strings.TrimSuffix(t.name, ext)
		program := "gen/" + t.name
		switch {
		case ext != ".cpp" && ext != ".in":
			return p.Tree.Errorf(libraryFile, t.line, "a test is a program x.cpp, or x.in for inputs such as gen/x_00.in", "unknown kind of test: %s", quote.Name(t.name))
		case t.number < 0 || t.number > maxLibrary:
			return p.Tree.Errorf(libraryFile, t.line, "", "number of %s must be from 0 to %d, not %d", quote.Name(t.name), maxLibrary, t.number)
		}
		if file, _, err := p.Tree.Kind(program); err != nil {
			return err
		} else if ext == ".cpp" && !file {
			return p.Tree.Errorf(libraryFile, t.line, "tests name files in gen/", "there is no generator %s", program)
		}
		g := groups[1]
		if t.name == "example.in" {
			g = groups[0]
		}
		for i := range t.number {
			where := fmt.Sprintf("%s:%d", libraryFile, t.line)
			name := fmt.Sprintf("%s_%02d", stem, i)
			c := &draft.Case{Name: g.Name + "/" + name, Group: g.Name, Input: "in/" + name + ".in", Answer: "out/" + name + ".out"}
			if ext == ".in" {
				c.Input = "gen/" + name + ".in"
			}
			file, _, err := p.Tree.Kind(c.Input)
			switch {
			case err != nil:
				return err
			case file:
			case ext == ".in":
				return p.Tree.Errorf(c.Input, 0, "asked for by "+where, "no such file")
			default:
				inputs = append(inputs, draft.Step{Program: program, Args: []string{strconv.FormatInt(i, 10)}, Stdout: c.Input, From: where})
				made[name+".in"] = c.Input
			}
			if file, _, err = p.Tree.Kind(c.Answer); err != nil {
				return err
			} else if !file {
				answers = append(answers, draft.Step{Program: model, Input: c.Input, Stdout: c.Answer, From: where})
				made[name+".out"] = c.Answer
			}
			g.Cases = append(g.Cases, c)
		}
		if len(groups[0].Cases)+len(groups[1].Cases) > maxLibrary {
			return p.Tree.Errorf(libraryFile, t.line, "", "more than %d cases", maxLibrary)
		}
	}
	if err := p.Make(inputs); err != nil {
		return err
	}
	if err := p.Make(answers); err != nil {
		return err
	}
	for _, g := range groups {
		if len(g.Cases) == 0 {
			continue
		}
		p.Data.Groups = append(p.Data.Groups, g)
		p.Cases = append(p.Cases, g.Cases...)
		for _, c := range g.Cases {
			if err := p.Sizes(c); err != nil {
				return err
			}
		}
	}
	return p.compareHashes(made)
}

// compareHashes notes the made files whose content is not what the authors' programs made, by the
// hashes that the package holds.
func (p *reader) compareHashes(made map[string]string) error {
	data, err := p.Tree.Read(hashes, tree.MaxDocument)
	if err != nil || data == nil {
		return err
	}
	var want map[string]string
	if err := json.Unmarshal(data, &want); err != nil {
		p.Note(hashes, 0, "not read: %v", err)
		return nil
	}
	for _, name := range draft.SortedKeys(made) {
		sum := p.MadeFiles[made[name]].Sum
		if hash, given := want[name]; given && hash != hex.EncodeToString(sum[:]) {
			p.NoteFile(hashes, "made files that differ from the authors'", made[name])
		}
	}
	return nil
}
