package pkgimport

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"tribunal/judge/internal/casedata"
	"tribunal/judge/internal/cases"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/pkgformat"
	"tribunal/judge/internal/yamlstrict"
)

// placed is a case of the package with its name in the repository.
type placed struct {
	cases.Case
	of     *pkgformat.Case // in the package
	sample bool            // the statement shows it
}

// A case file holds inputs and outputs of up to maxInline bytes each, until it has maxDocument bytes.
// All others become files of their own.
const (
	maxInline   = 4 << 10
	maxDocument = 4 << 20
)

// sampleGroup is the group of the cases shown with the statement, in packages and here. It comes first.
const sampleGroup = "sample"

// arrange gives every case a unique name that is valid here and keeps the cases in their order.
func (p *plan) arrange() error {
	var total int64
	for _, c := range p.Package.Cases {
		for _, f := range []struct {
			rel  string
			size int64
		}{{c.Input, c.InputSize}, {c.Answer, c.AnswerSize}} {
			if total += f.size; f.size > yamlstrict.MaxFile {
				return p.refuse(f.rel, "the file has %s, and a case may have %v", limits.Bytes(f.size).Human(), limits.Bytes(yamlstrict.MaxFile))
			}
		}
	}
	if total > cases.MaxFiles {
		return p.refuse(".", "the cases have %s, and a problem may have %v", limits.Bytes(total).Human(), limits.Bytes(cases.MaxFiles))
	}
	var groups []string // of each run of consecutive cases of one group
	runs := map[int]int{}
	for i, c := range p.Package.Cases {
		if i == 0 || c.Group != p.Package.Cases[i-1].Group {
			groups = append(groups, c.Group)
		}
		runs[i] = len(groups) - 1
	}
	taken := map[string]bool{"lock": true, "mutants": true} // names of other files in the folder, see package cases
	names := make([]string, len(groups))
	for i, g := range groups {
		if rest, ok := strings.CutPrefix(g, "secret/"); ok {
			g = rest
		}
		names[i] = unique(plain(g), taken)
	}
	if !inOrder(names) {
		for i := range names {
			names[i] = fmt.Sprintf("%0*d-%s", len(fmt.Sprint(len(names))), i+1, names[i])
		}
		p.note("groups of cases are numbered to keep their order")
	}
	renamed, first := 0, ""
	short := map[string]map[string]bool{}
	for i, c := range p.Package.Cases {
		group := names[runs[i]]
		if short[group] == nil {
			short[group] = map[string]bool{}
		}
		was := strings.TrimPrefix(c.Name, c.Group+"/")
		name := unique(plain(was), short[group])
		own := placed{Case: cases.Case{Name: group + "/" + name, Group: group}, of: c, sample: c.Group == sampleGroup || strings.HasPrefix(c.Group, sampleGroup+"/")}
		note, err := p.description(c)
		if err != nil {
			return err
		}
		if own.Case.Note = note; name != was {
			own.Case.Note = strings.TrimSuffix(c.Name+": "+note, ": ")
			if renamed++; renamed == 1 {
				first = c.Name + " is now " + own.Name
			}
		}
		p.cases = append(p.cases, own)
	}
	switch {
	case renamed == 1:
		p.note("a name of a case is not valid here: %s (see its note)", first)
	case renamed > 1:
		p.note("some names of cases are not valid here: %s, and %d more (see their notes)", first, renamed-1)
	}
	return nil
}

// inOrder reports whether groups of these names would be judged in this order.
func inOrder(names []string) bool {
	rest := names
	if len(rest) > 0 && rest[0] == sampleGroup {
		rest = rest[1:]
	}
	return slices.IsSorted(rest) && !slices.Contains(rest, sampleGroup)
}

var unfit = regexp.MustCompile(`[^a-z0-9]+`)

// plain returns a valid name that resembles the name.
func plain(name string) string {
	if fit.MatchString(name) {
		return name
	}
	name = strings.Trim(unfit.ReplaceAllString(strings.ToLower(name), "-"), "-")
	if name == "" {
		return "case"
	}
	return name
}

var fit = regexp.MustCompile(`^[a-z0-9][a-z0-9-]*$`)

// unique returns the name, with a number appended if it is taken, and marks the result as taken.
func unique(name string, taken map[string]bool) string {
	own := name
	for n := 2; taken[own]; n++ {
		own = fmt.Sprintf("%s-%d", name, n)
	}
	taken[own] = true
	return own
}

// description returns the package's description of a case, on one line.
func (p *plan) description(c *pkgformat.Case) (string, error) {
	text := c.Description
	if text == "" && c.DescFile != "" {
		data, err := p.Package.Bytes(c.DescFile)
		if err != nil {
			return "", err
		}
		text = strings.ToValidUTF8(string(data), "\uFFFD")
	}
	return strings.Join(strings.Fields(text), " "), nil
}

