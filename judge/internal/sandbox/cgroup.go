package sandbox

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"

	"tribunal/judge/internal/limits"
)

// cgroups hands out control groups for runs.
//
// Each run gets a fresh memory group, because a reused one would still be charged
// for the page cache of the program before. Fresh groups are made, and used ones
// removed, by a goroutine beside the runs. CPU time has no such residue: on
// cgroup v1, where every controller costs a migration, each container keeps one
// cpuacct and one pids group: it starts a program only when all of the one before
// are reaped. On v2 there is one group with everything, and the program is born
// in it.
type cgroups struct {
	v2     bool
	memory string // folder for run groups; on v2 of all controllers
	cpu    string // v1 only
	pids   string // v1 only; "" when the controller is missing
	swap   bool   // memsw is accounted, so that it must be limited too

	serial atomic.Int64
	fresh  chan string // prepared memory groups
	used   chan string // groups to remove
	stop   chan struct{}
	done   sync.WaitGroup

	mu   sync.Mutex
	idle []*v1Slots // kept groups that no container has
	kept int
}

// v1Slots are the v1 groups that a container keeps, with their control files open.
type v1Slots struct {
	cpuProcs, cpuUsage *os.File
	pidsProcs, pidsMax *os.File // nil without the pids controller
	processes          int      // what pidsMax says
}

func openSlots(cpu, pids string) (*v1Slots, error) {
	s := &v1Slots{processes: -1}
	files := []struct {
		to   **os.File
		dir  string
		name string
		flag int
	}{
		{&s.cpuProcs, cpu, "cgroup.procs", os.O_WRONLY},
		{&s.cpuUsage, cpu, "cpuacct.usage", os.O_RDONLY},
		{&s.pidsProcs, pids, "cgroup.procs", os.O_WRONLY},
		{&s.pidsMax, pids, "pids.max", os.O_WRONLY},
	}
	for _, dir := range []string{cpu, pids} {
		if dir == "" {
			continue
		}
		if err := os.Mkdir(dir, 0o755); err != nil {
			return nil, err
		}
	}
	for _, f := range files {
		if f.dir == "" {
			continue
		}
		var err error
		if *f.to, err = os.OpenFile(filepath.Join(f.dir, f.name), f.flag, 0); err != nil {
			s.close()
			return nil, err
		}
	}
	return s, nil
}

func (s *v1Slots) close() {
	for _, f := range []*os.File{s.cpuProcs, s.cpuUsage, s.pidsProcs, s.pidsMax} {
		if f != nil {
			f.Close()
		}
	}
}

