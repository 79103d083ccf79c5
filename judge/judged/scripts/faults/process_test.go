package faults

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
)

// process is a process of this test binary. It is safe for concurrent use: what does not apply, such as
// killing a process that is dead, has no effect.
type process struct {
	name string
	role role
	at   []*endpoint // that it listens at
	log  string      // the file with what it prints to standard error

	mu  sync.Mutex
	run *run // nil while it is dead
}

// run is a process from its start to its death.
type run struct {
	cmd   *exec.Cmd
	in    io.WriteCloser
	ended atomic.Bool   // by the test
	ready chan struct{} // closed when it is ready, or ended before
	err   error         // why it is not, set before
}

// newProcess returns a process that has not been started.
func newProcess(t *testing.T, name string, r role, at ...*endpoint) *process {
	p := &process{name: name, role: r, at: at, log: filepath.Join(t.TempDir(), name+".log")}
	t.Cleanup(func() {
		p.kill()
		if text, err := os.ReadFile(p.log); err == nil && (t.Failed() || os.Getenv("X") != "") {
			t.Logf("the log of %s ends:\n%s", name, tail(text, 40))
		}
	})
	return p
}

// tail returns the last lines of a text.
func tail(text []byte, n int) []byte {
	lines := bytes.SplitAfter(text, []byte("\n"))
	return bytes.Join(lines[max(0, len(lines)-n):], nil)
}

// start starts the process, and waits until it is ready, or killed again.
func (p *process) start() error {
	r, err := p.spawn()
	if err != nil {
		return err
	}
	<-r.ready
	return r.err
}

// spawn starts the process, unless it runs.
func (p *process) spawn() (*run, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.run != nil {
		return p.run, nil
	}
	text, err := json.Marshal(p.role)
	if err != nil {
		return nil, err
	}
	log, err := os.OpenFile(p.log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	defer log.Close()
	r := &run{cmd: exec.Command(os.Args[0]), ready: make(chan struct{})}
	r.cmd.Env = append(os.Environ(), roleVariable+"="+string(text))
	r.cmd.Stderr = log
	if r.in, err = r.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := r.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := r.cmd.Start(); err != nil {
		return nil, err
	}
	p.run = r
	go p.await(r, out)
	return r, nil
}

// await waits until a process says where it listens.
func (p *process) await(r *run, out io.Reader) {
	defer close(r.ready)
	line, err := bufio.NewReader(out).ReadString('\n')
	switch {
	case err == nil:
		for i, address := range strings.Fields(line) {
			p.at[i].set(address)
		}
	case !r.ended.Load():
		r.err = fmt.Errorf("%s does not start: %w", p.name, err)
	}
}

// kill kills the process, which cannot do anything about it, and waits until it is dead.
func (p *process) kill() { p.end(syscall.SIGKILL) }

// stop tells the process to end, and waits until it has.
func (p *process) stop() { p.end(syscall.SIGTERM) }

func (p *process) end(s syscall.Signal) {
	p.mu.Lock()
	defer p.mu.Unlock()
	r := p.run
	if r == nil {
		return
	}
	p.run = nil
	r.ended.Store(true)
	_ = r.cmd.Process.Signal(s)
	_ = r.cmd.Process.Signal(syscall.SIGCONT)
	_ = r.cmd.Wait()
	r.in.Close()
}

// pause freezes the process until resume is called, as a host does that swaps, or a virtual machine that
// is moved.
func (p *process) pause()  { p.signal(syscall.SIGSTOP) }
func (p *process) resume() { p.signal(syscall.SIGCONT) }

func (p *process) signal(s syscall.Signal) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.run != nil {
		_ = p.run.cmd.Process.Signal(s)
	}
}

// tell writes a line to the process.
func (p *process) tell(line string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.run != nil {
		fmt.Fprintln(p.run.in, line)
	}
}
