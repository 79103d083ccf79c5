package pkgformat

import (
	"errors"
	"io"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/yamlstrict"
)

// picture reads a file by its path from a folder of the package, which need not lead below that
// folder, but stays in the package.
func (p *Package) picture(dir, name string, max int64) ([]byte, error) {
	rel := path.Join(dir, name)
	if !filepath.IsLocal(filepath.FromSlash(rel)) {
		return nil, errors.New("it is outside of the package")
	}
	file, _, err := p.files.kind(rel)
	if err == nil && !file {
		return nil, fs.ErrNotExist
	}
	var data []byte
	if err == nil {
		data, err = p.files.head(rel, max+1)
	}
	if e, ok := errors.AsType[*yamlstrict.Error](err); ok {
		err = errors.New(e.Msg) // the name is known
	}
	switch {
	case err != nil:
		return nil, err
	case data == nil:
		return nil, fs.ErrNotExist
	case int64(len(data)) > max:
		return nil, problem.ErrTooLarge
	}
	return data, nil
}

// statementText reads a statement with constants filled in.
func (p *Package) statementText(rel string) ([]byte, error) {
	text, err := p.Bytes(rel)
	if err != nil || path.Ext(rel) == ".pdf" {
		return text, err
	}
	filled, ok := p.Fill(text, maxProgram)
	if !ok {
		return nil, p.files.errorf(rel, 0, "", "with constants filled in, larger than %d MiB", maxProgram>>20)
	}
	return filled, nil
}

// maxShown bounds the bytes of a file of a sample that a statement shows; more is cut off.
const maxShown = 1 << 20

// shownSamples reads the samples as statements show them: in the Kattis formats a sample may have other
// files for that than for judging, or only an interaction.
func (p *Package) shownSamples() ([]problem.Shown, error) {
	files := map[string][2]string{} // input and answer of the samples that are cases
	var names []string
	for _, c := range p.Cases {
		if c.Group == "sample" || c.Group == "samples" {
			files[c.Name] = [2]string{c.Input, c.Answer}
			names = append(names, c.Name)
		}
	}
	if p.Dialect != "" {
		const dir = "data/sample"
		if _, isDir, err := p.files.kind(dir); err != nil {
			return nil, err
		} else if isDir {
			list, err := p.files.list(dir)
			if err != nil {
				return nil, err
			}
			for _, e := range list {
				name, ext := splitName(e.name)
				if full := "sample/" + name; !e.dir && (ext == ".interaction" || ext == ".in.statement") && !slices.Contains(names, full) {
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
			*part.to = strings.ReplaceAll(text, "\r\n", "\n")
		}
	}
	return list, nil
}

// firstOf reads the first of the files with these extensions that exists in a package of the Kattis
// formats, or else a file of a case, of which "" means none.
func (p *Package) firstOf(base string, extensions []string, given string) (string, error) {
	if p.Dialect != "" {
		for _, ext := range extensions {
			if data, err := p.files.head(base+ext, maxShown); data != nil || err != nil {
				return string(data), err
			}
		}
	}
	c, err := p.Content(given)
	if err != nil {
		return "", err
	}
	data, err := io.ReadAll(io.LimitReader(c.Reader(), maxShown))
	return string(data), err
}
