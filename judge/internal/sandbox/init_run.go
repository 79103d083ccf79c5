//go:build linux

package sandbox

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math/bits"
	"syscall"
	"unsafe"

	"github.com/criyle/go-sandbox/pkg/forkexec/vfork"
	"golang.org/x/sys/unix"
)

// program is what the child of a run executes. The child shares this memory with the init.
type program struct {
	argv, envp []*byte // each ends with nil
	limits     []resourceLimit
	exe        int              // descriptor of the executable; -1 is the path argv[0]
	group      int              // descriptor of the folder of the control group to be born in; -1 is the init's group
	tasks      []int            // descriptors of the files "tasks" of the control groups to enter
	order      [headerSize]byte // the last request that the child has read
	packet     [replySize]byte  // the next reply
	stage      uint32           // what the child does, or what failed
	errno      syscall.Errno    // why it failed
}

type resourceLimit struct {
	resource uint64
	value    unix.Rlimit
}

// run runs a program. It returns an error only if the init cannot go on.
func (c *containerInit) run() error {
	if c.errno == 0 {
		if err := c.parse(); err != nil {
			return err
		}
	}
	pid := uintptr(0)
	if c.errno == 0 {
		var errno syscall.Errno
		if pid, errno = c.fork(); errno != 0 {
			c.stage, c.errno = stageFork, errno
		}
	}
	// The program has its copies by now. An end of a pipe that stayed open here would keep the
	// program at the other end waiting.
	for _, fd := range c.files {
		_, _, _ = unix.RawSyscall(unix.SYS_CLOSE, uintptr(fd), 0, 0)
	}
	end := reply{kind: endedReply, last: 1}
	if pid != 0 {
		var usage unix.Rusage
		for {
			_, _, errno := unix.RawSyscall6(unix.SYS_WAIT4, pid, uintptr(unsafe.Pointer(&end.status)), 0, uintptr(unsafe.Pointer(&usage)), 0, 0)
			if errno == 0 {
				break
			}
			if errno != unix.EINTR {
				return errno
			}
		}
		if unix.WaitStatus(end.status).Signaled() {
			c.stage, c.errno = stageNone, 0 // it was killed while it tried again after an error
		}
		end.cpu = (usage.Utime.Nano() + usage.Stime.Nano()) / 1000
		end.rss = usage.Maxrss
		// A process that is left has an ancestor among the children of the init, because the kernel
		// gives it the orphans. To ask for children is cheaper than kill, which goes through all
		// processes of the host.
		if _, _, errno := unix.RawSyscall6(unix.SYS_WAIT4, ^uintptr(0), 0, unix.WNOHANG|unix.WALL, 0, 0, 0); errno != unix.ECHILD {
			_, _, _ = unix.RawSyscall(unix.SYS_KILL, ^uintptr(0), uintptr(unix.SIGKILL), 0)
			end.last = 0
		}
	}
	end.stage, end.errno = c.stage, uint32(c.errno)
	if err := c.write(&end); err != nil || end.last == 1 {
		return err
	}
	for {
		_, _, errno := unix.RawSyscall6(unix.SYS_WAIT4, ^uintptr(0), 0, unix.WALL, 0, 0, 0)
		if errno != 0 && errno != unix.EINTR {
			break
		}
	}
	return c.write(&reply{kind: doneReply})
}

// write sends a reply without text or file, and without telling the runtime.
func (c *containerInit) write(r *reply) error {
	r.encode(&c.packet)
	for {
		_, _, errno := unix.RawSyscall(unix.SYS_WRITE, uintptr(c.line), uintptr(unsafe.Pointer(&c.packet)), replySize)
		if errno == 0 {
			return nil
		}
		if errno != unix.EINTR {
			return errno
		}
	}
}

var errPayload = errors.New("the payload of a run is incomplete")

