package sandbox

import (
	"cmp"
	"slices"
	"syscall"

	"github.com/criyle/go-sandbox/pkg/seccomp"
	"golang.org/x/net/bpf"
	"golang.org/x/sys/unix"
)

// denied are system calls that no solution needs and no ordinary runtime probes:
// making one ends the program with SIGSYS, which is reported as Forbidden.
var denied = []uint32{
	unix.SYS_PTRACE, unix.SYS_PROCESS_VM_READV, unix.SYS_PROCESS_VM_WRITEV,
	unix.SYS_KEYCTL, unix.SYS_ADD_KEY, unix.SYS_REQUEST_KEY,
	unix.SYS_BPF, unix.SYS_USERFAULTFD,
	unix.SYS_MOUNT, unix.SYS_UMOUNT2, unix.SYS_PIVOT_ROOT, unix.SYS_CHROOT,
	unix.SYS_FSOPEN, unix.SYS_FSCONFIG, unix.SYS_FSMOUNT, unix.SYS_FSPICK,
	unix.SYS_MOVE_MOUNT, unix.SYS_OPEN_TREE, unix.SYS_MOUNT_SETATTR,
	unix.SYS_UNSHARE, unix.SYS_SETNS,
	unix.SYS_KEXEC_LOAD, unix.SYS_KEXEC_FILE_LOAD, unix.SYS_REBOOT,
	unix.SYS_INIT_MODULE, unix.SYS_FINIT_MODULE, unix.SYS_DELETE_MODULE,
	unix.SYS_OPEN_BY_HANDLE_AT, unix.SYS_QUOTACTL, unix.SYS_QUOTACTL_FD, unix.SYS_ACCT,
	unix.SYS_SWAPON, unix.SYS_SWAPOFF, unix.SYS_SYSLOG,
}

// refused are calls that runtimes probe and can do without: they get ENOSYS, as
// on a kernel that lacks them.
//
// clone3 takes its flags from memory, where no filter can see them; libraries fall
// back to clone. System V and POSIX message queues, semaphores and shared memory
// outlive the processes that made them: through them one run would speak to the
// next in its container, and hold memory that no limit counts. So would secret
// memory, which cannot be swept. Memory policies take memory of the kernel that no
// group is charged for; asynchronous requests and watches of files are numbered for
// the whole machine or account. What looks into other processes without being made
// for tracing is refused as well.
var refused = []uint32{
	unix.SYS_CLONE3,
	unix.SYS_IO_URING_SETUP, unix.SYS_IO_URING_ENTER, unix.SYS_IO_URING_REGISTER,
	unix.SYS_PERF_EVENT_OPEN, unix.SYS_MEMFD_SECRET, unix.SYS_PIDFD_GETFD, unix.SYS_KCMP,
	unix.SYS_MBIND, unix.SYS_SET_MEMPOLICY, unix.SYS_SET_MEMPOLICY_HOME_NODE, unix.SYS_MIGRATE_PAGES, unix.SYS_MOVE_PAGES,
	unix.SYS_IO_SETUP, unix.SYS_INOTIFY_INIT1, unix.SYS_FANOTIFY_INIT,
	unix.SYS_SHMGET, unix.SYS_SHMAT, unix.SYS_SHMCTL, unix.SYS_MSGGET, unix.SYS_SEMGET, unix.SYS_MQ_OPEN,
}

// attributes are calls that change extended attributes and access lists, which on
// temporary files are memory of the kernel that no group is charged for. They fail as
// on a file system without them.
var attributes = []uint32{
	unix.SYS_SETXATTR, unix.SYS_LSETXATTR, unix.SYS_FSETXATTR, unix.SYS_SETXATTRAT,
	unix.SYS_REMOVEXATTR, unix.SYS_LREMOVEXATTR, unix.SYS_FREMOVEXATTR, unix.SYS_REMOVEXATTRAT,
}

// idle are calls that only have an effect on others: they write out what the whole
// machine has changed, or drop from memory files that other runs would have to read
// again. They succeed and do nothing.
var idle = []uint32{unix.SYS_FADVISE64, unix.SYS_SYNC, unix.SYS_SYNCFS}

// newest is the highest call that has been judged here (removexattrat, the same on
// all architectures). A kernel may have newer ones; they get ENOSYS as well.
const newest = 466

// namespaces are the flags of clone that make new namespaces.
const namespaces = unix.CLONE_NEWNS | unix.CLONE_NEWCGROUP | unix.CLONE_NEWUTS | unix.CLONE_NEWIPC |
	unix.CLONE_NEWUSER | unix.CLONE_NEWPID | unix.CLONE_NEWNET

