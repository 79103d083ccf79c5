package sandbox

import (
	"maps"
	"slices"
	"syscall"

	"github.com/criyle/go-sandbox/pkg/seccomp"
	"golang.org/x/net/bpf"
	"golang.org/x/sys/unix"
)

// Offsets in struct seccomp_data, see seccomp(2).
const (
	dataNumber    = 0
	dataArch      = 4
	dataArguments = 16
)

// argument loads the low half of the nth argument of a call, counted from 0. It stands
// first on little-endian machines, which all supported ones are. What the rules look at
// are ints to the kernel, or flags in the low half.
func argument(n uint32) bpf.LoadAbsolute {
	return bpf.LoadAbsolute{Off: dataArguments + 8*n, Size: 4}
}

// What becomes of a call, besides fails. A call that the sandbox denies is told of by
// notify where somebody listens, see denials, and ends its process by kill elsewhere.
const (
	allow  = unix.SECCOMP_RET_ALLOW
	notify = unix.SECCOMP_RET_USER_NOTIF
	kill   = unix.SECCOMP_RET_KILL_PROCESS
)

// fails returns the action that lets a call fail with an error. Error 0 is success
// without doing anything.
func fails(errno unix.Errno) uint32 { return unix.SECCOMP_RET_ERRNO | uint32(errno) }

// among allows a call whose nth argument is one of values, and does otherwise with others.
func among(n, otherwise uint32, values ...uint32) []bpf.Instruction {
	list := []bpf.Instruction{argument(n)}
	for _, value := range values {
		list = append(list, bpf.JumpIf{Cond: bpf.JumpNotEqual, Val: value, SkipTrue: 1}, bpf.RetConstant{Val: allow})
	}
	return append(list, bpf.RetConstant{Val: otherwise})
}

// unless allows a call whose nth argument has none of these bits set, and does then with
// others.
func unless(n, bits, then uint32) []bpf.Instruction {
	return []bpf.Instruction{
		argument(n),
		bpf.JumpIf{Cond: bpf.JumpBitsSet, Val: bits, SkipFalse: 1},
		bpf.RetConstant{Val: then},
		bpf.RetConstant{Val: allow},
	}
}

// rule is what to do with one call: instructions that end in a return.
type rule struct {
	call uint32
	then []bpf.Instruction
}

// rules returns what to do with each call up to newest, in order.
func rules(deny uint32) []rule {
	list := make([]rule, newest+1)
	for i := range list {
		list[i] = rule{uint32(i), []bpf.Instruction{bpf.RetConstant{Val: fails(unix.ENOSYS)}}}
	}
	for _, same := range []struct {
		calls  []uint32
		result uint32
	}{
		{allowed, allow}, {allowedHere, allow},
		{slices.Collect(maps.Keys(denied)), deny}, {rootOnly, fails(unix.EPERM)}, {rootOnlyHere, fails(unix.EPERM)},
		{attributes, fails(unix.EOPNOTSUPP)}, {idle, fails(0)},
	} {
		for _, call := range same.calls {
			list[call].then = []bpf.Instruction{bpf.RetConstant{Val: same.result}}
		}
	}
	for _, r := range byArgument(deny) {
		list[r.call] = r
	}
	return list
}

// callFilter is the filter that programs run under. deny is what it does with a call
// that the sandbox denies.
func callFilter(deny uint32) (seccomp.Filter, error) { return assemble(rules(deny), deny) }

// An init whose programs are born in their control group (clone3), get a cgroup
// namespace of their own there (unshare) and a filter (seccomp) cannot live under that
// one. So it takes looser rules, and every program is given the difference as a second
// filter just before its execve: the kernel does what the stricter of two filters says,
// so that a program can do exactly as much as under callFilter.
var forInit = []uint32{unix.SYS_CLONE3, unix.SYS_SECCOMP, unix.SYS_UNSHARE}

// parentFilter is the filter of such an init.
func parentFilter(deny uint32) (seccomp.Filter, error) {
	list := rules(deny)
	list[unix.SYS_CLONE3].then = []bpf.Instruction{bpf.RetConstant{Val: allow}}
	list[unix.SYS_SECCOMP].then = []bpf.Instruction{bpf.RetConstant{Val: allow}}
	list[unix.SYS_UNSHARE].then = among(0, deny, unix.CLONE_NEWCGROUP)
	return assemble(list, deny)
}

// childFilter is what its programs get besides. It is short, because it is installed
// for every run. It denies nothing, which is left to the init's, and so are calls of
// another architecture and by another numbering.
func childFilter() (seccomp.Filter, error) {
	list := make([]rule, newest+2)
	all := rules(allow)
	for i := range list {
		list[i] = rule{uint32(i), []bpf.Instruction{bpf.RetConstant{Val: allow}}}
		if slices.Contains(forInit, uint32(i)) {
			list[i] = all[i]
		}
	}
	return raw(append([]bpf.Instruction{
		bpf.LoadAbsolute{Off: dataArch, Size: 4},
		bpf.JumpIf{Cond: bpf.JumpEqual, Val: auditArch, SkipTrue: 1},
		bpf.RetConstant{Val: allow},
		bpf.LoadAbsolute{Off: dataNumber, Size: 4},
	}, search(ranges(list))...))
}

// assemble makes the seccomp program of rules. Calls of another architecture (32-bit
// ones on amd64) are denied as a whole, because their numbers differ.
func assemble(rules []rule, deny uint32) (seccomp.Filter, error) {
	program := []bpf.Instruction{
		bpf.LoadAbsolute{Off: dataArch, Size: 4},
		bpf.JumpIf{Cond: bpf.JumpEqual, Val: auditArch, SkipTrue: 1},
		bpf.RetConstant{Val: deny},
		bpf.LoadAbsolute{Off: dataNumber, Size: 4},
	}
	if otherCalls != 0 { // the x32 calls of amd64 have a bit of their own
		program = append(program,
			bpf.JumpIf{Cond: bpf.JumpBitsSet, Val: otherCalls, SkipFalse: 1},
			bpf.RetConstant{Val: deny})
	}
	rules = append(rules, rule{newest + 1, []bpf.Instruction{bpf.RetConstant{Val: fails(unix.ENOSYS)}}})
	return raw(append(program, search(ranges(rules))...))
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

// ranges drops the rules that do the same as the one before: a rule then stands for all
// calls from its own to the next rule's.
func ranges(rules []rule) []rule {
	return slices.CompactFunc(slices.Clone(rules), func(a, b rule) bool { return slices.Equal(a.then, b.then) })
}

// search returns a binary search over ranges. It keeps the way of a call short: the
// filter is run for every call that is decided by its arguments, on kernels before 5.11
// for all others as well, and when it is installed the kernel evaluates it for each
// call there is.
func search(ranges []rule) []bpf.Instruction {
	if len(ranges) == 1 {
		return ranges[0].then
	}
	middle := len(ranges) / 2
	low, high := search(ranges[:middle]), search(ranges[middle:])
	return slices.Concat([]bpf.Instruction{
		bpf.JumpIf{Cond: bpf.JumpLessThan, Val: ranges[middle].call, SkipTrue: 1},
		bpf.Jump{Skip: uint32(len(low))},
	}, low, high)
}
