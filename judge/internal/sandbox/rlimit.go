package sandbox

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"syscall"
	"time"
	"unsafe"

	"github.com/criyle/go-sandbox/pkg/forkexec"
	"golang.org/x/sys/unix"

	"tribunal/judge/internal/limits"
)

// fileSize bounds what one file may grow to where it is on a real disk.
const fileSize = 256 * limits.MiB

// linger is how long output is still read after the program's own end.
const linger = 200 * time.Millisecond

// rlimitBox runs programs beside the judge. It protects from accidents, not from
// malice: a program sees the host's files and can leave processes behind when it
// makes them daemons.
type rlimitBox struct {
	host   *Host
	spec   Spec
	dir    string   // holds the folders that programs are given, which are new ones for every run
	base   *os.File // dir
	own    *os.File // the spec's Folder, of the last run
	record sessionRecord
}

func newRlimitBox(h *Host, spec Spec) (Box, error) {
	// What the judge itself was started with, such as files of the shell or of the
	// process that runs it, is not for programs. A container's init has none of it.
	if err := unix.CloseRange(3, math.MaxInt32, unix.CLOSE_RANGE_CLOEXEC); err != nil && !errors.Is(err, unix.ENOSYS) && !errors.Is(err, unix.EINVAL) {
		return nil, err // kernels before 5.11 cannot
	}
	dir, err := os.MkdirTemp(h.Temp(), "box-")
	if err != nil {
		return nil, err
	}
	base, err := os.Open(dir)
	if err != nil {
		return nil, errors.Join(err, os.Remove(dir))
	}
	record, err := newSessionRecord(h.Temp())
	if err != nil {
		return nil, errors.Join(err, base.Close(), os.Remove(dir))
	}
	return &rlimitBox{host: h, spec: spec, dir: dir, base: base, record: record}, nil
}

func (b *rlimitBox) Close() error {
	if b.dir == "" {
		return nil
	}
	b.letGo()
	err := errors.Join(b.record.close(), b.base.Close(), removeAll(b.dir))
	b.dir = ""
	return err
}

// Path maps mount targets back to their sources, since nothing is mounted.
func (b *rlimitBox) Path(inside string) string {
	for _, m := range b.spec.Mounts {
		if rest, ok := strings.CutPrefix(inside, m.Target); ok && (rest == "" || rest[0] == '/') {
			return m.Source + rest
		}
	}
	for _, dir := range b.folders() {
		if rest, ok := strings.CutPrefix(inside, dir); ok && (rest == "" || rest[0] == '/') {
			return b.dir + dir + rest
		}
	}
	return inside
}

// folders returns the folders that programs are given, by their paths inside.
func (b *rlimitBox) folders() []string {
	if b.spec.Folder.Path == "" {
		return []string{workDir}
	}
	return []string{workDir, b.spec.Folder.Path}
}

func (b *rlimitBox) Remains() (*Remains, error) {
	if b.own == nil {
		return nil, errors.New("rlimit: no run has left anything")
	}
	return NewRemains(b.own, b.Path(b.spec.Folder.Path)), nil
}

