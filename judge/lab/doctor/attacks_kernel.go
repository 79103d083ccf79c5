//go:build linux

package doctor

import (
	"os"
	"runtime"
	"strings"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// zeros is the memory that arguments point to in calls that must be refused before the kernel reads
// it.
var zeros [256]byte

func nothing() uintptr { return uintptr(unsafe.Pointer(&zeros)) }

// kernelAttacks are attempts to gain privileges, and to reach parts of the kernel that no
// submission needs.
func kernelAttacks() []attack {
	const group = "rights and system calls"
	list := []attack{
		{name: "no-new-privileges", group: group, what: "no_new_privs is set", want: "set", do: statusIs("NoNewPrivs", "1", "set")},
		{name: "filter", group: group, what: "the system call filter is on", want: "mode 2", do: statusIs("Seccomp", "2", "mode 2")},
		{name: "capabilities", group: group, what: "the capabilities it has", want: "none", do: capabilities, open: inRlimitAsRoot},
		{name: "capset", group: group, what: "give itself capabilities", want: "EPERM", do: capset, open: inRlimitAsRoot},
		{name: "setuid", group: group, what: "become root", want: "EPERM", do: becomeRoot, open: inRlimitAsRoot},
		{name: "setgroups", group: group, what: "join groups", want: "EPERM", do: calls(unix.SYS_SETGROUPS, 0, 0), open: inRlimitAsRoot},
		{name: "unshare-user", group: group, what: "unshare: a user namespace", want: "denied", do: calls(unix.SYS_UNSHARE, unix.CLONE_NEWUSER)},
		{name: "unshare-mount", group: group, what: "unshare: a mount namespace", want: "denied", do: calls(unix.SYS_UNSHARE, unix.CLONE_NEWNS)},
		{name: "unshare-cgroup", group: group, what: "unshare: a cgroup namespace", want: "EPERM", do: calls(unix.SYS_UNSHARE, unix.CLONE_NEWCGROUP)},
		{name: "clone-user", group: group, what: "clone: a user namespace", want: "denied", do: cloneUser},
		{name: "clone3-user", group: group, what: "clone3: a user namespace", want: "ENOSYS", do: clone3User},
		{name: "setns", group: group, what: "enter a namespace", want: "denied", do: calls(unix.SYS_SETNS, 0, 0)},
		{name: "chroot", group: group, what: "chroot", want: "denied", do: calls(unix.SYS_CHROOT, nothing())},
		{name: "pivot-root", group: group, what: "pivot_root", want: "denied", do: calls(unix.SYS_PIVOT_ROOT, nothing(), nothing()), harm: true},
		{name: "mount", group: group, what: "mount", want: "denied", do: mount, harm: true},
		{name: "umount", group: group, what: "umount", want: "denied", do: func(*hostInfo) outcome { return refused(unix.Unmount("/proc", unix.MNT_DETACH)) }, harm: true},
		{name: "fsopen", group: group, what: "fsopen", want: "denied", do: calls(unix.SYS_FSOPEN, nothing(), 0)},
		{name: "open-tree", group: group, what: "open_tree", want: "denied", do: calls(unix.SYS_OPEN_TREE, ^uintptr(0), nothing(), 0)},
		{name: "keyctl", group: group, what: "keyctl", want: "denied", do: calls(unix.SYS_KEYCTL, 0, ^uintptr(2), 0)},
		{name: "add-key", group: group, what: "add_key", want: "denied", do: calls(unix.SYS_ADD_KEY, nothing(), nothing(), nothing(), 1, ^uintptr(1))},
		{name: "bpf", group: group, what: "bpf", want: "denied", do: calls(unix.SYS_BPF, 0, nothing(), uintptr(len(zeros)))},
		{name: "filter-own", group: group, what: "install a filter of its own", want: "ENOSYS", do: ownFilter},
		{name: "filter-listener", group: group, what: "a filter with a listener", want: "ENOSYS", do: ownListener},
		{name: "filter-prctl", group: group, what: "a filter by prctl", want: "EINVAL", do: ownFilterByPrctl},
		{name: "filter-socket", group: group, what: "a filter for a socket", want: "ENOPROTOOPT", do: socketFilter},
		{name: "landlock", group: group, what: "landlock", want: "ENOSYS", do: calls(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, 1)},
		{name: "perf", group: group, what: "perf_event_open", want: "ENOSYS", do: calls(unix.SYS_PERF_EVENT_OPEN, nothing(), 0, ^uintptr(0), ^uintptr(0), 0)},
		{name: "io-uring", group: group, what: "io_uring_setup", want: "ENOSYS", do: calls(unix.SYS_IO_URING_SETUP, 1, nothing())},
		{name: "userfaultfd", group: group, what: "userfaultfd", want: "denied", do: calls(unix.SYS_USERFAULTFD, 1)},
		{name: "personality", group: group, what: "switch off address randomisation", want: "denied or EPERM", do: calls(unix.SYS_PERSONALITY, 0x0040000)},
		{name: "sysv-shm", group: group, what: "System V shared memory", want: "ENOSYS", do: systemV(unix.SYS_SHMGET, unix.SYS_SHMCTL)},
		{name: "sysv-messages", group: group, what: "System V message queues", want: "ENOSYS", do: systemV(unix.SYS_MSGGET, unix.SYS_MSGCTL)},
		{name: "sysv-semaphores", group: group, what: "System V semaphores", want: "ENOSYS", do: systemV(unix.SYS_SEMGET, unix.SYS_SEMCTL)},
		{name: "posix-messages", group: group, what: "POSIX message queues", want: "ENOSYS", do: calls(unix.SYS_MQ_OPEN, nothing(), 0)},
	}
	return append(list, foreignCalls(group)...)
}

// machineAttacks use calls that could harm the whole machine. So each one sets what is already set,
// or names something that does not exist; the kernel checks privileges before it notices that.
func machineAttacks() []attack {
	const group = "the machine"
	list := []attack{
		{name: "reboot", what: "reboot", want: "denied", do: calls(unix.SYS_REBOOT, 0, 0, 0, 0)}, // without the magic numbers
		{name: "kexec", what: "start another kernel", want: "denied", do: calls(unix.SYS_KEXEC_LOAD, 0, 0, 0, ^uintptr(0))},
		{name: "load-module", what: "load a module", want: "denied", do: calls(unix.SYS_INIT_MODULE, nothing(), 0, nothing())},
		{name: "load-module-file", what: "load a module from a file", want: "denied", do: calls(unix.SYS_FINIT_MODULE, ^uintptr(0), nothing(), 0)},
		{name: "unload-module", what: "unload a module", want: "denied", do: calls(unix.SYS_DELETE_MODULE, nothing(), unix.O_NONBLOCK)},
		{name: "set-clock", what: "set the clock", want: "EPERM", do: setClock},
		{name: "adjust-clock", what: "adjust the clock", want: "EPERM", do: adjustClock},
		{name: "host-name", what: "set the host name", want: "EPERM", do: hostName},
		{name: "swap", what: "swap to a file", want: "denied", do: calls(unix.SYS_SWAPON, nothing(), 0)},
		{name: "accounting", what: "account processes to a file", want: "denied", do: func(*hostInfo) outcome { return refused(unix.Acct("/no/such/file")) }},
		{name: "quota", what: "set quotas", want: "denied", do: calls(unix.SYS_QUOTACTL, 0x800004<<8, nothing(), 0, nothing())},
		{name: "kernel-log", what: "read the kernel's log", want: "denied or EPERM", do: kernelLog},
	}
	for i := range list {
		list[i].group, list[i].harm = group, true
	}
	return list
}

func statusIs(field, value, seen string) payload {
	return func(*hostInfo) outcome {
		switch got := statusFields()[field]; got {
		case value:
			return held("%s", seen)
		case "":
			return broke("the kernel does not report it")
		default:
			return broke("%s is %s", field, got)
		}
	}
}

func capabilities(*hostInfo) outcome {
	fields := statusFields()
	for _, name := range []string{"CapEff", "CapPrm", "CapInh", "CapAmb"} {
		if v, ok := fields[name]; !ok || strings.Trim(v, "0") != "" {
			return broke("%s is not empty", name)
		}
	}
	return held("none")
}

func capset(*hostInfo) outcome {
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	all := [2]unix.CapUserData{}
	for i := range all {
		all[i] = unix.CapUserData{Effective: 1 << unix.CAP_DAC_OVERRIDE, Permitted: 1 << unix.CAP_DAC_OVERRIDE}
	}
	all[1] = unix.CapUserData{}
	return refused(unix.Capset(&header, &all[0]))
}

// becomeRoot asks for user 0. If that is an ordinary user's own number inside the jail's user
// namespace, succeeding gains it no rights.
func becomeRoot(w *hostInfo) outcome {
	if os.Getuid() == 0 && w.sealed() {
		return held("has no rights")
	}
	seen := refused(call(unix.SYS_SETRESUID, 0, 0, 0), unix.EINVAL) // 0 may not exist in the namespace
	if seen.Broke {
		return seen
	}
	if _, _, errno := unix.Syscall(unix.SYS_SETRESGID, 0, 0, 0); errno == 0 && os.Getgid() != 0 {
		return broke("allowed")
	}
	return seen
}

//go:nosplit
func cloneFlags(flags uintptr) unix.Errno {
	pid, _, errno := unix.RawSyscall6(unix.SYS_CLONE, flags|uintptr(unix.SIGCHLD), 0, 0, 0, 0, 0)
	if pid == 0 && errno == 0 {
		unix.RawSyscall6(unix.SYS_EXIT_GROUP, 0, 0, 0, 0, 0, 0)
	}
	return errno
}

func cloneUser(*hostInfo) outcome {
	if errno := cloneFlags(unix.CLONE_NEWUSER); errno != 0 {
		return refused(errno)
	}
	return broke("allowed")
}

//go:nosplit
func clone3(args *[11]uint64) unix.Errno {
	pid, _, errno := unix.RawSyscall6(unix.SYS_CLONE3, uintptr(unsafe.Pointer(args)), unsafe.Sizeof(*args), 0, 0, 0, 0)
	if pid == 0 && errno == 0 {
		unix.RawSyscall6(unix.SYS_EXIT_GROUP, 0, 0, 0, 0, 0, 0)
	}
	return errno
}

func clone3User(*hostInfo) outcome {
	args := [11]uint64{0: unix.CLONE_NEWUSER, 4: uint64(unix.SIGCHLD)} // struct clone_args: flags, exit_signal
	if errno := clone3(&args); errno != 0 {
		return refused(errno)
	}
	return broke("allowed")
}

// permissive returns a filter that allows everything.
func permissive() *unix.SockFprog {
	return &unix.SockFprog{Len: 1, Filter: &unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_ALLOW}}
}

