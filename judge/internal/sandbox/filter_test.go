//go:build linux

package sandbox

import (
	"encoding/binary"
	"maps"
	"slices"
	"testing"

	"github.com/criyle/go-sandbox/pkg/seccomp"
	"golang.org/x/net/bpf"
	"golang.org/x/sys/unix"
)

// filterVM is the system call filter on the bpf package's own machine, which reads
// words in network order.
type filterVM struct{ *bpf.VM }

func newFilterVM(t testing.TB, filter seccomp.Filter, err error) filterVM {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	var program []bpf.Instruction
	for _, f := range filter {
		program = append(program, bpf.RawInstruction{Op: f.Code, Jt: f.Jt, Jf: f.Jf, K: f.K}.Disassemble())
	}
	vm, err := bpf.NewVM(program)
	if err != nil {
		t.Fatal(err)
	}
	return filterVM{vm}
}

// single, parent and child return the three filters.
func single(t testing.TB, deny uint32) filterVM {
	filter, err := callFilter(deny)
	return newFilterVM(t, filter, err)
}

func parent(t testing.TB, deny uint32) filterVM {
	filter, err := parentFilter(deny)
	return newFilterVM(t, filter, err)
}

func child(t testing.TB) filterVM {
	filter, err := childFilter()
	return newFilterVM(t, filter, err)
}

// decide returns the action for a call with these first arguments; the others are 0.
func (vm filterVM) decide(t testing.TB, arch, call uint32, arguments ...uint32) uint32 {
	t.Helper()
	data := make([]byte, 64)
	for i, value := range arguments {
		binary.BigEndian.PutUint32(data[argument(uint32(i)).Off:], value)
	}
	binary.BigEndian.PutUint32(data[dataNumber:], call)
	binary.BigEndian.PutUint32(data[dataArch:], arch)
	got, err := vm.Run(data)
	if err != nil {
		t.Fatal(err)
	}
	return uint32(got)
}