// Offsets in struct seccomp_data, see seccomp(2). The low half of the first
// argument stands first on little-endian machines, which all supported ones are.
const (
	dataNumber   = 0
	dataArch     = 4
	dataArgument = 16
	// and the second one:
	dataArgument2 = 24
)

// What becomes of a call.
const (
	allow    = unix.SECCOMP_RET_ALLOW
	kill     = unix.SECCOMP_RET_KILL_PROCESS
	noCall   = unix.SECCOMP_RET_ERRNO | uint32(unix.ENOSYS)
	noRight  = unix.SECCOMP_RET_ERRNO | uint32(unix.EPERM)
	noExtra  = unix.SECCOMP_RET_ERRNO | uint32(unix.EOPNOTSUPP)
	noLock   = unix.SECCOMP_RET_ERRNO | uint32(unix.ENOLCK)
	pretend  = unix.SECCOMP_RET_ERRNO // success without doing anything
	noFamily = unix.SECCOMP_RET_ERRNO | uint32(unix.EAFNOSUPPORT)
)

// rule is what to do with one call: instructions that end in a return.
type rule struct {
	call uint32
	then []bpf.Instruction
}

// rules returns what to do with each call that is not simply allowed, sorted.
func rules() []rule {
	argument := bpf.LoadAbsolute{Off: dataArgument, Size: 4}
	// Only the family of sockets that stays within the machine, and that runtimes
	// use among their own processes. Others are refused as on a kernel without them,
	// since Java and resolvers probe for them at their start.
	family := []bpf.Instruction{
		argument,
		bpf.JumpIf{Cond: bpf.JumpEqual, Val: unix.AF_UNIX, SkipFalse: 1},
		bpf.RetConstant{Val: allow},
		bpf.RetConstant{Val: noFamily},
	}
	list := []rule{
		{unix.SYS_CLONE, []bpf.Instruction{
			argument,
			bpf.JumpIf{Cond: bpf.JumpBitsSet, Val: namespaces, SkipFalse: 1},
			bpf.RetConstant{Val: kill},
			bpf.RetConstant{Val: allow},
		}},
		// Asking for the personality, and setting the ordinary one, change nothing.
		{unix.SYS_PERSONALITY, []bpf.Instruction{
			argument,
			bpf.JumpIf{Cond: bpf.JumpEqual, Val: 0, SkipTrue: 2},
			bpf.JumpIf{Cond: bpf.JumpEqual, Val: 0xffffffff, SkipTrue: 1},
			bpf.RetConstant{Val: kill},
			bpf.RetConstant{Val: allow},
		}},
		// A program that leaves its CPU takes time from the run on another one. Only the
		// judge pins; threads inherit it, and libraries that pin go on without.
		{unix.SYS_SCHED_SETAFFINITY, []bpf.Instruction{bpf.RetConstant{Val: noRight}}},
		// An ordinary user's programs have the account of the container's init, whose
		// limits all later programs would inherit, or die with it.
		{unix.SYS_PRLIMIT64, []bpf.Instruction{
			argument,
			bpf.JumpIf{Cond: bpf.JumpEqual, Val: 0, SkipFalse: 1},
			bpf.RetConstant{Val: allow},
			bpf.RetConstant{Val: noRight},
		}},
		// Locks of ranges of a file, and notices of changes, take memory of the kernel
		// that no group is charged for. Whole files can be locked, by flock.
		{unix.SYS_FCNTL, []bpf.Instruction{
			bpf.LoadAbsolute{Off: dataArgument2, Size: 4},
			bpf.JumpIf{Cond: bpf.JumpEqual, Val: unix.F_SETLK, SkipTrue: 5},
			bpf.JumpIf{Cond: bpf.JumpEqual, Val: unix.F_SETLKW, SkipTrue: 4},
			bpf.JumpIf{Cond: bpf.JumpEqual, Val: unix.F_OFD_SETLK, SkipTrue: 3},
			bpf.JumpIf{Cond: bpf.JumpEqual, Val: unix.F_OFD_SETLKW, SkipTrue: 2},
			bpf.JumpIf{Cond: bpf.JumpEqual, Val: unix.F_NOTIFY, SkipTrue: 1},
			bpf.RetConstant{Val: allow},
			bpf.RetConstant{Val: noLock},
		}},
		{unix.SYS_SOCKET, family},
		{unix.SYS_SOCKETPAIR, family},
	}
	for _, same := range []struct {
		calls  []uint32
		result uint32
	}{
		{denied, kill}, {refused, noCall}, {refusedHere, noCall}, {attributes, noExtra}, {idle, pretend},
	} {
		for _, call := range same.calls {
			list = append(list, rule{call, []bpf.Instruction{bpf.RetConstant{Val: same.result}}})
		}
	}
	slices.SortFunc(list, func(a, b rule) int { return cmp.Compare(a.call, b.call) })
	return list
}

