//go:build linux

package sandbox

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"syscall"
	"time"
	"unsafe"

	"github.com/criyle/go-sandbox/pkg/forkexec"
	"golang.org/x/sys/unix"

	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/tally"
)

// fileSize is the largest size of one file that a program writes to a real disk.
const fileSize = 256 * limits.MiB

// rlimitBox runs programs beside the judge. It protects from accidents, not from malice: a program
// sees the host's files, and can hide daemons if it gives up its brand.
type rlimitBox struct {
	beside
	host   *Host
	base   *os.File // dir, opened
	folder *os.File // the box's Folder in the last run; nil before the first
	record sessionRecord
}

func newRlimitBox(h *Host, spec Spec) (Box, error) {
	// Descriptors that the judge inherited, such as files of its shell, must not reach programs. A
	// container's init has none of them. Kernels before 5.11 cannot do this.
	if err := unix.CloseRange(3, math.MaxInt32, unix.CLOSE_RANGE_CLOEXEC); err != nil && !errors.Is(err, unix.ENOSYS) && !errors.Is(err, unix.EINVAL) {
		return nil, err
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
	return &rlimitBox{beside: beside{spec, dir}, host: h, base: base, record: record}, nil
}

func (b *rlimitBox) Close() error {
	if b.dir == "" {
		return nil
	}
	b.closeFolder()
	err := errors.Join(b.record.close(), b.base.Close(), removeAll(b.dir))
	b.dir = ""
	return err
}

func (b *rlimitBox) Remains() (*Remains, error) {
	if b.folder == nil {
		return nil, errors.New("rlimit: no run has left anything")
	}
	return NewRemains(b.folder, b.Path(b.spec.Folder.Path)), nil
}

func (b *rlimitBox) Run(ctx context.Context, cmd Command) (Result, error) {
	defer cmd.closeRun()
	tally.Add(tally.Run, cmd.Args[0])
	return runOnce(ctx, &cmd, b.execute)
}

// execute is the [starter] of this mode.
func (b *rlimitBox) execute(r *attempt) (result Result, err error) {
	cmd := r.cmd
	if err := b.writeFiles(cmd); err != nil {
		return Result{}, err
	}
	filter, err := programFilter()
	if err != nil {
		return Result{}, fmt.Errorf("system call filter: %w", err)
	}
	mark := newBrand()
	program := forkexec.Runner{
		Args:       append([]string(nil), cmd.Args...),
		Env:        cmd.Env,
		RLimits:    slices.Concat(resourceLimits(allowOthers(cmd.Limits), true, fileSize), mark.limits()),
		WorkDir:    b.Path(cmp.Or(b.spec.Dir, workDir)),
		NoNewPrivs: true,
		DropCaps:   mayDropCapabilities(),
		Seccomp:    filter.SockFprog(),
	}
	for _, fd := range r.streams.fds() {
		program.Files = append(program.Files, uintptr(fd))
	}
	exe, release, err := b.host.ownExe(cmd.Exe)
	if err != nil {
		return Result{}, fmt.Errorf("rlimit: %w", err)
	}
	defer release()
	if exe != nil {
		fd, release, err := safeDescriptor(program.Files, exe)
		if err != nil {
			return Result{}, fmt.Errorf("rlimit: %w", err)
		}
		defer release()
		program.ExecFile = fd
	}
	defer b.watchRoom(r.ctx, r.watch.overOutput)()
	program.SyncFunc = func(pid int) error {
		r.streams.handOver()
		first, err := readStat(pid)
		if err != nil {
			return fmt.Errorf("the first process: %w", err)
		}
		if err := b.record.set(pid, first, mark); err != nil {
			return fmt.Errorf("session record: %w", err)
		}
		r.state.tree = &tree{proc: "/proc", root: pid, since: first.start, brand: mark, backing: backingOf(true, cmd.Stdin, exe)}
		if err := pin(pid, cmd.CPUs); err != nil {
			return fmt.Errorf("pinning: %w", err)
		}
		r.begin(pid)
		return nil
	}
	pid, err := startMasked(&program)
	if err != nil {
		if child, ok := errors.AsType[forkexec.ChildError](err); ok {
			switch {
			case child.Location == forkexec.LocDup3 && child.Err == unix.EBADF:
				err = fmt.Errorf("dup3: %w", unix.EMFILE) // EBADF is what dup3 returns for a number above the limit
			case child.Location == forkexec.LocExecve && blamesProgram(child.Err):
				return Result{}, cmp.Or(b.record.clear(), error(&StartError{child.Err}))
			}
		}
		return Result{}, fmt.Errorf("rlimit: %w", errors.Join(err, b.record.clear()))
	}
	kill := func() {
		r.state.tree.kill()
		killGroup(pid) // works even if /proc cannot be read
	}
	r.stopBy(kill)
	failed, err := awaitEnd(pid)
	r.end(failed)
	kill()
	var status syscall.WaitStatus
	var usage syscall.Rusage
	_, reaped := wait4(pid, &status, &usage)
	r.streams.waitAtMost(linger)
	if err := errors.Join(err, reaped); err != nil {
		return Result{}, fmt.Errorf("rlimit: wait: %w", err)
	}
	if err := b.record.clear(); err != nil {
		return Result{}, fmt.Errorf("session record: %w", err)
	}
	result = ended(unix.WaitStatus(status), false)
	cpu := time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
	if err := r.polled(&result, cpu, limits.Bytes(usage.Maxrss)*limits.KiB, os.Getpid()); err != nil {
		return Result{}, fmt.Errorf("measuring: %w", err)
	}
	if result.FolderFull = b.overfull(); !result.FolderFull && b.spec.Folder.Path != "" && noRoom(b.base) {
		return Result{}, fmt.Errorf("rlimit: %w", &os.PathError{Op: "write", Path: b.dir, Err: unix.ENOSPC})
	}
	return result, nil
}

// killGroup kills a program that leads a session, and so a process group, of its own, together with
// that group. The program must not have been waited for.
func killGroup(pid int) {
	_ = unix.Kill(-pid, unix.SIGKILL)
	_ = unix.Kill(pid, unix.SIGKILL) // it may have joined another group
}

// awaitEnd waits until a child has ended, and reports whether a signal killed it or its exit status
// is not 0. It leaves the child to be reaped: until then its number is not given to another
// process.
func awaitEnd(pid int) (failed bool, err error) {
	var info unix.Siginfo
	for {
		err := unix.Waitid(unix.P_PID, pid, &info, unix.WEXITED|unix.WNOWAIT, nil)
		if !errors.Is(err, unix.EINTR) {
			// For a child's end the structure continues with its number, account and status; exited
			// is CLD_EXITED.
			const exited, status = 1, 6
			words := (*[unsafe.Sizeof(info) / 4]int32)(unsafe.Pointer(&info))
			return err == nil && (info.Code != exited || words[status] != 0), err
		}
	}
}

// othersTasks is the room for processes and threads that others of the judge's account start during
// a run, as a multiple of the run's own limit. If they start more, the run may be denied one of its
// own.
const othersTasks = 4

// allowOthers raises the process limit, because RLIMIT_NPROC counts all tasks of the judge's
// account: those that exist already, of which the judge's own threads alone may be more than the
// limit, and those that other programs start during the run. A fork bomb gets as many more; in
// return, a program within its limit does not fail because of its neighbours.
func allowOthers(l limits.Limits) limits.Limits {
	if l.Processes > 0 && os.Geteuid() != 0 { // the kernel does not limit root
		l.Processes += tasks("/proc", os.Geteuid()) + othersTasks*l.Processes
	}
	return l
}

// mayDropCapabilities reports whether this process can start programs without any capability. An
// ordinary user's process cannot, but its programs have none anyway.
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

// writeFiles replaces the folders that programs are given with new ones, and writes a run's files
// there. If a program of an earlier run is still alive and has put something in their place,
// writeFiles does not follow it.
func (b *rlimitBox) writeFiles(cmd *Command) error {
	b.closeFolder()
	for _, name := range b.folders() {
		dir, err := b.renew(name)
		if err != nil {
			return err
		}
		if name == workDir {
			err = place(dir, workFiles(cmd.Files))
			if err == nil && b.spec.ReadOnly {
				err = denyWriting(dir, cmd.Files)
			}
			err = errors.Join(err, dir.Close())
		} else {
			b.folder = dir
			err = place(dir, cmd.FolderFiles)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// denyWriting takes the permission to write from a folder with these files and from the folders in
// it. It binds programs of root, too, because they have no capabilities.
func denyWriting(dir *os.File, files map[string][]byte) error {
	root, err := os.OpenRoot(fdPath(int(dir.Fd())))
	if err != nil {
		return err
	}
	defer root.Close()
	err = root.Chmod(".", 0o500)
	for name := range files {
		for _, folder := range foldersOf(name) {
			err = errors.Join(err, root.Chmod(folder, 0o500))
		}
	}
	return err
}

// renew replaces a folder, given its path inside, with an empty one and opens it.
func (b *rlimitBox) renew(name string) (*os.File, error) {
	base := int(b.base.Fd())
	err := removeAll(fdPath(base) + name)
	if err == nil { // else the folder is there, which is no error of its own
		err = unix.Mkdirat(base, name[1:], 0o700)
	}
	if err != nil {
		return nil, err
	}
	return openFolder(base, name[1:])
}

func (b *rlimitBox) closeFolder() {
	if b.folder != nil {
		b.folder.Close()
		b.folder = nil
	}
}

// safeDescriptor returns a descriptor of the executable whose number go-sandbox's child does not
// overwrite, and a function that releases it after the start. That child moves its pipe to the
// number after the largest of the program's files without checking whether it is in use; it would
// then execute a socket, which is not permitted.
func safeDescriptor(files []uintptr, exe *os.File) (fd uintptr, release func(), err error) {
	next := max(uintptr(len(files)), slices.Max(files)) + 1
	if exe.Fd() != next {
		return exe.Fd(), func() {}, nil
	}
	other, err := unix.FcntlInt(next, unix.F_DUPFD_CLOEXEC, int(next)+1)
	if errors.Is(err, unix.EINVAL) {
		err = unix.EMFILE // the kernel says EINVAL if even the lowest number allowed is over the limit
	}
	if err != nil {
		return 0, nil, fmt.Errorf("executable: %w", err)
	}
	return uintptr(other), func() { unix.Close(other) }, nil
}