func TestFilter(t *testing.T) {
	t.Parallel()
	vm := single(t, kill)
	args := func(list ...uint32) []uint32 { return list }
	for _, tt := range []struct {
		why       string
		call      uint32
		arguments []uint32
		want      uint32
	}{
		{"the ordinary case", unix.SYS_READ, nil, allow},
		{"processes and threads", unix.SYS_CLONE, args(unix.CLONE_VM | unix.CLONE_THREAD | unix.CLONE_SIGHAND), allow},
		{"a child, made as the container's init makes programs", unix.SYS_CLONE, args(uint32(unix.SIGCHLD)), allow},
		{"a new user namespace", unix.SYS_CLONE, args(unix.CLONE_NEWUSER | uint32(unix.SIGCHLD)), kill},
		{"a new network namespace", unix.SYS_CLONE, args(unix.CLONE_NEWNET), kill},
		{"a new cgroup namespace", unix.SYS_CLONE, args(unix.CLONE_NEWCGROUP), kill},
		{"a new user namespace for itself", unix.SYS_UNSHARE, args(unix.CLONE_NEWUSER), kill},
		{"a new cgroup namespace and another", unix.SYS_UNSHARE, args(unix.CLONE_NEWCGROUP | unix.CLONE_NEWNS), kill},
		{"a new cgroup namespace for itself", unix.SYS_UNSHARE, args(unix.CLONE_NEWCGROUP), fails(unix.EPERM)},
		{"libraries fall back to clone", unix.SYS_CLONE3, nil, fails(unix.ENOSYS)},
		{"querying the personality", unix.SYS_PERSONALITY, args(0xffffffff), allow},
		{"the ordinary personality", unix.SYS_PERSONALITY, args(0), allow},
		{"addresses that can be guessed (ADDR_NO_RANDOMIZE)", unix.SYS_PERSONALITY, args(0x0040000), kill},
		{"sockets among a program's own processes", unix.SYS_SOCKET, args(unix.AF_UNIX), allow},
		{"Java probes it", unix.SYS_SOCKET, args(unix.AF_INET6), fails(unix.EAFNOSUPPORT)},
		{"not bound to a network namespace", unix.SYS_SOCKET, args(unix.AF_VSOCK), fails(unix.EAFNOSUPPORT)},
		{"the kernel's own talk", unix.SYS_SOCKET, args(unix.AF_NETLINK), fails(unix.EAFNOSUPPORT)},
		{"pairs of sockets too", unix.SYS_SOCKETPAIR, args(unix.AF_TIPC), fails(unix.EAFNOSUPPORT)},
		{"a program's own limits", unix.SYS_PRLIMIT64, args(0), allow},
		{"limits of the init", unix.SYS_PRLIMIT64, args(1), fails(unix.EPERM)},
		{"the CPU of another run", unix.SYS_SCHED_SETAFFINITY, nil, fails(unix.EPERM)},
		{"files of the system must stay in memory", unix.SYS_FADVISE64, nil, fails(0)},
		{"access lists", unix.SYS_FSETXATTR, nil, fails(unix.EOPNOTSUPP)},
		{"watching who opens a file", unix.SYS_INOTIFY_INIT1, nil, fails(unix.ENOSYS)},
		{"a filter of its own takes room in the machine's pool of filters", unix.SYS_SECCOMP, args(1), fails(unix.ENOSYS)},
		{"the old call for such a filter", unix.SYS_PRCTL, args(unix.PR_SET_SECCOMP), fails(unix.EINVAL)},
		{"a thread's name", unix.SYS_PRCTL, args(unix.PR_SET_NAME), allow},
		{"names of mappings are memory that no group is charged for", unix.SYS_PRCTL, args(unix.PR_SET_VMA), fails(unix.EINVAL)},
		{"a filter of a socket takes room in the same pool", unix.SYS_SETSOCKOPT, args(3, unix.SOL_SOCKET, unix.SO_ATTACH_FILTER), fails(unix.ENOPROTOOPT)},
		{"the same by another option number", unix.SYS_SETSOCKOPT, args(3, unix.SOL_SOCKET, unix.SO_ATTACH_REUSEPORT_CBPF), fails(unix.ENOPROTOOPT)},
		{"the buffer of a socket", unix.SYS_SETSOCKOPT, args(3, unix.SOL_SOCKET, unix.SO_SNDBUF), allow},
		{"the kernel knows no other level for local sockets", unix.SYS_SETSOCKOPT, args(3, unix.IPPROTO_TCP, unix.TCP_NODELAY), allow},
		{"pages for a heap", unix.SYS_MMAP, args(0, 4096, unix.PROT_READ, unix.MAP_PRIVATE|unix.MAP_ANONYMOUS), allow},
		{"huge pages of the host", unix.SYS_MMAP, args(0, 4096, unix.PROT_READ, unix.MAP_PRIVATE|unix.MAP_HUGETLB), fails(unix.ENOMEM)},
		{"huge pages of a nameless file", unix.SYS_MEMFD_CREATE, args(0, unix.MFD_CLOEXEC|unix.MFD_HUGETLB), fails(unix.EINVAL)},
		{"a nameless file", unix.SYS_MEMFD_CREATE, args(0, unix.MFD_CLOEXEC), allow},
		{"giving pages back", unix.SYS_MADVISE, args(0, 4096, unix.MADV_DONTNEED), allow},
		{"merging pages with equal ones of another run", unix.SYS_MADVISE, args(0, 4096, unix.MADV_MERGEABLE), fails(unix.EINVAL)},
		{"evicting pages of libraries", unix.SYS_MADVISE, args(0, 4096, unix.MADV_PAGEOUT), fails(unix.EINVAL)},
		{"asking whether a file is a terminal", unix.SYS_IOCTL, args(0, unix.TCGETS), allow},
		{"flags of a file could carry a message to the next run", unix.SYS_IOCTL, args(0, unix.FS_IOC_SETFLAGS), fails(unix.ENOTTY)},
		{"the last but one call that was judged", newest - 1, nil, allow},
		{"a call newer than the filter", newest + 1, nil, fails(unix.ENOSYS)},
		{"a number that no call has", 0xffffffff, nil, kill},
	} {
		if tt.call == 0xffffffff && otherCalls == 0 {
			tt.want = fails(unix.ENOSYS)
		}
		if got := vm.decide(t, auditArch, tt.call, tt.arguments...); got != tt.want {
			t.Errorf("%s: call %d with %#x gives %#x, want %#x", tt.why, tt.call, tt.arguments, got, tt.want)
		}
	}
	noLock, unknown := fails(unix.ENOLCK), fails(unix.EINVAL)
	for _, tt := range []struct{ command, want uint32 }{
		{unix.F_DUPFD, allow}, {unix.F_GETFL, allow}, {unix.F_SETPIPE_SZ, allow}, {unix.F_ADD_SEALS, allow}, {unix.F_GETLK, allow},
		{unix.F_SETLK, noLock}, {unix.F_SETLKW, noLock}, {unix.F_OFD_SETLK, noLock}, {unix.F_OFD_SETLKW, noLock}, {unix.F_NOTIFY, noLock},
		{unix.F_SETLEASE, unknown}, {unix.F_SET_RW_HINT, unknown}, {unix.F_SET_FILE_RW_HINT, unknown}, {2000, unknown},
	} {
		if got := vm.decide(t, auditArch, unix.SYS_FCNTL, 0, tt.command); got != tt.want {
			t.Errorf("fcntl with command %d gives %#x, want %#x", tt.command, got, tt.want)
		}
	}
	if got := vm.decide(t, auditArch^1, unix.SYS_READ, 0); got != kill {
		t.Errorf("a call of another architecture gives %#x, want %#x", got, uint32(kill))
	}
}

