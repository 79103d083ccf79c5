package sandbox

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
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

// makeRoot makes this judge's folder in a group and removes those of judges that
// are gone.
func makeRoot(parent, name string) (string, error) {
	removeOrphans(parent)
	dir := filepath.Join(parent, name)
	err := unix.Mkdir(dir, 0o755)
	if errors.Is(err, unix.EEXIST) {
		removeTree(dir) // of a judge that died and had this process's number
		err = unix.Mkdir(dir, 0o755)
	}
	if err != nil {
		// Without the name, whose process number would make every report differ.
		return "", &os.PathError{Op: "mkdir in", Path: parent, Err: err}
	}
	return dir, nil
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
	killAll(root)
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
