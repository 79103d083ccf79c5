package grade

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/run"
	"tribunal/judge/internal/sandbox"
	"tribunal/judge/internal/sandbox/sandboxtest"
	"tribunal/judge/internal/verdict"
)

// TestBoxDies lets the boxes of runs die: such a case is run once more, and only once, because
// neither the case nor the program is to blame.
func TestBoxDies(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why    string
		dies   int // how many runs of the second case, from the first, lose their box
		all    bool
		repeat int
		keep   bool
		want   verdict.Verdict
	}{
		{why: "a box that dies once does not matter", dies: 1, want: verdict.AC},
		{why: "nor if all cases are run", dies: 1, all: true, want: verdict.AC},
		{why: "the output of the lost run is not kept", dies: 1, keep: true, want: verdict.AC},
		{why: "the lost run is not one of the repeated runs", dies: 1, repeat: 3, want: verdict.AC},
		{why: "a program whose boxes keep dying gets JE", dies: 2, want: verdict.JE},
	} {
		var died atomic.Int32
		host := sandboxtest.New(t, func(_ context.Context, r sandboxtest.Run) (sandbox.Result, error) {
			if string(r.Input) == "1\n" && int(died.Add(1)) <= tt.dies {
				r.Print("answer 1\nanswer 1\n")
				return sandbox.Result{}, fmt.Errorf("container: %w", sandbox.ErrDied)
			}
			return r.Print("answer " + string(r.Input)), nil
		})
		j := newJudge(t, host, 1, nil)
		task := newTask(numbered(3), submit(t, "unread"))
		task.All, task.Repeat = tt.all, tt.repeat
		if tt.keep {
			task.Keep = t.TempDir()
		}
		var got []verdict.Verdict
		err := j.Grade(t.Context(), task, func(e Event) {
			if c, ok := e.(*Case); ok {
				got = append(got, c.Verdict)
				if len(c.Attempts) > 0 && len(c.Attempts) != tt.repeat {
					t.Errorf("%s: %d attempts are reported", tt.why, len(c.Attempts))
				}
			}
		})
		want := []verdict.Verdict{verdict.AC, tt.want, verdict.AC}
		if tt.want != verdict.AC && !tt.all {
			want = want[:2]
		}
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %v, %v, want %v", tt.why, got, err, want)
		}
		if tt.keep {
			text, err := os.ReadFile(filepath.Join(task.Keep, "edge", "case-1.out"))
			if err != nil || string(text) != "answer 1\n" {
				t.Errorf("%s: kept %q, %v", tt.why, text, err)
			}
		}
	}
}

// TestOutputCannotBeKept makes the judge fail on every case: each is JE, and Grade does not fail.
func TestOutputCannotBeKept(t *testing.T) {
	t.Parallel()
	j := newJudge(t, player(t, nil), 2, map[string]string{"reference/p/check/main.sh": "exit 43"})
	// The judge keeps outputs for a checker in j.Temp.
	if err := os.RemoveAll(j.Temp); err != nil {
		t.Fatal(err)
	}
	task := newTask(numbered(3), submit(t, "AC AC AC"))
	task.All = true
	task.checked()
	cases, done := 0, 0
	err := j.Grade(t.Context(), task, func(e Event) {
		switch e := e.(type) {
		case *Case:
			cases++
			if e.Verdict != verdict.JE || e.Cause == "" {
				t.Errorf("%s: %v, %q", e.Name, e.Verdict, e.Cause)
			}
		case *Done:
			done++
			if e.Verdict != verdict.JE || e.Judged != 3 {
				t.Errorf("%+v", e)
			}
		}
	})
	if err != nil || cases != 3 || done != 1 {
		t.Errorf("%d cases, %d done, %v: a failure of one case must not affect the others", cases, done, err)
	}
}

