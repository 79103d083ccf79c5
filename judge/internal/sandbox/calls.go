//go:build linux

package sandbox

import (
	"slices"

	"golang.org/x/net/bpf"
	"golang.org/x/sys/unix"
)

// This file lists the system calls that programs may make, and what happens to the others.
// docs/sandbox.md gives the reasons by kind; TestCallsDocument checks that the table of that page
// names the same calls as this file.

// allowed are the calls that the kernel answers itself: those that the runtimes of all known
// languages were seen to make (testdata/calls.txt), and their variants. A variant differs only in
// form, as openat2 does from openat; another version of a library may prefer it. A call in no list
// of this file gets ENOSYS, as on a kernel that lacks it.
var allowed = []uint32{
	// Files.
	unix.SYS_READ, unix.SYS_READV, unix.SYS_PREAD64, unix.SYS_PREADV, unix.SYS_PREADV2, unix.SYS_READAHEAD,
	unix.SYS_WRITE, unix.SYS_WRITEV, unix.SYS_PWRITE64, unix.SYS_PWRITEV, unix.SYS_PWRITEV2, unix.SYS_LSEEK,
	unix.SYS_OPENAT, unix.SYS_OPENAT2, unix.SYS_CLOSE, unix.SYS_CLOSE_RANGE, unix.SYS_DUP, unix.SYS_DUP3, unix.SYS_PIPE2,
	unix.SYS_COPY_FILE_RANGE, unix.SYS_SENDFILE, unix.SYS_SPLICE, unix.SYS_TEE, unix.SYS_VMSPLICE,
	unix.SYS_FSTAT, unix.SYS_NEWFSTATAT, unix.SYS_STATX, unix.SYS_STATFS, unix.SYS_FSTATFS,
	unix.SYS_FACCESSAT, unix.SYS_FACCESSAT2, unix.SYS_READLINKAT, unix.SYS_GETDENTS64,
	unix.SYS_GETXATTR, unix.SYS_LGETXATTR, unix.SYS_FGETXATTR, unix.SYS_GETXATTRAT,
	unix.SYS_LISTXATTR, unix.SYS_LLISTXATTR, unix.SYS_FLISTXATTR, unix.SYS_LISTXATTRAT,
	unix.SYS_GETCWD, unix.SYS_CHDIR, unix.SYS_FCHDIR, unix.SYS_UMASK,
	unix.SYS_MKDIRAT, unix.SYS_MKNODAT, unix.SYS_LINKAT, unix.SYS_SYMLINKAT, unix.SYS_UNLINKAT, unix.SYS_RENAMEAT, unix.SYS_RENAMEAT2,
	unix.SYS_FCHMOD, unix.SYS_FCHMODAT, unix.SYS_FCHMODAT2, unix.SYS_FCHOWN, unix.SYS_FCHOWNAT, unix.SYS_UTIMENSAT,
	unix.SYS_TRUNCATE, unix.SYS_FTRUNCATE, unix.SYS_FALLOCATE, unix.SYS_FLOCK,
	unix.SYS_FSYNC, unix.SYS_FDATASYNC, unix.SYS_SYNC_FILE_RANGE,
	// Waiting for files; and descriptors that deliver events, signals and timers.
	unix.SYS_PPOLL, unix.SYS_PSELECT6, unix.SYS_EPOLL_CREATE1, unix.SYS_EPOLL_CTL, unix.SYS_EPOLL_PWAIT, unix.SYS_EPOLL_PWAIT2,
	unix.SYS_EVENTFD2, unix.SYS_SIGNALFD4, unix.SYS_TIMERFD_CREATE, unix.SYS_TIMERFD_SETTIME, unix.SYS_TIMERFD_GETTIME,
	// Memory.
	unix.SYS_BRK, unix.SYS_MUNMAP, unix.SYS_MREMAP, unix.SYS_MPROTECT, unix.SYS_MSYNC, unix.SYS_MINCORE,
	unix.SYS_MLOCK, unix.SYS_MLOCK2, unix.SYS_MLOCKALL, unix.SYS_MUNLOCK, unix.SYS_MUNLOCKALL,
	unix.SYS_PKEY_ALLOC, unix.SYS_PKEY_FREE, unix.SYS_PKEY_MPROTECT, unix.SYS_MAP_SHADOW_STACK, unix.SYS_MEMBARRIER, unix.SYS_GET_MEMPOLICY,
	// Processes and threads.
	unix.SYS_EXECVE, unix.SYS_EXECVEAT, unix.SYS_EXIT, unix.SYS_EXIT_GROUP, unix.SYS_WAIT4, unix.SYS_WAITID,
	unix.SYS_GETPID, unix.SYS_GETPPID, unix.SYS_GETTID, unix.SYS_GETPGID, unix.SYS_SETPGID, unix.SYS_GETSID, unix.SYS_SETSID,
	unix.SYS_SET_TID_ADDRESS, unix.SYS_SET_ROBUST_LIST, unix.SYS_GET_ROBUST_LIST, unix.SYS_RSEQ,
	unix.SYS_FUTEX, unix.SYS_FUTEX_WAIT, unix.SYS_FUTEX_WAKE, unix.SYS_FUTEX_REQUEUE, unix.SYS_FUTEX_WAITV,
	unix.SYS_PIDFD_OPEN, unix.SYS_PIDFD_SEND_SIGNAL, unix.SYS_RESTART_SYSCALL,
	unix.SYS_GETRLIMIT, unix.SYS_SETRLIMIT, unix.SYS_GETRUSAGE, unix.SYS_TIMES,
	unix.SYS_GETPRIORITY, unix.SYS_SETPRIORITY, unix.SYS_IOPRIO_GET, unix.SYS_IOPRIO_SET,
	unix.SYS_SCHED_YIELD, unix.SYS_SCHED_GETAFFINITY, unix.SYS_SCHED_GETATTR, unix.SYS_SCHED_GETPARAM, unix.SYS_SCHED_SETPARAM,
	unix.SYS_SCHED_GETSCHEDULER, unix.SYS_SCHED_SETSCHEDULER, unix.SYS_SCHED_RR_GET_INTERVAL,
	unix.SYS_SCHED_GET_PRIORITY_MAX, unix.SYS_SCHED_GET_PRIORITY_MIN,
	// Signals.
	unix.SYS_KILL, unix.SYS_TKILL, unix.SYS_TGKILL, unix.SYS_RT_SIGQUEUEINFO, unix.SYS_RT_TGSIGQUEUEINFO,
	unix.SYS_RT_SIGACTION, unix.SYS_RT_SIGPROCMASK, unix.SYS_RT_SIGRETURN, unix.SYS_RT_SIGPENDING, unix.SYS_RT_SIGSUSPEND,
	unix.SYS_RT_SIGTIMEDWAIT, unix.SYS_SIGALTSTACK,
	// Time.
	unix.SYS_CLOCK_GETTIME, unix.SYS_CLOCK_GETRES, unix.SYS_CLOCK_NANOSLEEP, unix.SYS_GETTIMEOFDAY, unix.SYS_NANOSLEEP,
	unix.SYS_GETITIMER, unix.SYS_SETITIMER,
	unix.SYS_TIMER_CREATE, unix.SYS_TIMER_DELETE, unix.SYS_TIMER_SETTIME, unix.SYS_TIMER_GETTIME, unix.SYS_TIMER_GETOVERRUN,
	// Accounts and rights.
	unix.SYS_GETUID, unix.SYS_GETEUID, unix.SYS_GETGID, unix.SYS_GETEGID, unix.SYS_GETGROUPS, unix.SYS_GETRESUID, unix.SYS_GETRESGID,
	unix.SYS_SETUID, unix.SYS_SETGID, unix.SYS_SETGROUPS, unix.SYS_SETREUID, unix.SYS_SETREGID, unix.SYS_SETRESUID, unix.SYS_SETRESGID,
	unix.SYS_SETFSUID, unix.SYS_SETFSGID, unix.SYS_CAPGET, unix.SYS_CAPSET,
	// Sockets.
	unix.SYS_BIND, unix.SYS_CONNECT, unix.SYS_LISTEN, unix.SYS_ACCEPT, unix.SYS_ACCEPT4, unix.SYS_SHUTDOWN,
	unix.SYS_GETSOCKNAME, unix.SYS_GETPEERNAME, unix.SYS_GETSOCKOPT,
	unix.SYS_SENDTO, unix.SYS_SENDMSG, unix.SYS_SENDMMSG, unix.SYS_RECVFROM, unix.SYS_RECVMSG, unix.SYS_RECVMMSG,
	// The machine.
	unix.SYS_UNAME, unix.SYS_SYSINFO, unix.SYS_GETCPU, unix.SYS_GETRANDOM,
}

