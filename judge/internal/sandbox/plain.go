//go:build !linux

package sandbox

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"tribunal/judge/internal/tally"
)

// Plain is the only mode of systems other than Linux: programs run as the judge's own processes.
const Plain Mode = "plain"

// Host opens boxes on this machine. It is safe for concurrent use; Close it when all its boxes are
// closed.
type Host struct {
	temp   string
	closed bool
}

// Open prepares this machine to run programs in the mode Plain, which Auto means here. Errors about
// another mode wrap ErrMode.
func Open(mode Mode) (*Host, error) {
	if mode != Auto && mode != Plain {
		return nil, fmt.Errorf("%w: %s works on Linux only (hint: sandbox mode auto)", ErrMode, mode)
	}
	temp, err := os.MkdirTemp("", "tribunal-")
	if err != nil {
		return nil, fmt.Errorf("%w: no folder for temporary files: %w (hint: set TMPDIR)", ErrMode, err)
	}
	memory.Lock()
	memory.hosts++
	memory.Unlock()
	return &Host{temp: temp}, nil
}

// Exhausted reports whether err says that the host has run out of a resource, which is not known here.
func Exhausted(error) bool { return false }

// Temp returns a folder for the caller's temporary files, which Close removes.
func (h *Host) Temp() string { return h.temp }

// NewBox returns a box. The mounts of spec are not needed, because programs see all files of this
// machine.
func (h *Host) NewBox(spec Spec) (Box, error) {
	dir, err := os.MkdirTemp(h.temp, "box-")
	if err != nil {
		return nil, err
	}
	return &plainBox{beside: beside{spec, dir}}, nil
}

// Mechanisms names what enforces each limit.
func (h *Host) Mechanisms() Mechanisms {
	m := Mechanisms{Mode: Plain, Isolation: "none", Wall: "timer", Output: "bytes read from the pipe"}
	m.CPU, m.Memory, m.Processes = jobMechanisms()
	return m
}

// Exact reports whether the kernel measures and limits the memory and the CPU time of runs.
func (h *Host) Exact() bool { return false }

// Notes returns sentences for reports about what this host does not enforce.
func (h *Host) Notes() []string {
	return []string{"no isolation on " + runtime.GOOS + ": programs can read and change your files, so run only those that you trust (docs/install.md#systems)"}
}

// Close removes the temporary files. All boxes must have been closed. The last host removes the copies
// that stand for files in memory, too.
func (h *Host) Close() error {
	err := os.RemoveAll(h.temp)
	if h.closed {
		return err
	}
	h.closed = true
	memory.Lock()
	defer memory.Unlock()
	if memory.hosts--; memory.hosts > 0 || memory.dir == "" {
		return err
	}
	dir := memory.dir
	memory.dir = ""
	copies, listing := os.ReadDir(dir)
	for _, f := range copies {
		err = errors.Join(err, os.Remove(filepath.Join(dir, f.Name())))
	}
	return errors.Join(err, listing, os.Remove(dir))
}

// plainBox runs programs beside the judge.
type plainBox struct {
	beside
	ran bool
}

func (b *plainBox) Close() error { return os.RemoveAll(b.dir) }

func (b *plainBox) Remains() (*Remains, error) {
	if !b.ran {
		return nil, errors.New("plain: no run has left anything")
	}
	return &Remains{b.Path(b.spec.Folder.Path)}, nil
}

func (b *plainBox) Run(ctx context.Context, cmd Command) (Result, error) {
	defer cmd.closeRun()
	tally.Add(tally.Run, cmd.Args[0])
	return runOnce(ctx, &cmd, b.execute)
}

