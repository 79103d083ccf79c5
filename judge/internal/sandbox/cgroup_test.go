//go:build linux

package sandbox

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"tribunal/judge/internal/limits"
)

func TestParseCgroupMounts(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why, own, info string
		want           map[string]string
	}{
		{
			why: "v1 beside a v2 hierarchy without controllers",
			own: "4:memory:/user/a\n2:cpu,cpuacct:/\n0::/\n",
			info: "32 31 0:29 / /sys/fs/cgroup/cpu,cpuacct rw,relatime - cgroup cgroup rw,cpu,cpuacct\n" +
				"35 31 0:32 / /sys/fs/cgroup/memory rw,relatime shared:9 - cgroup cgroup rw,memory\n" +
				"41 31 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw\n" +
				"42 31 0:39 / /tmp rw - tmpfs tmpfs rw,memory\n",
			want: map[string]string{
				"memory": "/sys/fs/cgroup/memory/user/a", "cpu": "/sys/fs/cgroup/cpu,cpuacct",
				"cpuacct": "/sys/fs/cgroup/cpu,cpuacct", "": "/sys/fs/cgroup/unified",
			},
		},
		{
			why:  "v2 alone, below a user's slice",
			own:  "0::/user.slice/user-1000.slice/session.scope\n",
			info: "30 25 0:27 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw,nsdelegate\n",
			want: map[string]string{"": "/sys/fs/cgroup/user.slice/user-1000.slice/session.scope"},
		},
		{
			why:  "in a container that mounts its own part of the hierarchy",
			own:  "4:memory:/docker/abc/x\n",
			info: "35 31 0:32 /docker/abc /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory\n",
			want: map[string]string{"memory": "/sys/fs/cgroup/memory/x"},
		},
		{
			why:  "a named hierarchy and garbage are left alone",
			own:  "9:name=systemd:/x\nnonsense\n",
			info: "40 31 0:37 / /sys/fs/cgroup/systemd rw - cgroup cgroup rw,name=systemd\nnonsense - \n",
			want: map[string]string{"name=systemd": "/sys/fs/cgroup/systemd/x"},
		},
	} {
		if got := parseCgroupMounts(tt.own, tt.info); !maps.Equal(got, tt.want) {
			t.Errorf("%s: got %v, want %v", tt.why, got, tt.want)
		}
	}
}

// TestGroupV2 checks what the judge writes to the files of cgroup v2 and how it reads them, on
// ordinary files, because this machine may have no cgroup v2. The kernel's side is not checked.
func TestGroupV2(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"memory.max": "max\n", "memory.swap.max": "max\n", "memory.oom.group": "0\n", "pids.max": "max\n",
		"cpu.stat":      "usage_usec 1234\nuser_usec 1000\nsystem_usec 234\n",
		"memory.peak":   "67108864\n",
		"memory.events": "low 0\nhigh 0\nmax 12\noom 1\noom_kill 1\noom_group_kill 0\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	c := &cgroups{v2: true, pids: dir, used: make(chan string, 1)}
	folder, err := os.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	g := &groupV2{parent: c, folder: folder, dir: dir}
	l := limits.Limits{Memory: 64 * limits.MiB, Processes: 7}
	if err := g.configure(l); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"memory.max": "67108864", "memory.swap.max": "0", "memory.oom.group": "1", "pids.max": "7"} {
		// A real control file replaces its content on a write; this ordinary one keeps the rest of
		// a longer old one.
		if got, _ := os.ReadFile(filepath.Join(dir, name)); string(got[:len(want)]) != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	if err := g.begin(); err != nil {
		t.Error(err)
	}
	os.WriteFile(filepath.Join(dir, "cpu.stat"), []byte("usage_usec 5678\nuser_usec 5000\nsystem_usec 678\n"), 0o644)
	if cpu, err := g.cpu(); err != nil || cpu != (5678-1234)*time.Microsecond {
		t.Errorf("cpu is %v, %v, want what was used since the start", cpu, err)
	}
	if peak, oom, err := g.peak(l); err != nil || peak != 64*limits.MiB || !oom {
		t.Errorf("peak is %v, oom %v, %v", peak, oom, err)
	}
	os.WriteFile(filepath.Join(dir, "memory.events"), []byte("oom 0\noom_kill 0\n"), 0o644)
	if _, oom, err := g.peak(l); err != nil || oom {
		t.Errorf("a peak at the limit alone is not an out-of-memory kill: %v, %v", oom, err)
	}
	g.close()
	if got := <-c.used; got != dir {
		t.Errorf("%s was released, want %s", got, dir)
	}
}

