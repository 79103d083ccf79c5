package kattis

import (
	"io/fs"
	"path"
	"slices"
	"strings"

	"tribunal/judge/internal/cases"
	"tribunal/judge/internal/problem"
	"tribunal/judge/packages/draft"
	"tribunal/judge/packages/tree"
	"tribunal/judge/packages/yamlloose"
)

// extensions lists the extensions of the files of a case.
var extensions = []string{
	".in.statement", ".ans.statement", ".in.download", ".ans.download",
	".interaction", ".files", ".yaml", ".args", ".hint", ".desc", ".ans", ".out", ".in",
	".png", ".jpeg", ".jpg", ".svg", ".gif",
}

// dataReader reads the folders of test data.
type dataReader struct {
	p        *reader
	settings settingsReader
	answers  need // what every case must have besides its input
	all      []*draft.Case
}

// need names the files that a case must have besides its input, and what happens if one is missing.
type need uint8

const (
	needAnswer    need = iota // a missing answer is an error
	answerOrEmpty             // a missing answer counts as empty, with a note
	noAnswer                  // the case needs no answer: invalid_input
	answerOrSkip              // a case without an answer is skipped with a note: invalid_answer
	outputOrSkip              // a case without an answer or an output is skipped with a note: invalid_output, valid_output
)

// readData reads data/ of the Kattis formats.
func (p *reader) readData(m *metadata) error {
	r := &dataReader{p: p, settings: settingsReader{p, m.flags}}
	if len(p.Validation.Programs) > 0 {
		r.answers = answerOrEmpty
	}
	list, err := p.Tree.List("data")
	if err != nil {
		return err
	}
	m.grading.OutputArgs = m.flags
	data := &draft.Group{Own: len(settingsOf("data", list)) > 0}
	if data.Settings, err = r.settings.group("data", settingsOf("data", list), m.grading); err != nil {
		return err
	}
	p.Data = data
	above, err := p.Tree.Enter("data", nil)
	if err != nil {
		return err
	}
	special := map[string]struct {
		into *[]*draft.Case
		need need
	}{
		"invalid_input": {&p.InvalidInput, noAnswer}, "invalid_answer": {&p.InvalidAnswer, answerOrSkip},
		"invalid_output": {&p.InvalidOutput, outputOrSkip}, "valid_output": {&p.ValidOutput, outputOrSkip},
	}
	for _, e := range list {
		rel := path.Join("data", e.Name)
		s, isSpecial := special[e.Name]
		switch {
		case !e.Dir:
			if !slices.Contains(settingsFiles, e.Name) {
				p.NoteFile("data", "files that are not read", rel)
			}
		case e.Name == "sample" || e.Name == "secret":
			g, err := r.group(rel, above, data.Settings)
			if err != nil {
				return err
			}
			data.Groups = append(data.Groups, g)
		case isSpecial:
			own := &dataReader{p: p, settings: r.settings, answers: s.need}
			if _, err := own.group(rel, above, data.Settings); err != nil {
				return err
			}
			*s.into = own.all
		default:
			p.NoteFile("data", "folders that are not read", rel)
		}
	}
	p.Cases = r.all
	p.noteForeignPoints()
	return nil
}

// settingsOf returns the paths of the settings files in a folder.
func settingsOf(dir string, list []tree.Entry) []string {
	var files []string
	for _, e := range list {
		if !e.Dir && slices.Contains(settingsFiles, e.Name) {
			files = append(files, path.Join(dir, e.Name))
		}
	}
	return files
}

// group reads a folder and the groups in it, sorted by name without extension, and appends the
// cases to r.all in that order. above holds the folders around it, as returned by [tree.Tree.Enter].
func (r *dataReader) group(dir string, above []fs.FileInfo, outer draft.Settings) (*draft.Group, error) {
	above, err := r.p.Tree.Enter(dir, above)
	if err != nil {
		return nil, err
	}
	list, err := r.p.Tree.List(dir)
	if err != nil {
		return nil, err
	}
	g := &draft.Group{Name: strings.TrimPrefix(dir, "data/"), Own: len(settingsOf(dir, list)) > 0}
	if g.Settings, err = r.settings.group(dir, settingsOf(dir, list), outer); err != nil {
		return nil, err
	}
	items, err := r.items(dir, list, g)
	if err != nil {
		return nil, err
	}
	for _, it := range items {
		if it.c != nil {
			if complete, err := r.finish(it.c); err != nil {
				return nil, err
			} else if !complete {
				continue
			}
			g.Cases = append(g.Cases, it.c)
			r.all = append(r.all, it.c)
			continue
		}
		sub, err := r.group(path.Join(dir, it.name), above, g.Settings)
		if err != nil {
			return nil, err
		}
		g.Groups = append(g.Groups, sub)
	}
	return g, nil
}

