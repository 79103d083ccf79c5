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
	"sync"
	"unicode/utf8"

	"tribunal/judge/internal/casedata"
	"tribunal/judge/internal/cases"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/points"
	"tribunal/judge/internal/yamlstrict"
	"tribunal/judge/packages/draft"
)

// importedCase is a case of the package with its name in the repository.
type importedCase struct {
	cases.Case
	from   *draft.Case // the case in the package
	sample bool        // whether the statement shows the case
}

// A case file holds inputs and outputs of up to maxInline bytes each, and inputs of up to
// maxDocument bytes in total. Other inputs and outputs become files of their own.
const (
	maxInline   = 4 << 10
	maxDocument = 4 << 20
)

// sampleGroup is the group of the cases shown with the statement, in packages and here. It comes first.
const sampleGroup = "sample"

// nameCases gives every case a unique name that is valid in the repository and keeps the cases in
// their order.
func (p *plan) nameCases() error {
	var total int64
	for _, c := range p.Package.Cases {
		for _, f := range []struct {
			rel  string
			size int64
		}{{c.Input, c.InputSize}, {c.Answer, c.AnswerSize}} {
			if total += f.size; f.size > yamlstrict.MaxFile {
				return p.refuse(f.rel, "the file has %s, and the limit for a case is %v", limits.Bytes(f.size).Human(), limits.Bytes(yamlstrict.MaxFile))
			}
		}
	}
	if total > cases.MaxFiles {
		return p.refuse(".", "the cases have %s, and the limit for a problem is %v", limits.Bytes(total).Human(), limits.Bytes(cases.MaxFiles))
	}
	var groups []string   // names of groups, one for each run of consecutive cases of a group
	runs := map[int]int{} // indices in groups, by index of the case
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
		names[i] = unique(toValidName(g), taken)
	}
	if !inOrder(names) {
		for i := range names {
			names[i] = fmt.Sprintf("%0*d-%s", len(fmt.Sprint(len(names))), i+1, names[i])
		}
		p.note("groups of cases are numbered to keep their order")
	}
	samples := map[string]bool{}
	for _, name := range p.Problem.Samples {
		samples[name] = true
	}
	renamed, first := 0, ""
	short := map[string]map[string]bool{} // taken names of cases, by group
	for i, c := range p.Package.Cases {
		group := names[runs[i]]
		if short[group] == nil {
			short[group] = map[string]bool{}
		}
		oldName := strings.TrimPrefix(c.Name, c.Group+"/")
		name := unique(toValidName(oldName), short[group])
		own := importedCase{Case: cases.Case{Name: group + "/" + name, Group: group}, from: c, sample: c.Group == sampleGroup || strings.HasPrefix(c.Group, sampleGroup+"/") || samples[c.Name]}
		note, err := p.description(c)
		if err != nil {
			return err
		}
		if own.Case.Note = note; name != oldName {
			own.Case.Note = strings.TrimSuffix(c.Name+": "+note, ": ")
			if renamed++; renamed == 1 {
				first = c.Name + " is now " + own.Name
			}
		}
		p.cases = append(p.cases, own)
	}
	switch {
	case renamed == 1:
		p.note("a case is renamed, because its name is not valid here: %s (see its note)", first)
	case renamed > 1:
		p.note("some cases are renamed, because their names are not valid here: %s, and %d more (see their notes)", first, renamed-1)
	}
	return nil
}

// inOrder reports whether groups with these names would be judged in this order.
func inOrder(names []string) bool {
	rest := names
	if len(rest) > 0 && rest[0] == sampleGroup {
		rest = rest[1:]
	}
	return slices.IsSorted(rest) && !slices.Contains(rest, sampleGroup)
}

