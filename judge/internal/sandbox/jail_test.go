//go:build linux

package sandbox

import (
	"context"
	"errors"
	"math/rand/v2"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"
	"unsafe"

	"github.com/criyle/go-sandbox/pkg/rlimit"
	"golang.org/x/sys/unix"

	"tribunal/judge/internal/limits"
)

// TestReply checks that a reply arrives as it was sent.
func TestReply(t *testing.T) {
	t.Parallel()
	sent := reply{kind: endedReply, stage: stageExec, errno: 2, text: 3, status: 4, last: 1, cpu: 1 << 40, rss: -1}
	var buf [replySize]byte
	sent.encode(&buf)
	var got reply
	if got.decode(&buf); got != sent {
		t.Errorf("got %+v, want %+v", got, sent)
	}
}

// TestLargeRequest checks that a large request does not hide the peaks of later programs where they
// are compared with that of the init.
func TestLargeRequest(t *testing.T) {
	exe := compileC(t, "int main(){ return 0; }")
	modes(t, func(t *testing.T, h *Host) {
		b, ok := box(t, h, Spec{}).(*containerBox)
		if !ok || h.groups != nil {
			t.Skip("not checked: only containers without cgroups compare peaks with the init's")
		}
		cmd := Command{Args: []string{"/w/p"}, Exe: exe, Limits: limits.Limits{Wall: time.Minute, Memory: limits.GiB}}
		peak := func() limits.Bytes {
			if _, err := b.Run(t.Context(), cmd); err != nil {
				t.Fatal(err)
			}
			return highWater(b.jail.pid())
		}
		before := peak()
		for range 48 {
			cmd.Env = append(cmd.Env, "A="+strings.Repeat("a", 120<<10))
		}
		large := peak()
		cmd.Env = nil
		if after := peak(); large < before+4*limits.MiB || after > before+2*limits.MiB {
			t.Errorf("the init's peak is %v, %v with a large environment, and %v after that", before, large, after)
		}
	})
}

// TestProgramPayload checks that an init reads the program that the judge has sent, and that it
// refuses every payload that was cut short.
func TestProgramPayload(t *testing.T) {
	t.Parallel()
	strs := func(list []*byte) (texts []string) {
		for _, p := range list[:len(list)-1] {
			texts = append(texts, unix.BytePtrToString(p))
		}
		return texts
	}
	args, env := []string{"/w/p", "", "a b"}, []string{"A=1", "EMPTY="}
	list := []rlimit.RLimit{{Res: unix.RLIMIT_CPU}, {Res: unix.RLIMIT_STACK}}
	list[0].Rlim.Cur, list[0].Rlim.Max = 3, 4
	payload := appendProgram(nil, withExe|withGroup, list, args, env)
	c := &containerInit{payload: payload, files: []int{3, 4, 5, 6, 7}}
	if err := c.parse(); err != nil {
		t.Fatal(err)
	}
	bounds := []resourceLimit{{unix.RLIMIT_CPU, unix.Rlimit{Cur: 3, Max: 4}}, {unix.RLIMIT_STACK, unix.Rlimit{}}}
	if got := strs(c.argv); !reflect.DeepEqual(got, args) {
		t.Errorf("arguments: got %q, want %q", got, args)
	}
	if got := strs(c.envp); !reflect.DeepEqual(got, env) {
		t.Errorf("environment: got %q, want %q", got, env)
	}
	if !reflect.DeepEqual(c.limits, bounds) || c.exe != 6 || c.group != 7 {
		t.Errorf("got limits %v, executable %d and group %d, want %v, 6 and 7", c.limits, c.exe, c.group, bounds)
	}
	if c.argv[len(args)] != nil || c.envp[len(env)] != nil || *(*[5]byte)(unsafe.Pointer(c.argv[0])) != [5]byte{'/', 'w', '/', 'p', 0} {
		t.Error("the lists do not end as the kernel needs them")
	}
	for n := range payload {
		c.payload = payload[:n]
		if err := c.parse(); err == nil {
			t.Fatalf("the first %d of %d bytes are accepted", n, len(payload))
		}
	}
	for _, tt := range []struct {
		why        string
		flags      uint32
		files      []int
		tasks      []int
		wantAccept bool
	}{
		{"a file is missing", withExe | withGroup, []int{3, 4, 5, 6}, nil, false},
		{"a file is left over", withExe | withGroup, []int{3, 4, 5, 6, 7, 8}, nil, false},
		{"three groups to enter", withExe | withTasks, []int{3, 4, 5, 6, 7, 8, 9}, []int{7, 8, 9}, true},
		{"no group to enter", withExe | withTasks, []int{3, 4, 5, 6}, nil, false},
	} {
		c.payload, c.files = appendProgram(nil, tt.flags, list, args, env), tt.files
		if err := c.parse(); (err == nil) != tt.wantAccept || err == nil && !reflect.DeepEqual(c.tasks, tt.tasks) {
			t.Errorf("%s: got %v and groups %v, want %v", tt.why, err, c.tasks, tt.tasks)
		}
	}
}

