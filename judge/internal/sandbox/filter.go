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
	unix.SYS_UNSHARE, unix.SYS_SETNS,
	unix.SYS_KEXEC_LOAD, unix.SYS_KEXEC_FILE_LOAD, unix.SYS_REBOOT,
	unix.SYS_INIT_MODULE, unix.SYS_FINIT_MODULE, unix.SYS_DELETE_MODULE,
	unix.SYS_OPEN_BY_HANDLE_AT, unix.SYS_QUOTACTL, unix.SYS_ACCT,
	unix.SYS_SWAPON, unix.SYS_SWAPOFF,
	unix.SYS_FSOPEN, unix.SYS_FSCONFIG, unix.SYS_FSMOUNT, unix.SYS_FSPICK,
	unix.SYS_MOVE_MOUNT, unix.SYS_OPEN_TREE, unix.SYS_MOUNT_SETATTR,
}

// refused are calls that runtimes probe and can do without: they get ENOSYS, as
// on a kernel that lacks them. System V and POSIX message queues, semaphores and
// shared memory outlive the processes that made them: through them one run would
// speak to the next in its container, and hold memory that no limit counts.
var refused = []uint32{
	unix.SYS_IO_URING_SETUP, unix.SYS_IO_URING_ENTER, unix.SYS_IO_URING_REGISTER,
	unix.SYS_PERF_EVENT_OPEN,
	unix.SYS_SHMGET, unix.SYS_SHMAT, unix.SYS_SHMCTL, unix.SYS_MSGGET, unix.SYS_SEMGET, unix.SYS_MQ_OPEN,
}

// Offsets in struct seccomp_data, see seccomp(2).
const (
	dataNumber = 0
	dataArch   = 4
)

// callFilter assembles the seccomp program. Calls of another architecture (32-bit
// ones on amd64) are denied as a whole, since their numbers differ.
func callFilter() (seccomp.Filter, error) {
	const (
		allow = unix.SECCOMP_RET_ALLOW
		kill  = unix.SECCOMP_RET_KILL_PROCESS
		nosys = unix.SECCOMP_RET_ERRNO | uint32(unix.ENOSYS)
	)
	program := []bpf.Instruction{
		bpf.LoadAbsolute{Off: dataArch, Size: 4},
		bpf.JumpIf{Cond: bpf.JumpEqual, Val: auditArch, SkipTrue: 1},
		bpf.RetConstant{Val: kill},
		bpf.LoadAbsolute{Off: dataNumber, Size: 4},
	}
	if highestCall != 0 { // the x32 calls of amd64 have a bit of their own
		program = append(program,
			bpf.JumpIf{Cond: bpf.JumpLessThan, Val: highestCall, SkipTrue: 1},
			bpf.RetConstant{Val: kill})
	}
	var rules []rule
	for _, call := range denied {
		rules = append(rules, rule{call, kill})
	}
	for _, call := range refused {
		rules = append(rules, rule{call, nosys})
	}
	slices.SortFunc(rules, func(a, b rule) int { return cmp.Compare(a.call, b.call) })
	program = append(program, search(rules, allow)...)
	raw, err := bpf.Assemble(program)
	if err != nil {
		return nil, err
	}
	filter := make(seccomp.Filter, len(raw))
	for i, r := range raw {
		filter[i] = syscall.SockFilter{Code: r.Op, Jt: r.Jt, Jf: r.Jf, K: r.K}
	}
	return filter, nil
}

type rule struct {
	call, ret uint32
}

// search returns a binary search over sorted rules: the kernel evaluates a filter
// for every call there is when it is installed, once for each run.
func search(rules []rule, otherwise uint32) []bpf.Instruction {
	if len(rules) <= 2 {
		var list []bpf.Instruction
		for _, r := range rules {
			list = append(list,
				bpf.JumpIf{Cond: bpf.JumpEqual, Val: r.call, SkipFalse: 1},
				bpf.RetConstant{Val: r.ret})
		}
		return append(list, bpf.RetConstant{Val: otherwise})
	}
	middle := len(rules) / 2
	low, high := search(rules[:middle], otherwise), search(rules[middle:], otherwise)
	jump := bpf.JumpIf{Cond: bpf.JumpLessThan, Val: rules[middle].call, SkipFalse: uint8(len(low))}
	return slices.Concat([]bpf.Instruction{jump}, low, high)
}
