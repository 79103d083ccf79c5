package sandbox

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"tribunal/judge/internal/limits"
)

func TestMain(m *testing.M) {
	Init()
	os.Exit(m.Run())
}

// compileC builds a C program for the jail.
func compileC(t testing.TB, source string) *os.File {
	t.Helper()
	dir := t.TempDir()
	src, exe := filepath.Join(dir, "p.c"), filepath.Join(dir, "p")
	if err := os.WriteFile(src, []byte(source), 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("gcc", "-O1", "-pthread", "-o", exe, src).CombinedOutput(); err != nil {
		t.Skipf("not checked: how C programs end (no working gcc): %v\n%s", err, out)
	}
	f, err := os.Open(exe)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

func input(t testing.TB, text string) *os.File {
	t.Helper()
	f, err := MemFile([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// modes are the ways to run that this machine has, each tested alike: containers
// with cgroups, containers that poll as for an ordinary user, and rlimit.
func modes(t *testing.T, test func(t *testing.T, h *Host)) {
	for _, name := range ModeNames {
		t.Run(name, func(t *testing.T) {
			h, why := OpenMode(name)
			if why != "" {
				t.Skipf("not checked: %s", why)
			}
			t.Cleanup(func() { h.Close() })
			test(t, h)
		})
	}
}

func box(t testing.TB, h *Host, spec Spec) Box {
	t.Helper()
	b, err := h.NewBox(spec)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close() })
	return b
}

var usual = limits.Limits{
	CPU: time.Second, Wall: 2 * time.Second, Memory: 64 * limits.MiB, Output: 64 * limits.KiB, Processes: 64,
}

const hello = `#include <stdio.h>
int main(){char b[64]; if(fgets(b,64,stdin)) fputs(b,stdout); return 0;}`

// guilty are programs that end in a known way in every mode. What a mode alone can
// tell is in a test of its own.
var guilty = []struct {
	name, why, source string
	stop              Stop
	wall              time.Duration // 0 is the usual limit
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
		name: "abort", why: "a signal the program brought on itself", source: `#include <stdlib.h>
int main(){abort();}`, stop: Signalled, signal: syscall.SIGABRT,
	},
	{
		name: "killed", why: "a SIGKILL that the sandbox did not send is no limit", source: `#include <signal.h>
#include <unistd.h>
int main(){kill(getpid(),SIGKILL);}`, stop: Signalled, signal: syscall.SIGKILL,
	},
	{
		name: "spin", why: "CPU time over the limit", source: `int main(){for(volatile int i=0;;i++);}`, stop: OverCPU, wall: time.Minute,
	},
	{
		name: "spin-in-children", why: "CPU time of the whole tree counts", source: `#include <unistd.h>
#include <sys/wait.h>
int main(){for(int i=0;i<3;i++) if(!fork()) for(volatile int j=0;;j++); while(wait(0)>0);}`, stop: OverCPU, wall: time.Minute,
	},
	{
		name: "sleep", why: "wall time over the limit", source: `#include <unistd.h>
int main(){sleep(60);}`, stop: OverWall,
	},
	{
		name: "memory", why: "touched memory over the limit", source: `#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int main(){for(int i=0;i<512;i++){char*p=malloc(1<<20);memset(p,i,1<<20);usleep(100);}sleep(60);}`, stop: OverMemory,
	},
	{
		name: "reserved", why: "address space that is not touched is no memory", source: `#include <sys/mman.h>
#include <stdio.h>
int main(){return mmap(0,8L<<30,PROT_READ|PROT_WRITE,MAP_PRIVATE|MAP_ANONYMOUS|MAP_NORESERVE,-1,0)==MAP_FAILED;}`,
	},
	{
		name: "flood", why: "standard output over the limit", source: `#include <stdio.h>
int main(){for(;;) puts("0123456789abcdef");}`, stop: OverOutput,
	},
	{
		name: "error-flood", why: "standard error is bounded as well", source: `#include <unistd.h>
int main(){static char b[65536];for(;;) write(2,b,sizeof b);}`, stop: OverOutput, wall: time.Minute,
	},
	{
		name: "ptrace", why: "a denied call is told as such", source: `#include <sys/ptrace.h>
int main(){ptrace(PTRACE_TRACEME,0,0,0);return 0;}`, stop: Forbidden, signal: syscall.SIGSYS,
	},
	{
		name: "ipc", why: "shared memory that outlives its run is refused", source: `#include <errno.h>
#include <sys/ipc.h>
#include <sys/shm.h>
int main(){return !(shmget(1122,4096,IPC_CREAT|0600)<0 && errno==ENOSYS);}`,
	},
	{
		name: "deep", why: "a deep recursion within the stack is well", source: `#include <string.h>
int f(int n){volatile char b[1024];memset((char*)b,n,1024);return n?f(n-1)+b[7]:b[0];}
int main(){return f(30000)==-12345;}`,
	},
	{
		name: "bottomless", why: "a stack that ran over is told", source: `int f(int n){volatile char b[1024];b[n&1023]=1;return f(n+1)+b[5];}
int main(){return f(0);}`, stop: Signalled, signal: syscall.SIGSEGV, stack: true,
	},
	{
		name: "null", why: "another wild access is not called a stack overflow", source: `int main(){volatile int*p=0;return *p;}`,
		stop: Signalled, signal: syscall.SIGSEGV,
	},
	{
		name: "orphan", why: "what a program leaves behind does not hold the judge up", source: `#include <unistd.h>
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
				if tt.wall > 0 {
					l.Wall = tt.wall
				}
				r, err := b.Run(t.Context(), Command{
					Args: []string{"/w/p"}, Exe: exe, Stdin: input(t, "hi\n"), Stdout: &out,
					Limits: l, Grace: 100 * time.Millisecond, CPUs: AllowedCPUs()[:1],
				})
				if err != nil {
					t.Fatal(err)
				}
				if r.Stop != tt.stop || r.ExitCode != tt.code || tt.signal != 0 && r.Signal != tt.signal || r.StackOverflow != tt.stack {
					t.Errorf("%s: got %+v", tt.why, r)
				}
				if tt.stop == Exited && out.String() != tt.stdout {
					t.Errorf("standard output is %q, want %q", out.String(), tt.stdout)
				}
				if got := limits.Bytes(out.Len()); got > usual.Output {
					t.Errorf("the writer got %d bytes, more than the limit", got)
				}
				if tt.stop == OverCPU && r.CPU < usual.CPU {
					t.Errorf("stopped for CPU time after %v", r.CPU)
				}
			})
		}
	})
}

// TestMeasurements compares what is measured with what the program did, within
// what is certain on a busy machine: at least so much.
func TestMeasurements(t *testing.T) {
	exe := compileC(t, `#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
int main(){
	volatile char*p=malloc(32<<20); for(int i=0;i<32<<20;i+=4096) p[i]=1;
	struct timespec t; do clock_gettime(CLOCK_PROCESS_CPUTIME_ID,&t); while(t.tv_sec*1000+t.tv_nsec/1000000<200);
	usleep(100000); return p[12345]==2;
}`)
	modes(t, func(t *testing.T, h *Host) {
		b := box(t, h, Spec{})
		for range 2 { // the second must not inherit from the first
			r, err := b.Run(t.Context(), Command{Args: []string{"/w/p"}, Exe: exe, Limits: limits.Limits{Wall: time.Minute}})
			if err != nil {
				t.Fatal(err)
			}
			// The clock of the process includes what it did before its execve.
			if r.CPU < 190*time.Millisecond || r.CPU > 800*time.Millisecond {
				t.Errorf("CPU %v of a program that used 200ms", r.CPU)
			}
			if r.Wall < 290*time.Millisecond {
				t.Errorf("wall %v of a program that took 300ms", r.Wall)
			}
			if r.Memory < 32*limits.MiB || r.Memory > 40*limits.MiB {
				t.Errorf("memory %v of a program that touched 32MiB", r.Memory.Human())
			}
		}
	})
}

// leavings are ways to leave something for the next run. Each program fails when it
// finds what it left.
var leavings = []struct{ why, source string }{
	{"a file", `FILE*f=fopen("left","r"); if(f) return 1;
		f=fopen("left","w"); if(!f) return 2; fputs("x",f); fclose(f);`},
	{"more files than are worth removing", `char b[9]; for(int i=0;i<5000;i++){ sprintf(b,"f%d",i);
		int f=open(b,O_CREAT|O_EXCL|O_WRONLY,0600); if(f<0) return 1; close(f); }`},
	{"deep folders that deny entry", `for(int i=0;i<200;i++){ if(mkdir("d",0700)) return 1; if(chdir("d")) return 2; }
		for(int i=0;i<200;i++){ if(chdir("..")) return 3; chmod("d",0); }`},
	{"a folder without permissions", `int f=open("new",O_CREAT|O_WRONLY,0600); if(f<0) return 1;
		close(f); unlink("new"); chmod(".",0);`},
	{"an attribute of the folder", `if(getxattr(".","user.left",0,0)>=0) return 1; setxattr(".","user.left","x",1,0);`},
	{"the time of the folder", `struct stat s; stat(".",&s); if(s.st_mtime==4711) return 1;
		struct timespec t[2]={{4711,0},{4711,0}}; utimensat(AT_FDCWD,".",t,0);`},
}

func TestTemporaryFoldersAreWiped(t *testing.T) {
	modes(t, func(t *testing.T, h *Host) {
		b := box(t, h, Spec{})
		for _, tt := range leavings {
			exe := compileC(t, `#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>
int main(){ `+tt.source+` return 0; }`)
			for i := range 3 {
				r, err := b.Run(t.Context(), Command{Args: []string{"/w/p"}, Exe: exe, Limits: usual})
				if err != nil || r.ExitCode != 0 {
					t.Errorf("%s: run %d: %+v %v", tt.why, i, r, err)
				}
			}
		}
	})
}

// TestProcesses counts how many processes a program gets, itself included.
func TestProcesses(t *testing.T) {
	exe := compileC(t, `#include <unistd.h>
int main(){int n=1;for(;n<60;n++){int p=fork();if(p<0)break;if(p==0)for(alarm(10);;)pause();}return n;}`)
	modes(t, func(t *testing.T, h *Host) {
		m := h.Mechanisms()
		if m.Processes == "" {
			t.Skipf("not checked: the limit of processes, which %s as root does not have", m.Mode)
		}
		// The kernel's limit of an account counts the judge's or the init's own threads,
		// which come and go.
		slack := 0
		if m.Processes == "RLIMIT_NPROC" && os.Geteuid() != 0 {
			slack = 16
		}
		b := box(t, h, Spec{})
		for range 3 {
			l := usual
			l.Processes = 20
			r, err := b.Run(t.Context(), Command{Args: []string{"/w/p"}, Exe: exe, Limits: l})
			if err != nil || r.Stop != Exited || r.ExitCode < 20-slack/4 || r.ExitCode > 20+slack {
				t.Errorf("%d processes under a limit of %d: %+v %v", r.ExitCode, l.Processes, r, err)
			}
		}
	})
}

// TestForeignKill has a run killed by a limit around the judge's groups, far below its
// own: that is the judge's failure, and no word on the next run in the same group.
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
	l.Memory = 128 * limits.MiB
	run := func(size string) (Result, error) {
		return b.Run(t.Context(), Command{Args: []string{"/w/p", size}, Exe: grow, Limits: l})
	}
	if r, err := run("1"); err != nil || r.Stop != Exited { // the group is there now
		t.Fatalf("%+v %v", r, err)
	}
	if err := put(h.groups.memory, name, "40000000"); err != nil {
		t.Fatal(err)
	}
	r, err := run("100")
	if !errors.Is(err, errForeignKill) {
		t.Errorf("killed by a limit around it: %+v %v", r, err)
	}
	if err := put(h.groups.memory, name, none); err != nil {
		t.Fatal(err)
	}
	for _, n := range []string{"100", "10"} {
		if r, err := run(n); err != nil || r.Stop != Exited {
			t.Errorf("%s MiB after that: %+v %v", n, r, err)
		}
	}
	if r, err := run("200"); err != nil || r.Stop != OverMemory {
		t.Errorf("over its own limit: %+v %v", r, err)
	}
}

func TestMounts(t *testing.T) {
	exe := compileC(t, `#include <stdio.h>
int main(int c,char**v){
	char b[9]={0}; FILE*f=fopen(v[1],"r"); if(!f||!fgets(b,9,f)) return 1; fputs(b,stdout);
	return fopen(v[2],"w")?0:3;
}`)
	modes(t, func(t *testing.T, h *Host) {
		dir := t.TempDir()
		os.Chmod(dir, 0o777)
		os.WriteFile(filepath.Join(dir, "in"), []byte("seen"), 0o644)
		for _, writable := range []bool{true, false} {
			b := box(t, h, Spec{Mounts: []Mount{{Source: dir, Target: "/data", Writable: writable}}, Dir: "/data"})
			var out bytes.Buffer
			r, err := b.Run(t.Context(), Command{
				Args: []string{"/w/p", "in", b.Path("/data/new")}, Exe: exe, Stdout: &out, Limits: usual,
			})
			want := 0
			if !writable && h.mode == Container {
				want = 3
			}
			if err != nil || out.String() != "seen" || r.ExitCode != want {
				t.Errorf("writable %v: %+v %q %v, want status %d", writable, r, out.String(), err, want)
			}
		}
		if _, err := h.NewBox(Spec{Mounts: []Mount{{Source: "/no/such", Target: "/data"}}}); err == nil && h.mode == Container {
			t.Error("a mount whose source does not exist must be an error")
		}
	})
}

// TestInheritedDescriptors has a descriptor open that the judge was started with.
func TestInheritedDescriptors(t *testing.T) {
	exe := compileC(t, `#include <fcntl.h>
int main(){for(int i=3;i<1024;i++) if(fcntl(i,F_GETFD)!=-1) return i;return 0;}`)
	modes(t, func(t *testing.T, h *Host) {
		fd, err := unix.FcntlInt(exe.Fd(), unix.F_DUPFD, 100) // without FD_CLOEXEC
		if err != nil {
			t.Fatal(err)
		}
		defer unix.Close(fd)
		r, err := box(t, h, Spec{}).Run(t.Context(), Command{Args: []string{"/w/p"}, Exe: exe, Limits: usual})
		if err != nil || r.Stop != Exited || r.ExitCode != 0 {
			t.Errorf("the program has descriptor %d: %+v %v", r.ExitCode, r, err)
		}
	})
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
		// The box must have survived that.
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

func TestStderrTail(t *testing.T) {
	t.Parallel()
	tail := &Tail{Size: 5}
	for _, part := range []string{"ab", "", "cdefgh", "ij"} {
		tail.Write([]byte(part))
	}
	if got := string(tail.Bytes()); got != "fghij" || !tail.Truncated() {
		t.Errorf("tail is %q, truncated %v", got, tail.Truncated())
	}
}

func TestOpenUnknownMode(t *testing.T) {
	t.Parallel()
	if _, err := Open("chroot"); err == nil || !strings.Contains(err.Error(), "hint:") {
		t.Errorf("got %v, want an error with a hint", err)
	}
}

// BenchmarkRun reports the cost of a jailed run, with and without the system call
// filter, against a bare fork, exec and wait of the same program, all on all CPUs, in
// the same process.
func BenchmarkRun(b *testing.B) {
	exe := compileC(b, hello)
	cpus := AllowedCPUs()
	jail := func(open bool) func(slot int) {
		h, err := Open(Auto)
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(func() { h.Close() })
		if h.open = open; open && h.spare != nil {
			h.spare.Close()
			h.spare = nil
		}
		boxes := make([]Box, len(cpus))
		for i := range boxes {
			boxes[i] = box(b, h, Spec{})
		}
		return func(slot int) {
			if _, err := boxes[slot].Run(context.Background(), Command{Args: []string{"/w/p"}, Exe: exe, Limits: usual, CPUs: cpus[slot : slot+1]}); err != nil {
				b.Error(err)
			}
		}
	}
	bare := func(int) {
		p, err := os.StartProcess(exe.Name(), []string{"p"}, &os.ProcAttr{Files: []*os.File{nil, nil, nil}})
		if err != nil {
			b.Error(err)
			return
		}
		p.Wait()
	}
	sealed, open := jail(false), jail(true)
	const runs = 200
	var full, unfiltered, floor time.Duration
	for b.Loop() {
		full += each(len(cpus), runs, sealed)
		unfiltered += each(len(cpus), runs, open)
		floor += each(len(cpus), runs, bare)
	}
	n := float64(b.N * runs)
	b.ReportMetric(float64(full.Microseconds())/n, "jail-µs/run")
	b.ReportMetric(float64(unfiltered.Microseconds())/n, "unfiltered-µs/run")
	b.ReportMetric(float64(floor.Microseconds())/n, "bare-µs/run")
	b.ReportMetric(float64(full)/float64(floor), "ratio")
	b.ReportMetric(float64(unfiltered)/float64(floor), "unfiltered-ratio")
}

// each calls f n times from as many goroutines as there are slots.
func each(slots, n int, f func(slot int)) time.Duration {
	start := time.Now()
	next := make(chan int)
	done := make(chan struct{})
	for slot := range slots {
		go func() {
			for range next {
				f(slot)
			}
			done <- struct{}{}
		}()
	}
	for i := range n {
		next <- i
	}
	close(next)
	for range slots {
		<-done
	}
	return time.Since(start)
}
