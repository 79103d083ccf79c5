package perform

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"syscall"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/yamlstrict"
	"tribunal/judge/packages/archive"
)

// The scripts of a project, whose files are in the folder box. Those of the client are compile or compile.sh, which may
// be missing, and run or run.sh, which begins in a folder with links to all other files.
const (
	projectBuild = `#!/bin/bash
cd box
for f in compile.sh compile; do [ ! -f $f ] || exec bash $f; done
`
	projectRun = `#!/bin/bash
box=$(readlink box) && rm -f build run box && ln -s "$box"/* .
for f in run.sh run; do [ ! -f $f ] || exec bash $f "$@"; done
echo "no script run or run.sh" >&2
exit 1
`
)

// project reads a program with scripts of its own from an archive. It is built and run as programs of problem packages
// are that have scripts: each in its jail, which has all tools of the worker. Mistakes in the archive lead to a verdict.
func (p *Performer) project(ctx context.Context, name string, code []byte) (*build.Source, error) {
	dir, err := os.MkdirTemp(p.engine.Host.Temp(), "project-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	program := filepath.Join(dir, "program")
	err = errors.Join(os.Mkdir(program, 0o700), os.WriteFile(filepath.Join(dir, name), code, 0o600),
		os.WriteFile(filepath.Join(program, "build"), []byte(projectBuild), 0o700), os.WriteFile(filepath.Join(program, "run"), []byte(projectRun), 0o700))
	if err != nil {
		return nil, err
	}
	f, err := os.Open(filepath.Join(dir, name))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	into, err := archive.Extract(ctx, name, f, func() (string, error) { return dir, nil }, archive.Usual())
	if wrong, ok := errors.AsType[*yamlstrict.Error](err); ok {
		return (&build.Source{Name: name}).Refused(wrong.Error()), nil
	}
	if err == nil {
		err = os.Rename(into, filepath.Join(program, "box"))
	}
	if err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	source, err := build.OpenProgram(root, "program", name, p.engine.Config.Build.Languages)
	if _, host := errors.AsType[syscall.Errno](err); err != nil && !host {
		return (&build.Source{Name: name}).Refused(err.Error()), nil
	}
	return source, err
}
