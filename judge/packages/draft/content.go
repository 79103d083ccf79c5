package draft

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"math"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"tribunal/judge/internal/content"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/yamlstrict"
	"tribunal/judge/packages/tree"
)

// Content returns the content of a file of the package, which may have been made, and empty content
// for "". In test data that was made on Windows, LF ends the lines. The content of a large file is read whenever it is used, so it cannot be used after
// [Draft.Close], and the file must not change.
func (p *Draft) Content(rel string) (content.Content, error) {
	if rel == "" {
		return content.Content{}, nil
	}
	if made, ok := p.MadeFiles[rel]; ok {
		return made.Open()
	}
	if p.Windows[rel] {
		data, err := p.Tree.Head(rel, math.MaxInt64)
		if err == nil && data == nil {
			err = p.Tree.Fail(rel, os.ErrNotExist)
		}
		return content.Of(bytes.ReplaceAll(data, []byte("\r\n"), []byte{'\n'})), err
	}
	info, err := p.Tree.Stat(rel)
	if err != nil {
		return content.Content{}, p.Tree.Fail(rel, err)
	}
	if info.Mode().IsRegular() && info.Size() > content.InMemory {
		c, err := content.File(p.Show(rel), func() (*os.File, error) {
			f, _, err := p.Tree.Open(rel)
			return f, err
		})
		if err != nil {
			return c, p.Tree.Fail(rel, err)
		}
		return c, nil
	}
	data, err := p.Tree.Read(rel, content.InMemory)
	if err == nil && data == nil {
		err = p.Tree.Fail(rel, os.ErrNotExist)
	}
	return content.Of(data), err
}

// ofCase is like [Draft.Content] for a file of a case, and gives it the line ends that the case
// asks for. What a program made as an input is left as it is.
func (p *Draft) ofCase(c *Case, rel string) (content.Content, error) {
	all, err := p.Content(rel)
	if _, made := p.MadeFiles[rel]; err != nil || !c.Lines || all.Size() == 0 || made && rel == c.Input {
		return all, err
	}
	data, err := all.Bytes()
	if err != nil || !bytes.ContainsRune(data, '\r') && data[len(data)-1] == '\n' {
		return all, err
	}
	data = bytes.ReplaceAll(bytes.ReplaceAll(data, []byte("\r\n"), []byte{'\n'}), []byte{'\r'}, []byte{'\n'})
	if data[len(data)-1] != '\n' {
		data = append(slices.Clip(data), '\n')
	}
	return content.Of(data), nil
}

// OpenFile opens a file of the package for reading.
func (p *Draft) OpenFile(rel string) (*os.File, error) {
	f, info, err := p.Tree.Open(rel)
	if err == nil && info.IsDir() {
		f.Close()
		err = &fs.PathError{Op: "open", Path: rel, Err: syscall.EISDIR}
	}
	if err != nil {
		return nil, p.Tree.Fail(rel, err)
	}
	return f, nil
}

// Bytes reads a file of the package into memory; for "" it returns no bytes.
func (p *Draft) Bytes(rel string) ([]byte, error) {
	c, err := p.Content(rel)
	if err != nil {
		return nil, err
	}
	return c.Bytes()
}

// MadeList reads a list of tests that a program of the package has printed.
func (p *Draft) MadeList(rel, program string) ([]byte, error) {
	if f, made := p.MadeFiles[rel]; made && f.Size > tree.MaxDocument {
		return nil, p.Tree.Errorf(program, 0, "", "prints a list of tests that is larger than %d KiB", tree.MaxDocument>>10)
	}
	return p.Bytes(rel)
}

// Beside returns the files that a submission finds in its working directory on a case, by slash
// path; nil if there are none.
func (p *Draft) Beside(c *Case) (map[string][]byte, error) {
	var files map[string][]byte
	for _, name := range c.Inside {
		data, err := p.Bytes(path.Join(c.Files, name))
		if err != nil {
			return nil, err
		}
		if files == nil {
			files = map[string][]byte{}
		}
		files[name] = data
	}
	return files, nil
}

// Close closes the folder of the package; no file can be read afterwards. It leaves extracted
// archives in scratch, which the caller owns. It may be called more than once.
func (p *Draft) Close() error { return p.Tree.Close() }

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
	samples := p.samples()
	for _, c := range p.Cases {
		if !samples[c.Name] {
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
