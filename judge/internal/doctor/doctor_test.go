package doctor

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/sandbox"
)

// The attacks run in this test binary, as those of the judge run in the judge.
func TestMain(m *testing.M) {
	sandbox.Init()
	Attack()
	os.Exit(m.Run())
}

func host(t *testing.T, mode sandbox.Mode) *sandbox.Host {
	t.Helper()
	h, err := sandbox.Open(mode)
	if err != nil {
		t.Skipf("not checked: mode %s: %v", mode, err)
	}
	t.Cleanup(func() { h.Close() })
	return h
}

func examine(t *testing.T, jail Jail, table []attack) *Report {
	t.Helper()
	wd, _ := os.Getwd()
	r, err := Examine(t.Context(), Options{Jail: jail, table: table, Asked: sandbox.Auto, Places: map[string]string{
		WorkingFolder: wd, HomeFolder: "/etc", TempFolder: os.TempDir(),
	}})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func finds(r *Report, s Status) map[string]string {
	names := map[string]string{}
	for _, f := range r.Findings {
		if f.Status == s {
			names[f.Name] = f.Seen
		}
	}
	return names
}

// TestJail attacks the jail of every mode, with a descriptor open that the judge
// could have been started with.
func TestJail(t *testing.T) {
	null, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	fd, err := unix.FcntlInt(null.Fd(), unix.F_DUPFD, 100)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(fd)
	for _, mode := range []sandbox.Mode{sandbox.Container, sandbox.Rlimit} {
		t.Run(string(mode), func(t *testing.T) {
			if testing.Short() && mode != sandbox.Container {
				t.Skip("not checked: the jail without containers (-short)")
			}
			h := host(t, mode)
			r := examine(t, h, nil)
			if broken := finds(r, Broken); len(broken) > 0 {
				t.Errorf("does not hold: %v", broken)
			}
			open, skipped := finds(r, Open), finds(r, NotTried)
			if mode == sandbox.Container && len(skipped) > 0 {
				t.Errorf("not tried: %v", skipped)
			}
			if mode == sandbox.Container && !polled(h.Mechanisms()) && os.Geteuid() == 0 && len(open) > 0 {
				t.Errorf("open: %v", open)
			}
			if _, ok := open["read-passwd"]; mode == sandbox.Rlimit && !ok {
				t.Error("rlimit mode hides the files of the host")
			}
			if r.Count.Attacks < 40 || r.Count.Attacks != len(r.Findings) ||
				r.Count.Attacks != r.Count.Held+r.Count.Broken+r.Count.Open+r.Count.NotTried {
				t.Errorf("counts %+v of %d attacks", r.Count, len(r.Findings))
			}
			checkTexts(t, r)
			checkWidth(t, r.Text())
		})
	}
}

// weakJail is a jail with a hole.
type weakJail struct {
	Jail
	spec   func(*sandbox.Spec)
	limits func(*limits.Limits)
	claims *sandbox.Mechanisms
}

type weakBox struct {
	sandbox.Box
	jail weakJail
}

// TestWeakJail checks that every hole is found, and that attacks that it does not concern hold.
func TestWeakJail(t *testing.T) {
	for _, tt := range []struct {
		name, why string
		jail      weakJail
		broken    []string
	}{
		{"memory", "no memory limit", weakJail{limits: func(l *limits.Limits) { l.Memory = 0 }},
			[]string{"memory-heap", "memory-shared", "memory-shm", "memory-tmp", "memory-sockets"}},
		{"cpu", "no CPU limit", weakJail{limits: func(l *limits.Limits) { l.CPU = 0 }},
			[]string{"cpu-loop", "cpu-threads", "cpu-children", "fork-bomb"}},
		{"wall", "no wall limit", weakJail{limits: func(l *limits.Limits) { l.Wall = 0 }},
			[]string{"wall-sleep", "wall-stop"}},
		{"output", "no output limit", weakJail{limits: func(l *limits.Limits) { l.Output, l.CPU = 0, 500*time.Millisecond }},
			[]string{"output-stdout"}},
		{"processes", "no limit of processes", weakJail{limits: func(l *limits.Limits) { l.Processes = 0 }},
			[]string{"processes", "threads", "fork-bomb"}},
		{"etc", "a folder of the host is shown", weakJail{spec: func(s *sandbox.Spec) {
			s.Mounts = append(s.Mounts, sandbox.Mount{Source: "/etc", Target: "/etc"})
		}}, []string{"read-passwd", "see-home-folder"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if testing.Short() && tt.name != "wall" {
				t.Skip("not checked: all weak jails but one (-short)")
			}
			h := host(t, sandbox.Container)
			if polled(h.Mechanisms()) && (tt.name == "memory" || tt.name == "processes") {
				t.Skip("not checked: jails without limits that cgroups enforce (no cgroups)")
			}
			tt.jail.Jail = h
			table := attacks()
			if tt.jail.spec != nil {
				table = slices.Concat(only(t, "honest"), fileAttacks(), folderAttacks())
			}
			if tt.jail.limits != nil {
				also := []string{"honest", "memory-heap", "cpu-loop", "output-stderr", "processes"}
				table = slices.DeleteFunc(table, func(a attack) bool {
					return !slices.Contains(tt.broken, a.name) && !slices.Contains(also, a.name)
				})
			}
			r := examine(t, tt.jail, table)
			broken := finds(r, Broken)
			for _, name := range tt.broken {
				if _, ok := broken[name]; !ok {
					t.Errorf("%s: %s was not found", tt.why, name)
				}
				delete(broken, name)
			}
			if len(broken) > 0 {
				t.Errorf("%s: also broken: %v", tt.why, broken)
			}
			checkTexts(t, r)
		})
	}
}

// bareJail runs programs on the host as they are, and claims to be a container.
type bareJail struct{ dir string }

// TestNoJail checks that nothing holds on the bare host, and that no attack harms it.
func TestNoJail(t *testing.T) {
	if testing.Short() {
		t.Skip("not checked: that no jail holds nothing (-short)")
	}
	dir := filepath.Join(t.TempDir(), "work")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.Chmod(dir+"/a", 0o700) }) // an attack leaves a folder there that cannot be read
	r := examine(t, bareJail{dir}, nil)
	broken := finds(r, Broken)
	names := []string{
		"memory-heap", "cpu-loop", "cpu-children", "wall-sleep", "output-stdout", "processes", "threads",
		"read-passwd", "see-working-folder", "see-home-folder", "secret-path", "secret-dots", "secret-judge", "secret-scan",
		"see-processes", "signal-judge", "ptrace-self", "ptrace-child", "process-vm-read",
		"tcp-host", "udp-host", "unix-abstract", "unix-path", "netlink",
		"filter", "clone3-user", "setns", "keyctl", "personality", "sysv-shm", "posix-messages",
	}
	if os.Geteuid() == 0 { // for other users, the kernel bounds the memory of all pipes
		names = append(names, "capabilities", "bpf", "fsopen", "memory-pipes")
	}
	for _, name := range names {
		if _, ok := broken[name]; !ok {
			t.Errorf("%s was not found", name)
		}
	}
	for _, a := range attacks() {
		if a.name == "fork-bomb" {
			continue // the earlier attack of the scene shows that there is no limit
		}
		if seen := broken[a.name]; a.harm && !strings.HasSuffix(seen, notDared) {
			t.Errorf("%s was dared on the host, with %q", a.name, seen)
		}
	}
}

