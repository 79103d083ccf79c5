package run

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// holdings counts the resources of a process that a leak would increase.
type holdings struct{ descriptors, goroutines, children, mounts int }

func held(t testing.TB) (h holdings) {
	t.Helper()
	h.goroutines = runtime.NumGoroutine()
	if list, err := os.ReadDir("/proc/self/fd"); err == nil {
		h.descriptors = len(list)
	}
	h.children = len(children(os.Getpid()))
	if text, err := os.ReadFile("/proc/self/mountinfo"); err == nil {
		h.mounts = bytes.Count(text, []byte("\n"))
	}
	return h
}

// expectHeld waits until this process holds no more resources than before: ended processes may
// exist for a moment longer, on a busy host for many moments.
func expectHeld(t testing.TB, before holdings) {
	t.Helper()
	deadline := time.Now().Add(5 * time.Minute)
	for {
		now := held(t)
		if now.descriptors <= before.descriptors && now.goroutines <= before.goroutines && now.children <= before.children && now.mounts <= before.mounts {
			return
		}
		if time.Now().After(deadline) {
			stacks := make([]byte, 1<<16)
			t.Errorf("holds %+v, held %+v before\n%s\n%s", now, before, links(), stacks[:runtime.Stack(stacks, true)])
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// children returns the children of a process.
func children(pid int) (list []int) {
	files, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	for _, file := range files {
		text, _ := os.ReadFile(file)
		for word := range strings.FieldsSeq(string(text)) {
			if n, err := strconv.Atoi(word); err == nil {
				list = append(list, n)
			}
		}
	}
	return list
}

// killInits kills the first processes of this process's containers, or only of
// those in which a program of that name runs, and returns how many.
func killInits(running string) (killed int) {
	for _, pid := range children(os.Getpid()) {
		wanted := running == "" || slices.ContainsFunc(children(pid), func(program int) bool {
			name, _ := os.ReadFile(fmt.Sprintf("/proc/%d/comm", program))
			return strings.TrimSpace(string(name)) == running
		})
		if wanted && unix.Kill(pid, unix.SIGKILL) == nil {
			killed++
		}
	}
	return killed
}

// appears reports whether a program of that name runs below this process.
func appears(name string) bool {
	for _, child := range children(os.Getpid()) {
		for _, pid := range append(children(child), child) {
			if comm, _ := os.ReadFile(fmt.Sprintf("/proc/%d/comm", pid)); strings.TrimSpace(string(comm)) == name {
				return true
			}
		}
	}
	return false
}

// removeGroups removes the control groups of this process's hosts, and returns how
// many there were.
func removeGroups() (removed int) {
	var roots []string
	_ = filepath.WalkDir("/sys/fs/cgroup", func(path string, d fs.DirEntry, err error) error {
		if err == nil && strings.HasPrefix(d.Name(), fmt.Sprintf("tribunal-%d.", os.Getpid())) {
			roots = append(roots, path)
		}
		return nil
	})
	for _, root := range roots {
		below, _ := filepath.Glob(filepath.Join(root, "run*"))
		for _, dir := range append(below, root) {
			if unix.Rmdir(dir) == nil {
				removed++
			}
		}
	}
	return removed
}

// boundDescriptors keeps the descriptors of this process below limit.
func boundDescriptors(t *testing.T, limit int) (undo func()) {
	t.Helper()
	var old unix.Rlimit
	if err := unix.Prlimit(0, unix.RLIMIT_NOFILE, nil, &old); err != nil {
		t.Fatal(err)
	}
	if err := unix.Prlimit(0, unix.RLIMIT_NOFILE, &unix.Rlimit{Cur: uint64(limit), Max: old.Max}, nil); err != nil {
		t.Fatal(err)
	}
	return func() {
		if err := unix.Prlimit(0, unix.RLIMIT_NOFILE, &old, nil); err != nil {
			t.Error(err)
		}
	}
}

// warmThreads makes the Go runtime start more threads than the tests need. It keeps them: if it
// could not start one during a fault, the process would die.
func warmThreads() {
	var all sync.WaitGroup
	for range 32 {
		all.Go(func() {
			_ = unix.Nanosleep(&unix.Timespec{Nsec: 2e7}, nil) // each sleep occupies a thread
		})
	}
	all.Wait()
}

// boundProcesses prevents this process from starting others.
func boundProcesses(t *testing.T) (undo func()) {
	t.Helper()
	if os.Geteuid() != 0 {
		var old unix.Rlimit
		if err := unix.Prlimit(0, unix.RLIMIT_NPROC, nil, &old); err != nil {
			t.Fatal(err)
		}
		if err := unix.Prlimit(0, unix.RLIMIT_NPROC, &unix.Rlimit{Cur: 1, Max: old.Max}, nil); err != nil {
			t.Fatal(err)
		}
		return func() {
			if err := unix.Prlimit(0, unix.RLIMIT_NPROC, &old, nil); err != nil {
				t.Error(err)
			}
		}
	}
	// That limit does not bind root, but a group's does.
	own, err := os.ReadFile("/proc/self/cgroup")
	if err != nil {
		t.Fatal(err)
	}
	_, path, found := strings.Cut(string(own), ":pids:")
	path, _, _ = strings.Cut(path, "\n")
	parent := filepath.Join("/sys/fs/cgroup/pids", path)
	dir := filepath.Join(parent, fmt.Sprintf("test-of-tribunal-%d", os.Getpid()))
	if err := os.Mkdir(dir, 0o755); !found || err != nil {
		t.Skipf("not checked: a host without room for processes (no pids controller of cgroup v1): %v", err)
	}
	move := func(to string) error {
		return os.WriteFile(filepath.Join(to, "cgroup.procs"), []byte(strconv.Itoa(os.Getpid())), 0)
	}
	undo = func() {
		if err := errors.Join(move(parent), os.Remove(dir)); err != nil {
			t.Error(err)
		}
	}
	err = move(dir)
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "pids.max"), []byte("1"), 0)
	}
	if err != nil {
		undo()
		t.Fatal(err)
	}
	return undo
}

// links lists what the descriptors of this process refer to.
func links() string {
	files, _ := filepath.Glob("/proc/self/fd/*")
	for i, file := range files {
		to, _ := os.Readlink(file)
		files[i] = filepath.Base(file) + " " + to
	}
	return strings.Join(files, "\n")
}
