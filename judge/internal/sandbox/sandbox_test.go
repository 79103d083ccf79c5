//go:build linux

package sandbox

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"tribunal/internal/tier"
	"tribunal/judge/internal/limits"
)

func TestMain(m *testing.M) {
	status := m.Run()
	os.RemoveAll(compiled.dir)
	os.Exit(status)
}

// compiled are the C programs of these tests, which are the same in each mode.
var compiled struct {
	sync.Mutex
	dir string
	exe map[string]string // executables by source
}

// compileC builds a C program for the jail, once for each source.
func compileC(t testing.TB, source string) *os.File {
	t.Helper()
	compiled.Lock()
	defer compiled.Unlock()
	if compiled.exe == nil {
		dir, err := os.MkdirTemp("", "compiled-")
		if err != nil {
			t.Fatal(err)
		}
		compiled.dir, compiled.exe = dir, map[string]string{}
	}
	exe := compiled.exe[source]
	if exe == "" {
		exe = filepath.Join(compiled.dir, strconv.Itoa(len(compiled.exe)))
		cmd := exec.Command("gcc", "-O1", "-pthread", "-o", exe, "-x", "c", "-")
		cmd.Stdin = strings.NewReader(source)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Skipf("not checked: how C programs end (no working gcc): %v\n%s", err, out)
		}
		if err := os.Chmod(exe, 0o755); err != nil { // the jail's account executes it, whatever the umask is
			t.Fatal(err)
		}
		compiled.exe[source] = exe
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

// strongest runs test in the strongest mode that this machine has, and in T3 in all.
func strongest(t *testing.T, test func(t *testing.T, h *Host)) {
	tested := false
	modes(t, func(t *testing.T, h *Host) {
		if tested {
			tier.T3(t, "other modes than the strongest")
		}
		tested = true
		test(t, h)
	})
}

// modes runs test in each mode that this machine has: containers with cgroups, containers that poll
// as for an ordinary user, and rlimit. With -short it runs only the strongest.
func modes(t *testing.T, test func(t *testing.T, h *Host)) {
	tested := false
	for _, name := range ModeNames {
		t.Run(name, func(t *testing.T) {
			if tested {
				tier.T2(t, "other modes than the strongest")
			}
			h, why := OpenMode(name)
			if why != "" {
				t.Skipf("not checked: %s", why)
			}
			t.Cleanup(func() { h.Close() })
			tested = true
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

// usual are limits that no program reaches by accident, however busy the host is and however dear its
// page faults are. A program that is about a limit sets that limit itself.
var usual = limits.Limits{
	CPU: time.Minute, Wall: 10 * time.Minute, Memory: 64 * limits.MiB, Output: 64 * limits.KiB, Processes: 64,
}

const hello = `#include <stdio.h>
int main(){char b[64]; if(fgets(b,64,stdin)) fputs(b,stdout); return 0;}`

// TestMeasurements compares measurements with what the program did. Of times it checks lower bounds only,
// because nothing else is certain on a busy machine.
func TestMeasurements(t *testing.T) {
	exe := compileC(t, `#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
int main(){
	volatile char*p=malloc(16<<20); for(int i=0;i<16<<20;i+=4096) p[i]=1;
	struct timespec t; do clock_gettime(CLOCK_PROCESS_CPUTIME_ID,&t); while(t.tv_sec*1000+t.tv_nsec/1000000<100);
	usleep(100000); return p[12345]==2;
}`)
	modes(t, func(t *testing.T, h *Host) {
		b := box(t, h, Spec{})
		for range 2 { // the second run must not inherit from the first
			r, err := b.Run(t.Context(), Command{Args: []string{"/w/p"}, Exe: exe, Limits: limits.Limits{Wall: usual.Wall}})
			if err != nil {
				t.Fatal(err)
			}
			// The process's CPU time includes that before its execve.
			if r.CPU < 90*time.Millisecond {
				t.Errorf("CPU %v of a program that used 100ms", r.CPU)
			}
			if r.Wall < 190*time.Millisecond {
				t.Errorf("wall %v of a program that took 200ms", r.Wall)
			}
			if r.Memory < 16*limits.MiB || r.Memory > 24*limits.MiB {
				t.Errorf("memory %v of a program that touched 16MiB", r.Memory.Human())
			}
		}
	})
}

// leavings are ways to leave something for the next run. Each program fails if it finds what an
// earlier run left.
var leavings = []struct{ why, source string }{
	{"a file", `FILE*f=fopen("left","r"); if(f) return 1;
		f=fopen("left","w"); if(!f) return 2; fputs("x",f); fclose(f);`},
	{"more files than are worth removing", `char b[9]; for(int i=0;i<300;i++){ sprintf(b,"f%d",i);
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
			for i := range 2 {
				r, err := b.Run(t.Context(), Command{Args: []string{"/w/p"}, Exe: exe, Limits: usual})
				if err != nil || r.ExitCode != 0 {
					t.Errorf("%s: run %d: %+v %v", tt.why, i, r, err)
				}
			}
		}
	})
}

// TestTimesOfTemporaryFolders checks that no run sees by the times of the temporary folders whether the
// run before has left something there: all runs get folders with whole seconds that changed just before.
func TestTimesOfTemporaryFolders(t *testing.T) {
	exe := compileC(t, `#define _GNU_SOURCE
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
int main(int c,char**v){
	char*dirs[]={"/dev/shm","/tmp","/w"}; struct timespec a,b;
	for(int i=0;i<3;i++){ struct stat s; stat(dirs[i],&s);
		printf("%ld %ld %ld.%09ld\n",s.st_atim.tv_nsec,s.st_mtim.tv_nsec,s.st_ctim.tv_sec,s.st_ctim.tv_nsec); }
	if(c>1) fclose(fopen(v[1],"w"));
	clock_gettime(CLOCK_REALTIME_COARSE,&a); // the clock of files
	do clock_gettime(CLOCK_REALTIME_COARSE,&b); while(a.tv_nsec==b.tv_nsec);
}`)
	modes(t, func(t *testing.T, h *Host) {
		if h.mode == Rlimit {
			return // its temporary folders are the host's
		}
		b := box(t, h, Spec{})
		seen := map[string]bool{}
		for i, left := range [][]string{nil, nil, {"/tmp/x"}, nil, nil, {"/w/x"}, nil} {
			var out bytes.Buffer
			r, err := b.Run(t.Context(), Command{Args: append([]string{"/w/p"}, left...), Exe: exe, Stdout: &out, Limits: usual})
			if err != nil || r.ExitCode != 0 {
				t.Fatalf("run %d: %+v %v", i, r, err)
			}
			for line := range strings.Lines(out.String()) {
				if !strings.HasPrefix(line, "0 0 ") {
					t.Errorf("run %d: a folder has the times %s", i, line)
				}
			}
			if seen[out.String()] {
				t.Errorf("run %d: the folders have the times of a run before:\n%s", i, &out)
			}
			seen[out.String()] = true
		}
	})
}

// TestUmask checks that programs start with the usual umask, whatever that of the judge is, and that the
// judge keeps its own.
func TestUmask(t *testing.T) {
	const own = 0o071
	defer unix.Umask(unix.Umask(own))
	exe := compileC(t, `#include <sys/stat.h>
int main(){ return umask(0); }`)
	modes(t, func(t *testing.T, h *Host) {
		r, err := box(t, h, Spec{}).Run(t.Context(), Command{Args: []string{"/w/p"}, Exe: exe, Limits: usual})
		if err != nil || r.ExitCode != 0o022 {
			t.Errorf("umask %03o: %+v %v", r.ExitCode, r, err)
		}
		if now := unix.Umask(own); now != own {
			t.Errorf("the judge has umask %03o", now)
		}
	})
}

// TestProcesses counts how many processes a program gets, itself included.
func TestProcesses(t *testing.T) {
	exe := compileC(t, `#include <unistd.h>
int main(){int n=1;for(;n<200;n++){int p=fork();if(p<0)break;if(p==0)for(alarm(100);;)pause();}return n;}`)
	modes(t, func(t *testing.T, h *Host) {
		m := h.Mechanisms()
		if m.Processes == "" {
			t.Skipf("not checked: the limit of processes, which %s as root does not have", m.Mode)
		}
		// The kernel's process limit counts the judge's or the init's own threads, whose number
		// varies. In rlimit mode it also leaves room for the account's other processes.
		few, many := 20, 20
		if m.Processes == "RLIMIT_NPROC" && os.Geteuid() != 0 {
			few, many = 16, 36
			if h.mode == Rlimit {
				many += 20 * othersTasks
			}
		}
		b := box(t, h, Spec{})
		for range 3 {
			l := usual
			l.Processes = 20
			r, err := b.Run(t.Context(), Command{Args: []string{"/w/p"}, Exe: exe, Limits: l})
			if err != nil || r.Stop != Exited || r.ExitCode < few || r.ExitCode > many {
				t.Errorf("%d processes under a limit of %d: %+v %v", r.ExitCode, l.Processes, r, err)
			}
		}
	})
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
		os.Chmod(filepath.Join(dir, "in"), 0o644)
		b := box(t, h, Spec{Mounts: []Mount{{Source: dir, Target: "/data"}}, Dir: "/data"})
		var out bytes.Buffer
		r, err := b.Run(t.Context(), Command{
			Args: []string{"/w/p", "in", b.Path("/data/new")}, Exe: exe, Stdout: &out, Limits: usual,
		})
		want := 0
		if h.mode == Container {
			want = 3
		}
		if err != nil || out.String() != "seen" || r.ExitCode != want {
			t.Errorf("%+v %q %v, want status %d", r, out.String(), err, want)
		}
		if _, err := h.NewBox(Spec{Mounts: []Mount{{Source: "/no/such", Target: "/data"}}}); err == nil && h.mode == Container {
			t.Error("a mount whose source does not exist must be an error")
		}
	})
}

// TestMountsBelow shows a host folder with mounts below it that all accounts may write to: programs
// in the box may not.
func TestMountsBelow(t *testing.T) {
	exe := compileC(t, `#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>
int main(int c,char**v){
	for(int i=1;i<c;i++){
		if(access(v[i],0)) printf("cannot see %s\n",v[i]);
		if(!mkdir(v[i],0777)||errno!=EROFS&&errno!=EEXIST) printf("made %s\n",v[i]);
		char b[4096]; snprintf(b,sizeof b,"%s.new",v[i]); FILE*f=fopen(b,"w"); if(f||errno!=EROFS) printf("wrote %s\n",b);
	}
}`)
	dir := t.TempDir()
	os.Chmod(dir, 0o777)
	for _, name := range []string{"a", "b c"} {
		point := filepath.Join(dir, name)
		os.Mkdir(point, 0o777)
		if err := unix.Mount("none", point, "tmpfs", 0, "size=64k,mode=1777"); err != nil {
			t.Skipf("not checked: mounts below a folder (mount: %v)", err)
		}
		t.Cleanup(func() { unix.Unmount(point, unix.MNT_DETACH) })
		os.WriteFile(filepath.Join(point, "file"), nil, 0o666)
	}
	modes(t, func(t *testing.T, h *Host) {
		if h.mode == Rlimit {
			t.Skip("not checked: mounts below a folder (rlimit mounts nothing)")
		}
		b := box(t, h, Spec{Mounts: []Mount{{Source: dir, Target: "/data"}, {Source: dir, Target: dir}}})
		var out bytes.Buffer
		r, err := b.Run(t.Context(), Command{Args: []string{"/w/p", "/data/a/file", "/data/b c/file", dir + "/a/file", dir + "/b c/file"}, Exe: exe, Stdout: &out, Limits: usual})
		if err != nil || out.String() != "" || r.ExitCode != 0 {
			t.Errorf("%+v, %v: %s", r, err, out.String())
		}
	})
}

// TestInheritedDescriptors checks that programs do not get a descriptor that was open when the
// judge was started.
func TestInheritedDescriptors(t *testing.T) {
	exe := compileC(t, `#include <fcntl.h>
int main(){for(int i=3;i<1024;i++) if(fcntl(i,F_GETFD)!=-1) return i;return 0;}`)
	modes(t, func(t *testing.T, h *Host) {
		fd, err := unix.FcntlInt(exe.Fd(), unix.F_DUPFD, 100) // without FD_CLOEXEC, so it would be inherited
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
