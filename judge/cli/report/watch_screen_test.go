package report

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"tribunal/judge/cli/layout/layouttest"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/regen"
	"tribunal/judge/internal/sandbox"
	"tribunal/judge/internal/tty"
	"tribunal/judge/internal/verdict"
	"tribunal/judge/internal/watchmode"
)

// A monitor is a terminal that supports only what a WatchScreen needs. It records output that would
// wrap or scroll, and unknown sequences, in wrong.
type monitor struct {
	mu         sync.Mutex
	cols, rows int
	x, y       int
	cells      [][]string // by row and column; "" follows a character of two columns
	other      bool       // whether the alternate screen is open
	normal     string     // the text on the normal screen
	frames     int        // the number of writes to the alternate screen
	wrong      []string
}

func newMonitor(cols, rows int) *monitor {
	m := &monitor{}
	m.resize(cols, rows)
	return m
}

func (m *monitor) size() (cols, rows int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.cols, m.rows
}

func (m *monitor) resize(cols, rows int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.cols, m.rows = cols, rows
	m.cells = make([][]string, rows)
	for y := range m.cells {
		m.clear(y, 0)
	}
}

func (m *monitor) clear(y, from int) {
	for len(m.cells[y]) < m.cols {
		m.cells[y] = append(m.cells[y], " ")
	}
	for x := from; x < m.cols; x++ {
		m.cells[y][x] = " "
	}
}

func (m *monitor) Write(p []byte) (int, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	text := string(p)
	for text != "" {
		if strings.HasPrefix(text, "\x1b[") {
			end := strings.IndexAny(text, "HJKmhl") + 1
			m.control(text[:end])
			text = text[end:]
			continue
		}
		r := []rune(text)[0]
		text = text[len(string(r)):]
		if !m.other {
			m.normal += string(r)
			continue
		}
		m.put(r)
	}
	if m.other {
		m.frames++
	}
	return len(p), nil
}

func (m *monitor) control(sequence string) {
	switch sequence {
	case "\x1b[?1049h":
		m.other = true
	case "\x1b[?1049l":
		m.other = false
	case "\x1b[?25l", "\x1b[?25h", "\x1b[?7l", "\x1b[?7h", "\x1b[?2026h", "\x1b[?2026l":
	case "\x1b[H":
		m.x, m.y = 0, 0
	case "\x1b[K":
		m.clear(m.y, m.x)
	case "\x1b[J":
		m.clear(m.y, m.x)
		for y := m.y + 1; y < m.rows; y++ {
			m.clear(y, 0)
		}
	default:
		if !strings.HasSuffix(sequence, "m") {
			m.wrong = append(m.wrong, fmt.Sprintf("sequence %q", sequence))
		}
	}
}

func (m *monitor) put(r rune) {
	switch {
	case r == '\r':
		m.x = 0
	case r == '\n' && m.y == m.rows-1:
		m.wrong = append(m.wrong, "scrolled")
	case r == '\n':
		m.y++
	case r < ' ':
		m.wrong = append(m.wrong, fmt.Sprintf("character %q", r))
	default:
		width := tty.Columns(r)
		if m.x+width > m.cols {
			m.wrong = append(m.wrong, fmt.Sprintf("row %d is too long", m.y))
			return
		}
		m.cells[m.y][m.x] = string(r)
		if width == 2 {
			m.cells[m.y][m.x+1] = ""
		}
		m.x += width
	}
}

// text returns the text on the alternate screen.
func (m *monitor) text() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	var b strings.Builder
	for _, row := range m.cells {
		b.WriteString(strings.TrimRight(strings.Join(row, ""), " ") + "\n")
	}
	return b.String()
}

// seen returns the number of frames, the text on the normal screen, and the errors.
func (m *monitor) seen() (frames int, normal string, wrong []string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.frames, m.normal, m.wrong
}

