package sandbox

import (
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"

	"tribunal/judge/internal/limits"
)

// jobMechanisms names what a job object enforces.
func jobMechanisms() (cpu, memory, processes string) {
	return "job object, polled", "job object", "job object"
}

// job is a job object: it measures and limits a program together with all that it starts, and kills
// them when it is closed.
type job struct {
	handle windows.Handle
	memory limits.Bytes
}

func newJob(program *exec.Cmd, l limits.Limits, grace time.Duration) (*job, error) {
	handle, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return nil, fmt.Errorf("job object: %w", err)
	}
	info := windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION{}
	b := &info.BasicLimitInformation
	b.LimitFlags = windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE | windows.JOB_OBJECT_LIMIT_DIE_ON_UNHANDLED_EXCEPTION
	if l.CPU > 0 {
		b.LimitFlags |= windows.JOB_OBJECT_LIMIT_JOB_TIME
		b.PerJobUserTimeLimit = int64((l.CPU + grace + 3*time.Second) / 100) // in units of 100 ns; a backstop
	}
	if l.Memory > 0 {
		b.LimitFlags |= windows.JOB_OBJECT_LIMIT_JOB_MEMORY
		info.JobMemoryLimit = uintptr(l.Memory)
	}
	if l.Processes > 0 {
		b.LimitFlags |= windows.JOB_OBJECT_LIMIT_ACTIVE_PROCESS
		b.ActiveProcessLimit = uint32(l.Processes)
	}
	if _, err := windows.SetInformationJobObject(handle, windows.JobObjectExtendedLimitInformation, uintptr(unsafe.Pointer(&info)), uint32(unsafe.Sizeof(info))); err != nil {
		windows.CloseHandle(handle)
		return nil, fmt.Errorf("job object: %w", err)
	}
	program.SysProcAttr = &syscall.SysProcAttr{CreationFlags: windows.CREATE_SUSPENDED} // until it is in the job
	return &job{handle, l.Memory}, nil
}

var resumeProcess = windows.NewLazySystemDLL("ntdll.dll").NewProc("NtResumeProcess")

// add puts a program into the job and lets it begin, so that neither it nor what it starts is ever
// outside of the job.
func (j *job) add(p *os.Process) (err error) {
	noHandle := p.WithHandle(func(handle uintptr) {
		if err = windows.AssignProcessToJobObject(j.handle, windows.Handle(handle)); err != nil {
			return
		}
		if status, _, _ := resumeProcess.Call(handle); status != 0 {
			err = windows.NTStatus(status)
		}
	})
	if err = cmp.Or(noHandle, err); err != nil {
		return fmt.Errorf("job object: %w", err)
	}
	return nil
}

// accounting is JOBOBJECT_BASIC_ACCOUNTING_INFORMATION.
type accounting struct {
	user, kernel, periodUser, periodKernel int64 // in units of 100 ns
	faults, processes, active, terminated  uint32
}

const basicAccounting = 1 // JobObjectBasicAccountingInformation

func (j *job) account() (a accounting, ok bool) {
	err := windows.QueryInformationJobObject(j.handle, basicAccounting, uintptr(unsafe.Pointer(&a)), uint32(unsafe.Sizeof(a)), nil)
	return a, err == nil
}

func (j *job) used() (cpu time.Duration, memory limits.Bytes) {
	if a, ok := j.account(); ok {
		cpu = time.Duration(a.user+a.kernel) * 100
	}
	return cpu, j.peak()
}

func (j *job) peak() limits.Bytes {
	var info windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION
	if windows.QueryInformationJobObject(j.handle, windows.JobObjectExtendedLimitInformation, uintptr(unsafe.Pointer(&info)), uint32(unsafe.Sizeof(info)), nil) != nil {
		return 0
	}
	return limits.Bytes(info.PeakJobMemoryUsed)
}

// overMemory reports whether the job has used all the memory that it may: then allocations fail, and
// how the program ends does not show it.
func (j *job) overMemory() bool { return j.memory > 0 && j.peak() >= j.memory-j.memory/64 }

func (j *job) kill() { _ = windows.TerminateJobObject(j.handle, 1) }

// close ends the job, whose processes have been killed. It waits until they are gone, for a second at
// most, because the folders in which they ran cannot be removed before.
func (j *job) close() {
	for range 100 {
		if a, ok := j.account(); !ok || a.active == 0 {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	windows.CloseHandle(j.handle)
}

// peak returns 0: the job object knows it.
func peak(*os.ProcessState) limits.Bytes { return 0 }

// ending returns how a program has ended. What would be a signal elsewhere is an exit status here, such
// as 0xc0000005.
func ending(s *os.ProcessState) (code int, signal Signal) { return s.ExitCode(), 0 }

// openOnce opens a file that Windows removes when it is closed.
func openOnce(name string) (*os.File, error) {
	return os.OpenFile(name, os.O_RDONLY|windows.O_FILE_FLAG_DELETE_ON_CLOSE, 0)
}
