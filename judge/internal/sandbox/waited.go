package sandbox

import (
	"bytes"
	"os"
	"strconv"
	"time"
)

// This file measures how long a run was ready to run and had no CPU because others had
// it. Meanwhile its wall clock stands still: see watchdog.
//
// Four accounts of the kernel say so: the run delay of each thread (/proc/tid/schedstat),
// which other programs took, or a limit on a group around the judge; the steal time of
// each CPU (/proc/stat), which the hypervisor gave to other machines without the
// thread's knowledge; on cgroup v2 the time in which all that was not asleep in the
// run's group had to wait (cpu.pressure); and the same of the whole host
// (/proc/pressure/cpu), where processes come and go too fast to be asked.
//
// The threads' delays cannot be added up: two that wait at the same time keep the run
// waiting once. So a run is looked at every now and then, and of each stretch between
// two looks counts the thread that waited most. The stretches are short, and a run in
// which one thread waits and then another has both counted.

// waits adds up how long a run was kept waiting. It is its watchdog's, which must not use
// it from several goroutines at a time.
type waits struct {
	cpus  []int   // that the run is pinned to; none: any
	sides []*side // the run itself, then a program that it talks to, for whose CPU it waits as well

	base  time.Duration // CPU time that the run had used when this began
	total time.Duration // so far
	at    time.Duration // the wall time of the last look
	cpu   time.Duration // that the run had used by then, without base
	stuck bool          // and whether it could write no more before the judge had read

	pressed   hostTimes // pressure, when it was last asked
	host      hostTimes // steal, when it was last asked, and what there was by then:
	hostAt    time.Duration
	hostCPU   time.Duration
	hostTotal time.Duration
}

// side is one run whose threads are looked at.
type side struct {
	run     *runState
	of      *Running          // nil: the watchdog's own run
	given   int64             // bytes that it may read besides what the other says
	cpu     time.Duration     // used up to the last look
	full    time.Duration     // of its group's pressure, up to the last look
	threads map[string]thread // at the last look, by folder
}

// thread is what was seen of a thread.
type thread struct {
	account   string        // its schedstat
	used      time.Duration // on a CPU
	delay     time.Duration // ready without one, with what is still going on
	ready     bool          // it is running, or wants to
	accounted bool          // the kernel keeps its delay
}

// stretch is what happened to one side between two looks.
type stretch struct {
	longest time.Duration // that one of its threads waited for what others had
	used    time.Duration // CPU time
	full    time.Duration // all that were not asleep waited, where the kernel says so
	known   bool          // the kernel keeps delays
	churn   bool          // threads came or went: there may have been more of them
	awake   bool          // at both looks something was ready
}

const (
	firstLook  = 5 * time.Millisecond  // most runs are over by then
	laterLook  = 20 * time.Millisecond // a stretch: about as long as one program has a crowded CPU for
	threadLook = time.Millisecond      // more for each thread, so that looking stays cheap
	hostLook   = time.Second           // between two looks at the accounts of the whole host
)

// maxThreads bounds how many threads of a run are asked: a fork bomb has as many as
// the host can hold.
const maxThreads = 1024

// begin begins anew, when the run has used so much CPU time, at a moment not long after
// that of the host's accounts.
func (w *waits) begin(cpu time.Duration, host hostTimes) {
	*w = waits{cpus: w.cpus, sides: w.sides, base: cpu, host: host, pressed: host}
}

// nothing has all time so far count as waited, in which the run has not begun.
func (w *waits) nothing(wall, cpu time.Duration) {
	w.total, w.at, w.cpu = wall, wall, max(cpu-w.base, 0)
}

// look adds up the stretch that ends now, at this wall time, with so much CPU time used
// since the run began. stuck says that the run cannot write before the judge has read;
// settle, that all accounts are to be asked, since something depends on it. It returns how
// long nothing need be looked at.
func (w *waits) look(wall, cpu time.Duration, stuck, settle bool) time.Duration {
	cpu = max(cpu-w.base, 0)
	own := max(cpu-w.cpu, 0)
	took := max(wall-w.at, 0)
	width := max(len(w.cpus), 1)
	waited, asked := time.Duration(0), 0
	for i, s := range w.sides {
		rest := own
		if i == 0 {
			rest = 0
		}
		x, n := s.look(took, rest, width)
		asked += n
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
	if settle || wall-w.hostAt >= hostLook {
		w.addSteal(wall, cpu)
	}
	return laterLook + time.Duration(asked)*threadLook
}

// hostPressed returns how long anything on the host had to wait in a stretch that took so
// long and ends now.
func (w *waits) hostPressed(took time.Duration) time.Duration {
	p, ok := readPressure()
	if !ok {
		return 0
	}
	before := w.pressed
	w.pressed = hostTimes{at: time.Now(), pressure: p.total}
	return w.pressed.pressedSince(before, took)
}

// bound returns how long a run can have waited at most: it did not while it used all of
// its CPUs.
func (w *waits) bound(total, wall, cpu time.Duration) time.Duration {
	if n := time.Duration(len(w.cpus)); n > 0 {
		total = min(total, wall*n-cpu)
	}
	return max(min(total, wall), 0)
}

// addSteal adds what the hypervisor took from the run's CPUs, for the part of the time in
// which the run wanted them.
func (w *waits) addSteal(wall, cpu time.Duration) {
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

// look returns what happened to a side in a stretch that took so long, and how many
// threads were asked. rest is CPU time that the run it talks to has used, which is not
// held against the host either.
func (s *side) look(took, rest time.Duration, cpus int) (x stretch, asked int) {
	read := func() {
		total, _ := s.run.used()
		x.used = max(total-s.cpu, 0)
		s.cpu = total
		if full, ok := s.run.pressure(); ok {
			x.full = max(full-s.full, 0)
			s.full = full
		}
		before := s.threads
		s.threads = s.run.look(before, took)
		asked = len(s.threads)
		x.note(before, s.threads, rest, cpus)
	}
	if s.of == nil {
		read()
	} else if !s.of.alive(read) {
		s.threads = nil
	}
	return x, asked
}

// note compares the threads of two looks.
func (x *stretch) note(before, now map[string]thread, rest time.Duration, cpus int) {
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
		x.longest = max(x.longest, crowded(t.delay-b.delay, others, cpus))
	}
	x.churn = same < len(now) || same < len(before)
	x.awake = awakeBefore && awakeNow
}

// look reads the accounts of a run's live threads, so long after those before.
//
// The kernel adds a wait when it ends. On a crowded CPU one may take a second; so one that
// was ready and has not run since has waited all the time.
func (r *runState) look(before map[string]thread, took time.Duration) map[string]thread {
	now := map[string]thread{}
	for i, dir := range r.threads() {
		if i == maxThreads {
			break
		}
		account, err := get(dir, "schedstat")
		stat, err2 := get(dir, "stat")
		if err != nil || err2 != nil {
			continue // it has ended, or the kernel has no such file
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

// pressure returns how long all threads of the run's group that were not asleep had to
// wait for a CPU, where the kernel keeps that account for groups.
func (r *runState) pressure() (time.Duration, bool) {
	if r.group == nil {
		return 0, false
	}
	return r.group.pressure()
}

// alive calls f unless the run has ended or is being stopped, and reports whether it did.
// The run does not end meanwhile.
func (r *Running) alive(f func()) bool {
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
