package pkgformat

import (
	"io/fs"
	"path"
	"slices"
	"strings"

	"tribunal/judge/internal/cases"
)

// extensions are the extensions of the files of a case, longer ones first.
var extensions = []string{
	".in.statement", ".ans.statement", ".in.download", ".ans.download",
	".interaction", ".files", ".yaml", ".args", ".hint", ".desc", ".ans", ".out", ".in",
	".png", ".jpeg", ".jpg", ".svg", ".gif",
}

// dataReader reads the folders of test data.
type dataReader struct {
	p        *Package
	settings settingsReader
	answers  need // what the cases being read must have
	all      []*Case
}

// need is what a case must have besides its input, and what happens if it does not.
type need uint8

const (
	needAnswer    need = iota // an answer; an error without
	answerOrEmpty             // an answer; without, it is empty, with a note
	noAnswer                  // nothing: invalid_input
	answerOrSkip              // an answer; without, the case is skipped, with a note: invalid_answer
	outputOrSkip              // an answer and an output; likewise: invalid_output, valid_output
)

// readData reads data/ of the Kattis formats.
func (p *Package) readData(m *metadata) error {
	r := &dataReader{p: p, settings: settingsReader{p, m.flags}}
	if len(p.Validation.Programs) > 0 {
		r.answers = answerOrEmpty
	}
	list, err := p.files.list("data")
	if err != nil {
		return err
	}
	m.grading.OutputArgs = m.flags
	data := &Group{}
	if data.Settings, err = r.settings.group("data", settingsOf("data", list), m.grading); err != nil {
		return err
	}
	p.Data = data
	above, err := p.files.enter("data", nil)
	if err != nil {
		return err
	}
	special := map[string]struct {
		into *[]*Case
		need need
	}{
		"invalid_input": {&p.InvalidInput, noAnswer}, "invalid_answer": {&p.InvalidAnswer, answerOrSkip},
		"invalid_output": {&p.InvalidOutput, outputOrSkip}, "valid_output": {&p.ValidOutput, outputOrSkip},
	}
	for _, e := range list {
		rel := path.Join("data", e.name)
		s, isSpecial := special[e.name]
		switch {
		case !e.dir:
			if !slices.Contains(settingsFiles, e.name) {
				p.odd("data", "files that are not read", rel)
			}
		case e.name == "sample" || e.name == "secret":
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
			p.odd("data", "folders that are not read", rel)
		}
	}
	p.Cases = r.all
	return nil
}

// settingsOf returns the paths of the settings files in a folder.
func settingsOf(dir string, list []entry) []string {
	var files []string
	for _, e := range list {
		if !e.dir && slices.Contains(settingsFiles, e.name) {
			files = append(files, path.Join(dir, e.name))
		}
	}
	return files
}

// group reads a folder with everything in it, in order of the names without their extensions, and
// appends the cases to r.all in case order. above are the folders around it, as for enter.
func (r *dataReader) group(dir string, above []fs.FileInfo, outer Settings) (*Group, error) {
	above, err := r.p.files.enter(dir, above)
	if err != nil {
		return nil, err
	}
	list, err := r.p.files.list(dir)
	if err != nil {
		return nil, err
	}
	g := &Group{Name: strings.TrimPrefix(dir, "data/")}
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
	c    *Case // nil for a group
}

// items finds the cases and groups in a folder and adds the files that belong to the cases.
func (r *dataReader) items(dir string, list []entry, g *Group) ([]item, error) {
	files := r.p.files
	var items []item
	byName := map[string]*Case{}
	for i := range list {
		e := &list[i]
		name, in := strings.CutSuffix(e.name, ".in")
		if !in {
			continue
		}
		rel := path.Join(dir, e.name)
		if e.dir {
			return nil, files.errorf(rel, 0, "", "a folder where the input of a case belongs")
		}
		if name == "" || slices.Contains(settingsFiles, name+".yaml") {
			return nil, files.errorf(rel, 0, "call it otherwise", "the input of a case without a name of its own")
		}
		size, err := files.size(dir, e)
		if err != nil {
			return nil, err
		}
		s := &g.Settings
		c := &Case{
			Name: g.Name + "/" + name, Group: g.Name, Input: rel, InputSize: size,
			Arguments: s.Arguments,
		}
		byName[name] = c
		items = append(items, item{name, c})
	}
	for i := range list {
		e := &list[i]
		rel := path.Join(dir, e.name)
		name, ext := splitName(e.name)
		c := byName[name]
		switch {
		case ext == ".in" || !e.dir && slices.Contains(settingsFiles, e.name):
		case e.dir && c != nil && ext == ".files":
			if err := r.attachFolder(c, rel); err != nil {
				return nil, err
			}
		case e.dir && (ext == ".ans" || ext == ".out"):
			return nil, files.errorf(rel, 0, "", "a folder where a file of a case belongs")
		case e.dir && ext == "":
			items = append(items, item{name: e.name})
		case e.dir || c == nil && ext != ".interaction":
			what := "files that are of no case"
			if ext == ".ans" {
				what = "answers without an input, which are no cases"
			}
			r.p.odd(dir, what, rel)
		case c != nil:
			if err := r.attach(c, ext, dir, e); err != nil {
				return nil, err
			}
		}
	}
	slices.SortStableFunc(items, func(a, b item) int { return strings.Compare(a.name, b.name) })
	return items, nil
}

