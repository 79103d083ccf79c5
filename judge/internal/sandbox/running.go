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

// Running is a run in progress. A nil Running reports nothing. Its methods may be called at any
// time from any goroutine.
//
// It also holds copies of the pipe ends that the program was given. Otherwise the other program
// could learn of this one's end before the judge does: the kernel closes the files of a process
// some time before it notifies the parent, and at once wakes those that wait for them. If two
// programs ended at about the same time, nobody could say whose end was the cause and whose the
// effect.
type Running struct {
	watch *watchdog
	state *runState
	pid   int // of the program's first process

	mu    sync.Mutex
	pipes []*heldPipe
	timer *time.Timer
	over  bool
	in    *os.File          // Command.In
	onEnd func(failed bool) // Command.OnEnd; may be nil
}

// heldPipe is a pipe end that is held.
type heldPipe struct {
	file   *os.File // nil once released
	name   string   // as /proc shows it
	at     string   // where a process of the run last had it
	missed int      // consecutive polls that have found it nowhere
	lent   bool     // the caller keeps it
	hidden bool     // the peer must not learn that the program has closed it
}

// newRunning prepares a Running that holds the pipe ends of the command.
func newRunning(cmd *Command, watch *watchdog, state *runState) (*Running, error) {
	r := &Running{watch: watch, state: state, onEnd: cmd.OnEnd, in: cmd.In}
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

// begin is called when the program is about to begin, in this process.
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

// end is called when the program's end has been seen. It reports the end, and only then releases
// what is held.
func (r *Running) end(failed bool) {
	r.stop()
	if r.onEnd != nil {
		r.onEnd(failed)
	}
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

// missesEnough is how many polls must find an end nowhere: at a single one it could be on its way
// from a process to its child.
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
				// A process that is about to end has closed its files; end follows.
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
			p.missed = 0 // unknown
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

// SetPartner declares that r talks to partner. From then on r's clock also stands still while
// partner waits for a CPU, and r's limit of output bounds what it sends to partner, which may read
// own bytes from elsewhere. Both must be about to begin.
func (r *Running) SetPartner(partner *Running, own limits.Bytes) {
	if r == nil || partner == nil {
		return
	}
	r.watch.mu.Lock()
	defer r.watch.mu.Unlock()
	r.watch.partner = &side{run: partner.state, running: partner, otherInput: int64(own)}
}

// LimitWall starts a wall limit now, for a run that had none.
func (r *Running) LimitWall(limit time.Duration) {
	if r != nil {
		r.watch.limitRest(limit)
	}
}

// OverOutput stops the run because it has written more than it may.
func (r *Running) OverOutput() {
	if r != nil {
		r.watch.overOutput()
	}
}

// Activity returns the CPU time used so far, and whether the run waits for its peer: one of its
// threads is in a call that reads or writes In or Out, or its main thread waits for files without a
// timeout. ok is false if the run has ended.
func (r *Running) Activity() (cpu time.Duration, waits, ok bool) {
	ok = r.ifRunning(func() {
		cpu, _ = r.state.used()
		waits = r.blocked()
	})
	return cpu, waits, ok
}

// Settled reports whether the run has read everything sent to it through In and waits for more; if
// not, awake reports whether one of its threads runs or is ready to. Both are false if the run has
// ended. settled is also false if the kernel does not show what programs wait for.
func (r *Running) Settled() (settled, awake bool) {
	if r == nil {
		return true, false
	}
	r.ifRunning(func() {
		if proc, err := os.Open("/proc/self/stat"); Exhausted(err) {
			settled = true // without descriptors the judge sees nothing, and has failed
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
// does not count: while it is about to exec or to exit, only root may look.
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
