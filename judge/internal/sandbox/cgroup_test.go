package sandbox

import (
	"maps"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

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

// TestGroupV2 plays the files of cgroup v2, which this machine may not have: what
// is written to them and how they are read. The kernel's side is not checked.
func TestGroupV2(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"memory.max": "max\n", "memory.swap.max": "max\n", "memory.oom.group": "0\n", "pids.max": "max\n",
		"cpu.stat":      "usage_usec 1234\nuser_usec 1000\nsystem_usec 234\n",
		"memory.peak":   "67108864\n",
		"cgroup.procs":  "",
		"memory.events": "low 0\nhigh 0\nmax 12\noom 1\noom_kill 1\noom_group_kill 0\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	c := &cgroups{v2: true, pids: dir, used: make(chan string, 1)}
	g := &groupV2{parent: c, dir: dir}
	l := limits.Limits{Memory: 64 * limits.MiB, Processes: 7}
	if err := g.configure(l); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"memory.max": "67108864", "memory.swap.max": "0", "memory.oom.group": "1", "pids.max": "7"} {
		// A control file takes a write whole; a real one keeps what was longer before.
		if got, _ := os.ReadFile(filepath.Join(dir, name)); string(got[:len(want)]) != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	if err := g.enter(4711, l); err != nil {
		t.Error(err)
	}
	if got, _ := os.ReadFile(filepath.Join(dir, "cgroup.procs")); string(got) != "4711" {
		t.Errorf("%q was moved into the group, want process 4711", got)
	}
	if cpu, err := g.cpu(); err != nil || cpu != 1234*time.Microsecond {
		t.Errorf("cpu is %v, %v", cpu, err)
	}
	if peak, oom, err := g.peak(l); err != nil || peak != 64*limits.MiB || !oom {
		t.Errorf("peak is %v, oom %v, %v", peak, oom, err)
	}
	os.WriteFile(filepath.Join(dir, "memory.events"), []byte("oom 0\noom_kill 0\n"), 0o644)
	if _, oom, err := g.peak(l); err != nil || oom {
		t.Errorf("a peak at the limit alone is no out-of-memory kill: %v, %v", oom, err)
	}
	g.close()
	if got := <-c.used; got != dir {
		t.Errorf("%s was released, want %s", got, dir)
	}
}

// TestOrphanedGroups has a folder of a judge that is gone removed, and that of one
// that lives kept.
func TestOrphanedGroups(t *testing.T) {
	t.Parallel()
	parent := t.TempDir()
	gone := filepath.Join(parent, "tribunal.999999999.1")
	alive := filepath.Join(parent, "tribunal."+strconv.Itoa(os.Getpid())+".1")
	for _, dir := range []string{filepath.Join(gone, "run1"), alive} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	removeOrphans(parent)
	if _, err := os.Stat(gone); err == nil {
		t.Error("what a killed judge left was not removed")
	}
	if _, err := os.Stat(alive); err != nil {
		t.Errorf("the folder of a living judge is gone: %v", err)
	}
}
