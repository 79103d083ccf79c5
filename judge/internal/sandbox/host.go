//go:build linux

package sandbox

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"syscall"

	"github.com/criyle/go-sandbox/pkg/rlimit"
	"golang.org/x/sys/unix"

	"tribunal/judge/internal/limits"
)

// Host opens boxes on this machine, all in one mode. It is safe for concurrent use; Close it when
// all its boxes are closed.
type Host struct {
	mode     Mode
	groups   *cgroups // nil without cgroups
	noGroup  string   // why there are no cgroups
	noFilter bool     // start containers without a filter: only to measure its cost, or to test that its absence is noticed
	notes    []string
	scratch  *scratch

	mu    sync.Mutex
	spare Box // the trial container of openContainers, for the first NewBox that needs one like it
}

// Open finds out what this host offers. With Auto it takes the strongest mode that works. If the
// mode asked for does not work, the error wraps ErrMode.
func Open(mode Mode) (*Host, error) {
	switch mode {
	case Auto, Container, Rlimit:
	default:
		return nil, fmt.Errorf("unknown sandbox mode %q (hint: the modes are auto, container, rlimit)", mode)
	}
	h := &Host{mode: mode}
	var trial *containerBox
	if mode != Rlimit {
		trial = h.beginContainer(Spec{}) // first of all, because an init takes long to start
	}
	var err error
	if h.scratch, err = openScratch(os.TempDir()); err != nil {
		if trial != nil {
			trial.Close()
		}
		err = fmt.Errorf("no folder for temporary files: %w", err)
		if !errors.Is(err, unix.EMFILE) && !errors.Is(err, unix.ENFILE) { // another folder would not help
			err = fmt.Errorf("%w (hint: set TMPDIR)", err)
		}
		if !Exhausted(err) {
			err = fmt.Errorf("%w: %w", ErrMode, err)
		}
		return nil, err
	}
	if mode == Rlimit {
		return h, nil
	}
	err = h.openContainers(trial)
	switch {
	case err == nil:
		h.mode = Container
		return h, nil
	case Exhausted(err):
		// A temporary shortage is no reason to judge in a weaker mode.
		h.Close()
		return nil, fmt.Errorf("container: %w", err)
	}
	err = explained(err, kernelSetting, inChroot)
	if mode == Container {
		h.Close()
		return nil, fmt.Errorf("%w: container: %w (hint: sandbox mode auto or rlimit needs less)", ErrMode, err)
	}
	h.mode = Rlimit
	h.notes = []string{"no containers here: " + err.Error()}
	return h, nil
}

// exhaustion lists the errors of a host that has run out of a resource. ENOSPC counts only for
// files (see Exhausted), because clone also returns it if user namespaces are turned off.
var exhaustion = []error{unix.EMFILE, unix.ENFILE, unix.ENOMEM, unix.EAGAIN, unix.EDQUOT}

// Exhausted reports whether err says that the host has run out of a resource: a failure of the
// judge, not a property of the host.
func Exhausted(err error) bool {
	if path, ok := errors.AsType[*os.PathError](err); ok && errors.Is(path, unix.ENOSPC) && path.Op != "fork/exec" {
		return true
	}
	return slices.ContainsFunc(exhaustion, func(e error) bool { return errors.Is(err, e) })
}

// openContainers prepares the host for containers; the error says why it cannot have any. Only a trial
// shows whether namespaces and mounts work on this host: openContainers completes the container that
// has begun to start.
func (h *Host) openContainers(trial *containerBox) error {
	if err := os.MkdirAll(h.root(), 0o700); err != nil {
		trial.Close()
		return err
	}
	groups, err := newCgroups()
	switch {
	case Exhausted(err):
		trial.Close()
		return fmt.Errorf("cgroups: %w", err)
	case err != nil:
		h.noGroup = err.Error()
		h.notes = append(h.notes, "no cgroups here: "+h.noGroup)
	default:
		h.groups = groups
		h.notes = append(h.notes, groups.notes...)
	}
	if err := trial.finish(); err != nil {
		if h.groups != nil {
			h.groups.close()
			h.groups = nil
		}
		return err
	}
	h.spare = trial
	return nil
}

// root returns an empty folder on which containers mount their root.
func (h *Host) root() string { return filepath.Join(h.scratch.dir, "root") }

// Temp returns a folder for the caller's temporary files. It is removed with its content when the
// host is closed or, if this process is killed, when this user opens the next host. Other users may
// be able to pass through it, but not to list it.
func (h *Host) Temp() string { return h.scratch.dir }

// NewBox returns a box that shows the mounts of spec inside, besides the host's shared libraries
// (read-only), private temporary folders and the usual devices.
func (h *Host) NewBox(spec Spec) (Box, error) {
	if h.mode == Rlimit {
		return newRlimitBox(h, spec)
	}
	if spec.Mounts == nil && spec.Dir == "" && spec.Temp == 0 && spec.Folder.Path == "" && !spec.ReadOnly {
		h.mu.Lock()
		box := h.spare
		h.spare = nil
		h.mu.Unlock()
		if box != nil {
			return box, nil
		}
	}
	return h.newContainer(spec)
}

