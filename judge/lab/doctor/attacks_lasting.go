//go:build linux

package doctor

import (
	"io"
	"os"
	"path/filepath"
	"strconv"

	"golang.org/x/sys/unix"
)

// lastingAttacks are attempts of one run to affect another: the next run in the same box, or the
// run beside it.
func lastingAttacks() []attack {
	const after, neighbour = "the next run", "the run beside it"
	return []attack{
		{name: "left-files", group: after, what: "files in /w, /tmp and /dev/shm", want: "gone", scene: inSequence("leave-files", "look-for-files"), harm: true},
		{name: "left-here", group: after, what: "files in the working folder", want: "gone", scene: inSequence("leave-here", "look-here")},
		{name: "left-daemon", group: after, what: "a daemon with an abstract socket", want: "gone", scene: inSequence("leave-daemon", "look-for-daemon"), harm: true},
		{name: "left-permissions", group: after, what: "folders without permissions", want: "usable", scene: inSequence("close-folders", "use-folders"), harm: true},
		{name: "beside-files", group: neighbour, what: "its files and locks", want: "not visible", pair: sideBySide("reach-files"), harm: true},
		{name: "beside-socket", group: neighbour, what: "its abstract socket", want: "no connection", pair: sideBySide("reach-socket"), harm: true},
		{name: "beside-process", group: neighbour, what: "its processes: see and kill them", want: "not visible", pair: sideBySide("reach-process"), harm: true},
	}
}

// lastingPayloads returns the payloads of these attacks, except those that are in the table.
func lastingPayloads() map[string]payload {
	all := map[string]payload{
		"leave-files":     leaves(sharedFolders...),
		"look-for-files":  looks(sharedFolders...),
		"leave-daemon":    leaveDaemon,
		"look-for-daemon": lookForDaemon,
		"close-folders":   closeFolders,
		"use-folders":     useFolders,
		"wait":            waitForInput,
		"reach-files":     reachFiles,
		"reach-socket":    reachSocket,
		"reach-process":   reachProcess,
	}
	for name, do := range all {
		all[name] = onlySealed(do)
	}
	all[doNothing] = func(*hostInfo) outcome { return held("runs") }
	all["leave-here"], all["look-here"] = leaves("."), looks(".")
	return all
}

// doNothing is the payload that only shows that programs run.
const doNothing = "nothing"

var sharedFolders = []string{"/w", "/tmp", "/dev/shm"}

func leaves(dirs ...string) payload {
	return func(*hostInfo) outcome {
		for _, dir := range dirs {
			deep := filepath.Join(dir, "a", "b", "c", "d")
			if err := os.MkdirAll(deep, 0o700); err != nil {
				continue // nothing can be left there
			}
			_ = os.WriteFile(filepath.Join(deep, "file"), []byte("x"), 0o600)
			_ = os.WriteFile(filepath.Join(dir, ".hidden"), []byte("x"), 0o000)
			_ = os.Symlink("/etc/passwd", filepath.Join(dir, "link"))
			_ = unix.Mkfifo(filepath.Join(dir, "fifo"), 0o600)
			_ = os.Chmod(filepath.Join(dir, "a"), 0o000)
		}
		return held("left")
	}
}

func looks(dirs ...string) payload {
	return func(*hostInfo) outcome {
		for _, dir := range dirs {
			entries, err := os.ReadDir(dir)
			if err != nil {
				return broke("cannot look: %s", errorName(err))
			}
			if len(entries) > 0 {
				return broke("found %s", filepath.Join(dir, entries[0].Name()))
			}
		}
		return held("gone")
	}
}

const (
	daemonSocket = "@tribunal-left-behind"
	victimSocket = "@tribunal-victim"
	victimFile   = "tribunal-victim"
	victimLine   = "waiting\n"
)

func listens(name string) (int, error) {
	fd, err := unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_NONBLOCK, 0)
	if err != nil {
		return fd, err
	}
	if err := unix.Bind(fd, &unix.SockaddrUnix{Name: name}); err != nil {
		return fd, err
	}
	return fd, unix.Listen(fd, 1)
}

func leaveDaemon(*hostInfo) outcome {
	if _, err := listens(daemonSocket); err != nil {
		return broke("no socket: %s", errorName(err))
	}
	if _, errno := fork(fateDaemon); errno != 0 { // the child inherits the socket
		return broke("no child: %s", unix.ErrnoName(errno))
	}
	return held("left")
}

func lookForDaemon(w *hostInfo) outcome {
	if o := seeProcesses(w); o.Broke {
		return broke("found a process")
	}
	if o := connects(unix.AF_UNIX, unix.SOCK_STREAM, &unix.SockaddrUnix{Name: daemonSocket}); o.Broke {
		return broke("found its socket")
	}
	return held("gone")
}

func closeFolders(*hostInfo) outcome {
	for _, dir := range sharedFolders {
		_ = os.Chmod(dir, 0)
	}
	return held("done")
}

func useFolders(*hostInfo) outcome {
	for _, dir := range sharedFolders {
		f, err := os.Create(filepath.Join(dir, "file"))
		if err != nil {
			return broke("%s in %s", errorName(err), dir)
		}
		f.Close()
	}
	return held("usable")
}

// waitForInput is the victim of an attacker beside it: it holds locked files and a socket, and
// exits at the end of its input.
func waitForInput(*hostInfo) outcome {
	for _, dir := range sharedFolders {
		f, err := os.Create(filepath.Join(dir, victimFile))
		if err != nil {
			return broke("no file: %s", errorName(err))
		}
		if err := unix.Flock(int(f.Fd()), unix.LOCK_EX); err != nil {
			return broke("no lock: %s", errorName(err))
		}
	}
	socket, err := listens(victimSocket)
	if err != nil {
		return broke("no socket: %s", errorName(err))
	}
	_, _ = unix.Write(1, []byte(victimLine))
	_, _ = io.Copy(io.Discard, os.Stdin)
	if _, _, err := unix.Accept(socket); err == nil {
		return broke("something connected")
	}
	return held("undisturbed")
}

func reachFiles(*hostInfo) outcome {
	for _, dir := range sharedFolders {
		f, err := os.Open(filepath.Join(dir, victimFile))
		if err != nil {
			continue
		}
		defer f.Close()
		if err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
			return broke("sees its lock in %s", dir)
		}
		return broke("sees its file in %s", dir)
	}
	return held("not visible")
}

func reachSocket(*hostInfo) outcome {
	return connects(unix.AF_UNIX, unix.SOCK_STREAM, &unix.SockaddrUnix{Name: victimSocket})
}

func reachProcess(w *hostInfo) outcome {
	for _, pid := range processes() {
		if n, err := strconv.Atoi(pid); err == nil && n != 1 && n != os.Getpid() {
			return broke("sees other processes")
		}
	}
	signalAll(w)
	return held("not visible")
}
