package sandbox

import (
	"bytes"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
)

// This file measures how long a run was ready to run and had no CPU, so that one
// that was stopped for wall time can be told from one that was merely crowded out.
//
// Three accounts of the kernel tell it: the run delay of each thread
// (/proc/tid/schedstat), which is what other programs took; the steal time of each
// CPU (/proc/stat), which is what the hypervisor gave to other machines and no
// thread knows of; and, on kernels that keep no run delay, the time in which
// anything at all on this host had to wait (/proc/pressure/cpu).

// hostTimes are the host's own accounts at one moment, counted since it started.
type hostTimes struct {
	at       time.Time
	steal    []time.Duration // by CPU
	pressure time.Duration   // 0 on a kernel without the account
}

// recent is a sample for the runs that begin within a second of it, most of which
// are never going to need it.
var recent struct {
	sync.Mutex
	times hostTimes
}

// recentHostTimes returns the host's accounts of at most a second ago.
func recentHostTimes() hostTimes {
	recent.Lock()
	defer recent.Unlock()
	if time.Since(recent.times.at) >= time.Second {
		recent.times = readHostTimes()
	}
	return recent.times
}

func readHostTimes() hostTimes {
	h := hostTimes{at: time.Now()}
	if text, err := os.ReadFile("/proc/stat"); err == nil {
		h.steal = parseSteal(string(text))
	}
	if p, ok := readPressure(); ok {
		h.pressure = p.total
	}
	return h
}

// parseSteal reads the eighth figure of each line "cpu<n> …" of /proc/stat.
func parseSteal(text string) (steal []time.Duration) {
	for line := range strings.Lines(text) {
		fields := strings.Fields(line)
		if len(fields) < 9 {
			continue
		}
		number, ok := strings.CutPrefix(fields[0], "cpu")
		cpu, err := strconv.ParseUint(number, 10, 16) // "cpu" alone is their sum
		ticks, err2 := strconv.ParseInt(fields[8], 10, 64)
		if !ok || err != nil || err2 != nil {
			continue
		}
		for len(steal) <= int(cpu) { // there may be gaps, of CPUs that are switched off
			steal = append(steal, 0)
		}
		steal[cpu] = time.Duration(ticks) * clockTick
	}
	return steal
}

// pressure is the line "some" of /proc/pressure/cpu: the time in which at least one
// task of the host was ready and had no CPU.
type pressure struct {
	recent float64       // per cent of the last ten seconds
	total  time.Duration // since the host started
}

func readPressure() (pressure, bool) {
	text, err := get("/proc/pressure", "cpu")
	if err != nil {
		return pressure{}, false
	}
	return parsePressure(string(text))
}

func parsePressure(text string) (p pressure, ok bool) {
	some, _, _ := strings.Cut(text, "\n")
	fields := strings.Fields(some)
	if len(fields) == 0 || fields[0] != "some" {
		return p, false
	}
	for _, f := range fields[1:] {
		name, value, _ := strings.Cut(f, "=")
		var err error
		switch name {
		case "avg10":
			p.recent, err = strconv.ParseFloat(value, 64)
		case "total":
			var us int64
			us, err = strconv.ParseInt(value, 10, 64)
			p.total, ok = time.Duration(us)*time.Microsecond, true
		}
		if err != nil {
			return pressure{}, false
		}
	}
	return p, ok
}

// Busy returns how many per cent of the last ten seconds something on this host was
// ready to run and had no CPU; 0 also where the kernel does not tell.
func Busy() float64 {
	p, _ := readPressure()
	return p.recent
}

// since returns what a run that took wall until now has lost to the hypervisor, and
// how long anything on the host had to wait meanwhile. The sample is older than the
// run, so that each is taken to have been spread evenly.
func (now hostTimes) since(before hostTimes, wall time.Duration, cpus []int) (steal, pressed time.Duration) {
	part := func(d time.Duration) time.Duration {
		if took := now.at.Sub(before.at); took > wall {
			return time.Duration(float64(d) * float64(wall) / float64(took))
		}
		return d
	}
	for _, cpu := range cpus {
		if cpu < len(now.steal) && cpu < len(before.steal) {
			steal = max(steal, part(now.steal[cpu]-before.steal[cpu]))
		}
	}
	return steal, max(part(now.pressure-before.pressure), 0)
}

