package report

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"tribunal/judge/cli/layout"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/tty"
	"tribunal/judge/internal/verdict"
)

// A screen is a terminal that supports only what a progress bar needs: printing, newlines, carriage
// returns, and the sequence that clears everything from the cursor on. Everything else is an error.
// It wraps lines that are longer than its width, as terminals do when they become narrower.
type screen struct {
	mu      sync.Mutex
	width   int // 0 means that lines are never wrapped
	lines   [][]rune
	at      int // place of the cursor in the last line
	unknown []string
	written chan struct{} // receives a value after each write, unless it is full
}

func newScreen() *screen { return &screen{lines: [][]rune{nil}, written: make(chan struct{}, 1)} }

func (s *screen) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for text := []rune(string(p)); len(text) > 0; {
		last := &s.lines[len(s.lines)-1]
		switch r := text[0]; {
		case r == '\n':
			s.lines, s.at = append(s.lines, nil), 0
		case r == '\r':
			if s.width > 0 {
				s.at -= s.at % s.width // the beginning of the row, not of the line
			} else {
				s.at = 0
			}
		case strings.HasPrefix(string(text), "\x1b[J"):
			*last = (*last)[:s.at]
			text = text[2:]
		case r < ' ':
			s.unknown = append(s.unknown, string(text[:min(len(text), 4)]))
		default:
			*last = append((*last)[:s.at], append([]rune{r}, (*last)[min(s.at+1, len(*last)):]...)...)
			s.at++
		}
		text = text[1:]
	}
	select {
	case s.written <- struct{}{}:
	default:
	}
	return len(p), nil
}

// resize changes the width of the screen, which wraps lines anew; the cursor keeps its character.
func (s *screen) resize(width int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.width = width
}

func (s *screen) text() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.unknown) > 0 {
		return fmt.Sprintf("unknown sequences: %q", s.unknown)
	}
	var lines []string
	for _, l := range s.lines {
		lines = append(lines, string(l))
	}
	return strings.Join(lines, "\n")
}

// TestLiveLeavesACleanScreen checks that the screen finally shows the same text as a Terminal
// without a progress bar writes.
func TestLiveLeavesACleanScreen(t *testing.T) {
	t.Parallel()
	for _, tt := range scenarios() {
		if tt.options.Color {
			continue // screen does not support colours
		}
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			plain := tt.options
			plain.Live = false
			want := render(t, plain, tt.events)
			s := newScreen()
			o := tt.options
			o.Live = true
			term := onTerminal(s, o)
			for _, e := range tt.events {
				term.Event(e)
			}
			if err := term.Close(); err != nil {
				t.Error(err)
			}
			if got := s.text(); got != want {
				t.Errorf("the screen shows\n%s\nwant\n%s", got, want)
			}
		})
	}
}

// TestLiveBar checks the counts and the worst verdict in the bar, and that the bar is removed even if
// the events end early.
func TestLiveBar(t *testing.T) {
	t.Parallel()
	s := newScreen()
	term := onTerminal(s, TerminalOptions{Live: true, Width: 100})
	term.S.interval = time.Millisecond
	// shows waits until the bar has the given text, for a limited number of drawings.
	shows := func(header, counts, say string) (bar string, ok bool) {
		for range 100 {
			<-s.written
			bar = strings.TrimPrefix(s.text(), header)
			if strings.HasPrefix(bar, counts) && strings.HasSuffix(bar, say) && len([]rune(bar)) < 100 {
				return bar, true
			}
		}
		return bar, false
	}
	term.Event(begin([]string{"a/b", "a/c", "a/d"}, "x.cc", "y.cc"))
	var b strings.Builder
	onTerminal(&b, TerminalOptions{}).Event(begin([]string{"a/b", "a/c", "a/d"}, "x.cc", "y.cc"))
	header := b.String()
	for _, step := range []struct {
		event       grade.Event
		counts, say string
	}{
		{&grade.Building{Done: 1, Total: 2}, "compiling 1/2 [", ""},
		{&grade.Built{}, "judging", ""},
		{&grade.Progress{Done: 0, Total: 6}, "judging 0/6 [", ""},
		{&grade.Progress{Done: 2, Total: 6, Worst: verdict.AC}, "judging 2/6 [", " · all accepted so far"},
		{&grade.Progress{Done: 3, Total: 6, Worst: verdict.MLE}, "judging 3/6 [", " · worst so far MLE"},
	} {
		term.Event(step.event)
		if bar, ok := shows(header, step.counts, step.say); !ok {
			t.Errorf("the bar is %q, want %s…%s", bar, step.counts, step.say)
		}
	}
	if err := term.Close(); err != nil {
		t.Error(err)
	}
	if got := s.text(); got != header {
		t.Errorf("after Close the screen shows\n%s\nwant\n%s", got, header)
	}
}

// TestBarOnNarrowScreen checks that a bar leaves nothing behind if the terminal becomes narrower
// than the bar, and that text written meanwhile appears above it.
func TestBarOnNarrowScreen(t *testing.T) {
	t.Parallel()
	s := newScreen()
	w := tty.NewWriter(s, nil)
	b := layout.NewBarEvery(w, 79, "compiling", time.Now(), time.Hour)
	b.Count(17, 202, strings.Repeat("long ", 20))
	b.Draw()
	if got := s.text(); !strings.HasPrefix(got, "compiling 17/202 · long") || len([]rune(got)) != 78 {
		t.Errorf("the bar is %q", got)
	}
	s.resize(20)
	b.Width = 20
	fmt.Fprintln(w, "a note")
	b.Count(18, 202, "x")
	b.Draw()
	if got := s.text(); !strings.HasPrefix(got, "a note\ncompiling 18/202") {
		t.Errorf("after a note: %q", got)
	}
	b.Stop()
	fmt.Fprintln(w, "the end")
	if got := s.text(); got != "a note\nthe end\n" {
		t.Errorf("finally the screen shows %q", got)
	}
}

// TestTwoBars checks that a second bar on a terminal waits until the first is removed.
func TestTwoBars(t *testing.T) {
	t.Parallel()
	s := newScreen()
	w := tty.NewWriter(s, nil)
	first, second := layout.NewBarEvery(w, 0, "first", time.Now(), time.Hour), layout.NewBarEvery(w, 0, "second", time.Now(), time.Hour)
	first.Draw()
	second.Draw()
	shown := s.text()
	if shown != "first" && shown != "second" {
		t.Errorf("the screen shows %q", shown)
	}
	first.Stop()
	second.Draw()
	if got := s.text(); got != "second" {
		t.Errorf("without the first bar: %q", got)
	}
	second.Stop()
	if got := s.text(); got != "" {
		t.Errorf("without bars: %q", got)
	}
}
