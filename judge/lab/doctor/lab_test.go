//go:build linux

package doctor

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"tribunal/judge/internal/sandbox"
)

// TestSandboxFails checks that a sandbox that fails during an attack stops the doctor: the failure
// proves neither that the jail holds nor that it does not.
func TestSandboxFails(t *testing.T) {
	h := host(t, sandbox.Container)
	broken := errors.New("no more of it")
	for _, tt := range []struct {
		why, attack, payload string
		err                  error
		want                 string // the error of Examine, or else Seen
	}{
		{"an attack of one run", "honest", "honest", broken, "attack honest: the sandbox failed: no more of it"},
		{"an attack that may be open", "memory-pipes", "memory-pipes", broken, "attack memory-pipes: the sandbox failed: no more of it"},
		{"the first of two runs", "left-here", "leave-here", broken, "attack left-here: the sandbox failed: no more of it"},
		{"the second of two runs", "left-here", "look-here", broken, "attack left-here: the sandbox failed: no more of it"},
		{"the victim of two at a time", "beside-socket", "wait", broken, "attack beside-socket: the sandbox failed: no more of it"},
		{"the attacker of two at a time", "beside-socket", "reach-socket", broken, "attack beside-socket: the sandbox failed: no more of it"},
		{"the jail dies because the host is exhausted", "honest", "honest", fmt.Errorf("%w: %w", sandbox.ErrDied, unix.ENOMEM),
			"attack honest: the sandbox failed: the container died: cannot allocate memory"},
		{"the jail dies of the attack", "honest", "honest", fmt.Errorf("run: %w", sandbox.ErrDied), ""},
	} {
		jail := scriptedJail{h, tt.payload, func(sandbox.Command) (sandbox.Result, error) { return sandbox.Result{}, tt.err }}
		r, err := attacked(t, jail, some(t, tt.attack))
		switch {
		case tt.want != "" && (err == nil || err.Error() != tt.want || !errors.Is(err, tt.err)):
			t.Errorf("%s: got error %v, want %s", tt.why, err, tt.want)
		case tt.want == "" && (err != nil || r.Findings[0].Status != Broken || r.Findings[0].Seen != "the jail died"):
			t.Errorf("%s: got error %v and report %+v, want a jail that died", tt.why, err, r)
		}
	}
}

// TestNoThread lets attackers die like a Go program that cannot start a thread. That counts as held
// only if the attack uses up all threads on purpose.
func TestNoThread(t *testing.T) {
	h := host(t, sandbox.Container)
	const withoutC, withC = "runtime: failed to create new OS thread (have 4 already; errno=11)\n", "runtime/cgo: pthread_create failed: Resource temporarily unavailable\n"
	for _, tt := range []struct {
		why, attack, payload, stderr string
		code                         int
		status                       Status
		seen                         string
	}{
		{"at the limit", "processes", "processes", withoutC, 2, Held, "EAGAIN"},
		{"at the limit, with C", "threads", "threads", withC, 2, Held, "EAGAIN"},
		{"at the limit, before the bomb", "fork-bomb", "processes", withoutC, 2, Held, "runs"},
		{"at the limit, during the bomb", "fork-bomb", "fork-bomb", withoutC, 2, Held, "runs"},
		{"the next run gets no thread", "fork-bomb", "nothing", withoutC, 2, Broken, "the attack exited with status 2"},
		{"far from the limit", "honest", "honest", withoutC, 2, Broken, "the attack exited with status 2"},
		{"another message", "processes", "processes", "panic: x\n", 2, Broken, "the attack exited with status 2"},
		{"another status", "processes", "processes", withoutC, 1, Broken, "the attack exited with status 1"},
	} {
		began := false
		jail := scriptedJail{h, tt.payload, func(c sandbox.Command) (sandbox.Result, error) {
			if tt.payload == doNothing && !began { // the trial run of each slot
				_, _ = io.WriteString(c.Stdout, readyLine+"\n"+resultMark+`{"seen":"runs"}`)
				return sandbox.Result{}, nil
			}
			if c.Stderr != nil {
				_, _ = io.WriteString(c.Stderr, tt.stderr)
			}
			return sandbox.Result{ExitCode: tt.code}, nil
		}}
		table := some(t, tt.attack)
		if lead := table[0].scene; tt.payload == doNothing {
			table[0].scene = func(s *scene) (outcome, error) { began = true; return lead(s) }
		}
		r, err := attacked(t, jail, table)
		if err != nil {
			t.Fatal(err)
		}
		if f := r.Findings[0]; f.Status != tt.status || f.Seen != tt.seen {
			t.Errorf("%s: got %s, %q, want %s, %q", tt.why, f.Status, f.Seen, tt.status, tt.seen)
		}
	}
}