// TestLargeEnvironment runs a program with more variables than a socket holds at a time.
func TestLargeEnvironment(t *testing.T) {
	exe := compileC(t, `#include <stdio.h>
#include <string.h>
extern char**environ;
int main(){ long n=0; for(char**e=environ;*e;e++) n+=strlen(*e); printf("%ld\n", n); return 0; }`)
	modes(t, func(t *testing.T, h *Host) {
		var env []string
		for _, name := range []string{"A", "B", "C", "D", "E", "F", "G", "H"} {
			env = append(env, name+"="+strings.Repeat(name, 100_000-2))
		}
		var out strings.Builder
		r, err := box(t, h, Spec{}).Run(t.Context(), Command{Args: []string{"/w/p"}, Env: env, Exe: exe, Stdout: &out, Limits: usual})
		if err != nil || r.Stop != Exited || out.String() != "800000\n" {
			t.Errorf("got %v with %+v and %q", err, r, out.String())
		}
	})
}

// TestContainerSurvives checks that a container outlives programs that could not begin.
func TestContainerSurvives(t *testing.T) {
	h, err := Open(Container)
	if err != nil {
		t.Skipf("not checked: %v", err)
	}
	t.Cleanup(func() { h.Close() })
	exe, text := compileC(t, hello), input(t, "no executable\n")
	b := box(t, h, Spec{}).(*containerBox)
	init := b.jail.pid()
	for _, tt := range []struct {
		why   string
		cmd   Command
		check func(r Result, err error) bool
	}{
		{"not executable", Command{Args: []string{"p"}, Exe: text}, func(_ Result, err error) bool {
			_, ok := errors.AsType[*StartError](err)
			return ok
		}},
		{"no such program", Command{Args: []string{"/w/none"}}, func(_ Result, err error) bool {
			start, ok := errors.AsType[*StartError](err)
			return ok && start.Err == unix.ENOENT
		}},
		{"an argument that no program can get", Command{Args: []string{"p", "a\x00b"}, Exe: exe}, func(_ Result, err error) bool {
			return err != nil && strings.Contains(err.Error(), `zero byte: "a\x00b"`)
		}},
		{"cancelled before it began", Command{Args: []string{"p"}, Exe: exe}, func(r Result, err error) bool {
			return err == nil && r.Stop == Cancelled
		}},
		{"files that do not fit", Command{Args: []string{"p"}, Exe: exe, Files: map[string][]byte{"a/b": nil, "a": nil}}, func(_ Result, err error) bool {
			return err != nil && !errors.Is(err, ErrDied)
		}},
	} {
		ctx, cancel := context.WithCancel(t.Context())
		tt.cmd.Limits = usual
		if strings.HasPrefix(tt.why, "cancelled") {
			tt.cmd.OnStart = func(context.Context, *Running) { cancel() }
		}
		if r, err := b.Run(ctx, tt.cmd); !tt.check(r, err) {
			t.Errorf("%s: got %+v, %v", tt.why, r, err)
		}
		cancel()
		var out strings.Builder
		r, err := b.Run(t.Context(), Command{Args: []string{"p"}, Exe: exe, Stdin: input(t, "hi\n"), Stdout: &out, Limits: usual})
		if err != nil || r.Stop != Exited || out.String() != "hi\n" {
			t.Errorf("%s: then got %v with %+v and %q", tt.why, err, r, out.String())
		}
		if b.jail.pid() != init {
			t.Errorf("%s: the container was replaced", tt.why)
			init = b.jail.pid()
		}
	}
}