// TestNothingRuns checks jails in which all attacks fail because none of them starts.
func TestNothingRuns(t *testing.T) {
	for _, tt := range []struct {
		why, want string
		jail      failingJail
	}{
		{"the sandbox fails", "no jail: no start", failingJail{err: errors.New("no start")}},
		{"programs die at their start", "no jail: an attack that does nothing cannot be made: forbidden", failingJail{stop: sandbox.Forbidden}},
	} {
		tt.jail.dir = filepath.Join(t.TempDir(), "work")
		if _, err := Examine(t.Context(), Options{Jail: tt.jail}); err == nil || err.Error() != tt.want {
			t.Errorf("%s: got error %v, want %s", tt.why, err, tt.want)
		}
	}
}

type failingJail struct {
	bareJail
	stop sandbox.StopReason
	err  error
}

// tricky is a jail that replaces the runs of one payload by end.
type tricky struct {
	Jail
	payload string
	end     func(sandbox.Command) (sandbox.Result, error)
}

type trickyBox struct {
	sandbox.Box
	jail tricky
}

func only(t *testing.T, name string) []attack {
	t.Helper()
	table := slices.DeleteFunc(attacks(), func(a attack) bool { return a.name != name })
	if len(table) != 1 {
		t.Fatalf("%d attacks are named %s", len(table), name)
	}
	return table
}