// item is a case or a group in a folder.
type item struct {
	name string
	c    *draft.Case // nil for a group
}

// items finds the cases and groups in a folder and adds the files that belong to the cases.
func (r *dataReader) items(dir string, list []tree.Entry, g *draft.Group) ([]item, error) {
	files := r.p.Tree
	var items []item
	byName := map[string]*draft.Case{}
	for i := range list {
		e := &list[i]
		name, in := strings.CutSuffix(e.Name, ".in")
		if !in {
			continue
		}
		rel := path.Join(dir, e.Name)
		if e.Dir {
			return nil, files.Errorf(rel, 0, "", "a folder instead of the input of a case")
		}
		if name == "" || slices.Contains(settingsFiles, name+".yaml") {
			return nil, files.Errorf(rel, 0, "rename it", "a name that is reserved for the settings of a group")
		}
		size, err := files.Size(dir, e)
		if err != nil {
			return nil, err
		}
		s := &g.Settings
		c := &draft.Case{
			Name: g.Name + "/" + name, Group: g.Name, Input: rel, InputSize: size,
			Arguments: s.Arguments,
		}
		byName[name] = c
		items = append(items, item{name, c})
	}
	for i := range list {
		e := &list[i]
		rel := path.Join(dir, e.Name)
		name, ext := splitName(e.Name)
		c := byName[name]
		switch {
		case ext == ".in" || !e.Dir && slices.Contains(settingsFiles, e.Name):
		case e.Dir && c != nil && ext == ".files":
			if err := r.attachFolder(c, rel); err != nil {
				return nil, err
			}
		case e.Dir && (ext == ".ans" || ext == ".out"):
			return nil, files.Errorf(rel, 0, "", "a folder instead of a file of a case")
		case e.Dir && ext == "":
			items = append(items, item{name: e.Name})
		case e.Dir || c == nil && ext != ".interaction":
			kind := "files that belong to no case"
			if ext == ".ans" {
				kind = "answers without an input, not read"
			}
			r.p.NoteFile(dir, kind, rel)
		case c != nil:
			if err := r.attach(c, ext, dir, e); err != nil {
				return nil, err
			}
		}
	}
	slices.SortStableFunc(items, func(a, b item) int { return strings.Compare(a.name, b.name) })
	return items, nil
}

// attachFolder adds to a case its .files folder. Its files are copied into the submission's working
// folder.
func (r *dataReader) attachFolder(c *draft.Case, dir string) error {
	c.Files = dir
	var total int64
	count := 0
	return r.p.Tree.Walk(dir, func(rel string, e *tree.Entry) (bool, error) {
		if count++; count > cases.MaxBesideFiles {
			return false, r.p.Tree.Errorf(dir, 0, "", "more than %d files and folders", cases.MaxBesideFiles)
		}
		if e.Dir {
			return true, nil
		}
		size, err := r.p.Tree.Size(path.Dir(rel), e)
		if err != nil {
			return false, err
		}
		if total += size; total > cases.MaxBeside {
			return false, r.p.Tree.Errorf(dir, 0, "", "more than %d MiB of files", cases.MaxBeside>>20)
		}
		c.Inside = append(c.Inside, strings.TrimPrefix(rel, dir+"/"))
		return true, nil
	})
}

// splitName splits off the extension of a file name if extensions lists it; otherwise ext is "".
func splitName(file string) (name, ext string) {
	for _, x := range extensions {
		if name, ok := strings.CutSuffix(file, x); ok {
			return name, x
		}
	}
	return file, ""
}

