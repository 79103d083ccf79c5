package remote

import (
	"errors"
	"io"
	"math"
	"os"
	"syscall"

	"golang.org/x/sys/unix"

	"tribunal/judge/internal/sandbox"
)

// How much a file to execute, and all contents of a request, may hold.
const (
	maxExe      = 256 << 20
	maxContents = 512 << 20
)

// seals are those that make a file in memory what it is for ever.
const seals = unix.F_SEAL_WRITE | unix.F_SEAL_GROW | unix.F_SEAL_SHRINK

// identity is that of a file in memory as long as it is open.
type identity struct{ dev, ino uint64 }

// sealed returns the size of a file that nobody can change any more, and an error for any other
// descriptor: reading from whatever else a caller has could make the service wait, or get
// something that is written meanwhile. Files of the host are never sealed.
func sealed(fd int) (size int64, id identity, err error) {
	set, err := unix.FcntlInt(uintptr(fd), unix.F_GET_SEALS, 0)
	if err != nil || set&seals != seals {
		return 0, id, refusal("a descriptor of something else than a sealed file in memory")
	}
	var s unix.Stat_t
	if err := unix.Fstat(fd, &s); err != nil {
		return 0, id, err
	}
	return s.Size, identity{s.Dev, s.Ino}, nil
}

// at reads from a descriptor that sealed has found good. It never maps it: what a sparse file
// lacks would become the service's memory, for as long as the caller keeps the file.
type at int

func (fd at) ReadAt(p []byte, off int64) (n int, err error) {
	for n < len(p) && err == nil {
		var k int
		k, err = unix.Pread(int(fd), p[n:], off+int64(n))
		switch {
		case errors.Is(err, unix.EINTR):
			err = nil
		case err == nil && k == 0:
			err = io.EOF
		}
		n += max(k, 0)
	}
	return n, err
}

// whole reads all of it.
func (fd at) whole() io.Reader { return io.NewSectionReader(fd, 0, math.MaxInt64) }

// executable is a copy of a file to execute, which belongs to the service and is charged to
// nobody once it is closed, and the caller's, which tells that the next request has the same.
type executable struct {
	theirs int
	own    *os.File
	id     identity
	size   int64
}

func (e executable) close() {
	unix.Close(e.theirs)
	e.own.Close()
}

// executables are those of one connection, the one used the longest ago first. Programs run
// again and again.
type executables []executable

// How many, and how many bytes of them, are kept between requests.
const (
	keptExecutables = 4
	keptBytes       = 64 << 20
)

// trim lets go of what is more than that. Nothing may run.
func (e *executables) trim() {
	total := int64(0)
	for _, one := range *e {
		total += one.size
	}
	for len(*e) > keptExecutables || total > keptBytes {
		total -= (*e)[0].size
		(*e)[0].close()
		*e = (*e)[1:]
	}
}

// take returns the copy of a file, whose descriptor becomes its own if it has none yet.
func (e *executables) take(fd *int) (*os.File, error) {
	size, id, err := sealed(*fd)
	if err != nil {
		return nil, err
	}
	if size > maxExe {
		return nil, refusal("an executable of %d bytes", size)
	}
	for i, old := range *e {
		if old.id == id {
			*e = append(append((*e)[:i:i], (*e)[i+1:]...), old)
			return old.own, nil
		}
	}
	// No child may be forked while this is open for writing: it would inherit the descriptor
	// and make the program "text file busy".
	syscall.ForkLock.RLock()
	own, err := sandbox.MemCopy(at(*fd).whole())
	syscall.ForkLock.RUnlock()
	if err != nil {
		return nil, err
	}
	*e = append(*e, executable{*fd, own, id, size})
	*fd = -1
	return own, nil
}

func (e *executables) close() {
	for _, one := range *e {
		one.close()
	}
	*e = nil
}