// execute is the [starter] of this mode.
func (b *plainBox) execute(r *attempt) (result Result, err error) {
	cmd := r.cmd
	if err := b.writeFiles(cmd); err != nil {
		return Result{}, err
	}
	path := ""
	if cmd.Exe != nil {
		path = cmd.Exe.Name()
	} else {
		path = b.Path(cmd.Args[0])
	}
	program := &exec.Cmd{
		Path: path, Args: cmd.Args, Env: plainEnv(cmd.Env), Dir: b.Path(cmp.Or(b.spec.Dir, workDir)),
		Stdout: r.streams.stdoutRead, Stderr: r.streams.stderrRead, WaitDelay: linger,
	}
	switch {
	case cmd.In != nil: // a large input
		program.Stdin = cmd.In
	case cmd.Stdin != nil:
		program.Stdin = io.NewSectionReader(cmd.Stdin, 0, 1<<62)
	}
	job, err := newJob(program, cmd.Limits, cmd.Grace)
	if err != nil {
		return Result{}, fmt.Errorf("plain: %w", err)
	}
	defer job.close()
	r.state.job = job
	r.begin(0)
	if err := program.Start(); err != nil {
		return Result{}, &StartError{err}
	}
	if err := job.add(program.Process); err != nil {
		_ = program.Process.Kill()
		_ = program.Wait()
		return Result{}, fmt.Errorf("plain: %w", err)
	}
	r.stopBy(job.kill)
	waitErr := program.Wait()
	if _, ok := errors.AsType[*exec.ExitError](waitErr); waitErr != nil && !ok && !errors.Is(waitErr, exec.ErrWaitDelay) {
		return Result{}, fmt.Errorf("plain: wait: %w", waitErr)
	}
	state := program.ProcessState
	r.end(!state.Success())
	job.kill() // what it has started
	b.ran = true
	if result.ExitCode, result.Signal = ending(state); result.Signal != 0 {
		result.Stop = Signalled
	}
	result.CPU, result.Memory = job.used()
	result.CPU = max(result.CPU, state.UserTime()+state.SystemTime())
	result.Memory = max(result.Memory, peak(state))
	if limit := cmd.Limits.Memory; !r.caused && limit > 0 && (job.overMemory() || result.Memory > limit) {
		result.Stop = OverMemory
	}
	return result, nil
}

// plainEnv adds the variables without which programs do not start here.
func plainEnv(env []string) []string {
	for _, name := range []string{"SystemRoot", "TEMP", "TMP", "PATH", "TMPDIR", "USERPROFILE", "LOCALAPPDATA", "HOME"} {
		if value, ok := os.LookupEnv(name); ok {
			has := false
			for _, e := range env {
				key, _, _ := strings.Cut(e, "=")
				has = has || strings.EqualFold(key, name) && (runtime.GOOS == "windows" || key == name)
			}
			if !has {
				env = append(env[:len(env):len(env)], name+"="+value)
			}
		}
	}
	return env
}

// writeFiles replaces the folders that programs are given with new ones, and writes a run's files there.
func (b *plainBox) writeFiles(cmd *Command) error {
	for _, name := range b.folders() {
		dir := b.Path(name)
		err := os.RemoveAll(dir)
		if err == nil {
			err = os.MkdirAll(dir, 0o700)
		}
		if err != nil {
			return err
		}
	}
	root, err := os.OpenRoot(b.Path(workDir))
	if err != nil {
		return err
	}
	defer root.Close()
	for name, data := range cmd.Files {
		if err := put(root, File{Name: name, Mode: 0o444, Data: data}); err != nil {
			return err
		}
	}
	if b.spec.Folder.Path == "" {
		return nil
	}
	folder, err := os.OpenRoot(b.Path(b.spec.Folder.Path))
	if err != nil {
		return err
	}
	defer folder.Close()
	for _, f := range cmd.FolderFiles {
		if err := put(folder, f); err != nil {
			return err
		}
	}
	return nil
}

// put writes a file, and the folders around it, into a folder.
func put(root *os.Root, f File) error {
	name := filepath.FromSlash(f.Name)
	if f.Mode.IsDir() {
		return root.MkdirAll(name, 0o700)
	}
	if dir := filepath.Dir(name); dir != "." {
		if err := root.MkdirAll(dir, 0o700); err != nil {
			return err
		}
	}
	w, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, f.Mode.Perm()|0o200)
	if err != nil {
		return err
	}
	var from io.Reader = bytes.NewReader(f.Data)
	if f.From != nil {
		from = f.From()
	}
	_, err = io.Copy(w, from)
	return errors.Join(err, w.Close())
}

// streams are the outputs of a run.
type streams struct{ stdoutRead, stderrRead *counted }

func openStreams(cmd *Command, watch *watchdog) (*streams, error) {
	return &streams{
		&counted{to: cmd.Stdout, limit: int64(cmd.Limits.Output), over: watch.overOutput},
		&counted{to: cmd.Stderr, limit: int64(errorSize), over: watch.overOutput},
	}, nil
}

func (s *streams) abandon() {}

// counted passes on what a program writes, and counts it.
type counted struct {
	to    io.Writer
	limit int64 // 0 for none
	over  func()
	n     int64
}

func (c *counted) Load() int64 { return c.n }

func (c *counted) Write(p []byte) (int, error) {
	room := int64(len(p))
	if c.limit > 0 {
		room = min(room, max(c.limit-c.n, 0))
	}
	c.n += int64(len(p))
	if c.to != nil && room > 0 {
		if _, err := c.to.Write(p[:room]); err != nil {
			return 0, err
		}
	}
	if c.limit > 0 && c.n > c.limit {
		c.over()
	}
	return len(p), nil
}
