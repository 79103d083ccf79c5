package report

import (
	"errors"
	"io"
	"slices"
	"strings"

	"tribunal/judge/cli/layout"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/verdict"
	"tribunal/judge/internal/watchmode"
	"tribunal/judge/internal/yamlstrict"
)

// A WatchLines is a sink that renders the events of judge watch as plain lines, for a log or a
// terminal that cannot be redrawn. It writes one line for each important event, and indented
// details below a failure. It is not safe for concurrent use.
type WatchLines struct {
	w     io.Writer
	err   error // the first error of the writer
	board board
	notes int      // the number of the board's notes that have been printed
	busy  []string // the notes about other users of the CPUs that were printed last
}

// NewWatchLines returns a WatchLines that writes to w.
func NewWatchLines(w io.Writer) *WatchLines { return &WatchLines{w: w} }

// Event renders e. Close returns errors of the writer.
func (l *WatchLines) Event(e watchmode.Event) {
	p := &layout.Page{}
	known := l.board.checked(e)
	l.board.apply(e)
	switch e := e.(type) {
	case *watchmode.Watching:
		p.Printf("watching %s\n", watched(e))
		layout.Notes(p, e.Notes)
	case *watchmode.Round:
		p.Printf("\n%s\n", roundTitle(e))
		for _, id := range e.Gone {
			p.Printf("%s: no longer exists\n", layout.Word(id))
		}
	case *watchmode.Stage:
		p.Printf("%s\n", stageText(e))
	case *watchmode.Failed:
		first, _, _ := strings.Cut(e.Err.Error(), "\n")
		if _, located := errors.AsType[*yamlstrict.Error](e.Err); !located && e.Problem != "" {
			first = e.Problem + ": " + first
		}
		p.Printf("%s\n", layout.Word(first))
		furtherLines(p, e.Err)
	case *watchmode.Expectations:
		text, _ := state(e)
		p.Printf("%s: %s\n", layout.Word(e.Problem), text)
		if !known {
			showChanges(p, changes(e))
		}
	case *watchmode.Grading:
		l.grading(p, e)
	case *watchmode.Difference:
		difference(p, e)
	case *watchmode.Submitted:
		if text, _ := l.board.submission(); text != "" {
			p.Printf("%s\n", text)
		}
	case *watchmode.Counterexample:
		counterexample(p, e, 0)
	case *watchmode.Settled:
		_, text := outcome(e)
		p.Printf("round %d: %s\n", e.Number, text)
	}
	if !p.Empty() && l.err == nil {
		l.err = p.Write(l.w)
	}
}

// Close returns the first error of the writer.
func (l *WatchLines) Close() error { return l.err }

// grading adds new notes about the host, or the verdict on a program.
func (l *WatchLines) grading(p *layout.Page, e *watchmode.Grading) {
	switch x := e.Event.(type) {
	case *grade.Begin:
		if e.Role == watchmode.Served {
			layout.Notes(p, l.board.served)
			return
		}
		layout.Notes(p, l.board.notes[l.notes:])
		l.notes = len(l.board.notes)
		if !slices.Equal(l.busy, x.Busy) {
			l.busy = x.Busy
			layout.Notes(p, x.Busy)
		}
	case *grade.Done:
		g := l.board.block(e.Problem).graded[e.Role]
		m := g.programs[g.first+x.Submission]
		p.Printf("%s: ", layout.Word(e.Problem))
		if e.Role == watchmode.Served {
			p.Printf("on the server: ")
			if m.Verdict == verdict.None { // the server does not show it
				p.Printf("%s: %s\n", layout.Word(m.Name), layout.Word(m.Cause))
				return
			}
		}
		sentence(p, m.Submission)
		if ok, _ := m.asExpected(e.Role); !ok {
			m.explain(p, g)
		}
	}
}

// checked reports whether this round has already shown expected outputs of the problem of e.
func (b *board) checked(e watchmode.Event) bool {
	x, ok := e.(*watchmode.Expectations)
	return ok && b.block(x.Problem).expectations.round == b.round.Number
}
