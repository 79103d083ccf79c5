package perform

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/yamlstrict"
	"tribunal/judge/judged/internal/store"
	"tribunal/judge/judged/internal/task"
	"tribunal/judge/packages/archive"
)

// source reads the source of a task: one file, or an archive of several. Mistakes in it are the submission's, and
// lead to a verdict.
func (p *Performer) source(ctx context.Context, t *task.Task, files problem.Files) (*build.Source, error) {
	code, err := store.Fetch(ctx, p.blobs, t.Source)
	if err != nil {
		return nil, fmt.Errorf("the source: %w", err)
	}
	name := path.Base(path.Clean("/" + t.Name))
	if name == "/" {
		name = "submission"
	}
	if name == task.Project && t.Language == "bash" && t.Input != nil {
		return p.project(ctx, name, code)
	}
	if strings.EqualFold(path.Ext(name), ".zip") && t.Language != build.Outputs {
		return p.unpacked(ctx, name, code, t.Language, files)
	}
	languages := p.engine.Config.Build.Languages
	return build.HandedIn(name, func() (*build.Source, error) {
		source, err := build.Read(name, name, bytes.NewReader(code), t.Language, languages)
		if err != nil {
			return nil, err
		}
		return files.Take(source, languages)
	})
}

// unpacked reads a submission of several files from an archive.
func (p *Performer) unpacked(ctx context.Context, name string, code []byte, language string, files problem.Files) (*build.Source, error) {
	dir, err := os.MkdirTemp(p.engine.Host.Temp(), "source-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, name)
	if err := os.WriteFile(file, code, 0o600); err != nil {
		return nil, err
	}
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	into, err := archive.Extract(ctx, name, f, func() (string, error) { return dir, nil }, archive.Usual())
	if wrong, ok := errors.AsType[*yamlstrict.Error](err); ok {
		return (&build.Source{Name: name}).Refused(wrong.Error()), nil
	}
	if err != nil {
		return nil, err
	}
	root, err := alone(into)
	if err != nil {
		return nil, err
	}
	if info, err := os.Lstat(root); err != nil || info.IsDir() { // a folder is named after its archive
		named := filepath.Join(dir, cmp.Or(strings.TrimSuffix(name, path.Ext(name)), "submission"))
		if err := errors.Join(err, os.Rename(root, named)); err != nil {
			return nil, err
		}
		root = named
	}
	return files.Contestant(root, language, p.engine.Config.Build.Languages)
}

// alone returns the file or folder inside of a folder that holds nothing else, or the folder itself.
func alone(dir string) (string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 1 {
		return dir, err
	}
	return filepath.Join(dir, entries[0].Name()), nil
}
