package doctor

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
	"unicode/utf8"

	"golang.org/x/sys/unix"

	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/sandbox"
)

// The attacks are done by this same binary, as those of the judge are by the judge.
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

var number = regexp.MustCompile(`[0-9]{4,}`)

// checkTexts requires findings that the next examination repeats.
func checkTexts(t *testing.T, r *Report) {
	t.Helper()
	names := map[string]bool{}
	for _, f := range r.Findings {
		if names[f.Name] {
			t.Errorf("two attacks are named %s", f.Name)
		}
		names[f.Name] = true
		for _, text := range []string{f.Attack, f.Expected, f.Seen} {
			if text == "" || strings.Contains(text, os.TempDir()+"/tribunal") || number.MatchString(text) {
				t.Errorf("%s: text %q", f.Name, text)
			}
		}
		if utf8.RuneCountInString(f.Attack) > 34 || utf8.RuneCountInString(f.Expected) > 20 {
			t.Errorf("%s: %q or %q is cut in the table", f.Name, f.Attack, f.Expected)
		}
	}
}

func checkWidth(t *testing.T, text string) {
	t.Helper()
	for line := range strings.Lines(text) {
		if utf8.RuneCountInString(strings.TrimSuffix(line, "\n")) > 80 {
			t.Errorf("wider than 80 columns: %s", line)
		}
	}
}

// weakJail is a jail with a hole.
type weakJail struct {
	Jail
	spec   func(*sandbox.Spec)
	limits func(*limits.Limits)
	claims *sandbox.Mechanisms
}

func (j weakJail) Mechanisms() sandbox.Mechanisms {
	if j.claims != nil {
		return *j.claims
	}
	return j.Jail.Mechanisms()
}

func (j weakJail) NewBox(s sandbox.Spec) (sandbox.Box, error) {
	if j.spec != nil {
		j.spec(&s)
	}
	b, err := j.Jail.NewBox(s)
	return weakBox{b, j}, err
}

type weakBox struct {
	sandbox.Box
	jail weakJail
}

// Run leaves a limit away. An attack that then has no end is ended here, as a
// caller would.
func (b weakBox) Run(ctx context.Context, cmd sandbox.Command) (sandbox.Result, error) {
	strict := cmd.Limits
	if b.jail.limits != nil {
		b.jail.limits(&cmd.Limits)
	}
	if cmd.Limits.CPU == 0 && strict.CPU < time.Second || cmd.Limits.Wall == 0 && strict.Wall < time.Second {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, 3*time.Second)
		defer cancel()
	}
	return b.Box.Run(ctx, cmd)
}

// TestWeakJail has every hole found, and what it does not touch hold.
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
		{"output", "no output limit", weakJail{limits: func(l *limits.Limits) { l.Output = 0 }},
			[]string{"output-stdout"}},
		{"processes", "no limit of processes", weakJail{limits: func(l *limits.Limits) { l.Processes = 0 }},
			[]string{"processes", "threads", "fork-bomb"}},
		{"etc", "a folder of the host is shown", weakJail{spec: func(s *sandbox.Spec) {
			s.Mounts = append(s.Mounts, sandbox.Mount{Source: "/etc", Target: "/etc"})
		}}, []string{"read-passwd", "see-home-folder"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			h := host(t, sandbox.Container)
			if polled(h.Mechanisms()) && (tt.name == "memory" || tt.name == "processes") {
				t.Skip("not checked: jails without limits that cgroups enforce (no cgroups)")
			}
			tt.jail.Jail = h
			table := attacks()
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

func (bareJail) Mechanisms() sandbox.Mechanisms {
	return sandbox.Mechanisms{Mode: sandbox.Container, Memory: "cgroup", Processes: "cgroup"}
}
func (j bareJail) Temp() string                             { return filepath.Dir(j.dir) }
func (bareJail) Notes() []string                            { return nil }
func (j bareJail) NewBox(sandbox.Spec) (sandbox.Box, error) { return j, nil }
func (bareJail) Path(inside string) string                  { return inside }
func (bareJail) Close() error                               { return nil }
func (j bareJail) Run(ctx context.Context, c sandbox.Command) (sandbox.Result, error) {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, "/proc/self/exe")
	cmd.Args, cmd.Env, cmd.Dir, cmd.Stdout = c.Args, c.Env, j.dir, c.Stdout
	if c.Stdin != nil {
		cmd.Stdin = c.Stdin
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	err := cmd.Run()
	if cmd.Process != nil {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	}
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return sandbox.Result{Stop: sandbox.Cancelled}, nil
	case errors.As(err, &exit) && exit.ExitCode() < 0:
		return sandbox.Result{Stop: sandbox.Signalled, Signal: exit.Sys().(syscall.WaitStatus).Signal()}, nil
	case errors.As(err, &exit):
		return sandbox.Result{ExitCode: exit.ExitCode()}, nil
	}
	return sandbox.Result{}, err
}

// TestNoJail has nothing hold, and nothing that would harm this host be done.
func TestNoJail(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "work")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.Chmod(dir+"/a", 0o700) }) // an attack leaves a closed folder there
	r := examine(t, bareJail{dir}, nil)
	broken := finds(r, Broken)
	names := []string{
		"memory-heap", "memory-pipes", "cpu-loop", "cpu-children", "wall-sleep", "output-stdout", "processes", "threads",
		"read-passwd", "see-working-folder", "see-home-folder", "secret-path", "secret-dots", "secret-judge", "secret-scan",
		"see-processes", "signal-judge", "ptrace-self", "ptrace-child", "process-vm-read",
		"tcp-host", "udp-host", "unix-abstract", "unix-path", "netlink",
		"filter", "clone3-user", "setns", "keyctl", "personality", "sysv-shm", "posix-messages",
	}
	if os.Geteuid() == 0 {
		names = append(names, "capabilities", "bpf", "fsopen")
	}
	for _, name := range names {
		if _, ok := broken[name]; !ok {
			t.Errorf("%s was not found", name)
		}
	}
	for _, a := range attacks() {
		if a.name == "fork-bomb" {
			continue // the attack before it, in the same scene, shows that there is no limit
		}
		if seen := broken[a.name]; a.harm && !strings.HasSuffix(seen, notDared) {
			t.Errorf("%s was dared on the host, with %q", a.name, seen)
		}
	}
}