// slots returns kept groups for a container, nil on v2. They are given back with
// keep.
func (c *cgroups) slots() (*v1Slots, error) {
	if c.v2 {
		return nil, nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if n := len(c.idle); n > 0 {
		s := c.idle[n-1]
		c.idle = c.idle[:n-1]
		return s, nil
	}
	name, pids := "slot"+strconv.Itoa(c.kept), ""
	if c.pids != "" {
		pids = filepath.Join(c.pids, name)
	}
	s, err := openSlots(filepath.Join(c.cpu, name), pids)
	if err != nil {
		return nil, fmt.Errorf("cgroup: %w", err)
	}
	c.kept++
	return s, nil
}

// keep takes groups back from a container that has ended.
func (c *cgroups) keep(s *v1Slots) {
	if s != nil {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.idle = append(c.idle, s)
	}
}

// limit sets the number of processes, 0 for any.
func (s *v1Slots) limit(processes int) error {
	if s.pidsMax == nil || s.processes == processes {
		return nil
	}
	text := "max"
	if processes > 0 {
		text = strconv.Itoa(processes)
	}
	_, err := s.pidsMax.WriteString(text)
	s.processes = processes
	return err
}

// group is the control group of one run.
type group struct {
	parent *cgroups
	memory string
	slots  *v1Slots // nil on v2
	base   time.Duration
	limit  limits.Bytes
}

// hosts numbers the hosts of this process, so that two do not share groups.
var hosts atomic.Int64

// newCgroups prepares control groups below the judge's own, or tells why this
// process cannot. Groups that a killed judge left behind are removed.
func newCgroups(inFlight int) (*cgroups, error) {
	mounts, err := cgroupMounts()
	if err != nil {
		return nil, err
	}
	name := fmt.Sprintf("tribunal.%d.%d", os.Getpid(), hosts.Add(1))
	c := &cgroups{stop: make(chan struct{})}
	if mounts["memory"] != "" && mounts["cpuacct"] != "" {
		if c.memory, err = makeRoot(mounts["memory"], name); err != nil {
			return nil, err
		}
		if c.cpu, err = makeRoot(mounts["cpuacct"], name); err != nil {
			os.Remove(c.memory)
			return nil, err
		}
		if dir := mounts["pids"]; dir != "" {
			if c.pids, err = makeRoot(dir, name); err != nil {
				c.pids = ""
			}
		}
		_, err := os.Stat(filepath.Join(c.memory, "memory.memsw.limit_in_bytes"))
		c.swap = err == nil
		_ = os.WriteFile(filepath.Join(c.memory, "memory.use_hierarchy"), []byte("1"), 0)
	} else if dir := mounts[""]; dir != "" {
		c.v2 = true
		if c.memory, err = makeRootV2(dir, name); err != nil {
			return nil, err
		}
	} else {
		return nil, errors.New("no memory and cpuacct controllers are mounted")
	}

	c.fresh = make(chan string, inFlight)
	c.used = make(chan string, 4*inFlight)
	// The first group is made here, so that a host that forbids it is found out now.
	first, err := c.make()
	if err != nil {
		c.removeRoots()
		return nil, err
	}
	c.fresh <- first
	c.done.Go(c.refill)
	c.done.Go(c.sweep)
	return c, nil
}

// close removes all groups. No run may be in flight.
func (c *cgroups) close() {
	close(c.stop)
	close(c.used)
	c.done.Wait()
	close(c.fresh)
	for dir := range c.fresh {
		os.Remove(dir)
	}
	for _, s := range c.idle {
		s.close()
	}
	c.removeRoots()
}

func (c *cgroups) removeRoots() {
	for _, root := range []string{c.memory, c.cpu, c.pids} {
		if root != "" {
			removeTree(root)
		}
	}
}

// refill keeps a stock of fresh groups, so that no run waits for the kernel to
// build one.
func (c *cgroups) refill() {
	for {
		dir, err := c.make()
		if err != nil {
			return // acquire makes its own then, and reports the error
		}
		select {
		case c.fresh <- dir:
		case <-c.stop:
			os.Remove(dir)
			return
		}
	}
}

// sweep removes used groups. The kernel may keep one busy for a moment after its
// last process was reaped.
func (c *cgroups) sweep() {
	for dir := range c.used {
		removeBusy(dir)
	}
}

func removeBusy(dir string) {
	for wait := 50 * time.Microsecond; wait < time.Second; wait *= 2 {
		if err := unix.Rmdir(dir); !errors.Is(err, unix.EBUSY) {
			return
		}
		time.Sleep(wait)
	}
}

func (c *cgroups) make() (string, error) {
	dir := filepath.Join(c.memory, "run"+strconv.FormatInt(c.serial.Add(1), 10))
	return dir, unix.Mkdir(dir, 0o755)
}

// acquire returns a group with the limits set, for one run in the container that
// has the slots.
func (c *cgroups) acquire(l limits.Limits, slots *v1Slots) (*group, error) {
	g := &group{parent: c, slots: slots, limit: l.Memory}
	select {
	case g.memory = <-c.fresh:
	default:
		var err error
		if g.memory, err = c.make(); err != nil {
			return nil, fmt.Errorf("cgroup: %w", err)
		}
	}
	if err := c.configure(g, l); err != nil {
		g.release()
		return nil, fmt.Errorf("cgroup: %w", err)
	}
	return g, nil
}

func (c *cgroups) configure(g *group, l limits.Limits) error {
	memory := strconv.FormatInt(int64(l.Memory), 10)
	if c.v2 {
		if l.Memory > 0 {
			if err := put(g.memory, "memory.max", memory); err != nil {
				return err
			}
			_ = put(g.memory, "memory.swap.max", "0")  // absent without swap
			_ = put(g.memory, "memory.oom.group", "1") // one death is the death of the run
		}
		if l.Processes > 0 {
			_ = put(g.memory, "pids.max", strconv.Itoa(l.Processes))
		}
		return nil
	}
	if l.Memory > 0 {
		if err := put(g.memory, "memory.limit_in_bytes", memory); err != nil {
			return err
		}
		if c.swap {
			if err := put(g.memory, "memory.memsw.limit_in_bytes", memory); err != nil {
				return err
			}
		}
	}
	return g.slots.limit(l.Processes)
}

// add moves the program into the group, just before it starts. On v2 it was born
// there.
func (g *group) add(pid int) (err error) {
	if g.parent.v2 {
		return nil
	}
	if g.base, err = g.rawCPU(); err != nil {
		return err
	}
	text := strconv.Itoa(pid)
	for _, procs := range []*os.File{g.slots.cpuProcs, g.slots.pidsProcs} {
		if procs == nil {
			continue
		}
		if _, err := procs.WriteString(text); err != nil {
			return err
		}
	}
	return put(g.memory, "cgroup.procs", text)
}

// dir opens the group's folder on v2, for a process to be cloned into.
func (g *group) dir() (*os.File, error) {
	return os.OpenFile(g.memory, unix.O_PATH|unix.O_DIRECTORY, 0)
}

// cpu returns the CPU time used in this run so far.
func (g *group) cpu() (time.Duration, error) {
	now, err := g.rawCPU()
	return now - g.base, err
}

func (g *group) rawCPU() (time.Duration, error) {
	if g.parent.v2 {
		usec, err := field(g.memory, "cpu.stat", "usage_usec")
		return time.Duration(usec) * time.Microsecond, err
	}
	buf := make([]byte, 32)
	n, err := g.slots.cpuUsage.ReadAt(buf, 0)
	if err != nil && err != io.EOF {
		return 0, err
	}
	ns, err := strconv.ParseInt(string(bytes.TrimSpace(buf[:n])), 10, 64)
	return time.Duration(ns), err
}

// peak returns the most memory the run was charged for, and whether the kernel
// killed one of its processes for going over the limit.
func (g *group) peak() (peak limits.Bytes, oom bool, err error) {
	peakFile, oomFile := "memory.max_usage_in_bytes", "memory.oom_control"
	if g.parent.v2 {
		peakFile, oomFile = "memory.peak", "memory.events"
	}
	n, err := number(g.memory, peakFile)
	if err != nil {
		return 0, false, err
	}
	peak = limits.Bytes(n)
	if g.limit == 0 || peak < g.limit/2 {
		return peak, false, nil // far from the limit nothing was killed: save a read
	}
	kills, err := field(g.memory, oomFile, "oom_kill")
	return peak, kills > 0, err
}

// release gives the group back; its processes must be dead.
func (g *group) release() {
	if g.memory != "" {
		g.parent.used <- g.memory
	}
}

// cgroupMounts returns the folder of this process in each mounted hierarchy, by
// controller; "" is the cgroup v2 hierarchy.
func cgroupMounts() (map[string]string, error) {
	own, err := os.ReadFile("/proc/self/cgroup")
	if err != nil {
		return nil, err
	}
	info, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		return nil, err
	}
	return parseCgroupMounts(string(own), string(info)), nil
}