// TestLateKill checks that an order to kill a run that is over does not reach the next run. The
// runtime calls it in a goroutine of its own, which may get its CPU late.
func TestLateKill(t *testing.T) {
	h, err := Open(Container)
	if err != nil {
		t.Skipf("not checked: %v", err)
	}
	t.Cleanup(func() { h.Close() })
	j := box(t, h, Spec{}).(*containerBox).jail
	null := input(t, "")
	files := []int{int(null.Fd()), int(null.Fd()), int(null.Fd()), int(compileC(t, hello).Fd())}
	var late func()
	for round := range 2 {
		kill, err := j.prepare([]string{"p"}, nil, nil, withExe, files)
		if err != nil {
			t.Fatal(err)
		}
		if late != nil {
			late() // before the program begins
		}
		r, err := j.run(func(int) error { return nil })
		if err != nil || r.status != 0 {
			t.Errorf("round %d: got %+v, %v", round, r, err)
		}
		kill() // after its end
		late = kill
	}
	kill, err := j.prepare([]string{"p"}, nil, nil, withExe, files)
	if err != nil {
		t.Fatal(err)
	}
	kill()
	if r, err := j.run(func(int) error { return nil }); err != nil || unix.WaitStatus(r.status).ExitStatus() != 127 {
		t.Errorf("a run that is killed before it begins: got %+v, %v", r, err)
	}
}

// TestCancelAtAnyTime cancels every other run of two boxes at a random moment, often just when the
// program ends. No run may fail, and those between must succeed.
func TestCancelAtAnyTime(t *testing.T) {
	exe := compileC(t, hello)
	modes(t, func(t *testing.T, h *Host) {
		var both sync.WaitGroup
		for range 2 {
			b, ok := box(t, h, Spec{}).(*containerBox)
			if !ok {
				t.Skip("not checked: this mode has no containers")
			}
			both.Go(func() {
				var usually time.Duration // how long a run takes
				for i := range 120 {
					ctx, cancel := context.WithCancel(context.Background())
					if i%2 == 1 {
						time.AfterFunc(time.Duration(float64(usually)*(0.3+rand.Float64())), cancel)
					}
					start := time.Now()
					r, err := b.Run(ctx, Command{Args: []string{"p"}, Exe: exe, Limits: usual})
					if i%2 == 0 {
						usually = time.Since(start)
					}
					cancelled := i%2 == 1 && r.Stop == Cancelled
					if err != nil || !cancelled && (r.Stop != Exited || r.ExitCode != 0) {
						t.Errorf("run %d: got %+v, %v", i, r, err)
					}
					cancel()
				}
			})
		}
		both.Wait()
	})
}

// TestDeathDuringBegin checks that a container that dies just before its program begins is the error
// of the run, whatever begin makes of it: only then is the run repeated.
func TestDeathDuringBegin(t *testing.T) {
	exe := compileC(t, hello)
	modes(t, func(t *testing.T, h *Host) {
		b, ok := box(t, h, Spec{}).(*containerBox)
		if !ok {
			t.Skip("not checked: this mode has no containers")
		}
		null := input(t, "")
		files := []int{int(null.Fd()), int(null.Fd()), int(null.Fd()), int(exe.Fd())}
		if _, err := b.jail.prepare([]string{"p"}, nil, nil, withExe, files); err != nil {
			t.Fatal(err)
		}
		_, err := b.jail.run(func(int) error {
			_ = unix.Kill(b.jail.pid(), unix.SIGKILL)
			return unix.ESRCH
		})
		if !errors.Is(err, ErrDied) {
			t.Errorf("got %v, want an error that wraps ErrDied", err)
		}
	})
}