var invalidChars = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[^a-z0-9]+`) })

// toValidName returns a name that is valid for a group or a case and resembles the given one.
func toValidName(name string) string {
	if validName().MatchString(name) {
		return name
	}
	name = strings.Trim(invalidChars().ReplaceAllString(strings.ToLower(name), "-"), "-")
	if name == "" {
		return "case"
	}
	return name
}

var validName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z0-9][a-z0-9-]*$`) })

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
func (p *plan) description(c *draft.Case) (string, error) {
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
	size := map[string]int{} // total bytes of the inputs in a case file, by group
	if p.Problem.Groups != nil {
		p.worth(p.Problem.Groups)
	}
	for i := range p.cases {
		c := &p.cases[i]
		if err := p.caseSettings(c); err != nil {
			return err
		}
		if size[c.Group] += min(int(c.from.InputSize), maxInline); c.from.InputSize <= maxInline && size[c.Group] <= maxDocument {
			text, err := p.Package.Bytes(c.from.Input)
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
		if err := p.copy(c.from.Input, p.caseFile(c, c.InputFile)); err != nil {
			return err
		}
	}
	return p.writeDocuments()
}

// worth gives the cases of a group, and of those in it, their points. Points for all cases together are those of the
// first: our problems have none of a group.
func (p *plan) worth(g *points.Group) {
	if r, is := g.Rule.(points.Polygon); is {
		for _, i := range g.Cases {
			p.cases[i].Points = r.Points[i]
		}
		if len(g.Cases) > 0 {
			p.cases[g.Cases[0]].Points += r.Whole
		}
	}
	for _, in := range g.Groups {
		p.worth(in)
	}
}

// caseFile returns the path of a file of a case, relative to the staging folder.
func (p *plan) caseFile(c *importedCase, name string) string {
	return filepath.Join("cases", p.ID, c.Group, name)
}

// copy copies a file of the package to a path below the staging folder. It does not load the whole
// file into memory.
func (p *plan) copy(rel, to string) error {
	if err := p.writeFile(to, nil); err != nil {
		return err
	}
	from, err := p.Package.Content(rel)
	if err != nil {
		return err
	}
	file, err := os.OpenFile(p.path(to), os.O_WRONLY|os.O_TRUNC, 0)
	if err != nil {
		return yamlstrict.FileError(filepath.Join(p.Root, to), err)
	}
	_, err = io.Copy(file, from.Reader())
	if err = errors.Join(err, file.Close()); err != nil {
		return yamlstrict.FileError(filepath.Join(p.Root, to), err)
	}
	return nil
}

// caseSettings sets the arguments, flags and points of a case, and writes the files that its
// submissions find in their working folder.
func (p *plan) caseSettings(c *importedCase) error {
	c.Args, c.Flags = c.from.Args, p.flags(c.from)
	if all := p.doc.outputs; len(all) > 1 && c.from.OutputValidator != "" {
		at := slices.IndexFunc(all, func(v validator) bool { return draft.Named(v.path, c.from.OutputValidator) })
		c.Asked = all[at].name
	}
	c.InputArgs = ownArgs(p.doc.inputs, c.from.InputArgs)
	c.AnswerArgs = ownArgs(p.doc.answers, c.from.AnswerArgs)
	if c.from.Files == "" {
		return nil
	}
	c.FilesDir = c.Short() + ".files"
	files, err := p.Package.Beside(c.from)
	if err != nil {
		return err
	}
	dir := p.caseFile(c, c.FilesDir)
	if err := os.MkdirAll(p.path(dir), 0o777); err != nil {
		return yamlstrict.FileError(filepath.Join(p.Root, dir), err)
	}
	return p.writeFiles(dir, files)
}

// ownArgs returns the arguments that a case gives to validators, by name of the validator. It
// leaves out validators that get their default arguments, and returns nil if none is left.
func ownArgs(list []validator, args draft.InputArgs) map[string][]string {
	var own map[string][]string
	for _, v := range list {
		if args := args.Of(v.path); !slices.Equal(args, v.args) {
			if own == nil {
				own = map[string][]string{}
			}
			own[v.name] = args
		}
	}
	return own
}

// writeDocuments writes the problem's file and the case files.
func (p *plan) writeDocuments() error {
	if err := p.writeFile(filepath.Join("problems", p.ID+".yaml"), p.doc.text(p.ID)); err != nil {
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
		if err := p.writeFile(filepath.Join("cases", p.ID, group+".yaml"), text); err != nil {
			return err
		}
	}
	return nil
}

// pinAnswers pins the answers of the package as expected outputs, except those that the reference
// prints byte for byte; of samples it pins all. m must hold the outputs of the reference for all
// cases. If outputs do not follow from the input alone, it pins every answer that is not empty.
func (p *plan) pinAnswers(ctx context.Context, set *cases.Set, m *casedata.Provider) error {
	loaded := map[string]*cases.Case{}
	for i := range set.Cases {
		loaded[set.Cases[i].Name] = &set.Cases[i]
	}
	differ := 0
	for i := range p.cases {
		c := &p.cases[i]
		answer, err := p.Package.Bytes(c.from.Answer)
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
		if c.OutputFile != "" { // written for an earlier candidate for the reference
			os.Remove(p.path(p.caseFile(c, c.OutputFile)))
		}
		if c.Pinned, c.Output, c.OutputFile = false, nil, ""; same && !c.sample {
			continue
		}
		if !m.Problem.Derives() && len(answer) == 0 {
			continue // an empty output is the default
		}
		if !same && m.Problem.Derives() {
			differ++
		}
		if c.Pinned = true; len(answer) <= maxInline && utf8.Valid(answer) {
			text := string(answer)
			c.Output = &text
			continue
		}
		c.OutputFile = c.Short() + ".ans"
		if err := p.writeFile(p.caseFile(c, c.OutputFile), answer); err != nil {
			return err
		}
	}
	p.differ = differ
	return p.writeDocuments()
}
