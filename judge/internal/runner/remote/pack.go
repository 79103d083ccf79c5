//go:build linux

package remote

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"slices"

	"golang.org/x/sys/unix"

	"tribunal/judge/internal/runner"
	"tribunal/judge/internal/sandbox"
)

// packed is a request that is ready to be sent.
type packed struct {
	request request
	files   []*os.File
	own     []*os.File // those of files that pack made; close closes them
}

func (p *packed) close() {
	for _, f := range p.own {
		f.Close()
	}
}

// pack turns a request into a message, with all files of this process that the request names.
func pack(r runner.Request) (p *packed, err error) {
	p = &packed{}
	defer func() {
		if err != nil {
			p.close()
		}
	}()
	var contents []io.Reader
	programOf := func(from *runner.Program) (to program, err error) {
		to = program{
			Exe: from.Exe != nil, Args: bytesOf(from.Args), Env: bytesOf(from.Env), Dir: from.Box.Dir, Temp: from.Box.Temp, ReadOnly: from.Box.ReadOnly,
			Folder: from.Box.Folder, Out: from.Out, Limits: from.Limits, StderrEnds: from.StderrEnds, StderrMost: from.StderrMost, Merged: from.Merged,
		}
		if from.Exe != nil {
			if err := p.execute(from.Exe); err != nil {
				return to, err
			}
		}
		for _, name := range slices.Sorted(maps.Keys(from.Files)) {
			data := from.Files[name]
			to.Files = append(to.Files, file{Name: text(name), Mode: 0o444, Size: int64(len(data))})
			contents = append(contents, bytes.NewReader(data))
		}
		for _, f := range from.In {
			to.In = append(to.In, file{Name: text(f.Name), Mode: f.Mode, Size: f.Content.Size()})
			contents = append(contents, f.Content.Reader())
		}
		for _, m := range from.Box.Mounts {
			if m.Source == m.Target {
				to.Mounts = append(to.Mounts, mount{Path: m.Target})
				continue
			}
			sent := mount{Path: m.Target, Sent: true}
			if err := gather(m.Source, &sent, &contents); err != nil {
				return to, err
			}
			to.Mounts = append(to.Mounts, sent)
		}
		return to, nil
	}
	p.request = request{Input: r.Input.Size(), CPUs: r.CPUs, Grace: r.Grace, Fresh: r.Fresh}
	if p.request.Program, err = programOf(&r.Program); err != nil {
		return nil, err
	}
	if r.Interactor != nil {
		other := &interactor{Decides: r.Interactor.Decides, Accepts: r.Interactor.Accepts, Transcript: r.Interactor.Transcript}
		if other.Program, err = programOf(&r.Interactor.Program); err != nil {
			return nil, &runner.InteractorError{Err: err}
		}
		p.request.Interactor = other
	}
	blob, err := sandbox.MemCopy(io.MultiReader(append(contents, r.Input.Reader())...))
	if err != nil {
		return nil, err
	}
	p.files, p.own = append(p.files, blob), append(p.own, blob)
	return p, nil
}

// execute adds a file to execute. It copies the file into a sealed memory file unless it already is
// one.
func (p *packed) execute(exe *os.File) error {
	if _, _, err := sealed(int(exe.Fd())); err != nil {
		whole, err := os.Open(fmt.Sprintf("/proc/self/fd/%d", exe.Fd())) // to get a file offset of its own
		if err != nil {
			return fmt.Errorf("executable: %w", err)
		}
		defer whole.Close()
		if exe, err = sandbox.MemCopy(whole); err != nil {
			return fmt.Errorf("executable: %w", err)
		}
		p.own = append(p.own, exe)
	}
	p.files = append(p.files, exe)
	return nil
}

func bytesOf(list []string) []text {
	b := make([]text, len(list))
	for i, s := range list {
		b[i] = text(s)
	}
	return b
}

// gather adds the files below a folder that is not shown at its own path, so that the service gets
// copies of them.
func gather(dir string, to *mount, contents *[]io.Reader) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	to.Files = []file{}
	return fs.WalkDir(root.FS(), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || name == "." {
			return err
		}
		info, err := entry.Info()
		switch {
		case err != nil:
			return err
		case info.IsDir():
			to.Files = append(to.Files, file{Name: text(name), Mode: fs.ModeDir | info.Mode().Perm()})
		case info.Mode().IsRegular():
			f, err := root.OpenFile(name, os.O_RDONLY|unix.O_NONBLOCK, 0)
			if err != nil {
				return err
			}
			data, err := io.ReadAll(f)
			if err = errors.Join(err, f.Close()); err != nil {
				return err
			}
			to.Files = append(to.Files, file{Name: text(name), Mode: info.Mode().Perm(), Size: int64(len(data))})
			*contents = append(*contents, bytes.NewReader(data))
		}
		return nil
	})
}
