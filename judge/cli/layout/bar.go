package layout

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"tribunal/judge/internal/tty"
)

// A Bar is a line at the foot of a terminal that shows the progress of a work: the stage, how many
// of its parts are done, the elapsed time, and an estimate of the rest. It is redrawn in place, and
// whenever the width of the terminal changes. Other text may be written to its [tty.Writer]
// meanwhile, and appears above the bar. A Bar is safe for concurrent use.
type Bar struct {
	w     io.Writer
	Width int // columns, if w does not know

	mu          sync.Mutex
	what        string    // the stage
	begun       time.Time // when the stage began
	done, total int       // total is 0 if the parts are not counted
	say         string    // the text at the end
	drawn       bool      // whether the bar has been drawn since it was removed
	failed      bool      // whether a write has failed
	now         func() time.Time

	ending, ended chan struct{}
}

const (
	maxBar  = 30                     // columns of the picture of a bar
	Redrawn = 100 * time.Millisecond // time between two drawings
)

// NewBar draws a bar on w for a stage, such as "compiling", that began at a time. width is the width
// of the terminal in columns, if w is not a terminal; 0 means 80. The caller must stop the bar.
func NewBar(w io.Writer, width int, what string, begun time.Time) *Bar {
	return NewBarEvery(w, width, what, begun, Redrawn)
}

// NewBarEvery is like NewBar, and redraws the bar at the given interval.
func NewBarEvery(w io.Writer, width int, what string, begun time.Time, interval time.Duration) *Bar {
	if width <= 0 {
		width = 80
	}
	b := &Bar{w: w, Width: width, what: what, now: time.Now, begun: begun, ending: make(chan struct{}), ended: make(chan struct{})}
	go b.run(interval)
	return b
}

func (b *Bar) run(interval time.Duration) {
	defer close(b.ended)
	tick := time.NewTicker(interval)
	defer tick.Stop()
	for {
		b.Draw()
		select {
		case <-tick.C:
		case <-b.ending:
			return
		}
	}
}

// Draw draws the bar.
func (b *Bar) Draw() {
	b.mu.Lock()
	defer b.mu.Unlock()
	width := b.Width
	if columns := tty.Width(b.w); columns > 0 {
		width = columns
	}
	text := b.text(min(maxBar, width/4))
	if utf8.RuneCountInString(text) >= width { // words tell more than the picture
		text = b.text(0)
	}
	// The last column stays empty, because a character there would move the cursor to the next
	// line.
	line := tty.Sprintf("%s", text).Cut(width - 1)
	if b.failed {
		return
	}
	b.drawn = true
	b.failed = tty.Status(b.w, b, line) != nil
}

// text returns what the bar shows, with a picture of so many columns if that is enough for one.
func (b *Bar) text(columns int) string {
	picture := ""
	if b.total > 0 && columns >= 15 {
		filled := min(columns*b.done/b.total, columns)
		picture = " [" + strings.Repeat("=", filled) + strings.Repeat("-", columns-filled) + "]"
	}
	text := progress(b.what, picture, b.done, b.total, b.now().Sub(b.begun))
	if b.say != "" {
		text += " · " + b.say
	}
	return Word(text)
}

// Stage begins another stage, whose parts are not counted yet. It does nothing if the bar shows this
// stage already.
func (b *Bar) Stage(what string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if what != b.what {
		b.what, b.begun, b.done, b.total, b.say = what, b.now(), 0, 0, ""
	}
}

// Count sets the number of parts of the stage that are done, and a text at the end of the bar.
func (b *Bar) Count(done, total int, say string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.done, b.total, b.say = done, total, say
}

// Interrupt removes the bar, calls print, which may write to the terminal, and leaves it to the next
// redrawn to show the bar again. Only text to other writers than that of the bar needs this.
func (b *Bar) Interrupt(print func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.remove()
	print()
}

func (b *Bar) remove() {
	if b.drawn && !b.failed {
		b.failed = tty.Status(b.w, b, tty.Text{}) != nil
	}
	b.drawn = false
}

// Stop removes the bar. It is called once.
func (b *Bar) Stop() {
	close(b.ending)
	<-b.ended
	b.mu.Lock()
	defer b.mu.Unlock()
	b.remove()
}

// left estimates how long the rest of a work takes of which done of total parts have taken some
// time. It returns a phrase such as "about 0:40 left", or "" if nothing is known yet.
func left(spent time.Duration, done, total int) string {
	if done == 0 || done >= total || spent < time.Second {
		return ""
	}
	rest := time.Duration(float64(spent) * float64(total-done) / float64(done))
	return "about " + clock(max(rest, time.Second)) + " left"
}

// clock formats an elapsed time: 0:41, 3:10, 1:02:03.
func clock(d time.Duration) string {
	s := int(d.Round(time.Second) / time.Second)
	if s >= 3600 {
		return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
	}
	return fmt.Sprintf("%d:%02d", s/60, s%60)
}

// Progress describes on one line how far a work has come: what it does, the number of its parts that
// are done, unless total is 0, the time spent, and an estimate of the rest.
func Progress(what string, done, total int, spent time.Duration) string {
	return progress(what, "", done, total, spent)
}

// progress is like Progress. picture follows the number of parts.
func progress(what, picture string, done, total int, spent time.Duration) string {
	text := what
	switch {
	case total > 0:
		text += fmt.Sprintf(" %d/%d%s", done, total, picture)
	case done > 0:
		text += fmt.Sprintf(" %d", done)
	}
	if spent >= time.Second {
		text += " · " + clock(spent)
	}
	if rest := left(spent, done, total); rest != "" {
		text += " · " + rest
	}
	return text
}
