//go:build linux

package sandbox

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// TestSweepScratch checks which folders a new judge removes.
func TestSweepScratch(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why  string
		make func(path string) error
		name string
		gone bool
	}{
		{"a folder that is not locked is a dead judge's", func(path string) error {
			return errors.Join(os.MkdirAll(path+"/box-1/w/deep", 0o700), os.WriteFile(path+"/box-1/w/file", nil, 0o600))
		}, scratchPrefix + "1", true},
		{"folders whose permissions a program took away as well", func(path string) error {
			return errors.Join(os.MkdirAll(path+"/box-1/w/deep/er", 0o700), os.Chmod(path+"/box-1/w/deep", 0), os.Chmod(path+"/box-1/w", 0))
		}, scratchPrefix + "2", true},
		{"an empty folder, made by a judge that died at once", func(path string) error { return os.Mkdir(path, 0o700) }, scratchPrefix + "3", true},
		{"an empty record does no harm", func(path string) error {
			return errors.Join(os.Mkdir(path, 0o700), os.WriteFile(path+"/"+sessionPrefix+"1", []byte("1 x"), 0o600))
		}, scratchPrefix + "4", true},
		{"a file is not a judge's folder", func(path string) error { return os.WriteFile(path, nil, 0o600) }, scratchPrefix + "5", false},
		{"a symbolic link is not a judge's folder", func(path string) error { return os.Symlink("/", path) }, scratchPrefix + "6", false},
		{"a folder with another name is not a judge's", func(path string) error { return os.Mkdir(path, 0o700) }, "tribunal-other-1", false},
	} {
		parent := t.TempDir()
		path := filepath.Join(parent, tt.name)
		if err := tt.make(path); err != nil {
			t.Fatal(err)
		}
		s, err := openScratch(parent)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := os.Lstat(path); errors.Is(err, os.ErrNotExist) != tt.gone {
			t.Errorf("%s: gone is %v, want %v", tt.why, err != nil, tt.gone)
		}
		if err := s.close(); err != nil {
			t.Error(err)
		}
		if left, _ := filepath.Glob(filepath.Join(parent, "*")); tt.gone && len(left) > 0 {
			t.Errorf("%s: left %v", tt.why, left)
		}
	}
}

// TestScratchOfTheLiving starts and ends many judges at the same time: none may remove the folder
// of a live one.
func TestScratchOfTheLiving(t *testing.T) {
	t.Parallel()
	parent := t.TempDir()
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 50 {
				s, err := openScratch(parent)
				if err != nil {
					t.Error(err)
					return
				}
				file := filepath.Join(s.dir, "file")
				if err := os.WriteFile(file, nil, 0o600); err != nil {
					t.Errorf("the folder of a living judge: %v", err)
				}
				sweepScratch(parent)
				if _, err := os.Stat(file); err != nil {
					t.Errorf("the folder of a living judge: %v", err)
				}
				if err := s.close(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	if left, _ := filepath.Glob(filepath.Join(parent, "*")); len(left) > 0 {
		t.Errorf("left %v", left)
	}
}

// session starts a session of idle processes: its leader, which exits at once unless leads is set,
// a child, and an orphan in another process group. They live until the returned pipe is closed or
// they are killed; reading the pipe returns its end when the last of them has exited.
func session(t *testing.T, leads bool) (leader int, alive *os.File) {
	t.Helper()
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	// Two processes each write to descriptor 3 once they have started their children.
	script := `set -m; (sleep 1000 & echo 1 >&3; sleep 1000) & (sleep 1000 &) ; echo 2 >&3; `
	if leads {
		script += `wait; sleep 1000`
	}
	cmd := exec.Command("sh", "-c", script)
	cmd.ExtraFiles = []*os.File{write}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	write.Close()
	if _, err := io.ReadFull(read, make([]byte, len("1\n2\n"))); err != nil {
		t.Fatal(err)
	}
	if leads {
		go cmd.Wait() // so that it does not stay a zombie
	} else {
		cmd.Wait()
	}
	t.Cleanup(func() {
		(&tree{proc: "/proc", root: cmd.Process.Pid}).kill()
		read.Close()
	})
	return cmd.Process.Pid, read
}

// TestEndSession checks that endSession kills the recorded session and no other process.
func TestEndSession(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why    string
		leads  bool // whether the leader still lives
		record func(leader, start int) string
		killed bool
	}{
		{"the program and all it started", true, func(leader, start int) string {
			return fmt.Sprintln(leader, start, processSpace(), 0)
		}, true},
		{"the program itself has exited", false, func(leader, start int) string {
			return fmt.Sprintln(leader, start, processSpace(), 0)
		}, true},
		{"the number was given to a younger process", true, func(leader, start int) string {
			return fmt.Sprintln(leader, start-1, processSpace(), 0)
		}, false},
		{"a process older than the recorded program is not its child", false, func(leader, start int) string {
			return fmt.Sprintln(leader, start+1_000_000, processSpace(), 0)
		}, false},
		{"the record is from another boot or another container", true, func(leader, start int) string {
			return fmt.Sprintln(leader, start, "elsewhere", 0)
		}, false},
		{"nothing ran when the judge died", true, func(int, int) string { return "" }, false},
	} {
		before := uptime(t)
		leader, alive := session(t, tt.leads)
		start := before
		if stat, err := readStat(leader); err == nil {
			start = stat.start
		}
		parent := t.TempDir()
		dir := filepath.Join(parent, scratchPrefix+"1")
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		file, err := os.Create(filepath.Join(dir, sessionPrefix+"1"))
		if err != nil {
			t.Fatal(err)
		}
		if err := (sessionRecord{file}).write(strings.TrimSpace(tt.record(leader, start))); err != nil {
			t.Fatal(err)
		}
		file.Close()
		sweepScratch(parent)
		if tt.killed {
			if n, err := alive.Read(make([]byte, 1)); n != 0 || err == nil { // the read returns when all processes have exited
				t.Errorf("%s: %d %v", tt.why, n, err)
			}
			continue
		}
		if list, _ := (&tree{proc: "/proc", root: leader}).members(); len(list) < 3 {
			t.Errorf("%s: %d of its processes are left", tt.why, len(list))
		}
	}
}

// uptime returns the time since the boot in clock ticks.
func uptime(t *testing.T) int {
	t.Helper()
	var now unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_BOOTTIME, &now); err != nil {
		t.Fatal(err)
	}
	return int(now.Nano() / int64(clockTick))
}

// TestSessionRecord checks that a recorded process is found again.
func TestSessionRecord(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	r, err := newSessionRecord(dir)
	if err != nil {
		t.Fatal(err)
	}
	stat, err := readStat(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	if err := r.set(os.Getpid(), stat, 7); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(r.file.Name())
	if want := fmt.Sprintln(os.Getpid(), stat.start, processSpace(), 7); err != nil || strings.Join(strings.Fields(string(text)), " ")+"\n" != want || len(text) != sessionSize {
		t.Errorf("the record is %q, want %q in %d bytes (%v)", text, want, sessionSize, err)
	}
	if err := r.clear(); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(r.file.Name()); err != nil || strings.TrimSpace(string(text)) != "" || len(text) != sessionSize {
		t.Errorf("the cleared record is %q (%v)", text, err)
	}
	if err := r.close(); err != nil {
		t.Error(err)
	}
}
