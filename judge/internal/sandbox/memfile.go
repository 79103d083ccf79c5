package sandbox

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// MemFile returns a file in memory that holds data and that nobody can change,
// opened for reading from its start. It can be executed. The caller closes it. Its times,
// mode and hints are its owner's to change all the same.
func MemFile(data []byte) (*os.File, error) { return MemCopy(bytes.NewReader(data)) }

// MemCopy is MemFile for what r holds.
func MemCopy(r io.Reader) (*os.File, error) {
	const flags = unix.MFD_CLOEXEC | unix.MFD_ALLOW_SEALING
	// Said outright since Linux 6.3, where vm.memfd_noexec may make the default another.
	fd, err := unix.MemfdCreate("input", flags|unix.MFD_EXEC)
	if errors.Is(err, unix.EINVAL) {
		fd, err = unix.MemfdCreate("input", flags)
	}
	if err != nil {
		return nil, fmt.Errorf("memory file: %w", err)
	}
	write := os.NewFile(uintptr(fd), "input")
	defer write.Close()
	if _, err := io.Copy(write, r); err != nil {
		return nil, fmt.Errorf("memory file: %w", err)
	}
	const seals = unix.F_SEAL_WRITE | unix.F_SEAL_GROW | unix.F_SEAL_SHRINK | unix.F_SEAL_SEAL
	const mode = 0x20 // F_SEAL_EXEC keeps it executable, from Linux 6.3 on
	err = addSeals(fd, seals|mode)
	if errors.Is(err, unix.EINVAL) {
		err = addSeals(fd, seals)
	}
	if err != nil {
		return nil, fmt.Errorf("memory file: %w", err)
	}
	// A second opening has its own position and cannot be written through.
	return os.Open(fmt.Sprintf("/proc/self/fd/%d", fd))
}

// sealTries is how often a file is sealed that is busy: for about a second.
const sealTries = 10

// addSeals seals a file in memory. The kernel itself may hold a page of it for a moment, such
// as to move it elsewhere, and says that it is busy then.
func addSeals(fd, seals int) error {
	for try := range sealTries {
		if _, err := unix.FcntlInt(uintptr(fd), unix.F_ADD_SEALS, seals); !errors.Is(err, unix.EBUSY) {
			return err
		}
		time.Sleep(time.Millisecond << try)
	}
	return unix.EBUSY
}

// ownExe returns the file that one run is started from, and how to let go of it.
//
// A program can open its own executable, by /proc/self/exe. One that has the account that
// the file belongs to can change the times of it, its mode and flags: notes to the next
// run, or the end of all later ones. So every run is given a copy of its own, unless its
// account owns nothing. A copy takes a tenth of a millisecond, and up to one for each MiB.
func (h *Host) ownExe(exe *os.File) (own *os.File, release func(), err error) {
	if h.mode == Container && os.Geteuid() == 0 {
		return exe, func() {}, nil
	}
	whole, err := os.Open(fmt.Sprintf("/proc/self/fd/%d", exe.Fd())) // with a position of its own
	if err != nil {
		return nil, nil, fmt.Errorf("executable: %w", err)
	}
	defer whole.Close()
	// No child may be forked while the copy is open for writing: it would inherit the
	// descriptor and make the program "text file busy".
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	own, err = MemCopy(whole)
	if err != nil {
		return nil, nil, fmt.Errorf("executable: %w", err)
	}
	return own, func() { own.Close() }, nil
}
