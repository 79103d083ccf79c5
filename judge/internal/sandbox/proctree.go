package sandbox

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"golang.org/x/sys/unix"

	"tribunal/judge/internal/limits"
)

// tree polls the processes below one process, for hosts without cgroups. What
// lives and dies between two polls is seen only in its parent's account.
type tree struct {
	root int  // the process whose descendants count
	self bool // root itself counts as well
}

const clockTick = 10 * time.Millisecond // USER_HZ is 100 on all Linux ports in use

var pageSize = limits.Bytes(os.Getpagesize())

// processStat is what /proc/pid/stat says, see proc_pid_stat(5).
type processStat struct {
	parent           int
	cpu, childrenCPU time.Duration
}

func readStat(pid int) (processStat, bool) {
	text, err := get("/proc/"+strconv.Itoa(pid), "stat")
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
		cpu:         time.Duration(at(14)+at(15)) * clockTick,
		childrenCPU: time.Duration(at(16)+at(17)) * clockTick,
	}, true
}

// members returns the live processes of the tree.
func (t *tree) members() []int {
	names, _ := filepath.Glob("/proc/[0-9]*")
	parent := make(map[int]int, len(names))
	for _, name := range names {
		pid, err := strconv.Atoi(filepath.Base(name))
		if err != nil {
			continue
		}
		if stat, ok := readStat(pid); ok {
			parent[pid] = stat.parent
		}
	}
	var list []int
	for pid := range parent {
		for p, steps := pid, 0; p > 1 && steps <= len(parent); p, steps = parent[p], steps+1 {
			if p == t.root && (pid != t.root || t.self) {
				list = append(list, pid)
				break
			}
		}
	}
	return list
}

// used returns the CPU time and the resident size of the tree now. Time of
// children that were waited for is in their parent's account.
func (t *tree) used() (cpu time.Duration, memory limits.Bytes) {
	for _, pid := range t.members() {
		if stat, ok := readStat(pid); ok {
			cpu += max(stat.cpu, threadTime(pid)) + stat.childrenCPU
		}
		if text, err := get("/proc/"+strconv.Itoa(pid), "statm"); err == nil {
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
func threadTime(pid int) (sum time.Duration) {
	dir := "/proc/" + strconv.Itoa(pid) + "/task"
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
		for _, pid := range list {
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