// TestNothingRuns has jails in which all attacks would fail, for want of an attacker.
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
	stop sandbox.Stop
	err  error
}

func (j failingJail) NewBox(sandbox.Spec) (sandbox.Box, error) { return j, nil }
func (j failingJail) Run(context.Context, sandbox.Command) (sandbox.Result, error) {
	return sandbox.Result{Stop: j.stop}, j.err
}

// tricky is a jail that, for the runs of one deed, does what end does instead.
type tricky struct {
	Jail
	deed string
	end  func(sandbox.Command) (sandbox.Result, error)
}

func (j tricky) NewBox(s sandbox.Spec) (sandbox.Box, error) {
	b, err := j.Jail.NewBox(s)
	return trickyBox{b, j}, err
}

type trickyBox struct {
	sandbox.Box
	jail tricky
}

func (b trickyBox) Run(ctx context.Context, cmd sandbox.Command) (sandbox.Result, error) {
	if cmd.Args[1] == b.jail.deed {
		return b.jail.end(cmd)
	}
	return b.Box.Run(ctx, cmd)
}

func only(t *testing.T, name string) []attack {
	t.Helper()
	table := slices.DeleteFunc(attacks(), func(a attack) bool { return a.name != name })
	if len(table) != 1 {
		t.Fatalf("%d attacks are named %s", len(table), name)
	}
	return table
}

// TestSandboxFails has jails that fail the doctor in one attack, which says neither
// that they hold nor that they do not.
func TestSandboxFails(t *testing.T) {
	broken := errors.New("no more of it")
	for _, tt := range []struct {
		why, attack, deed string
		err               error
		want              string // of Examine's error, or else of what was seen
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
		jail := tricky{host(t, sandbox.Container), tt.deed, func(sandbox.Command) (sandbox.Result, error) { return sandbox.Result{}, tt.err }}
		r, err := Examine(t.Context(), Options{Jail: jail, table: only(t, tt.attack)})
		switch {
		case tt.want != "" && (err == nil || err.Error() != tt.want || !errors.Is(err, tt.err)):
			t.Errorf("%s: got error %v, want %s", tt.why, err, tt.want)
		case tt.want == "" && (err != nil || r.Findings[0].Status != Broken || r.Findings[0].Seen != "the jail died"):
			t.Errorf("%s: got error %v and report %+v, want the jail to be told dead", tt.why, err, r)
		}
	}
}