// play renders events on a monitor without pauses.
func play(t *testing.T, m *monitor, color bool, events []watchmode.Event) *WatchScreen {
	t.Helper()
	s := NewWatchScreen(m, m.size, color)
	for i, e := range events {
		s.Event(e)
		if _, _, wrong := m.seen(); wrong != nil {
			t.Fatalf("event %d, %T: %q", i, e, wrong)
		}
	}
	return s
}

func TestWatchScreen(t *testing.T) {
	t.Parallel()
	for _, tt := range watchScenarios() {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				m := newMonitor(tt.cols, tt.rows)
				s := play(t, m, tt.color, after(tt.before, tt.events))
				time.Sleep(redrawing)
				synctest.Wait()
				shown := m.text()
				if err := s.Close(); err != nil {
					t.Error(err)
				}
				layouttest.Golden(t, tt.name+".screen", shown)
				_, normal, wrong := m.seen()
				left := strings.Split(strings.TrimSuffix(strings.ReplaceAll(normal, "\r", ""), "\n"), "\n")
				for _, l := range left {
					if !strings.Contains(shown, l) {
						t.Errorf("leaves %q behind, which was not on the screen", l)
					}
				}
				if m.other || len(left) >= tt.rows || wrong != nil {
					t.Errorf("leaves %d lines behind; %q", len(left), wrong)
				}
			})
		})
	}
}

// TestWatchScreenFits checks that no frame exceeds a terminal, however small.
func TestWatchScreenFits(t *testing.T) {
	t.Parallel()
	for _, tt := range watchScenarios() {
		for _, size := range [][2]int{{1, 1}, {2, 2}, {10, 3}, {20, 5}, {40, 10}, {300, 100}} {
			m := newMonitor(size[0], size[1])
			s := play(t, m, tt.color, after(tt.before, tt.events))
			s.Redraw()
			s.Close()
			if _, _, wrong := m.seen(); wrong != nil {
				t.Errorf("%s at %v: %q", tt.name, size, wrong)
			}
		}
	}
}

// TestWatchScreenTiming checks that awaited events are drawn at once, other events soon, and
// nothing between rounds.
func TestWatchScreenTiming(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		m := newMonitor(80, 24)
		s := NewWatchScreen(m, m.size, false)
		begin := begin([]string{"a/a", "a/b", "a/c"}, "a.cc")
		judged := func(i int, c grade.Case) *watchmode.Grading {
			c.Index, c.Name = i, begin.Cases[i]
			return &watchmode.Grading{Problem: "maze", Role: watchmode.Submission, Event: &c}
		}
		for _, step := range []struct {
			after  time.Duration
			event  watchmode.Event // nil if the time passes without an event
			frames int             // the number of new frames
			why    string
		}{
			{0, &watchmode.Watching{Problems: []string{"maze"}}, 1, "the first event is drawn at once"},
			{time.Hour, nil, 0, "nothing is drawn before the first round"},
			{0, &watchmode.Round{Number: 1, Reason: watchmode.Start, Problems: []string{"maze"}}, 1, "an event after a pause is drawn at once"},
			{0, &watchmode.Stage{What: "one"}, 0, "an event soon after a frame has to wait"},
			{0, &watchmode.Stage{What: "two"}, 0, "the next event has to wait too"},
			{redrawing, nil, 1, "one frame shows both events"},
			{0, &watchmode.Grading{Problem: "maze", Role: watchmode.Submission, Event: begin}, 0, "the start of judging has to wait"},
			{0, judged(2, accepted(1)), 1, "the first verdict is drawn at once"},
			{0, judged(1, wrong(false)), 1, "the first failure is drawn at once"},
			{0, judged(0, accepted(1)), 0, "another verdict has to wait"},
			{redrawing, nil, 1, "the other verdict is drawn after a short time"},
			{10 * ticking, nil, 10, "without events, the clock is redrawn"},
			{0, &watchmode.Stage{What: "three"}, 0, "a stage has to wait"},
			{0, &watchmode.Settled{Number: 1, Elapsed: time.Minute}, 1, "the end of the round is drawn at once"},
			{time.Hour, nil, 0, "nothing is drawn between rounds"},
			{0, &watchmode.Stage{What: "three"}, 0, "a frame without a change is not drawn"},
			{0, &watchmode.Failed{Problem: "maze", Err: errFull}, 1, "an error is drawn at once"},
		} {
			before, _, _ := m.seen()
			time.Sleep(step.after)
			synctest.Wait()
			if step.event != nil {
				s.Event(step.event)
			}
			if after, _, _ := m.seen(); after-before != step.frames {
				t.Errorf("%s: %d frames, want %d", step.why, after-before, step.frames)
			}
		}
		s.Close()
		_, before, _ := m.seen()
		s.Event(&watchmode.Settled{})
		s.Redraw()
		time.Sleep(time.Hour)
		if _, normal, _ := m.seen(); normal != before || m.other {
			t.Errorf("wrote %q after Close", strings.TrimPrefix(normal, before))
		}
	})
}

