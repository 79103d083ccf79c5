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

	"tribunal/judge/internal/flock"
)

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

// rootPrefix begins the names of the folders of judges. The number of the process
// that follows is for people: it may be another's by now, or in another namespace.
const rootPrefix = "tribunal-"

// makeRoot makes a folder for this judge in a group, and removes those of judges
// that are gone. It returns the folder open and locked (flock): while it stays open
// this judge is known to live. See [scratch], which works in the same way.
func makeRoot(parent string) (*os.File, error) {
	removeOrphans(parent)
	for range 100 {
		dir, err := os.MkdirTemp(parent, fmt.Sprintf("%s%d.*", rootPrefix, os.Getpid()))
		if err != nil {
			return nil, nameless("mkdir in", parent, err)
		}
		lock, err := flock.PlainFolder(dir, unix.LOCK_EX)
		switch {
		case err == nil:
			return lock, nil
		case !errors.Is(err, os.ErrNotExist):
			_ = os.Remove(dir) // or the next judge does
			return nil, nameless("lock a folder in", parent, err)
		}
		// Another judge came by before the lock and took it for a dead one's.
	}
	return nil, fmt.Errorf("%s: folders do not stay", parent)
}

// nameless tells of an error in a group without the name of the judge's folder there,
// which would make every report differ.
func nameless(op, parent string, err error) error {
	if path, ok := errors.AsType[*os.PathError](err); ok {
		err = path.Err
	}
	return &os.PathError{Op: op, Path: parent, Err: err}
}

// removeOrphans removes the folders of dead judges, which can be locked, with
// whatever still runs in them.
func removeOrphans(parent string) {
	left, _ := filepath.Glob(filepath.Join(parent, rootPrefix+"*"))
	for _, dir := range left {
		lock, err := flock.PlainFolder(dir, unix.LOCK_EX|unix.LOCK_NB)
		if err != nil {
			continue
		}
		removeTree(dir)
		lock.Close()
	}
}

// removeTree kills what runs in the groups below root and removes them.
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
		// 0 is a process of another pid namespace, and to kill it would kill this judge.
		if n, err := strconv.Atoi(pid); err == nil && n > 0 && n != os.Getpid() {
			_ = unix.Kill(n, unix.SIGKILL)
		}
	}
	removeBusy(root)
}

// removeBusy removes a group as soon as its last process is gone, for which it
// sees to on v2: what the container's init did not get ends here.
func removeBusy(dir string) {
	for wait := 50 * time.Microsecond; wait < time.Second; wait *= 2 {
		if err := unix.Rmdir(dir); !errors.Is(err, unix.EBUSY) {
			return
		}
		killAll(dir)
		time.Sleep(wait)
	}
}

// killAll ends all processes in and below a group of v2, on kernels that can
// (5.14); on v1 it does nothing.
func killAll(dir string) { _ = put(dir, "cgroup.kill", "1") }
