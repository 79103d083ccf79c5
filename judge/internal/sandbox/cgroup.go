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

	"tribunal/judge/internal/flock"
	"tribunal/judge/internal/limits"
)

// cgroups hands out control groups: what the kernel accounts and limits for the
// whole process tree of a run.
//
// On v2 a run gets a group of its own, which its program is born in: to be moved
// there would make the kernel wait for all its CPUs, which takes longer than the
// run, see [groupV2]. On v1 every controller is another hierarchy, and making and
// removing groups costs as much again; so each container keeps its groups, and
// programs are moved there just before their execve, see [groupsV1].
type cgroups struct {
	v2                bool
	memory, cpu, pids string   // folders for the groups, one and the same on v2; pids is "" when the controller is missing
	swap              bool     // v1: memsw is accounted, so that it must be limited too
	notes             []string // what cannot be enforced as it should be

	mu    sync.Mutex
	locks map[string]*os.File // the folders, locked as long as this judge lives

	spare chan string // v2: groups made beforehand
	used  chan string // groups to remove
	done  sync.WaitGroup
}

// group is the control group of the runs of one container, one run at a time.
type group interface {
	// open readies the group for a run under the limits. If it returns a folder, the
	// program is to be born there; it stays the group's.
	open(l limits.Limits) (*os.File, error)
	// enter is called just before the program starts and after all of the run before
	// are reaped. It moves the program into the group unless it was born there. After
	// it, cpu and peak speak of this run.
	enter(pid int, l limits.Limits) error
	// cpu returns the CPU time used in this run so far.
	cpu() (time.Duration, error)
	// pressure returns how long in this run all threads that were not asleep had to wait
	// for a CPU, where the kernel keeps that account.
	pressure() (time.Duration, bool)
	// threads returns the run's live threads, as this process numbers them.
	threads() ([]int, error)
	// peak returns the most memory the run was charged for, and whether the kernel
	// killed one of its processes for going over the limit.
	peak(l limits.Limits) (peak limits.Bytes, oom bool, err error)
	// close gives up what belongs to the last run, and with it the group.
	close()
}

// errForeignKill tells that the kernel killed a process of a run that was within its
// own limit.
var errForeignKill = errors.New("a process was killed for want of memory on this host, or in a group around the judge, within its own limit")

// newCgroups prepares control groups below the judge's own, or tells why this
// process cannot. Groups that a killed judge left behind are removed.
func newCgroups() (*cgroups, error) {
	mounts, err := cgroupMounts()
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
	if _, err := trial.open(l); err != nil {
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

// root makes a folder of this judge in a group.
func (c *cgroups) root(parent string) (string, error) {
	lock, err := makeRoot(parent)
	if err != nil {
		return "", err
	}
	c.locks[lock.Name()] = lock
	return lock.Name(), nil
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
	for root, lock := range c.locks {
		removeTree(root)
		lock.Close()
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

// fresh returns a new group of v2, open.
func (c *cgroups) fresh() (*os.File, error) {
	for {
		select {
		case dir := <-c.spare:
			f, err := c.openGroup(dir)
			if !errors.Is(err, os.ErrNotExist) { // or else it was removed with the judge's own folder
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

// openGroup opens a group of v2, or gives it up.
func (c *cgroups) openGroup(dir string) (*os.File, error) {
	f, err := os.OpenFile(dir, unix.O_PATH|unix.O_DIRECTORY, 0)
	if err != nil {
		c.used <- dir
		return nil, err
	}
	return f, nil
}

// make makes a new group in a hierarchy. Its name tells a program that may see it
// nothing of the runs before.
func (c *cgroups) make(root string) (string, error) {
	dir := filepath.Join(root, "run"+strconv.FormatUint(rand.Uint64(), 36))
	err := os.Mkdir(dir, 0o755)
	if errors.Is(err, os.ErrNotExist) {
		// Somebody has removed the judge's own folder, as empty ones sometimes are.
		if err := c.remake(root); err != nil {
			return dir, err
		}
		err = os.Mkdir(dir, 0o755)
	}
	return dir, err
}

// remake makes a folder of this judge again.
func (c *cgroups) remake(root string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	err := os.Mkdir(root, 0o700)
	if errors.Is(err, os.ErrExist) {
		return nil // another run has
	}
	if err != nil {
		return err
	}
	lock, err := flock.PlainFolder(root, unix.LOCK_EX)
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
