//go:build linux

package doctor

import (
	"errors"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"time"

	"golang.org/x/sys/unix"

	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/sandbox"
)

func limitAttacks() []attack {
	const group = "limits"
	shortCPU := func(l *limits.Limits) { l.CPU = 200 * time.Millisecond }
	shortWall := func(l *limits.Limits) { l.Wall = 300 * time.Millisecond }
	// If the kernel counts the processes of the whole account, other processes count too, so only
	// these attacks get a low limit. Polled memory counts once for each child, although the
	// children share it, so these attacks get more memory.
	fewProcesses := func(l *limits.Limits) { l.Processes, l.Memory = few, limits.GiB }
	briefAndFew := func(l *limits.Limits) {
		fewProcesses(l)
		shortCPU(l)
	}
	bombed := []sandbox.StopReason{sandbox.OverCPU, sandbox.OverWall, sandbox.OverMemory}
	littleMemory := func(l *limits.Limits) { l.Memory = 32 * limits.MiB }
	longCPU := func(l *limits.Limits) { l.CPU = 10 * time.Second }
	cpu := []sandbox.StopReason{sandbox.OverCPU}
	memory := []sandbox.StopReason{sandbox.OverMemory}
	wall := []sandbox.StopReason{sandbox.OverWall}
	return []attack{
		{name: "honest", group: group, what: "do nothing, as a check", want: "runs", do: func(*hostInfo) outcome { return held("runs") }},
		{name: "memory-heap", group: group, what: "fill the heap", want: "over_memory", do: fillHeap, stops: memory},
		{name: "memory-shared", group: group, what: "fill a shared mapping", want: "over_memory", do: fillShared, stops: memory},
		{name: "memory-shm", group: group, what: "fill a file in /dev/shm", want: "over_memory", do: fills("/dev/shm"), stops: memory, harm: true, open: withoutCgroup},
		{name: "memory-tmp", group: group, what: "fill a file in /tmp", want: "over_memory", do: fills("/tmp"), stops: memory, harm: true, open: withoutCgroup},
		{name: "memory-inodes", group: group, what: "make files without end", want: "ENOSPC, over_memory", do: makeFiles, stops: memory, limits: longCPU, harm: true, open: withoutCgroup},
		{name: "memory-pipes", group: group, what: "hide memory in pipe buffers", want: "EMFILE, over_memory", do: fillPipes, stops: memory, limits: littleMemory, open: withoutCgroup},
		{name: "memory-sockets", group: group, what: "hide memory in socket buffers", want: "EMFILE, over_memory", do: fillSockets, stops: memory, limits: littleMemory, open: withoutCgroup},
		{name: "open-files", group: group, what: "open files without end", want: "EMFILE, over_memory", do: openFiles, stops: memory, limits: littleMemory, open: withoutCgroup},
		{name: "file-size", group: group, what: "write a file without end", want: "ENOSPC or EFBIG", do: growFile, spec: sandbox.Spec{Temp: 16 * limits.MiB}},
		{name: "cpu-loop", group: group, what: "spin, ignoring signals", want: "over_cpu", do: spin, stops: cpu, limits: shortCPU},
		{name: "cpu-threads", group: group, what: "spin in threads", want: "over_cpu", do: spinInThreads, stops: cpu, limits: shortCPU},
		{name: "cpu-children", group: group, what: "spin in child processes", want: "over_cpu", do: spinInChildren, stops: cpu, limits: shortCPU},
		{name: "wall-sleep", group: group, what: "sleep", want: "over_wall", do: sleep, stops: wall, limits: shortWall},
		{name: "wall-stop", group: group, what: "stop itself", want: "over_wall", do: stopItself, stops: wall, limits: shortWall},
		{name: "output-stdout", group: group, what: "flood standard output", want: "over_output", do: floods(1), stops: []sandbox.StopReason{sandbox.OverOutput}},
		{name: "output-stderr", group: group, what: "flood standard error", want: "over_cpu, _output", do: floods(2), stops: []sandbox.StopReason{sandbox.OverCPU, sandbox.OverOutput}, limits: shortCPU},
		{name: "processes", group: group, what: "fork up to the limit", want: "EAGAIN", do: forkMany, limits: fewProcesses, open: uncountedProcesses},
		{name: "threads", group: group, what: "start threads up to the limit", want: "EAGAIN", do: threadMany, limits: fewProcesses, open: uncountedProcesses},
		{name: "fork-bomb", group: group, what: "fork bomb; then the next run", want: "the next run works", do: forkBomb, scene: bomb, stops: bombed, limits: briefAndFew, harm: true, open: uncountedProcesses},
		{name: "core-dump", group: group, what: "leave a core dump", want: "not allowed", do: coreDump},
		{name: "raise-limits", group: group, what: "raise its own resource limits", want: "EPERM", do: raiseLimits, open: inRlimitAsRoot},
	}
}

