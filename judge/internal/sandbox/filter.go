//go:build linux

package sandbox

import (
	"encoding/binary"
	"errors"
	"maps"
	"slices"
	"sync"
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

// argument loads the low half of the nth argument of a call, counted from 0. On little-endian
// machines, which are all that are supported, the low half comes first. The arguments that rules
// look at are ints to the kernel, or flags in the low half.
func argument(n uint32) bpf.LoadAbsolute {
	return bpf.LoadAbsolute{Off: dataArguments + 8*n, Size: 4}
}

// The actions for a call, besides fails. A call that the sandbox denies gets notify if the judge
// can listen for it, see denials; otherwise kill, which ends its process.
const (
	allow  = unix.SECCOMP_RET_ALLOW
	notify = unix.SECCOMP_RET_USER_NOTIF
	kill   = unix.SECCOMP_RET_KILL_PROCESS
)

// fails returns the action that makes a call fail with an error. With error 0 the call succeeds
// without doing anything.
func fails(errno unix.Errno) uint32 { return unix.SECCOMP_RET_ERRNO | uint32(errno) }

// among allows a call whose nth argument is one of values; otherwise is the action for others.
func among(n, otherwise uint32, values ...uint32) []bpf.Instruction {
	list := []bpf.Instruction{argument(n)}
	for _, value := range values {
		list = append(list, bpf.JumpIf{Cond: bpf.JumpNotEqual, Val: value, SkipTrue: 1}, bpf.RetConstant{Val: allow})
	}
	return append(list, bpf.RetConstant{Val: otherwise})
}

// unless allows a call if none of the bits are set in its nth argument; then is the action for
// others.
func unless(n, bits, then uint32) []bpf.Instruction {
	return []bpf.Instruction{
		argument(n),
		bpf.JumpIf{Cond: bpf.JumpBitsSet, Val: bits, SkipFalse: 1},
		bpf.RetConstant{Val: then},
		bpf.RetConstant{Val: allow},
	}
}

// rule holds the instructions that decide about one call. They end in a return.
type rule struct {
	call uint32
	then []bpf.Instruction
}

// rules returns one rule for each call up to newest, in order.
func rules(deny uint32) []rule {
	list := make([]rule, newest+1, newest+2) // assemble appends one
	unknown := []bpf.Instruction{bpf.RetConstant{Val: fails(unix.ENOSYS)}}
	for i := range list {
		list[i] = rule{uint32(i), unknown}
	}
	for _, same := range []struct {
		calls  []uint32
		result uint32
	}{
		{allowed, allow}, {allowedHere, allow},
		{slices.Collect(maps.Keys(denied)), deny}, {rootOnly, fails(unix.EPERM)}, {rootOnlyHere, fails(unix.EPERM)},
		{attributes, fails(unix.EOPNOTSUPP)}, {noEffect, fails(0)},
	} {
		then := []bpf.Instruction{bpf.RetConstant{Val: same.result}}
		for _, call := range same.calls {
			list[call].then = then
		}
	}
	for _, r := range byArgument(deny) {
		list[r.call] = r
	}
	return list
}

// The filters of containers and of programs in rlimit mode. The judge assembles each when it first
// needs it, and the inits get theirs from the judge, because that takes longer than to send it.
var (
	initFilter    = sync.OnceValues(func() (seccomp.Filter, error) { return callFilter(notify) })
	birthFilter   = sync.OnceValues(func() (seccomp.Filter, error) { return parentFilter(notify) }) // of an init whose programs are born in their control group
	secondFilter  = sync.OnceValues(childFilter)                                                    // of those programs
	programFilter = sync.OnceValues(func() (seccomp.Filter, error) { return callFilter(kill) })     // in rlimit mode
)

// jailFilters returns the filter of a container's init and the second one of its programs, encoded.
func jailFilters(bornInGroup bool) (own, second []byte, err error) {
	if !bornInGroup {
		filter, err := initFilter()
		return encode(filter), nil, err
	}
	parent, err := birthFilter()
	child, err2 := secondFilter()
	return encode(parent), encode(child), errors.Join(err, err2)
}

// encode returns the bytes of a filter as the kernel reads them, and decode returns the filter.
func encode(filter seccomp.Filter) (b []byte) {
	for _, f := range filter {
		b = append(binary.NativeEndian.AppendUint16(b, f.Code), f.Jt, f.Jf)
		b = binary.NativeEndian.AppendUint32(b, f.K)
	}
	return b
}

func decode(b []byte) (filter seccomp.Filter) {
	for ; len(b) >= 8; b = b[8:] {
		filter = append(filter, syscall.SockFilter{Code: binary.NativeEndian.Uint16(b), Jt: b[2], Jf: b[3], K: binary.NativeEndian.Uint32(b[4:])})
	}
	return filter
}

// killing returns a filter that kills a program where the given one notifies the judge.
func killing(filter seccomp.Filter) seccomp.Filter {
	filter = slices.Clone(filter)
	for i, f := range filter {
		if f.Code == unix.BPF_RET|unix.BPF_K && f.K == notify {
			filter[i].K = kill
		}
	}
	return filter
}

// callFilter returns the filter that programs run under. deny is its action for a call that the
// sandbox denies.
func callFilter(deny uint32) (seccomp.Filter, error) { return assemble(rules(deny), deny) }

// forInit are calls that an init needs if its programs are born in their control group (clone3) and
// there get a cgroup namespace (unshare) and a filter (seccomp) of their own. Such an init cannot
// live under callFilter. So it gets looser rules, and every program gets the difference as a second
// filter just before its execve. The kernel obeys the stricter of two filters, so a program can do
// exactly as much as under callFilter.
var forInit = []uint32{unix.SYS_CLONE3, unix.SYS_SECCOMP, unix.SYS_UNSHARE}

// parentFilter returns the filter of an init whose programs are born in their control group.
func parentFilter(deny uint32) (seccomp.Filter, error) {
	list := rules(deny)
	list[unix.SYS_CLONE3].then = []bpf.Instruction{bpf.RetConstant{Val: allow}}
	list[unix.SYS_SECCOMP].then = []bpf.Instruction{bpf.RetConstant{Val: allow}}
	list[unix.SYS_UNSHARE].then = among(0, deny, unix.CLONE_NEWCGROUP)
	return assemble(list, deny)
}

// childFilter returns the second filter of programs that are born in their control group. It is short, because it
// is installed for every run. It denies nothing: the init's filter does, also for calls of another architecture or
// numbering.
func childFilter() (seccomp.Filter, error) {
	list := make([]rule, newest+2)
	all := rules(allow)
	for i := range list {
		list[i] = rule{uint32(i), []bpf.Instruction{bpf.RetConstant{Val: allow}}}
		if slices.Contains(forInit, uint32(i)) {
			list[i] = all[i]
		}
	}
	return raw(search([]bpf.Instruction{
		bpf.LoadAbsolute{Off: dataArch, Size: 4},
		bpf.JumpIf{Cond: bpf.JumpEqual, Val: auditArch, SkipTrue: 1},
		bpf.RetConstant{Val: allow},
		bpf.LoadAbsolute{Off: dataNumber, Size: 4},
	}, ranges(list)))
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
	return raw(search(program, ranges(rules)))
}

// raw converts a program into the kernel's form.
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

// ranges drops, in place, each rule that does the same as the one before. A rule then stands for all calls
// from its own up to the next rule's.
func ranges(rules []rule) []rule {
	return slices.CompactFunc(rules, func(a, b rule) bool { return slices.Equal(a.then, b.then) })
}

// search appends a binary search over ranges to a program. It keeps the path of a call short: the filter
// runs for every call that is decided by its arguments, on kernels before 5.11 for all others as well,
// and when it is installed the kernel evaluates it for every call number.
func search(program []bpf.Instruction, ranges []rule) []bpf.Instruction {
	if len(ranges) == 1 {
		return append(program, ranges[0].then...)
	}
	middle, at := len(ranges)/2, len(program)
	low := search(append(program, bpf.JumpIf{Cond: bpf.JumpLessThan, Val: ranges[middle].call, SkipTrue: 1}, nil), ranges[:middle])
	low[at+1] = bpf.Jump{Skip: uint32(len(low) - at - 2)}
	return search(low, ranges[middle:])
}
