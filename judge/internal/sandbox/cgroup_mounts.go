package sandbox

import (
	"bytes"
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

// makeRoot makes this judge's folder in a v1 hierarchy and removes those of
// judges that are gone.
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

func removeBusy(dir string) {
	for wait := 50 * time.Microsecond; wait < time.Second; wait *= 2 {
		if err := unix.Rmdir(dir); !errors.Is(err, unix.EBUSY) {
			return
		}
		time.Sleep(wait)
	}
}
