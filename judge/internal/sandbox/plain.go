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
	"time"

	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/tally"
)

// Plain is the only mode of systems other than Linux: programs run as the judge's own processes.
const Plain Mode = "plain"

// linger is how long output is still read after the program has ended, if other processes keep the
// pipes open.
const linger = 200 * time.Millisecond

// errorSize is the most that a program may write to standard error.
const errorSize = 64 * limits.MiB

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
	return &plainBox{spec: spec, dir: dir}, nil
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
	spec Spec
	dir  string // holds the folders that programs are given, new ones for every run
	ran  bool
}

// workDir is the folder inside a box in which programs start.
const workDir = "/w"

func (b *plainBox) Close() error { return os.RemoveAll(b.dir) }

// Path maps mount targets back to their sources, because nothing is mounted.
func (b *plainBox) Path(inside string) string {
	for _, m := range b.spec.Mounts {
		if rest, ok := strings.CutPrefix(inside, m.Target); ok && (rest == "" || rest[0] == '/') {
			return m.Source + filepath.FromSlash(rest)
		}
	}
	for _, dir := range b.folders() {
		if rest, ok := strings.CutPrefix(inside, dir); ok && (rest == "" || rest[0] == '/') {
			return filepath.Join(b.dir, filepath.FromSlash(dir+rest))
		}
	}
	return inside
}

func (b *plainBox) folders() []string {
	if b.spec.Folder.Path == "" {
		return []string{workDir}
	}
	return []string{workDir, b.spec.Folder.Path}
}

func (b *plainBox) Remains() (*Remains, error) {
	if !b.ran {
		return nil, errors.New("plain: no run has left anything")
	}
	return &Remains{b.Path(b.spec.Folder.Path)}, nil
}

func (b *plainBox) Run(ctx context.Context, cmd Command) (Result, error) {
	defer cmd.closeRun()
	tally.Add(tally.Run, cmd.Args[0])
	if err := b.writeFiles(&cmd); err != nil {
		return Result{}, err
	}
	path := ""
	if cmd.Exe != nil {
		path = cmd.Exe.Name()
	} else {
		path = b.Path(cmd.Args[0])
	}
	program := &exec.Cmd{Path: path, Args: cmd.Args, Env: plainEnv(cmd.Env), Dir: b.Path(cmp.Or(b.spec.Dir, workDir))}
	switch {
	case cmd.In != nil: // a large input
		program.Stdin = cmd.In
	case cmd.Stdin != nil:
		program.Stdin = io.NewSectionReader(cmd.Stdin, 0, 1<<62)
	}
	stop := make(chan StopReason, 4)
	halt := func(why StopReason) {
		select {
		case stop <- why:
		default:
		}
	}
	stdout := &counted{to: cmd.Stdout, limit: int64(cmd.Limits.Output), over: func() { halt(OverOutput) }}
	stderr := &counted{to: cmd.Stderr, limit: int64(errorSize), over: func() { halt(OverOutput) }}
	program.Stdout, program.Stderr, program.WaitDelay = stdout, stderr, linger
	job, err := newJob(program, cmd.Limits, cmd.Grace)
	if err != nil {
		return Result{}, fmt.Errorf("plain: %w", err)
	}
	defer job.close()
	live := &Running{}
	if cmd.OnStart != nil {
		cmd.OnStart(ctx, live)
	}
	start := time.Now()
	if err := program.Start(); err != nil {
		return Result{}, &StartError{err}
	}
	if err := job.add(program.Process); err != nil {
		_ = program.Process.Kill()
		_ = program.Wait()
		return Result{}, fmt.Errorf("plain: %w", err)
	}
	var timer <-chan time.Time
	if cmd.Limits.Wall > 0 {
		timer = time.After(cmd.Limits.Wall + cmd.Grace)
	}
	ended := make(chan struct{})
	reason := Exited
	watching := make(chan struct{})
	go func() {
		defer close(watching)
		poll := time.NewTicker(10 * time.Millisecond)
		defer poll.Stop()
		for {
			select {
			case <-ended:
				return
			case <-ctx.Done():
				reason = Cancelled
			case <-timer:
				if cmd.OnOverWall != nil {
					cmd.OnOverWall()
				}
				reason = OverWall
			case why := <-stop:
				reason = why
			case <-poll.C:
				if used, _ := job.used(); cmd.Limits.CPU == 0 || used <= cmd.Limits.CPU+cmd.Grace {
					continue
				}
				reason = OverCPU
			}
			job.kill(program.Process)
			return
		}
	}()
	waitErr := program.Wait()
	wall := time.Since(start)
	close(ended)
	<-watching
	job.kill(program.Process) // what it has started
	if _, ok := errors.AsType[*exec.ExitError](waitErr); waitErr != nil && !ok && !errors.Is(waitErr, exec.ErrWaitDelay) {
		return Result{}, fmt.Errorf("plain: wait: %w", waitErr)
	}
	if reason != Cancelled && (stdout.flooded() || stderr.flooded()) {
		reason = OverOutput // the program may have ended before its output was read
	}
	b.ran = true
	r := Result{Wall: wall, Stdout: stdout.n, Stderr: stderr.n}
	r.CPU, r.Memory = job.used()
	state := program.ProcessState
	r.CPU = max(r.CPU, state.UserTime()+state.SystemTime())
	r.Memory = max(r.Memory, peak(state))
	switch {
	case reason != Exited:
		r.Stop = reason
	case cmd.Limits.Memory > 0 && (job.overMemory() || r.Memory > cmd.Limits.Memory):
		r.Stop = OverMemory
	default:
		r.ExitCode, r.Signal = ending(state)
		if r.Signal != 0 {
			r.Stop = Signalled
		}
	}
	if cmd.OnEnd != nil {
		cmd.OnEnd(r.Stop == Signalled || r.ExitCode != 0)
	}
	r.classifySignal(&cmd)
	return r, nil
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
		if err := errors.Join(os.RemoveAll(dir), os.MkdirAll(dir, 0o700)); err != nil {
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

// counted passes on what a program writes, and counts it.
type counted struct {
	to    io.Writer
	limit int64 // 0 for none
	over  func()
	n     int64
}

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
	if c.flooded() {
		c.over()
	}
	return len(p), nil
}

func (c *counted) flooded() bool { return c.limit > 0 && c.n > c.limit }