func installs(flags uintptr) payload {
	return func(*hostInfo) outcome {
		program := permissive()
		err := call(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, flags, uintptr(unsafe.Pointer(program)))
		runtime.KeepAlive(program)
		return refused(err)
	}
}

var ownFilter, ownListener = installs(0), installs(unix.SECCOMP_FILTER_FLAG_NEW_LISTENER)

// ownFilterByPrctl passes valid arguments, so that any error comes from the jail.
func ownFilterByPrctl(*hostInfo) outcome {
	program := permissive()
	err := call(unix.SYS_PRCTL, unix.PR_SET_SECCOMP, unix.SECCOMP_MODE_FILTER, uintptr(unsafe.Pointer(program)))
	runtime.KeepAlive(program)
	return refused(err, unix.EINVAL)
}

func socketFilter(*hostInfo) outcome {
	fd, err := unix.Socket(unix.AF_UNIX, unix.SOCK_DGRAM, 0)
	if err != nil {
		return broke("no socket: %s", errorName(err))
	}
	defer unix.Close(fd)
	return refused(unix.SetsockoptSockFprog(fd, unix.SOL_SOCKET, unix.SO_ATTACH_FILTER, permissive()), unix.ENOPROTOOPT)
}

func mount(*hostInfo) outcome {
	return refused(unix.Mount("none", "/w", "tmpfs", 0, ""))
}

