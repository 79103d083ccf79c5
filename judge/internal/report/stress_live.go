package report

import (
	"fmt"
	"io"
	"sync"
	"time"

	"tribunal/judge/internal/event"
	"tribunal/judge/internal/stress"
)

// StressLive shows on a terminal how far a search is: a bar for its time, and how many
// inputs a second are tried. It is silent where there is no terminal.
type StressLive struct {
	w     io.Writer
	on    bool
	width int

	mu    sync.Mutex
	bar   *live
	begun time.Time
	limit time.Duration // 0 is none
	name  string        // of what is tried
}

// NewStressLive returns a display of a search that takes so long, on w if on is set. width
// is used where w does not know its own.
func NewStressLive(w io.Writer, on bool, width int, limit time.Duration) *StressLive {
	l := &StressLive{w: w, on: on, width: width}
	l.begin(limit, "inputs")
	return l
}

// Shrink tells that what was found is shrunk now, which takes so long at most.
func (l *StressLive) Shrink(limit time.Duration) {
	l.Close()
	l.begin(limit, "smaller inputs")
}

func (l *StressLive) begin(limit time.Duration, name string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.begun, l.limit, l.name = time.Now(), limit, name
	if l.on {
		l.bar = newLive(l.w, l.width, int(max(limit, time.Second)/time.Second), "trying "+name, 100*time.Millisecond)
	}
}

// Event shows how far the work is.
func (l *StressLive) Event(e event.Event) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.bar == nil {
		return
	}
	elapsed := time.Since(l.begun)
	tried := func(n int) string { return fmt.Sprintf("%d %s, %s a second, ", n, l.name, perSecond(n, elapsed)) }
	var status string
	switch e := e.(type) {
	case *stress.Progress:
		status = tried(e.Inputs) + word(e.Source.String())
	case *stress.Step:
		status = tried(e.Tries) + "smallest " + Count(e.Bytes, "byte")
	default:
		return
	}
	total := max(l.limit, elapsed, time.Second)
	l.bar.show(int(elapsed/time.Second), int(total/time.Second), status)
}

// Close takes the bar away. Closing twice is harmless.
func (l *StressLive) Close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.bar != nil {
		l.bar.stop()
		l.bar = nil
	}
}
