//go:build linux

package sandbox

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"tribunal/judge/internal/limits"
)

// short is the CPU and wall limit of programs that set none of their own.
const short = 200 * time.Millisecond

// guilty are programs that end in a known way in every mode. What only one mode can detect has a
// test of its own.
var guilty = []struct {
	name, why, source string
	stop              StopReason
	cpu, wall         time.Duration // 0 is the usual limit
	code              int
	signal            syscall.Signal
	stack             bool
	stdout            string
}{
	{
		name: "echo", why: "the ordinary case", source: hello, stdout: "hi\n",
	},
	{
		name: "status", why: "the exit status survives", source: `int main(){return 7;}`, code: 7,
	},
	{
		name: "abort", why: "a signal that the program caused", source: `#include <stdlib.h>
int main(){abort();}`, stop: Signalled, signal: syscall.SIGABRT,
	},
	{
		name: "killed", why: "a SIGKILL that the sandbox did not send is not a limit", source: `#include <signal.h>
#include <unistd.h>
int main(){kill(getpid(),SIGKILL);}`, stop: Signalled, signal: syscall.SIGKILL,
	},
	{
		name: "spin", why: "CPU time over the limit", source: `int main(){for(volatile int i=0;;i++);}`, stop: OverCPU, cpu: short,
	},
	{
		name: "spin-in-children", why: "CPU time of the whole tree counts", source: `#include <unistd.h>
#include <sys/wait.h>
int main(){for(int i=0;i<3;i++) if(!fork()) for(volatile int j=0;;j++); while(wait(0)>0);}`, stop: OverCPU, cpu: short,
	},
	{
		name: "sleep", why: "wall time over the limit", source: `#include <unistd.h>
int main(){sleep(60);}`, stop: OverWall, wall: short,
	},
	{
		name: "memory", why: "touched memory over the limit", source: `#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int main(){for(int i=0;i<512;i++){char*p=malloc(1<<20);memset(p,i,1<<20);usleep(100);}sleep(60);}`, stop: OverMemory,
	},
	{
		name: "reserved", why: "address space that is not touched does not count as memory", source: `#include <sys/mman.h>
#include <stdio.h>
int main(){return mmap(0,8L<<30,PROT_READ|PROT_WRITE,MAP_PRIVATE|MAP_ANONYMOUS|MAP_NORESERVE,-1,0)==MAP_FAILED;}`,
	},
	{
		name: "flood", why: "standard output over the limit", source: `#include <stdio.h>
int main(){for(;;) puts("0123456789abcdef");}`, stop: OverOutput,
	},
	{
		name: "error-flood", why: "standard error has a limit as well", source: `#include <unistd.h>
int main(){static char b[65536];for(;;) write(2,b,sizeof b);}`, stop: OverOutput,
	},
	{
		name: "ptrace", why: "a denied call is reported as such", source: `#include <sys/ptrace.h>
int main(){ptrace(PTRACE_TRACEME,0,0,0);return 0;}`, stop: Forbidden, signal: syscall.SIGSYS,
	},
	{
		name: "ipc", why: "shared memory that outlives its run is refused", source: `#include <errno.h>
#include <sys/ipc.h>
#include <sys/shm.h>
int main(){return !(shmget(1122,4096,IPC_CREAT|0600)<0 && errno==ENOSYS);}`,
	},
	{
		name: "deep", why: "a deep recursion within the stack is allowed", source: `#include <string.h>
int f(int n){volatile char b[1024];memset((char*)b,n,1024);return n?f(n-1)+b[7]:b[0];}
int main(){return f(30000)==-12345;}`,
	},
	{
		name: "bottomless", why: "a stack overflow is reported", source: `int f(int n){volatile char b[1024];b[n&1023]=1;return f(n+1)+b[5];}
int main(){return f(0);}`, stop: Signalled, signal: syscall.SIGSEGV, stack: true,
	},
	{
		name: "null", why: "another wild access is not called a stack overflow", source: `int main(){volatile int*p=0;return *p;}`,
		stop: Signalled, signal: syscall.SIGSEGV,
	},
	{
		name: "orphan", why: "a process that a program leaves behind does not delay the judge", source: `#include <unistd.h>
int main(){if(!fork()){setsid();if(!fork()){sleep(60);}_exit(0);}return 0;}`,
	},
}

