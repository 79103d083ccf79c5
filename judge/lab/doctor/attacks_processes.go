//go:build linux

package doctor

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
	"unsafe"

	"golang.org/x/sys/unix"
)

func processAttacks() []attack {
	const group = "other processes"
	return []attack{
		{name: "see-processes", group: group, what: "list the processes of others", want: "none", do: seeProcesses, open: inRlimit},
		{name: "signal-judge", group: group, what: "send a signal to the judge", want: "ESRCH", do: signalJudge, open: inRlimit},
		{name: "signal-init", group: group, what: "send every signal to the init", want: "the next run works", do: signalInit, scene: inSequence("signal-init", "nothing"), harm: true},
		{name: "signal-all", group: group, what: "kill every process it can", want: "the next run works", do: signalAll, scene: inSequence("signal-all", "nothing"), harm: true},
		{name: "ptrace-self", group: group, what: "ptrace: be traced", want: "denied", do: calls(unix.SYS_PTRACE, unix.PTRACE_TRACEME)},
		{name: "ptrace-child", group: group, what: "ptrace: trace a child", want: "denied", do: onChild(func(pid uintptr) error { return call(unix.SYS_PTRACE, unix.PTRACE_SEIZE, pid) })},
		{name: "process-vm-read", group: group, what: "read the memory of a child", want: "denied", do: onChild(func(pid uintptr) error { return moveMemory(unix.SYS_PROCESS_VM_READV, pid) })},
		{name: "process-vm-write", group: group, what: "write to the memory of a child", want: "denied", do: onChild(func(pid uintptr) error { return moveMemory(unix.SYS_PROCESS_VM_WRITEV, pid) })},
		{name: "pidfd-getfd", group: group, what: "take a descriptor of the init", want: "EPERM", do: takeDescriptor, open: inRlimit},
		{name: "limit-init", group: group, what: "change the limits of the init", want: "EPERM", do: limitInit, harm: true},
		{name: "slow-init", group: group, what: "lower the priority of the init", want: "EPERM", do: slowInit, harm: true},
		{name: "move-init", group: group, what: "move the init to another CPU", want: "EPERM", do: moveInit, harm: true},
		{name: "priority", group: group, what: "raise its own priority", want: "EACCES", do: raisePriority, open: inRlimitAsRoot},
		{name: "realtime", group: group, what: "become a real-time process", want: "EPERM", do: realtime, open: inRlimitAsRoot},
		{name: "affinity", group: group, what: "move to another CPU", want: "EPERM", do: leaveCPU},
		{name: "oom-score", group: group, what: "escape the out-of-memory killer", want: "EROFS or EACCES", do: oomScore, open: inRlimitAsRoot},
	}
}

func seeProcesses(*hostInfo) outcome {
	for _, pid := range processes() {
		if pid != "1" && pid != strconv.Itoa(os.Getpid()) {
			return broke("sees other processes")
		}
	}
	return held("none")
}

func signalJudge(w *hostInfo) outcome {
	if w.Judge == os.Getpid() || w.Judge == 1 || w.Judge == os.Getppid() && w.sealed() {
		return held("has another process number here")
	}
	return refused(unix.Kill(w.Judge, 0), unix.ESRCH)
}

// signalInit sends every signal again and again, each after one that a Go program handles. While a
// handler runs, signals are blocked, and the kernel does not protect an init from blocked ones.
func signalInit(*hostInfo) outcome {
	seen := held("nothing tried")
	for i := range 64 * 3000 {
		n := unix.Signal(1 + i%64)
		_ = unix.Kill(1, []unix.Signal{unix.SIGCHLD, unix.SIGURG}[i%2])
		if i%3 == 0 {
			_, _, _ = unix.RawSyscall(unix.SYS_SCHED_YIELD, 0, 0, 0)
		}
		err := unix.Kill(1, n)
		switch {
		case err == nil:
			seen = held("still alive")
		default:
			seen = refused(err, unix.EINVAL, unix.ESRCH)
		}
		if seen.Broke {
			return seen
		}
	}
	return seen
}

// signalAll also kills by process number, because kill(-1) spares the init of a namespace. It uses
// tgkill because kill also accepts the numbers of its own threads.
func signalAll(*hostInfo) outcome {
	_ = unix.Kill(-1, unix.SIGKILL)
	for pid := 1; pid < 1<<15; pid++ {
		if pid != os.Getpid() {
			_ = unix.Tgkill(pid, pid, unix.SIGKILL)
		}
	}
	return held("no process was there")
}

