package doctor

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"

	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/sandbox"
)

// grace is how far over a limit an attack may go before it is stopped.
const grace = 50 * time.Millisecond

// most is how many attacks are made at a time: enough to be quick, and few enough
// for the memory of a small machine.
const most = 4

// lab holds what the attacks need on the host: the attacker's executable, a file
// to steal, and listeners to speak to.
type lab struct {
	jail       Jail
	mechanisms sandbox.Mechanisms
	exe        *os.File
	dir        string // of the secret
	open       []io.Closer
	world      world
	benches    []*bench
}

// bench is one place to attack from.
type bench struct {
	box sandbox.Box
	cpu []int
}

func openLab(o Options) (l *lab, err error) {
	l = &lab{jail: o.Jail, mechanisms: o.Jail.Mechanisms()}
	defer func() {
		if err != nil {
			err = errors.Join(err, l.close())
		}
	}()
	if l.exe, err = executable(); err != nil {
		return l, fmt.Errorf("the attacker: %w", err)
	}
	if err = l.prepare(o.Places); err != nil {
		return l, err
	}
	cpus := sandbox.AllowedCPUs()
	for _, cpu := range cpus[:min(len(cpus), most)] {
		box, err := l.jail.NewBox(sandbox.Spec{})
		if err != nil {
			return l, fmt.Errorf("no jail: %w", err)
		}
		l.benches = append(l.benches, &bench{box, []int{cpu}})
	}
	return l, nil
}

func (l *lab) close() error {
	var errs []error
	for _, b := range l.benches {
		errs = append(errs, b.box.Close())
	}
	for _, c := range l.open {
		c.Close()
	}
	if l.exe != nil {
		errs = append(errs, l.exe.Close())
	}
	if l.dir != "" {
		errs = append(errs, os.RemoveAll(l.dir))
	}
	return errors.Join(errs...)
}

// executable returns this program. A file that only its owner may read or execute
// is copied: programs run as another account.
func executable() (*os.File, error) {
	f, err := os.Open("/proc/self/exe")
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && info.Mode().Perm()&0o005 == 0o005 {
		return f, nil
	}
	defer f.Close()
	text, err := io.ReadAll(f)
	if err != nil {
		return nil, err
	}
	return sandbox.MemFile(text)
}

// prepare puts in place what is to be stolen and reached. All of it lets everybody
// in, so that nothing but the jail protects it.
func (l *lab) prepare(places map[string]string) (err error) {
	if l.dir, err = os.MkdirTemp("", "tribunal-doctor-"); err != nil {
		return err
	}
	l.world = world{
		Token: rand.Text(), Secret: filepath.Join(l.dir, "expected"), Socket: filepath.Join(l.dir, "socket"),
		Judge: os.Getpid(), Places: map[string]place{},
	}
	w := &l.world
	if err := errors.Join(os.Chmod(l.dir, 0o755), os.WriteFile(w.Secret, []byte(w.Token), 0o644)); err != nil {
		return err
	}
	secret, err := os.Open(w.Secret) // held open, as the judge holds expected outputs
	if err != nil {
		return err
	}
	l.open = append(l.open, secret)
	w.SecretFD = int(secret.Fd())
	if handle, _, err := unix.NameToHandleAt(unix.AT_FDCWD, w.Secret, 0); err == nil {
		w.Handle, w.HandleType = handle.Bytes(), handle.Type()
	}
	w.PIDs, _ = os.Readlink("/proc/self/ns/pid")
	for name, path := range places {
		var s unix.Stat_t
		if path != "" && unix.Stat(path, &s) == nil {
			w.Places[name] = place{path, uint64(s.Dev), s.Ino}
		}
	}
	return l.listen()
}

// listen opens what attackers try to reach. A host without a network of its own
// has no such listener, and nothing to reach.
func (l *lab) listen() error {
	w := &l.world
	if tcp, err := net.Listen("tcp4", "127.0.0.1:0"); err == nil {
		l.open = append(l.open, tcp)
		w.TCP = tcp.Addr().(*net.TCPAddr).Port
	}
	if udp, err := net.ListenPacket("udp4", "127.0.0.1:0"); err == nil {
		l.open = append(l.open, udp)
		w.UDP = udp.LocalAddr().(*net.UDPAddr).Port
	}
	w.Abstract = "tribunal-doctor-" + rand.Text()
	for _, name := range []string{"@" + w.Abstract, w.Socket} {
		s, err := net.Listen("unix", name)
		if err != nil {
			return err
		}
		l.open = append(l.open, s)
	}
	return os.Chmod(w.Socket, 0o777)
}

