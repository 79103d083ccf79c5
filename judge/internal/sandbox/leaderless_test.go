//go:build linux

package sandbox_test

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"tribunal/internal/tier"
	"tribunal/judge/internal/sandbox"
)

// leaderless is a wrapper for C programs whose processes all lose their first thread: before main
// and after each fork, another thread continues in its place, on the same stack. The kernel shows
// the state and the size of such a process as those of a dead one.
const leaderless = `#define _GNU_SOURCE
#include <unistd.h>

// leave starts a thread here and ends the one that called, unless there is no room for one.
__attribute__((constructor)) static void leave(void) {
	long result = 56 /* clone */;
	__asm__ volatile("syscall\n\t"
		"test %%rax, %%rax\n\t"
		"jle 1f\n\t"
		"mov $60, %%eax\n\t" // exit, of this thread alone
		"xor %%edi, %%edi\n\t"
		"syscall\n"
		"1:"
		: "+a"(result)
		: "D"(0x00050f00L /* VM, FS, FILES, SIGHAND, THREAD, SYSVSEM */), "S"(0L)
		: "rcx", "r11", "memory");
}

static inline pid_t leaderless_fork(void) {
	pid_t pid = fork();
	if (pid == 0) leave();
	return pid;
}
#define fork() leaderless_fork()
// Of a process without its first thread /proc/self shows no executable.
#define execl(path, ...) execl("/proc/thread-self/exe", __VA_ARGS__)
#line 1
`

// TestGuiltyLeaderless runs the guilty programs about memory and CPU time again, with their first
// threads ended, in the modes that poll processes: the verdicts must be the same. The modes share
// the polling code, so the second runs only a few of the programs, and only in T3. Otherwise the first
// runs one program of each topic.
func TestGuiltyLeaderless(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("not checked: programs whose first thread has ended (the wrapper is written for amd64)")
	}
	tier.T2(t, "programs whose first thread has ended")
	c := newCourt(t)
	var list []*attack
	all := slices.DeleteFunc(attacks(t), func(a *attack) bool { return len(a.args) > 0 }) // these have such a way of their own
	few := first(all, "polling")
	for _, a := range all {
		if few[a.topic] != a && !tier.All() && !*every {
			continue
		}
		if slices.Contains([]string{"memory", "cpu", "fork"}, a.topic) && filepath.Ext(a.file) == ".c" {
			text, err := os.ReadFile(a.file)
			if err != nil {
				t.Fatal(err)
			}
			wrapped := *a
			wrapped.file = filepath.Join(t.TempDir(), strings.TrimSuffix(filepath.Base(a.file), ".c")+"-leaderless.c")
			if err := os.WriteFile(wrapped.file, append([]byte(leaderless), text...), 0o644); err != nil {
				t.Fatal(err)
			}
			list = append(list, &wrapped)
		}
	}
	polled := ""
	eachMode(t, func(t *testing.T, mode string, h *sandbox.Host) {
		if mode == "cgroup" {
			t.Skip("not checked: the kernel counts there by groups, which threads do not change")
		}
		few := polled != "" && !*every
		polled = mode
		if few {
			tier.T3(t, "leaderless programs in a second mode")
			t.Log("not checked: three of four programs (hint: -args -every)")
		}
		for i, a := range list {
			if few && i%4 != 0 {
				continue
			}
			t.Run(filepath.Base(a.file), func(t *testing.T) {
				if !apart(mode) {
					t.Parallel()
				}
				a.check(t, mode, c.trials(t, h, a))
			})
		}
	})
}
