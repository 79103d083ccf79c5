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

// Running is a run in progress. A nil one tells nothing. Its methods may be called
// at any time from any goroutine.
//
// It also holds the ends of pipes that the program was given. If nobody did, the
// other program could learn of this one's end before the judge: the kernel closes
// the files of a process some time before it tells the parent, and wakes who waits
// for them at once. Of two programs that end at about the same time nobody would
// know whose end was the cause and whose the effect.
type Running struct {
	watch *watchdog
	state *runState
	pid   int // of the program's first process

	mu    sync.Mutex
	pipes []*heldPipe
	timer *time.Timer
	over  bool
	in    *os.File          // Command.In
	ended func(failed bool) // nil for nobody
}

// heldPipe is an end that is held.
type heldPipe struct {
	file   *os.File // nil once let go
	name   string   // as /proc shows it
	at     string   // where a process of the run had it last
	missed int      // looks in a row that have found it nowhere
	lent   bool     // it is the caller's
	hidden bool     // nobody is to know that the program has closed it
}

// running prepares for holding the ends that the command was given.
func running(cmd *Command, watch *watchdog, state *runState) (*Running, error) {
	r := &Running{watch: watch, state: state, ended: cmd.Ended, in: cmd.In}
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
		r.timer = time.AfterFunc(pollLater, r.look)
	}
}

// watched reports whether the end is let go of once the program has closed it.
func (p *heldPipe) watched() bool { return !p.lent && !p.hidden && p.file != nil }

// end is called when the program's end has been seen: it tells so, and only then lets
// go of what is held.
func (r *Running) end(failed bool) {
	r.stop()
	if r.ended != nil {
		r.ended(failed)
	}
	for _, p := range r.pipes {
		if !p.lent {
			p.letGo()
		}
	}
}

// stop ends the looks, of a program that has ended or could not begin.
func (r *Running) stop() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.over = true
	if r.timer != nil {
		r.timer.Stop()
	}
}

func (p *heldPipe) letGo() {
	if p.file != nil {
		p.file.Close()
		p.file = nil
	}
}

// missesEnough is how many looks must find an end nowhere: at a single one it could be
// on its way from a process to its child.
const missesEnough = 2

// look lets go of the ends that the run's processes have closed themselves.
func (r *Running) look() {
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
				// One that is about to end has closed its files; the end will be told.
				if stat, err := readStat(r.pid); err != nil || stat.dead || stat.exiting {
					again = true
					break
				}
				dirs = r.state.threads()
			}
			p.find(dirs)
		}
		if p.missed == missesEnough {
			p.letGo()
		}
		again = again || p.file != nil
	}
	if again {
		r.timer.Reset(pollLater)
	}
}

// find looks for an end among the descriptors of processes.
func (p *heldPipe) find(dirs []string) {
	p.missed++
	for _, dir := range dirs {
		list, err := os.ReadDir(dir + "/fd")
		if err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, unix.ESRCH) {
			p.missed = 0 // it cannot be known
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

// Alongside says that r talks to partner: its time stands still also while that one waits for
// a CPU, and its limit of output bounds what it tells that one, which may read so many bytes
// of its own besides. Both must be about to begin.
func (r *Running) Alongside(partner *Running, own limits.Bytes) {
	if r == nil || partner == nil {
		return
	}
	r.watch.mu.Lock()
	defer r.watch.mu.Unlock()
	r.watch.beside = &side{run: partner.state, of: partner, given: int64(own)}
}

// LimitRest has a limit of wall time count from now on, of a run that had none.
func (r *Running) LimitRest(limit time.Duration) {
	if r != nil {
		r.watch.limitRest(limit)
	}
}

// OverOutput stops a run because it has said more than it may.
func (r *Running) OverOutput() {
	if r != nil {
		r.watch.overOutput()
	}
}

// Look returns the CPU time used so far, and whether the run waits for those that it is
// connected with: one of its threads is in a call that reads or writes In or Out, or
// its main thread waits for files without a limit of time. ok is false when the run
// has ended.
func (r *Running) Look() (cpu time.Duration, waits, ok bool) {
	ok = r.alive(func() {
		cpu, _ = r.state.used()
		waits = r.waits()
	})
	return cpu, waits, ok
}

// Settled reports whether the run has read all that it was sent through In, and waits for
// more; and if not, whether it is awake: one of its threads runs or wants to. Both are false
// for one that has ended. settled is false as well where the kernel does not show what
// programs wait for.
func (r *Running) Settled() (settled, awake bool) {
	if r == nil {
		return true, false
	}
	r.alive(func() {
		if proc, err := os.Open("/proc/self/stat"); Exhausted(err) {
			settled = true // a judge without descriptors sees nothing, and has failed
			return
		} else if err == nil {
			proc.Close()
		}
		left, err := unix.IoctlGetInt(int(r.in.Fd()), unix.TIOCINQ)
		settled = (err != nil || left == 0) && r.waits()
		awake = !settled && r.awake()
	})
	return settled, awake
}

// awake reports whether one of the run's threads runs or wants to.
func (r *Running) awake() bool {
	for i, dir := range r.state.threads() {
		if i == maxThreads {
			return true
		}
		if stat, err := get(dir, "stat"); err == nil && ready(stat) {
			return true
		}
	}
	return false
}

// waits reports whether the run waits, see Look. It is false for a thread that cannot be
// looked into: one that is about to exec or to exit denies that to all but root.
func (r *Running) waits() bool {
	for i, dir := range r.state.threads() {
		if i == maxThreads {
			break
		}
		if text, err := get(dir, "syscall"); err == nil && r.waitsIn(dir, text) {
			return true
		}
	}
	return false
}
