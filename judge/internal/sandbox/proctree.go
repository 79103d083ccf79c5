package sandbox

import (
	"bytes"
	"os"
	"strconv"
	"time"

	"golang.org/x/sys/unix"

	"tribunal/judge/internal/limits"
)

// tree polls the processes of one run, for hosts without cgroups. What lives and
// dies between two polls is seen only in its parent's account.
type tree struct {
	proc string // a /proc that shows them
	root int    // the process that they descend from and that counts itself; 0: all but the first
}

const clockTick = 10 * time.Millisecond // USER_HZ is 100 on all Linux ports in use

var pageSize = limits.Bytes(os.Getpagesize())

// processStat is what /proc/pid/stat says, see proc_pid_stat(5).
type processStat struct {
	parent           int
	forked           bool // and has not become another program since
	cpu, childrenCPU time.Duration
}

// forkNoExec is PF_FORKNOEXEC of the kernel's process flags.
const forkNoExec = 0x40

func readStat(pid int) (processStat, bool) { return readStatOf("/proc", pid) }

func readStatOf(proc string, pid int) (processStat, bool) {
	text, err := get(proc+"/"+strconv.Itoa(pid), "stat")
	if err != nil {
		return processStat{}, false
	}
	// The command in parentheses may itself hold blanks and parentheses.
	fields := bytes.Fields(text[bytes.LastIndexByte(text, ')')+1:])
	if len(fields) < 15 {
		return processStat{}, false
	}
	at := func(i int) int { n, _ := strconv.Atoi(string(fields[i-3])); return n } // numbered as in the manual page
	return processStat{
		parent:      at(4),
		forked:      at(9)&forkNoExec != 0,
		cpu:         time.Duration(at(14)+at(15)) * clockTick,
		childrenCPU: time.Duration(at(16)+at(17)) * clockTick,
	}, true
}

// members returns the live processes of the tree with their accounts.
func (t *tree) members() map[int]processStat {
	all := map[int]processStat{}
	dir, err := os.Open(t.proc)
	if err != nil {
		return nil
	}
	defer dir.Close()
	names, _ := dir.Readdirnames(-1)
	for _, name := range names {
		pid, err := strconv.Atoi(name)
		if err != nil || t.root == 0 && pid == 1 {
			continue
		}
		if stat, ok := readStatOf(t.proc, pid); ok {
			all[pid] = stat
		}
	}
	if t.root == 0 {
		return all
	}
	below := map[int]processStat{}
	for pid, stat := range all {
		for p, steps := pid, 0; p > 1 && steps <= len(all); p, steps = all[p].parent, steps+1 {
			if p == t.root {
				below[pid] = stat
				break
			}
		}
	}
	return below
}

// used returns the CPU time and the resident size of the tree now. Time of
// children that were waited for is in their parent's account.
func (t *tree) used() (cpu time.Duration, memory limits.Bytes) {
	for pid, stat := range t.members() {
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
		list := t.members()
		if len(list) == 0 {
			return
		}
		for pid := range list {
			_ = unix.Kill(pid, unix.SIGKILL)
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