// TestOrphanedGroups checks that the folder of a dead judge is removed and that of a live one kept,
// by their locks alone, because process numbers are reused and mean nothing in another namespace.
func TestOrphanedGroups(t *testing.T) {
	t.Parallel()
	// Until its execve, a child of another test holds all locks of this process.
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	for _, place := range []struct{ why, dir string }{
		{"an ordinary folder", t.TempDir()},
		{"a real control group", realGroup(t)},
	} {
		if place.dir == "" {
			continue
		}
		alive, err := makeRoot(place.dir)
		if err != nil {
			t.Fatal(err)
		}
		defer alive.Close()
		gone := filepath.Join(place.dir, fmt.Sprintf("%s%d.1", rootPrefix, os.Getpid()))
		other := filepath.Join(place.dir, leafName)
		for _, dir := range []string{filepath.Join(gone, "run1"), other} {
			if err := os.MkdirAll(dir, 0o755); err != nil {
				t.Fatal(err)
			}
		}
		second, err := makeRoot(place.dir)
		if err != nil {
			t.Fatal(err)
		}
		defer second.Close()
		for dir, want := range map[string]bool{gone: false, other: true, alive.Name(): true, second.Name(): true} {
			if _, err := os.Stat(dir); (err == nil) != want {
				t.Errorf("%s: %s: want it there: %v; %v", place.why, filepath.Base(dir), want, err)
			}
		}
		alive.Close()
		removeOrphans(place.dir)
		if _, err := os.Stat(alive.Name()); err == nil {
			t.Errorf("%s: the folder of a judge that released its lock was not removed", place.why)
		}
	}
}

// realGroup returns a new control group, or "" if none can be made.
func realGroup(t *testing.T) string {
	c, err := newCgroups()
	if err != nil {
		t.Logf("not checked: locks on control groups: %v", err)
		return ""
	}
	t.Cleanup(c.close)
	return c.memory
}

// TestGroupOfForeigners checks a group with a process of another pid namespace, whose number reads
// as 0: removing the group must not kill this process's own process group.
func TestGroupOfForeigners(t *testing.T) {
	if os.Getenv("TRIBUNAL_FOREIGN_GROUP") != "" {
		removeTree(os.Getenv("TRIBUNAL_FOREIGN_GROUP"))
		return
	}
	t.Parallel()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "cgroup.procs"), []byte("0\n-1\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	// A failure would kill the whole process group, so the test runs in one of its own.
	cmd := exec.Command("/proc/self/exe", "-test.run=^TestGroupOfForeigners$")
	cmd.Env = append(os.Environ(), "TRIBUNAL_FOREIGN_GROUP="+dir)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("the process that removes a group exited with %v\n%s", err, out)
	}
}

// TestLostRoot removes the judge's own folder. It must be made again and locked, so that the next
// judge does not take it for a dead one's.
func TestLostRoot(t *testing.T) {
	t.Parallel()
	c, err := newCgroups()
	if err != nil {
		t.Skipf("not checked: cgroups: %v", err)
	}
	defer c.close()
	for err := error(unix.EBUSY); err == unix.EBUSY; { // until the group of the trial is swept
		below, _ := filepath.Glob(filepath.Join(c.memory, "run*"))
		for _, dir := range below {
			_ = unix.Rmdir(dir)
		}
		if err = unix.Rmdir(c.memory); err != nil && err != unix.EBUSY {
			t.Fatal(err)
		}
	}
	g, l := c.group(), limits.Limits{Memory: 64 * limits.MiB}
	defer g.close()
	if _, _, err := g.open(l); err != nil {
		t.Fatal(err)
	}
	removeOrphans(filepath.Dir(c.memory))
	if _, err := os.Stat(c.memory); err != nil {
		t.Errorf("the folder is taken for a dead judge's: %v", err)
	}
}