// waited puts the accounts together. delay is the largest of the run's threads, and
// means nothing without known. A run that had all of its CPUs all the time has not
// waited, however long its own threads queued up behind each other.
func waited(wall, cpu time.Duration, cpus int, delay time.Duration, known bool, steal, pressed time.Duration) time.Duration {
	if !known {
		delay = pressed
	}
	if cpus > 0 {
		delay = min(delay, max(wall*time.Duration(cpus)-cpu, 0))
	}
	return min(delay+steal, wall)
}

// maxThreads bounds how many threads of a run are asked: a fork bomb has as many as
// the host can hold.
const maxThreads = 1024

// queued is what was seen of a thread that was ready to run or running.
type queued struct {
	account string // its schedstat
	since   time.Time
}

// delay returns the largest run delay of the live threads, and whether the kernel
// keeps that account.
//
// The kernel adds a wait when it ends. On a crowded CPU one may take a second, and
// is still going on when the run is stopped for it; so threads are looked at now and
// then, and one that was ready and has not run since has waited all the time.
//
// What the other threads of the run used meanwhile is not held against the host: a
// program could crowd itself out.
func (r *runState) delay() (longest time.Duration, known bool) {
	now := time.Now()
	total, _ := r.used()
	queue := map[string]queued{}
	for i, dir := range r.threads() {
		if i == maxThreads {
			break
		}
		account, err := get(dir, "schedstat")
		stat, err2 := get(dir, "stat")
		if err != nil || err2 != nil {
			continue // it has ended, or the kernel has no such file
		}
		own, d, ok := parseDelay(account)
		if ready(stat) {
			q := r.queue[dir]
			if q.account != string(account) {
				q = queued{string(account), now}
			}
			queue[dir] = q
			d += now.Sub(q.since)
		}
		d = crowded(d, total-own, r.cpus)
		longest, known = max(longest, d), known || ok
	}
	r.queue = queue
	return longest, known
}

// crowded returns what of a thread's delay others than its own run are to blame for,
// given the CPU time that the rest of the run used on so many CPUs.
func crowded(delay, rest time.Duration, cpus int) time.Duration {
	return max(delay-max(rest, 0)/time.Duration(max(cpus, 1)), 0)
}

// ready reports whether a thread with this stat is running or wants to.
func ready(stat []byte) bool {
	return bytes.HasPrefix(stat[bytes.LastIndexByte(stat, ')')+1:], []byte(" R"))
}

// parseDelay reads a thread's schedstat: nanoseconds on the CPU, nanoseconds ready
// without one, turns. A kernel that does not count writes nothing but zeros.
func parseDelay(text []byte) (cpu, delay time.Duration, known bool) {
	fields := bytes.Fields(text)
	if len(fields) != 3 {
		return 0, 0, false
	}
	ran, err := strconv.ParseInt(string(fields[0]), 10, 64)
	waited, err2 := strconv.ParseInt(string(fields[1]), 10, 64)
	return time.Duration(ran), time.Duration(waited), err == nil && err2 == nil && string(fields[2]) != "0"
}

// threads returns the /proc folders of the run's live threads.
func (r *runState) threads() (dirs []string) {
	switch {
	case r.group != nil:
		ids, _ := r.group.threads()
		for _, id := range ids {
			dirs = append(dirs, "/proc/"+strconv.Itoa(id))
		}
	case r.tree != nil:
		list, _ := r.tree.members()
		for pid := range list {
			tasks := r.tree.proc + "/" + strconv.Itoa(pid) + "/task"
			entries, _ := os.ReadDir(tasks)
			for _, e := range entries {
				dirs = append(dirs, tasks+"/"+e.Name())
			}
		}
	}
	return dirs
}

// readIDs reads a control file that lists numbers, one a line.
func readIDs(path string) (ids []int, err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	for _, f := range bytes.Fields(text) {
		if id, err := strconv.Atoi(string(f)); err == nil {
			ids = append(ids, id)
		}
	}
	return ids, nil
}
