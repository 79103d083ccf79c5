//go:build linux

package sandbox

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"

	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/tally"
)

// runState gives access to what a run has used so far, for the watchdog and [Running].
type runState struct {
	group       group
	tree        *tree        // the run's processes; nil with cgroups
	temp        []tempFolder // folders whose files count as memory; nil with cgroups
	pid         int          // of the program, without cgroups
	executed    atomic.Bool  // whether it has been seen after its execve
	memoryLimit limits.Bytes // 0 is none
}

func (r *runState) used() (time.Duration, limits.Bytes) {
	if r.group != nil {
		cpu, _ := r.group.cpu()
		return cpu, 0
	}
	if r.tree == nil || !r.hasExecuted() {
		return 0, 0
	}
	u := r.tree.used()
	memory := u.memory + tempMemory(r.temp)
	if r.memoryLimit == 0 || memory+u.mappable <= r.memoryLimit || u.sure > r.memoryLimit {
		return u.cpu, memory
	}
	mappings := r.tree.mappings(r.memoryLimit - u.sure)
	if memory+mappings > r.memoryLimit {
		memory = min(memory, r.tree.exact()+tempMemory(r.temp))
	}
	return u.cpu, memory + mappings
}

// hasExecuted reports whether the program has been executed. Before that, its process shares the
// memory of the container's init.
func (r *runState) hasExecuted() bool {
	if r.pid == 0 || r.executed.Load() {
		return true
	}
	if stat, err := readStat(r.pid); err == nil && stat.forked {
		return false
	}
	r.executed.Store(true)
	return true
}

func (b *containerBox) Run(ctx context.Context, cmd Command) (Result, error) {
	defer cmd.closeRun()
	tally.Add(tally.Run, cmd.Args[0])
	b.Tidy()
	used := b.jail != nil
	result, began, err := b.run(ctx, cmd)
	if errors.Is(err, ErrDied) && used && !began && ctx.Err() == nil {
		result, _, err = b.run(ctx, cmd) // the container had died before this run
	}
	return result, err
}