// TestWatchScreenResize checks that Redraw uses the new size of the terminal.
func TestWatchScreenResize(t *testing.T) {
	t.Parallel()
	m := newMonitor(80, 24)
	s := play(t, m, false, started())
	want := m.text()
	m.resize(40, 12)
	s.Redraw()
	m.resize(80, 24)
	s.Redraw()
	m.resize(80, 24) // the original size, but the frame is no longer visible
	s.Redraw()
	if got := m.text(); got != want {
		t.Errorf("back at the old size the screen shows\n%s\nwant\n%s", got, want)
	}
	s.Close()
	if _, _, wrong := m.seen(); wrong != nil {
		t.Errorf("%q", wrong)
	}
}

// TestWatchScreenScrolls checks that scrolling shows every line, in order, in screens of all sizes, and
// never less than a page of them.
func TestWatchScreenScrolls(t *testing.T) {
	t.Parallel()
	events := append(started(), unexpected()...)
	tall := newMonitor(80, 1000)
	play(t, tall, false, events).Close()
	_, all, _ := tall.seen()
	want := strings.Split(strings.ReplaceAll(all, "\r", ""), "\n")
	place := regexp.MustCompile(`lines \d+ to \d+ of`)
	want = want[:len(want)-2] // the state, and an end of a line
	for rows := range 40 {
		m := newMonitor(80, rows+1)
		s := play(t, m, false, events)
		summary, room := m.text(), rows+1-footRows(rows+1)
		body := func() []string { return strings.Split(m.text(), "\n")[:max(room, 0)] }
		if hidden := len(want) > room; strings.Contains(summary, fmt.Sprintf(" of %d lines", len(want))) != hidden {
			t.Errorf("%d rows: says that lines are hidden: %v, want %v:\n%s", rows+1, !hidden, hidden, summary)
		}
		if s.Scroll(LineUp); m.text() != summary {
			t.Errorf("%d rows: moves above the top", rows+1)
		}
		var got []string
		for range want {
			s.Scroll(LineDown)
			if m.text() != summary && room > 0 {
				if got == nil {
					got = body()
				} else if b := body(); b[len(b)-1] != got[len(got)-1] || len(got) < len(want) {
					got = append(got, b[len(b)-1])
				}
			}
			if len(got) == len(want) {
				break
			}
		}
		if room > 0 && len(want) > room {
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%d rows: line by line (-want +got):\n%s", rows+1, diff)
			}
			end := m.text()
			if s.Scroll(Bottom); m.text() != end {
				t.Errorf("%d rows: the end is\n%s, want\n%s", rows+1, m.text(), end)
			}
			if s.Scroll(PageDown); m.text() != end {
				t.Errorf("%d rows: moves below the end", rows+1)
			}
			if !strings.Contains(end, fmt.Sprintf("lines %d to %d of %d", len(want)-room+1, len(want), len(want))) {
				t.Errorf("%d rows: the place is not shown:\n%s", rows+1, end)
			}
			for range want {
				s.Scroll(PageUp)
			}
		} else if m.text() != summary {
			t.Errorf("%d rows: scrolls although everything fits, or nothing can be shown", rows+1)
		}
		if m.text() != summary {
			t.Errorf("%d rows: back at the top:\n%s, want\n%s", rows+1, m.text(), summary)
		}
		s.Scroll(Bottom)
		s.Event(&watchmode.Round{Number: 99, Reason: watchmode.Save})
		s.Redraw()
		if place.MatchString(m.text()) {
			t.Errorf("%d rows: a round does not begin at the top:\n%s", rows+1, m.text())
		}
		s.Close()
		if _, _, wrong := m.seen(); wrong != nil {
			t.Errorf("%d rows: %q", rows+1, wrong)
		}
	}
}