// TestFilterModel compares the decisions of the assembled filter with the lists, for every call number.
func TestFilterModel(t *testing.T) {
	t.Parallel()
	vm := single(t, kill)
	lists := []struct {
		calls  []uint32
		result uint32
	}{
		{slices.Concat(allowed, allowedHere), allow}, {slices.Collect(maps.Keys(denied)), kill},
		{slices.Concat(rootOnly, rootOnlyHere), fails(unix.EPERM)},
		{attributes, fails(unix.EOPNOTSUPP)}, {noEffect, fails(0)},
		// The argument used here is a meaningful value for none of these calls.
		{[]uint32{unix.SYS_SOCKET, unix.SYS_SOCKETPAIR}, fails(unix.EAFNOSUPPORT)},
		{[]uint32{unix.SYS_PERSONALITY, unix.SYS_UNSHARE}, kill},
		{[]uint32{unix.SYS_PRLIMIT64}, fails(unix.EPERM)},
		{[]uint32{unix.SYS_IOCTL}, fails(unix.ENOTTY)},
		{[]uint32{unix.SYS_FCNTL, unix.SYS_PRCTL, unix.SYS_MADVISE}, fails(unix.EINVAL)},
		{[]uint32{unix.SYS_CLONE, unix.SYS_MMAP, unix.SYS_MEMFD_CREATE, unix.SYS_SETSOCKOPT}, allow},
	}
	for call := range uint32(1024) {
		want, times := fails(unix.ENOSYS), 0
		for _, list := range lists {
			if slices.Contains(list.calls, call) {
				want = list.result
				times++
			}
		}
		if times > 1 {
			t.Errorf("call %d is in several lists", call)
		}
		if got := vm.decide(t, auditArch, call, 0x100, 0x100, 0x100, 0x100); got != want {
			t.Errorf("call %d gives %#x, want %#x", call, got, want)
		}
		if otherCalls != 0 {
			if got := vm.decide(t, auditArch, call|otherCalls, 0); got != kill {
				t.Errorf("call %d by another numbering gives %#x, want %#x", call, got, uint32(kill))
			}
		}
	}
}

// stricter returns the action that the kernel takes when two filters disagree, see seccomp(2).
func stricter(a, b uint32) uint32 {
	order := []uint32{unix.SECCOMP_RET_KILL_PROCESS, unix.SECCOMP_RET_KILL_THREAD, unix.SECCOMP_RET_TRAP, unix.SECCOMP_RET_ERRNO, unix.SECCOMP_RET_USER_NOTIF, unix.SECCOMP_RET_ALLOW}
	rank := func(action uint32) int { return slices.Index(order, action&unix.SECCOMP_RET_ACTION_FULL) }
	if rank(a) <= rank(b) {
		return a
	}
	return b
}

// TestFilterPair checks that a program that is born in its control group, under its init's filter
// and one of its own, can do exactly what every other program can.
func TestFilterPair(t *testing.T) {
	t.Parallel()
	for _, deny := range []uint32{kill, notify} {
		checkPair(t, single(t, deny), parent(t, deny), child(t))
	}
}

func checkPair(t *testing.T, single, parent, child filterVM) {
	t.Helper()
	arguments := []uint32{0, 1, 2, 3, 16, 0x100, unix.CLONE_NEWCGROUP, unix.CLONE_NEWCGROUP | unix.CLONE_NEWUSER, unix.CLONE_NEWUSER, uint32(unix.SIGCHLD), 0xffffffff}
	numbers := []uint32{newest, newest + 1, 0x3fffffff, 0x7fffffff, 0xffffffff}
	for call := range uint32(1024) {
		numbers = append(numbers, call, call|0x40000000, call|0x80000000)
	}
	for _, arch := range []uint32{auditArch, auditArch ^ 1, unix.AUDIT_ARCH_I386, unix.AUDIT_ARCH_ARM} {
		for _, call := range numbers {
			for _, argument := range arguments {
				second := argument ^ unix.F_SETLK // a refused command of fcntl for argument 0, and other commands
				want := single.decide(t, arch, call, argument, second)
				if got := stricter(parent.decide(t, arch, call, argument, second), child.decide(t, arch, call, argument, second)); got != want {
					t.Fatalf("call %d with %#x on %#x: the pair gives %#x, the filter alone %#x", call, argument, arch, got, want)
				}
			}
		}
	}
}

// TestParentFilter checks that an init may make the calls that it needs, and no others.
func TestParentFilter(t *testing.T) {
	t.Parallel()
	single, parent := single(t, kill), parent(t, kill)
	for call := range uint32(1024) {
		for _, argument := range []uint32{0, 0x100, unix.CLONE_NEWCGROUP, unix.CLONE_NEWCGROUP | unix.CLONE_NEWNET} {
			want := single.decide(t, auditArch, call, argument)
			if call == unix.SYS_CLONE3 || call == unix.SYS_SECCOMP || call == unix.SYS_UNSHARE && argument == unix.CLONE_NEWCGROUP {
				want = allow
			}
			if got := parent.decide(t, auditArch, call, argument); got != want {
				t.Errorf("call %d with %#x gives %#x, want %#x", call, argument, got, want)
			}
		}
	}
}