// parseCgroupMounts reads the formats of cgroups(7), /proc/pid/cgroup, and
// proc_pid_mountinfo(5).
func parseCgroupMounts(own, info string) map[string]string {
	path := map[string]string{} // controller to this process's group
	for line := range strings.Lines(own) {
		parts := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(parts) != 3 {
			continue
		}
		for name := range strings.SplitSeq(parts[1], ",") {
			path[name] = parts[2]
		}
	}
	dirs := map[string]string{}
	for line := range strings.Lines(info) {
		before, after, found := strings.Cut(strings.TrimSpace(line), " - ")
		left, right := strings.Fields(before), strings.Fields(after)
		if !found || len(left) < 5 || len(right) < 3 {
			continue
		}
		root, mount := left[3], left[4]
		// Inside a container the hierarchy's root may be mounted somewhere below.
		below := func(group string) string {
			rest, ok := strings.CutPrefix(group, strings.TrimSuffix(root, "/"))
			if !ok {
				rest = ""
			}
			return filepath.Join(mount, rest)
		}
		switch right[0] {
		case "cgroup2":
			dirs[""] = below(path[""])
		case "cgroup":
			for option := range strings.SplitSeq(right[2], ",") {
				if group, ok := path[option]; ok && option != "" {
					dirs[option] = below(group)
				}
			}
		}
	}
	return dirs
}

