//go:build linux

package sandbox

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

// A refused error explains why the kernel starts no container. Its error is that of the system call, whose
// text alone misleads: "no space left on device" has nothing to do with a disk.
type refused struct {
	why string
	err error
}

func (r *refused) Error() string { return r.why }
func (r *refused) Unwrap() error { return r.err }

// explained returns err with the reason why the kernel refused to start a container, if it is known.
// setting returns the value of a kernel setting below /proc/sys, "" if there is none; jailed reports
// whether this process runs in a chroot.
func explained(err error, setting func(name string) string, jailed func() bool) error {
	path, ok := errors.AsType[*os.PathError](err)
	if !ok || path.Op != "fork/exec" {
		return err
	}
	why := ""
	switch path.Err {
	case unix.ENOSPC: // see user_namespaces(7)
		why = "no more user namespaces can be made"
		for _, kind := range []string{"user", "mnt", "pid", "ipc", "uts", "net", "cgroup"} {
			if name := "max_" + kind + "_namespaces"; setting("user/"+name) == "0" {
				why = fmt.Sprintf("%s namespaces are off (%s is 0)", kind, name)
				break
			}
		}
	case unix.EPERM:
		switch {
		case jailed():
			why = "the kernel makes no user namespaces in a chroot"
		case setting("kernel/unprivileged_userns_clone") == "0":
			why = "user namespaces are off for ordinary users (unprivileged_userns_clone is 0)"
		case setting("kernel/apparmor_restrict_unprivileged_userns") == "1":
			why = "AppArmor keeps user namespaces from this program (apparmor_restrict_unprivileged_userns is 1)"
		default:
			why = "user namespaces are denied here, perhaps by a filter of system calls as in Docker"
		}
	case unix.ENOSYS:
		why = "a filter of system calls denies namespaces, as in Docker"
	case unix.EINVAL:
		why = "the kernel was built without namespaces"
	default:
		return err
	}
	return &refused{why, err}
}

// kernelSetting returns the value of a setting below /proc/sys, or "" if it cannot be read.
func kernelSetting(name string) string {
	text, err := os.ReadFile("/proc/sys/" + name)
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(text))
}

// inChroot reports whether the root folder of this process is not that of its mount namespace. It
// may miss a chroot whose root is a mount of its own.
func inChroot() bool {
	if table, err := os.ReadFile("/proc/self/mountinfo"); err == nil {
		root := false
		for line := range strings.Lines(string(table)) {
			if fields := strings.Fields(line); len(fields) > 4 && fields[4] == "/" {
				root = true
			}
		}
		if !root {
			return true
		}
	}
	own, err := os.Stat("/")
	if err != nil {
		return false
	}
	first, err := os.Stat("/proc/1/root/.") // only root may look there
	return err == nil && !os.SameFile(own, first)
}
