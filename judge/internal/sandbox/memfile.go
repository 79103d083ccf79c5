//go:build linux

package sandbox

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// MemFile returns a sealed file in memory that holds data, opened for reading from its start.
// Nobody can change its content, and it can be executed; its owner can still change its times, mode
// and hints, and reading it changes its times. The caller closes it.
func MemFile(data []byte) (*os.File, error) { return MemCopy(bytes.NewReader(data)) }

// MemCopy is MemFile for the content of r.
func MemCopy(r io.Reader) (*os.File, error) {
	const flags = unix.MFD_CLOEXEC | unix.MFD_ALLOW_SEALING
	// MFD_EXEC is explicit since Linux 6.3, because vm.memfd_noexec may change the default.
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
	// For all accounts but the owner's, a write bit is the right to set the times, and to make the file busy.
	if err := unix.Fchmod(fd, 0o555); err != nil {
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
	path := "/proc/self/fd/" + strconv.Itoa(fd)
	fd, err = unix.Open(path, unix.O_RDONLY|unix.O_CLOEXEC, 0) // os.Open would try to poll it
	if err != nil {
		return nil, &os.PathError{Op: "open", Path: path, Err: err}
	}
	return os.NewFile(uintptr(fd), path), nil
}

// sealTries is how often sealing a busy file is tried: for about a second in all.
const sealTries = 10

// addSeals seals a file in memory. It tries again while the file is busy: the kernel itself may
// hold a page for a moment, for instance to move it.
func addSeals(fd, seals int) error {
	for try := range sealTries {
		if _, err := unix.FcntlInt(uintptr(fd), unix.F_ADD_SEALS, seals); !errors.Is(err, unix.EBUSY) {
			return err
		}
		time.Sleep(time.Millisecond << try)
	}
	return unix.EBUSY
}

// Executable returns a file in memory with the content of r, from which any number of runs can be started at the same
// time. Unlike a MemFile it bears no traces, if the judge may mount file systems: no account can open it for writing,
// which would make it busy for other runs, or change its times, mode or attributes. The caller closes it.
func Executable(r io.Reader) (*os.File, error) {
	// A child that is forked while the file is open for writing would inherit the descriptor, and executing the
	// file would fail with "text file busy".
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	views, err := memoryFiles()
	if err != nil {
		return MemCopy(r)
	}
	write, read, err := views.create(0o555)
	if err != nil {
		return nil, fmt.Errorf("executable: %w", err)
	}
	defer write.Close()
	if _, err := io.Copy(write, r); err != nil {
		read.Close()
		return nil, fmt.Errorf("executable: %w", err)
	}
	return read, nil
}

// ownExe returns the file from which one run is started, and a function that releases it. Without an executable it
// returns nil.
//
// A program can open its own executable by /proc/self/exe. Whatever it can change there, such as the time of the
// last access, could carry a message to other runs, or break all later ones. So every run gets its own copy, unless
// the file bears no traces. A copy takes a tenth of a millisecond, and up to one for each MiB.
func (h *Host) ownExe(exe *os.File) (own *os.File, release func(), err error) {
	var fs unix.Statfs_t
	if exe == nil || unix.Fstatfs(int(exe.Fd()), &fs) == nil && fs.Flags&unix.ST_RDONLY != 0 {
		return exe, func() {}, nil
	}
	whole, err := os.Open(fmt.Sprintf("/proc/self/fd/%d", exe.Fd())) // opened again, for a file position of its own
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