// callFilter is the filter that programs run under.
func callFilter() (seccomp.Filter, error) { return assemble(rules()) }

// An init whose programs are born in their control group (clone3) and get a cgroup
// namespace of their own there (unshare) cannot live under that filter. So it takes
// looser rules, and every program is given the difference as a second filter just
// before its execve: the kernel does what the stricter of two filters says, so that
// a program can do exactly as much as under callFilter.

// parentFilter is the filter of such an init.
func parentFilter() (seccomp.Filter, error) {
	list := slices.DeleteFunc(rules(), func(r rule) bool { return r.call == unix.SYS_CLONE3 })
	i := slices.IndexFunc(list, func(r rule) bool { return r.call == unix.SYS_UNSHARE })
	list[i].then = []bpf.Instruction{
		bpf.LoadAbsolute{Off: dataArgument, Size: 4},
		bpf.JumpIf{Cond: bpf.JumpEqual, Val: unix.CLONE_NEWCGROUP, SkipTrue: 1},
		bpf.RetConstant{Val: kill},
		bpf.RetConstant{Val: allow},
	}
	return assemble(list)
}

// childFilter is what its programs get besides. It is short, since it is installed
// for every run; calls by another numbering are left to the init's.
func childFilter() (seccomp.Filter, error) {
	return raw(append([]bpf.Instruction{bpf.LoadAbsolute{Off: dataNumber, Size: 4}},
		search(slices.DeleteFunc(rules(), func(r rule) bool { return r.call != unix.SYS_CLONE3 && r.call != unix.SYS_UNSHARE }))...))
}

// assemble makes the seccomp program of sorted rules. Calls of another architecture
// (32-bit ones on amd64) are denied as a whole, since their numbers differ.
func assemble(rules []rule) (seccomp.Filter, error) {
	program := []bpf.Instruction{
		bpf.LoadAbsolute{Off: dataArch, Size: 4},
		bpf.JumpIf{Cond: bpf.JumpEqual, Val: auditArch, SkipTrue: 1},
		bpf.RetConstant{Val: kill},
		bpf.LoadAbsolute{Off: dataNumber, Size: 4},
	}
	if otherCalls != 0 { // the x32 calls of amd64 have a bit of their own
		program = append(program,
			bpf.JumpIf{Cond: bpf.JumpBitsSet, Val: otherCalls, SkipFalse: 1},
			bpf.RetConstant{Val: kill})
	}
	program = append(program,
		bpf.JumpIf{Cond: bpf.JumpGreaterThan, Val: newest, SkipFalse: 1},
		bpf.RetConstant{Val: noCall})
	return raw(append(program, search(rules)...))
}

// raw returns a program in the form that the kernel takes.
func raw(program []bpf.Instruction) (seccomp.Filter, error) {
	list, err := bpf.Assemble(program)
	if err != nil {
		return nil, err
	}
	filter := make(seccomp.Filter, len(list))
	for i, r := range list {
		filter[i] = syscall.SockFilter{Code: r.Op, Jt: r.Jt, Jf: r.Jf, K: r.K}
	}
	return filter, nil
}

// search returns a binary search over sorted rules that allows all other calls. It
// keeps the way of an ordinary call short: the filter is run for every one, and
// when it is installed the kernel evaluates it for each call there is.
func search(rules []rule) []bpf.Instruction {
	if len(rules) <= 2 {
		var list []bpf.Instruction
		for _, r := range rules {
			list = append(list, bpf.JumpIf{Cond: bpf.JumpNotEqual, Val: r.call, SkipTrue: uint8(len(r.then))})
			list = append(list, r.then...)
		}
		return append(list, bpf.RetConstant{Val: allow})
	}
	middle := len(rules) / 2
	low, high := search(rules[:middle]), search(rules[middle:])
	return slices.Concat([]bpf.Instruction{
		bpf.JumpIf{Cond: bpf.JumpLessThan, Val: rules[middle].call, SkipTrue: 1},
		bpf.Jump{Skip: uint32(len(low))},
	}, low, high)
}
