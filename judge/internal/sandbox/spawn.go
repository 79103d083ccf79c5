//go:build linux

package sandbox

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"syscall"
	"unsafe"

	"github.com/criyle/go-sandbox/pkg/forkexec/vfork"
	"golang.org/x/sys/unix"
)

// spawn starts this executable again, as the init of a container.
//
// Package os cannot start a process in a new user namespace by vfork, because it gives the process
// its accounts before the execve. A plain fork copies the judge's page tables, and then every page
// that the judge writes to, which takes longer than a short run. So this child is made by vfork, and
// keeps its capabilities over the execve even without an account; the judge gives it the accounts
// while it loads.
type spawn struct {
	argv, envp [4]*byte      // each ends with nil; argv[0] is executed
	copies     [5][2]uintptr // descriptors to copy, from the first to the second
	signals    uint64        // what the thread that makes the child blocks
	standard   [4]uint64     // the kernel's struct sigaction with SIG_DFL
	all        [2]unix.CapUserData
	errno      syscall.Errno // why the child failed
}

// ownProgram is the path of this executable.
const ownProgram = "/proc/self/exe"

// initEnvironment keeps the Go runtime of an init small, because only one of its threads ever works,
// and allocates next to nothing.
var initEnvironment = []string{"GODEBUG=asyncpreemptoff=1", "GOGC=25", "GOMAXPROCS=1"}

// startInit starts an init in the new namespaces of flags, one of which is a user namespace, and
// returns its process number. socket becomes its descriptor initSocket, and words its other files. The
// kernel kills the init when the thread that started it ends.
func startInit(flags uintptr, accounts idMaps, socket, words *os.File) (pid int, err error) {
	// No copy replaces a descriptor that is still needed. The Go runtime has seen to it that the judge
	// has standard files, so neither descriptor is one of them.
	s := &spawn{copies: [5][2]uintptr{{words.Fd(), 1}, {words.Fd(), 2}, {socket.Fd(), 0}, {0, initSocket}, {1, 0}}}
	fill(s.argv[:], ownProgram, initName)
	fill(s.envp[:], initEnvironment...)
	pid, errno := s.start(flags)
	if errno == 0 {
		if errno = accounts.give(pid); errno != 0 {
			_ = endInit(pid)
		}
	}
	if errno != 0 {
		return 0, &os.PathError{Op: "fork/exec", Path: ownProgram, Err: errno} // as package os would
	}
	return pid, nil
}

// fill writes texts to a list as C strings.
func fill(list []*byte, texts ...string) {
	for i, text := range texts {
		list[i] = &append([]byte(text), 0)[0]
	}
}

// endInit kills an init and waits for its end, and with it for that of all processes of the container.
func endInit(pid int) error {
	_ = unix.Kill(pid, unix.SIGKILL) // fails only for a process that has been waited for
	for {
		if _, err := unix.Wait4(pid, nil, 0, nil); !errors.Is(err, unix.EINTR) {
			return os.NewSyscallError("wait", err)
		}
	}
}

// start makes the child. Meanwhile the thread takes no signals: the child has the judge's handlers
// and memory until it resets the handlers.
func (s *spawn) start(flags uintptr) (int, syscall.Errno) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	syscall.ForkLock.Lock()
	defer syscall.ForkLock.Unlock()
	every := ^uint64(0)
	_, _, errno := unix.RawSyscall6(unix.SYS_RT_SIGPROCMASK, unix.SIG_SETMASK, uintptr(unsafe.Pointer(&every)), uintptr(unsafe.Pointer(&s.signals)), 8, 0, 0)
	if errno != 0 {
		return 0, errno
	}
	pid, errno := s.fork(flags)
	_, _, _ = unix.RawSyscall6(unix.SYS_RT_SIGPROCMASK, unix.SIG_SETMASK, uintptr(unsafe.Pointer(&s.signals)), 0, 8, 0, 0)
	if errno == 0 && s.errno != 0 {
		errno = s.errno
		_ = endInit(int(pid))
	}
	return int(pid), errno
}

