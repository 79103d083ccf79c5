package kattis

import (
	"crypto/sha256"
	"io"
	"path"
	"slices"
	"strings"

	"tribunal/judge/internal/content"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/quote"
	"tribunal/judge/packages/draft"
	"tribunal/judge/packages/tree"
)

// The folders for what generators print and leave, until it is sorted into data/. No package has
// them, because their names begin with a dot.
const (
	printedDir = ".made/printed"
	leftDir    = ".made/left"
)

// make makes the cases.
func (r *generatorReader) make() error {
	p := r.p
	todo, err := r.missing()
	if err != nil {
		return err
	}
	for rel, files := range r.implicit {
		p.Describe(rel).Files = files
	}
	for _, do := range []func([]*generatedCase) error{r.inputs, r.files, r.answers, r.include} {
		if err := do(todo); err != nil {
			return err
		}
	}
	if err := r.groupSettings(todo); err != nil {
		return err
	}
	p.Tree.Overlay(p.MadeFiles)
	if p.Written = len(r.written); p.Written > 0 {
		p.Note(draft.GeneratorsFile, 0, "%d files of the test data are written or copied as it says", p.Written)
	}
	return nil
}

// missing returns the cases to make. A folder of data/ with a case that generators.yaml does not
// list was made by another version of the file: it stays as it is.
func (r *generatorReader) missing() (todo []*generatedCase, err error) {
	for _, root := range generatorRoots {
		have, err := r.p.inputs("data/" + root)
		if err != nil {
			return nil, err
		}
		isRoot := func(c *generatedCase) bool { return strings.HasPrefix(c.name, root+"/") }
		held := map[string]bool{}
		for _, name := range have {
			held[name] = true
		}
		i := slices.IndexFunc(have, func(name string) bool { return r.names[name] == nil })
		lacks := slices.ContainsFunc(r.cases, func(c *generatedCase) bool { return isRoot(c) && !held[c.name] })
		if i >= 0 && lacks {
			r.p.Note(draft.GeneratorsFile, 0, "does not list %s: nothing is added to data/%s", quote.Name(have[i]), root)
			continue
		}
		for _, c := range r.cases {
			if isRoot(c) {
				todo = append(todo, c)
			}
		}
	}
	return todo, nil
}

// inputs runs the generators of the cases whose input is missing.
func (r *generatorReader) inputs(todo []*generatedCase) error {
	p := r.p
	var steps []draft.Step
	var made []*generatedCase
	for _, c := range todo {
		if file, _, err := p.Tree.Kind(c.file(".in")); err != nil {
			return err
		} else if file || c.program == "" {
			continue
		}
		made = append(made, c)
		steps = append(steps, draft.Step{
			Program: c.program, Args: c.args, From: r.from(c),
			Stdout: path.Join(printedDir, c.name), LeftIn: path.Join(leftDir, c.name),
		})
	}
	if err := p.Make(steps); err != nil {
		return err
	}
	staged := map[string]tree.MadeFile{}
	for rel, f := range p.MadeFiles {
		if strings.HasPrefix(rel, ".made/") {
			staged[rel] = f
			delete(p.MadeFiles, rel)
		}
	}
	for _, c := range made {
		for _, ext := range generatedExtensions {
			f, ok := staged[path.Join(leftDir, c.name, generatedBase+ext)]
			if printed := staged[path.Join(printedDir, c.name)]; !ok && ext == ".in" && printed.Size > 0 {
				f, ok = printed, true
			}
			if !ok {
				continue
			}
			free, err := r.free(c.file(ext))
			if err != nil {
				return err
			}
			if free {
				p.MadeFiles[c.file(ext)] = f
			}
		}
	}
	return nil
}

// file returns the path of a file of the case.
func (c *generatedCase) file(ext string) string { return "data/" + c.name + ext }

// from names the place of a case for messages.
func (r *generatorReader) from(c *generatedCase) string {
	return draft.GeneratorsFile + ": " + c.name
}

// free reports whether the package lacks a file, so that it is to be added. A file that was added
// before may be replaced.
func (r *generatorReader) free(rel string) (bool, error) {
	file, dir, err := r.p.Tree.Kind(rel)
	if err == nil && dir {
		err = r.p.Tree.Errorf(rel, 0, "", "a folder instead of a file that %s lists", draft.GeneratorsFile)
	}
	return !file, err
}

// files adds the files of the cases that generators.yaml holds or copies.
func (r *generatorReader) files(todo []*generatedCase) error {
	for _, c := range todo {
		if c.included != nil {
			continue
		}
		for _, ext := range slices.Concat(generatedExtensions, imageExtensions) {
			text, given := c.texts[ext]
			var err error
			switch {
			case given:
				err = r.write(c.file(ext), func() (tree.MadeFile, error) { return tree.MadeOf([]byte(text)), nil })
			case c.copied != "":
				err = r.copy(c.copied+ext, c.file(ext))
			}
			if err != nil {
				return err
			}
		}
		if err := r.link(c, "in"); err != nil {
			return err
		}
		if there, err := r.there(c.file(".in")); err != nil {
			return err
		} else if !there && c.texts[".in.statement"] == "" && c.texts[".interaction"] == "" {
			return r.noInput(c)
		}
	}
	return nil
}

