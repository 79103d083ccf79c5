package rbx

import (
	"path"
	"slices"
	"strings"

	"tribunal/judge/internal/quote"
	"tribunal/judge/packages/draft"
	"tribunal/judge/packages/tree"
	"tribunal/judge/packages/yamlloose"
)

// scripted returns the tests that a script asks for.
func (r *reader) scripted(s *script) ([]test, error) {
	var text string
	if path.Ext(s.path) == ".txt" {
		data, err := r.Tree.Read(s.path, tree.MaxDocument)
		if err == nil {
			data, err = r.Tree.Text(s.path, data)
		}
		if err != nil {
			return nil, err
		}
		text = string(data)
	} else if known, done := r.scripts[s.path]; done {
		text = known
	} else {
		made := path.Join(made, s.path+".txt")
		if err := r.Make([]draft.Step{{Program: s.path, Stdout: made, From: s.from}}); err != nil {
			return nil, err
		}
		data, err := r.MadeList(made, s.path)
		delete(r.MadeFiles, made) // no test data
		if err != nil {
			return nil, err
		}
		if data, err = r.Tree.Text(s.path, data); err != nil {
			return nil, err
		}
		text = string(data)
		r.scripts[s.path] = text
	}
	if s.box {
		return parseBox(r.Tree, s.path, text)
	}
	return parseScript(r.Tree, s.path, text)
}

// test sets the input of a case to what a script or a list of calls asks for. root is a folder that
// may hold the generators.
func (r *reader) test(c *draft.Case, t *test, root string) error {
	wrong := func(hint, format string, args ...any) error {
		return r.Tree.Errorf(t.script, t.line, hint, format, args...)
	}
	switch {
	case t.file != "":
		rel := path.Clean(t.file)
		if path.IsAbs(rel) || strings.HasPrefix(rel, "..") {
			return wrong("write a path below the folder of "+file, "%s is no path in the package", quote.Name(t.file))
		}
		return r.copied(c, rel, "", wrong)
	case t.call == "" && t.script != file:
		c.Input = t.place()
		return r.write(c.Input, t.text)
	}
	program, err := r.generator(t.call, root, wrong)
	if err != nil {
		return err
	}
	words, ok := yamlloose.SplitShell(t.args)
	if !ok {
		return wrong("", "unclosed quote: %s", quote.Name(t.args))
	}
	c.Input = path.Join(made, c.Name+".in")
	r.steps = append(r.steps, draft.Step{Program: program, Args: words, Stdout: c.Input, From: t.place()})
	return nil
}

// write adds a file that the package describes as a text. Several tests may have the same text.
func (r *reader) write(rel, text string) error {
	file, dir, err := r.Tree.Kind(rel)
	if err == nil && (file || dir) {
		err = r.Tree.Errorf(rel, 0, "rename it", "it has the name of a test in a script")
	}
	if err != nil {
		return err
	}
	r.Hold(rel, []byte(text))
	return nil
}

// generator returns the path of a generator: one of the key generators, or a file with or without its
// extension.
func (r *reader) generator(name, root string, wrong func(hint, format string, args ...any) error) (string, error) {
	if rel := r.generators[name]; rel != "" {
		return rel, nil
	}
	rel := path.Join(root, name)
	if name == "" || path.IsAbs(rel) || strings.HasPrefix(rel, "..") {
		return "", wrong("write the name of a generator", "%s is no name of a generator", quote.Name(name))
	}
	if file, _, err := r.Tree.Kind(rel); err != nil || file {
		return rel, err
	}
	if known := r.found[rel]; known != "" {
		return known, nil
	}
	entries, err := r.ListSkipping(path.Dir(rel))
	if err != nil {
		return "", err
	}
	stem := path.Base(rel)
	stem = strings.TrimSuffix(stem, path.Ext(stem))
	var found []string
	for _, e := range entries {
		if ext := path.Ext(e.Name); !e.Dir && strings.TrimSuffix(e.Name, ext) == stem && slices.Contains(draft.ProgramExtensions, ext) {
			found = append(found, path.Join(path.Dir(rel), e.Name))
		}
	}
	switch len(found) {
	case 0:
		return "", wrong("add it to generators, or name a file", "there is no generator %s", quote.Name(name))
	case 1:
		r.found[rel] = found[0]
		return found[0], nil
	}
	return "", wrong("write its extension", "%s may be any of %s", quote.Name(name), strings.Join(found, ", "))
}
