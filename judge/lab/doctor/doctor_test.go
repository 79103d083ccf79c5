//go:build linux

package doctor

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"tribunal/internal/tier"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/sandbox"
)

// TestMain lets the attacks run in this test binary, as those of the judge run in the judge.
func TestMain(m *testing.M) {
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

// briefly is the time for which tests measure the noise of the CPUs.
const briefly = time.Millisecond

func examined(t *testing.T, jail Jail, table []attack) *Report {
	t.Helper()
	wd, _ := os.Getwd()
	r, err := examine(t.Context(), Options{Jail: jail, Asked: sandbox.Auto, Places: map[string]string{
		WorkingFolder: wd, HomeFolder: "/etc", TempFolder: os.TempDir(),
	}}, table, briefly)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// attacked is examined without a look at the host.
func attacked(t *testing.T, jail Jail, table []attack) (*Report, error) {
	t.Helper()
	wd, _ := os.Getwd()
	l, err := openLab(Options{Jail: jail, Places: map[string]string{WorkingFolder: wd, HomeFolder: "/etc"}})
	if err != nil {
		t.Fatal(err)
	}
	list, err := l.attackAll(t.Context(), table, nil)
	return &Report{Findings: list}, errors.Join(err, l.close())
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

// TestJail attacks the jail of every mode, while a descriptor is open that the judge could have
// inherited. In the mode rlimit, which is not the strongest, it makes one attack for each way in
// which an attack can end, unless all tests run.
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
			h := host(t, mode)
			table := attacks()
			if mode == sandbox.Rlimit && !tier.All() {
				t.Logf("not checked: most attacks without containers (%s=all checks them)", tier.Variable)
				table = some(t, "honest", "memory-pipes", "cpu-loop", "wall-sleep", "output-stdout", "threads", "core-dump",
					"memory-tmp", "read-passwd", "secret-scan", "see-processes", "tcp-host", "keyctl", "left-here")
			}
			r := examined(t, h, table)
			if broken := finds(r, Broken); len(broken) > 0 {
				t.Errorf("broken: %v", broken)
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
			if r.Count.Attacks != len(table) || r.Count.Attacks != len(r.Findings) ||
				r.Count.Attacks != r.Count.Held+r.Count.Broken+r.Count.Open+r.Count.NotTried {
				t.Errorf("counts %+v of %d attacks", r.Count, len(r.Findings))
			}
			checkTexts(t, r)
			checkWidth(t, r.Text())
		})
	}
}

// weakJail is a jail with a gap.
type weakJail struct {
	Jail
	spec    func(*sandbox.Spec)
	limits  func(*limits.Limits)
	claims  *sandbox.Mechanisms
	endless []string // attacks that nothing stops then
}

type weakBox struct {
	sandbox.Box
	jail weakJail
}