// attach adds a file to a case, by its extension.
func (r *dataReader) attach(c *draft.Case, ext, dir string, e *tree.Entry) (err error) {
	rel := path.Join(dir, e.Name)
	switch ext {
	case ".ans":
		c.Answer = rel
		c.AnswerSize, err = r.p.Tree.Size(dir, e)
	case ".out":
		c.Output, c.Overridden = rel, true
	case ".ans.statement":
		c.Overridden = true
	case ".yaml":
		c.Settings = rel
	case ".interaction":
		c.Interaction, c.Overridden = rel, true
	case ".hint":
		c.HintFile = rel
	case ".desc":
		c.DescFile = rel
	case ".args":
		data, err := r.p.Tree.Read(rel, tree.MaxDocument)
		if err != nil {
			return err
		}
		words, ok := yamlloose.SplitShell(string(data))
		if !ok || len(words) > draft.MaxArgs {
			return r.p.Tree.Errorf(rel, 0, "", "a quote that is not closed, or more than %d arguments", draft.MaxArgs)
		}
		c.Args = words
	case ".files":
		return r.p.Tree.Errorf(rel, 0, "", "a file instead of a folder")
	case "":
		r.p.NoteFile(dir, "files that belong to no case", rel)
	}
	return err
}

// finish reads the settings of a case and reports whether the case has the files that r.answers
// requires. With needAnswer, a missing answer is an error instead.
func (r *dataReader) finish(c *draft.Case) (bool, error) {
	if c.Settings != "" {
		if err := r.settings.ofCase(c); err != nil {
			return false, err
		}
	}
	dir := path.Dir(c.Input)
	switch {
	case r.answers == needAnswer && c.Answer == "":
		return false, r.p.Tree.Errorf(c.Input, 0, "add "+strings.TrimSuffix(path.Base(c.Input), ".in")+".ans beside it", "an input without an answer")
	case r.answers == answerOrEmpty && c.Answer == "":
		r.p.NoteFile(dir, "inputs without an answer, taken as empty", c.Input)
	case r.answers == answerOrSkip && c.Answer == "":
		r.p.NoteFile(dir, "inputs without an answer, not used", c.Input)
		return false, nil
	case r.answers == outputOrSkip && (c.Answer == "" || c.Output == ""):
		r.p.NoteFile(dir, "inputs without an answer or without an output, not used", c.Input)
		return false, nil
	}
	if r.answers != outputOrSkip {
		if c.Output != "" && r.p.Format == Latest && (r.answers == needAnswer || r.answers == answerOrEmpty) {
			shown := *c
			r.p.ShownOutput = append(r.p.ShownOutput, &shown)
		}
		c.Output = ""
	}
	return true, nil
}

// shownSamples reads the samples as statements show them: in the Kattis formats a sample may have other
// files for that than for judging, or only an interaction.
func (p *reader) shownSamples() ([]problem.Shown, error) {
	files := map[string][2]string{} // input and answer of the samples that are cases
	var names []string
	for _, c := range p.Cases {
		if c.Group == "sample" || c.Group == "samples" {
			files[c.Name] = [2]string{c.Input, c.Answer}
			names = append(names, c.Name)
		}
	}
	{
		const dir = "data/sample"
		if _, isDir, err := p.Tree.Kind(dir); err != nil {
			return nil, err
		} else if isDir {
			list, err := p.Tree.List(dir)
			if err != nil {
				return nil, err
			}
			for _, e := range list {
				name, ext := splitName(e.Name)
				if full := "sample/" + name; !e.Dir && (ext == ".interaction" || ext == ".in.statement") && !slices.Contains(names, full) {
					names = append(names, full)
				}
			}
		}
		slices.Sort(names)
	}
	list := make([]problem.Shown, len(names))
	for i, name := range names {
		s := &list[i]
		s.Name = name
		for _, part := range []struct {
			to      *string
			given   string   // file of the case
			instead []string // extensions of files to show instead, the best first
		}{
			{&s.Interaction, "", []string{".interaction"}},
			{&s.Input, files[name][0], []string{".in.statement"}},
			{&s.Output, files[name][1], []string{".ans.statement", ".out"}},
		} {
			text, err := p.firstOf("data/"+name, part.instead, part.given)
			if err != nil {
				return nil, err
			}
			*part.to = text
		}
	}
	return list, nil
}

// firstOf reads the first of the files with these extensions that exists in a package of the Kattis
// formats, or else a file of a case, of which "" means none.
func (p *reader) firstOf(base string, extensions []string, given string) (string, error) {
	for _, ext := range extensions {
		if data, err := p.Tree.Head(base+ext, draft.MaxShown); data != nil || err != nil {
			return strings.ReplaceAll(string(data), "\r\n", "\n"), err
		}
	}
	return p.ShownFile(given)
}