// few is a low limit of processes and threads that leaves room for a Go program.
const few = 48

// tooMany returns how many tasks the attacks on that limit start at most: more than the kernel permits
// the whole account, however many tasks of others end meanwhile. In the mode rlimit it permits
// [few] beside what the account already had.
func tooMany() int {
	const (
		counted = 8 * few // enough if a cgroup counts the tasks
		most    = 8192    // if even these start, nothing limits them
	)
	var account unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NPROC, &account); err != nil || account.Cur >= most {
		return counted
	}
	return int(account.Cur) + 1
}

// tooMuch is how much the memory attacks take if nothing stops them.
const tooMuch = 256 * limits.MiB

func fillHeap(*hostInfo) outcome {
	var kept [][]byte
	for range tooMuch / limits.MiB {
		b := make([]byte, limits.MiB)
		touch(b)
		kept = append(kept, b)
	}
	runtime.KeepAlive(kept)
	return broke("took %v", tooMuch)
}

func touch(b []byte) {
	for i := 0; i < len(b); i += 4096 {
		b[i] = 1
	}
}

func fillShared(*hostInfo) outcome {
	b, err := unix.Mmap(-1, 0, int(tooMuch), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED|unix.MAP_ANONYMOUS)
	if err != nil {
		return broke("mmap: %v", err)
	}
	touch(b)
	return broke("took %v", tooMuch)
}

func fills(dir string) payload {
	return func(*hostInfo) outcome {
		f, err := os.Create(dir + "/fill")
		if err != nil {
			return held("no file there")
		}
		block := make([]byte, limits.MiB)
		for range tooMuch / limits.MiB {
			if _, err := f.Write(block); err != nil {
				return broke("took almost %v", tooMuch)
			}
		}
		return broke("took %v", tooMuch)
	}
}

func makeFiles(*hostInfo) outcome {
	const many = 150_000 // each takes about 1 KiB of kernel memory
	for i := range many {
		fd, err := unix.Open(fmt.Sprintf("f%d", i), unix.O_CREAT|unix.O_WRONLY, 0o600)
		if err != nil {
			return held("%s", errorName(err))
		}
		unix.Close(fd)
	}
	return broke("made %d files", many)
}

// hoard fills pairs of connected descriptors with buffered data until the kernel refuses more.
func hoard(pair func(*[2]int) error) outcome {
	const most = 96 * limits.MiB
	block := make([]byte, 64*limits.KiB)
	for total := limits.Bytes(0); total < most; {
		var fds [2]int
		if err := pair(&fds); err != nil {
			return held("%s", errorName(err))
		}
		before := total
		for {
			n, err := unix.Write(fds[1], block)
			if err != nil {
				break
			}
			total += limits.Bytes(n)
		}
		if total == before {
			return held("no more buffers")
		}
	}
	return broke("hid %v", most)
}

func fillPipes(*hostInfo) outcome {
	return hoard(func(p *[2]int) error { return unix.Pipe2(p[:], unix.O_NONBLOCK) })
}

func fillSockets(*hostInfo) outcome {
	return hoard(func(p *[2]int) (err error) {
		*p, err = unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_NONBLOCK, 0)
		return err
	})
}

func openFiles(*hostInfo) outcome {
	const many = 150_000 // each takes about 256 bytes of kernel memory
	for range many {
		if _, err := unix.Open("/dev/null", unix.O_RDONLY, 0); err != nil {
			return held("%s", errorName(err))
		}
	}
	return broke("opened %d files", many)
}

// growFile first writes one byte at a large offset. That fails only if the file size is limited,
// and takes little space even if the file system is the host's.
func growFile(*hostInfo) outcome {
	f, err := os.Create("large")
	if err != nil {
		return broke("no file in the working folder: %s", errorName(err))
	}
	if _, err := f.WriteAt([]byte{1}, int64(limits.GiB)); err != nil {
		return held("%s", errorName(err))
	}
	const most = 64 * limits.MiB
	block := make([]byte, limits.MiB)
	for range most / limits.MiB {
		if _, err := f.Write(block); err != nil {
			return held("%s", errorName(err))
		}
	}
	return broke("wrote %v", most)
}