func (b *rlimitBox) Run(ctx context.Context, cmd Command) (Result, error) {
	defer cmd.closeRun()
	if err := b.furnish(&cmd); err != nil {
		return Result{}, err
	}
	stoppable, cancel := context.WithCancel(ctx)
	defer cancel()
	state := &runState{most: cmd.Limits.Memory}
	watch := &watchdog{meter: state, limits: cmd.Limits, grace: cmd.Grace, cpus: cmd.CPUs, cancel: cancel, late: cmd.Late, poll: pollLater}
	live, err := running(&cmd, watch, state)
	if err != nil {
		return Result{}, err
	}
	defer live.stop()
	streams, err := openStreams(&cmd, cmd.Limits.Output, watch.overOutput)
	if err != nil {
		return Result{}, err
	}
	defer streams.abandon()
	watch.stuck, watch.stderr = streams.stuck, streams.erred.Load

	program := forkexec.Runner{
		Args:       append([]string(nil), cmd.Args...),
		Env:        cmd.Env,
		RLimits:    resourceLimits(beside(cmd.Limits), true, fileSize),
		Files:      streams.fds(),
		WorkDir:    b.Path(cmp.Or(b.spec.Dir, workDir)),
		NoNewPrivs: true,
		DropCaps:   mayDropCapabilities(),
		Seccomp:    b.host.filter.SockFprog(),
	}
	var exe *os.File
	if cmd.Exe != nil {
		own, release, err := b.host.ownExe(cmd.Exe)
		if err != nil {
			return Result{}, fmt.Errorf("rlimit: %w", err)
		}
		defer release()
		exe = own
		fd, release, err := clearOf(program.Files, exe)
		if err != nil {
			return Result{}, fmt.Errorf("rlimit: %w", err)
		}
		defer release()
		program.ExecFile = fd
	}
	defer b.watchRoom(stoppable, watch.overOutput)()
	var start time.Time
	program.SyncFunc = func(pid int) error {
		streams.handOver()
		if err := b.record.set(pid); err != nil {
			return fmt.Errorf("session record: %w", err)
		}
		state.tree = &tree{proc: "/proc", root: pid, backing: backingOf(true, cmd.Stdin, exe)}
		if err := pin(pid, cmd.CPUs); err != nil {
			return fmt.Errorf("pinning: %w", err)
		}
		if cmd.Begun != nil {
			cmd.Begun(stoppable, live)
		}
		start = watch.begin(state, pid)
		live.begin(pid)
		return nil
	}
	pid, err := program.Start()
	if err != nil {
		watch.end(ctx, 0)
		if child, ok := errors.AsType[forkexec.ChildError](err); ok && child.Location == forkexec.LocDup3 && child.Err == unix.EBADF {
			err = fmt.Errorf("dup3: %w", unix.EMFILE) // so it calls a number above the limit
		}
		err = errors.Join(err, b.record.clear())
		if failure := startFailure(err.Error()); failure != nil {
			return Result{}, failure
		}
		return Result{}, fmt.Errorf("rlimit: %w", err)
	}

	var status syscall.WaitStatus
	var usage syscall.Rusage
	killed := make(chan struct{})
	cancelKill := context.AfterFunc(stoppable, func() {
		defer close(killed)
		state.tree.kill()
		killGroup(pid) // at last, and also when /proc could not be read
	})
	failed, err := awaitEnd(pid)
	wall := time.Since(start)
	if !cancelKill() {
		<-killed // which must not meet a number that another process has got
	}
	stop, caused := watch.end(ctx, wall)
	live.end(failed && !caused)
	killGroup(pid)
	_, reaped := wait4(pid, &status, &usage)
	streams.waitAtMost(linger)
	if streams.flooded(cmd.Limits.Output) && !(caused && stop == Cancelled) {
		stop, caused = OverOutput, true // it may have ended before that was read
	}
	if err := errors.Join(err, reaped); err != nil {
		return Result{}, fmt.Errorf("rlimit: wait: %w", err)
	}
	if err := b.record.clear(); err != nil {
		return Result{}, fmt.Errorf("session record: %w", err)
	}
	if state.tree.blind != nil {
		return Result{}, fmt.Errorf("measuring: %w", state.tree.blind)
	}

	result := Result{
		Wall:   wall,
		Waited: watch.waits.total,
		Stdout: streams.wrote.Load(),
		Stderr: streams.erred.Load(),
		CPU:    max(time.Duration(usage.Utime.Nano()+usage.Stime.Nano()), watch.sawCPU),
		Memory: watch.sawMax,
	}
	if peak := limits.Bytes(usage.Maxrss) * limits.KiB; peak > highWater(os.Getpid()) {
		result.Memory = max(result.Memory, state.tree.least(peak))
	}
	if !caused && cmd.Limits.Memory > 0 && result.Memory > cmd.Limits.Memory {
		stop, caused = OverMemory, true // between two looks, but the kernel saw it
	}
	if caused && stop == starved {
		return Result{}, result.starved()
	}
	switch {
	case caused:
		result.Stop = stop
	case status.Signaled() && status.Signal() == unix.SIGSYS:
		result.Stop = Forbidden
	case status.Signaled():
		result.Stop = Signalled
	}
	switch {
	case caused: // how it ends then is a matter of microseconds
	case status.Exited():
		result.ExitCode = status.ExitStatus()
	default:
		result.Signal = Signal(status.Signal())
	}
	result.noteSignal(&cmd)
	if result.Full = b.overfull(); !result.Full && b.spec.Folder.Path != "" && full(b.base) {
		return Result{}, fmt.Errorf("rlimit: %w", &os.PathError{Op: "write", Path: b.dir, Err: unix.ENOSPC})
	}
	return result, nil
}

