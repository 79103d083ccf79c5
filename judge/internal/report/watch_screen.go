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
	redrawing = 50 * time.Millisecond // between two drawings of what nobody waits for
	ticking   = time.Second           // between two drawings while nothing happens
)

// A WatchScreen renders the events of a watch on a terminal, redrawn in place on the
// alternate screen, so that the user's own lines stay as they are. A frame never has
// more lines or columns than the terminal. What one waits for is drawn at once: that a
// round is over, what failed, the first verdict on a program. The rest is drawn soon.
// While nothing is going on nothing is drawn, and no timer is set.
//
// Lines end with CR and LF, so that a terminal in raw mode shows them too. It is safe
// for concurrent use.
type WatchScreen struct {
	mu    sync.Mutex
	w     io.Writer
	size  func() (cols, rows int)
	color bool
	err   error // of the first write that went wrong

	board  board
	began  time.Time // the round
	drawn  time.Time // the latest frame
	frame  tty.Text  // that frame; empty when the terminal does not show it any more
	timer  *time.Timer
	opened bool // the alternate screen is
	closed bool

	suspended bool
}

// NewWatchScreen returns a WatchScreen that writes to w. It asks size before every
// frame; a size that is not known is 0.
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

// awaited reports whether somebody waits to see what e, the latest event, tells.
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

// Redraw draws the screen anew, as it has to be when its size has changed, and after
// Suspend. A nil screen has nothing to draw.
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

// Suspend gives the terminal back as it was: nothing is drawn until Redraw. A nil
// screen has nothing to give back.
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

// Close leaves the alternate screen, and what it showed last on the normal one. It
// returns the first error of the writer. Later events are not rendered.
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

// again sees to it that the screen is drawn after a while.
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

// draw writes a frame, in one piece, unless the terminal shows it already.
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

// lines returns what there is to show, and in how many rows.
func (s *WatchScreen) lines() (body, foot []tty.Text, rows int) {
	cols, rows := s.size()
	if cols <= 0 || rows <= 0 {
		cols, rows = 80, 24
	}
	// The last column stays empty: a line that ends there is cleared by what clears
	// the rest of it.
	body, foot = s.board.draw(s.color, max(cols-1, 1), rows, time.Since(s.began))
	return body, foot, rows
}

func (s *WatchScreen) write(t tty.Text) {
	if s.err == nil {
		s.err = tty.Put(s.w, t)
	}
}
