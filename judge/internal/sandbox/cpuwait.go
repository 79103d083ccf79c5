//go:build linux

package sandbox

import (
	"bytes"
	"os"
	"strconv"
	"time"
)

// This file measures how long a run was ready to run but had no CPU because others had it. For that
// time its wall clock stands still: see watchdog.
//
// It reads four accounts of the kernel:
//
//   - the run delay of each thread (/proc/tid/schedstat): other programs had the CPU, or
//     a limit on a group around the judge applied;
//   - the steal time of each CPU (/proc/stat): the hypervisor gave the CPU to other
//     machines, which the run delay does not show;
//   - on cgroup v2, the time in which everything in the run's group that was not asleep
//     had to wait (cpu.pressure);
//   - the time in which anything on the host had to wait (/proc/pressure/cpu), for runs
//     whose processes come and go too fast to be read.
//
// The threads' delays cannot be added up: two threads that wait at the same time delay the run
// once. So the run is polled, and each stretch between two polls adds the longest wait of any thread
// in it. The stretches are short, so if one thread waits and then another, both count.

// cpuWait adds up how long a run had to wait for a CPU. It belongs to the run's watchdog, and must
// not be used by several goroutines at a time.
type cpuWait struct {
	cpus  []int   // the CPUs that the run is pinned to; none: any
	sides []*side // the run itself, then its partner, whose waiting counts as well

	base  time.Duration // CPU time of the run before the measurement began
	total time.Duration // time waited so far
	at    time.Duration // wall time of the last poll
	cpu   time.Duration // CPU time of the run at the last poll, without base
	stuck bool          // at the last poll the run could not write until the judge read

	pressed   hostTimes     // the host's pressure when last read
	host      hostTimes     // the host's steal time when last read
	hostAt    time.Duration // wall time when host was read
	hostCPU   time.Duration // CPU time of the run when host was read
	hostTotal time.Duration // total when host was read
}

// side is a run whose threads are polled.
type side struct {
	run        *runState
	running    *Running          // the run as the watchdog's partner; nil for the watchdog's own run
	otherInput int64             // bytes that it may read from elsewhere than its partner
	cpu        time.Duration     // CPU time at the last poll
	full       time.Duration     // its group's pressure at the last poll
	threads    map[string]thread // its threads at the last poll, by /proc folder
}

// thread is the state of a thread at a poll.
type thread struct {
	account   string        // content of its schedstat
	used      time.Duration // time on a CPU
	delay     time.Duration // time ready without a CPU, including a wait that still goes on
	ready     bool          // it runs or is ready to
	accounted bool          // the kernel keeps its delay
}

// stretch holds what one side did and waited for between two polls.
type stretch struct {
	longest time.Duration // the longest time that one of its threads waited because of others
	used    time.Duration // CPU time
	full    time.Duration // the time in which all threads that were not asleep waited; 0 if the kernel does not say
	known   bool          // the kernel keeps delays
	churn   bool          // threads came or went, perhaps more than were seen
	awake   bool          // at each of the two polls a thread was ready
}

const (
	laterPoll  = 20 * time.Millisecond // a stretch: about as long as a program keeps a crowded CPU at a time
	threadPoll = time.Millisecond      // added for each thread, so that polling stays cheap
	hostPoll   = time.Second           // between two reads of the host's accounts
)

// maxThreads bounds how many threads of a run are read: a fork bomb has as many as the host can
// hold.
const maxThreads = 1024

// begin starts the measurement anew. cpu is the CPU time of the run so far.
func (w *cpuWait) begin(cpu time.Duration) {
	host := recentHostTimes()
	*w = cpuWait{cpus: w.cpus, sides: w.sides, base: cpu, host: host, pressed: host}
}

// countAll counts all time so far as waited, because the run has not begun.
func (w *cpuWait) countAll(wall, cpu time.Duration) {
	w.total, w.at, w.cpu = wall, wall, max(cpu-w.base, 0)
}

