package sandbox

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"tribunal/judge/internal/limits"
)

// cgroups hands out control groups: what the kernel accounts and limits for the
// whole process tree of a run.
//
// A program is moved into its group just before its execve. (To be born there it
// would need clone3, which the system call filter refuses to everything inside,
// the container's init too.) On v2 a run gets a group of its own, see [groupV2].
// On v1 every controller is another hierarchy, and making and removing groups
// costs as much again; so each container keeps its groups, see [groupsV1].
type cgroups struct {
	v2                bool
	memory, cpu, pids string   // folders for the groups, one and the same on v2; pids is "" when the controller is missing
	swap              bool     // v1: memsw is accounted, so that it must be limited too
	notes             []string // what cannot be enforced as it should be

	serial atomic.Int64
	spare  chan string // v2: groups made beforehand
	used   chan string // groups to remove
	done   sync.WaitGroup
}

// group is the control group of the runs of one container, one run at a time.
type group interface {
	// open readies the group for a run under the limits.
	open(l limits.Limits) error
	// enter moves the program into the group, just before it starts and after all of
	// the run before are reaped. After it, cpu and peak speak of this run.
	enter(pid int, l limits.Limits) error
	// cpu returns the CPU time used in this run so far.
	cpu() (time.Duration, error)
	// threads returns the run's live threads, as this process numbers them.
	threads() ([]int, error)
	// peak returns the most memory the run was charged for, and whether the kernel
	// killed one of its processes for going over the limit.
	peak(l limits.Limits) (peak limits.Bytes, oom bool, err error)
	// close gives up what belongs to the last run, and with it the group.
	close()
}

// hosts numbers the hosts of this process, so that two do not share groups.
var hosts atomic.Int64

// newCgroups prepares control groups below the judge's own, or tells why this
// process cannot. Groups that a killed judge left behind are removed.
func newCgroups() (*cgroups, error) {
	mounts, err := cgroupMounts()
	if err != nil {
		return nil, err
	}
	name := fmt.Sprintf("tribunal.%d.%d", os.Getpid(), hosts.Add(1))
	c := &cgroups{spare: make(chan string, 8), used: make(chan string, 64)}
	switch {
	case mounts["memory"] != "" && mounts["cpuacct"] != "":
		if err = c.openV1(mounts, name); err != nil {
			err = fmt.Errorf("%w (hint: start the judge as root)", err)
		}
	case mounts[""] != "":
		err = c.openV2(mounts[""], name)
	default:
		err = errors.New("no memory and cpuacct controllers are mounted (hint: mount cgroup2 on /sys/fs/cgroup)")
	}
	if err != nil {
		c.removeRoots()
		return nil, err
	}
	if c.pids == "" {
		c.notes = append(c.notes, "no pids controller here: the number of processes is limited by RLIMIT_NPROC")
	}
	c.done.Go(c.sweep)
	if err := c.try(); err != nil {
		c.close()
		return nil, err
	}
	return c, nil
}

// try finds out now whether this process may really make groups, and whether the
// kernel keeps the accounts that a run is judged by.
func (c *cgroups) try() error {
	trial, l := c.group(), limits.Limits{Memory: limits.MiB}
	defer trial.close()
	if err := trial.open(l); err != nil {
		return err
	}
	_, err := trial.cpu()
	if err == nil {
		_, _, err = trial.peak(l)
	}
	if c.v2 && errors.Is(err, os.ErrNotExist) {
		return errors.New("the kernel does not tell the peak of cgroup v2 memory (hint: Linux 5.19 or later does)")
	}
	return err
}

func (c *cgroups) openV1(mounts map[string]string, name string) (err error) {
	if c.memory, err = makeRoot(mounts["memory"], name); err != nil {
		return err
	}
	if c.cpu, err = makeRoot(mounts["cpuacct"], name); err != nil {
		return err
	}
	if dir := mounts["pids"]; dir != "" {
		if c.pids, err = makeRoot(dir, name); err != nil {
			c.pids = ""
		}
	}
	_, err = os.Stat(filepath.Join(c.memory, "memory.memsw.limit_in_bytes"))
	c.swap = err == nil
	return nil
}

// group returns a group for a container; nothing is made before it is opened.
func (c *cgroups) group() group {
	if c.v2 {
		return &groupV2{parent: c}
	}
	return &groupsV1{parent: c}
}

// close removes all groups, which must have been closed.
func (c *cgroups) close() {
	close(c.used)
	c.done.Wait()
	c.removeRoots()
}

func (c *cgroups) removeRoots() {
	for _, root := range slices.Compact([]string{c.memory, c.cpu, c.pids}) {
		if root != "" {
			removeTree(root)
		}
	}
}

// sweep removes used groups beside the runs, and on v2 makes new ones in their
// place. The kernel may keep one busy for a moment after its last process was
// reaped.
func (c *cgroups) sweep() {
	for dir := range c.used {
		if c.v2 && len(c.spare) < cap(c.spare) { // nobody else adds
			if dir, err := c.make(c.memory); err == nil { // else the next run meets the error
				c.spare <- dir
			}
		}
		removeBusy(dir)
	}
}

// fresh returns a new group of v2.
func (c *cgroups) fresh() (string, error) {
	select {
	case dir := <-c.spare:
		return dir, nil
	default:
		return c.make(c.memory)
	}
}

// make makes a new group in a hierarchy.
func (c *cgroups) make(root string) (string, error) {
	dir := filepath.Join(root, "run"+strconv.FormatInt(c.serial.Add(1), 10))
	err := os.Mkdir(dir, 0o755)
	if errors.Is(err, os.ErrNotExist) {
		// Somebody has removed the judge's own folder, as empty ones sometimes are.
		if os.Mkdir(root, 0o755) == nil && c.v2 {
			if err := enable(root); err != nil {
				return dir, err
			}
		}
		err = os.Mkdir(dir, 0o755)
	}
	return dir, err
}
