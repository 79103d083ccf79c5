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

// runState ties the parts of one run together for the meter.
type runState struct {
	group group
	tree  *tree
	temp  []tempFolder // whose files are memory, where no group counts them
	most  limits.Bytes // memory limit, 0 is none
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
	memory += held(r.temp)
	if r.most > 0 && memory > r.most && sure <= r.most {
		memory = min(memory, r.tree.exact()+held(r.temp))
	}
	return cpu, memory
}

func (b *containerBox) Run(ctx context.Context, cmd Command) (Result, error) {
	defer cmd.closeRun()
	b.Tidy()
	used := b.env != nil
	result, began, err := b.run(ctx, cmd)
	if errors.Is(err, ErrDied) && used && !began && ctx.Err() == nil {
		result, _, err = b.run(ctx, cmd) // it died between two runs
	}
	return result, err
}

// run is one attempt at a run. It tells whether the program may have begun.
func (b *containerBox) run(ctx context.Context, cmd Command) (result Result, began bool, err error) {
	if b.env == nil {
		if err := b.start(); err != nil {
			return Result{}, false, err
		}
	}
	stoppable, cancel := context.WithCancel(ctx)
	defer cancel()
	state := &runState{most: cmd.Limits.Memory}
	watch := &watchdog{meter: state, limits: cmd.Limits, grace: cmd.Grace, cpus: cmd.CPUs, cancel: cancel, late: cmd.Late}
	live, err := running(&cmd, watch, state)
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
		watch.poll = pollLater
	}
	if b.birth && !b.host.open {
		param.Seccomp = b.host.child
	}
	param.RLimits = resourceLimits(b.beside(cmd.Limits), b.host.groups == nil || b.host.groups.pids == "", b.file)
	streams, err := openStreams(&cmd, cmd.Limits.Output, watch.overOutput)
	if err != nil {
		return Result{}, began, err
	}
	defer streams.abandon()
	watch.stuck, watch.stderr = streams.stuck, streams.erred.Load
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
	var init processStat // before the run, when its account is needed
	attend := func(pid int) error {
		streams.handOver()
		if err := b.meet(pid); err != nil {
			return err
		}
		if err := b.pin(pid, cmd.CPUs); err != nil {
			return fmt.Errorf("pinning: %w", err)
		}
		temp, err := b.furnish(&cmd)
		if err != nil {
			return err
		}
		if state.group == nil {
			if init, err = readStat(b.init); err != nil {
				return fmt.Errorf("the container's init: %w", err)
			}
			// The container's own /proc shows its processes and nothing else.
			state.tree = &tree{proc: fmt.Sprintf("/proc/%d/root/proc", b.init), backing: backingOf(false, cmd.Stdin, exe)}
			state.temp = temp
		} else if err := state.group.enter(pid, cmd.Limits); err != nil {
			return fmt.Errorf("cgroup: %w", err)
		}
		if cmd.In != nil || cmd.Out != nil {
			if err := b.line.letGo(); err != nil {
				return err
			}
		}
		if cmd.Begun != nil {
			cmd.Begun(stoppable, live)
		}
		start = watch.begin(state, pid)
		live.begin(pid)
		return nil
	}
	var refused error // by the judge, just before the program would have begun
	param.SyncFunc = func(pid int) error {
		refused = attend(pid)
		began = refused == nil
		return refused
	}
	b.deny.attend(watch)
	ran := b.env.Execve(stoppable, param)
	wall := time.Since(start)
	b.deny.attend(nil)
	stop, caused := watch.end(ctx, wall)
	if ran.Status != runner.StatusRunnerError {
		live.end(!caused && (ran.Status != runner.StatusNormal || ran.ExitStatus != 0))
	}
	streams.wait()
	if streams.flooded(cmd.Limits.Output) && !(caused && stop == Cancelled) {
		stop, caused = OverOutput, true // it may have ended before that was read
	}

	if ran.Status == runner.StatusRunnerError {
		err := errors.New(ran.Error)
		// A start that failed ends the init as well, but says why.
		if !strings.Contains(ran.Error, "start: ") && b.env.Ping() != nil {
			err = b.line.lastWords(ErrDied)
		}
		b.Close() // the init does not outlive a start that failed
		if refused != nil {
			err = refused
		} else if err := startFailure(strings.TrimPrefix(ran.Error, "execve: ")); err != nil {
			return Result{}, began, err
		}
		return Result{}, began, fmt.Errorf("container: %w", err)
	}
	result = Result{Wall: wall, Waited: watch.waits.total, Stdout: streams.wrote.Load(), Stderr: streams.erred.Load()}
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
		// The kernel's record wins over what the watchdog saw, but for what ranks higher.
		if oom && !(caused && (stop == OverOutput || stop == Cancelled)) {
			stop, caused = OverMemory, true
		}
	} else {
		if err := cmp.Or(state.tree.blind, b.measure(&result, ran, watch, init, state)); err != nil {
			return Result{}, began, err
		}
		if !caused && cmd.Limits.Memory > 0 && result.Memory > cmd.Limits.Memory {
			stop, caused = OverMemory, true // between two looks, but the kernel saw it
		}
	}
	if caused && stop == starved {
		return Result{}, began, result.starved()
	}
	if caused {
		// How a program that is being stopped ends is a matter of microseconds.
		result.Stop, result.ExitCode, result.Signal = stop, 0, 0
	}
	if result.Stop == Forbidden {
		result.Denied, result.Signal = watch.denied, Signal(unix.SIGSYS)
	}
	result.noteSignal(&cmd)
	result.Full = full(b.dir(b.spec.Folder.Path))
	return result, began, nil
}

// beside adds to the limit of processes what the init counts for where it has the
// account of its programs. How many threads it has is known from the first run on.
func (b *containerBox) beside(l limits.Limits) limits.Limits {
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

// usualThreads is how many threads Go gives an init.
const usualThreads = 8

// measure fills in what a host without cgroups can tell: the account that the
// container's init keeps of its dead children, and what was polled.
func (b *containerBox) measure(result *Result, ran runner.Result, watch *watchdog, before processStat, state *runState) error {
	if err := b.env.Ping(); err != nil { // it answers when all children are reaped
		return fmt.Errorf("container: %w", silent(err))
	}
	after, err := readStat(b.init)
	if err != nil {
		return fmt.Errorf("the container's init: %w", err)
	}
	result.CPU = max(after.childrenCPU-before.childrenCPU, watch.sawCPU, ran.Time)
	result.Memory = max(watch.sawMax, held(state.temp))
	if peak := limits.Bytes(ran.Memory); peak > highWater(b.init) {
		result.Memory = max(result.Memory, state.tree.least(peak))
	}
	return nil
}

// ended translates go-sandbox's account of a wait status. Its own reading of the
// cause (a SIGKILL is a time limit) is not used. Where nothing tells of denied calls, a
// SIGSYS stands for one.
func (b *containerBox) ended(ran runner.Result) (Stop, int, Signal) {
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
