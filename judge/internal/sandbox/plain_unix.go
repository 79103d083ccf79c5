//go:build unix && !linux

package sandbox

import (
	"errors"
	"os"
	"os/exec"
	"runtime"
	"syscall"
	"time"

	"tribunal/judge/internal/limits"
)

// jobMechanisms names what is measured when a program has ended: nothing stops one that needs too much
// memory meanwhile.
func jobMechanisms() (cpu, memory, processes string) {
	return "rusage of its processes, at its end", "largest resident size, at its end", ""
}

// job is a process group.
type job struct{ pid int }

func newJob(program *exec.Cmd, _ limits.Limits, _ time.Duration) (*job, error) {
	program.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	return &job{}, nil
}

func (j *job) add(p *os.Process) error {
	j.pid = p.Pid
	return nil
}

// used returns 0: the CPU time and memory are known when the program has ended.
func (j *job) used() (time.Duration, limits.Bytes) { return 0, 0 }

func (j *job) overMemory() bool { return false }

func (j *job) kill() { _ = syscall.Kill(-j.pid, syscall.SIGKILL) }

func (j *job) close() {}

// peak returns the largest resident size of the program and of the processes for which it has waited.
func peak(s *os.ProcessState) limits.Bytes {
	usage, ok := s.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	if runtime.GOOS == "darwin" { // in bytes, elsewhere in KiB
		return limits.Bytes(usage.Maxrss)
	}
	return limits.Bytes(usage.Maxrss) * limits.KiB
}

func ending(s *os.ProcessState) (code int, signal Signal) {
	if status, ok := s.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return 0, Signal(status.Signal())
	}
	return s.ExitCode(), 0
}

// openOnce opens a file and removes its name.
func openOnce(name string) (*os.File, error) {
	f, err := os.Open(name)
	return f, errors.Join(err, os.Remove(name))
}
