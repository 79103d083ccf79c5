//go:build linux

package sandbox

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"tribunal/judge/internal/system"
)

// CgroupFolders returns this process's folder in each mounted hierarchy of control groups, by
// controller; "" is the hierarchy of cgroup v2. It does not check whether a judge can use them;
// Open does.
func CgroupFolders() (map[string]string, error) {
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

// parseCgroupMounts parses /proc/pid/cgroup, see cgroups(7), and mountinfo, see
// proc_pid_mountinfo(5).
func parseCgroupMounts(own, info string) map[string]string {
	path := map[string]string{} // this process's group, by controller
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
		// In a container, the mount may show only a part of the hierarchy, from the group root on.
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

// rootPrefix begins the names of judges' folders. The number after it is the judge's process
// number, for humans only: it may belong to another process by now, or be from another pid
// namespace.
const rootPrefix = "tribunal-"

// makeRoot makes a folder for this judge in the group parent, and removes the folders of judges
// that have died. It returns the folder open and locked (flock): the lock shows other judges that
// this one is alive. [scratch] works the same way.
func makeRoot(parent string) (*os.File, error) {
	removeOrphans(parent)
	for range 100 {
		dir, err := os.MkdirTemp(parent, fmt.Sprintf("%s%d.*", rootPrefix, os.Getpid()))
		if err != nil {
			return nil, withoutName("mkdir in", parent, err)
		}
		lock, err := system.LockPlainFolder(dir, unix.LOCK_EX)
		switch {
		case err == nil:
			return lock, nil
		case !errors.Is(err, os.ErrNotExist):
			_ = os.Remove(dir) // if that fails, the next judge removes it
			return nil, withoutName("lock a folder in", parent, err)
		}
		// Another judge removed the folder before it was locked, because it looked like a dead
		// judge's.
	}
	return nil, fmt.Errorf("%s: every folder made there is removed at once", parent)
}

// withoutName returns an error about the group parent. It leaves out the name of the judge's
// folder, which would make every report differ.
func withoutName(op, parent string, err error) error {
	if path, ok := errors.AsType[*os.PathError](err); ok {
		err = path.Err
	}
	return &os.PathError{Op: op, Path: parent, Err: err}
}

// removeOrphans removes the folders of dead judges, those that can be locked, and kills whatever
// still runs in them.
func removeOrphans(parent string) {
	left, _ := filepath.Glob(filepath.Join(parent, rootPrefix+"*"))
	for _, dir := range left {
		lock, err := system.LockPlainFolder(dir, unix.LOCK_EX|unix.LOCK_NB)
		if err != nil {
			continue
		}
		removeTree(dir)
		lock.Close()
	}
}

// removeTree kills all processes in root and in the groups below it, and removes the groups.
func removeTree(root string) {
	killAll(root)
	children, _ := os.ReadDir(root)
	for _, child := range children {
		if child.IsDir() {
			removeTree(filepath.Join(root, child.Name()))
		}
	}
	procs, _ := os.ReadFile(filepath.Join(root, "cgroup.procs"))
	for pid := range strings.FieldsSeq(string(procs)) {
		// 0 is a process of another pid namespace; killing it would kill this judge's process
		// group.
		if n, err := strconv.Atoi(pid); err == nil && n > 0 && n != os.Getpid() {
			_ = unix.Kill(n, unix.SIGKILL)
		}
	}
	removeBusy(root)
}

// removeBusy removes a group as soon as its last process has ended. On v2 it kills those that are
// left, such as processes that outlived the container's init.
func removeBusy(dir string) {
	for wait := 50 * time.Microsecond; wait < time.Second; wait *= 2 {
		if err := unix.Rmdir(dir); !errors.Is(err, unix.EBUSY) {
			return
		}
		killAll(dir)
		time.Sleep(wait)
	}
}

// killAll kills all processes in and below a group of v2, on kernels that can (5.14 or later). On
// v1 it does nothing.
func killAll(dir string) { _ = writeControl(dir, "cgroup.kill", "1") }