// Mechanisms names what enforces each limit in the boxes of this host.
func (h *Host) Mechanisms() Mechanisms {
	m := Mechanisms{Mode: h.mode, Wall: "timer", Output: "bytes read from the pipe"}
	switch {
	case h.mode == Rlimit:
		m.Isolation = "none: a session of its own and a system call filter"
		m.CPU = "polled from /proc, with RLIMIT_CPU behind it"
		m.Memory = "anonymous and shared pages, polled from /proc"
		m.Processes = "RLIMIT_NPROC"
		if os.Geteuid() == 0 {
			m.Processes = "" // the kernel does not apply it to root
		}
	case h.groups == nil:
		m.Isolation = "user, mount, pid, ipc, uts, network and cgroup namespaces; system call filter"
		m.CPU = "polled from /proc, with RLIMIT_CPU behind it"
		m.Memory = "anonymous and shared pages, polled from /proc"
		m.Processes = "RLIMIT_NPROC"
	default:
		version, account := "cgroup v1 ", "cpuacct"
		if h.groups.v2 {
			version, account = "cgroup v2 ", "cpu.stat"
		}
		m.Isolation = "user, mount, pid, ipc, uts, network and cgroup namespaces; system call filter"
		m.CPU = version + account
		m.Memory = version + "memory"
		m.Processes = version + "pids"
		if h.groups.pids == "" {
			m.Processes = "RLIMIT_NPROC"
		}
	}
	return m
}

// Exact reports whether the kernel measures and limits the memory and the CPU time of runs; if not,
// they are polled.
func (h *Host) Exact() bool { return h.groups != nil }

// Notes returns sentences for reports, one for each thing that this host enforces less well than
// others can.
func (h *Host) Notes() []string {
	if weakness := h.weakness(); weakness != "" {
		return append(slices.Clone(h.notes), weakness)
	}
	return h.notes
}

// Close releases the host's resources. All boxes must have been closed.
func (h *Host) Close() error {
	var err error
	if h.spare != nil {
		err = h.spare.Close()
		h.spare = nil
	}
	if h.groups != nil {
		h.groups.close()
		h.groups = nil
	}
	if h.scratch != nil {
		err = errors.Join(err, h.scratch.close())
		h.scratch = nil
	}
	return err
}

// resourceLimits returns the kernel's limits per process, which back up the measured ones.
// processes is whether to limit the number of processes; files is the largest size of one file, 0
// for any. The address space is never limited: a Go program reserves a gigabyte before its main
// function starts.
func resourceLimits(l limits.Limits, processes bool, files limits.Bytes) []rlimit.RLimit {
	list := []rlimit.RLimit{
		// Not 0: a host that pipes cores to a helper would start it for every crash. With 1 the
		// kernel neither does so nor writes a file (coredump.c).
		hard(unix.RLIMIT_CORE, 1),
		// One run must not use up what its whole account shares.
		hard(unix.RLIMIT_SIGPENDING, 4096),
		hard(unix.RLIMIT_NOFILE, 4096),
		hard(unix.RLIMIT_RTPRIO, 0),
		hard(unix.RLIMIT_NICE, 0),
		soft(unix.RLIMIT_STACK, uint64(stackSize(l))),
	}
	if l.CPU > 0 {
		// A backstop for a judge that stalls: whole seconds, well after the grace.
		list = append(list, hard(unix.RLIMIT_CPU, uint64(l.CPU.Seconds())+3))
	}
	if processes && l.Processes > 0 {
		list = append(list, hard(unix.RLIMIT_NPROC, uint64(l.Processes)))
	}
	if files > 0 {
		list = append(list, hard(unix.RLIMIT_FSIZE, uint64(files)))
	}
	return list
}

// soft returns a limit that a program may raise as far as the judge could: Python programs ask for
// a deeper stack, and memory has a limit of its own.
func soft(resource int, value uint64) rlimit.RLimit {
	l := hard(resource, value)
	var now unix.Rlimit
	if err := unix.Getrlimit(resource, &now); err == nil {
		l.Rlim.Max = now.Max
	}
	return l
}

// hard returns a limit that a program cannot raise: value, or the judge's own hard limit if that is
// lower.
func hard(resource int, value uint64) rlimit.RLimit {
	var now unix.Rlimit
	if err := unix.Getrlimit(resource, &now); err == nil {
		value = min(value, now.Max)
	}
	return rlimit.RLimit{Res: resource, Rlim: syscall.Rlimit{Cur: value, Max: value}}
}

// DefaultSlots is the number of CPUs that this process may run on.
func DefaultSlots() int { return len(AllowedCPUs()) }

// AllowedCPUs returns the CPUs that this process may run on, in ascending order.
func AllowedCPUs() []int {
	var set unix.CPUSet
	if err := unix.SchedGetaffinity(0, &set); err != nil {
		list := make([]int, runtime.NumCPU())
		for i := range list {
			list[i] = i
		}
		return list
	}
	var list []int
	for cpu := range len(set) * 64 {
		if set.IsSet(cpu) {
			list = append(list, cpu)
		}
	}
	return list
}

func pin(pid int, cpus []int) error {
	if len(cpus) == 0 {
		return nil
	}
	var set unix.CPUSet
	for _, cpu := range cpus {
		set.Set(cpu)
	}
	return unix.SchedSetaffinity(pid, &set)
}

// blamesProgram reports whether an error of execve is the fault of the executable, and not of the
// sandbox or the host.
func blamesProgram(err unix.Errno) bool {
	switch err {
	case unix.ENOEXEC, unix.ENOENT, unix.EACCES, unix.ENOTDIR, unix.ELOOP, unix.ENAMETOOLONG, unix.ELIBBAD, unix.EIO:
		return true
	}
	return false
}
