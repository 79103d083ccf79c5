//go:build linux

package doctor

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

func fileAttacks() []attack {
	const group = "files of the host"
	const invisible = "not visible"
	list := []attack{
		{name: "read-passwd", group: group, what: "read /etc/passwd", want: invisible, do: reads("/etc/passwd", "/etc/shadow", "/etc/hostname"), open: inRlimit},
	}
	for _, name := range []string{WorkingFolder, HomeFolder, CacheFolder, TempFolder} {
		list = append(list, attack{name: "see-" + strings.ReplaceAll(strings.TrimPrefix(name, "the "), " ", "-"), group: group, what: "see " + name, want: invisible, do: sees(name), open: inRlimit})
	}
	return append(list,
		attack{name: "secret-path", group: group, what: "a secret file, by its path", want: invisible, do: secretBy(pathRoutes), open: inRlimit},
		attack{name: "secret-dots", group: group, what: "a secret file, by .. and links", want: invisible, do: secretBy(dotRoutes), open: inRlimit},
		attack{name: "secret-init", group: group, what: "a secret file, by /proc/1", want: invisible, do: secretBy(initRoutes), open: inRlimit},
		attack{name: "secret-judge", group: group, what: "a secret file, by /proc/<judge>", want: invisible, do: secretBy(judgeRoutes), open: inRlimit},
		attack{name: "secret-scan", group: group, what: "a secret file, by every process", want: invisible, do: secretBy(scanRoutes), open: inRlimit},
		attack{name: "secret-handle", group: group, what: "a secret file, by its handle", want: "denied", do: openByHandle},
		attack{name: "descriptors", group: group, what: "use inherited descriptors", want: "only 0, 1, 2", do: inherited},
		attack{name: "init-memory", group: group, what: "the init's memory and environment", want: "EACCES", do: readInit, open: inRlimit},
		attack{name: "write-system", group: group, what: "write to / /usr /bin /lib /etc", want: "EROFS", do: writesTo("/", "/usr", "/usr/bin", "/usr/lib", "/bin", "/lib", "/etc"), harm: true},
		attack{name: "write-proc", group: group, what: "write to /proc/sys and sysrq", want: "EROFS", do: opensForWriting("/proc/sys/kernel/hostname", "/proc/sys/kernel/core_pattern", "/proc/sys/vm/drop_caches", "/proc/sysrq-trigger"), open: inRlimit},
		attack{name: "write-sys", group: group, what: "write to /sys", want: invisible, do: opensForWriting("/sys/kernel/mm/transparent_hugepage/enabled", "/sys/power/state", "/sys/fs/cgroup/cgroup.procs"), open: inRlimit},
		attack{name: "write-dev", group: group, what: "make files and devices in /dev", want: "EROFS", do: writeDev, harm: true},
		attack{name: "kernel-memory", group: group, what: "memory of the kernel and the disk", want: invisible, do: opensForReading("/dev/mem", "/dev/kmem", "/dev/port", "/dev/kmsg", "/proc/kcore", "/proc/kmsg", "/dev/vda", "/dev/sda"), open: inRlimit},
	)
}

// sees returns a payload that looks for a folder of the host. Another folder with the same path
// does not count.
func sees(name string) payload {
	return func(w *hostInfo) outcome {
		p, ok := w.Places[name]
		if !ok {
			return held("none on this host")
		}
		var s unix.Stat_t
		err := unix.Stat(p.Path, &s)
		switch {
		case err != nil:
			return held("%s", errorName(err))
		case uint64(s.Dev) == p.Dev && s.Ino == p.Ino:
			return broke("visible")
		}
		return held("another folder")
	}
}

func reads(paths ...string) payload {
	return func(*hostInfo) outcome {
		seen := held("nothing tried")
		for _, path := range paths {
			text, err := os.ReadFile(path)
			if err == nil && len(text) > 0 {
				return broke("read %s", path)
			}
			seen = held("%s", errorName(err))
		}
		return seen
	}
}

// routes returns paths by which a secret might be reached.
type routes func(w *hostInfo) []string

func pathRoutes(w *hostInfo) []string { return []string{w.Secret} }

func dotRoutes(w *hostInfo) []string {
	const up = "../../../../../../../../../.."
	_ = os.Symlink(up+w.Secret, "link")
	_ = os.Link(w.Secret, "hard")
	list := []string{"link", "hard"}
	for _, from := range []string{"/w/", "/proc/self/cwd/", "/proc/self/root/", "/proc/self/fd/0/", "/dev/fd/1/", "/proc/self/task/../cwd/"} {
		list = append(list, from+up+w.Secret)
	}
	return list
}

func processRoutes(process string, w *hostInfo) []string {
	dir := "/proc/" + process
	list := []string{dir + "/root" + w.Secret, dir + "/cwd/../../../../../.." + w.Secret}
	for fd := range 64 {
		list = append(list, fmt.Sprintf("%s/fd/%d", dir, fd))
	}
	return list
}

func initRoutes(w *hostInfo) []string {
	return append(processRoutes("1", w), processRoutes("1/task/1", w)...)
}