// parse reads the payload of a run. Its strings stay where they are.
func (c *containerInit) parse() error {
	b := c.payload
	if len(b) < 16 {
		return errPayload
	}
	at := func(i int) uint32 { return binary.NativeEndian.Uint32(b[4*i:]) }
	flags, limits, args, env := at(0), int(at(1)), int(at(2)), int(at(3))
	b = b[16:]
	c.limits = c.limits[:0]
	for range limits {
		if len(b) < 24 {
			return errPayload
		}
		value := func(i int) uint64 { return binary.NativeEndian.Uint64(b[8*i:]) }
		c.limits = append(c.limits, resourceLimit{value(0), unix.Rlimit{Cur: value(1), Max: value(2)}})
		b = b[24:]
	}
	list := func(to []*byte, n int) []*byte {
		to = to[:0]
		for range n {
			end := bytes.IndexByte(b, 0)
			if end < 0 {
				to = nil
				break
			}
			to = append(to, &b[0])
			b = b[end+1:]
		}
		return append(to, nil)
	}
	c.argv = list(c.argv, args)
	c.envp = list(c.envp, env)
	if len(c.argv) != args+1 || len(c.envp) != env+1 || args == 0 || len(c.files) < 3+bits.OnesCount32(flags) {
		return errPayload
	}
	c.exe, c.group, c.tasks = -1, -1, nil
	rest := c.files[3:]
	if flags&withExe != 0 {
		c.exe, rest = rest[0], rest[1:]
	}
	if flags&withGroup != 0 {
		c.group, rest = rest[0], rest[1:]
	}
	if flags&withTasks != 0 {
		c.tasks, rest = rest, nil
	}
	if len(rest) > 0 {
		return errPayload
	}
	(&reply{kind: readyReply}).encode(&c.packet)
	return nil
}

// cloneArgs is struct clone_args, see clone(2).
type cloneArgs struct {
	flags, pidfd, childTID, parentTID, exitSignal, stack, stackSize, tls, setTID, setTIDSize, cgroup uint64
}

// fork starts the program, by vfork: it returns in the init when the child has executed the program
// or has ended.
//
// The child runs on the init's stack and in its memory. So it makes nothing but system calls, as in
// the standard library's forkAndExecInChild, after which this is modelled. All signals have their
// defaults here, so that it need not reset them.
//
//go:noinline
//go:norace
//go:nocheckptr
func (c *containerInit) fork() (pid uintptr, errno syscall.Errno) {
	const flags = unix.CLONE_VM | unix.CLONE_VFORK
	if c.group >= 0 {
		args := cloneArgs{flags: flags | unix.CLONE_INTO_CGROUP, exitSignal: uint64(unix.SIGCHLD), cgroup: uint64(c.group)}
		pid, errno = vfork.RawVforkSyscall(unix.SYS_CLONE3, uintptr(unsafe.Pointer(&args)), unsafe.Sizeof(args), 0)
	} else {
		pid, errno = vfork.RawVforkSyscall(unix.SYS_CLONE, flags|uintptr(unix.SIGCHLD), 0, 0)
	}
	if pid != 0 || errno != 0 {
		return pid, errno
	}
	c.execute()
	for {
		_, _, _ = unix.RawSyscall(unix.SYS_EXIT_GROUP, 127, 0, 0)
	}
}