// noInput returns the error for a case whose input nothing makes.
func (r *generatorReader) noInput(c *generatedCase) error {
	switch {
	case c.copied != "":
		return r.p.Tree.Errorf(draft.GeneratorsFile, c.line, "copy names files below generators/", "the input of %s is to be copied from %s.in, which does not exist", c.name, c.copied)
	case c.program != "":
		return r.p.Tree.Errorf(draft.GeneratorsFile, c.line, "print the input, or write "+generatedBase+".in", "%s makes no input of %s", c.program, c.name)
	}
	return r.p.Tree.Errorf(draft.GeneratorsFile, c.line, "give generate, copy or in", "nothing makes the input of %s, and data/%s.in does not exist", c.name, c.name)
}

// write adds a file that no program made, unless the package holds it.
func (r *generatorReader) write(rel string, content func() (tree.MadeFile, error)) error {
	free, err := r.free(rel)
	if err != nil || !free {
		return err
	}
	f, err := content()
	if err != nil {
		return err
	}
	r.p.MadeFiles[rel] = f
	r.written[rel] = true
	return nil
}

// there reports whether a file is in the package or was made.
func (r *generatorReader) there(rel string) (bool, error) {
	file, _, err := r.p.Kind(rel)
	return file, err
}

// held returns a file that is in the package or was made.
func (r *generatorReader) held(rel string) (tree.MadeFile, error) {
	if made, ok := r.p.MadeFiles[rel]; ok {
		return made, nil
	}
	c, err := r.p.Content(rel)
	if err != nil {
		return tree.MadeFile{}, err
	}
	h := sha256.New()
	if _, err := io.Copy(h, c.Reader()); err != nil {
		return tree.MadeFile{}, r.p.Tree.Fail(rel, err)
	}
	return tree.MadeFile{
		Open: func() (content.Content, error) { return r.p.Content(rel) },
		Size: c.Size(), Sum: [sha256.Size]byte(h.Sum(nil)),
	}, nil
}

// link adds the files of a case that are equal to others of it, for those whose extension begins
// with kind.
func (r *generatorReader) link(c *generatedCase, kind string) error {
	for _, ext := range draft.SortedKeys(c.links) {
		if first, _, _ := strings.Cut(ext[1:], "."); first != kind {
			continue
		}
		if err := r.copy(c.file(c.links[ext]), c.file(ext)); err != nil {
			return err
		}
	}
	return nil
}

// copy adds a file with the content of another one, if that exists.
func (r *generatorReader) copy(from, to string) error {
	there, err := r.there(from)
	if err != nil || !there {
		return err
	}
	return r.write(to, func() (tree.MadeFile, error) { return r.held(from) })
}

// answers makes the missing answers of the cases that submissions are judged on.
func (r *generatorReader) answers(todo []*generatedCase) error {
	p := r.p
	var steps []draft.Step
	for _, c := range todo {
		if root, _, _ := strings.Cut(c.name, "/"); c.included != nil || root != "sample" && root != "secret" {
			continue
		}
		input, err := r.there(c.file(".in"))
		if err != nil {
			return err
		}
		answer, err := r.there(c.file(".ans"))
		switch {
		case err != nil:
			return err
		case answer || !input:
		case p.Validation.Interactive || p.Validation.Passes > 1:
			if err := r.write(c.file(".ans"), func() (tree.MadeFile, error) { return tree.MadeOf(nil), nil }); err != nil {
				return err
			}
		case c.solution != "":
			steps = append(steps, draft.Step{Program: c.solution, Input: c.file(".in"), Stdout: c.file(".ans"), From: r.from(c)})
		}
	}
	// The solutions are built as the submissions of the package that they are.
	for _, s := range steps {
		p.Submissions = append(p.Submissions, problem.Submission{Path: s.Program})
	}
	err := p.Make(steps)
	p.Submissions = nil
	if err != nil {
		return err
	}
	for _, c := range todo {
		if err := r.link(c, "ans"); err != nil {
			return err
		}
	}
	return nil
}

// include adds the cases that have the files of another case.
func (r *generatorReader) include(todo []*generatedCase) error {
	for _, c := range todo {
		if c.included == nil {
			continue
		}
		for _, ext := range slices.Concat(generatedExtensions, imageExtensions) {
			if err := r.copy(c.included.file(ext), c.file(ext)); err != nil {
				return err
			}
		}
	}
	return nil
}

// groupSettings adds the settings files of folders in which cases were made, unless they have one.
func (r *generatorReader) groupSettings(todo []*generatedCase) error {
	folders := map[string]bool{} // with cases in them or below
	for _, c := range todo {
		for dir := "data/" + c.name; dir != "."; {
			dir = path.Dir(dir)
			folders[dir] = true
		}
	}
	for _, rel := range draft.SortedKeys(r.groups) {
		if !folders[path.Dir(rel)] {
			continue
		}
		has := false
		for _, name := range settingsFiles {
			there, err := r.there(path.Join(path.Dir(rel), name))
			if err != nil {
				return err
			}
			has = has || there
		}
		if has {
			continue
		}
		text, err := r.groups[rel].Marshal()
		if err != nil {
			return err
		}
		if err := r.write(rel, func() (tree.MadeFile, error) { return tree.MadeOf(text), nil }); err != nil {
			return err
		}
	}
	return nil
}
