package sandbox

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/criyle/go-sandbox/container"
	"github.com/criyle/go-sandbox/runner"
	"golang.org/x/sys/unix"

	"tribunal/judge/internal/limits"
)

// runState gives access to what a run has used so far, for the watchdog and [Running].
type runState struct {
	group       group
	tree        *tree        // the run's processes; nil with cgroups
	temp        []tempFolder // folders whose files count as memory; nil with cgroups
	memoryLimit limits.Bytes // the run's memory limit; 0 is none
}

func (r *runState) used() (time.Duration, limits.Bytes) {
	if r.group != nil {
		cpu, _ := r.group.cpu()
		return cpu, 0
	}
	if r.tree == nil {
		return 0, 0
	}
	cpu, memory, sure := r.tree.used()
	memory += tempMemory(r.temp)
	if r.memoryLimit > 0 && memory > r.memoryLimit && sure <= r.memoryLimit {
		memory = min(memory, r.tree.exact()+tempMemory(r.temp))
	}
	return cpu, memory
}

func (b *containerBox) Run(ctx context.Context, cmd Command) (Result, error) {
	defer cmd.closeRun()
	b.Tidy()
	used := b.env != nil
	result, began, err := b.run(ctx, cmd)
	if errors.Is(err, ErrDied) && used && !began && ctx.Err() == nil {
		result, _, err = b.run(ctx, cmd) // the container had died before this run
	}
	return result, err
}