// makeRoot makes this judge's folder in a v1 hierarchy and removes those of
// judges that are gone.
func makeRoot(parent, name string) (string, error) {
	removeOrphans(parent)
	dir := filepath.Join(parent, name)
	return dir, os.Mkdir(dir, 0o755)
}

// makeRootV2 does the same on v2. There a group with processes cannot hand its
// controllers on, so the judge's folder stands beside the judge's own group when
// that is what the host has delegated, and the judge itself is never moved.
func makeRootV2(own, name string) (string, error) {
	var last error
	for _, parent := range []string{own, filepath.Dir(own)} {
		control, err := os.ReadFile(filepath.Join(parent, "cgroup.controllers"))
		if err != nil {
			last = err
			continue
		}
		if !bytes.Contains(control, []byte("memory")) {
			last = errors.New("the memory controller is not delegated")
			continue
		}
		if err := enable(parent); err != nil {
			last = err
			continue
		}
		dir, err := makeRoot(parent, name)
		if err == nil {
			err = enable(dir)
		}
		if err == nil {
			return dir, nil
		}
		os.Remove(dir)
		last = err
	}
	return "", last
}

// enable hands the controllers that runs need on to the groups below dir.
func enable(dir string) error {
	if err := put(dir, "cgroup.subtree_control", "+memory"); err != nil {
		return err
	}
	_ = put(dir, "cgroup.subtree_control", "+pids")
	_ = put(dir, "cgroup.subtree_control", "+cpu") // cpu.stat works without it
	return nil
}

// removeOrphans removes the folders of judges whose process no longer exists,
// with whatever still runs in them.
func removeOrphans(parent string) {
	left, _ := filepath.Glob(filepath.Join(parent, "tribunal.*"))
	for _, dir := range left {
		owner, _, _ := strings.Cut(strings.TrimPrefix(filepath.Base(dir), "tribunal."), ".")
		pid, err := strconv.Atoi(owner)
		if err == nil && errors.Is(unix.Kill(pid, 0), unix.ESRCH) {
			removeTree(dir)
		}
	}
}

// removeTree kills what runs in the groups below root and removes them.
func removeTree(root string) {
	children, _ := os.ReadDir(root)
	for _, child := range children {
		if child.IsDir() {
			removeTree(filepath.Join(root, child.Name()))
		}
	}
	procs, _ := os.ReadFile(filepath.Join(root, "cgroup.procs"))
	for pid := range strings.FieldsSeq(string(procs)) {
		if n, err := strconv.Atoi(pid); err == nil && n != os.Getpid() {
			_ = unix.Kill(n, unix.SIGKILL)
		}
	}
	removeBusy(root)
}

// put writes a control file with the fewest calls.
func put(dir, name, text string) error {
	fd, err := unix.Open(dir+"/"+name, unix.O_WRONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return &os.PathError{Op: "open", Path: dir + "/" + name, Err: err}
	}
	defer unix.Close(fd)
	for {
		_, err = unix.Write(fd, []byte(text))
		if !errors.Is(err, unix.EINTR) {
			break
		}
	}
	if err != nil {
		return &os.PathError{Op: "write", Path: dir + "/" + name, Err: err}
	}
	return nil
}

// get reads a control file into a small buffer; the files used here fit.
func get(dir, name string) ([]byte, error) {
	fd, err := unix.Open(dir+"/"+name, unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, &os.PathError{Op: "open", Path: dir + "/" + name, Err: err}
	}
	defer unix.Close(fd)
	buf := make([]byte, 4096)
	n, err := unix.Read(fd, buf)
	if err != nil {
		return nil, &os.PathError{Op: "read", Path: dir + "/" + name, Err: err}
	}
	return buf[:n], nil
}

func number(dir, name string) (int64, error) {
	text, err := get(dir, name)
	if err != nil {
		return 0, err
	}
	return strconv.ParseInt(string(bytes.TrimSpace(text)), 10, 64)
}

// field reads one value of a control file made of "name value" lines.
func field(dir, name, key string) (int64, error) {
	text, err := get(dir, name)
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(text)) {
		if k, v, _ := strings.Cut(strings.TrimSpace(line), " "); k == key {
			return strconv.ParseInt(v, 10, 64)
		}
	}
	return 0, fmt.Errorf("%s/%s has no %s", dir, name, key)
}
