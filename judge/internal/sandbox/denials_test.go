//go:build linux

package sandbox

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"testing"

	"golang.org/x/sys/unix"
)

// deniedProgram makes a call by its number and first argument: as its first process, in a child, in
// a grandchild whose parent has exited, or in a thread. Then it exits with status 0, as it would if
// the call were allowed.
const deniedProgram = `#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
static long number, argument;
static void *make(void *unused) {
	long r = syscall(number, argument, 0L, 0L, 0L, 0L, 0L);
	if (r == 0 && number == SYS_clone) _exit(0);
	return unused;
}
static void handled(int signal) { (void)signal; }
int main(int count, char **words) {
	if (count < 4) return 1;
	number = atol(words[2]), argument = strtoul(words[3], 0, 0);
	for (int s = 1; s < 32; s++) signal(s, handled);
	sigset_t all;
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, 0);
	pthread_t thread;
	int ends[2];
	char c;
	switch (words[1][0]) {
	case 'f': make(0); break;
	case 't': pthread_create(&thread, 0, make, 0); pthread_join(thread, 0); break;
	case 'c': if (fork() == 0) { make(0); _exit(0); } wait(0); break;
	case 'g':
		pipe(ends);
		if (fork() == 0) {
			if (fork() == 0) { setsid(); make(0); }
			_exit(0);
		}
		close(ends[1]);
		read(ends[0], &c, 1);
	}
	return 0;
}`

// TestDenied makes every denied call in every kind of process, and checks that the run is stopped
// and that its result names the call. rlimit mode sees a denied call only if the first process dies
// of it.
func TestDenied(t *testing.T) {
	exe := compileC(t, deniedProgram)
	type call struct {
		number, argument uint32
		name             string
	}
	var calls []call
	for _, number := range slices.Sorted(maps.Keys(denied)) {
		calls = append(calls, call{number, 0xffffffff, denied[number]})
	}
	for bit := uint32(unix.CLONE_NEWNS); bit != 0; bit <<= 1 {
		if bit&namespaces != 0 {
			calls = append(calls, call{unix.SYS_CLONE, bit | uint32(unix.SIGCHLD), "clone with a new namespace"})
			if bit != unix.CLONE_NEWCGROUP {
				calls = append(calls, call{unix.SYS_UNSHARE, bit, "unshare"})
			}
		}
	}
	calls = append(calls, call{unix.SYS_PERSONALITY, 0x0040000, "personality"})
	if otherCalls != 0 {
		calls = append(calls, call{unix.SYS_GETPID | otherCalls, 0, "one of another architecture"})
	}
	l := usual
	callers := []string{"first", "thread", "child", "grandchild"}
	tried := map[Mode]bool{}
	modes(t, func(t *testing.T, h *Host) {
		b := box(t, h, Spec{})
		for i, from := range callers {
			for k, c := range calls {
				// The second container mode denies calls by the same mechanism, and so does rlimit mode, which
				// does not see a call of a child. So there each call has only one caller.
				if (tried[h.mode] || h.mode == Rlimit) && k%len(callers) != i {
					continue
				}
				args := []string{"/w/p", from, strconv.FormatUint(uint64(c.number), 10), fmt.Sprintf("%#x", c.argument)}
				r, err := b.Run(t.Context(), Command{Args: args, Exe: exe, Limits: l})
				if err != nil {
					t.Fatal(err)
				}
				switch {
				case h.mode == Rlimit && (from == "child" || from == "grandchild"):
					if r.Stop != Exited {
						t.Errorf("%s by a %s: %+v, although this mode cannot see it (docs/sandbox.md)", c.name, from, r)
					}
				case h.mode == Rlimit && r.Stop != Forbidden, h.mode == Container && (r.Stop != Forbidden || r.Denied != c.name):
					t.Errorf("%s by a %s: %+v", c.name, from, r)
				}
			}
		}
		tried[h.mode] = true
		// A SIGSYS that the program sends itself is a signal like any other.
		r, err := b.Run(t.Context(), Command{Args: []string{"/w/p"}, Exe: compileC(t, "#include <signal.h>\nint main(){raise(SIGSYS);}"), Limits: l})
		if err != nil || h.mode == Container && (r.Stop != Signalled || r.Signal != Signal(unix.SIGSYS)) {
			t.Errorf("SIGSYS from itself: %+v %v", r, err)
		}
		// The next run is not affected.
		if r, err := b.Run(t.Context(), Command{Args: []string{"/w/p"}, Exe: compileC(t, hello), Limits: l}); err != nil || r.Stop != Exited {
			t.Errorf("the next run: %+v %v", r, err)
		}
	})
}

// TestDeniedWithoutListener runs a judge below another program that already listens to denied
// calls, as some container managers do: a denied call then ends its process.
func TestDeniedWithoutListener(t *testing.T) {
	if os.Getenv("LISTENED") == "" {
		listened := compileC(t, `#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/syscall.h>
#include <unistd.h>
int main(int count,char**words){
	struct sock_filter all={BPF_RET|BPF_K,0,0,SECCOMP_RET_ALLOW}; struct sock_fprog p={1,&all};
	int fd=syscall(SYS_seccomp,SECCOMP_SET_MODE_FILTER,SECCOMP_FILTER_FLAG_NEW_LISTENER,&p);
	if(fd<0) return 77;
	fcntl(fd,F_SETFD,0); return execv(words[1],words+1);
}`)
		cmd := exec.Command(listened.Name(), "/proc/self/exe", "-test.run=^TestDeniedWithoutListener$", "-test.v")
		cmd.Args[1], _ = os.Executable()
		cmd.Env = append(os.Environ(), "LISTENED=1")
		out, err := cmd.CombinedOutput()
		if cmd.ProcessState != nil && cmd.ProcessState.ExitCode() == 77 {
			t.Skip("not checked: a judge below another listener (cannot install one)")
		}
		if err != nil || !bytes.Contains(out, []byte("--- PASS")) {
			t.Errorf("%v\n%s", err, out)
		}
		return
	}
	h, err := Open(Container)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { h.Close() })
	b := box(t, h, Spec{})
	r, err := b.Run(t.Context(), Command{Args: []string{"/w/p"}, Exe: compileC(t, "#include <sys/ptrace.h>\nint main(){return ptrace(PTRACE_TRACEME,0,0,0);}"), Limits: usual})
	if err != nil || r.Stop != Forbidden || r.Denied != "" {
		t.Errorf("a denied call: %+v %v", r, err)
	}
}
