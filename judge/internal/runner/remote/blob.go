//go:build linux

package remote

import (
	"errors"
	"io"
	"math"
	"os"

	"golang.org/x/sys/unix"

	"tribunal/judge/internal/sandbox"
)

// The largest size of a file to execute, and of all contents of a request together.
const (
	maxExe      = 256 << 20
	maxContents = 512 << 20
)

// seals make the contents and the size of a memory file final.
const seals = unix.F_SEAL_WRITE | unix.F_SEAL_GROW | unix.F_SEAL_SHRINK

// identity identifies a memory file as long as it is open.
type identity struct{ dev, ino uint64 }

// sealed returns the size of a sealed memory file, and an error for any other descriptor: reading
// from a pipe could block the service, and a file could change meanwhile. Files of the host are
// never sealed.
func sealed(fd int) (size int64, id identity, err error) {
	set, err := unix.FcntlInt(uintptr(fd), unix.F_GET_SEALS, 0)
	if err != nil || set&seals != seals {
		return 0, id, refusal("a descriptor of something other than a sealed memory file")
	}
	var s unix.Stat_t
	if err := unix.Fstat(fd, &s); err != nil {
		return 0, id, err
	}
	return s.Size, identity{s.Dev, s.Ino}, nil
}

// memoryFile reads from a descriptor that sealed has accepted. It does not map the file, because
// pages that a sparse file lacks would be charged to the service for as long as the caller keeps
// it.
type memoryFile int

func (fd memoryFile) ReadAt(p []byte, off int64) (n int, err error) {
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

// whole returns a reader of the whole file.
func (fd memoryFile) whole() io.Reader { return io.NewSectionReader(fd, 0, math.MaxInt64) }

// executable is the service's own copy of a file to execute, whose memory is freed when it is
// closed. The caller's file stays open beside it, so that its identity recognizes the same file
// in the next request.
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

// executables are the files of one connection, least recently used first, because the same
// programs run again and again.
type executables []executable

// How many executables, and how many bytes of them, are kept between requests.
const (
	keptExecutables = 4
	keptBytes       = 64 << 20
)

// trim closes the oldest executables beyond these limits. No run may be in progress.
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

// get returns the copy of a file. It makes one if there is none, takes over the descriptor and
// sets it to -1.
func (e *executables) get(fd *int) (*os.File, error) {
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
	own, err := sandbox.Executable(memoryFile(*fd).whole())
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
