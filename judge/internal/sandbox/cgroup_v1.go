//go:build linux

package sandbox

import (
	"errors"
	"os"
	"strconv"
	"time"

	"tribunal/judge/internal/limits"
)

// groupsV1 are the cgroup v1 groups that a container keeps from run to run, one in each hierarchy,
// with their control files open.
//
// Once all processes are reaped, CPU time and the number of processes leave nothing behind. Memory
// may: page cache stays charged to the group whose program touched it first. So the remaining
// charge is read before each run, and a group with more than residue is replaced by a new one. A
// smaller charge is the kernel's own: it charges 64 pages per CPU at a time, and frees its structures
// a little later than the process that caused them. It adds at most its own size to the reported peak
// and does not tighten the limit, because the kernel reclaims it before it kills.
//
// A program moves itself, by writing 0 to the file "tasks" of each group. When the judge moves it,
// the kernel must wait until no thread of the machine is in the middle of a fork or an exit, which
// takes 5 to 15 ms unless some process was moved a moment before (percpu_down_write in
// cgroup_attach_lock). A thread that moves itself does neither meanwhile.
type groupsV1 struct {
	parent *cgroups

	cpuDir, pidsDir    string
	cpuTasks, cpuUsage *os.File
	pidsTasks, pidsMax *os.File      // nil without the pids controller
	processes          int           // the limit set in pidsMax; 0 is none
	base               time.Duration // the groups' CPU time before this run

	memory *memoryV1
}

// residue is the largest remaining charge with which a memory group is reused. A small program on two
// CPUs leaves up to 750 KiB. To replace a group takes as long as a third of a short run.
const residue = limits.MiB

// refusal bounds a single charge. The kernel refuses a charge that would exceed the limit, so a group that was stopped
// by its limit may have a peak below it by less than that.
const refusal = 512 * limits.KiB

// memoryV1 is a group of the memory controller.
type memoryV1 struct {
	dir                     string
	tasks, usage, peak      *os.File
	limit, swapLimit, event *os.File
	current                 limits.Bytes // the limit set in limit and swapLimit; 0 is none
	kills                   int64        // OOM kills counted before this run
}

func (g *groupsV1) open(l limits.Limits) (flag uint32, files []*os.File, err error) {
	if g.memory == nil {
		if err := g.make(); err != nil {
			g.close() // the next run makes new groups
			return 0, nil, err
		}
	} else {
		left, err := readNumber(g.memory.usage)
		if err != nil {
			return 0, nil, err
		}
		if limits.Bytes(left) > residue {
			if err := g.freshMemory(); err != nil {
				return 0, nil, err
			}
		}
	}
	if err := errors.Join(g.memory.setLimit(l.Memory), g.setProcesses(l.Processes)); err != nil {
		return 0, nil, err
	}
	files = []*os.File{g.cpuTasks, g.memory.tasks}
	if g.pidsTasks != nil {
		files = append(files, g.pidsTasks)
	}
	return withTasks, files, nil
}

func (g *groupsV1) make() (err error) {
	if g.cpuDir, err = g.parent.make(g.parent.cpu); err != nil {
		return err
	}
	files := []controlFile{{&g.cpuTasks, g.cpuDir, "tasks", os.O_WRONLY}, {&g.cpuUsage, g.cpuDir, "cpuacct.usage", os.O_RDONLY}}
	if g.parent.pids != "" {
		if g.pidsDir, err = g.parent.make(g.parent.pids); err != nil {
			return err
		}
		files = append(files, controlFile{&g.pidsTasks, g.pidsDir, "tasks", os.O_WRONLY}, controlFile{&g.pidsMax, g.pidsDir, "pids.max", os.O_WRONLY})
	}
	if err := openControls(files); err != nil {
		return err
	}
	return g.freshMemory()
}