// denied are system calls that no solution needs and no ordinary runtime probes, by name. Making
// one ends the run, which is reported as Forbidden.
var denied = map[uint32]string{
	unix.SYS_PTRACE: "ptrace", unix.SYS_PROCESS_VM_READV: "process_vm_readv",
	unix.SYS_PROCESS_VM_WRITEV: "process_vm_writev", unix.SYS_KEYCTL: "keyctl", unix.SYS_ADD_KEY: "add_key",
	unix.SYS_REQUEST_KEY: "request_key", unix.SYS_BPF: "bpf", unix.SYS_USERFAULTFD: "userfaultfd",
	unix.SYS_MOUNT: "mount", unix.SYS_UMOUNT2: "umount2", unix.SYS_PIVOT_ROOT: "pivot_root",
	unix.SYS_CHROOT: "chroot", unix.SYS_FSOPEN: "fsopen", unix.SYS_FSCONFIG: "fsconfig",
	unix.SYS_FSMOUNT: "fsmount", unix.SYS_FSPICK: "fspick", unix.SYS_MOVE_MOUNT: "move_mount",
	unix.SYS_OPEN_TREE: "open_tree", unix.SYS_MOUNT_SETATTR: "mount_setattr", unix.SYS_SETNS: "setns",
	unix.SYS_KEXEC_LOAD: "kexec_load", unix.SYS_KEXEC_FILE_LOAD: "kexec_file_load", unix.SYS_REBOOT: "reboot",
	unix.SYS_INIT_MODULE: "init_module", unix.SYS_FINIT_MODULE: "finit_module",
	unix.SYS_DELETE_MODULE: "delete_module", unix.SYS_OPEN_BY_HANDLE_AT: "open_by_handle_at",
	unix.SYS_QUOTACTL: "quotactl", unix.SYS_QUOTACTL_FD: "quotactl_fd", unix.SYS_ACCT: "acct",
	unix.SYS_SWAPON: "swapon", unix.SYS_SWAPOFF: "swapoff", unix.SYS_SYSLOG: "syslog",
}