// TestWatchScreenSuspend checks that a suspended screen writes nothing, and that Redraw shows the
// events that happened meanwhile.
func TestWatchScreenSuspend(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		m := newMonitor(80, 24)
		s := play(t, m, false, started())
		s.Suspend()
		if m.other {
			t.Error("the alternate screen is still shown")
		}
		before, _, _ := m.seen()
		s.Event(&watchmode.Failed{Problem: "maze", Err: errors.New("missed")})
		time.Sleep(time.Hour)
		if after, _, _ := m.seen(); after != before {
			t.Errorf("%d frames are drawn", after-before)
		}
		s.Redraw()
		if !m.other || !strings.Contains(m.text(), "missed") {
			t.Errorf("the screen shows\n%s", m.text())
		}
		s.Close()
		if _, _, wrong := m.seen(); wrong != nil || m.other {
			t.Errorf("%q", wrong)
		}
	})
}

// TestWatchScreenUnused checks that a screen without events writes nothing.
func TestWatchScreenUnused(t *testing.T) {
	t.Parallel()
	m := newMonitor(80, 24)
	s := play(t, m, false, nil)
	s.Redraw()
	err := s.Close()
	if frames, normal, _ := m.seen(); err != nil || normal != "" || frames > 0 {
		t.Errorf("Close: %v, wrote %q", err, normal)
	}
}

// FuzzWatchScreen checks that frames with any texts stay within terminals of any size, and hold no
// control sequences of these texts.
func FuzzWatchScreen(f *testing.F) {
	f.Add("name", "plain\ntext", uint8(80), uint8(24))
	f.Add("\x1b[31m日本", "\x1b]0;title\x07\r\n\xff\u202e\u009b\u0301👩\u200d🚀", uint8(7), uint8(5))
	f.Fuzz(func(t *testing.T, short, long string, cols, rows uint8) {
		b := begin([]string{short, "x/y"}, short, "other")
		b.Notes, b.Mechanisms = []string{long}, sandbox.Mechanisms{}
		c := failed(verdict.RTE, short, ran(1))
		c.Stderr, c.Message, c.Kept = long, long, short
		b.Problem = short
		m := newMonitor(max(int(cols), 1), max(int(rows), 1))
		play(t, m, true, after(
			&watchmode.Watching{Problems: []string{short, "other"}, Submission: long, Notes: []string{long}},
			&watchmode.Round{Number: 1, Reason: watchmode.Reason(short), Paths: []string{long, short}, Problems: []string{short}},
			&watchmode.Stage{Problem: short, What: long},
			&watchmode.Failed{Problem: "other", Err: errors.New(long)},
			&watchmode.Expectations{Problem: short, State: watchmode.State(short), Plan: &regen.Plan{Changes: []regen.Change{{Case: short, Mismatch: wrong(true).Mismatch}}}},
			grading(short, watchmode.Submission, append([]grade.Event{b, &grade.Built{Build: grade.Build{Error: long}}}, stream(b, 0, verdict.None, c)...)...),
			&watchmode.Settled{Number: 1},
			&watchmode.Difference{Problem: short, Case: long, Cause: long},
		)).Close()
	})
}
