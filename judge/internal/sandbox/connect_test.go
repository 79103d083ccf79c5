//go:build linux

package sandbox

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"tribunal/judge/internal/limits"
)

// pipesOpen counts this process's descriptors of pipes.
func pipesOpen(t *testing.T) (n int) {
	t.Helper()
	list, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range list {
		if to, _ := os.Readlink("/proc/self/fd/" + f.Name()); len(to) > 5 && to[:5] == "pipe:" {
			n++
		}
	}
	return n
}

// TestConnect runs two connected programs, one of which closes an end of a pipe and keeps running:
// in every mode, the other must notice that during the run. The end of a run must be reported
// before the other program can notice it.
func TestConnect(t *testing.T) {
	const prelude = `#include <signal.h>
#include <unistd.h>
int main(void) { char c; `
	for _, tt := range []struct {
		why         string
		left, right string
		shut        int // how many ends the left program has closed before its end is reported
	}{
		{"output is closed: the other reads to the end and answers", `close(1); return read(0,&c,1)!=1;`, `while(read(0,&c,1)==1); return write(1,"x",1)!=1;`, 1},
		{"input is closed: the other gets an error when it writes, and then this one the end of file",
			`signal(SIGPIPE,SIG_IGN); close(0); while(write(1,"x",1)==1); return 0;`,
			`signal(SIGPIPE,SIG_IGN); while(write(1,"x",1)==1); return 0;`, 1},
		{"a child holds an end and closes it", `if(!fork()){ usleep(100000); close(1); pause(); } close(1); return read(0,&c,1)!=1;`,
			`while(read(0,&c,1)==1); return write(1,"x",1)!=1;`, 1},
		{"each program reopens its ends by name", `int f=open("/dev/stdout",O_WRONLY); if(f<0||write(f,"x",1)!=1) return 1; return read(0,&c,1)!=1;`,
			`int f=open("/dev/stdin",O_RDONLY); if(f<0||read(f,&c,1)!=1) return 1; return write(1,"x",1)!=1;`, 0},
	} {
		left, right := compileC(t, "#include <fcntl.h>\n"+prelude+tt.left+"}"), compileC(t, "#include <fcntl.h>\n"+prelude+tt.right+"}")
		modes(t, func(t *testing.T, h *Host) {
			cmds := [2]Command{{Args: []string{"/w/p"}, Exe: left}, {Args: []string{"/w/p"}, Exe: right}}
			boxes := [2]Box{box(t, h, Spec{}), box(t, h, Spec{})}
			before := pipesOpen(t)
			if err := Connect(&cmds[0], &cmds[1]); err != nil {
				t.Fatal(err)
			}
			var both sync.WaitGroup
			for side := range cmds {
				both.Go(func() {
					cmd := cmds[side]
					cmd.Limits = limits.Limits{CPU: usual.CPU, Wall: usual.Wall, Memory: 64 * limits.MiB, Processes: 8}
					ended, shut := 0, 0
					cmd.OnEnd = func(bool) {
						ended++
						for _, f := range []*os.File{cmd.In, cmd.Out} {
							if f.Fd() == ^uintptr(0) {
								shut++
							}
						}
					}
					r, err := boxes[side].Run(t.Context(), cmd)
					if err != nil || r.Stop != Exited || r.ExitCode != 0 || ended != 1 {
						t.Errorf("%s: side %d: %+v %v, ended %d times", tt.why, side, r, err, ended)
					}
					if want := tt.shut * (1 - side); shut != want {
						t.Errorf("%s: side %d: %d pipe ends were closed before its end was reported, want %d", tt.why, side, shut, want)
					}
				})
			}
			both.Wait()
			if after := pipesOpen(t); after != before {
				t.Errorf("%s: %d pipes are open, %d were before", tt.why, after, before)
			}
		})
	}
}