func (g *groupsV1) freshMemory() error {
	g.memory.close(g.parent)
	g.memory = nil
	dir, err := g.parent.make(g.parent.memory)
	if err != nil {
		return err
	}
	m := &memoryV1{dir: dir}
	g.memory = m
	files := []controlFile{
		{&m.tasks, dir, "tasks", os.O_WRONLY},
		{&m.usage, dir, "memory.usage_in_bytes", os.O_RDONLY},
		{&m.peak, dir, "memory.max_usage_in_bytes", os.O_RDWR},
		{&m.limit, dir, "memory.limit_in_bytes", os.O_WRONLY},
		{&m.event, dir, "memory.oom_control", os.O_RDONLY},
	}
	if g.parent.swap {
		files = append(files, controlFile{&m.swapLimit, dir, "memory.memsw.limit_in_bytes", os.O_WRONLY})
	}
	return openControls(files)
}

// setLimit sets the limit; 0 is none. The limit of memory and swap together may never be less than
// that of memory alone, so the order of the two writes depends on the direction.
func (m *memoryV1) setLimit(limit limits.Bytes) error {
	if limit == m.current {
		return nil
	}
	text := "-1"
	if limit > 0 {
		text = strconv.FormatInt(int64(limit), 10)
	}
	order := []*os.File{m.limit, m.swapLimit}
	if limit == 0 || m.current > 0 && limit > m.current {
		order = []*os.File{m.swapLimit, m.limit}
	}
	for _, f := range order {
		if f == nil {
			continue
		}
		if _, err := f.WriteString(text); err != nil {
			return err
		}
	}
	m.current = limit
	return nil
}

func (g *groupsV1) begin() (err error) {
	if _, err := g.memory.peak.WriteString("0"); err != nil { // resets the peak to the current charge
		return err
	}
	g.base, err = g.total()
	return err
}

func (g *groupsV1) setProcesses(n int) error {
	if g.pidsMax == nil || g.processes == n {
		return nil
	}
	text := "max"
	if n > 0 {
		text = strconv.Itoa(n)
	}
	_, err := g.pidsMax.WriteString(text)
	g.processes = n
	return err
}

func (g *groupsV1) total() (time.Duration, error) {
	ns, err := readNumber(g.cpuUsage)
	return time.Duration(ns), err
}

func (g *groupsV1) cpu() (time.Duration, error) {
	now, err := g.total()
	return now - g.base, err
}

// pressure returns false, because the kernel keeps this account only for groups of v2.
func (g *groupsV1) pressure() (time.Duration, bool) { return 0, false }

func (g *groupsV1) threads() ([]int, error) { return readIDs(g.cpuDir + "/tasks") }

func (g *groupsV1) peak(l limits.Limits) (limits.Bytes, bool, error) {
	n, err := readNumber(g.memory.peak)
	if err != nil {
		return 0, false, err
	}
	peak := limits.Bytes(n)
	kills, err := readField(g.memory.event, "oom_kill")
	if err != nil || kills == g.memory.kills {
		return peak, false, err
	}
	g.memory.kills = kills
	// Recent kernels do not count how often a limit was reached (memory.failcnt), so the peak has
	// to show whether it was.
	if l.Memory == 0 || peak < l.Memory-refusal {
		return peak, false, errForeignKill
	}
	return peak, true, nil
}

func (g *groupsV1) close() {
	for _, f := range []*os.File{g.cpuTasks, g.cpuUsage, g.pidsTasks, g.pidsMax} {
		if f != nil {
			f.Close()
		}
	}
	for _, dir := range []string{g.cpuDir, g.pidsDir} {
		if dir != "" {
			g.parent.used <- dir
		}
	}
	g.memory.close(g.parent)
	*g = groupsV1{parent: g.parent}
}

func (m *memoryV1) close(parent *cgroups) {
	if m == nil {
		return
	}
	for _, f := range []*os.File{m.tasks, m.usage, m.peak, m.limit, m.swapLimit, m.event} {
		if f != nil {
			f.Close()
		}
	}
	parent.used <- m.dir
}