// TestWeakJail checks that the attacks find every gap, and that attacks on other parts of the jail
// fail.
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
		{"processes", "no process limit", weakJail{limits: func(l *limits.Limits) { l.Processes = 0 }},
			[]string{"processes", "threads", "fork-bomb"}},
		{"etc", "the jail shows a folder of the host", weakJail{spec: func(s *sandbox.Spec) {
			s.Mounts = append(s.Mounts, sandbox.Mount{Source: "/etc", Target: "/etc"})
		}}, []string{"read-passwd", "see-home-folder"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.name != "wall" {
				tier.T2(t, "all weak jails but one")
			}
			h := host(t, sandbox.Container)
			if polled(h.Mechanisms()) && (tt.name == "memory" || tt.name == "processes") {
				t.Skip("not checked: jails without limits that cgroups enforce (no cgroups)")
			}
			tt.jail.Jail, tt.jail.endless = h, tt.broken
			table := attacks()
			if tt.jail.spec != nil {
				table = slices.Concat(some(t, "honest"), fileAttacks(), folderAttacks())
			}
			if tt.jail.limits != nil {
				also := []string{"honest", "memory-heap", "cpu-loop", "output-stderr", "processes"}
				table = slices.DeleteFunc(table, func(a attack) bool {
					return !slices.Contains(tt.broken, a.name) && !slices.Contains(also, a.name)
				})
			}
			r, err := attacked(t, tt.jail, table)
			if err != nil {
				t.Fatal(err)
			}
			broken := finds(r, Broken)
			for _, name := range tt.broken {
				if _, ok := broken[name]; !ok {
					t.Errorf("%s: attack %s failed", tt.why, name)
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

// bareJail runs programs on the host without any jail, and claims to be a container.
type bareJail struct{ dir string }

// TestNoJail checks that the attacks succeed on the bare host, and that those that would harm it
// are not tried.
func TestNoJail(t *testing.T) {
	tier.T2(t, "the host without a jail")
	dir := filepath.Join(t.TempDir(), "work")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.Chmod(dir+"/a", 0o700) }) // an attack leaves an unreadable folder there
	table := slices.DeleteFunc(attacks(), func(a attack) bool {
		return a.name == "out-daemon" // nothing stops its process, which is busy for many seconds
	})
	r := examined(t, bareJail{dir}, table)
	broken := finds(r, Broken)
	names := []string{
		"memory-heap", "cpu-loop", "cpu-children", "wall-sleep", "output-stdout", "processes", "threads",
		"read-passwd", "see-working-folder", "see-home-folder", "secret-path", "secret-dots", "secret-judge", "secret-scan",
		"see-processes", "signal-judge", "ptrace-self", "ptrace-child", "process-vm-read",
		"tcp-host", "udp-host", "unix-abstract", "unix-path", "netlink",
		"filter", "clone3-user", "setns", "keyctl", "personality", "sysv-shm", "posix-messages",
	}
	if os.Geteuid() == 0 { // for other users, the kernel limits the memory of all pipes
		names = append(names, "capabilities", "bpf", "fsopen", "memory-pipes")
	}
	for _, name := range names {
		if _, ok := broken[name]; !ok {
			t.Errorf("attack %s failed", name)
		}
	}
	for _, a := range attacks() {
		if a.name == "fork-bomb" {
			continue // the scene's first payload finds no limit, so the bomb does not run
		}
		if seen := broken[a.name]; a.harm && !strings.HasSuffix(seen, unprotected) {
			t.Errorf("attack %s was tried on the host: %q", a.name, seen)
		}
	}
}

// TestNothingRuns checks jails in which no attack starts, so that every attack fails.
func TestNothingRuns(t *testing.T) {
	for _, tt := range []struct {
		why, want string
		jail      failingJail
	}{
		{"the sandbox fails", "no jail: no start", failingJail{err: errors.New("no start")}},
		{"programs die when they start", "no jail: a program that does nothing cannot run: forbidden", failingJail{stop: sandbox.Forbidden}},
	} {
		tt.jail.dir = filepath.Join(t.TempDir(), "work")
		if _, err := examine(t.Context(), Options{Jail: tt.jail}, attacks(), briefly); err == nil || err.Error() != tt.want {
			t.Errorf("%s: got error %v, want %s", tt.why, err, tt.want)
		}
	}
}

type failingJail struct {
	bareJail
	stop sandbox.StopReason
	err  error
}

// scriptedJail is a jail in which end replaces the runs of one payload.
type scriptedJail struct {
	Jail
	payload string
	end     func(sandbox.Command) (sandbox.Result, error)
}

type scriptedBox struct {
	sandbox.Box
	jail scriptedJail
}

// some returns the attacks of these names.
func some(t *testing.T, names ...string) []attack {
	t.Helper()
	table := slices.DeleteFunc(attacks(), func(a attack) bool { return !slices.Contains(names, a.name) })
	if len(table) != len(names) {
		t.Fatalf("%d attacks are named %q", len(table), names)
	}
	return table
}

func TestInterrupted(t *testing.T) {
	h := host(t, sandbox.Rlimit)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Examine(ctx, Options{Jail: h}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want the context's error", err)
	}
}
