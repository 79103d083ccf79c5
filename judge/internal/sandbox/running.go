//go:build linux

package sandbox

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"tribunal/judge/internal/limits"
)

// Running is a run in progress. The methods of a nil Running do nothing. They may be called at any
// time from any goroutine.
//
// It also holds copies of the pipe ends that the program was given. Without them the peer could
// learn of the program's end before the judge does: the kernel closes the files of a process, and
// wakes those that wait for them, some time before it notifies the parent. If two programs ended at
// about the same time, the judge could not tell which end caused the other.
type Running struct {
	watch *watchdog
	state *runState
	pid   int // the program's first process

	mu    sync.Mutex
	pipes []*heldPipe
	timer *time.Timer
	over  bool
	in    *os.File // Command.In
}

// heldPipe is the judge's copy of a pipe end that a program was given.
type heldPipe struct {
	file   *os.File // the copy; nil once released
	name   string   // as /proc shows it, "pipe:[inode]"
	at     string   // the /proc path at which a process of the run last had it
	missed int      // consecutive polls that have found it nowhere
	lent   bool     // the caller owns it (Command.KeepIn)
	hidden bool     // the peer must not notice that the program has closed it
}

// newRunning prepares a Running that holds the pipe ends of the command.
func newRunning(cmd *Command, watch *watchdog, state *runState) (*Running, error) {
	r := &Running{watch: watch, state: state, in: cmd.In}
	watch.waits = cpuWait{cpus: cmd.CPUs, sides: []*side{{run: state}}}
	for _, f := range []*os.File{cmd.In, cmd.Out} {
		if f == nil {
			continue
		}
		var file unix.Stat_t
		if err := unix.Fstat(int(f.Fd()), &file); err != nil {
			return nil, fmt.Errorf("pipe: %w", err)
		}
		r.pipes = append(r.pipes, &heldPipe{
			file: f, name: fmt.Sprintf("pipe:[%d]", file.Ino), lent: cmd.KeepIn && f == cmd.In, hidden: cmd.HideOut && f == cmd.Out,
		})
	}
	return r, nil
}

// begin starts to watch the pipe ends of a program that is about to begin, in process pid.
func (r *Running) begin(pid int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.pid = pid
	if slices.ContainsFunc(r.pipes, (*heldPipe).watched) {
		r.timer = time.AfterFunc(pollLater, r.poll)
	}
}

// watched reports whether the end must be released once the program has closed it.
func (p *heldPipe) watched() bool { return !p.lent && !p.hidden && p.file != nil }

// release releases the pipe ends, after the end of the program has been reported.
func (r *Running) release() {
	for _, p := range r.pipes {
		if !p.lent {
			p.release()
		}
	}
}

// stop ends the polling, for a program that has ended or could not begin.
func (r *Running) stop() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.over = true
	if r.timer != nil {
		r.timer.Stop()
	}
}

func (p *heldPipe) release() {
	if p.file != nil {
		p.file.Close()
		p.file = nil
	}
}

// missesEnough is the number of consecutive polls without a trace of a pipe end after which it is
// released: a single poll can miss one that a process is handing to its child.
const missesEnough = 2

// poll releases the pipe ends that the run's processes have closed themselves.
func (r *Running) poll() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.over {
		return
	}
	var dirs []string
	again := false
	for _, p := range r.pipes {
		if !p.watched() {
			continue
		}
		if to, err := os.Readlink(p.at); err != nil || to != p.name {
			if dirs == nil {
				// An exiting process has closed its files; release will be called.
				if stat, err := readStat(r.pid); err != nil || stat.dead || stat.exiting {
					again = true
					break
				}
				dirs = r.state.threads()
			}
			p.find(dirs)
		}
		if p.missed == missesEnough {
			p.release()
		}
		again = again || p.file != nil
	}
	if again {
		r.timer.Reset(pollLater)
	}
}