// TestSandboxFails checks that a jail that fails during an attack stops the doctor: the failure
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
		{"one that the mode may excuse", "memory-pipes", "memory-pipes", broken, "attack memory-pipes: the sandbox failed: no more of it"},
		{"the first of two runs", "left-here", "leave-here", broken, "attack left-here: the sandbox failed: no more of it"},
		{"the second of two runs", "left-here", "look-here", broken, "attack left-here: the sandbox failed: no more of it"},
		{"the victim of two at a time", "beside-socket", "wait", broken, "attack beside-socket: the sandbox failed: no more of it"},
		{"the attacker of two at a time", "beside-socket", "reach-socket", broken, "attack beside-socket: the sandbox failed: no more of it"},
		{"the host is exhausted, and the jail dies of it", "honest", "honest", fmt.Errorf("%w: %w", sandbox.ErrDied, unix.ENOMEM),
			"attack honest: the sandbox failed: the container died: cannot allocate memory"},
		{"the jail dies of the attack", "honest", "honest", fmt.Errorf("run: %w", sandbox.ErrDied), ""},
	} {
		jail := tricky{h, tt.payload, func(sandbox.Command) (sandbox.Result, error) { return sandbox.Result{}, tt.err }}
		r, err := Examine(t.Context(), Options{Jail: jail, table: only(t, tt.attack)})
		switch {
		case tt.want != "" && (err == nil || err.Error() != tt.want || !errors.Is(err, tt.err)):
			t.Errorf("%s: got error %v, want %s", tt.why, err, tt.want)
		case tt.want == "" && (err != nil || r.Findings[0].Status != Broken || r.Findings[0].Seen != "the jail died"):
			t.Errorf("%s: got error %v and report %+v, want the jail to be told dead", tt.why, err, r)
		}
	}
}

// TestNoThread lets attackers die like a Go program that cannot start a thread. That counts as held
// only if the attack takes all threads on purpose.
func TestNoThread(t *testing.T) {
	h := host(t, sandbox.Container)
	const without, withC = "runtime: failed to create new OS thread (have 4 already; errno=11)\n", "runtime/cgo: pthread_create failed: Resource temporarily unavailable\n"
	for _, tt := range []struct {
		why, attack, payload, said string
		code                       int
		status                     Status
		seen                       string
	}{
		{"at the limit", "processes", "processes", without, 2, Held, "EAGAIN"},
		{"at the limit, with C", "threads", "threads", withC, 2, Held, "EAGAIN"},
		{"at the limit, before the bomb", "fork-bomb", "processes", without, 2, Held, "is well"},
		{"at the limit, by the bomb", "fork-bomb", "fork-bomb", without, 2, Held, "is well"},
		{"the next run has none left", "fork-bomb", "nothing", without, 2, Broken, "the attack exited with status 2"},
		{"far from the limit", "honest", "honest", without, 2, Broken, "the attack exited with status 2"},
		{"of something else", "processes", "processes", "panic: x\n", 2, Broken, "the attack exited with status 2"},
		{"the words alone", "processes", "processes", without, 1, Broken, "the attack exited with status 1"},
	} {
		began := false
		jail := tricky{h, tt.payload, func(c sandbox.Command) (sandbox.Result, error) {
			if tt.payload == doNothing && !began { // the trial run of each slot
				_, _ = io.WriteString(c.Stdout, readyLine+"\n"+resultMark+`{"seen":"is well"}`)
				return sandbox.Result{}, nil
			}
			if c.Stderr != nil {
				_, _ = io.WriteString(c.Stderr, tt.said)
			}
			return sandbox.Result{ExitCode: tt.code}, nil
		}}
		table := only(t, tt.attack)
		if lead := table[0].scene; tt.payload == doNothing {
			table[0].scene = func(s *scene) (outcome, error) { began = true; return lead(s) }
		}
		r := examine(t, jail, table)
		if f := r.Findings[0]; f.Status != tt.status || f.Seen != tt.seen {
			t.Errorf("%s: got %s, %q, want %s, %q", tt.why, f.Status, f.Seen, tt.status, tt.seen)
		}
	}
}

