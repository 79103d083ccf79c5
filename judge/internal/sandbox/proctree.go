//go:build linux

package sandbox

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"tribunal/judge/internal/limits"
)

// tree polls the processes of one run, on hosts without cgroups. A process that starts and ends
// between two polls is seen only in its parent's account. Its methods may be called at any time
// from any goroutine.
type tree struct {
	proc    string // a /proc that shows the processes
	root    int    // the tree is this process, its descendants, its session and its brand; 0: all processes of proc but the first
	since   int    // skip processes that started earlier, in clock ticks since the boot
	brand   brand  // of the processes of the tree; 0: none
	readErr error  // why the last failed poll could not see the processes; nil if none failed

	backing backing
	brands  brands

	mu          sync.Mutex
	gone        departed
	files       limits.Bytes // the most memory that a process had of files on a disk
	pages, maps costly       // results of exact and mappings
}

const clockTick = 10 * time.Millisecond // USER_HZ is 100 on all Linux ports in use

var pageSize = limits.Bytes(os.Getpagesize())

// processStat is the content of /proc/pid/stat, see proc_pid_stat(5). Some of its fields describe
// the first thread instead of the process: its state is that of a dead process once the first
// thread has ended, whatever the others do.
type processStat struct {
	dead             bool // a zombie: all its threads have ended, and its parent has not waited for it
	forked           bool // it has not executed another program since its fork
	exiting          bool // all its threads are about to end; its files may be closed already
	parent, session  int
	start            int // in clock ticks since the boot
	cpu, childrenCPU time.Duration
}

// Two of the kernel's process flags, PF_EXITING and PF_FORKNOEXEC.
const (
	isExiting  = 0x4
	forkNoExec = 0x40
)

func readStat(pid int) (processStat, error) { return readStatOf("/proc", pid) }

func readStatOf(proc string, pid int) (processStat, error) {
	text, err := readSmall(proc+"/"+strconv.Itoa(pid), "stat")
	if err != nil {
		return processStat{}, err
	}
	// The command in parentheses may itself hold blanks and parentheses.
	fields := bytes.Fields(text[bytes.LastIndexByte(text, ')')+1:])
	if len(fields) < 20 {
		return processStat{}, fmt.Errorf("process %d: stat has %d fields", pid, len(fields))
	}
	at := func(i int) int { n, _ := strconv.Atoi(string(fields[i-3])); return n } // fields are numbered as in the manual page
	alone := at(20) <= 1                                                          // one thread is left; the first counts until the last has ended
	return processStat{
		dead:        alone && (fields[0][0] == 'Z' || fields[0][0] == 'X'),
		parent:      at(4),
		session:     at(6),
		forked:      at(9)&forkNoExec != 0,
		exiting:     alone && at(9)&isExiting != 0,
		start:       at(22),
		cpu:         time.Duration(at(14)+at(15)) * clockTick,
		childrenCPU: time.Duration(at(16)+at(17)) * clockTick,
	}, nil
}

// members returns the live processes of the tree with their accounts. An error means that the judge
// itself ran out of something, such as descriptors.
func (t *tree) members() (map[int]processStat, error) {
	all := map[int]processStat{}
	dir, err := os.Open(t.proc)
	if Exhausted(err) {
		return nil, err
	}
	if err != nil {
		return nil, nil // the /proc of a container that has ended
	}
	defer dir.Close()
	names, _ := dir.Readdirnames(-1)
	for _, name := range names {
		pid, err := strconv.Atoi(name)
		if err != nil || t.root == 0 && pid == 1 {
			continue
		}
		stat, err := readStatOf(t.proc, pid)
		if Exhausted(err) {
			return nil, err
		}
		if err == nil {
			all[pid] = stat
		}
	}
	if t.root == 0 {
		return all, nil
	}
	below := map[int]processStat{}
	for pid, stat := range all {
		if stat.start < t.since {
			continue
		}
		// If its parent ends, a child gets a new parent but stays in its session, unless it leaves that
		// as well.
		if stat.session == t.root || t.brand != 0 && t.brands.of(t.proc, pid, stat) == t.brand {
			below[pid] = stat
			continue
		}
		for p, steps := pid, 0; p > 1 && steps <= len(all); p, steps = all[p].parent, steps+1 {
			if p == t.root {
				below[pid] = stat
				break
			}
		}
	}
	return below, nil
}