// find searches the descriptors of the processes for the pipe end.
func (p *heldPipe) find(dirs []string) {
	p.missed++
	for _, dir := range dirs {
		list, err := os.ReadDir(dir + "/fd")
		if err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, unix.ESRCH) {
			p.missed = 0 // this process cannot be looked at, and may have the pipe open
			return
		}
		for _, entry := range list {
			at := dir + "/fd/" + entry.Name()
			if to, err := os.Readlink(at); err == nil && to == p.name {
				p.at, p.missed = at, 0
				return
			}
		}
	}
}

// SetPartner declares that r talks to partner. From then on r's wall clock also stands still while
// partner waits for a CPU, and r's output limit also bounds what r sends to partner. otherInput is
// how many bytes partner may read from elsewhere. It must be called when both are about to begin.
func (r *Running) SetPartner(partner *Running, otherInput limits.Bytes) {
	if r == nil || partner == nil {
		return
	}
	r.watch.mu.Lock()
	defer r.watch.mu.Unlock()
	r.watch.waits.sides = append(r.watch.waits.sides, &side{run: partner.state, running: partner, otherInput: int64(otherInput)})
}

// LimitWall starts a wall limit now, for a run that had none.
func (r *Running) LimitWall(limit time.Duration) {
	if r != nil {
		r.watch.limitRest(limit)
	}
}

// limitRest is limitWall for a run in progress.
func (w *watchdog) limitRest(limit time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.ended || w.caused {
		return
	}
	cpu, _ := w.meter.used()
	w.limitWall(limit, cpu)
	for _, s := range w.waits.sides {
		s.poll(0, 0, 1) // so that earlier waits do not count
	}
	wait, _ := w.next(0, cpu)
	if w.timer == nil {
		w.timer = time.AfterFunc(wait, w.poll)
	} else {
		w.timer.Reset(wait)
	}
}

// OverOutput stops the run because it has written more than it may.
func (r *Running) OverOutput() {
	if r != nil {
		r.watch.overOutput()
	}
}

// Activity returns the CPU time used so far, and whether the run waits for its peer: one of its
// threads is in a call that reads or writes In or Out, or its main thread waits for file
// descriptors without a timeout. ok is false if the run has ended.
func (r *Running) Activity() (cpu time.Duration, waits, ok bool) {
	ok = r.ifRunning(func() {
		cpu, _ = r.state.used()
		waits = r.blocked()
	})
	return cpu, waits, ok
}

// Settled reports whether the run has read everything sent to it through In and waits for more; if
// not, awake reports whether one of its threads runs or is ready to. Both are false if the run has
// ended. settled is also false if the kernel does not show what programs wait for, and true if r is
// nil.
func (r *Running) Settled() (settled, awake bool) {
	if r == nil {
		return true, false
	}
	r.ifRunning(func() {
		if proc, err := os.Open("/proc/self/stat"); Exhausted(err) {
			settled = true // out of descriptors: the judge cannot look, and will fail
			return
		} else if err == nil {
			proc.Close()
		}
		left, err := unix.IoctlGetInt(int(r.in.Fd()), unix.TIOCINQ)
		settled = (err != nil || left == 0) && r.blocked()
		awake = !settled && r.awake()
	})
	return settled, awake
}

// awake reports whether one of the run's threads runs or is ready to.
func (r *Running) awake() bool {
	for i, dir := range r.state.threads() {
		if i == maxThreads {
			return true
		}
		if stat, err := readSmall(dir, "stat"); err == nil && ready(stat) {
			return true
		}
	}
	return false
}

// blocked reports whether the run waits, as Activity defines it. A thread that cannot be inspected
// does not count: only root may inspect one that is about to exec or to exit.
func (r *Running) blocked() bool {
	for i, dir := range r.state.threads() {
		if i == maxThreads {
			break
		}
		if text, err := readSmall(dir, "syscall"); err == nil && r.blockedIn(dir, text) {
			return true
		}
	}
	return false
}