// TestKilled checks that everything that an interrupted examination leaves is readable by all, and
// is in the folder that the sandbox cleans up.
func TestKilled(t *testing.T) {
	h, err := sandbox.Open(sandbox.Rlimit)
	if err != nil {
		t.Skipf("not checked: mode rlimit: %v", err)
	}
	temp := h.Temp()
	l, err := openLab(Options{Jail: h})
	if err != nil {
		t.Fatal(err)
	}
	for path, need := range map[string]os.FileMode{temp: 0o011, l.dir: 0o055, l.host.Secret: 0o044, l.host.Socket: 0o066} {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if info.Mode().Perm()&need != need {
			t.Errorf("%s: %v: others are not let in", path, info.Mode())
		}
		if !strings.HasPrefix(path, temp) {
			t.Errorf("%s is not below %s", path, temp)
		}
	}
	if info, err := os.Stat(temp); err != nil {
		t.Error(err)
	} else if info.Mode().Perm() != 0o711 {
		t.Errorf("%s: %v: others may do more than go through", temp, info.Mode())
	}
	if err := h.Close(); err != nil {
		t.Error(err)
	}
	if _, err := os.Lstat(l.dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%s is left: %v", l.dir, err)
	}
	l.dir = ""
	for _, b := range l.slots {
		_ = b.box.Close() // its record is gone
	}
	l.slots = nil
	if err := l.close(); err != nil {
		t.Error(err)
	}
}

func TestInterrupted(t *testing.T) {
	h := host(t, sandbox.Rlimit)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Examine(ctx, Options{Jail: h}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want the context's error", err)
	}
}

func TestJudge(t *testing.T) {
	t.Parallel()
	const said = "ready\n\noutcome {\"broke\":false,\"seen\":\"EPERM\"}\n"
	a := &attack{stops: []sandbox.StopReason{sandbox.OverMemory}}
	for _, tt := range []struct {
		why    string
		result sandbox.Result
		stdout string
		want   outcome
	}{
		{"its own word", sandbox.Result{}, said, held("EPERM")},
		{"its own word, against the jail", sandbox.Result{}, strings.Replace(said, "false", "true", 1), broke("EPERM")},
		{"after much else", sandbox.Result{}, "ready\nx outcome {}" + said[6:], held("EPERM")},
		{"the filter", sandbox.Result{Stop: sandbox.Forbidden}, "ready\n", held("denied")},
		{"died of the filter before its attack", sandbox.Result{Stop: sandbox.Forbidden}, "", broke("forbidden")},
		{"the limit under attack", sandbox.Result{Stop: sandbox.OverMemory}, "ready\n", held("over_memory")},
		{"another limit", sandbox.Result{Stop: sandbox.OverWall}, "ready\n", broke("over_wall")},
		{"said nothing", sandbox.Result{}, "ready\n", broke("the attack exited with status 0")},
		{"failed", sandbox.Result{ExitCode: 2}, said, broke("the attack exited with status 2")},
		{"crashed", sandbox.Result{Stop: sandbox.Signalled, Signal: sandbox.Signal(syscall.SIGSEGV)}, said, broke("the attack died of SIGSEGV")},
	} {
		if got := a.judge(tt.result, []byte(tt.stdout)); got != tt.want {
			t.Errorf("%s: got %+v, want %+v", tt.why, got, tt.want)
		}
	}
}

func TestRefused(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why  string
		err  error
		good []unix.Errno
		want outcome
	}{
		{"done", nil, nil, broke("allowed")},
		{"no right to", unix.EPERM, nil, held("EPERM")},
		{"unknown to the kernel", unix.ENOSYS, nil, held("ENOSYS")},
		{"the arguments were looked at", unix.EINVAL, nil, broke("reached the kernel: EINVAL")},
		{"an answer that is good for this call", unix.ESRCH, []unix.Errno{unix.ESRCH}, held("ESRCH")},
		{"wrapped", &os.PathError{Op: "open", Path: "/", Err: unix.EROFS}, nil, held("EROFS")},
	} {
		if got := refused(tt.err, tt.good...); got != tt.want {
			t.Errorf("%s: got %+v, want %+v", tt.why, got, tt.want)
		}
	}
}
