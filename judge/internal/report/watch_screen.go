package report

import (
	"io"
	"sync"
	"time"

	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/tty"
	"tribunal/judge/internal/verdict"
	"tribunal/judge/internal/watchmode"
)

const (
	redrawing = 50 * time.Millisecond // between two frames, unless the user waits for an event
	ticking   = time.Second           // between two frames while nothing happens in a round
)

// A WatchScreen renders the events of a watch on a terminal, redrawn in place on the
// alternate screen, so that the user's own lines stay as they are. A frame never has
// more lines or columns than the terminal. Events that the user waits for are drawn at once: the
// end of a round, a failure, the first verdict on a program. Others are drawn soon. Between rounds
// nothing is drawn, and no timer runs.
//
// Lines end with CR and LF, so that a terminal in raw mode shows them too. It is safe
// for concurrent use.
type WatchScreen struct {
	mu    sync.Mutex
	w     io.Writer
	size  func() (cols, rows int)
	color bool
	err   error // of the first write that failed

	board  board
	began  time.Time // the round
	drawn  time.Time // the latest frame
	frame  tty.Text  // that frame; empty if the terminal no longer shows it
	timer  *time.Timer
	opened bool // the alternate screen is open
	closed bool

	suspended bool
}

// NewWatchScreen returns a WatchScreen that writes to w. It calls size before every frame; an
// unknown size is 0.
func NewWatchScreen(w io.Writer, size func() (cols, rows int), color bool) *WatchScreen {
	return &WatchScreen{w: w, size: size, color: color}
}

// Event renders e. Errors of the writer are kept for Close.
func (s *WatchScreen) Event(e watchmode.Event) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return
	}
	now := time.Now()
	if _, ok := e.(*watchmode.Round); ok {
		s.began = now
	}
	s.board.apply(e)
	if wait := s.drawn.Add(redrawing).Sub(now); wait > 0 && !s.board.awaited(e) {
		s.again(wait)
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

// Redraw draws the screen anew. Call it when the size of the terminal has changed, and after
// Suspend. On a nil screen it does nothing.
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

// Suspend leaves the alternate screen, and draws nothing until Redraw is called. On a nil screen it
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

// again schedules a drawing of the screen.
func (s *WatchScreen) again(after time.Duration) {
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

// draw writes a frame with one write, unless the terminal shows it already.
func (s *WatchScreen) draw() {
	if s.drawn = time.Now(); s.suspended {
		return
	}
	if s.board.round.Number > 0 && s.board.settled == nil {
		s.again(ticking)
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
	cols, rows := s.size()
	if cols <= 0 || rows <= 0 {
		cols, rows = 80, 24
	}
	// The last column stays empty, because clearing the rest of a line that ends there would also
	// clear its last character.
	body, foot = s.board.draw(s.color, max(cols-1, 1), rows, time.Since(s.began))
	return body, foot, rows
}

func (s *WatchScreen) write(t tty.Text) {
	if s.err == nil {
		s.err = tty.Put(s.w, t)
	}
}