// TestBuildFails makes builds fail because of the judge: such a submission gets JE, and the others
// their verdicts.
func TestBuildFails(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why    string
		all    bool
		repeat int
		cases  []verdict.Verdict // verdicts of the submission that is not built
	}{
		{"its first case is JE", false, 0, []verdict.Verdict{verdict.JE}},
		{"with All, all its cases are JE", true, 0, []verdict.Verdict{verdict.JE, verdict.JE, verdict.JE}},
		{"with Repeat, all its runs are JE", false, 2, []verdict.Verdict{verdict.JE}},
	} {
		j := newJudge(t, player(t, nil), 2, nil)
		subs := submit(t, "AC AC AC", "AC AC AC ", "AC WA AC")
		unreadable(t, j, &subs[1])
		task := newTask(numbered(3), subs)
		task.All, task.Repeat = tt.all, tt.repeat
		got := make([][]verdict.Verdict, 3)
		for _, e := range gradeAll(t, j, task) {
			switch e := e.(type) {
			case *Built:
				if e.Error != "" {
					t.Errorf("%s: submission %d: words of a compiler: %s", tt.why, e.Submission, e.Error)
				}
			case *Case:
				got[e.Submission] = append(got[e.Submission], e.Verdict)
				told := strings.HasPrefix(e.Cause, "the judge failed: cache: ") && strings.HasSuffix(e.Cause, ": is a directory")
				if told != (e.Submission == 1) {
					t.Errorf("%s: %d %s: %q", tt.why, e.Submission, e.Name, e.Cause)
				}
				if len(e.Attempts) != tt.repeat {
					t.Errorf("%s: %d attempts", tt.why, len(e.Attempts))
				}
			case *Done:
				want := []verdict.Verdict{verdict.AC, verdict.JE, verdict.WA}[e.Submission]
				if e.Verdict != want || want != verdict.AC && (e.First == "" || e.Cause == "") {
					t.Errorf("%s: %+v, want %v", tt.why, e, want)
				}
			}
		}
		if !slices.Equal(got[1], tt.cases) || len(got[0]) != 3 || len(got[2]) < 2 {
			t.Errorf("%s: %v", tt.why, got)
		}
	}
}

// unreadable makes s an executable whose copy in the cache is a folder.
func unreadable(t *testing.T, j *Judge, s *Submission) {
	t.Helper()
	exe, err := os.Executable() // any existing executable
	if err != nil {
		t.Fatal(err)
	}
	if s.Source, err = build.Open(exe, "", shell); err != nil {
		t.Fatal(err)
	}
	key, err := j.Builder.Key(t.Context(), s.Source)
	if err != nil {
		t.Fatal(err)
	}
	entry, err := j.CaseData.Cache.Put(key, func(dir string) error { return os.Mkdir(filepath.Join(dir, ".program"), 0o700) })
	if err != nil {
		t.Fatal(err)
	}
	entry.Close()
}

// TestBuildsEndGrade checks which failures of a build end Grade: those that the user must mend, and
// cancellation.
func TestBuildsEndGrade(t *testing.T) {
	t.Parallel()
	absent, err := build.Read("b.no", "b.no", strings.NewReader("x"), "", shell)
	if err != nil {
		t.Fatal(err)
	}
	stopped, stop := context.WithCancel(t.Context())
	stop()
	for _, tt := range []struct {
		why  string
		ctx  context.Context
		sub  *build.Source
		want func(error) bool
	}{
		{"a language that is not installed", t.Context(), absent, func(err error) bool {
			_, ok := errors.AsType[*build.MissingError](err)
			return ok
		}},
		{"given up", stopped, nil, func(err error) bool { return errors.Is(err, context.Canceled) }},
	} {
		j := newJudge(t, player(t, nil), 1, nil)
		subs := submit(t, "AC")
		if tt.sub != nil {
			subs = []Submission{{Source: tt.sub}, {Source: tt.sub}}
		}
		err := j.Grade(tt.ctx, newTask(numbered(1), subs), func(e Event) {
			if c, ok := e.(*Case); ok {
				t.Errorf("%s: got %+v", tt.why, c)
			}
		})
		if !tt.want(err) {
			t.Errorf("%s: %v", tt.why, err)
		}
	}
}

