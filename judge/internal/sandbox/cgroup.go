package sandbox

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"tribunal/judge/internal/limits"
)

// cgroups hands out control groups: what the kernel accounts and limits for the
// whole process tree of a run.
//
// On v2 a run gets a group of its own and is born in it. On v1 every controller
// is another hierarchy into which the program has to be moved, and making and
// removing groups costs as much again; so each container keeps its groups, see
// [groupsV1].
type cgroups struct {
	v2     bool
	memory string // folder for the groups; on v2 of all controllers
	cpu    string // v1 only
	pids   string // v1 only; "" when the controller is missing
	swap   bool   // memsw is accounted, so that it must be limited too

	serial atomic.Int64
	used   chan string // groups to remove
	done   sync.WaitGroup
}

// group is the control group of the runs of one container, one run at a time.
type group interface {
	// open readies the group for a run under the limits. It returns the folder for
	// the program to be born in, which the caller closes, or nil when it has to
	// enter.
	open(l limits.Limits) (*os.File, error)
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
	c := &cgroups{used: make(chan string, 64)}
	switch {
	case mounts["memory"] != "" && mounts["cpuacct"] != "":
		err = c.openV1(mounts, name)
	case mounts[""] != "":
		c.v2 = true
		c.memory, err = makeRootV2(mounts[""], name)
	default:
		err = errors.New("no memory and cpuacct controllers are mounted")
	}
	if err != nil {
		c.removeRoots()
		return nil, err
	}
	c.done.Go(c.sweep)
	// Whether this process may really make groups is found out now.
	trial := c.group()
	if dir, err := trial.open(limits.Limits{Memory: limits.MiB}); err != nil {
		trial.close()
		c.close()
		return nil, err
	} else if dir != nil {
		dir.Close()
	}
	trial.close()
	return c, nil
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
	for _, root := range []string{c.memory, c.cpu, c.pids} {
		if root != "" {
			removeTree(root)
		}
	}
}

// sweep removes used groups beside the runs. The kernel may keep one busy for a
// moment after its last process was reaped.
func (c *cgroups) sweep() {
	for dir := range c.used {
		removeBusy(dir)
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
