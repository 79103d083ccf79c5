package sandbox

import (
	"os"
	"strconv"
	"time"

	"golang.org/x/sys/unix"

	"tribunal/judge/internal/limits"
)

// groupV2 is a cgroup v2 group, a new one for every run: programs are born in it
// (clone3 with CLONE_INTO_CGROUP), and nothing of an earlier one is charged to it.
type groupV2 struct {
	parent *cgroups
	dir    string // of the current run
}

func (g *groupV2) open(l limits.Limits) (*os.File, error) {
	g.close()
	var err error
	if g.dir, err = g.parent.make(g.parent.memory); err != nil {
		g.dir = ""
		return nil, err
	}
	if err := g.configure(l); err != nil {
		return nil, err
	}
	return os.OpenFile(g.dir, unix.O_PATH|unix.O_DIRECTORY, 0)
}

func (g *groupV2) configure(l limits.Limits) error {
	if l.Memory > 0 {
		if err := put(g.dir, "memory.max", strconv.FormatInt(int64(l.Memory), 10)); err != nil {
			return err
		}
		_ = put(g.dir, "memory.swap.max", "0")  // absent without swap
		_ = put(g.dir, "memory.oom.group", "1") // one death is the death of the run
	}
	if l.Processes > 0 {
		_ = put(g.dir, "pids.max", strconv.Itoa(l.Processes))
	}
	return nil
}

func (g *groupV2) enter(int, limits.Limits) error { return nil }

func (g *groupV2) cpu() (time.Duration, error) {
	usec, err := field(g.dir, "cpu.stat", "usage_usec")
	return time.Duration(usec) * time.Microsecond, err
}

func (g *groupV2) threads() ([]int, error) { return readIDs(g.dir + "/cgroup.threads") }

func (g *groupV2) peak(l limits.Limits) (limits.Bytes, bool, error) {
	n, err := number(g.dir, "memory.peak")
	if err != nil {
		return 0, false, err
	}
	peak := limits.Bytes(n)
	if l.Memory == 0 || peak < l.Memory/2 {
		return peak, false, nil // far from the limit nothing was killed: save a read
	}
	kills, err := field(g.dir, "memory.events", "oom_kill")
	return peak, kills > 0, err
}

func (g *groupV2) close() {
	if g.dir != "" {
		g.parent.used <- g.dir
		g.dir = ""
	}
}
