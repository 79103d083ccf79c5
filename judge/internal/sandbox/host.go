package sandbox

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync"
	"syscall"

	"github.com/criyle/go-sandbox/pkg/rlimit"
	"github.com/criyle/go-sandbox/pkg/seccomp"
	"golang.org/x/sys/unix"

	"tribunal/judge/internal/limits"
)

// Host is what this machine offers to run programs in. It is safe for concurrent
// use; Close it when all its boxes are closed.
type Host struct {
	mode    Mode
	groups  *cgroups // nil without cgroups
	noGroup string   // why there are none
	filter  seccomp.Filter
	open    bool // leave containers without the filter: only to measure what it costs, or that it is missed
	notes   []string
	root    string // an empty folder that containers mount their root on

	mu    sync.Mutex
	spare Box // the container of the trial, for the first that needs one like it
}

// Box is one place to run programs in, one at a time: a container or, in rlimit
// mode, a folder. It is not safe for concurrent use.
type Box interface {
	// Run executes cmd and waits for the end of everything it started. A non-nil
	// error means that the sandbox failed, or a *StartError that the program could
	// not be started; the Result then means nothing. When ctx ends, the run is
	// stopped and Stop is Cancelled.
	Run(ctx context.Context, cmd Command) (Result, error)
	// Path translates a path inside the box (a mount's target or below) to what a
	// program run in it must use; they differ in rlimit mode.
	Path(inside string) string
	// Close ends the box. Closing twice is harmless.
	Close() error
}

// Open finds out what this host offers. With Auto it takes the strongest mode
// that works; with another it returns an error that wraps ErrMode if that mode
// does not work.
func Open(mode Mode) (*Host, error) {
	filter, err := callFilter()
	if err != nil {
		return nil, fmt.Errorf("system call filter: %w", err)
	}
	if _, err := os.Stat(os.TempDir()); err != nil {
		return nil, fmt.Errorf("%w: no folder for temporary files: %w (hint: set TMPDIR)", ErrMode, err)
	}
	h := &Host{mode: mode, filter: filter}
	switch mode {
	case Auto, Container:
		err := h.openContainers()
		if err == nil {
			h.mode = Container
			return h, nil
		}
		if mode == Container {
			return nil, fmt.Errorf("%w: container: %w (hint: sandbox mode auto or rlimit works with less)", ErrMode, err)
		}
		h.mode = Rlimit
		h.notes = append(h.notes, "no containers here: "+err.Error())
		return h, nil
	case Rlimit:
		return h, nil
	}
	return nil, fmt.Errorf("unknown sandbox mode %q (hint: the modes are auto, container, rlimit)", mode)
}

func (h *Host) openContainers() (err error) {
	if h.root, err = os.MkdirTemp("", "tribunal-root-"); err != nil {
		return err
	}
	groups, groupErr := newCgroups()
	if groupErr != nil {
		h.noGroup = groupErr.Error()
		h.notes = append(h.notes, "no cgroups here: "+h.noGroup)
	} else {
		h.groups = groups
		h.notes = append(h.notes, groups.notes...)
	}
	// Only a trial tells whether namespaces and mounts work on this host.
	box, err := h.newContainer(Spec{})
	if err != nil {
		h.Close()
		return err
	}
	h.spare = box
	return nil
}

// NewBox returns a box that shows the mounts of spec inside, besides the host's
// system folders (read-only), private temporary folders and the usual devices.
func (h *Host) NewBox(spec Spec) (Box, error) {
	if h.mode == Rlimit {
		return newRlimitBox(h, spec)
	}
	if spec.Mounts == nil && spec.Dir == "" && spec.Temp == 0 {
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

// Mechanisms says what enforces each limit in the boxes of this host.
func (h *Host) Mechanisms() Mechanisms {
	m := Mechanisms{Mode: h.mode, Wall: "timer", Output: "bytes read from the pipe"}
	switch {
	case h.mode == Rlimit:
		m.Isolation = "none: a session of its own and a system call filter"
		m.CPU = "polled from /proc, with RLIMIT_CPU behind it"
		m.Memory = "resident size, polled from /proc"
		m.Processes = "RLIMIT_NPROC"
		if os.Geteuid() == 0 {
			m.Processes = "" // the kernel does not apply it to root
		}
	case h.groups == nil:
		m.Isolation = "user, mount, pid, ipc, uts, network and cgroup namespaces; system call filter"
		m.CPU = "polled from /proc, with RLIMIT_CPU behind it"
		m.Memory = "resident size, polled from /proc"
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

// Notes says, one sentence each, what this host cannot enforce as well as others.
func (h *Host) Notes() []string { return h.notes }

// Close releases what the host holds. All boxes must have been closed.
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
	if h.root != "" {
		err = errors.Join(err, os.Remove(h.root))
		h.root = ""
	}
	return err
}

// resourceLimits are the kernel's per-process limits that stand behind the
// measured ones. The address space is never limited: a Go program reserves a
// gigabyte before its main function starts.
func resourceLimits(l limits.Limits, processes bool, files limits.Bytes) []rlimit.RLimit {
	list := []rlimit.RLimit{
		hard(unix.RLIMIT_CORE, 0),
		hard(unix.RLIMIT_STACK, uint64(stackSize(l))),
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

// stackSize is how large the stack of a process may grow: as large as the memory,
// but for what shows that it was the stack that ran over.
func stackSize(l limits.Limits) limits.Bytes { return max(l.Memory-l.Memory/16, 8*limits.MiB) }

// hard sets both the soft and the hard limit, as far as this process may.
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

// startFailure tells a program that cannot be started from a sandbox that broke.
func startFailure(text string) error {
	for _, cause := range []string{"exec format error", "no such file or directory", "permission denied", "not found", "text file busy"} {
		if strings.Contains(text, cause) {
			return &StartError{errors.New(cause)}
		}
	}
	return nil
}