// inputs writes the inputs that are too large for a case file into files of their own, and writes the
// case files, still without outputs.
func (p *plan) inputs() error {
	size := map[string]int{} // of the texts, by group
	for i := range p.cases {
		c := &p.cases[i]
		if err := p.particulars(c); err != nil {
			return err
		}
		if size[c.Group] += min(int(c.of.InputSize), maxInline); c.of.InputSize <= maxInline && size[c.Group] <= maxDocument {
			text, err := p.Package.Bytes(c.of.Input)
			if err != nil {
				return err
			}
			if utf8.Valid(text) {
				input := string(text)
				c.Input = &input
				continue
			}
		}
		c.InputFile = c.Short() + ".in"
		if err := p.copy(c.of.Input, p.beside(c, c.InputFile)); err != nil {
			return err
		}
	}
	return p.documents()
}

// beside returns the path of a file of a case, below the staging folder.
func (p *plan) beside(c *placed, name string) string {
	return filepath.Join("cases", p.ID, c.Group, name)
}

// copy copies a file of the package without reading it into memory as a whole.
func (p *plan) copy(rel, to string) error {
	if err := p.put(to, nil); err != nil {
		return err
	}
	from, err := os.Open(p.Package.File(rel))
	if err != nil {
		return yamlstrict.FileError(p.Package.Show(rel), err)
	}
	defer from.Close()
	file, err := os.OpenFile(p.path(to), os.O_WRONLY|os.O_TRUNC, 0)
	if err != nil {
		return yamlstrict.FileError(filepath.Join(p.Root, to), err)
	}
	_, err = io.Copy(file, from)
	if err = errors.Join(err, file.Close()); err != nil {
		return yamlstrict.FileError(filepath.Join(p.Root, to), err)
	}
	return nil
}

// particulars sets what a case has of its own besides input and output.
func (p *plan) particulars(c *placed) error {
	c.Args, c.Flags, c.Points = c.of.Args, p.flags(c.of), c.of.Points
	if all := p.doc.outputs; len(all) > 1 && c.of.OutputValidator != "" {
		at := slices.IndexFunc(all, func(v validator) bool { return pkgformat.Named(v.of, c.of.OutputValidator) })
		c.Asked = all[at].name
	}
	c.InputArgs = ownArgs(p.doc.inputs, c.of.InputArgs)
	c.AnswerArgs = ownArgs(p.doc.answers, c.of.AnswerArgs)
	if c.of.Files == "" {
		return nil
	}
	c.FilesDir = c.Short() + ".files"
	files, err := p.Package.Beside(c.of)
	if err != nil {
		return err
	}
	dir := p.beside(c, c.FilesDir)
	if err := os.MkdirAll(p.path(dir), 0o777); err != nil {
		return yamlstrict.FileError(filepath.Join(p.Root, dir), err)
	}
	return p.puts(dir, files)
}

// ownArgs returns the arguments of validators, by name, that are not those that the validators have
// for all cases; nil if there are none.
func ownArgs(list []validator, args pkgformat.InputArgs) map[string][]string {
	var own map[string][]string
	for _, v := range list {
		if args := args.Of(v.of); !slices.Equal(args, v.args) {
			if own == nil {
				own = map[string][]string{}
			}
			own[v.name] = args
		}
	}
	return own
}

// documents writes the problem's file and the case files.
func (p *plan) documents() error {
	if err := p.put(filepath.Join("problems", p.ID+".yaml"), p.doc.text(p.ID)); err != nil {
		return err
	}
	groups := map[string][]cases.Case{}
	for _, c := range p.cases {
		groups[c.Group] = append(groups[c.Group], c.Case)
	}
	for group, list := range groups {
		text, err := cases.Text(group, list)
		if err != nil {
			return err
		}
		if err := p.put(filepath.Join("cases", p.ID, group+".yaml"), text); err != nil {
			return err
		}
	}
	return nil
}

// expect pins the answers of the package as expected outputs. An answer that the reference prints
// byte for byte is left to the reference, except in samples. The reference has run on all cases,
// unless outputs do not follow from an input alone; then every answer is pinned.
func (p *plan) expect(ctx context.Context, set *cases.Set, m *casedata.Provider) error {
	loaded := map[string]*cases.Case{}
	for i := range set.Cases {
		loaded[set.Cases[i].Name] = &set.Cases[i]
	}
	others := 0
	for i := range p.cases {
		c := &p.cases[i]
		answer, err := p.Package.Bytes(c.of.Answer)
		if err != nil {
			return err
		}
		same := false
		if m.Problem.Derives() {
			output, err := m.DerivedOutput(ctx, loaded[c.Name])
			if err != nil {
				return err
			}
			same = string(output) == string(answer)
		}
		if c.OutputFile != "" { // written for an earlier candidate
			os.Remove(p.path(p.beside(c, c.OutputFile)))
		}
		if c.Pinned, c.Output, c.OutputFile = false, nil, ""; same && !c.sample {
			continue
		}
		if !m.Problem.Derives() && len(answer) == 0 {
			continue // the default
		}
		if !same && m.Problem.Derives() {
			others++
		}
		if c.Pinned = true; len(answer) <= maxInline && utf8.Valid(answer) {
			text := string(answer)
			c.Output = &text
			continue
		}
		c.OutputFile = c.Short() + ".ans"
		if err := p.put(p.beside(c, c.OutputFile), answer); err != nil {
			return err
		}
	}
	p.others = others
	return p.documents()
}
