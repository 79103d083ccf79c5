//go:build linux

package sandbox

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// On cgroup v2 a group that holds processes cannot enable controllers for the groups
// below it, except at the very top of the hierarchy. So the groups of the runs
// cannot simply stand below the judge's own:
//
//   - if the judge's own group is the top, they can;
//   - if the judge may divide its group, because the group is all that a cgroup
//     namespace shows (Docker) or because systemd has delegated it, the processes
//     in it are moved to a leaf below, as is customary;
//   - otherwise the groups stand beside the judge's own, if the judge may make
//     them there, and nothing is moved.

// leafName is the name of the group that processes are moved to. It is not removed, because they
// stay in it.
const leafName = "tribunal"

// openV2 makes this judge's folder. own is the folder of the judge's own group.
func (c *cgroups) openV2(own string) error {
	c.v2 = true
	parent, err := parentV2(own)
	if err != nil {
		return explainV2(err)
	}
	dir, err := c.root(parent)
	if err != nil {
		return explainV2(err)
	}
	if err := enable(dir); err != nil {
		return explainV2(err)
	}
	c.memory, c.cpu = dir, dir
	if has(dir, "cgroup.controllers", "pids") {
		c.pids = dir
	}
	return c.checkSwap()
}

// checkSwap adds a note if programs can escape their memory limit into swap.
func (c *cgroups) checkSwap() error {
	swaps, err := os.ReadFile("/proc/swaps")
	if err != nil || strings.Count(string(swaps), "\n") < 2 { // the first line is the heading
		return nil
	}
	dir, err := c.make(c.memory)
	if err != nil {
		return err
	}
	defer os.Remove(dir)
	if _, err := os.Stat(filepath.Join(dir, "memory.swap.max")); err != nil {
		c.notes = append(c.notes, "swap is not limited here: memory that a program has in swap is not counted (hint: swapoff, or boot without swapaccount=0)")
	}
	return nil
}

var (
	errHidden       = errors.New("this process's cgroup is not visible (hint: mount cgroup2 on /sys/fs/cgroup)")
	errNoMemory     = errors.New("the memory controller is not enabled for this process's cgroup (hint: start the judge with systemd-run --scope -p Delegate=yes, with --user as an ordinary user)")
	errNotDelegated = errors.New("this process may not make cgroups (hint: start the judge with systemd-run --user --scope -p Delegate=yes, or as root)")
	errReadOnly     = errors.New("cgroups are mounted read-only (hint: in Docker start the container with --privileged --cgroupns=private)")
	errShared       = errors.New("this process's cgroup holds processes that cannot be moved (hint: start the judge with systemd-run --scope -p Delegate=yes, or its container with --cgroupns=private)")
)

// explainV2 turns an error of the kernel into one that says what to do. It leaves the path out,
// because it contains process numbers, which would make every report differ.
func explainV2(err error) error {
	switch {
	case errors.Is(err, unix.EROFS):
		return errReadOnly
	case errors.Is(err, unix.EACCES), errors.Is(err, unix.EPERM):
		return errNotDelegated
	case errors.Is(err, unix.EBUSY):
		return errShared
	}
	if path := (*os.PathError)(nil); errors.As(err, &path) {
		what := "a cgroup"
		if file := filepath.Base(path.Path); strings.HasPrefix(file, "cgroup.") {
			what = file
		}
		err = fmt.Errorf("%s %s: %w", path.Op, what, path.Err)
		if !Exhausted(err) {
			err = fmt.Errorf("%w (hint: start the judge with systemd-run --scope -p Delegate=yes)", err)
		}
	}
	return err
}

// parentV2 finds the group in which to make this judge's folder, and enables there the controllers
// that runs need, as far as the host has them.
func parentV2(own string) (string, error) {
	if !has(own, "cgroup.procs", strconv.Itoa(os.Getpid())) {
		return "", errHidden // another part of the hierarchy is mounted here
	}
	parent, move := placeV2(own)
	if !has(parent, "cgroup.controllers", "memory") {
		return "", errNoMemory
	}
	// Moving a process needs the right to write to the group above both places.
	if err := unix.Faccessat(unix.AT_FDCWD, filepath.Join(parent, "cgroup.procs"), unix.W_OK, unix.AT_EACCESS); err != nil {
		return "", err
	}
	if move {
		return parent, vacate(parent)
	}
	return parent, enable(parent)
}

// placeV2 returns the group in which to make the judge's folder, and whether the processes of that
// group have to be moved first.
func placeV2(own string) (parent string, move bool) {
	above := filepath.Dir(own)
	switch _, err := os.Stat(filepath.Join(own, "cgroup.type")); {
	case err != nil:
		return own, false // only the top of the hierarchy has no type
	case delegated(own):
		return own, true
	case !isGroup(above):
		return own, true // the judge's group is the root of its namespace
	}
	return above, false
}

func isGroup(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, "cgroup.controllers"))
	return err == nil
}

// delegated reports whether systemd has delegated a group, by the extended attribute that it sets
// for this purpose.
func delegated(dir string) bool {
	for _, name := range []string{"trusted.delegate", "user.delegate"} {
		value := make([]byte, 8)
		if n, err := unix.Getxattr(dir, name, value); err == nil && string(value[:n]) == "1" {
			return true
		}
	}
	return false
}

// vacate moves the processes of a group to a leaf below it and enables the controllers. New
// processes may appear in between, so it tries again.
func vacate(dir string) error {
	leaf := filepath.Join(dir, leafName)
	if err := os.Mkdir(leaf, 0o755); err != nil && !errors.Is(err, os.ErrExist) {
		return err
	}
	var err error
	for range 100 {
		procs, readErr := os.ReadFile(filepath.Join(dir, "cgroup.procs"))
		if readErr != nil {
			return readErr
		}
		for pid := range strings.FieldsSeq(string(procs)) {
			if pid == "0" {
				return errShared // a process of another pid namespace
			}
			if err := writeControl(leaf, "cgroup.procs", pid); err != nil && !errors.Is(err, unix.ESRCH) {
				return err
			}
		}
		if err = enable(dir); !errors.Is(err, unix.EBUSY) {
			return err
		}
	}
	return err
}

// enable enables the controllers that runs need for the groups below dir. CPU time is accounted
// without its controller, which would only change how the host schedules. The pids controller may
// be missing: callers check whether it is there.
func enable(dir string) error {
	for _, name := range []string{"memory", "pids"} {
		if has(dir, "cgroup.subtree_control", name) {
			continue
		}
		if err := writeControl(dir, "cgroup.subtree_control", "+"+name); err != nil && name == "memory" {
			return err
		}
	}
	return nil
}

// has reports whether a control file, read as a list of words, contains word.
func has(dir, file, word string) bool {
	text, err := os.ReadFile(filepath.Join(dir, file))
	return err == nil && slices.Contains(strings.Fields(string(text)), word)
}
