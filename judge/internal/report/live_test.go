package report

import (
	"fmt"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/verdict"
)

// A screen is a terminal that supports only what a progress bar needs: printing, newlines, carriage
// returns, and the sequence that clears the rest of a line. Everything else is an error.
type screen struct {
	mu      sync.Mutex
	lines   []string
	row     int
	atStart bool // whether the cursor is at the start of the line, instead of its end
	unknown []string
	written chan struct{} // receives a value after each write, unless it is full
}

func newScreen() *screen { return &screen{lines: []string{""}, written: make(chan struct{}, 1)} }

func (s *screen) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for text := string(p); text != ""; {
		switch {
		case text[0] == '\n':
			if s.row++; s.row == len(s.lines) {
				s.lines = append(s.lines, "")
			}
			text = text[1:]
		case strings.HasPrefix(text, "\x1b["):
			end := strings.IndexAny(text, "ABCDHJKm")
			if text[:end+1] == "\x1b[K" && s.atStart {
				s.lines[s.row] = ""
			} else {
				s.unknown = append(s.unknown, text[:end+1])
			}
			text = text[end+1:]
		case text[0] == '\r':
			s.atStart = true
			text = text[1:]
		case text[0] < ' ':
			s.unknown = append(s.unknown, text[:1])
			text = text[1:]
		default:
			end := strings.IndexFunc(text, func(r rune) bool { return r < ' ' })
			if end < 0 {
				end = len(text)
			}
			s.lines[s.row] += text[:end]
			s.atStart = false
			text = text[end:]
		}
	}
	select {
	case s.written <- struct{}{}:
	default:
	}
	return len(p), nil
}

func (s *screen) text() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.unknown) > 0 {
		return fmt.Sprintf("unknown sequences: %q", s.unknown)
	}
	return strings.Join(s.lines, "\n")
}

var verdictLines = regexp.MustCompile(`(?m)(^judged [0-9].*\n)+\n`)

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
			if !plain.Quiet { // the bar replaces the lines about verdicts
				want = verdictLines.ReplaceAllString(want, "")
			}
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

// TestLiveBar checks the counts and the worst verdict beside the bar, and that the bar is removed
// even if the events end early.
func TestLiveBar(t *testing.T) {
	t.Parallel()
	s := newScreen()
	term := onTerminal(s, TerminalOptions{Live: true, Width: 60})
	term.S.interval = time.Millisecond
	// shows waits until the bar has the given text, for a limited number of drawings.
	shows := func(header, counts, say string) (bar string, ok bool) {
		for range 100 {
			<-s.written
			bar = strings.TrimSuffix(strings.TrimPrefix(s.text(), header), "\n")
			if strings.HasPrefix(bar, counts) && strings.HasSuffix(bar, say) && len(bar) <= 60 {
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
		{&grade.Built{}, "0/6 [", "] built x.cc"},
		{&grade.Progress{Done: 0, Total: 6}, "0/6 [", "] judging"},
		{&grade.Progress{Done: 2, Total: 6, Worst: verdict.AC}, "2/6 [", "] all accepted so far"},
		{&grade.Progress{Done: 3, Total: 6, Worst: verdict.MLE}, "3/6 [", "] worst so far MLE"},
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
