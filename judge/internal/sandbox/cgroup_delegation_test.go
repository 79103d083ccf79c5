//go:build linux

package sandbox

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"tribunal/judge/internal/limits"
)

// TestPlaceV2 tests placeV2 on files that look like those of cgroup v2, so that every machine tests
// every case; .ci/v2 lets a kernel and systemd make them.
func TestPlaceV2(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why    string
		files  []string // paths below the mount; the judge's own group is a/b
		mark   string   // the attribute of a/b that marks it as delegated
		parent string
		move   bool
	}{
		{
			why:   "the top of the hierarchy may hold processes and hand controllers on",
			files: []string{"a/b/cgroup.controllers"}, parent: "a/b",
		},
		{
			why:   "a group that is not the judge's is left as it is",
			files: []string{"a/cgroup.controllers", "a/b/cgroup.controllers", "a/b/cgroup.type"}, parent: "a",
		},
		{
			why:   "the judge owns the group that is all its namespace shows",
			files: []string{"a/b/cgroup.controllers", "a/b/cgroup.type"}, parent: "a/b", move: true,
		},
		{
			why:   "the judge owns a group that systemd has delegated",
			files: []string{"a/cgroup.controllers", "a/b/cgroup.controllers", "a/b/cgroup.type"}, mark: "1", parent: "a/b", move: true,
		},
		{
			why:   "only the value 1 marks a group as delegated",
			files: []string{"a/cgroup.controllers", "a/b/cgroup.controllers", "a/b/cgroup.type"}, mark: "0", parent: "a",
		},
	} {
		mount := t.TempDir()
		for _, name := range tt.files {
			os.MkdirAll(filepath.Dir(filepath.Join(mount, name)), 0o755)
			if err := os.WriteFile(filepath.Join(mount, name), nil, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		own := filepath.Join(mount, "a/b")
		if tt.mark != "" {
			if err := unix.Setxattr(own, "user.delegate", []byte(tt.mark), 0); err != nil {
				t.Logf("not checked: %s: the file system of temporary files keeps no attributes: %v", tt.why, err)
				continue
			}
		}
		if parent, move := placeV2(own); parent != filepath.Join(mount, tt.parent) || move != tt.move {
			t.Errorf("%s: got %s, moved %v, want %s, moved %v", tt.why, parent, move, tt.parent, tt.move)
		}
	}
}

// TestReasonsAgainstV2 checks that each error of explainV2 is one line that ends with a hint, and
// contains nothing that differs from process to process.
func TestReasonsAgainstV2(t *testing.T) {
	t.Parallel()
	number := regexp.MustCompile(`/|[0-9]{3,}`)
	scope := "/sys/fs/cgroup/user.slice/run-r123456.scope"
	for _, tt := range []struct {
		err  error
		want string
	}{
		{unix.EROFS, "read-only"},
		{unix.EACCES, "may not make cgroups"},
		{&os.PathError{Op: "mkdir in", Path: scope, Err: unix.EPERM}, "may not make cgroups"},
		{&os.PathError{Op: "write", Path: scope + "/cgroup.subtree_control", Err: unix.EBUSY}, "cannot be moved"},
		{&os.PathError{Op: "write", Path: scope + "/cgroup.procs", Err: unix.EOPNOTSUPP}, "write cgroup.procs: operation not supported"},
		{&os.PathError{Op: "mkdir in", Path: scope, Err: unix.ENOSPC}, "mkdir in a cgroup: no space left"},
		{errNoMemory, "memory controller"},
		{errHidden, "not visible"},
	} {
		got := explainV2(fmt.Errorf("%w", tt.err)).Error()
		text, hint, _ := strings.Cut(got, " (hint: ")
		if !strings.Contains(text, tt.want) || number.MatchString(text) || !strings.HasSuffix(hint, ")") || strings.Contains(got, "\n") {
			t.Errorf("%v becomes %q, want %q and a hint", tt.err, got, tt.want)
		}
	}
}

// TestExhaustedV2 checks that the error has no hint if the host has only run out of a resource.
func TestExhaustedV2(t *testing.T) {
	t.Parallel()
	err := explainV2(&os.PathError{Op: "lock a folder in", Path: "/sys/fs/cgroup/x.scope", Err: unix.EMFILE})
	if want := "lock a folder in a cgroup: too many open files"; err.Error() != want || !Exhausted(err) {
		t.Errorf("got %q, want %q", err, want)
	}
}

// realV2 returns groups of a kernel with cgroup v2.
func realV2(t *testing.T) *cgroups {
	t.Helper()
	before := ownV2(t)
	c, err := newCgroups()
	if err != nil {
		t.Skipf("not checked: cgroups: %v", err)
	}
	if !c.v2 {
		c.close()
		t.Skip("not checked: cgroup v2: this host has the controllers of v1 (hint: .ci/v2 boots a kernel that has not)")
	}
	t.Logf("a judge in %s is now in %s and makes its groups in %s; notes: %q", before, ownV2(t), filepath.Dir(c.memory), c.notes)
	return c
}

// TestGroupV2Sweep leaves a process behind in a group. The process must be killed, and the next run
// must get another group, which was made beforehand.
func TestGroupV2Sweep(t *testing.T) {
	c := realV2(t)
	root := c.memory
	g := c.group().(*groupV2)
	l := limits.Limits{Memory: 64 * limits.MiB, Processes: 4}
	_, files, err := g.open(l)
	if err != nil {
		t.Fatal(err)
	}
	left := exec.Command("sleep", "60")
	left.SysProcAttr = &syscall.SysProcAttr{UseCgroupFD: true, CgroupFD: int(files[0].Fd())}
	if err := left.Start(); err != nil {
		t.Fatal(err)
	}
	set := map[string]string{"memory.max": "67108864", "memory.oom.group": "1"}
	if c.pids != "" {
		set["pids.max"], set["pids.current"] = "4", "1"
	}
	if (c.pids == "") != (len(c.notes) == 1) {
		t.Errorf("the pids controller is in %q, and the notes say %q", c.pids, c.notes)
	}
	for name, want := range set {
		if !has(g.dir, name, want) {
			text, _ := os.ReadFile(filepath.Join(g.dir, name))
			t.Errorf("%s is %q, want %s", name, text, want)
		}
	}
	first := g.dir
	g.close()
	left.Wait()
	if status := left.ProcessState.Sys().(syscall.WaitStatus); status.Signal() != syscall.SIGKILL {
		t.Errorf("the process left in the group exited with %v", left.ProcessState)
	}
	spare := <-c.spare
	if _, err := os.Stat(spare); err != nil || spare == first {
		t.Errorf("after %s, the group made beforehand is %s: %v", first, spare, err)
	}
	c.close()
	if _, err := os.Stat(root); !os.IsNotExist(err) {
		t.Errorf("%s outlives its judge: %v", root, err)
	}
}

// ownV2 returns the group that this process is in now.
func ownV2(t *testing.T) string {
	mounts, err := CgroupFolders()
	if err != nil {
		t.Fatal(err)
	}
	return mounts[""]
}

// TestGroupV2Twice opens two hosts in one process: the second starts in the group that the first
// may have moved the process to.
func TestGroupV2Twice(t *testing.T) {
	c := realV2(t)
	defer c.close()
	second, err := newCgroups()
	if err != nil {
		t.Fatal(err)
	}
	defer second.close()
	if filepath.Dir(second.memory) != filepath.Dir(c.memory) || second.memory == c.memory {
		t.Errorf("the folders of two hosts are %s and %s, want them side by side", c.memory, second.memory)
	}
}

// TestGroupV2Birth runs programs that are born in their group, and checks what they see of it, what
// they can do there, and what is charged to them.
func TestGroupV2Birth(t *testing.T) {
	realV2(t).close()
	h, why := OpenMode("cgroup")
	if why != "" {
		t.Skip("not checked: " + why)
	}
	t.Cleanup(func() { h.Close() })
	b := box(t, h, Spec{})
	const head = `#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
`
	for _, tt := range []struct {
		why, source string
		memory      limits.Bytes
		stop        StopReason
		signal      syscall.Signal
		out         string
	}{
		{
			why:    "its group is the root of the cgroup namespace, and it sees none of the judge's groups",
			source: `int main(){char b[256];FILE*f=fopen("/proc/self/cgroup","r");while(fgets(b,256,f))fputs(b,stdout);}`, out: "0::/\n",
		},
		{
			why:    "it is refused clone3, which its init may call",
			source: `int main(){long a[11]={0,0,0,0,SIGCHLD};if(syscall(435,a,sizeof a)>=0)return 1;puts(strerrorname_np(errno));}`, out: "ENOSYS\n",
		},
		{
			why:    "the namespace that its init unshares for it is refused to it",
			source: `int main(){if(unshare(CLONE_NEWCGROUP)==0)return 1;puts(strerrorname_np(errno));}`, out: "EPERM\n",
		},
		{
			why:    "it is refused seccomp, which gave it its filter",
			source: `int main(){if(syscall(SYS_seccomp,1,0,0)==0)return 1;puts(strerrorname_np(errno));}`, out: "ENOSYS\n",
		},
		{
			why:    "a request for another namespace is denied",
			source: `int main(){unshare(CLONE_NEWUSER);}`, stop: Forbidden, signal: syscall.SIGSYS,
		},
		{
			why:    "the least memory that a problem may give is enough to be born in",
			source: `int main(){puts("alive");}`, memory: limits.MiB, out: "alive\n",
		},
		{
			why:    "too little of it is the program's failure, not the judge's",
			source: `int main(){for(;;)memset(malloc(65536),1,65536);}`, memory: limits.MiB, stop: OverMemory,
		},
	} {
		var out strings.Builder
		l := usual
		l.Wall = time.Minute
		if tt.memory > 0 {
			l.Memory = tt.memory
		}
		r, err := b.Run(t.Context(), Command{Args: []string{"/w/p"}, Exe: compileC(t, head+tt.source), Stdout: &out, Limits: l, CPUs: AllowedCPUs()[:1]})
		if err != nil {
			t.Errorf("%s: %v", tt.why, err)
			continue
		}
		t.Logf("%s: %v of CPU time and %v of memory", tt.why, r.CPU, r.Memory)
		if r.Stop != tt.stop || r.Signal != Signal(tt.signal) || out.String() != tt.out {
			t.Errorf("%s: got %+v and %q, want stop %v, signal %v and %q", tt.why, r, out.String(), tt.stop, tt.signal, tt.out)
		}
	}
}