// execute runs in the child. It returns only if something fails.
//
//go:norace
//go:nosplit
func (c *containerInit) execute() {
	c.stage = stageGroup
	for _, fd := range c.tasks { // while the program is still the judge's own user
		if _, _, c.errno = unix.RawSyscall(unix.SYS_WRITE, uintptr(fd), uintptr(unsafe.Pointer(&thisThread)), 1); c.errno != 0 {
			return
		}
	}
	if c.Account != 0 {
		c.stage = stageAccount
		if _, _, c.errno = unix.RawSyscall(unix.SYS_SETGID, uintptr(c.Account), 0, 0); c.errno != 0 {
			return
		}
		if _, _, c.errno = unix.RawSyscall(unix.SYS_SETUID, uintptr(c.Account), 0, 0); c.errno != 0 {
			return
		}
	}
	c.stage = stageFiles
	for i := range 3 {
		if _, _, c.errno = unix.RawSyscall(unix.SYS_DUP3, uintptr(c.files[i]), uintptr(i), 0); c.errno != 0 {
			return
		}
	}
	c.stage = stageSession
	if _, _, c.errno = unix.RawSyscall(unix.SYS_SETSID, 0, 0, 0); c.errno != 0 {
		return
	}
	c.stage = stageLimits
	for i := range c.limits {
		l := &c.limits[i]
		if _, _, c.errno = unix.RawSyscall6(unix.SYS_PRLIMIT64, 0, uintptr(l.resource), uintptr(unsafe.Pointer(&l.value)), 0, 0, 0); c.errno != 0 {
			return
		}
	}
	if !c.Unshare {
		if c.dropCapabilities(); c.errno != 0 {
			return
		}
	}
	c.stage = stageSync
	for {
		if _, _, c.errno = unix.RawSyscall(unix.SYS_WRITE, uintptr(c.line), uintptr(unsafe.Pointer(&c.packet)), replySize); c.errno == 0 {
			break
		}
		if c.errno != unix.EINTR {
			return
		}
	}
	for {
		var n uintptr
		n, _, c.errno = unix.RawSyscall(unix.SYS_READ, uintptr(c.line), uintptr(unsafe.Pointer(&c.order)), headerSize)
		if c.errno == 0 && n == headerSize && *(*uint32)(unsafe.Pointer(&c.order)) == goRequest {
			break
		}
		if c.errno != unix.EAGAIN && c.errno != unix.EINTR {
			return // the judge does not let it begin
		}
	}
	if c.Unshare {
		// A host without these namespaces shows the program where its group lies, no more.
		_, _, _ = unix.RawSyscall(unix.SYS_UNSHARE, unix.CLONE_NEWCGROUP, 0, 0)
		if c.dropCapabilities(); c.errno != 0 {
			return
		}
	}
	if c.second != nil {
		c.stage = stageFilter
		if _, _, c.errno = unix.RawSyscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, 0, uintptr(unsafe.Pointer(c.second))); c.errno != 0 {
			return
		}
	}
	c.stage = stageExec
	for range busyAttempts {
		if c.exec(); c.errno != unix.ETXTBSY {
			return
		}
		_, _, _ = unix.RawSyscall(unix.SYS_NANOSLEEP, uintptr(unsafe.Pointer(&busyWait)), 0, 0)
	}
}

// The executable is busy for a moment if the judge has started another process while it wrote the
// file: that process has the file open for writing until its execve.
const busyAttempts = 50

var busyWait = unix.Timespec{Nsec: 1e6}

// exec is part of execute. It returns only if it fails.
//
//go:norace
//go:nosplit
func (c *containerInit) exec() {
	if c.exe >= 0 {
		_, _, c.errno = unix.RawSyscall6(unix.SYS_EXECVEAT, uintptr(c.exe), uintptr(unsafe.Pointer(&noPath)),
			uintptr(unsafe.Pointer(&c.argv[0])), uintptr(unsafe.Pointer(&c.envp[0])), unix.AT_EMPTY_PATH, 0)
	} else {
		_, _, c.errno = unix.RawSyscall(unix.SYS_EXECVE, uintptr(unsafe.Pointer(c.argv[0])),
			uintptr(unsafe.Pointer(&c.argv[0])), uintptr(unsafe.Pointer(&c.envp[0])))
	}
}

var (
	noPath         [1]byte // an empty C string
	thisThread     byte    = '0'
	noCapabilities [2]unix.CapUserData
	thisProcess    = unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
)

// dropCapabilities is part of execute.
//
//go:norace
//go:nosplit
func (c *containerInit) dropCapabilities() {
	c.stage = stageCapabilities
	_, _, c.errno = unix.RawSyscall(unix.SYS_CAPSET, uintptr(unsafe.Pointer(&thisProcess)), uintptr(unsafe.Pointer(&noCapabilities)), 0)
}
