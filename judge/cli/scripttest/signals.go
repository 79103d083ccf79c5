//go:build linux

package scripttest

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"tribunal/judge/internal/config"
)

var signals = map[string]os.Signal{
	"INT": syscall.SIGINT, "TERM": syscall.SIGTERM, "HUP": syscall.SIGHUP, "KILL": syscall.SIGKILL,
}

// interrupts runs the judge and sends it signals as soon as the judge runs a program. It requires
// that the judge exits with status 130 and leaves no process, control group, mount or temporary
// file behind. The judge's cache must be in the script's folder, so that its processes can be
// distinguished from others.
//
// The judge runs a program as soon as the program writes a byte to the named pipe, or as soon as
// the judge has a descendant of the given name.
//
//	interrupts INT,INT out/sample/small.out judge grade …
//	interrupts TERM cc1plus judge grade …
func interrupts(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 4 || args[2] != "judge" {
		ts.Fatalf("usage: interrupts signal[,signal] pipe|name judge [argument...]")
	}
	cmd, took := runUntilSignal(ts, args[0], args[1], args[3:])
	if got := cmd.ProcessState.ExitCode(); got != 130 {
		ts.Fatalf("exited with status %d, want 130", got)
	}
	ts.Logf("exited %v after the signal", took.Round(time.Millisecond))
	work := ts.Getenv("WORK")
	if left := leftovers(work, cmd.Process.Pid); len(left) > 0 {
		ts.Fatalf("left behind: %s", strings.Join(left, ", "))
	}
	noFiles(ts)
}

// kills is like interrupts with SIGKILL, which leaves the judge no time to clean up. So the next
// judge, which grades sum.c, must remove what was left.
//
//	kills out/sample/small.out judge grade …
func (p patience) kills(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 3 || args[1] != "judge" {
		ts.Fatalf("usage: kills pipe|name judge [argument...]")
	}
	cmd, _ := runUntilSignal(ts, "KILL", args[0], args[2:])
	work := ts.Getenv("WORK")
	next := judgeCommand(ts, "grade", "sum", "sum.c")
	if err := next.Run(); err != nil {
		ts.Fatalf("the next judge: %v", err)
	}
	// The kernel takes some time to remove killed processes.
	for left := leftovers(work, cmd.Process.Pid); len(left) > 0; left = leftovers(work, cmd.Process.Pid) {
		if p.ended() {
			ts.Fatalf("left behind: %s", strings.Join(left, ", "))
		}
		time.Sleep(10 * time.Millisecond)
	}
	noFiles(ts)
}

// noFiles requires that no temporary or unfinished files are left.
func noFiles(ts *testscript.TestScript) {
	for _, pattern := range []string{
		filepath.Join(ts.Getenv("TMPDIR"), "*"),
		filepath.Join(ts.Getenv("WORK"), "cache", "making", "*"),
	} {
		if left, err := filepath.Glob(pattern); err != nil || len(left) > 0 {
			ts.Fatalf("left behind: %v %v", left, err)
		}
	}
}

// judgeCommand returns a command that runs the judge with a cache in the script's folder. The
// executable is a copy, by which its processes can be distinguished from others.
func judgeCommand(ts *testscript.TestScript, args ...string) *exec.Cmd {
	work := ts.Getenv("WORK")
	cmd := exec.Command(filepath.Join(work, "bin", "judge"), args...)
	if _, err := os.Stat(cmd.Path); err != nil {
		ownJudge(ts, filepath.Dir(cmd.Path))
	}
	cmd.Dir = work
	cmd.Env = []string{"PATH=" + ts.Getenv("PATH"), "TMPDIR=" + ts.Getenv("TMPDIR"), config.CacheVariable + "=" + filepath.Join(work, "cache")}
	cmd.Stdout, cmd.Stderr = ts.Stdout(), ts.Stderr()
	return cmd
}

