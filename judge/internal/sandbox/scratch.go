//go:build linux

package sandbox

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"

	"golang.org/x/sys/unix"

	"tribunal/judge/internal/system"
)

// scratch is a host's folder for everything temporary, below the system's folder for temporary
// files. It is locked (flock) while the host lives. The kernel releases the lock when the judge
// dies, however it dies. So a folder of this kind that can be locked belongs to a dead judge; the
// next judge to start removes it and kills the programs that its records name.
type scratch struct {
	dir  string
	lock *os.File
}

// scratchPrefix begins the names of scratch folders.
const scratchPrefix = "tribunal-host-"

// openScratch removes what dead judges left below parent, and makes a folder there.
func openScratch(parent string) (*scratch, error) {
	sweepScratch(parent)
	for range 100 {
		dir, err := os.MkdirTemp(parent, scratchPrefix)
		if err != nil {
			return nil, err
		}
		lock, err := system.LockPlainFolder(dir, unix.LOCK_EX)
		switch {
		case err == nil:
			return &scratch{dir, lock}, nil
		case !errors.Is(err, os.ErrNotExist):
			return nil, errors.Join(err, os.Remove(dir))
		}
		// Another judge removed the folder before it was locked, because it looked like a dead
		// judge's.
	}
	return nil, fmt.Errorf("%s: every folder made there is removed at once", parent)
}

// close removes the folder with everything in it.
func (s *scratch) close() error {
	return errors.Join(removeAll(s.dir), s.lock.Close())
}

// sweepScratch removes the folders of this user's dead judges, and kills the programs that their
// records name.
func sweepScratch(parent string) {
	left, _ := filepath.Glob(filepath.Join(parent, scratchPrefix+"*"))
	for _, dir := range left {
		info, err := os.Lstat(dir)
		if err != nil || !info.IsDir() || info.Sys().(*syscall.Stat_t).Uid != uint32(os.Geteuid()) {
			continue // the folder of another user, whose judge removes it
		}
		lock, err := system.LockPlainFolder(dir, unix.LOCK_EX|unix.LOCK_NB)
		if err != nil {
			continue
		}
		records, _ := filepath.Glob(filepath.Join(dir, sessionPrefix+"*"))
		for _, r := range records {
			endSession(r)
		}
		_ = removeAll(dir) // what cannot be removed is left to the next judge
		lock.Close()
	}
}

// sessionRecord is a file that names the session in which a program without a container runs, and the
// brand of its processes, so that the next judge can kill them if this judge is killed. The file has a fixed size: writing to it
// must not fail when the disk is full.
type sessionRecord struct{ file *os.File }

const (
	sessionPrefix = "session-"
	sessionSize   = 128
)

func newSessionRecord(dir string) (sessionRecord, error) {
	f, err := os.CreateTemp(dir, sessionPrefix)
	if err != nil {
		return sessionRecord{}, err
	}
	r := sessionRecord{f}
	if err := r.clear(); err != nil {
		return sessionRecord{}, errors.Join(err, f.Close())
	}
	return r, nil
}

// set records the session whose leader is the process pid, which has not begun to run the program.
func (r sessionRecord) set(pid int, stat processStat, mark brand) error {
	return r.write(fmt.Sprintf("%d %d %s %d", pid, stat.start, processSpace(), mark))
}

// close removes the record.
func (r sessionRecord) close() error {
	return errors.Join(os.Remove(r.file.Name()), r.file.Close())
}

// clear records that nothing runs.
func (r sessionRecord) clear() error { return r.write("") }

func (r sessionRecord) write(text string) error {
	line := append(bytes.Repeat([]byte(" "), sessionSize-1), '\n')
	copy(line, text)
	_, err := r.file.WriteAt(line, 0)
	return err
}

// processSpace identifies the boot and the pid namespace to which process numbers and start times
// belong. It contains no blanks.
var processSpace = sync.OnceValue(func() string {
	boot, _ := os.ReadFile("/proc/sys/kernel/random/boot_id")
	space, _ := os.Readlink("/proc/self/ns/pid")
	return strings.Join(strings.Fields(string(boot)+" "+space), "/")
})

// endSession kills what is left of a recorded session, and all processes that bear its brand.
func endSession(record string) {
	text, err := os.ReadFile(record)
	if err != nil {
		return
	}
	var leader, start int
	var space string
	var mark brand
	if n, _ := fmt.Sscan(string(text), &leader, &start, &space, &mark); n != 4 || space != processSpace() {
		return
	}
	if now, err := readStat(leader); err == nil && now.start != start {
		leader = -1 // the number is another process's now, so nothing of the session is left
	}
	// The kernel does not reuse a number while a session has it. So a process in a session of
	// that number that is not older than the leader belongs to the session.
	left := &tree{proc: "/proc", root: leader, since: start, brand: mark}
	left.kill()
}
