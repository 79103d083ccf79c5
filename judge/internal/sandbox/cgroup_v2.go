//go:build linux

package sandbox

import (
	"errors"
	"os"
	"strconv"
	"time"

	"tribunal/judge/internal/limits"
)

// groupV2 is a cgroup v2 group. Every run gets a new one, so that nothing of an earlier run is
// charged to it, and the program is born in it. CPU time before the program's execve, which the
// container's init causes, does not count as the program's.
type groupV2 struct {
	parent *cgroups
	folder *os.File      // the group of the current run, opened; nil before the first run
	dir    string        // the path of folder
	base   time.Duration // the group's CPU time before the program's execve
}

func (g *groupV2) open(l limits.Limits) (flag uint32, files []*os.File, err error) {
	g.close()
	if g.folder, err = g.parent.fresh(); err != nil {
		return 0, nil, err
	}
	g.dir = g.folder.Name()
	return withGroup, []*os.File{g.folder}, g.configure(l)
}

func (g *groupV2) configure(l limits.Limits) error {
	if l.Memory > 0 {
		if err := writeControl(g.dir, "memory.max", strconv.FormatInt(int64(l.Memory), 10)); err != nil {
			return err
		}
		// Absent if swap is not accounted; checkSwap has added a note then.
		if err := writeControl(g.dir, "memory.swap.max", "0"); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
		if err := writeControl(g.dir, "memory.oom.group", "1"); err != nil { // an OOM kill kills the whole run
			return err
		}
	}
	if l.Processes > 0 && g.parent.pids != "" {
		return writeControl(g.dir, "pids.max", strconv.Itoa(l.Processes))
	}
	return nil
}

func (g *groupV2) begin() (err error) {
	g.base, err = g.total()
	return err
}

func (g *groupV2) total() (time.Duration, error) {
	usec, err := field(g.dir, "cpu.stat", "usage_usec")
	return time.Duration(usec) * time.Microsecond, err
}

func (g *groupV2) cpu() (time.Duration, error) {
	now, err := g.total()
	return now - g.base, err
}

func (g *groupV2) pressure() (time.Duration, bool) {
	text, err := readSmall(g.dir, "cpu.pressure")
	if err != nil {
		return 0, false
	}
	p, ok := parsePressure(string(text), "full")
	return p.total, ok
}

func (g *groupV2) threads() ([]int, error) { return readIDs(g.dir + "/cgroup.threads") }

func (g *groupV2) peak(l limits.Limits) (limits.Bytes, bool, error) {
	n, err := number(g.dir, "memory.peak")
	if err != nil {
		return 0, false, err
	}
	peak := limits.Bytes(n)
	events, err := readSmall(g.dir, "memory.events")
	if err != nil {
		return peak, false, err
	}
	kills, err := parseField(events, "memory.events", "oom_kill")
	if err != nil || kills == 0 {
		return peak, false, err
	}
	hits, err := parseField(events, "memory.events", "oom")
	if err == nil && hits == 0 {
		err = errForeignKill
	}
	return peak, true, err
}

func (g *groupV2) close() {
	if g.folder != nil {
		g.folder.Close()
		g.parent.used <- g.dir
	}
	*g = groupV2{parent: g.parent}
}