// TestMissingBesideOthers checks that a submission whose tools are missing is reported, and the
// others are judged.
func TestMissingBesideOthers(t *testing.T) {
	t.Parallel()
	absent, err := build.Read("b.no", "b.no", strings.NewReader("x"), "", shell)
	if err != nil {
		t.Fatal(err)
	}
	subs := append([]Submission{{Source: absent}}, submit(t, "AC")...)
	j := newJudge(t, player(t, nil), 1, nil)
	var done []string
	if err := j.Grade(t.Context(), newTask(numbered(1), subs), func(e Event) {
		if d, ok := e.(*Done); ok {
			done = append(done, fmt.Sprintf("%v %s", d.Verdict, d.Cause))
		}
	}); err != nil {
		t.Fatal(err)
	}
	if len(done) != 2 || !strings.HasPrefix(done[0], "JE not judged: language no: ") || done[1] != "AC " {
		t.Errorf("got %q", done)
	}
}

// TestKeptIsLost makes writing a kept output fail: the case is JE, without measurements.
func TestKeptIsLost(t *testing.T) {
	t.Parallel()
	for _, repeat := range []int{0, 2} {
		task := newTask(numbered(1), submit(t, "unread"))
		task.Keep, task.Repeat = t.TempDir(), repeat
		j := newJudge(t, sandboxtest.New(t, func(_ context.Context, r sandboxtest.Run) (sandbox.Result, error) {
			fillDisk(t, filepath.Join(task.Keep, "edge", "case-0.out"))
			result := r.Print("no idea\n")
			result.CPU, result.Wall, result.Memory = time.Second, 2*time.Second, limits.MiB
			return result, nil
		}), 1, nil)
		c := caseEvents(gradeAll(t, j, task))[0]
		if c.Verdict != verdict.JE || !strings.HasSuffix(c.Cause, "no space left on device") || c.Index != 0 || c.Name != "edge/case-0" {
			t.Errorf("%v %q of %d %s", c.Verdict, c.Cause, c.Index, c.Name)
		}
		if c.Result != (sandbox.Result{Stop: sandbox.NotRun}) || c.Mismatch != nil {
			t.Errorf("measured %+v, mismatch %v", c.Result, c.Mismatch)
		}
		if len(c.Attempts) != repeat {
			t.Fatalf("%d attempts, want %d", len(c.Attempts), repeat)
		}
		if repeat > 0 && c.Attempts[0] != (Attempt{Verdict: verdict.JE}) {
			t.Errorf("attempt %+v", c.Attempts[0])
		}
	}
}

// fillDisk lets every write of this process to the named file fail with ENOSPC, if it is open.
func fillDisk(t *testing.T, name string) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Error(err)
		return
	}
	defer full.Close()
	fds, _ := os.ReadDir("/proc/self/fd")
	for _, fd := range fds {
		if path, _ := os.Readlink("/proc/self/fd/" + fd.Name()); path == name {
			n, _ := strconv.Atoi(fd.Name())
			if err := unix.Dup3(int(full.Fd()), n, unix.O_CLOEXEC); err != nil {
				t.Error(err)
			}
			return
		}
	}
}