// run makes one attempt at a run. began reports whether the program may have begun.
func (b *containerBox) run(ctx context.Context, cmd Command) (result Result, began bool, err error) {
	if b.jail == nil {
		if err := b.start(); err != nil {
			return Result{}, false, err
		}
	}
	stoppable, cancel := context.WithCancel(ctx)
	defer cancel()
	state := &runState{memoryLimit: cmd.Limits.Memory}
	watch := &watchdog{meter: state, limits: cmd.Limits, grace: cmd.Grace, cpus: cmd.CPUs, cancel: cancel, onOverWall: cmd.OnOverWall}
	live, err := newRunning(&cmd, watch, state)
	if err != nil {
		return Result{}, false, err
	}
	defer live.stop()

	var inGroup uint32 // how the program gets into its control group
	var groupFiles []*os.File
	if b.group != nil {
		state.group = b.group
		if inGroup, groupFiles, err = b.group.open(cmd.Limits); err != nil {
			return Result{}, false, fmt.Errorf("cgroup: %w", err)
		}
	} else {
		watch.interval = pollLater
	}
	streams, err := openStreams(&cmd, cmd.Limits.Output, watch.overOutput)
	if err != nil {
		return Result{}, false, err
	}
	defer streams.abandon()
	watch.stuck, watch.stderr = streams.stuck, streams.stderrRead.Load
	if os.Geteuid() == 0 {
		if err := streams.giveTo(int(b.account)); err != nil {
			return Result{}, false, err
		}
	}
	files, flags := streams.fds(), uint32(0)
	var exe *os.File
	if cmd.Exe != nil {
		own, release, err := b.host.ownExe(cmd.Exe)
		if err != nil {
			return Result{}, false, err
		}
		defer release()
		exe, files, flags = own, append(files, int(own.Fd())), flags|withExe
	}
	flags |= inGroup
	for _, f := range groupFiles {
		files = append(files, int(f.Fd()))
	}

	var start time.Time
	var initBefore processStat // the init's state before the run; read only without cgroups
	begin := func(pid int) error {
		if err := b.pin(pid, cmd.CPUs); err != nil {
			return fmt.Errorf("pinning: %w", err)
		}
		temp, err := b.writeFiles(&cmd)
		if err != nil {
			return err
		}
		if state.group == nil {
			if initBefore, err = readStat(b.jail.pid()); err != nil {
				return fmt.Errorf("the container's init: %w", err)
			}
			// The container's own /proc shows its processes and nothing else.
			state.tree = &tree{proc: fmt.Sprintf("/proc/%d/root/proc", b.jail.pid()), backing: backingOf(false, cmd.Stdin, exe)}
			state.temp, state.pid = temp, pid
		} else if err := state.group.begin(); err != nil {
			return fmt.Errorf("cgroup: %w", err)
		}
		if cmd.OnStart != nil {
			cmd.OnStart(stoppable, live)
		}
		start = watch.begin(state, pid)
		live.begin(pid)
		began, b.ran = true, true
		return nil
	}
	kernelLimits := resourceLimits(b.allowInit(cmd.Limits), b.host.groups == nil || b.host.groups.pids == "", b.file)
	kill, err := b.jail.prepare(cmd.Args, cmd.Env, kernelLimits, flags, files)
	if err != nil {
		if b.jail.dead {
			b.Close()
		}
		return Result{}, false, fmt.Errorf("container: %w", err)
	}
	streams.handOver()
	b.deny.reportTo(watch)
	stopKilling := context.AfterFunc(stoppable, kill)
	ran, err := b.jail.run(begin)
	wall := time.Since(start)
	stopKilling()
	b.deny.reportTo(nil)
	stop, caused := watch.end(ctx, wall)
	if err == nil {
		live.end(!caused && ran.status != 0)
		err = b.jail.reaped(ran)
	}
	if err != nil {
		live.stop()
		if b.jail.dead {
			b.Close()
		}
		streams.wait()
		if _, ok := errors.AsType[*StartError](err); ok {
			return Result{}, began, err
		}
		return Result{}, began, fmt.Errorf("container: %w", err)
	}
	streams.wait()
	if streams.flooded(cmd.Limits.Output) && !(caused && stop == Cancelled) {
		stop, caused = OverOutput, true // the program may have ended before its output was read
	}

	result = Result{Wall: wall, CPUWait: watch.waits.total, Stdout: streams.stdoutRead.Load(), Stderr: streams.stderrRead.Load()}
	result.Stop, result.ExitCode, result.Signal = b.ended(ran)
	if state.group != nil {
		if result.CPU, err = state.group.cpu(); err != nil {
			return Result{}, began, fmt.Errorf("cgroup: %w", err)
		}
		peak, oom, err := state.group.peak(cmd.Limits)
		if err != nil {
			return Result{}, began, fmt.Errorf("cgroup: %w", err)
		}
		result.Memory = peak
		// The kernel's out-of-memory record overrides the watchdog's cause unless that ranks
		// higher.
		if oom && !(caused && (stop == OverOutput || stop == Cancelled)) {
			stop, caused = OverMemory, true
		}
	} else {
		if err := cmp.Or(state.tree.readErr, b.measure(&result, ran, watch, initBefore, state)); err != nil {
			return Result{}, began, err
		}
		if !caused && cmd.Limits.Memory > 0 && result.Memory > cmd.Limits.Memory {
			stop, caused = OverMemory, true // the peak was between two polls, but the kernel recorded it
		}
	}
	if caused && stop == starved {
		return Result{}, began, result.starved()
	}
	if caused {
		// A program that is being stopped may exit or die in several ways, depending on
		// microseconds.
		result.Stop, result.ExitCode, result.Signal = stop, 0, 0
	}
	if result.Stop == Forbidden {
		result.Denied, result.Signal = watch.denied, Signal(unix.SIGSYS)
	}
	result.classifySignal(&cmd)
	result.FolderFull = noRoom(b.dir(b.spec.Folder.Path))
	return result, began, nil
}

// allowInit raises the process limit by the threads of the init if the judge is not root: then the
// init shares the account of its programs, and RLIMIT_NPROC counts its threads too.
func (b *containerBox) allowInit(l limits.Limits) limits.Limits {
	if os.Geteuid() != 0 && l.Processes > 0 {
		threads, _ := os.ReadDir(fmt.Sprintf("/proc/%d/task", b.jail.pid()))
		l.Processes += max(len(threads), usualThreads)
	}
	return l
}

// usualThreads is how many threads Go usually gives an init.
const usualThreads = 8

// measure fills in CPU time and memory on a host without cgroups: the larger of what was polled and
// what the kernel recorded of the init's children that have ended. before is that record before the
// run.
func (b *containerBox) measure(result *Result, ran reply, watch *watchdog, before processStat, state *runState) error {
	after, err := readStat(b.jail.pid())
	if err != nil {
		return fmt.Errorf("the container's init: %w", err)
	}
	result.CPU = max(after.childrenCPU-before.childrenCPU, watch.sawCPU, time.Duration(ran.cpu)*time.Microsecond)
	result.Memory = max(watch.sawMax, tempMemory(state.temp))
	if peak := limits.Bytes(ran.rss) * limits.KiB; peak > highWater(b.jail.pid()) {
		result.Memory = max(result.Memory, state.tree.lowerBound(peak))
	}
	return nil
}

// ended returns how the program ended. If nothing reports denied calls, SIGSYS stands for one.
func (b *containerBox) ended(ran reply) (StopReason, int, Signal) {
	status := unix.WaitStatus(ran.status)
	if status.Exited() {
		return Exited, status.ExitStatus(), 0
	}
	signal := Signal(status.Signal())
	if signal == Signal(unix.SIGSYS) && b.deny == nil {
		return Forbidden, 0, signal
	}
	return Signalled, 0, signal
}
