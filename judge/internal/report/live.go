package report

import (
	"io"
	"strings"
	"sync"
	"time"

	"tribunal/judge/internal/tty"
)

// live is a progress bar: a line that is redrawn in place. Nothing else may write to its terminal
// until stop, which removes the bar, has returned. It is safe for concurrent use.
type live struct {
	w     io.Writer
	width int // columns

	mu          sync.Mutex
	done, total int
	status      string // the text beside the bar
	drawn       string // the line as last drawn
	failed      bool   // whether a write has failed

	ending, ended chan struct{}
}

// maxBar is the largest width of the bar itself, in columns.
const maxBar = 40

// newLive draws a bar of total steps on w, and redraws it at the given interval if it has changed.
// width is that of the terminal in columns; 0 means 80.
func newLive(w io.Writer, width, total int, status string, interval time.Duration) *live {
	if width <= 0 {
		width = 80
	}
	l := &live{w: w, width: width, total: total, status: status, ending: make(chan struct{}), ended: make(chan struct{})}
	go l.run(interval)
	return l
}

func (l *live) run(interval time.Duration) {
	defer close(l.ended)
	tick := time.NewTicker(interval)
	defer tick.Stop()
	for {
		l.draw()
		select {
		case <-tick.C:
		case <-l.ending:
			return
		}
	}
}

// draw draws the bar if it has changed.
func (l *live) draw() {
	l.mu.Lock()
	defer l.mu.Unlock()
	columns := min(maxBar, l.width/2)
	filled := 0
	if l.total > 0 {
		filled = min(columns*l.done/l.total, columns)
	}
	bar := strings.Repeat("=", filled) + strings.Repeat("-", columns-filled)
	// The last column stays empty, because a character there would move the cursor to the next
	// line.
	line := tty.Sprintf("%d/%d [%s] %s", l.done, l.total, bar, word(l.status)).Cut(l.width - 1)
	if line.String() == l.drawn || l.failed {
		return
	}
	l.drawn = line.String()
	l.failed = tty.Put(l.w, tty.Join([]tty.Text{tty.StartLine, line}, "")) != nil
}

// setStatus sets the text beside the bar.
func (l *live) setStatus(status string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.status = status
}

// setProgress sets the length of the bar and the text beside it.
func (l *live) setProgress(done, total int, status string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.done, l.total, l.status = done, total, status
}

// interrupt removes the bar, calls print, which may write to the terminal, and leaves it to the next
// redrawing to show the bar again.
func (l *live) interrupt(print func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.drawn != "" && !l.failed {
		l.failed = tty.Put(l.w, tty.StartLine) != nil
	}
	l.drawn = ""
	print()
}

// stop removes the bar.
func (l *live) stop() {
	close(l.ending)
	<-l.ended
	if l.drawn != "" && !l.failed {
		_ = tty.Put(l.w, tty.StartLine)
	}
}