// rootOnly are calls that the kernel itself allows to root alone. Here they get EPERM whatever
// rights the program has.
//
// sched_setaffinity is among them because a program that leaves its CPU takes time from the run on
// another one. Only the judge pins; threads inherit it, and libraries that try to pin carry on.
var rootOnly = []uint32{
	unix.SYS_CLOCK_SETTIME, unix.SYS_CLOCK_ADJTIME, unix.SYS_ADJTIMEX, unix.SYS_SETTIMEOFDAY,
	unix.SYS_SETHOSTNAME, unix.SYS_SETDOMAINNAME, unix.SYS_VHANGUP,
	unix.SYS_SCHED_SETAFFINITY,
}

// attributes are calls that change extended attributes and access lists. On temporary files these
// take kernel memory that no group is charged for. The calls fail as on a file system without
// attributes.
var attributes = []uint32{
	unix.SYS_SETXATTR, unix.SYS_LSETXATTR, unix.SYS_FSETXATTR, unix.SYS_SETXATTRAT,
	unix.SYS_REMOVEXATTR, unix.SYS_LREMOVEXATTR, unix.SYS_FREMOVEXATTR, unix.SYS_REMOVEXATTRAT,
}

// noEffect are calls that only affect others: they write out what the whole machine has changed, or
// drop pages from memory that other runs would have to read again. They succeed and do nothing.
var noEffect = []uint32{unix.SYS_FADVISE64, unix.SYS_SYNC, unix.SYS_SYNCFS}

// newest is the highest call number that was considered for this file (removexattrat, the same on
// all architectures). Newer calls of newer kernels get ENOSYS as well.
const newest = 466

// namespaces are the flags of clone that make new namespaces.
const namespaces = unix.CLONE_NEWNS | unix.CLONE_NEWCGROUP | unix.CLONE_NEWUTS | unix.CLONE_NEWIPC |
	unix.CLONE_NEWUSER | unix.CLONE_NEWPID | unix.CLONE_NEWNET