func TestHowProgramsEnd(t *testing.T) {
	modes(t, func(t *testing.T, h *Host) {
		b := box(t, h, Spec{})
		for _, tt := range guilty {
			t.Run(tt.name, func(t *testing.T) {
				exe := compileC(t, tt.source)
				var out bytes.Buffer
				l := usual
				l.CPU, l.Wall = cmp.Or(tt.cpu, l.CPU), cmp.Or(tt.wall, l.Wall)
				r, err := b.Run(t.Context(), Command{
					Args: []string{"/w/p"}, Exe: exe, Stdin: input(t, "hi\n"), Stdout: &out,
					Limits: l, Grace: 50 * time.Millisecond, CPUs: AllowedCPUs()[:1],
				})
				if err != nil {
					t.Fatal(err)
				}
				if r.Stop != tt.stop || r.ExitCode != tt.code || tt.signal != 0 && r.Signal != Signal(tt.signal) || r.StackOverflow != tt.stack {
					t.Errorf("%s: got %+v", tt.why, r)
				}
				if tt.stop == Exited && out.String() != tt.stdout {
					t.Errorf("standard output is %q, want %q", out.String(), tt.stdout)
				}
				if got := limits.Bytes(out.Len()); got > usual.Output {
					t.Errorf("the writer got %d bytes, more than the limit", got)
				}
				if tt.stop == OverCPU && r.CPU < l.CPU {
					t.Errorf("stopped for CPU time after %v", r.CPU)
				}
			})
		}
	})
}

// TestForeignKill checks a run that is killed by the memory limit of a group above the judge's, far
// below its own limit: that is the judge's failure, and does not affect the next run in the same
// group.
func TestForeignKill(t *testing.T) {
	h, why := OpenMode("cgroup")
	if why != "" {
		t.Skipf("not checked: limits around the judge: %s", why)
	}
	t.Cleanup(func() { h.Close() })
	grow := compileC(t, `#include <stdlib.h>
#include <string.h>
int main(int c,char**v){for(int i=atoi(v[1]);i>0;i--){char*p=malloc(1<<20);if(!p)return 1;memset(p,i,1<<20);}return 0;}`)
	name, none := "memory.limit_in_bytes", "-1"
	if h.groups.v2 {
		name, none = "memory.max", "max"
	}
	b := box(t, h, Spec{})
	l := usual
	l.Memory = 32 * limits.MiB
	run := func(size string) (Result, error) {
		return b.Run(t.Context(), Command{Args: []string{"/w/p", size}, Exe: grow, Limits: l})
	}
	if r, err := run("1"); err != nil || r.Stop != Exited { // makes the group
		t.Fatalf("%+v %v", r, err)
	}
	if err := writeControl(h.groups.memory, name, "16000000"); err != nil {
		t.Fatal(err)
	}
	r, err := run("24")
	if !errors.Is(err, errForeignKill) {
		t.Errorf("killed by a limit around it: %+v %v", r, err)
	}
	if err := writeControl(h.groups.memory, name, none); err != nil {
		t.Fatal(err)
	}
	for _, n := range []string{"24", "4"} {
		if r, err := run(n); err != nil || r.Stop != Exited {
			t.Errorf("%s MiB after that: %+v %v", n, r, err)
		}
	}
	if r, err := run("48"); err != nil || r.Stop != OverMemory {
		t.Errorf("over its own limit: %+v %v", r, err)
	}
}

func TestCannotStart(t *testing.T) {
	text := filepath.Join(t.TempDir(), "text")
	os.WriteFile(text, []byte("not a program\n"), 0o755)
	exe := compileC(t, `int main(){return 0;}`)
	modes(t, func(t *testing.T, h *Host) {
		b := box(t, h, Spec{})
		f, err := os.Open(text)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		for _, cmd := range []Command{{Args: []string{"/w/p"}, Exe: f}, {Args: []string{"/no/such/program"}}, {Args: []string{"/dev/null/program"}}} {
			cmd.Limits = usual
			_, err := b.Run(t.Context(), cmd)
			if start := (*StartError)(nil); !errors.As(err, &start) {
				t.Errorf("%v: got %v, want a StartError", cmd.Args, err)
			}
		}
		// The box must still work.
		r, err := b.Run(t.Context(), Command{Args: []string{"/w/p"}, Exe: exe, Limits: usual})
		if err != nil || r.Stop != Exited || r.ExitCode != 0 {
			t.Errorf("after failed starts: %+v %v", r, err)
		}
	})
}

func TestCancel(t *testing.T) {
	exe := compileC(t, `#include <stdio.h>
#include <unistd.h>
int main(){puts("up");fflush(stdout);for(;;)pause();}`)
	modes(t, func(t *testing.T, h *Host) {
		b := box(t, h, Spec{})
		ctx, cancel := context.WithCancel(t.Context())
		r, err := b.Run(ctx, Command{Args: []string{"/w/p"}, Exe: exe, Limits: limits.Limits{Wall: time.Minute}, Stdout: writerFunc(cancel)})
		if err != nil || r.Stop != Cancelled {
			t.Errorf("got %+v %v, want Cancelled", r, err)
		}
	})
}

// writerFunc is called when something is written.
type writerFunc func()

func (f writerFunc) Write(p []byte) (int, error) { f(); return len(p), nil }
