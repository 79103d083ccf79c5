package sandbox

import (
	"encoding/binary"
	"slices"
	"testing"

	"github.com/criyle/go-sandbox/pkg/seccomp"
	"golang.org/x/net/bpf"
	"golang.org/x/sys/unix"
)

// filterVM is the system call filter on the bpf package's own machine, which reads
// words in network order.
type filterVM struct{ *bpf.VM }

func newFilterVM(t testing.TB, make func() (seccomp.Filter, error)) filterVM {
	t.Helper()
	filter, err := make()
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

// decide gives the call this first argument, and second or 0.
func (vm filterVM) decide(t testing.TB, arch, call, argument uint32, second ...uint32) uint32 {
	t.Helper()
	data := make([]byte, 64)
	for _, value := range second {
		binary.BigEndian.PutUint32(data[dataArgument2:], value)
	}
	binary.BigEndian.PutUint32(data[dataNumber:], call)
	binary.BigEndian.PutUint32(data[dataArch:], arch)
	binary.BigEndian.PutUint32(data[dataArgument:], argument)
	got, err := vm.Run(data)
	if err != nil {
		t.Fatal(err)
	}
	return uint32(got)
}

func TestFilter(t *testing.T) {
	t.Parallel()
	vm := newFilterVM(t, callFilter)
	for _, tt := range []struct {
		why            string
		call, argument uint32
		want           uint32
	}{
		{"the ordinary case", unix.SYS_READ, 0, allow},
		{"processes and threads", unix.SYS_CLONE, unix.CLONE_VM | unix.CLONE_THREAD | unix.CLONE_SIGHAND, allow},
		{"a child, as the container's init makes it", unix.SYS_CLONE, uint32(unix.SIGCHLD), allow},
		{"a new user namespace", unix.SYS_CLONE, unix.CLONE_NEWUSER | uint32(unix.SIGCHLD), kill},
		{"a new network namespace", unix.SYS_CLONE, unix.CLONE_NEWNET, kill},
		{"a new cgroup namespace", unix.SYS_CLONE, unix.CLONE_NEWCGROUP, kill},
		{"libraries fall back to clone", unix.SYS_CLONE3, 0, noCall},
		{"asking for the personality", unix.SYS_PERSONALITY, 0xffffffff, allow},
		{"the ordinary personality", unix.SYS_PERSONALITY, 0, allow},
		{"addresses that can be guessed", unix.SYS_PERSONALITY, 0x0040000, kill},
		{"among a program's own processes", unix.SYS_SOCKET, unix.AF_UNIX, allow},
		{"Java probes it", unix.SYS_SOCKET, unix.AF_INET6, noFamily},
		{"not bound to a network namespace", unix.SYS_SOCKET, unix.AF_VSOCK, noFamily},
		{"the kernel's own talk", unix.SYS_SOCKET, unix.AF_NETLINK, noFamily},
		{"pairs as well", unix.SYS_SOCKETPAIR, unix.AF_TIPC, noFamily},
		{"a program's own limits", unix.SYS_PRLIMIT64, 0, allow},
		{"limits of the init", unix.SYS_PRLIMIT64, 1, noRight},
		{"the CPU of another run", unix.SYS_SCHED_SETAFFINITY, 0, noRight},
		{"files of the system stay in memory", unix.SYS_FADVISE64, 0, pretend},
		{"access lists", unix.SYS_FSETXATTR, 0, noExtra},
		{"who opens a file", unix.SYS_INOTIFY_INIT1, 0, noCall},
		{"the last but one call that was judged", newest - 1, 0, allow},
		{"a call of tomorrow", newest + 1, 0, noCall},
		{"no call at all", 0xffffffff, 0, kill},
	} {
		if tt.call == 0xffffffff && otherCalls == 0 {
			tt.want = noCall
		}
		if got := vm.decide(t, auditArch, tt.call, tt.argument); got != tt.want {
			t.Errorf("%s: call %d with %#x gives %#x, want %#x", tt.why, tt.call, tt.argument, got, tt.want)
		}
	}
	for _, tt := range []struct{ command, want uint32 }{
		{unix.F_DUPFD, allow}, {unix.F_GETFL, allow}, {unix.F_SETPIPE_SZ, allow}, {unix.F_ADD_SEALS, allow},
		{unix.F_SETLK, noLock}, {unix.F_SETLKW, noLock}, {unix.F_OFD_SETLK, noLock}, {unix.F_OFD_SETLKW, noLock}, {unix.F_NOTIFY, noLock},
	} {
		if got := vm.decide(t, auditArch, unix.SYS_FCNTL, 0, tt.command); got != tt.want {
			t.Errorf("fcntl with command %d gives %#x, want %#x", tt.command, got, tt.want)
		}
	}
	if got := vm.decide(t, auditArch^1, unix.SYS_READ, 0); got != kill {
		t.Errorf("a call of another architecture gives %#x, want %#x", got, uint32(kill))
	}
}

// TestFilterModel compares the assembled search with the lists, for every number.
func TestFilterModel(t *testing.T) {
	t.Parallel()
	vm := newFilterVM(t, callFilter)
	for call := range uint32(1024) {
		want := uint32(allow)
		switch {
		case call > newest, slices.Contains(refused, call), slices.Contains(refusedHere, call):
			want = noCall
		case slices.Contains(attributes, call):
			want = noExtra
		case slices.Contains(idle, call):
			want = pretend
		case slices.Contains(denied, call):
			want = kill
		case call == unix.SYS_SOCKET, call == unix.SYS_SOCKETPAIR:
			want = noFamily
		case call == unix.SYS_PRLIMIT64, call == unix.SYS_SCHED_SETAFFINITY:
			want = noRight
		case call == unix.SYS_PERSONALITY:
			want = kill
		}
		// An argument that is no flag of clone, no family and no known personality,
		// and another process.
		if got := vm.decide(t, auditArch, call, 0x100); got != want {
			t.Errorf("call %d gives %#x, want %#x", call, got, want)
		}
		if otherCalls != 0 {
			if got := vm.decide(t, auditArch, call|otherCalls, 0); got != kill {
				t.Errorf("call %d by another numbering gives %#x, want %#x", call, got, uint32(kill))
			}
		}
	}
}

// stricter is what the kernel does when two filters disagree, see seccomp(2).
func stricter(a, b uint32) uint32 {
	order := []uint32{unix.SECCOMP_RET_KILL_PROCESS, unix.SECCOMP_RET_KILL_THREAD, unix.SECCOMP_RET_TRAP, unix.SECCOMP_RET_ERRNO, unix.SECCOMP_RET_ALLOW}
	rank := func(action uint32) int { return slices.Index(order, action&unix.SECCOMP_RET_ACTION_FULL) }
	if rank(a) <= rank(b) {
		return a
	}
	return b
}

// TestFilterPair holds a program that is born in its control group, under its init's
// filter and one of its own, to what every other program can do.
func TestFilterPair(t *testing.T) {
	t.Parallel()
	single, parent, child := newFilterVM(t, callFilter), newFilterVM(t, parentFilter), newFilterVM(t, childFilter)
	arguments := []uint32{0, 1, 2, 3, 16, 0x100, unix.CLONE_NEWCGROUP, unix.CLONE_NEWCGROUP | unix.CLONE_NEWUSER, unix.CLONE_NEWUSER, uint32(unix.SIGCHLD), 0xffffffff}
	numbers := []uint32{newest, newest + 1, 0x3fffffff, 0x7fffffff, 0xffffffff}
	for call := range uint32(1024) {
		numbers = append(numbers, call, call|0x40000000, call|0x80000000)
	}
	for _, arch := range []uint32{auditArch, auditArch ^ 1, unix.AUDIT_ARCH_I386, unix.AUDIT_ARCH_ARM} {
		for _, call := range numbers {
			for _, argument := range arguments {
				second := argument ^ unix.F_SETLK // some command of fcntl that is refused, and others
				want := single.decide(t, arch, call, argument, second)
				if got := stricter(parent.decide(t, arch, call, argument, second), child.decide(t, arch, call, argument, second)); got != want {
					t.Fatalf("call %d with %#x on %#x: the pair gives %#x, the filter alone %#x", call, argument, arch, got, want)
				}
			}
		}
	}
}

// TestParentFilter wants an init to be allowed what it needs, and no more than that.
func TestParentFilter(t *testing.T) {
	t.Parallel()
	single, parent := newFilterVM(t, callFilter), newFilterVM(t, parentFilter)
	for call := range uint32(1024) {
		for _, argument := range []uint32{0, 0x100, unix.CLONE_NEWCGROUP, unix.CLONE_NEWCGROUP | unix.CLONE_NEWNET} {
			want := single.decide(t, auditArch, call, argument)
			if call == unix.SYS_CLONE3 || call == unix.SYS_UNSHARE && argument == unix.CLONE_NEWCGROUP {
				want = allow
			}
			if got := parent.decide(t, auditArch, call, argument); got != want {
				t.Errorf("call %d with %#x gives %#x, want %#x", call, argument, got, want)
			}
		}
	}
}

// TestSealOf wants the loose filter for no name but its own: a program there would
// have to be given the other half.
func TestSealOf(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why, name string
		want      func() (seccomp.Filter, error)
		ok        bool
	}{
		{"programs that are moved", jailName, callFilter, true},
		{"programs that are born in their group", birthName, parentFilter, true},
		{"no filter", openName, nil, true},
		{"the outer name: not yet built", "desktop", nil, false},
		{"no name", "", nil, false},
	} {
		got, ok := sealOf(tt.name)
		if ok != tt.ok || (got == nil) != (tt.want == nil) {
			t.Errorf("%s: %s is known: %v", tt.why, tt.name, ok)
			continue
		}
		if got == nil {
			continue
		}
		have, _ := got()
		if want, _ := tt.want(); !slices.Equal(have, want) {
			t.Errorf("%s: %s gets another filter", tt.why, tt.name)
		}
	}
}