// runUntilSignal runs the judge, sends it the signals as soon as it runs a program, and waits until
// the judge has exited. sign is a named pipe or the name of a process, as for interrupts. It
// returns how long the judge took after the signals.
func runUntilSignal(ts *testscript.TestScript, names, sign string, args []string) (*exec.Cmd, time.Duration) {
	cmd := judgeCommand(ts, args...)
	ts.Check(cmd.Start())
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	begun := make(chan error, 1)
	pipe := ts.MkAbs(sign)
	if info, err := os.Stat(pipe); err == nil && info.Mode()&fs.ModeNamedPipe != 0 {
		go func() { begun <- readByte(pipe) }()
	} else {
		pipe = ""
		go func() {
			for !descends(cmd.Process.Pid, sign) {
				time.Sleep(time.Millisecond)
			}
			begun <- nil
		}()
	}
	select {
	case err := <-begun:
		ts.Check(err)
	case err := <-ended:
		if f, err := os.OpenFile(pipe, os.O_RDWR, 0); err == nil {
			f.Close() // unblock the reader, because no writer will come
		}
		ts.Fatalf("exited before it ran a program: %v", err)
	}
	start := time.Now()
	for name := range strings.SplitSeq(names, ",") {
		ts.Check(cmd.Process.Signal(signals[name]))
	}
	<-ended
	return cmd, time.Since(start)
}

func descends(from int, name string) bool {
	files, _ := filepath.Glob("/proc/[0-9]*/stat")
	return slices.ContainsFunc(files, func(file string) bool {
		pid, _ := strconv.Atoi(strings.Split(file, "/")[2])
		comm, state, _ := processStat(pid)
		return comm == name && state != "Z" && Below(pid, from)
	})
}

// Below reports whether the process pid is the process from or a descendant of it.
func Below(pid, from int) bool {
	for pid > 1 && pid != from {
		_, _, pid = processStat(pid)
	}
	return pid == from
}

// processStat returns the name, state and parent of a process; the parent is 0 if the process has ended.
func processStat(pid int) (comm, state string, parent int) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return "", "", 0
	}
	_, rest, _ := strings.Cut(string(text), " (")
	comm = rest[:max(strings.LastIndexByte(rest, ')'), 0)]
	fmt.Sscan(rest[len(comm)+1:], &state, &parent)
	return comm, state, parent
}

// runs reports whether a process has not ended.
func runs(pid int) bool {
	_, state, parent := processStat(pid)
	return parent != 0 && state != "Z"
}

// readByte waits for the first byte from a named pipe.
func readByte(pipe string) error {
	f, err := os.Open(pipe)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = f.Read(make([]byte, 1))
	return err
}

// leftovers returns the processes that execute a file below dir or work there, and the control
// groups and mounts named after the folder or the judge.
func leftovers(dir string, judge int) []string {
	list := running(dir)
	name := fmt.Sprintf("tribunal-%d.", judge)
	_ = filepath.WalkDir("/sys/fs/cgroup", func(path string, d fs.DirEntry, err error) error {
		if err == nil && strings.HasPrefix(d.Name(), name) {
			list = append(list, "control group "+path)
		}
		return nil // ignore errors: groups of other processes come and go
	})
	mounts, _ := os.ReadFile("/proc/self/mountinfo")
	for line := range strings.Lines(string(mounts)) {
		if strings.Contains(line, dir+"/") || strings.Contains(line, dir+" ") {
			list = append(list, "mount "+strings.TrimSpace(line))
		}
	}
	return list
}

// running returns the processes that execute a file below dir or work there.
func running(dir string) (list []string) {
	ours := map[[2]uint64]string{}
	_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if info, statErr := os.Stat(path); err == nil && statErr == nil && d.Type().IsRegular() {
			s := info.Sys().(*syscall.Stat_t)
			ours[[2]uint64{s.Dev, s.Ino}] = path
		}
		return nil
	})
	processes, _ := filepath.Glob("/proc/[0-9]*/exe")
	for _, exe := range processes {
		// The kernel resolves this link itself, so it works in any mount namespace.
		if info, err := os.Stat(exe); err == nil {
			s := info.Sys().(*syscall.Stat_t)
			if path, ok := ours[[2]uint64{s.Dev, s.Ino}]; ok {
				list = append(list, fmt.Sprintf("process %s, which executes %s", exe, path))
			}
		}
	}
	folders, _ := filepath.Glob("/proc/[0-9]*/cwd")
	for _, cwd := range folders {
		if path, err := os.Readlink(cwd); err == nil && strings.HasPrefix(path+"/", dir+"/") {
			list = append(list, fmt.Sprintf("process %s, which works in %s", cwd, path))
		}
	}
	return list
}
