package watch

import (
	"hash/maphash"
	"io"
	"io/fs"
	"os"
	"syscall"
	"time"

	"tribunal/judge/internal/system"
)

// stamp holds the metadata by which changes of a file are detected: a file with the same stamp
// counts as unchanged.
type stamp struct {
	id           fileID
	mode         fs.FileMode
	size         int64
	mtime, ctime int64  // ns
	sum          uint64 // hash of the content, while the times are not reliable; 0 if not known
}

type fileID struct{ device, inode uint64 }

// coarseStep is the longest step in which file systems count time. A second change within it may
// leave the times of a file as they are.
const coarseStep = 2 * time.Second

// kernelStep is longer than the steps in which kernels count time, even that of a virtual machine that waited for its
// host.
const kernelStep = 200 * time.Millisecond

// stampOf returns the stamp of the file, folder or symbolic link at path, and false if there is
// none. prev is its previous stamp. With sums, the stamp has the hash of the content while the
// times are not reliable.
func stampOf(path string, prev stamp, sums bool) (stamp, bool) {
	info, err := os.Lstat(path)
	if err != nil {
		return stamp{}, false
	}
	sys := system.IdentityOf(info)
	s := stamp{
		id:    fileID{sys.Device, sys.Inode},
		mode:  info.Mode(),
		size:  info.Size(),
		mtime: sys.Modified,
		ctime: sys.Changed,
	}
	if sums && s.mode.IsRegular() && (prev.sum != 0 || time.Since(info.ModTime()) < coarseStep) {
		s.sum = sum(path)
	}
	return s, true
}

// same reports whether a file counts as unchanged. It compares hashes only if both are known.
func (s stamp) same(prev stamp) bool {
	if s.sum == 0 || prev.sum == 0 {
		s.sum, prev.sum = 0, 0
	}
	return s == prev
}

// aged returns the stamp, without the hash if the times are reliable by now.
func (s stamp) aged(now time.Time) stamp {
	if now.Sub(time.Unix(0, s.mtime)) >= coarseStep {
		s.sum = 0
	}
	return s
}

// racy reports whether a file could be created or removed in a folder without changing the folder's
// times: the stamp was taken, at the given time, too soon after the last change.
func (s stamp) racy(at time.Time) bool { return at.Sub(time.Unix(0, s.mtime)) < kernelStep }

var seed = maphash.MakeSeed()

// sum returns the hash of a regular file's content, which is never 0. It returns 0 if the file
// cannot be read.
func sum(path string) uint64 {
	// A named pipe may have taken the file's place by now; opening it must not block.
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK|system.NoFollow, 0)
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