// systemV creates a System V object, and removes it if that succeeded.
func systemV(get, control uintptr) payload {
	return func(*hostInfo) outcome {
		const size, create = 1, unix.IPC_CREAT | 0o600
		args := []uintptr{unix.IPC_PRIVATE, size, create}
		if get == unix.SYS_MSGGET {
			args = []uintptr{unix.IPC_PRIVATE, create}
		}
		for len(args) < 3 {
			args = append(args, 0)
		}
		id, _, errno := unix.Syscall(get, args[0], args[1], args[2])
		if errno != 0 {
			return refused(errno)
		}
		remove := []uintptr{id, unix.IPC_RMID, 0}
		if control == unix.SYS_SEMCTL {
			remove = []uintptr{id, 0, unix.IPC_RMID}
		}
		_ = call(control, remove...)
		return broke("allowed")
	}
}

func setClock(*hostInfo) outcome {
	now := unix.NsecToTimespec(time.Now().UnixNano())
	return refused(unix.ClockSettime(unix.CLOCK_REALTIME, &now))
}

func adjustClock(*hostInfo) outcome {
	var t unix.Timex
	if _, err := unix.Adjtimex(&t); err != nil { // only reads
		return refused(err)
	}
	t.Modes = unix.ADJ_TICK // sets the current value
	_, err := unix.Adjtimex(&t)
	return refused(err)
}

func hostName(*hostInfo) outcome {
	name, err := os.Hostname()
	if err != nil {
		return broke("no name: %v", err)
	}
	if o := refused(unix.Sethostname([]byte(name))); o.Broke {
		return o
	}
	return refused(unix.Setdomainname([]byte(name)))
}

func kernelLog(*hostInfo) outcome {
	n, err := unix.Klogctl(unix.SYSLOG_ACTION_READ_ALL, zeros[:])
	runtime.KeepAlive(&zeros)
	if err == nil && n == 0 {
		return held("empty")
	}
	return refused(err)
}
