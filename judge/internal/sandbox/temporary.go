//go:build linux

package sandbox

import (
	"fmt"
	"os"
	"slices"
	"time"

	"golang.org/x/sys/unix"

	"tribunal/judge/internal/limits"
)

// temporaries are the folders that programs may write to in every container, unless its Spec says
// ReadOnly. Each is a tmpfs of its own.
var temporaries = []string{"/dev/shm", "/tmp", workDir}

func (s Spec) temporaries() []string {
	if s.Folder.Path == "" {
		return temporaries
	}
	return append(slices.Clone(temporaries), s.Folder.Path)
}

// locked returns those of the temporary folders in which programs can only read.
func (s Spec) locked() []string {
	if !s.ReadOnly {
		return nil
	}
	return temporaries
}

// tempFolder notices whether a run has left something in a temporary folder. So the folder is
// emptied before the next run only if it must be.
type tempFolder struct {
	dir *os.File
	// The state when the folder was last clean:
	file  unix.Stat_t   // status of the folder itself
	attrs int           // size of the list of its extended attributes
	fs    unix.Statfs_t // status of its file system
}

// tempState says how a temporary folder differs from a clean one.
type tempState uint8

const (
	pristine tempState = iota
	used               // something was written or changed in it
	spoilt             // not worth cleaning: much was written, or the folder itself was changed
)

// muchLeft is the number of files from which on removing them is more work than starting a new
// container.
const muchLeft = 256

// openTemp opens the temporary folders of a container, which are clean, by the init's process number.
func openTemp(init int, s Spec) ([]tempFolder, error) {
	var list []tempFolder
	for _, name := range s.temporaries() {
		place := fmt.Sprintf("/proc/%d/root%s", init, name)
		if i := slices.Index(s.locked(), name); i >= 0 {
			place = fmt.Sprintf("/proc/%d/fd/%d", init, lockedFiles+i)
		}
		dir, err := os.OpenFile(place, os.O_RDONLY|unix.O_DIRECTORY, 0)
		if err != nil {
			closeTemp(list)
			return nil, err
		}
		list = append(list, tempFolder{dir: dir})
		if err := list[len(list)-1].remember(); err != nil {
			closeTemp(list)
			return nil, err
		}
	}
	return list, nil
}

func closeTemp(list []tempFolder) {
	for _, t := range list {
		t.dir.Close()
	}
}

// remember records the folder's current state. Before, it sets the folder's times, so that these look
// the same to every run, whatever the runs before have left.
func (t *tempFolder) remember() error {
	fd := int(t.dir.Fd())
	now := unix.Timeval{Sec: time.Now().Unix()}
	if err := unix.Futimes(fd, []unix.Timeval{now, now}); err != nil {
		return err
	}
	if err := unix.Fstat(fd, &t.file); err != nil {
		return err
	}
	t.attrs, _ = unix.Flistxattr(fd, nil) // 0 on a file system without attributes
	return unix.Fstatfs(fd, &t.fs)
}

// state compares the folder with its state when it was clean. In a container of an ordinary user
// the program owns the folder: it could lock out the next program by the folder's mode, or leave it
// a message in the attributes or times.
func (t *tempFolder) state() tempState {
	fd := int(t.dir.Fd())
	var file unix.Stat_t
	var fs unix.Statfs_t
	if unix.Fstat(fd, &file) != nil || unix.Fstatfs(fd, &fs) != nil {
		return spoilt
	}
	if file.Mode != t.file.Mode || file.Uid != t.file.Uid || file.Gid != t.file.Gid || int64(t.fs.Ffree-fs.Ffree) > muchLeft {
		return spoilt
	}
	if n, _ := unix.Flistxattr(fd, nil); n != t.attrs {
		return spoilt
	}
	if fs.Ffree != t.fs.Ffree || fs.Bfree != t.fs.Bfree || file.Ctim != t.file.Ctim {
		return used
	}
	return pristine
}

// renew records a folder that was emptied as clean, and reports whether it really is.
func (t *tempFolder) renew() bool {
	clean := t.fs
	return t.remember() == nil && t.fs.Ffree == clean.Ffree && t.fs.Bfree == clean.Bfree
}

// noRoom reports whether a temporary folder has no room left; false for nil.
func noRoom(dir *os.File) bool {
	var now unix.Statfs_t
	return dir != nil && unix.Fstatfs(int(dir.Fd()), &now) == nil && (now.Bavail == 0 || now.Ffree == 0)
}

// inodeSize is about how much kernel memory an empty file takes.
const inodeSize = limits.KiB

// tempMemory returns how much memory the files take that were added to temporary folders since
// those were clean.
func tempMemory(folders []tempFolder) (sum limits.Bytes) {
	for _, t := range folders {
		var now unix.Statfs_t
		if unix.Fstatfs(int(t.dir.Fd()), &now) == nil {
			sum += limits.Bytes(int64(t.fs.Bfree-now.Bfree)*t.fs.Bsize) + limits.Bytes(t.fs.Ffree-now.Ffree)*inodeSize
		}
	}
	return sum
}