// fork returns in the judge when the child has executed the init or has failed; see
// [containerInit.fork].
//
//go:noinline
//go:norace
//go:nocheckptr
func (s *spawn) fork(flags uintptr) (pid uintptr, errno syscall.Errno) {
	pid, errno = vfork.RawVforkSyscall(unix.SYS_CLONE, flags|unix.CLONE_VM|unix.CLONE_VFORK|uintptr(unix.SIGCHLD), 0, 0)
	if pid != 0 || errno != 0 {
		return pid, errno
	}
	s.execute()
	for {
		_, _, _ = unix.RawSyscall(unix.SYS_EXIT_GROUP, 127, 0, 0)
	}
}

// execute runs in the child. It returns only if something fails.
//
//go:norace
//go:nosplit
func (s *spawn) execute() {
	for signal := uintptr(1); signal <= 64; signal++ {
		_, _, _ = unix.RawSyscall6(unix.SYS_RT_SIGACTION, signal, uintptr(unsafe.Pointer(&s.standard)), 0, 8, 0, 0)
	}
	if _, _, s.errno = unix.RawSyscall6(unix.SYS_RT_SIGPROCMASK, unix.SIG_SETMASK, uintptr(unsafe.Pointer(&s.signals)), 0, 8, 0, 0); s.errno != 0 {
		return
	}
	for i := range s.copies {
		if _, _, s.errno = unix.RawSyscall(unix.SYS_DUP3, s.copies[i][0], s.copies[i][1], 0); s.errno != 0 {
			return
		}
	}
	if s.inheritCapabilities(); s.errno != 0 {
		return
	}
	if _, _, s.errno = unix.RawSyscall(unix.SYS_PRCTL, unix.PR_SET_PDEATHSIG, uintptr(unix.SIGKILL), 0); s.errno != 0 {
		return
	}
	_, _, s.errno = unix.RawSyscall(unix.SYS_EXECVE, uintptr(unsafe.Pointer(s.argv[0])), uintptr(unsafe.Pointer(&s.argv)), uintptr(unsafe.Pointer(&s.envp)))
}

// inheritCapabilities is part of execute. It lets the init have all capabilities in its user namespace,
// by making them ambient ones, see capabilities(7).
//
//go:norace
//go:nosplit
func (s *spawn) inheritCapabilities() {
	if _, _, s.errno = unix.RawSyscall(unix.SYS_CAPGET, uintptr(unsafe.Pointer(&thisProcess)), uintptr(unsafe.Pointer(&s.all)), 0); s.errno != 0 {
		return
	}
	for i := range s.all {
		s.all[i].Inheritable = s.all[i].Permitted
	}
	if _, _, s.errno = unix.RawSyscall(unix.SYS_CAPSET, uintptr(unsafe.Pointer(&thisProcess)), uintptr(unsafe.Pointer(&s.all)), 0); s.errno != 0 {
		return
	}
	for c := range uintptr(64) {
		if s.all[c/32].Permitted&(1<<(c%32)) == 0 {
			continue
		}
		if _, _, s.errno = unix.RawSyscall6(unix.SYS_PRCTL, unix.PR_CAP_AMBIENT, unix.PR_CAP_AMBIENT_RAISE, c, 0, 0, 0); s.errno != 0 {
			return
		}
	}
}

// idMaps say which accounts of the host a user namespace has, in the form of uid_map and gid_map, see
// user_namespaces(7).
type idMaps struct{ uids, gids string }

// give sets the maps of the user namespace of a process.
func (m idMaps) give(pid int) (errno syscall.Errno) {
	dir := fmt.Sprintf("/proc/%d", pid)
	for _, f := range []struct{ name, text string }{{"uid_map", m.uids}, {"setgroups", "deny"}, {"gid_map", m.gids}} {
		if err := writeControl(dir, f.name, f.text); err != nil {
			errors.As(err, &errno)
			return errno
		}
	}
	return 0
}