// TestNoThread has attackers die as a Go program does that the kernel refuses a
// thread: an answer where all of them are taken on purpose, and nowhere else.
func TestNoThread(t *testing.T) {
	const without, withC = "runtime: failed to create new OS thread (have 4 already; errno=11)\n", "runtime/cgo: pthread_create failed: Resource temporarily unavailable\n"
	for _, tt := range []struct {
		why, attack, deed, said string
		code                    int
		status                  Status
		seen                    string
	}{
		{"at the limit", "processes", "processes", without, 2, Held, "EAGAIN"},
		{"at the limit, with C", "threads", "threads", withC, 2, Held, "EAGAIN"},
		{"at the limit, before the bomb", "fork-bomb", "processes", without, 2, Held, "is well"},
		{"at the limit, by the bomb", "fork-bomb", "fork-bomb", without, 2, Held, "is well"},
		{"the next run has none left", "fork-bomb", "nothing", without, 2, Broken, "the attack ended with status 2"},
		{"far from the limit", "honest", "honest", without, 2, Broken, "the attack ended with status 2"},
		{"of something else", "processes", "processes", "panic: x\n", 2, Broken, "the attack ended with status 2"},
		{"the words alone", "processes", "processes", without, 1, Broken, "the attack ended with status 1"},
	} {
		began := false
		jail := tricky{host(t, sandbox.Container), tt.deed, func(c sandbox.Command) (sandbox.Result, error) {
			if tt.deed == afterwards && !began { // the doctor's own look at each bench
				_, _ = io.WriteString(c.Stdout, readyLine+"\n"+resultMark+`{"seen":"is well"}`)
				return sandbox.Result{}, nil
			}
			if c.Stderr != nil {
				_, _ = io.WriteString(c.Stderr, tt.said)
			}
			return sandbox.Result{ExitCode: tt.code}, nil
		}}
		table := only(t, tt.attack)
		if lead := table[0].scene; tt.deed == afterwards {
			table[0].scene = func(s *scene) (outcome, error) { began = true; return lead(s) }
		}
		r := examine(t, jail, table)
		if f := r.Findings[0]; f.Status != tt.status || f.Seen != tt.seen {
			t.Errorf("%s: got %s, %q, want %s, %q", tt.why, f.Status, f.Seen, tt.status, tt.seen)
		}
	}
}

