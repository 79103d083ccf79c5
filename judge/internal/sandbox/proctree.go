package sandbox

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"time"

	"golang.org/x/sys/unix"

	"tribunal/judge/internal/limits"
)

// tree polls the processes of one run, for hosts without cgroups. What lives and
// dies between two polls is seen only in its parent's account.
type tree struct {
	proc  string // a /proc that shows them
	root  int    // the process that they descend from and that counts itself, or whose session they are in; 0: all but the first
	since int    // older processes are none of them, in clock ticks since the boot
	blind error  // why used could not look, if it could not
}

const clockTick = 10 * time.Millisecond // USER_HZ is 100 on all Linux ports in use

var pageSize = limits.Bytes(os.Getpagesize())

// processStat is what /proc/pid/stat says, see proc_pid_stat(5).
type processStat struct {
	dead             bool // and not yet waited for
	forked           bool // and has not become another program since
	exiting          bool // its files may be closed already
	parent, session  int
	start            int // in clock ticks since the boot
	cpu, childrenCPU time.Duration
}

// Of the kernel's process flags, PF_EXITING and PF_FORKNOEXEC.
const (
	isExiting  = 0x4
	forkNoExec = 0x40
)

func readStat(pid int) (processStat, error) { return readStatOf("/proc", pid) }

func readStatOf(proc string, pid int) (processStat, error) {
	text, err := get(proc+"/"+strconv.Itoa(pid), "stat")
	if err != nil {
		return processStat{}, err
	}
	// The command in parentheses may itself hold blanks and parentheses.
	fields := bytes.Fields(text[bytes.LastIndexByte(text, ')')+1:])
	if len(fields) < 20 {
		return processStat{}, fmt.Errorf("process %d: stat has %d fields", pid, len(fields))
	}
	at := func(i int) int { n, _ := strconv.Atoi(string(fields[i-3])); return n } // numbered as in the manual page
	return processStat{
		dead:        fields[0][0] == 'Z',
		parent:      at(4),
		session:     at(6),
		forked:      at(9)&forkNoExec != 0,
		exiting:     at(9)&isExiting != 0,
		start:       at(22),
		cpu:         time.Duration(at(14)+at(15)) * clockTick,
		childrenCPU: time.Duration(at(16)+at(17)) * clockTick,
	}, nil
}

// members returns the live processes of the tree with their accounts. An error
// means that the judge itself lacks something, such as descriptors.
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
		// A child whose parent has ended is nobody's child, but stays in its session.
		if stat.session == t.root {
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

// used returns the CPU time and the resident size of the tree now. Time of
// children that were waited for is in their parent's account.
func (t *tree) used() (cpu time.Duration, memory limits.Bytes) {
	list, err := t.members()
	if err != nil {
		t.blind = err
	}
	for pid, stat := range list {
		dir := t.proc + "/" + strconv.Itoa(pid)
		cpu += max(stat.cpu, threadTime(dir)) + stat.childrenCPU
		if pid == t.root && stat.forked {
			continue // until it starts the program it shows the memory of the judge
		}
		if text, err := get(dir, "statm"); err == nil {
			if fields := bytes.Fields(text); len(fields) > 1 {
				pages, _ := strconv.ParseInt(string(fields[1]), 10, 64)
				memory += limits.Bytes(pages) * pageSize
			}
		}
	}
	return cpu, memory
}

// threadTime returns the CPU time of a process's live threads to the nanosecond,
// where the kernel keeps it.
func threadTime(process string) (sum time.Duration) {
	dir := process + "/task"
	threads, _ := os.ReadDir(dir)
	for _, thread := range threads {
		text, err := get(dir+"/"+thread.Name(), "schedstat")
		if err != nil {
			return 0
		}
		first, _, _ := bytes.Cut(text, []byte(" "))
		ns, _ := strconv.ParseInt(string(first), 10, 64)
		sum += time.Duration(ns)
	}
	return sum
}

// kill ends every process of the tree, and those born meanwhile.
func (t *tree) kill() {
	for range 10 {
		list, _ := t.members()
		found := false
		for pid, stat := range list {
			if !stat.dead {
				found = true
				_ = unix.Kill(pid, unix.SIGKILL)
			}
		}
		if !found {
			return
		}
	}
}

// highWater returns the peak resident size of one process.
func highWater(pid int) limits.Bytes {
	text, err := get("/proc/"+strconv.Itoa(pid), "status")
	if err != nil {
		return 0
	}
	_, after, _ := bytes.Cut(text, []byte("VmHWM:"))
	fields := bytes.Fields(after)
	if len(fields) == 0 {
		return 0
	}
	kib, _ := strconv.ParseInt(string(fields[0]), 10, 64)
	return limits.Bytes(kib) * limits.KiB
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
			n += max(int(owner.Nlink)-2, 1) // one folder for each
		}
	}
	return n
}