// onChild makes a call on a child of this process. The child has the same account and rights, so
// only the filter can forbid it.
func onChild(do func(pid uintptr) error) payload {
	return func(*hostInfo) outcome {
		pid, errno := fork(fatePause)
		if errno != 0 {
			return broke("no child: %s", unix.ErrnoName(errno))
		}
		defer unix.Kill(pid, unix.SIGKILL)
		return refused(do(uintptr(pid)))
	}
}

func moveMemory(number, pid uintptr) error {
	here := make([]byte, 8)
	vector := unix.Iovec{Base: &here[0], Len: 8} // a forked child has the same addresses
	v := uintptr(unsafe.Pointer(&vector))
	err := call(number, pid, v, 1, v, 1, 0)
	runtime.KeepAlive(&vector)
	return err
}

func takeDescriptor(*hostInfo) outcome {
	fd, err := unix.PidfdOpen(1, 0)
	if err != nil {
		return refused(err, unix.ESRCH)
	}
	defer unix.Close(fd)
	seen := held("not visible")
	for target := range 16 {
		taken, err := unix.PidfdGetfd(fd, target, 0)
		if err == nil {
			unix.Close(taken)
			return broke("took one")
		}
		if seen = refused(err, unix.EBADF); seen.Broke {
			return seen
		}
	}
	return seen
}

func limitInit(*hostInfo) outcome {
	var now unix.Rlimit
	if err := unix.Prlimit(1, unix.RLIMIT_NOFILE, nil, &now); err != nil {
		return refused(err, unix.ESRCH)
	}
	// Without the right to change a limit, setting it to its current value is refused as well.
	return refused(unix.Prlimit(1, unix.RLIMIT_NOFILE, &now, nil))
}

// All later programs inherit changes of the init. So the next two attacks set the current values,
// which needs the same rights.

func slowInit(*hostInfo) outcome {
	now, err := unix.Getpriority(unix.PRIO_PROCESS, 1)
	if err != nil {
		return refused(err, unix.ESRCH)
	}
	if o := refused(unix.Setpriority(unix.PRIO_PROCESS, 1, 20-now), unix.ESRCH); o.Broke {
		return o
	}
	attr, err := unix.SchedGetAttr(1, 0)
	if err != nil {
		return refused(err, unix.ESRCH)
	}
	return refused(unix.SchedSetAttr(1, attr, 0), unix.ESRCH)
}

func moveInit(*hostInfo) outcome {
	var now unix.CPUSet
	if err := unix.SchedGetaffinity(1, &now); err != nil {
		return refused(err, unix.ESRCH)
	}
	return refused(unix.SchedSetaffinity(1, &now), unix.ESRCH)
}

func raisePriority(*hostInfo) outcome {
	return refused(unix.Setpriority(unix.PRIO_PROCESS, 0, -20))
}

func realtime(*hostInfo) outcome {
	attr := unix.SchedAttr{Size: unix.SizeofSchedAttr, Policy: unix.SCHED_FIFO, Priority: 1}
	return refused(unix.SchedSetAttr(0, &attr, 0))
}

// leaveCPU asks for all possible CPUs; the kernel grants those that exist and that a control group
// allows.
func leaveCPU(*hostInfo) outcome {
	var before, all, after unix.CPUSet
	if err := unix.SchedGetaffinity(0, &before); err != nil {
		return refused(err)
	}
	for i := range all {
		all[i] = ^all[i]
	}
	if err := unix.SchedSetaffinity(0, &all); err != nil {
		return refused(err, unix.EINVAL)
	}
	if err := unix.SchedGetaffinity(0, &after); err != nil {
		return refused(err)
	}
	if after.Count() > before.Count() {
		return broke("allowed")
	}
	return held("stays")
}

func oomScore(w *hostInfo) outcome {
	targets := []string{"self"}
	if w.sealed() {
		targets = append(targets, "1") // the jail's init, not the host's
	}
	for _, process := range targets {
		name := fmt.Sprintf("/proc/%s/oom_score_adj", process)
		f, err := os.OpenFile(name, os.O_WRONLY, 0)
		if err != nil {
			continue
		}
		_, err = f.WriteString("-1000")
		f.Close()
		if o := refused(err); o.Broke {
			return o
		}
	}
	return held("refused")
}
