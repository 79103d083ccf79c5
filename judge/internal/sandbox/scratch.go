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

	"tribunal/judge/internal/flock"
)

// scratch is the one folder below the folder for temporary files that holds
// everything temporary of a host, locked (flock) as long as the host lives. The
// kernel lets go of the lock when the judge dies, however it dies; so a folder of
// this kind that can be locked is what a dead judge left behind, and the next one
// to start clears it away together with the programs that its records name.
type scratch struct {
	dir  string
	lock *os.File
}

// scratchPrefix begins the names of these folders.
const scratchPrefix = "tribunal-host-"

// openScratch clears away what dead judges left below parent and makes a folder
// there.
func openScratch(parent string) (*scratch, error) {
	sweepScratch(parent)
	for range 100 {
		dir, err := os.MkdirTemp(parent, scratchPrefix)
		if err != nil {
			return nil, err
		}
		lock, err := flock.PlainFolder(dir, unix.LOCK_EX)
		switch {
		case err == nil:
			return &scratch{dir, lock}, nil
		case !errors.Is(err, os.ErrNotExist):
			return nil, errors.Join(err, os.Remove(dir))
		}
		// Another judge came by before the lock and took it for a dead one's.
	}
	return nil, fmt.Errorf("%s: folders do not stay", parent)
}

// close removes the folder with all that is in it.
func (s *scratch) close() error {
	return errors.Join(removeAll(s.dir), s.lock.Close())
}

// sweepScratch removes the folders of this user's dead judges, and ends what they
// recorded as running.
func sweepScratch(parent string) {
	left, _ := filepath.Glob(filepath.Join(parent, scratchPrefix+"*"))
	for _, dir := range left {
		info, err := os.Lstat(dir)
		if err != nil || !info.IsDir() || info.Sys().(*syscall.Stat_t).Uid != uint32(os.Geteuid()) {
			continue // another user's is that user's to clear away
		}
		lock, err := flock.PlainFolder(dir, unix.LOCK_EX|unix.LOCK_NB)
		if err != nil {
			continue
		}
		records, _ := filepath.Glob(filepath.Join(dir, sessionPrefix+"*"))
		for _, r := range records {
			endSession(r)
		}
		_ = removeAll(dir) // what cannot be removed is left for the next
		lock.Close()
	}
}

// A session record names the session that a program without a container was
// started in, so that the next judge can end it should this one be killed. The
// file keeps its size: writing to it must not fail when the disk is full.
type sessionRecord struct{ file *os.File }

const (
	sessionPrefix = "session-"
	sessionSize   = 128
)

// newSessionRecord makes an empty record.
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

// set records the session that pid, which has not begun to run the program, leads.
func (r sessionRecord) set(pid int) error {
	stat, err := readStat(pid)
	if err != nil {
		return err
	}
	return r.write(fmt.Sprintf("%d %d %s", pid, stat.start, processSpace()))
}

// close removes the record.
func (r sessionRecord) close() error {
	return errors.Join(os.Remove(r.file.Name()), r.file.Close())
}

// clear says that nothing runs.
func (r sessionRecord) clear() error { return r.write("") }

func (r sessionRecord) write(text string) error {
	line := append(bytes.Repeat([]byte(" "), sessionSize-1), '\n')
	copy(line, text)
	_, err := r.file.WriteAt(line, 0)
	return err
}

// processSpace names the boot and the pid namespace that process numbers and start
// times are those of. It holds no blanks.
var processSpace = sync.OnceValue(func() string {
	boot, _ := os.ReadFile("/proc/sys/kernel/random/boot_id")
	space, _ := os.Readlink("/proc/self/ns/pid")
	return strings.Join(strings.Fields(string(boot)+" "+space), "/")
})

// endSession kills what is left of a recorded session.
func endSession(record string) {
	text, err := os.ReadFile(record)
	if err != nil {
		return
	}
	var leader, start int
	var space string
	if n, _ := fmt.Sscan(string(text), &leader, &start, &space); n != 3 || space != processSpace() {
		return
	}
	if now, err := readStat(leader); err == nil && now.start != start {
		return // the number is another process's now, so nothing of the session is left
	}
	// The kernel does not give a number away while a session bears it, so whoever is
	// in a session of that number and not older than its leader belongs to it.
	session := &tree{proc: "/proc", root: leader, since: start}
	session.kill()
}
