//go:build linux

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
	"regexp"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/sandbox"
)

// grace is how far over a limit an attack may go before it is stopped.
const grace = 50 * time.Millisecond

// maxSlots bounds how many attacks run at a time, because a small machine must have memory for all
// of them.
const maxSlots = 4

// lab holds what the attacks need: the attacker's executable, and on the host a file to steal, a
// file to change and listeners to connect to.
type lab struct {
	jail       Jail
	mechanisms sandbox.Mechanisms
	exe        *os.File
	dir        string // folder of the secret file and the sockets
	openDir    string // folder of the victim file, writable by all accounts
	closers    []io.Closer
	host       hostInfo
	slots      []*slot
}

// slot is a box and the CPU that attacks run on.
type slot struct {
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
	for _, cpu := range cpus[:min(len(cpus), maxSlots)] {
		box, err := l.jail.NewBox(sandbox.Spec{})
		if err != nil {
			return l, fmt.Errorf("no jail: %w", err)
		}
		l.slots = append(l.slots, &slot{box, []int{cpu}})
	}
	return l, nil
}

func (l *lab) close() error {
	var errs []error
	for _, b := range l.slots {
		errs = append(errs, b.box.Close())
	}
	for _, c := range l.closers {
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

// executable opens the running program. It returns a copy if not all accounts may read and execute
// the file, because the attacker runs as another account.
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
	return sandbox.MemCopy(f)
}

// prepare creates the files and sockets that attackers try to reach. All accounts may use them, so
// that only the jail protects them. They are in the jail's own temporary folder, which is cleaned
// up even if this process is killed.
func (l *lab) prepare(places map[string]string) (err error) {
	temp := l.jail.Temp()
	if l.dir, err = os.MkdirTemp(temp, "doctor-"); err != nil {
		return err
	}
	// The x bits allow others to pass through, not to list: the names in this folder are random,
	// and the jail's own files are closed to others.
	info, err := os.Stat(temp)
	if err == nil {
		err = os.Chmod(temp, info.Mode()|0o011)
	}
	if err != nil {
		return err
	}
	l.host = hostInfo{
		Token: rand.Text(), Secret: filepath.Join(l.dir, "expected"),
		Socket: filepath.Join(l.dir, "s"), // short: the kernel takes paths of 107 bytes at most
		Judge:  os.Getpid(), Places: map[string]place{},
	}
	w := &l.host
	if err := errors.Join(os.Chmod(l.dir, 0o755), os.WriteFile(w.Secret, []byte(w.Token), 0o644), os.Chmod(w.Secret, 0o644)); err != nil {
		return err
	}
	l.openDir = filepath.Join(l.dir, "open")
	w.Victim = filepath.Join(l.openDir, "victim")
	if err := errors.Join(os.Mkdir(l.openDir, 0o777), os.Chmod(l.openDir, 0o777), os.WriteFile(w.Victim, []byte(victimText), 0o666), os.Chmod(w.Victim, 0o666)); err != nil {
		return err
	}
	if w.Devices, err = hostDevices(); err != nil {
		return err
	}
	secret, err := os.Open(w.Secret) // held open, as the judge holds expected outputs
	if err != nil {
		return err
	}
	l.closers = append(l.closers, secret)
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

// listen opens the sockets that attackers try to reach. On a host without a network there is no TCP
// or UDP listener, and the jail counts as holding against the attacks on them.
func (l *lab) listen() error {
	w := &l.host
	if tcp, err := net.Listen("tcp4", "127.0.0.1:0"); err == nil {
		l.closers = append(l.closers, tcp)
		w.TCP = tcp.Addr().(*net.TCPAddr).Port
	}
	if udp, err := net.ListenPacket("udp4", "127.0.0.1:0"); err == nil {
		l.closers = append(l.closers, udp)
		w.UDP = udp.LocalAddr().(*net.UDPAddr).Port
	}
	w.Abstract = "tribunal-doctor-" + rand.Text()
	for _, name := range []string{"@" + w.Abstract, w.Socket} {
		s, err := net.Listen("unix", name)
		if err != nil {
			return err
		}
		l.closers = append(l.closers, s)
	}
	return os.Chmod(w.Socket, 0o777)
}

// run describes one process of an attacker.
type run struct {
	box    sandbox.Box
	cpu    []int
	name   string
	limits limits.Limits
	stdin  *os.File
	placed []sandbox.File
	stdout io.Writer // gets a copy of the output that do returns
	stderr io.Writer
}

// do executes an attacker and returns its standard output.
func (l *lab) do(ctx context.Context, r run) (sandbox.Result, []byte, error) {
	text, err := json.Marshal(l.host)
	if err != nil {
		return sandbox.Result{}, nil, err
	}
	out := &prefixWriter{left: 1 << 20} // a jail that does not limit output must not fill the memory
	var w io.Writer = out
	if r.stdout != nil {
		w = io.MultiWriter(out, r.stdout)
	}
	result, err := r.box.Run(ctx, sandbox.Command{
		Args: []string{attacker, r.name, string(text)}, Env: []string{"GOMAXPROCS=2"}, Exe: l.exe,
		Stdin: r.stdin, Stdout: w, Stderr: r.stderr, CPUs: r.cpu, Limits: r.limits, Grace: grace, FolderFiles: r.placed,
	})
	return result, out.text, err
}

// perform makes an attack and judges it. An error means that it could not be made; it proves
// nothing about the jail.
func (l *lab) perform(ctx context.Context, b *slot, a *attack) (outcome, error) {
	limits := usual()
	if a.limits != nil {
		a.limits(&limits)
	}
	box := b.box
	if a.scene != nil || a.pair != nil || a.spec.Temp != 0 || a.spec.Folder.Path != "" {
		own, err := l.jail.NewBox(a.spec)
		if err != nil {
			return outcome{}, fmt.Errorf("no jail: %w", err)
		}
		defer own.Close()
		box = own
	}
	s := &scene{ctx: ctx, lab: l, slot: b, box: box, attack: a, limits: limits}
	switch {
	case a.scene != nil:
		return a.scene(s)
	case a.pair != nil:
		return a.pair(s)
	}
	return s.run(a.name)
}

// scene is the state of an attack that consists of several runs.
type scene struct {
	ctx    context.Context
	lab    *lab
	slot   *slot
	box    sandbox.Box
	attack *attack
	limits limits.Limits
	placed []sandbox.File // files copied into the Folder before each run
}

// run executes one payload in the scene's box and judges that run.
func (s *scene) run(name string) (outcome, error) {
	stderr := &prefixWriter{left: 4 << 10}
	result, stdout, err := s.lab.do(s.ctx, run{box: s.box, cpu: s.slot.cpu, name: name, limits: s.limits, placed: s.placed, stderr: stderr})
	// An attack that uses up the processes may leave none for its own Go runtime, which then exits
	// with status 2: the limit held. The next run must not fail that way.
	exhausts := s.limits.Processes < usual().Processes && name != doNothing
	if err == nil && exhausts && result.Stop == sandbox.Exited && result.ExitCode == 2 && noThread().Match(stderr.text) {
		return held("EAGAIN"), nil
	}
	return s.verdict(result, stdout, err)
}

// noThread matches what the Go runtime, without or with cgo, prints when it cannot start a thread.
// The process then exits with status 2.
var noThread = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`failed to create new OS thread|pthread_create failed: Resource temporarily unavailable`)
})