// poll adds up the stretch that ends now, at the times wall and cpu since the run began. stuck says
// that the run cannot write until the judge reads; settle, that a decision depends on the result,
// so that all accounts are read. It returns the time until the next poll.
func (w *cpuWait) poll(wall, cpu time.Duration, stuck, settle bool) time.Duration {
	cpu = max(cpu-w.base, 0)
	own := max(cpu-w.cpu, 0)
	took := max(wall-w.at, 0)
	width := max(len(w.cpus), 1)
	waited, threads := time.Duration(0), 0
	for i, s := range w.sides {
		rest := own
		if i == 0 {
			rest = 0
		}
		x, n := s.poll(took, rest, width)
		threads += n
		waited = max(waited, x.longest, x.full)
		if !x.known && x.awake || x.churn && (x.awake || x.used > 0) && x.full == 0 {
			waited = max(waited, min(w.hostPressed(took), took-min(x.used/time.Duration(width), took)))
		}
	}
	if stuck && w.stuck {
		waited = max(waited, took-min(own/time.Duration(width), took))
	}
	w.total = w.bound(w.total+waited, wall, cpu)
	w.at, w.cpu, w.stuck = wall, cpu, stuck
	if settle || wall-w.hostAt >= hostPoll {
		w.addSteal(wall, cpu)
	}
	return laterPoll + time.Duration(threads)*threadPoll
}

// hostPressed returns how long anything on the host had to wait in the stretch of length took that
// ends now.
func (w *cpuWait) hostPressed(took time.Duration) time.Duration {
	p, ok := readPressure()
	if !ok {
		return 0
	}
	before := w.pressed
	w.pressed = hostTimes{at: time.Now(), pressure: p.total}
	return w.pressed.pressedSince(before, took)
}

// bound limits total to the longest time that the run can have waited: while it used all of its
// CPUs it did not wait.
func (w *cpuWait) bound(total, wall, cpu time.Duration) time.Duration {
	if n := time.Duration(len(w.cpus)); n > 0 {
		total = min(total, wall*n-cpu)
	}
	return max(min(total, wall), 0)
}

// addSteal adds the steal time of the run's CPUs, for the part of the time in which the run wanted
// them.
func (w *cpuWait) addSteal(wall, cpu time.Duration) {
	now := readHostTimes()
	took := wall - w.hostAt
	if took <= 0 {
		return
	}
	wanted := min(max(cpu-w.hostCPU, 0)+w.total-w.hostTotal, took)
	steal := now.stolenSince(w.host, took, w.cpus)
	w.total = w.bound(w.total+time.Duration(float64(steal)*float64(wanted)/float64(took)), wall, cpu)
	w.host, w.hostAt, w.hostCPU, w.hostTotal = now, wall, cpu, w.total
}

// updateWait polls waits, if that is due, and returns how much wall time counts so far. It sets
// when to poll again: before the limit can be reached, at the limit, and at the end of the grace.
//
// The process that starts the program and the judge, which learns of its end, may have to wait for
// a CPU too. Until the first process has executed the program it has used nothing, and once it has
// ended it needs no CPU: at those times no time counts.
func (w *watchdog) updateWait(wall, cpu time.Duration) time.Duration {
	if wall < w.nextPoll {
		return min(wall, w.waits.at) - w.waits.total
	}
	first, err := readStat(w.pid)
	switch {
	case err == nil && first.dead:
		w.nextPoll = wall + wakeLeast
		return w.waits.at - w.waits.total
	case err == nil && first.forked:
		w.waits.countAll(wall, cpu)
		w.nextPoll = wall + laterPoll
		return wall - w.waits.total
	}
	settle := wall-w.waits.total >= w.limits.Wall
	again := w.waits.poll(wall, cpu, w.stuck != nil && w.stuck(), settle)
	counted := wall - w.waits.total
	for _, end := range []time.Duration{w.limits.Wall, w.limits.Wall + w.grace} {
		if left := end - counted; left > 0 {
			again = min(again, left)
		}
	}
	w.nextPoll = wall + again
	return counted
}

