//go:build linux

package sandbox

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/system"
)

// cgroups hands out control groups, in which the kernel measures and limits the whole process tree
// of a run.
//
// On v2 each run gets a new group, and its program is born there: moving it would make the kernel
// wait for all its CPUs, which takes longer than a short run, see [groupV2]. On v1 every controller
// is a hierarchy of its own, and making and removing groups would take as long; so each container
// keeps its groups, and programs move themselves there before their execve, see [groupsV1].
type cgroups struct {
	v2                bool
	memory, cpu, pids string   // folders for the groups, all the same on v2; pids is "" without that controller
	swap              bool     // v1: the kernel accounts memory and swap together, and that sum must be limited too
	notes             []string // sentences about what cannot be enforced as it should be

	mu    sync.Mutex
	locks map[string]*os.File // this judge's folders, open and locked while it lives

	spare chan string // v2: folders of groups made beforehand
	used  chan string // folders of groups to remove
	done  sync.WaitGroup
}

// group is the control group of one container. It measures and limits one run at a time.
type group interface {
	// open prepares the group for a run under the limits, when all processes of the previous run
	// are reaped. It returns how the program gets into the group: a flag of its request and the
	// files that belong to the flag, which the group keeps.
	open(l limits.Limits) (flag uint32, files []*os.File, err error)
	// begin resets cpu and peak: from then on they are those of this run. It is called when the
	// program is in the group and about to start.
	begin() error
	// cpu returns the CPU time that this run has used so far.
	cpu() (time.Duration, error)
	// pressure returns for how long all threads of this run that were not asleep had to wait for a
	// CPU; false if the kernel keeps no such account.
	pressure() (time.Duration, bool)
	// threads returns the live threads of the run, by their numbers in this process's pid
	// namespace.
	threads() ([]int, error)
	// peak returns the most memory that the run was charged for, and whether the kernel killed one
	// of its processes because it went over the limit.
	peak(l limits.Limits) (peak limits.Bytes, oom bool, err error)
	// close releases the resources of the last run, and with them the group.
	close()
}

// errForeignKill reports that the kernel killed a process of a run because memory was short
// elsewhere: the run was within its own limit.
var errForeignKill = errors.New("the kernel killed a process that was within its own memory limit, because this host or a cgroup around the judge was out of memory")

// newCgroups prepares control groups below the judge's own; the error says why this process cannot
// have any. It removes groups that a killed judge left behind.
func newCgroups() (*cgroups, error) {
	mounts, err := CgroupFolders()
	if err != nil {
		return nil, err
	}
	c := &cgroups{locks: map[string]*os.File{}, spare: make(chan string, 8), used: make(chan string, 64)}
	switch {
	case mounts["memory"] != "" && mounts["cpuacct"] != "":
		if err = c.openV1(mounts); err != nil && !Exhausted(err) {
			err = fmt.Errorf("%w (hint: start the judge as root)", err)
		}
	case mounts[""] != "":
		err = c.openV2(mounts[""])
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
	if err := c.probe(); err != nil {
		c.close()
		return nil, err
	}
	return c, nil
}

// probe checks that this process can really make groups, and that the kernel keeps the accounts
// that verdicts depend on.
func (c *cgroups) probe() error {
	trial, l := c.group(), limits.Limits{Memory: limits.MiB}
	defer trial.close()
	if _, _, err := trial.open(l); err != nil {
		return err
	}
	_, err := trial.cpu()
	if err == nil {
		_, _, err = trial.peak(l)
	}
	if c.v2 && errors.Is(err, os.ErrNotExist) {
		return errors.New("the kernel does not report the peak of cgroup v2 memory (hint: Linux 5.19 or later does)")
	}
	return err
}

func (c *cgroups) openV1(mounts map[string]string) (err error) {
	if c.memory, err = c.root(mounts["memory"]); err != nil {
		return err
	}
	if c.cpu, err = c.root(mounts["cpuacct"]); err != nil {
		return err
	}
	if dir := mounts["pids"]; dir != "" {
		if c.pids, err = c.root(dir); err != nil {
			c.pids = ""
		}
	}
	_, err = os.Stat(filepath.Join(c.memory, "memory.memsw.limit_in_bytes"))
	c.swap = err == nil
	return nil
}

// root makes and locks this judge's folder in the group parent.
func (c *cgroups) root(parent string) (string, error) {
	lock, err := makeRoot(parent)
	if err != nil {
		return "", err
	}
	c.locks[lock.Name()] = lock
	return lock.Name(), nil
}

// group returns the group of one container. Nothing is made until it is opened.
func (c *cgroups) group() group {
	if c.v2 {
		return &groupV2{parent: c}
	}
	return &groupsV1{parent: c}
}

// close removes all groups. They must have been closed.
func (c *cgroups) close() {
	close(c.used)
	c.done.Wait()
	c.removeRoots()
}

func (c *cgroups) removeRoots() {
	for root, lock := range c.locks {
		removeTree(root)
		lock.Close()
	}
}

// sweep removes used groups in the background and, on v2, makes new ones in their place. The kernel
// may keep a group busy for a moment after its last process was reaped.
func (c *cgroups) sweep() {
	for dir := range c.used {
		if c.v2 && len(c.spare) < cap(c.spare) { // the send cannot block: only sweep adds to spare
			if dir, err := c.make(c.memory); err == nil { // otherwise the next run reports the error
				c.spare <- dir
			}
		}
		removeBusy(dir)
	}
}

// fresh returns the opened folder of a new group of v2.
func (c *cgroups) fresh() (*os.File, error) {
	for {
		select {
		case dir := <-c.spare:
			f, err := c.openGroup(dir)
			if !errors.Is(err, os.ErrNotExist) { // a missing one was removed together with the judge's folder
				return f, err
			}
		default:
			dir, err := c.make(c.memory)
			if err != nil {
				return nil, err
			}
			return c.openGroup(dir)
		}
	}
}

// openGroup opens a group of v2; if that fails, it hands the group to sweep.
func (c *cgroups) openGroup(dir string) (*os.File, error) {
	f, err := os.OpenFile(dir, unix.O_PATH|unix.O_DIRECTORY, 0)
	if err != nil {
		c.used <- dir
		return nil, err
	}
	return f, nil
}

// make makes a new group in a hierarchy. Its name, which a program may see, reveals nothing about
// earlier runs.
func (c *cgroups) make(root string) (string, error) {
	dir := filepath.Join(root, "run"+strconv.FormatUint(rand.Uint64(), 36))
	err := os.Mkdir(dir, 0o755)
	if errors.Is(err, os.ErrNotExist) {
		// The judge's own folder was removed: some hosts remove empty ones.
		if err := c.remake(root); err != nil {
			return dir, err
		}
		err = os.Mkdir(dir, 0o755)
	}
	return dir, err
}

// remake makes and locks the judge's folder root again.
func (c *cgroups) remake(root string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	err := os.Mkdir(root, 0o700)
	if errors.Is(err, os.ErrExist) {
		return nil // another run has made it
	}
	if err != nil {
		return err
	}
	lock, err := system.LockPlainFolder(root, unix.LOCK_EX)
	if err != nil {
		return err
	}
	c.locks[root].Close()
	c.locks[root] = lock
	if c.v2 {
		return enable(root)
	}
	return nil
}