// verdict judges a run of the scene. If the jail died, the attack broke it, unless the host had run
// out of a resource.
func (s *scene) verdict(result sandbox.Result, stdout []byte, err error) (outcome, error) {
	switch {
	case err == nil:
		return s.attack.judge(result, stdout), nil
	case errors.Is(err, sandbox.ErrDied) && !sandbox.Exhausted(err):
		return broke("the jail died"), nil
	}
	return outcome{}, fmt.Errorf("the sandbox failed: %w", err)
}

// inSequence runs payloads one after another in the same box. It returns the outcome of the last,
// or of the first that broke the jail or could not be run.
func inSequence(names ...string) func(*scene) (outcome, error) {
	return func(s *scene) (o outcome, err error) {
		for _, name := range names {
			if o, err = s.run(name); o.Broke || err != nil {
				break
			}
		}
		return o, err
	}
}

// sideBySide runs a victim in one box and, while the victim waits, the named payload in another.
// The victim must exit unharmed once its input is closed.
func sideBySide(name string) func(*scene) (outcome, error) {
	return func(s *scene) (outcome, error) {
		input, release, err := os.Pipe()
		if err != nil {
			return outcome{}, fmt.Errorf("no pipe: %w", err)
		}
		defer input.Close()
		defer release.Close()
		other, err := s.lab.jail.NewBox(sandbox.Spec{})
		if err != nil {
			return outcome{}, fmt.Errorf("no jail: %w", err)
		}
		defer other.Close()
		cpu := s.lab.slots[len(s.lab.slots)-1].cpu
		ready := make(chan struct{})
		var victim outcome
		var victimErr error
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			result, stdout, err := s.lab.do(s.ctx, run{
				box: other, cpu: cpu, name: "wait", limits: s.limits, stdin: input, stdout: &announcer{line: victimLine, written: ready},
			})
			victim, victimErr = s.verdict(result, stdout, err)
		}()
		select {
		case <-ready:
		case <-ended:
			return broke("the victim: %s", victim.Seen), victimErr
		}
		o, err := s.run(name)
		release.Close()
		<-ended
		if victim.Broke {
			o = broke("the victim: %s", victim.Seen)
		}
		return o, errors.Join(err, victimErr)
	}
}

// prefixWriter keeps the first bytes written to it, at most left of them.
type prefixWriter struct {
	text []byte
	left int
}

// Write never fails.
func (h *prefixWriter) Write(p []byte) (int, error) {
	keep := p[:min(len(p), h.left)]
	h.text, h.left = append(h.text, keep...), h.left-len(keep)
	return len(p), nil
}

// announcer closes the channel written once line has been written to it.
type announcer struct {
	line    string
	written chan struct{}
	seen    []byte
	done    bool
}

// Write never fails.
func (a *announcer) Write(p []byte) (int, error) {
	if !a.done {
		a.seen = append(a.seen, p...)
		if bytes.Contains(a.seen, []byte(a.line)) {
			a.done = true
			close(a.written)
		}
	}
	return len(p), nil
}
