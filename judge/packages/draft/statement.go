package draft

import (
	"errors"
	"io"
	"io/fs"
	"path"
	"path/filepath"
	"strings"

	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/yamlstrict"
	"tribunal/judge/packages/tree"
)

// picture reads a file by its path from a folder of the package, which need not lead below that
// folder, but stays in the package.
func (p *Draft) picture(dir, name string, max int64) ([]byte, error) {
	rel := path.Join(dir, name)
	if !filepath.IsLocal(filepath.FromSlash(rel)) {
		return nil, errors.New("it is outside of the package")
	}
	file, _, err := p.Tree.Kind(rel)
	if err == nil && !file {
		return nil, fs.ErrNotExist
	}
	var data []byte
	if err == nil {
		data, err = p.Tree.Head(rel, max+1)
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
func (p *Draft) statementText(rel string) ([]byte, error) {
	text, err := p.Bytes(rel)
	if err != nil || path.Ext(rel) == ".pdf" {
		return text, err
	}
	filled, ok := p.Fill(text, maxProgram)
	if !ok {
		return nil, p.Tree.Errorf(rel, 0, "", "with constants filled in, larger than %d MiB", maxProgram>>20)
	}
	return filled, nil
}

// MaxShown bounds the bytes of a file of a sample that a statement shows; more is cut off.
const MaxShown = 1 << 20

// shownSamples reads the samples as statements show them.
func (p *Draft) shownSamples() ([]problem.Shown, error) {
	list := []problem.Shown{}
	var err error
	for _, c := range p.Cases {
		if c.Group != "sample" && c.Group != "samples" {
			continue
		}
		s := problem.Shown{Name: c.Name}
		if s.Input, err = p.ShownFile(c.Input); err == nil {
			s.Output, err = p.ShownFile(c.Answer)
		}
		if err != nil {
			return nil, err
		}
		list = append(list, s)
	}
	return list, nil
}

// ShownFile reads a file of a case, of which "" means none, as statements show it.
func (p *Draft) ShownFile(rel string) (string, error) {
	c, err := p.Content(rel)
	if err != nil {
		return "", err
	}
	data, err := io.ReadAll(io.LimitReader(c.Reader(), MaxShown))
	return strings.ReplaceAll(string(data), "\r\n", "\n"), err
}

// StatementFiles returns the statements and the other files in their folders, such as pictures. It
// maps the path of each file in the package to its path within that folder.
func (p *Draft) StatementFiles() (map[string]string, error) {
	files := map[string]string{}
	for _, s := range p.Statements {
		files[s.Path] = path.Base(s.Path)
	}
	for _, dir := range []string{"statement", "problem_statement", "statements"} {
		if _, isDir, err := p.Tree.Kind(dir); err != nil || !isDir {
			if err != nil {
				return nil, err
			}
			continue
		}
		err := p.Tree.Walk(dir, func(rel string, e *tree.Entry) (bool, error) {
			if !e.Dir {
				files[rel] = strings.TrimPrefix(rel, dir+"/")
			}
			return !strings.HasPrefix(e.Name, "."), nil
		})
		if err != nil {
			return nil, err
		}
	}
	return files, nil
}