// TestActivity polls runs that have reached the state in which they stay.
func TestActivity(t *testing.T) {
	for i, tt := range []struct {
		why, source string
		waits       bool
	}{
		{"it reads its input", `read(0,&c,1);`, true},
		{"it writes, and the pipe is full", `static char b[4096]; for(;;) write(1,b,sizeof b);`, true},
		{"it polls without a timeout", `poll(&(struct pollfd){0,POLLIN},1,-1);`, true},
		{"it polls with a timeout", `poll(&(struct pollfd){0,POLLIN},1,100000);`, false},
		{"it selects without a timeout", `fd_set s; FD_ZERO(&s); FD_SET(0,&s); select(1,&s,0,0,0);`, true},
		{"it sleeps", `sleep(100);`, false},
		{"it waits for a pipe of its own", `int p[2]; pipe(p); read(p[0],&c,1);`, false},
		{"a child of the program reads", `if(!fork()) read(0,&c,1); wait(0);`, true},
	} {
		exe := compileC(t, `#include <poll.h>
#include <sys/select.h>
#include <sys/wait.h>
#include <unistd.h>
int main(void){char c=0; `+tt.source+` return 0;}`)
		run := strongest
		if i == 0 || strings.Contains(tt.source, "fork") {
			run = modes // which find the processes of a run in different ways
		}
		run(t, func(t *testing.T, h *Host) {
			var cmd, other Command
			if err := Connect(&cmd, &other); err != nil {
				t.Fatal(err)
			}
			defer other.Close()
			cmd.Args, cmd.Exe = []string{"/w/p"}, exe
			cmd.Limits = limits.Limits{Wall: 500 * time.Millisecond, Memory: 64 * limits.MiB, Processes: 8}
			var live *Running
			looks := 0
			cmd.OnStart = func(_ context.Context, r *Running) { live = r }
			cmd.OnOverWall = func() {
				looks++
				if cpu, waits, ok := live.Activity(); !ok || waits != tt.waits || cpu < 0 {
					t.Errorf("%s: used %v, waits %v, ok %v, want %v", tt.why, cpu, waits, ok, tt.waits)
				}
			}
			r, err := box(t, h, Spec{}).Run(t.Context(), cmd)
			if err != nil || r.Stop != OverWall || looks != 1 {
				t.Errorf("%s: %+v %v after %d looks", tt.why, r, err, looks)
			}
			if _, _, ok := live.Activity(); ok {
				t.Errorf("%s: a run that has ended reports activity", tt.why)
			}
		})
	}
}

func TestParseCall(t *testing.T) {
	t.Parallel()
	line := func(number int, args string) string { return fmt.Sprint(number, " ", args, " 0x7ffe 0x7f12") }
	for _, tt := range []struct {
		why, text string
		ok, ever  bool
	}{
		{"it runs", "running\n", false, false},
		{"it is in no call", "-1 0x7ffe 0x7f12", false, false},
		{"the file is empty", "", false, false},
		{"a nil pointer to a time", line(unix.SYS_PPOLL, "0x1 0x1 0x0 0x0 0x0 0x0"), true, true},
		{"a pointer to a time", line(unix.SYS_PPOLL, "0x1 0x1 0x7ffe 0x0 0x0 0x0"), true, false},
		{"a negative time", line(unix.SYS_EPOLL_PWAIT, "0x6 0x7f 0x80 0xffffffffffffffff 0x0 0x0"), true, true},
		{"a negative time in the low half", line(unix.SYS_EPOLL_PWAIT, "0x6 0x7f 0x80 0xffffffff 0x0 0x0"), true, true},
		{"a time of 0", line(unix.SYS_EPOLL_PWAIT, "0x6 0x7f 0x80 0x0 0x0 0x0"), true, false},
		{"another call", line(unix.SYS_FUTEX, "0x6 0x80 0x0 0x0 0x0 0x0"), true, false},
	} {
		number, args, ok := parseCall([]byte(tt.text))
		if ok != tt.ok || ok && forEver(number, args) != tt.ever {
			t.Errorf("%s: %d %v %v", tt.why, number, args, ok)
		}
	}
}

// TestRecord compares what a transcript keeps of random pieces with all that was added to it.
func TestRecord(t *testing.T) {
	t.Parallel()
	for seed := range uint64(300) {
		random := rand.New(rand.NewPCG(seed, 3))
		r := transcript{half: 1 + random.IntN(40)}
		var whole []byte
		for i := range random.IntN(60) {
			text := make([]byte, 1+random.IntN(1+random.IntN(100)))
			for k := range text {
				text[k] = byte(random.IntN(256))
			}
			whole = append(whole, text...)
			r.add(text, time.Unix(int64(i), 0), i)
			clear(text) // the relay reuses its buffer
		}
		var begin, end []byte
		var lost int64
		order := 0
		for _, s := range r.all() {
			if lost += s.Lost; lost > 0 {
				end = append(end, s.Text...)
			} else {
				begin = append(begin, s.Text...)
			}
			if s.order < order || len(s.Text) == 0 {
				t.Errorf("seed %d: piece %d after %d with %d bytes", seed, s.order, order, len(s.Text))
			}
			order = s.order
		}
		if !bytes.HasPrefix(whole, begin) || !bytes.HasSuffix(whole, end) || int64(len(begin)+len(end))+lost != int64(len(whole)) {
			t.Errorf("seed %d: kept %d and %d bytes, lost %d of %d", seed, len(begin), len(end), lost, len(whole))
		}
		if lost > 0 && (len(begin) != r.half || len(end) != r.half) {
			t.Errorf("seed %d: kept %d and %d bytes of %d each, lost %d", seed, len(begin), len(end), r.half, lost)
		}
	}
}
