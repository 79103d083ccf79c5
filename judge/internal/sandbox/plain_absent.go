//go:build !linux

package sandbox

import (
	"errors"
	"math"
	"os"
	"runtime"
	"time"

	"tribunal/judge/internal/limits"
)

// Running is a run in progress, about which nothing is known here.
type Running struct{}

func newRunning(*Command, *watchdog, *runState) (*Running, error) { return &Running{}, nil }

func (r *Running) begin(int) {}
func (r *Running) stop()     {}
func (r *Running) release()  {}

func (r *Running) SetPartner(*Running, limits.Bytes) {}

func (r *Running) LimitWall(time.Duration) {}

func (r *Running) OverOutput() {}

// Activity reports that the run has ended.
func (r *Running) Activity() (cpu time.Duration, waits, ok bool) { return 0, false, false }

// Settled reports that the run has ended.
func (r *Running) Settled() (settled, awake bool) { return r == nil, false }

// Relay records what connected programs send each other, which is not possible here.
type Relay struct{}

func (t *Relay) End(time.Time) []Piece { return nil }

func (t *Relay) Empty(Side) bool { return true }

// errConnect says why programs cannot talk to each other.
var errConnect = errors.New("interactive problems are judged on Linux only (hint: docs/install.md#systems)")

func Connect(_, _ *Command) error { return errConnect }

func ConnectRelayed(_, _ *Command, _ limits.Bytes) (*Relay, error) { return nil, errConnect }

// Close closes In and Out of a command that is never run, if they are set.
func (cmd *Command) Close() {
	for _, f := range []*os.File{cmd.In, cmd.Out} {
		if f != nil {
			f.Close()
		}
	}
}

func (cmd *Command) closeRun() { cmd.Close() }

// DiscardRest closes in.
func DiscardRest(in *os.File, _ limits.Bytes, _ func()) (stop func()) {
	in.Close()
	return func() {}
}

func DefaultSlots() int { return runtime.NumCPU() }

func AllowedCPUs() []int {
	list := make([]int, runtime.NumCPU())
	for i := range list {
		list[i] = i
	}
	return list
}

// Busy returns 0, because this system does not say how long programs wait for a CPU.
func Busy() float64 { return 0 }

// Loaders returns nothing, because no box hides the dynamic linkers.
func Loaders() []string { return nil }

// LibraryFolders returns nothing, because no box hides libraries.
func LibraryFolders() []string { return nil }

// runState measures a run by its job.
type runState struct {
	*job
	memoryLimit limits.Bytes
}

// cpuWait is 0 and never late, because this system does not say how long programs wait for a CPU.
type cpuWait struct{ total, at time.Duration }

func (w *cpuWait) begin(time.Duration) { w.at = math.MaxInt64 }

func (w *watchdog) sentToPartner() int64 { return 0 }

func (w *watchdog) updateWait(wall, _ time.Duration) time.Duration {
	w.nextPoll = wall + pollLater
	return wall
}
