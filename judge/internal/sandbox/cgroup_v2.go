package sandbox

import (
	"errors"
	"os"
	"strconv"
	"time"

	"tribunal/judge/internal/limits"
)

// groupV2 is a cgroup v2 group, a new one for every run, so that nothing of an
// earlier one is charged to it.
type groupV2 struct {
	parent *cgroups
	dir    string // of the current run
}

func (g *groupV2) open(l limits.Limits) error {
	g.close()
	dir, err := g.parent.fresh()
	if err != nil {
		return err
	}
	g.dir = dir
	return g.configure(l)
}

func (g *groupV2) configure(l limits.Limits) error {
	if l.Memory > 0 {
		if err := put(g.dir, "memory.max", strconv.FormatInt(int64(l.Memory), 10)); err != nil {
			return err
		}
		// Absent when swap is not accounted, which a note tells.
		if err := put(g.dir, "memory.swap.max", "0"); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
		if err := put(g.dir, "memory.oom.group", "1"); err != nil { // one death is the death of the run
			return err
		}
	}
	if l.Processes > 0 && g.parent.pids != "" {
		return put(g.dir, "pids.max", strconv.Itoa(l.Processes))
	}
	return nil
}

func (g *groupV2) enter(pid int, _ limits.Limits) error {
	return put(g.dir, "cgroup.procs", strconv.Itoa(pid))
}

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