// attachFolder adds to a case its .files folder, whose files the submission finds where it starts.
func (r *dataReader) attachFolder(c *Case, dir string) error {
	c.Files = dir
	var total int64
	count := 0
	return r.p.files.walk(dir, func(rel string, e *entry) (bool, error) {
		if count++; count > cases.MaxBesideFiles {
			return false, r.p.files.errorf(dir, 0, "", "more than %d files and folders", cases.MaxBesideFiles)
		}
		if e.dir {
			return true, nil
		}
		size, err := r.p.files.size(path.Dir(rel), e)
		if err != nil {
			return false, err
		}
		if total += size; total > cases.MaxBeside {
			return false, r.p.files.errorf(dir, 0, "", "files of more than %d MiB", cases.MaxBeside>>20)
		}
		c.Inside = append(c.Inside, strings.TrimPrefix(rel, dir+"/"))
		return true, nil
	})
}

// splitName splits off the extension if it is one of extensions; otherwise ext is "".
func splitName(file string) (name, ext string) {
	for _, x := range extensions {
		if name, ok := strings.CutSuffix(file, x); ok {
			return name, x
		}
	}
	return file, ""
}

// attach adds a file to a case, by its extension.
func (r *dataReader) attach(c *Case, ext, dir string, e *entry) (err error) {
	rel := path.Join(dir, e.name)
	switch ext {
	case ".ans":
		c.Answer = rel
		c.AnswerSize, err = r.p.files.size(dir, e)
	case ".out":
		c.Output = rel
	case ".yaml":
		c.Settings = rel
	case ".interaction":
		c.Interaction = rel
	case ".hint":
		c.HintFile = rel
	case ".desc":
		c.DescFile = rel
	case ".args":
		data, err := r.p.files.read(rel, maxDocument)
		if err != nil {
			return err
		}
		words, ok := splitShell(string(data))
		if !ok || len(words) > maxArgs {
			return r.p.files.errorf(rel, 0, "", "a quote that is not closed, or more than %d arguments", maxArgs)
		}
		c.Args = words
	case ".files":
		return r.p.files.errorf(rel, 0, "", "a file where a folder belongs")
	case "":
		r.p.odd(dir, "files that are of no case", rel)
	}
	return err
}

// finish reads the settings of a case and reports whether the case has what r.answers asks for. If
// it does not and r.answers is needAnswer, that is an error.
func (r *dataReader) finish(c *Case) (bool, error) {
	if c.Settings != "" {
		if err := r.settings.ofCase(c); err != nil {
			return false, err
		}
	}
	dir := path.Dir(c.Input)
	switch {
	case r.answers == needAnswer && c.Answer == "":
		return false, r.p.files.errorf(c.Input, 0, "add "+strings.TrimSuffix(path.Base(c.Input), ".in")+".ans beside it", "an input without an answer")
	case r.answers == answerOrEmpty && c.Answer == "":
		r.p.odd(dir, "inputs without an answer, which counts as empty", c.Input)
	case r.answers == answerOrSkip && c.Answer == "":
		r.p.odd(dir, "inputs without an answer, which test nothing", c.Input)
		return false, nil
	case r.answers == outputOrSkip && (c.Answer == "" || c.Output == ""):
		r.p.odd(dir, "inputs without both an answer and an output, which test nothing", c.Input)
		return false, nil
	}
	if r.answers != outputOrSkip {
		c.Output = "" // the formats have it for display or download, not for judging
	}
	return true, nil
}