// killGroup kills a program that leads a session, and so a process group, of its
// own, and the group. It must not have been waited for.
func killGroup(pid int) {
	_ = unix.Kill(-pid, unix.SIGKILL)
	_ = unix.Kill(pid, unix.SIGKILL) // it may have joined another group
}

// awaitEnd returns when a child has ended, and whether not with status 0, and leaves it to
// be waited for: so long its number is not given to another process.
func awaitEnd(pid int) (failed bool, err error) {
	var info unix.Siginfo
	for {
		err := unix.Waitid(unix.P_PID, pid, &info, unix.WEXITED|unix.WNOWAIT, nil)
		if !errors.Is(err, unix.EINTR) {
			// Of a child's end the structure goes on with its number, account and status.
			const exited, status = 1, 6
			words := (*[unsafe.Sizeof(info) / 4]int32)(unsafe.Pointer(&info))
			return err == nil && (info.Code != exited || words[status] != 0), err
		}
	}
}

// othersTasks is how many times its own limit others of the judge's account may start of
// processes and threads during a run, before its program is denied one of its own.
const othersTasks = 4

// beside adds to the limit of processes what RLIMIT_NPROC counts besides those of the run:
// what the judge's account has already, of which the judge's own threads alone may be more
// than the limit, and what it may start meanwhile, in another slot or elsewhere. A fork bomb
// gets so many more; a program within its limit is not blamed for its neighbours.
func beside(l limits.Limits) limits.Limits {
	if l.Processes > 0 && os.Geteuid() != 0 { // root has no such limit
		l.Processes += tasks("/proc", os.Geteuid()) + othersTasks*l.Processes
	}
	return l
}

// mayDropCapabilities tells whether this process can start programs without any
// capability. Where it cannot, as an ordinary user, they have none to begin with.
func mayDropCapabilities() bool {
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var sets [2]unix.CapUserData
	return unix.Capget(&header, &sets[0]) == nil && sets[0].Effective&(1<<unix.CAP_SETPCAP) != 0
}

func wait4(pid int, status *syscall.WaitStatus, usage *syscall.Rusage) (int, error) {
	for {
		n, err := syscall.Wait4(pid, status, 0, usage)
		if !errors.Is(err, syscall.EINTR) {
			return n, err
		}
	}
}

// furnish replaces the folders that programs are given by new ones, and puts a run's files
// there. What a program of an earlier run that is still alive has put in their place is
// not followed.
func (b *rlimitBox) furnish(cmd *Command) error {
	b.letGo()
	for _, name := range b.folders() {
		dir, err := b.renew(name)
		if err != nil {
			return err
		}
		if name == workDir {
			err = errors.Join(place(dir, atStart(cmd.Files)), dir.Close())
		} else {
			b.own = dir
			err = place(dir, cmd.Placed)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// renew makes a folder anew, by its path inside.
func (b *rlimitBox) renew(name string) (*os.File, error) {
	base := int(b.base.Fd())
	if err := errors.Join(removeAll(same(base)+name), unix.Mkdirat(base, name[1:], 0o700)); err != nil {
		return nil, err
	}
	return openFolder(base, name[1:])
}

// letGo closes the box's Folder.
func (b *rlimitBox) letGo() {
	if b.own != nil {
		b.own.Close()
		b.own = nil
	}
}

// clearOf returns a number of the program's file, to be released after the start, that
// the child of go-sandbox leaves alone. It moves its pipe to the number after the largest
// of the files that the program gets, without a look at what is there: a socket would be
// executed then, which is not permitted.
func clearOf(files []uintptr, exe *os.File) (fd uintptr, release func(), err error) {
	next := max(uintptr(len(files)), slices.Max(files)) + 1
	if exe.Fd() != next {
		return exe.Fd(), func() {}, nil
	}
	other, err := unix.FcntlInt(next, unix.F_DUPFD_CLOEXEC, int(next)+1)
	if errors.Is(err, unix.EINVAL) {
		err = unix.EMFILE // so the kernel calls it if the first number asked for is over the limit already
	}
	if err != nil {
		return 0, nil, fmt.Errorf("executable: %w", err)
	}
	return uintptr(other), func() { unix.Close(other) }, nil
}
