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
	for used := b.jail != nil; ; used = false {
		b.began = false
		result, err := runOnce(ctx, &cmd, b.execute)
		if b.jail != nil && b.jail.dead {
			b.Close()
		}
		if !errors.Is(err, ErrDied) || !used || b.began || ctx.Err() != nil {
			return result, err
		} // else the container had died before this run
	}
}

// execute is the [starter] of containers.
func (b *containerBox) execute(r *attempt) (result Result, err error) {
	if b.jail == nil {
		if err := b.start(); err != nil {
			return Result{}, err
		}
	}
	cmd := r.cmd
	if os.Geteuid() == 0 {
		if err := r.streams.giveTo(int(b.account)); err != nil {
			return Result{}, err
		}
	}
	files, flags := r.streams.fds(), uint32(0)
	exe, release, err := b.host.ownExe(cmd.Exe)
	if err != nil {
		return Result{}, err
	}
	defer release()
	if exe != nil {
		files, flags = append(files, int(exe.Fd())), withExe
	}
	if b.group != nil {
		inGroup, groupFiles, err := b.group.open(cmd.Limits)
		if err != nil {
			return Result{}, fmt.Errorf("cgroup: %w", err)
		}
		flags |= inGroup
		for _, f := range groupFiles {
			files = append(files, int(f.Fd()))
		}
		r.state.group, r.watch.interval = b.group, 0
	}
	kernelLimits := resourceLimits(b.allowInit(cmd.Limits), b.host.groups == nil || b.host.groups.pids == "", b.file)
	kill, err := b.jail.prepare(cmd.Args, cmd.Env, kernelLimits, flags, files)
	if err != nil {
		return Result{}, fmt.Errorf("container: %w", err)
	}
	r.streams.handOver()
	b.deny.reportTo(r.watch)
	defer b.deny.reportTo(nil)
	r.stopBy(kill)
	var before processStat // the init's state before the run; read only without cgroups
	ran, err := b.jail.run(func(pid int) error {
		if err := b.pin(pid, cmd.CPUs); err != nil {
			return fmt.Errorf("pinning: %w", err)
		}
		temp, err := b.writeFiles(cmd)
		if err != nil {
			return err
		}
		if b.group == nil {
			if before, err = readStat(b.jail.pid()); err != nil {
				return fmt.Errorf("the container's init: %w", err)
			}
			// The container's own /proc shows its processes and nothing else.
			r.state.tree = &tree{proc: fmt.Sprintf("/proc/%d/root/proc", b.jail.pid()), backing: backingOf(false, cmd.Stdin, exe)}
			r.state.temp, r.state.pid = temp, pid
		} else if err := b.group.begin(); err != nil {
			return fmt.Errorf("cgroup: %w", err)
		}
		r.begin(pid)
		b.began, b.ran = true, true
		return nil
	})
	if err == nil {
		r.end(ran.status != 0)
		err = b.jail.reaped(ran)
	}
	if _, ok := errors.AsType[*StartError](err); ok {
		return Result{}, err
	}
	if err != nil {
		return Result{}, fmt.Errorf("container: %w", err)
	}
	r.streams.wait()
	result = ended(unix.WaitStatus(ran.status), b.deny != nil)
	result.FolderFull = noRoom(b.dir(b.spec.Folder.Path))
	err = b.measure(&result, r, ran, before)
	return result, err
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

// measure fills in CPU time and memory. before is the state of the init before the run, of which the
// kernel records the children that have ended.
func (b *containerBox) measure(result *Result, r *attempt, ran reply, before processStat) error {
	if b.group == nil {
		after, err := readStat(b.jail.pid())
		if err != nil {
			return cmp.Or(r.state.tree.readErr, fmt.Errorf("the container's init: %w", err))
		}
		cpu := max(after.childrenCPU-before.childrenCPU, time.Duration(ran.cpu)*time.Microsecond)
		return r.polled(result, cpu, limits.Bytes(ran.rss)*limits.KiB, b.jail.pid())
	}
	var err error
	if result.CPU, err = b.group.cpu(); err != nil {
		return fmt.Errorf("cgroup: %w", err)
	}
	peak, oom, err := b.group.peak(r.cmd.Limits)
	if err != nil {
		return fmt.Errorf("cgroup: %w", err)
	}
	if result.Memory = peak; oom {
		result.Stop = OverMemory
	}
	return nil
}

// polled fills in what a run without cgroups has used: the larger of what was polled and what the
// kernel recorded, its CPU time and the peak of its memory. The peak means nothing below that of the
// process that forked the program.
func (r *attempt) polled(result *Result, cpu time.Duration, peak limits.Bytes, forker int) error {
	result.CPU = max(cpu, r.watch.sawCPU)
	result.Memory = max(r.watch.sawMax, tempMemory(r.state.temp))
	if peak > highWater(forker) {
		result.Memory = max(result.Memory, r.state.tree.lowerBound(peak))
	}
	if limit := r.cmd.Limits.Memory; !r.caused && limit > 0 && result.Memory > limit {
		result.Stop = OverMemory // the peak was between two polls
	}
	return r.state.tree.readErr
}

// ended returns how a program ended. If no denied calls are reported, SIGSYS stands for one.
func ended(status unix.WaitStatus, reported bool) Result {
	switch {
	case status.Exited():
		return Result{ExitCode: status.ExitStatus()}
	case status.Signal() == unix.SIGSYS && !reported:
		return Result{Stop: Forbidden}
	}
	return Result{Stop: Signalled, Signal: Signal(status.Signal())}
}