// run makes one attempt at a run. began reports whether the program may have begun.
func (b *containerBox) run(ctx context.Context, cmd Command) (result Result, began bool, err error) {
	if b.env == nil {
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
		return Result{}, began, err
	}
	defer live.stop()

	param := container.ExecveParam{Args: cmd.Args, Env: cmd.Env}
	if b.group != nil {
		state.group = b.group
		folder, err := b.group.open(cmd.Limits)
		if err != nil {
			return Result{}, began, fmt.Errorf("cgroup: %w", err)
		}
		if folder != nil {
			param.CgroupFD = folder.Fd()
		}
	} else {
		watch.interval = pollLater
	}
	if b.bornInGroup && !b.host.noFilter {
		param.Seccomp = b.host.child
	}
	param.RLimits = resourceLimits(b.allowInit(cmd.Limits), b.host.groups == nil || b.host.groups.pids == "", b.file)
	streams, err := openStreams(&cmd, cmd.Limits.Output, watch.overOutput)
	if err != nil {
		return Result{}, began, err
	}
	defer streams.abandon()
	watch.stuck, watch.stderr = streams.stuck, streams.stderrRead.Load
	if os.Geteuid() == 0 {
		if err := streams.giveTo(int(b.account)); err != nil {
			return Result{}, began, err
		}
	}
	param.Files = streams.fds()
	var exe *os.File
	if cmd.Exe != nil {
		own, release, err := b.host.ownExe(cmd.Exe)
		if err != nil {
			return Result{}, began, err
		}
		defer release()
		exe, param.ExecFile = own, own.Fd()
	}

	var start time.Time
	var initBefore processStat // the init's state before the run; read only without cgroups
	beforeExec := func(pid int) error {
		streams.handOver()
		if err := b.learnInit(pid); err != nil {
			return err
		}
		if err := b.pin(pid, cmd.CPUs); err != nil {
			return fmt.Errorf("pinning: %w", err)
		}
		temp, err := b.writeFiles(&cmd)
		if err != nil {
			return err
		}
		if state.group == nil {
			if initBefore, err = readStat(b.init); err != nil {
				return fmt.Errorf("the container's init: %w", err)
			}
			// The container's own /proc shows its processes and nothing else.
			state.tree = &tree{proc: fmt.Sprintf("/proc/%d/root/proc", b.init), backing: backingOf(false, cmd.Stdin, exe)}
			state.temp = temp
		} else if err := state.group.enter(pid, cmd.Limits); err != nil {
			return fmt.Errorf("cgroup: %w", err)
		}
		if cmd.In != nil || cmd.Out != nil {
			if err := b.line.releasePipes(); err != nil {
				return err
			}
		}
		if cmd.OnStart != nil {
			cmd.OnStart(stoppable, live)
		}
		start = watch.begin(state, pid)
		live.begin(pid)
		return nil
	}
	var refused error // why the judge did not let the program begin
	param.SyncFunc = func(pid int) error {
		refused = beforeExec(pid)
		began = refused == nil
		return refused
	}
	b.deny.reportTo(watch)
	ran := b.env.Execve(stoppable, param)
	wall := time.Since(start)
	b.deny.reportTo(nil)
	stop, caused := watch.end(ctx, wall)
	if ran.Status != runner.StatusRunnerError {
		live.end(!caused && (ran.Status != runner.StatusNormal || ran.ExitStatus != 0))
	}
	streams.wait()
	if streams.flooded(cmd.Limits.Output) && !(caused && stop == Cancelled) {
		stop, caused = OverOutput, true // the program may have ended before its output was read
	}

	if ran.Status == runner.StatusRunnerError {
		err := errors.New(ran.Error)
		// The init also exits after a failed start; then ran.Error has the cause.
		if !strings.Contains(ran.Error, "start: ") && b.env.Ping() != nil {
			err = b.line.lastWords(ErrDied)
		}
		b.Close() // the init has died or is about to
		if refused != nil {
			err = refused
		} else if err := startFailure(strings.TrimPrefix(ran.Error, "execve: ")); err != nil {
			return Result{}, began, err
		}
		return Result{}, began, fmt.Errorf("container: %w", err)
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
// init shares the account of its programs, and RLIMIT_NPROC counts its threads too. Before the
// first run their number is not known.
func (b *containerBox) allowInit(l limits.Limits) limits.Limits {
	if os.Geteuid() != 0 && l.Processes > 0 {
		threads, _ := os.ReadDir(fmt.Sprintf("/proc/%d/task", b.init))
		if b.init == 0 || len(threads) == 0 {
			l.Processes += usualThreads
		} else {
			l.Processes += len(threads)
		}
	}
	return l
}

// usualThreads is how many threads Go usually gives an init.
const usualThreads = 8

// measure fills in CPU time and memory on a host without cgroups: the larger of what was polled and
// what the kernel recorded of the init's children that have ended. initBefore is that record before
// the run.
func (b *containerBox) measure(result *Result, ran runner.Result, watch *watchdog, initBefore processStat, state *runState) error {
	if err := b.env.Ping(); err != nil { // the init answers when it has reaped all children
		return fmt.Errorf("container: %w", asStarved(err))
	}
	after, err := readStat(b.init)
	if err != nil {
		return fmt.Errorf("the container's init: %w", err)
	}
	result.CPU = max(after.childrenCPU-initBefore.childrenCPU, watch.sawCPU, ran.Time)
	result.Memory = max(watch.sawMax, tempMemory(state.temp))
	if peak := limits.Bytes(ran.Memory); peak > highWater(b.init) {
		result.Memory = max(result.Memory, state.tree.lowerBound(peak))
	}
	return nil
}

// ended translates go-sandbox's result into a stop reason, an exit code and a signal. It ignores
// go-sandbox's own cause, in which a SIGKILL is a time limit. If nothing reports denied calls,
// SIGSYS means one.
func (b *containerBox) ended(ran runner.Result) (StopReason, int, Signal) {
	switch ran.Status {
	case runner.StatusNormal, runner.StatusNonzeroExitStatus:
		return Exited, ran.ExitStatus, 0
	}
	signal := Signal(ran.ExitStatus)
	if signal == Signal(unix.SIGSYS) && b.deny == nil {
		return Forbidden, 0, signal
	}
	return Signalled, 0, signal
}
