package report

import (
	"io"
	"math"
	"sync"
	"time"

	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/tty"
	"tribunal/judge/internal/verdict"
	"tribunal/judge/internal/watchmode"
)

const (
	redrawing = 50 * time.Millisecond // minimum time between frames, except for awaited events
	ticking   = time.Second           // time between frames in a round without events
)

// A WatchScreen is a sink that renders the state of judge watch on a terminal. It redraws in place
// on the alternate screen, so that the lines before the command reappear at the end. A frame never
// has more lines or columns than the terminal.
//
// Events that the user waits for are drawn at once: the end of a round, a failure, the first
// verdict on a program. Other events are drawn after a short time. Between rounds the screen does
// not change, and no timer runs.
//
// Lines end with CR and LF, as a terminal in raw mode needs. A WatchScreen is safe for concurrent
// use.
type WatchScreen struct {
	mu    sync.Mutex
	w     io.Writer
	size  func() (cols, rows int)
	color bool
	err   error // the first error of the writer

	board  board
	began  time.Time   // the start of the round
	drawn  time.Time   // the time of the latest frame
	frame  tty.Text    // the latest frame; empty if it is no longer on the screen
	timer  *time.Timer // draws the next frame; nil until used
	opened bool        // whether the alternate screen is open
	closed bool        // whether Close was called

	suspended bool // whether Suspend was called, and Redraw not since

	// at is 0 while the frame shows what is most important, and n if it shows all lines from the nth.
	at int
}

// NewWatchScreen returns a WatchScreen that writes to w. It calls size for the size of the terminal
// before every frame; 0 means unknown.
func NewWatchScreen(w io.Writer, size func() (cols, rows int), color bool) *WatchScreen {
	return &WatchScreen{w: w, size: size, color: color}
}

// A Scroll is a movement over the lines that do not fit on the screen.
type Scroll int

const (
	LineUp Scroll = iota
	LineDown
	PageUp
	PageDown
	Top
	Bottom
)

// Scroll moves over all lines, if they do not fit on the screen. At the top the screen shows what is
// most important instead, as it does when a round begins. On a nil screen it does nothing.
func (s *WatchScreen) Scroll(by Scroll) {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed || s.drawn.IsZero() {
		return
	}
	_, _, room := s.whole()
	switch page := max(room-1, 1); by {
	case LineUp:
		s.at--
	case LineDown:
		s.at++
	case PageUp:
		s.at -= page
	case PageDown:
		s.at = max(s.at, 1) + page
	case Top:
		s.at = 0
	case Bottom:
		s.at = math.MaxInt / 2
	}
	s.draw()
}

// Event renders e. Close returns errors of the writer.
func (s *WatchScreen) Event(e watchmode.Event) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return
	}
	now := time.Now()
	if _, ok := e.(*watchmode.Round); ok {
		s.began, s.at = now, 0
	}
	s.board.apply(e)
	if wait := s.drawn.Add(redrawing).Sub(now); wait > 0 && !s.board.awaited(e) {
		s.drawAfter(wait)
		return
	}
	s.draw()
}

// awaited reports whether the user waits for e, the latest event.
func (b *board) awaited(e watchmode.Event) bool {
	switch e := e.(type) {
	case *watchmode.Stage, *watchmode.Round:
		return false
	case *watchmode.Grading:
		c, ok := e.Event.(*grade.Case)
		if !ok || e.Role == watchmode.Example {
			return false
		}
		g := b.block(e.Problem).graded[e.Role]
		m := g.programs[g.first+c.Submission]
		return len(m.Cases) == 1 || c.Verdict != verdict.AC && m.failure.Index == c.Index
	}
	return true
}

// Redraw redraws the screen. The caller calls it after the size of the terminal has changed, and
// after Suspend. On a nil screen it does nothing.
func (s *WatchScreen) Redraw() {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.suspended = false
	if !s.drawn.IsZero() && !s.closed {
		s.frame = tty.Text{}
		s.draw()
	}
}

// Suspend leaves the alternate screen and stops drawing until Redraw is called. On a nil screen it
// does nothing.
func (s *WatchScreen) Suspend() {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.suspended = true
	if s.opened && !s.closed {
		s.opened = false
		s.write(tty.CloseScreen)
	}
}

// Close leaves the alternate screen, writes the last frame to the normal one, and returns the first
// error of the writer. Later events are not rendered.
func (s *WatchScreen) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return s.err
	}
	s.closed = true
	if s.timer != nil {
		s.timer.Stop()
	}
	s.at = 0
	if s.opened {
		body, foot, _ := s.lines()
		screen := []tty.Text{tty.CloseScreen}
		for _, l := range append(body, foot[0]) {
			screen = append(screen, l, tty.Newline)
		}
		s.write(tty.Join(screen, ""))
	}
	return s.err
}

// drawAfter draws the screen after a time, in place of an earlier request.
func (s *WatchScreen) drawAfter(after time.Duration) {
	if s.timer == nil {
		s.timer = time.AfterFunc(after, s.tick)
		return
	}
	s.timer.Reset(after)
}

func (s *WatchScreen) tick() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.closed {
		s.draw()
	}
}

// draw writes a frame with a single write, unless the terminal already shows the same frame.
func (s *WatchScreen) draw() {
	if s.drawn = time.Now(); s.suspended {
		return
	}
	if s.board.round.Number > 0 && s.board.settled == nil {
		s.drawAfter(ticking)
	}
	body, foot, rows := s.lines()
	body = append(body, make([]tty.Text, rows-len(body)-len(foot))...)
	parts := []tty.Text{tty.BeginFrame}
	for i, l := range append(body, foot...) {
		if i > 0 {
			parts = append(parts, tty.EndLine)
		}
		parts = append(parts, l)
	}
	frame := tty.Join(append(parts, tty.EndFrame), "")
	if frame == s.frame {
		return
	}
	s.frame = frame
	if !s.opened {
		s.opened = true
		frame = tty.Join([]tty.Text{tty.OpenScreen, frame}, "")
	}
	s.write(frame)
}

// lines returns the lines of the frame, and the number of rows of the terminal.
func (s *WatchScreen) lines() (body, foot []tty.Text, rows int) {
	cols, rows := s.space()
	s.at = max(s.at, 0)
	if s.at > 0 {
		all, foot, room := s.whole()
		if s.at = min(s.at, len(all)-room+1); s.at > 0 && room > 0 && len(all) > room {
			from := s.at - 1
			place := tty.Sprintf("lines %d to %d of %d  ", from+1, from+room, len(all))
			foot[0] = tty.Join([]tty.Text{place, foot[0]}, "").Cut(cols)
			return all[from : from+room], foot, rows
		}
		s.at = 0
	}
	body, foot = s.board.draw(s.color, cols, rows, time.Since(s.began), false)
	return body, foot, rows
}

// whole returns all lines, the foot of the screen, and how many of the lines fit above it.
func (s *WatchScreen) whole() (all, foot []tty.Text, room int) {
	cols, rows := s.space()
	all, foot = s.board.draw(s.color, cols, rows, time.Since(s.began), true)
	return all, foot, rows - len(foot)
}

// space returns the columns and rows to draw on. The last column of the terminal stays empty, because
// clearing the rest of a line that fills it would also clear its last character.
func (s *WatchScreen) space() (cols, rows int) {
	cols, rows = s.size()
	if cols <= 0 || rows <= 0 {
		cols, rows = 80, 24
	}
	return max(cols-1, 1), rows
}

func (s *WatchScreen) write(t tty.Text) {
	if s.err == nil {
		s.err = tty.Put(s.w, t)
	}
}