func errorName(err error) string {
	var errno unix.Errno
	if errors.As(err, &errno) {
		return unix.ErrnoName(errno)
	}
	return err.Error()
}

func spin(*hostInfo) outcome {
	signal.Ignore(unix.SIGXCPU, unix.SIGTERM, unix.SIGINT, unix.SIGHUP)
	useCPU()
	return broke("continued")
}

func spinInThreads(*hostInfo) outcome {
	for range 4 {
		go func() {
			runtime.LockOSThread()
			useCPU()
		}()
	}
	return sleep(nil)
}

func spinInChildren(*hostInfo) outcome {
	for range 3 {
		fork(fateSpin)
	}
	return sleep(nil)
}

func sleep(*hostInfo) outcome {
	for {
		_, _ = unix.Poll(nil, -1)
	}
}

// stopItself signals its own thread, so that the stop takes effect before the call returns. A
// signal to the whole process may go to another thread while this one still runs for a moment.
func stopItself(*hostInfo) outcome {
	runtime.LockOSThread()
	_ = unix.Tgkill(os.Getpid(), unix.Gettid(), unix.SIGSTOP)
	return broke("continued")
}

func floods(fd int) payload {
	return func(*hostInfo) outcome {
		block := make([]byte, 64*limits.KiB)
		for {
			if _, err := unix.Write(fd, block); err != nil && err != unix.EINTR {
				return held("%s", errorName(err))
			}
		}
	}
}

func forkMany(*hostInfo) outcome {
	var children []int
	defer func() {
		for _, pid := range children {
			_ = unix.Kill(pid, unix.SIGKILL)
		}
	}()
	many := tooMany()
	for range many {
		pid, errno := fork(fatePause)
		if errno != 0 {
			return held("%s", unix.ErrnoName(errno))
		}
		children = append(children, pid)
	}
	return broke("started %d", many)
}

func threadMany(*hostInfo) outcome {
	const patience = 10 * time.Second // all threads start within it if nothing stops them
	running, many := make(chan struct{}), tooMany()
	for range many {
		go func() {
			runtime.LockOSThread()
			running <- struct{}{}
			sleep(nil)
		}()
	}
	for range many {
		select {
		case <-running:
		case <-time.After(patience):
			return held("no more threads")
		}
	}
	return broke("started %d", many)
}

// bomb lets a fork bomb loose, and then the next run. Before, it makes the attack "processes" as if that
// were made by itself: little time would stop it on a slow host although processes are not limited.
func bomb(s *scene) (outcome, error) {
	first, attack := *s, *s.attack
	attack.stops = nil
	first.attack, first.limits.CPU = &attack, usual().CPU
	if o, err := first.run("processes"); o.Broke || err != nil {
		return o, err
	}
	return inSequence("fork-bomb", doNothing)(s)
}

// forkBomb must come after an attack that has shown that the number of processes is limited,
// because it would bring down an unprotected host.
func forkBomb(*hostInfo) outcome {
	for {
		fork(fateBomb)
	}
}

// coreDump checks the limit, because inside the jail, dying of a signal would prove nothing. A
// limit of 1 byte is as good as 0, and also keeps the kernel from starting a core dump helper.
func coreDump(*hostInfo) outcome {
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_CORE, &limit); err != nil {
		return broke("unknown: %s", errorName(err))
	}
	if limit.Max > 1 {
		return broke("allowed")
	}
	return held("not allowed")
}

func raiseLimits(*hostInfo) outcome {
	resources := []int{unix.RLIMIT_CORE, unix.RLIMIT_STACK, unix.RLIMIT_CPU, unix.RLIMIT_NPROC, unix.RLIMIT_FSIZE, unix.RLIMIT_NOFILE}
	seen := held("none is limited")
	for _, r := range resources {
		var now unix.Rlimit
		if err := unix.Getrlimit(r, &now); err != nil || now.Max == unix.RLIM_INFINITY {
			continue
		}
		if seen = refused(unix.Prlimit(0, r, &unix.Rlimit{Cur: now.Cur, Max: now.Max + 1}, nil)); seen.Broke {
			return seen
		}
	}
	return seen
}