// TestTasksOfOthers starts hundreds of threads beside the attacks that count tasks, and ends them when an attack
// begins. The limit of the mode rlimit leaves room for them, and then the attack takes it.
func TestTasksOfOthers(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("not checked: that others of the account may end their tasks (root's are not limited)")
	}
	r, err := attacked(t, crowdedJail{host(t, sandbox.Rlimit)}, some(t, "processes", "threads"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range r.Findings {
		if f.Status != Held || f.Seen != "EAGAIN" && f.Seen != "no more threads" {
			t.Errorf("%s: got %s, %q, want %s", f.Name, f.Status, f.Seen, Held)
		}
	}
}

// TestKilled checks that everything that an interrupted examination leaves is readable by all
// accounts, whatever the umask is, and in the folder that the sandbox cleans up.
func TestKilled(t *testing.T) {
	h, err := sandbox.Open(sandbox.Rlimit)
	if err != nil {
		t.Skipf("not checked: mode rlimit: %v", err)
	}
	temp := h.Temp()
	umask := unix.Umask(0o077)
	l, err := openLab(Options{Jail: h})
	unix.Umask(umask)
	if err != nil {
		t.Fatal(err)
	}
	for path, need := range map[string]os.FileMode{temp: 0o011, l.dir: 0o055, l.host.Secret: 0o044, l.host.Socket: 0o066} {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if info.Mode().Perm()&need != need {
			t.Errorf("%s: %v: others cannot reach it", path, info.Mode())
		}
		if !strings.HasPrefix(path, temp) {
			t.Errorf("%s is not below %s", path, temp)
		}
	}
	if info, err := os.Stat(temp); err != nil {
		t.Error(err)
	} else if info.Mode().Perm() != 0o711 {
		t.Errorf("%s: %v: others may do more than pass through", temp, info.Mode())
	}
	if err := h.Close(); err != nil {
		t.Error(err)
	}
	if _, err := os.Lstat(l.dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%s is left: %v", l.dir, err)
	}
	l.dir = ""
	for _, b := range l.slots {
		_ = b.box.Close() // its record has been removed
	}
	l.slots = nil
	if err := l.close(); err != nil {
		t.Error(err)
	}
}

// TestDeviceReused checks that a file system that the host no longer has is no finding if the kernel
// has given its number to one of the jail's own. One that the host has is.
func TestDeviceReused(t *testing.T) {
	h := host(t, sandbox.Container)
	for _, tt := range []struct {
		why    string
		answer []string // of the payload, run by run
		broken bool
	}{
		{"nothing is writable", []string{`{"seen":"none"}`}, false},
		{"the host no longer has it", []string{`{"broke":true,"seen":"/check is writable"}`, `{"seen":"none"}`}, false},
		{"the host has it", []string{`{"broke":true,"seen":"/check is writable"}`, `{"broke":true,"seen":"/check is writable"}`}, true},
	} {
		runs := 0
		jail := scriptedJail{h, "mounts-folder", func(c sandbox.Command) (sandbox.Result, error) {
			_, _ = io.WriteString(c.Stdout, readyLine+"\n"+resultMark+tt.answer[min(runs, len(tt.answer)-1)])
			runs++
			return sandbox.Result{}, nil
		}}
		r, err := attacked(t, jail, some(t, "mounts-folder"))
		if err != nil {
			t.Fatal(err)
		}
		if broken := r.Findings[0].Status == Broken; broken != tt.broken || runs != len(tt.answer) {
			t.Errorf("%s: broken is %t after %d runs, want %t after %d", tt.why, broken, runs, tt.broken, len(tt.answer))
		}
	}
}
