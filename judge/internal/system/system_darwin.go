package system

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

func times(s *syscall.Stat_t) (modified, changed int64) {
	return s.Mtimespec.Nano(), s.Ctimespec.Nano()
}

// ThreadTime returns the CPU time that this process has used, because that of a thread is not known.
func ThreadTime() time.Duration { return ProcessTime() }

// Exchange exchanges two files or folders in one step.
func Exchange(a, b string) error { return unix.RenamexNp(a, b, unix.RENAME_SWAP) }

// Touch sets the times of an open folder to the present.
func Touch(folder *os.File) {
	now := time.Now()
	_ = os.Chtimes(folder.Name(), now, now)
}

// CopyMapped does nothing: the part must be read and written instead.
func CopyMapped(_, _ *os.File, _ int64, _ int) (int, error) { return 0, nil }

func dieWithParent(*syscall.SysProcAttr) {}

// Alone returns an error: there are no namespaces.
func Alone(*exec.Cmd, int) error { return errors.ErrUnsupported }

// ErrLibrary is the error of starting a program whose file names a loader that is none.
const ErrLibrary = syscall.ENOEXEC
