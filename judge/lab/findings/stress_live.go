package findings

import (
	"fmt"
	"io"
	"sync"
	"time"

	"tribunal/judge/cli/layout"
	"tribunal/judge/internal/event"
	"tribunal/judge/lab/stress"
)

// StressLive shows the progress of judge stress on a terminal: a bar for the elapsed time, and the
// number of inputs per second. It is safe for concurrent use.
type StressLive struct {
	w     io.Writer
	on    bool // whether to show anything
	width int

	mu    sync.Mutex
	bar   *layout.Bar
	begun time.Time
	limit time.Duration // time limit of the search or the shrinking; 0 means none
	name  string        // the noun for the counted inputs, in plural
}

// NewStressLive returns a display on w, a terminal of the given width, for a search with the given
// time limit. If on is false, it shows nothing.
func NewStressLive(w io.Writer, on bool, width int, limit time.Duration) *StressLive {
	l := &StressLive{w: w, on: on, width: width}
	l.begin(limit, "inputs")
	return l
}

// Shrink switches to the display of shrinking, with the given time limit.
func (l *StressLive) Shrink(limit time.Duration) {
	l.Close()
	l.begin(limit, "smaller inputs")
}

func (l *StressLive) begin(limit time.Duration, name string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.begun, l.limit, l.name = time.Now(), limit, name
	if l.on {
		l.bar = layout.NewBar(l.w, l.width, "trying "+name, l.begun)
	}
}

// Event shows the progress that e reports.
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
		status = tried(e.Inputs) + layout.Word(e.Source.String())
	case *stress.Step:
		status = tried(e.Tries) + "smallest " + layout.Count(e.Bytes, "byte")
	default:
		return
	}
	total := 0 // no limit
	if l.limit > 0 {
		total = int(max(l.limit, elapsed, time.Second) / time.Second)
	}
	l.bar.Count(int(elapsed/time.Second), total, status)
}

// Close removes the bar. It may be called several times.
func (l *StressLive) Close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.bar != nil {
		l.bar.Stop()
		l.bar = nil
	}
}