// usage holds the CPU time and memory of a tree.
type usage struct {
	cpu      time.Duration // including that of processes that were polled and have ended
	memory   limits.Bytes  // shared pages may count several times
	sure     limits.Bytes  // a lower bound of the memory: that of the largest process
	mappable limits.Bytes  // the most memory that mappings may take in addition
}

// used polls the tree.
func (t *tree) used() (u usage) {
	t.mu.Lock()
	defer t.mu.Unlock()
	list, err := t.members()
	if err != nil {
		t.readErr = err
	}
	used := make(map[int]time.Duration, len(list))
	for pid, stat := range list {
		dir := t.proc + "/" + strconv.Itoa(pid)
		used[pid] = max(stat.cpu, threadTime(dir))
		if pid == t.root && stat.forked {
			continue // before its execve it shows the memory of the judge
		}
		h, _ := holdingOf(dir)
		u.memory, u.sure, u.mappable = u.memory+h.total, max(u.sure, h.anon+h.kernel), u.mappable+h.mappable
		t.files = max(t.files, h.files)
	}
	u.cpu = t.gone.update(list, used)
	return u
}

// threadTime returns the CPU time of a process's live threads to the nanosecond, or 0 if the kernel
// does not keep it.
func threadTime(process string) (sum time.Duration) {
	dir := process + "/task"
	threads, _ := os.ReadDir(dir)
	for _, thread := range threads {
		text, err := readSmall(dir+"/"+thread.Name(), "schedstat")
		if err != nil {
			return 0
		}
		first, _, _ := bytes.Cut(text, []byte(" "))
		ns, _ := strconv.ParseInt(string(first), 10, 64)
		sum += time.Duration(ns)
	}
	return sum
}

// killPatience is how long kill waits for the processes that it has killed.
const killPatience = 2 * time.Second

// kill kills every process of the tree, and those that start meanwhile, and waits until they are
// dead. It reaps those that have become children of this process, but not the root.
func (t *tree) kill() {
	deadline := time.Now().Add(killPatience)
	for again := true; again && time.Now().Before(deadline); {
		again = false
		list, _ := t.members()
		for pid, stat := range list {
			if !stat.dead {
				again = true
				_ = unix.Kill(pid, unix.SIGKILL)
			}
		}
		for pid, stat := range list {
			if !stat.dead {
				awaitDeath(pid, deadline)
			}
			if pid != t.root && stat.parent == os.Getpid() {
				_, _ = unix.Wait4(pid, nil, unix.WNOHANG|unix.WALL, nil)
			}
		}
	}
}

// awaitDeath waits until a process is dead or gone.
func awaitDeath(pid int, deadline time.Time) {
	fd, err := unix.PidfdOpen(pid, 0)
	if err != nil {
		return // gone, or the kernel or the judge has no descriptors for it: the next look at it decides
	}
	defer unix.Close(fd)
	for {
		left := time.Until(deadline)
		n, err := unix.Poll([]unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}, int(max(left, 0)/time.Millisecond))
		if n != 0 || err != unix.EINTR {
			return
		}
	}
}

// tasks counts the processes and threads of an account.
func tasks(proc string, uid int) (n int) {
	entries, _ := os.ReadDir(proc)
	for _, e := range entries {
		if _, err := strconv.Atoi(e.Name()); err != nil {
			continue
		}
		var owner unix.Stat_t
		if unix.Stat(proc+"/"+e.Name()+"/task", &owner) == nil && int(owner.Uid) == uid {
			n += max(int(owner.Nlink)-2, 1) // one folder for each thread
		}
	}
	return n
}