// A run is one process of an attacker.
type run struct {
	box    sandbox.Box
	cpu    []int
	name   string
	limits limits.Limits
	stdin  *os.File
	stdout io.Writer // besides what is returned
	stderr io.Writer
}

// do executes an attacker and returns what it wrote.
func (l *lab) do(ctx context.Context, r run) (sandbox.Result, []byte, error) {
	text, err := json.Marshal(l.world)
	if err != nil {
		return sandbox.Result{}, nil, err
	}
	out := &head{left: 1 << 20} // far more than is allowed; a weak jail may not stop a flood
	var w io.Writer = out
	if r.stdout != nil {
		w = io.MultiWriter(out, r.stdout)
	}
	result, err := r.box.Run(ctx, sandbox.Command{
		Args: []string{attacker, r.name, string(text)}, Env: []string{"GOMAXPROCS=2"}, Exe: l.exe,
		Stdin: r.stdin, Stdout: w, Stderr: r.stderr, CPUs: r.cpu, Limits: r.limits, Grace: grace,
	})
	return result, out.text, err
}

// perform makes an attack and judges it.
func (l *lab) perform(ctx context.Context, b *bench, a *attack) outcome {
	limits := usual()
	if a.limits != nil {
		a.limits(&limits)
	}
	box := b.box
	if a.scene != nil || a.pair != nil || a.spec.Temp != 0 {
		own, err := l.jail.NewBox(a.spec)
		if err != nil {
			return broke("no jail: %v", err)
		}
		defer own.Close()
		box = own
	}
	s := &scene{ctx: ctx, lab: l, bench: b, box: box, attack: a, limits: limits}
	switch {
	case a.scene != nil:
		return a.scene(s)
	case a.pair != nil:
		return a.pair(s)
	}
	return s.run(a.name)
}

// scene is an attack of several runs.
type scene struct {
	ctx    context.Context
	lab    *lab
	bench  *bench
	box    sandbox.Box
	attack *attack
	limits limits.Limits
}

// run executes a deed in the scene's box and judges it alone.
func (s *scene) run(name string) outcome {
	return s.runIn(s.box, name)
}

func (s *scene) runIn(box sandbox.Box, name string) outcome {
	result, stdout, err := s.lab.do(s.ctx, run{box: box, cpu: s.bench.cpu, name: name, limits: s.limits})
	if err != nil {
		return broke("the sandbox failed: %v", err)
	}
	return s.attack.judge(result, stdout)
}

// then runs deeds one after the other in the same box; the outcome is that of the
// last, unless one before it was broken or could not run.
func then(names ...string) func(*scene) outcome {
	return func(s *scene) outcome {
		var o outcome
		for _, name := range names {
			if o = s.run(name); o.Broke {
				break
			}
		}
		return o
	}
}

// beside runs a victim, and the named attacker in another box while it waits. The
// victim must end well when its input ends.
func beside(name string) func(*scene) outcome {
	return func(s *scene) outcome {
		input, letGo, err := os.Pipe()
		if err != nil {
			return broke("no pipe: %v", err)
		}
		defer input.Close()
		defer letGo.Close()
		other, err := s.lab.jail.NewBox(sandbox.Spec{})
		if err != nil {
			return broke("no jail: %v", err)
		}
		defer other.Close()
		cpu := s.lab.benches[len(s.lab.benches)-1].cpu
		ready := make(chan struct{})
		ended := make(chan outcome, 1)
		go func() {
			result, stdout, err := s.lab.do(s.ctx, run{
				box: other, cpu: cpu, name: "wait", limits: s.limits, stdin: input, stdout: &announcer{after: victimLine, to: ready},
			})
			if err != nil {
				ended <- broke("the sandbox failed: %v", err)
				return
			}
			ended <- s.attack.judge(result, stdout)
		}()
		select {
		case <-ready:
		case o := <-ended:
			return broke("the victim: %s", o.Seen)
		}
		o := s.run(name)
		letGo.Close()
		if victim := <-ended; victim.Broke {
			return broke("the victim: %s", victim.Seen)
		}
		return o
	}
}

// announcer closes a channel when a text has been written to it.
type announcer struct {
	after string
	to    chan struct{}
	seen  []byte
	done  bool
}

// Write never fails.
func (a *announcer) Write(p []byte) (int, error) {
	if !a.done {
		a.seen = append(a.seen, p...)
		if bytes.Contains(a.seen, []byte(a.after)) {
			a.done = true
			close(a.to)
		}
	}
	return len(p), nil
}