// TestKeptIsNoLink keeps an output under a name where another account has put a symbolic link to a
// file or a folder, or a hard link: their targets stay unchanged.
func TestKeptIsNoLink(t *testing.T) {
	t.Parallel()
	const name = "edge/case-0.out"
	for _, tt := range []struct {
		why   string
		plant func(folder, victim string) error
		kept  bool
	}{
		{"nothing", func(folder, _ string) error { return nil }, true},
		{"a file", func(folder, _ string) error { return os.WriteFile(filepath.Join(folder, name), []byte("old"), 0o644) }, true},
		{"a symbolic link to a file", func(folder, victim string) error { return os.Symlink(victim, filepath.Join(folder, name)) }, true},
		{"a hard link", func(folder, victim string) error { return os.Link(victim, filepath.Join(folder, name)) }, true},
		{"a socket", func(folder, _ string) error {
			return unix.Mknod(filepath.Join(folder, name), unix.S_IFSOCK|0o644, 0)
		}, true},
		{"a symbolic link to a folder", func(folder, victim string) error {
			return errors.Join(os.Remove(filepath.Join(folder, "edge")), os.Symlink(filepath.Dir(victim), filepath.Join(folder, "edge")))
		}, false},
	} {
		folder, victim := t.TempDir(), filepath.Join(t.TempDir(), filepath.Base(name))
		err := errors.Join(os.WriteFile(victim, []byte("mine"), 0o644), os.Mkdir(filepath.Join(folder, "edge"), 0o755), tt.plant(folder, victim))
		if err != nil {
			t.Fatal(err)
		}
		k, err := newKept("", folder, name)
		if (err == nil) != tt.kept {
			t.Errorf("%s: %v", tt.why, err)
		}
		if err == nil {
			_, _ = k.Write([]byte("new"))
			path, err := k.finish()
			info, missing := os.Lstat(path)
			text, _ := os.ReadFile(path)
			if err := errors.Join(err, missing); err != nil || !info.Mode().IsRegular() || string(text) != "new" {
				t.Errorf("%s: kept %q in %s, %v", tt.why, text, path, err)
			}
			if removeKept(folder, path); !errors.Is(os.Remove(path), os.ErrNotExist) {
				t.Errorf("%s: the kept file is not removed", tt.why)
			}
		} else {
			removeKept(folder, filepath.Join(folder, name))
		}
		if text, err := os.ReadFile(victim); string(text) != "mine" {
			t.Errorf("%s: the other account's file holds %q, %v", tt.why, text, err)
		}
	}
}

// TestKeptPipe keeps an output in a named pipe. The judge writes to a pipe of its own account, and
// replaces one of another account, which could block it.
func TestKeptPipe(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	for name, owner := range map[string]int{"own": os.Geteuid(), "other": os.Geteuid() + 1} {
		path := filepath.Join(folder, name)
		if err := unix.Mkfifo(path, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chown(path, owner, -1); err != nil {
			t.Logf("not checked: a pipe of another account: %v", err)
			continue
		}
		listener, err := os.OpenFile(path, os.O_RDWR|unix.O_NONBLOCK, 0)
		if err != nil {
			t.Fatal(err)
		}
		defer listener.Close()
		k, err := newKept("", folder, name)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = k.Write([]byte("new"))
		heard, own := make([]byte, 8), name == "own"
		n, _ := unix.Read(int(listener.Fd()), heard)
		if got := string(heard[:max(n, 0)]); own != (got == "new") {
			t.Errorf("%s: heard %q", name, got)
		}
		if _, err := k.finish(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		removeKept(folder, path)
		if _, err := os.Lstat(path); own != (err == nil) {
			t.Errorf("%s: after its removal: %v", name, err)
		}
	}
}

// TestJudgeFailed checks that the cause of every failure of the judge is one line.
func TestJudgeFailed(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why  string
		err  error
		want string
	}{
		{"two reasons", errors.Join(errors.New("first"), errors.New("second")), "the judge failed: first; second"},
		{"a compiler that does not start", &sandbox.StartError{Err: errors.New("exec format error")}, "the judge failed: cannot start: exec format error"},
	} {
		a := &attempt{examination: &examination{sub: &submission{}}}
		if r, _ := a.judgeRun(t.Context(), run.Outcome{Err: tt.err}, nil); r.event.Verdict != verdict.JE || r.event.Cause != tt.want {
			t.Errorf("%s: %v %q, want %q", tt.why, r.event.Verdict, r.event.Cause, tt.want)
		}
	}
}