// byArgument returns the rules for calls that are decided by an argument. deny is the action for
// those that the sandbox denies.
func byArgument(deny uint32) []rule {
	// Only local sockets are allowed, which runtimes use between their own processes. Other
	// families are refused as on a kernel without them, because Java and resolvers probe for them
	// when they start.
	family := []bpf.Instruction{
		argument(0),
		bpf.JumpIf{Cond: bpf.JumpEqual, Val: unix.AF_UNIX, SkipFalse: 1},
		bpf.RetConstant{Val: allow},
		bpf.RetConstant{Val: fails(unix.EAFNOSUPPORT)},
	}
	return []rule{
		{unix.SYS_CLONE, []bpf.Instruction{
			argument(0),
			bpf.JumpIf{Cond: bpf.JumpBitsSet, Val: namespaces, SkipFalse: 1},
			bpf.RetConstant{Val: deny},
			bpf.RetConstant{Val: allow},
		}},
		// A container's program on cgroup v2 already gets a cgroup namespace when it starts
		// (parentFilter); a request for another is answered as the kernel would.
		{unix.SYS_UNSHARE, []bpf.Instruction{
			argument(0),
			bpf.JumpIf{Cond: bpf.JumpEqual, Val: unix.CLONE_NEWCGROUP, SkipTrue: 1},
			bpf.RetConstant{Val: deny},
			bpf.RetConstant{Val: fails(unix.EPERM)},
		}},
		// Querying the personality and setting the default one change nothing.
		{unix.SYS_PERSONALITY, among(0, deny, 0, 0xffffffff)},
		// If the judge is an ordinary user, programs share the account of the container's init.
		// They could change its limits, which all later programs inherit, or kill it with them.
		{unix.SYS_PRLIMIT64, among(0, fails(unix.EPERM), 0)},
		// Locks of file ranges, leases and change notices take kernel memory that no group is
		// charged for; flock still locks whole files. Hints about the lifetime of written data
		// stay with the file, so they could carry a message to the next run.
		{unix.SYS_FCNTL, slices.Concat([]bpf.Instruction{
			argument(1),
			bpf.JumpIf{Cond: bpf.JumpEqual, Val: unix.F_SETLK, SkipTrue: 5},
			bpf.JumpIf{Cond: bpf.JumpEqual, Val: unix.F_SETLKW, SkipTrue: 4},
			bpf.JumpIf{Cond: bpf.JumpEqual, Val: unix.F_OFD_SETLK, SkipTrue: 3},
			bpf.JumpIf{Cond: bpf.JumpEqual, Val: unix.F_OFD_SETLKW, SkipTrue: 2},
			bpf.JumpIf{Cond: bpf.JumpEqual, Val: unix.F_NOTIFY, SkipTrue: 1},
			bpf.Jump{Skip: 1},
			bpf.RetConstant{Val: fails(unix.ENOLCK)},
		}, among(1, fails(unix.EINVAL),
			unix.F_DUPFD, unix.F_DUPFD_CLOEXEC, unix.F_GETFD, unix.F_SETFD, unix.F_GETFL, unix.F_SETFL,
			unix.F_GETLK, unix.F_OFD_GETLK, unix.F_GETLEASE,
			unix.F_GETOWN, unix.F_SETOWN, unix.F_GETOWN_EX, unix.F_SETOWN_EX, unix.F_GETSIG, unix.F_SETSIG,
			unix.F_GETPIPE_SZ, unix.F_SETPIPE_SZ, unix.F_ADD_SEALS, unix.F_GET_SEALS, unix.F_DUPFD_QUERY))},
		// ioctl numbers differ from driver to driver. Allowed are those of terminals, because
		// runtimes check whether a file is one, and those of any file. The rest fails as on a file
		// that does not support it: file flags could carry a message to the next run, and other
		// ioctls use resources that no group accounts for.
		{unix.SYS_IOCTL, among(1, fails(unix.ENOTTY),
			unix.TCGETS, unix.TCGETS2, unix.TCSETS, unix.TCSETSW, unix.TCSETSF, unix.TIOCGWINSZ, unix.TIOCSWINSZ, unix.TIOCGPGRP, unix.TIOCSPGRP, unix.TIOCGSID,
			fioclex, fionclex, fionbio, fioasync, unix.TIOCINQ, unix.TIOCOUTQ)},
		// Options for the program's own names, signals and rights are allowed. Of the others,
		// filters take room in the machine's one pool of compiled programs; core scheduling cookies
		// keep other runs off the sibling of a CPU; and names of mappings are memory that no group
		// is charged for. Runtimes that name their mappings, such as Go's, do without.
		{unix.SYS_PRCTL, among(0, fails(unix.EINVAL),
			unix.PR_SET_NAME, unix.PR_GET_NAME, unix.PR_SET_PDEATHSIG, unix.PR_GET_PDEATHSIG,
			unix.PR_SET_CHILD_SUBREAPER, unix.PR_GET_CHILD_SUBREAPER, unix.PR_GET_TID_ADDRESS, unix.PR_SET_PTRACER,
			unix.PR_SET_DUMPABLE, unix.PR_GET_DUMPABLE, unix.PR_SET_NO_NEW_PRIVS, unix.PR_GET_NO_NEW_PRIVS, unix.PR_GET_SECCOMP,
			unix.PR_CAPBSET_READ, unix.PR_CAP_AMBIENT, unix.PR_GET_KEEPCAPS, unix.PR_SET_KEEPCAPS, unix.PR_GET_SECUREBITS,
			unix.PR_SET_TIMERSLACK, unix.PR_GET_TIMERSLACK, unix.PR_SET_THP_DISABLE, unix.PR_GET_THP_DISABLE,
			unix.PR_SET_MDWE, unix.PR_GET_MDWE, unix.PR_GET_TSC, unix.PR_SET_TSC,
			unix.PR_GET_SPECULATION_CTRL, unix.PR_SET_SPECULATION_CTRL,
			unix.PR_SVE_SET_VL, unix.PR_SVE_GET_VL, unix.PR_SME_SET_VL, unix.PR_SME_GET_VL,
			unix.PR_PAC_RESET_KEYS, unix.PR_PAC_SET_ENABLED_KEYS, unix.PR_PAC_GET_ENABLED_KEYS,
			unix.PR_SET_TAGGED_ADDR_CTRL, unix.PR_GET_TAGGED_ADDR_CTRL)},
		// Advice about a program's own pages is allowed, except advice that affects other runs: to
		// merge equal pages with theirs, which both sides could notice, and to evict pages that
		// they use as well.
		{unix.SYS_MADVISE, among(2, fails(unix.EINVAL),
			unix.MADV_NORMAL, unix.MADV_RANDOM, unix.MADV_SEQUENTIAL, unix.MADV_WILLNEED, unix.MADV_DONTNEED,
			unix.MADV_FREE, unix.MADV_REMOVE, unix.MADV_DONTFORK, unix.MADV_DOFORK, unix.MADV_UNMERGEABLE,
			unix.MADV_HUGEPAGE, unix.MADV_NOHUGEPAGE, unix.MADV_DONTDUMP, unix.MADV_DODUMP, unix.MADV_WIPEONFORK, unix.MADV_KEEPONFORK,
			unix.MADV_COLD, unix.MADV_POPULATE_READ, unix.MADV_POPULATE_WRITE, unix.MADV_DONTNEED_LOCKED, unix.MADV_COLLAPSE,
			unix.MADV_GUARD_INSTALL, unix.MADV_GUARD_REMOVE)},
		// Huge pages that the host has reserved are charged to no group.
		{unix.SYS_MMAP, unless(3, unix.MAP_HUGETLB, fails(unix.ENOMEM))},
		{unix.SYS_MEMFD_CREATE, unless(1, unix.MFD_HUGETLB, fails(unix.EINVAL))},
		{unix.SYS_SOCKET, family},
		{unix.SYS_SOCKETPAIR, family},
		// All options of local sockets except filters, which take room in the machine's one pool of
		// compiled programs.
		{unix.SYS_SETSOCKOPT, slices.Concat([]bpf.Instruction{
			argument(1),
			bpf.JumpIf{Cond: bpf.JumpEqual, Val: unix.SOL_SOCKET, SkipTrue: 1},
			bpf.RetConstant{Val: allow}, // local sockets have options of no other level
		}, among(2, fails(unix.ENOPROTOOPT),
			unix.SO_REUSEADDR, unix.SO_REUSEPORT, unix.SO_BROADCAST, unix.SO_KEEPALIVE, unix.SO_OOBINLINE, unix.SO_LINGER, unix.SO_PRIORITY,
			unix.SO_SNDBUF, unix.SO_RCVBUF, unix.SO_RCVLOWAT, unix.SO_SNDLOWAT,
			unix.SO_RCVTIMEO, unix.SO_SNDTIMEO, unix.SO_RCVTIMEO_NEW, unix.SO_SNDTIMEO_NEW,
			unix.SO_PASSCRED, unix.SO_PASSSEC, unix.SO_PASSPIDFD, unix.SO_PASSRIGHTS, unix.SO_PEEK_OFF, unix.SO_TIMESTAMP, unix.SO_TIMESTAMPNS))},
	}
}

// ioctl numbers of any file (FIOCLEX and so on), which golang.org/x/sys/unix lacks.
const (
	fioclex  = 0x5451
	fionclex = 0x5450
	fionbio  = 0x5421
	fioasync = 0x5452
)
