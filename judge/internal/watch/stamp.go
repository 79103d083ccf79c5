package watch

import (
	"hash/maphash"
	"io"
	"io/fs"
	"os"
	"syscall"
	"time"
)

// stamp is what a file looks like from outside. A file with the same stamp is taken to be
// unchanged.
type stamp struct {
	id           fileID
	mode         fs.FileMode
	size         int64
	mtime, ctime int64  // ns
	sum          uint64 // of the content, while the times are not reliable; 0 if not known
}

type fileID struct{ device, inode uint64 }

// young is how long after a change another one may leave the times as they are: file systems count
// time in steps of up to two seconds.
const young = 2 * time.Second

// step is longer than the steps in which kernels count time.
const step = 20 * time.Millisecond

// stampOf returns the stamp of what is at path, of a link itself, and whether there is anything.
// With sums, the content decides if the times cannot.
func stampOf(path string, was stamp, sums bool) (stamp, bool) {
	info, err := os.Lstat(path)
	if err != nil {
		return stamp{}, false
	}
	sys := info.Sys().(*syscall.Stat_t)
	s := stamp{
		id:    fileID{sys.Dev, sys.Ino},
		mode:  info.Mode(),
		size:  info.Size(),
		mtime: sys.Mtim.Nano(),
		ctime: sys.Ctim.Nano(),
	}
	if sums && s.mode.IsRegular() && (was.sum != 0 || time.Since(info.ModTime()) < young) {
		s.sum = sum(path)
	}
	return s, true
}

// same reports whether a file is unchanged.
func (s stamp) same(was stamp) bool {
	if s.sum == 0 || was.sum == 0 {
		s.sum, was.sum = 0, 0
	}
	return s == was
}

// aged returns the stamp without the sum once the times are reliable.
func (s stamp) aged(now time.Time) stamp {
	if now.Sub(time.Unix(0, s.mtime)) >= young {
		s.sum = 0
	}
	return s
}

// fresh reports whether the times of a folder with this stamp, taken at that moment, might stay the
// same although a file is created or removed in it.
func (s stamp) fresh(at time.Time) bool { return at.Sub(time.Unix(0, s.mtime)) < step }

var seed = maphash.MakeSeed()

// sum returns the hash of a regular file, never 0, or 0 if it cannot be read.
func sum(path string) uint64 {
	// A pipe may have taken its place by now; opening it must not block.
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK|syscall.O_NOFOLLOW, 0)
	if err != nil {
		return 0
	}
	defer f.Close()
	var h maphash.Hash
	h.SetSeed(seed)
	if _, err := io.Copy(&h, f); err != nil {
		return 0
	}
	return h.Sum64() | 1
}