func judgeRoutes(w *hostInfo) []string {
	pid := fmt.Sprint(w.Judge)
	return append(processRoutes(pid, w), fmt.Sprintf("/proc/%d/fd/%d", w.Judge, w.SecretFD))
}

func scanRoutes(w *hostInfo) []string {
	var list []string
	for _, pid := range processes() {
		list = append(list, processRoutes(pid, w)...)
	}
	return list
}

func processes() (list []string) {
	entries, _ := os.ReadDir("/proc")
	for _, e := range entries {
		if strings.Trim(e.Name(), "0123456789") == "" {
			list = append(list, e.Name())
		}
	}
	return list
}

// secretBy tries to read the secret on each of the routes. It opens only regular files, because
// reading from the pipe of another process would block.
func secretBy(on routes) payload {
	return func(w *hostInfo) outcome {
		for _, path := range on(w) {
			info, err := os.Stat(path)
			if err != nil || !info.Mode().IsRegular() {
				continue
			}
			f, err := os.Open(path)
			if err != nil {
				continue
			}
			text, _ := io.ReadAll(io.LimitReader(f, int64(len(w.Token))))
			f.Close()
			if string(text) == w.Token {
				return broke("read it")
			}
		}
		return held("not found")
	}
}

// openByHandle needs no path: the handle leads to the file on any mount of its file system, and the
// jail mounts shared libraries and devices of the host.
func openByHandle(w *hostInfo) outcome {
	if w.Handle == nil {
		return held("this file system has no handles")
	}
	seen := held("ENOENT")
	for _, mount := range []string{"/", "/usr", "/usr/lib", "/lib", "/bin", "/dev/null", w.Secret} {
		dir, err := unix.Open(mount, unix.O_RDONLY, 0)
		if err != nil {
			continue
		}
		fd, err := unix.OpenByHandleAt(dir, unix.NewFileHandle(w.HandleType, w.Handle), unix.O_RDONLY)
		unix.Close(dir)
		if err == nil {
			unix.Close(fd)
			return broke("opened it")
		}
		seen = refused(err, unix.ESTALE, unix.EOPNOTSUPP)
	}
	return seen
}

// inherited looks for descriptors that came through execve. Those of the attacker's own Go runtime
// are marked close-on-exec.
func inherited(*hostInfo) outcome {
	for fd := 3; fd < 4096; fd++ {
		flags, err := unix.FcntlInt(uintptr(fd), unix.F_GETFD, 0)
		if err != nil || flags&unix.FD_CLOEXEC != 0 {
			continue
		}
		link, _ := os.Readlink(fmt.Sprintf("/proc/self/fd/%d", fd))
		kind, _, _ := strings.Cut(link, ":")
		if strings.HasPrefix(kind, "/") {
			kind = "a file"
		}
		return broke("descriptor %d: %s", fd, kind)
	}
	return held("only 0, 1, 2")
}

func readInit(*hostInfo) outcome {
	seen := held("not visible")
	for _, name := range []string{"environ", "maps", "mem", "auxv"} {
		f, err := os.Open("/proc/1/" + name)
		if err != nil {
			seen = held("%s", errorName(err))
			continue
		}
		_, err = f.Read(make([]byte, 1))
		f.Close()
		// Opening mem is enough to count as broken: a read would start at address 0, where nothing
		// is mapped, and fail in any case.
		if err == nil || name == "mem" {
			return broke("opened /proc/1/%s", name)
		}
	}
	return seen
}

func writesTo(dirs ...string) payload {
	return func(*hostInfo) outcome {
		seen := held("not visible")
		for _, dir := range dirs {
			path := filepath.Join(dir, "tribunal-was-here")
			f, err := os.Create(path)
			if err == nil {
				f.Close()
				os.Remove(path)
				return broke("wrote to %s", dir)
			}
			if !errors.Is(err, unix.ENOENT) {
				seen = held("%s", errorName(err))
			}
		}
		return seen
	}
}

// opens opens files without writing, which has no effect on any of them.
func opens(flag int, paths []string) outcome {
	seen := held("not visible")
	for _, path := range paths {
		fd, err := unix.Open(path, flag|unix.O_NONBLOCK, 0)
		if err == nil {
			unix.Close(fd)
			return broke("opened %s", path)
		}
		if !errors.Is(err, unix.ENOENT) {
			seen = held("%s", errorName(err))
		}
	}
	return seen
}

func opensForWriting(paths ...string) payload {
	return func(*hostInfo) outcome { return opens(unix.O_WRONLY, paths) }
}

func opensForReading(paths ...string) payload {
	return func(*hostInfo) outcome { return opens(unix.O_RDONLY, paths) }
}

func writeDev(*hostInfo) outcome {
	if fd, err := unix.Open("/dev/tribunal", unix.O_CREAT|unix.O_WRONLY, 0o600); err == nil {
		unix.Close(fd)
		return broke("made a file")
	}
	for _, path := range []string{"/dev/tribunal", "/w/device", "/tmp/device", "/dev/shm/device"} {
		err := unix.Mknod(path, unix.S_IFCHR|0o600, int(unix.Mkdev(1, 3)))
		if err == nil {
			return broke("made a device in %s", filepath.Dir(path))
		}
		if o := refused(err); o.Broke {
			return o
		}
	}
	return held("EPERM")
}