// poll returns what happened to a side in the stretch of length took that ends now, and how many
// threads it read. rest is the CPU time that the side's partner used in the stretch: a wait for the
// partner on the same CPUs is not the host's fault.
func (s *side) poll(took, rest time.Duration, cpus int) (x stretch, threads int) {
	read := func() {
		total, _ := s.run.used()
		x.used = max(total-s.cpu, 0)
		s.cpu = total
		if full, ok := s.run.pressure(); ok {
			x.full = max(full-s.full, 0)
			s.full = full
		}
		before := s.threads
		s.threads = s.run.sampleThreads(before, took)
		threads = len(s.threads)
		x.compare(before, s.threads, rest, cpus)
	}
	if s.running == nil {
		read()
	} else if !s.running.ifRunning(read) {
		s.threads = nil
	}
	return x, threads
}

// compare fills in the stretch from the threads of two polls.
func (x *stretch) compare(before, now map[string]thread, rest time.Duration, cpus int) {
	awakeBefore, awakeNow := len(before) == 0, false
	for _, t := range before {
		awakeBefore = awakeBefore || t.ready
	}
	same := 0
	for dir, t := range now {
		b, ok := before[dir]
		if ok {
			same++
		}
		awakeNow = awakeNow || t.ready
		x.known = x.known || t.accounted
		others := x.used - max(t.used-b.used, 0) + rest
		x.longest = max(x.longest, othersDelay(t.delay-b.delay, others, cpus))
	}
	x.churn = same < len(now) || same < len(before)
	x.awake = awakeBefore && awakeNow
}

// sampleThreads reads the accounts of the run's live threads. took is the time since the previous
// sample.
//
// The kernel adds a wait to the account when it ends, and on a crowded CPU one may last a second.
// So a thread that was ready and has not run since has waited all that time.
func (r *runState) sampleThreads(before map[string]thread, took time.Duration) map[string]thread {
	now := map[string]thread{}
	for i, dir := range r.threads() {
		if i == maxThreads {
			break
		}
		account, err := readSmall(dir, "schedstat")
		stat, err2 := readSmall(dir, "stat")
		if err != nil || err2 != nil {
			continue // the thread has ended, or the kernel has no such file
		}
		t := thread{account: string(account), ready: ready(stat)}
		t.used, t.delay, t.accounted = parseDelay(account)
		if b, ok := before[dir]; ok && t.ready && b.account == t.account {
			t.delay = b.delay
			if b.ready {
				t.delay += took
			}
		}
		now[dir] = t
	}
	return now
}

// pressure returns for how long all threads of the run's group that were not asleep had to wait for
// a CPU; false if the kernel keeps no such account.
func (r *runState) pressure() (time.Duration, bool) {
	if r.group == nil {
		return 0, false
	}
	return r.group.pressure()
}

// ifRunning calls f unless the run has ended or is being stopped, and reports whether it did. The
// run does not end while f runs.
func (r *Running) ifRunning(f func()) bool {
	if r == nil {
		return false
	}
	r.watch.mu.Lock()
	defer r.watch.mu.Unlock()
	if r.watch.ended || r.watch.caused {
		return false
	}
	f()
	return true
}

// othersDelay returns the part of a thread's delay that programs other than its own run caused.
// rest is the CPU time that the rest of the run used on the CPUs.
func othersDelay(delay, rest time.Duration, cpus int) time.Duration {
	return max(delay-max(rest, 0)/time.Duration(max(cpus, 1)), 0)
}

// ready reports whether a thread with this stat is running or ready to.
func ready(stat []byte) bool {
	return bytes.HasPrefix(stat[bytes.LastIndexByte(stat, ')')+1:], []byte(" R"))
}

// parseDelay parses a thread's schedstat: nanoseconds on a CPU, nanoseconds ready without one,
// number of turns. known is false if the kernel does not count; then all three are 0.
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

// readIDs reads a control file that lists numbers, one per line.
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