// TestKilled has what an examination that is cut short leaves behind go with what
// the sandbox leaves, and be open to everybody until then.
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
	for path, need := range map[string]os.FileMode{temp: 0o011, l.dir: 0o055, l.world.Secret: 0o044, l.world.Socket: 0o066} {
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
	for _, b := range l.benches {
		_ = b.box.Close() // its record is gone
	}
	l.benches = nil
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
	a := &attack{stops: []sandbox.Stop{sandbox.OverMemory}}
	for _, tt := range []struct {
		why    string
		result sandbox.Result
		stdout string
		want   outcome
	}{
		{"its own word", sandbox.Result{}, said, held("EPERM")},
		{"its own word, against the jail", sandbox.Result{}, strings.Replace(said, "false", "true", 1), broke("EPERM")},
		{"after much else", sandbox.Result{}, "ready\nx outcome {}" + said[6:], held("EPERM")},
		{"the filter", sandbox.Result{Stop: sandbox.Forbidden}, "ready\n", held("SIGSYS")},
		{"died of the filter before its attack", sandbox.Result{Stop: sandbox.Forbidden}, "", broke("forbidden")},
		{"the limit under attack", sandbox.Result{Stop: sandbox.OverMemory}, "ready\n", held("over_memory")},
		{"another limit", sandbox.Result{Stop: sandbox.OverWall}, "ready\n", broke("over_wall")},
		{"said nothing", sandbox.Result{}, "ready\n", broke("the attack ended with status 0")},
		{"failed", sandbox.Result{ExitCode: 2}, said, broke("the attack ended with status 2")},
		{"crashed", sandbox.Result{Stop: sandbox.Signalled, Signal: syscall.SIGSEGV}, said, broke("the attack died of SIGSEGV")},
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

func TestText(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("very ", 30) + "long"
	r := &Report{
		Mechanisms: sandbox.Mechanisms{Mode: sandbox.Container, Isolation: long}, Asked: sandbox.Auto, Notes: []string{long},
		Findings: []Finding{
			{Group: "limits", Attack: "first", Expected: "none", Seen: "none", Status: Held},
			{Group: "limits", Attack: "second", Expected: "none", Seen: "got through " + long, Status: Broken},
			{Group: "others", Attack: "third", Expected: "none", Seen: "some", Status: Open, Why: "it is not stopped here"},
		},
		Count: Count{Attacks: 3, Held: 1, Broken: 1, Open: 1},
	}
	text := r.Text()
	checkWidth(t, text)
	if !strings.HasSuffix(text, "\n3 attacks: 1 BROKEN, 1 held, 1 open\n") {
		t.Errorf("last line of:\n%s", text)
	}
	failure, table := strings.Index(text, "BROKEN    limits: second: got through"), strings.Index(text, "LIMITS")
	if failure < 0 || table < failure {
		t.Errorf("the failure does not come before the table:\n%s", text)
	}
	if !strings.Contains(text, "  1 open: it is not stopped here\n") || !strings.Contains(text, "processes   NOT enforced\n") {
		t.Errorf("what is open or not enforced is not said:\n%s", text)
	}
}

// TestMode says what auto picks and why, whichever mode was asked for.
func TestMode(t *testing.T) {
	t.Parallel()
	full := sandbox.Mechanisms{Mode: sandbox.Container, CPU: "cgroup v2 cpu.stat", Memory: "cgroup v2 memory", Processes: "cgroup v2 pids"}
	part, polled, rlimit := full, full, full
	part.Processes = "RLIMIT_NPROC"
	polled.CPU, polled.Memory, polled.Processes = "polled from /proc", "polled from /proc", "RLIMIT_NPROC"
	rlimit.Mode = sandbox.Rlimit
	for _, tt := range []struct {
		why   string
		asked sandbox.Mode
		m     sandbox.Mechanisms
		notes []string
		auto  Choice
		want  []string
	}{
		{"nothing is missing", sandbox.Auto, full, nil, Choice{Mode: sandbox.Container},
			[]string{"mode container, which auto picks: the strongest there is"}},
		{"one controller is missing", sandbox.Auto, part, []string{"no pids"}, Choice{Mode: sandbox.Container},
			[]string{"mode container, which auto picks: one with cgroups for processes would be stronger", "no pids"}},
		{"there are no cgroups", sandbox.Auto, polled, []string{"no cgroups here"}, Choice{Mode: sandbox.Container},
			[]string{": one with cgroups for CPU time, memory, processes would be stronger", "no cgroups here"}},
		{"there are no containers", sandbox.Auto, rlimit, []string{"no containers here"}, Choice{Mode: sandbox.Rlimit},
			[]string{"mode rlimit, which auto picks: containers, which are stronger, do not work here no containers here"}},
		{"a stronger one is there", sandbox.Rlimit, rlimit, []string{"weak"}, Choice{sandbox.Container, []string{"else"}},
			[]string{"mode rlimit, as was asked for auto would pick container, which works here and is stronger weak isolation"}},
		{"there is none, and the one asked for does not tell why", sandbox.Rlimit, rlimit, []string{"weak"}, Choice{sandbox.Rlimit, []string{"no containers here", "weak"}},
			[]string{"mode rlimit, as was asked for auto would pick it, too: containers, which are stronger, do not work here no containers here weak isolation"}},
		{"the one asked for is the one, if not the best", sandbox.Container, polled, []string{"no cgroups here"}, Choice{sandbox.Container, []string{"no cgroups here"}},
			[]string{"mode container, as was asked for auto would pick it, too: one with cgroups for CPU time, memory, processes would be stronger", "no cgroups here"}},
	} {
		text := (&Report{Asked: tt.asked, Mechanisms: tt.m, Notes: tt.notes, Auto: tt.auto}).Text()
		checkWidth(t, text)
		words := strings.Join(strings.Fields(text), " ")
		for _, want := range tt.want {
			if !strings.Contains(words, want) {
				t.Errorf("%s: %q is not in\n%s", tt.why, want, text)
			}
		}
	}
}

// TestDocument has every field of the JSON document described.
func TestDocument(t *testing.T) {
	t.Parallel()
	doc, err := os.ReadFile("../../../docs/doctor.md")
	if err != nil {
		t.Skipf("not checked: docs/doctor.md: %v", err)
	}
	r := &Report{Schema: Schema, Notes: []string{}, Auto: Choice{Notes: []string{}}, Findings: []Finding{{}}}
	r.Host = Facts{Cgroups: []Hierarchy{{}}, Namespaces: []Namespace{{}}, Settings: []Setting{{}}, Noise: []Noise{{}}}
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	var v any
	if err := json.Unmarshal(text, &v); err != nil {
		t.Fatal(err)
	}
	var described []string
	for _, m := range regexp.MustCompile("(?m)^\\| `([a-z_0-9.\\[\\]]+)` \\|").FindAllStringSubmatch(string(doc), -1) {
		described = append(described, m[1])
	}
	var there []string
	fields(v, "", &there)
	slices.Sort(described)
	slices.Sort(there)
	if !slices.Equal(there, described) {
		t.Errorf("the document has\n%v\nand docs/doctor.md\n%v", there, described)
	}
}

func fields(v any, path string, to *[]string) {
	switch v := v.(type) {
	case map[string]any:
		for key, value := range v {
			p := strings.TrimPrefix(path+"."+key, ".")
			*to = append(*to, p)
			fields(value, p, to)
		}
	case []any:
		for _, value := range v {
			fields(value, path+"[]", to)
		}
	}
}

func TestNoise(t *testing.T) {
	t.Parallel()
	pieces := make([]time.Duration, 100)
	for i := range pieces {
		pieces[i] = 10
	}
	pieces[3] = 1010
	n := measure(1, pieces)
	if n.Median != 10 || n.Worst != 1010 || n.P99 != 1010 || n.Pieces != 100 || strconv.FormatFloat(n.Lost, 'f', 3, 64) != "0.500" {
		t.Errorf("got %+v", n)
	}
}
