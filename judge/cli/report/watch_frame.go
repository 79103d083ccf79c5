package report

import (
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"tribunal/judge/cli/layout"
	"tribunal/judge/internal/tty"
	"tribunal/judge/internal/watchmode"
)

// A rank is the importance of a line; 0 is the most important. If a screen has no room for all
// lines, lines with the highest rank are dropped first.
type rank uint8

const (
	vital   rank = iota // failures, and the state of the round
	detail              // details of failures
	fine                // expected results, and results of earlier rounds
	changed             // changes of expected outputs; notes; details of earlier rounds
	course              // the row of verdicts, one character per case, of a program with failures
	spare               // empty lines, and the rows of verdicts of other programs
)

// ranked is a line with its rank.
type ranked struct {
	text tty.Text
	rows []tty.Text // the line, broken to the width of the screen
	rank rank
}

// A frame holds the lines of one screen, drawn from a board.
type frame struct {
	*board
	color bool
	cols  int
	lines []ranked

	total  int  // number of rows of the body, with those that are not drawn
	shown  int  // number of those that are drawn; total if all fit or scrolling shows them
	hidden bool // whether the screen has no room for all lines of the body
}

// draw returns the lines of a frame: the body, and the lines at the foot of the screen. Together
// they are at most rows lines of at most cols columns. With all set the body has every line.
func (b *board) draw(color bool, cols, rows int, elapsed time.Duration, all bool) (body, foot []tty.Text) {
	f := &frame{board: b, color: color, cols: cols}
	f.head()
	if b.difference != nil {
		f.add(vital, vital, func(p *layout.Page) { difference(p, b.difference) })
	} else {
		for _, k := range b.blocks {
			f.block(k)
		}
	}
	room := rows - footRows(rows)
	f.total = height(f.lines)
	f.hidden = f.total > room
	if all {
		room = f.total
	}
	body, f.shown = f.take(room)
	for _, fill := range []func(*layout.Page){func(p *layout.Page) { f.status(p, elapsed) }, f.keys}[:footRows(rows)] {
		p := &layout.Page{Color: color}
		fill(p)
		foot = append(foot, p.Text().Cut(cols))
	}
	return body, foot
}

// height returns the number of rows of lines.
func height(lines []ranked) (n int) {
	for _, l := range lines {
		n += len(l.rows)
	}
	return n
}

// footRows returns the largest number of lines at the foot of a screen.
func footRows(rows int) int { return min(2, max(1, rows-2)) }

// add adds the lines that fill writes. The first line gets the rank first, the others the rank
// rest.
func (f *frame) add(first, rest rank, fill func(*layout.Page)) {
	p := &layout.Page{Color: f.color}
	if fill(p); p.Empty() {
		return
	}
	r := first
	for _, l := range p.Text().Lines() {
		f.lines = append(f.lines, ranked{l, l.Wrap(f.cols), r})
		r = rest
	}
}

// take removes all lines from the frame and returns the rows of the most important ones, at most room. If even those
// that are vital have more, they are cut to the width of the screen. It also returns how many rows there are without one
// that stands for others.
func (f *frame) take(room int) (texts []tty.Text, count int) {
	lines := f.lines
	f.lines = nil
	over := height(lines) - room
	for r := spare; r > vital && over > 0; r-- {
		for i := len(lines) - 1; i >= 0 && over > 0; i-- {
			if lines[i].rank == r {
				over -= len(lines[i].rows)
				lines = slices.Delete(lines, i, i+1)
			}
		}
	}
	for i := len(lines) - 1; i >= 0 && over > 0; i-- {
		over -= len(lines[i].rows) - 1
		lines[i].rows = []tty.Text{lines[i].text.Cut(f.cols)}
	}
	for _, l := range lines {
		texts = append(texts, l.rows...)
	}
	count = min(len(texts), max(room, 0))
	if more := len(texts) - room; more > 0 && room > 0 {
		texts = append(texts[:room-1], tty.Sprintf("… %d more lines", more+1).Cut(f.cols))
		count--
	}
	return texts[:min(len(texts), max(room, 0))], count
}

// head adds the watched problems and submission, the reason for the round, and notes.
func (f *frame) head() {
	f.add(fine, fine, func(p *layout.Page) {
		p.Printf("%s", p.Paint(layout.Strong, watched(&f.watching)))
	})
	if f.round.Number > 0 {
		f.add(vital, vital, func(p *layout.Page) { p.Printf("%s", p.Paint(layout.Dim, roundTitle(&f.round))) })
	}
	f.add(changed, changed, func(p *layout.Page) { layout.Notes(p, slices.Concat(f.watching.Notes, f.notes, f.busy, f.served)) })
	if text, l := f.submission(); text != "" {
		f.add(vital, vital, func(p *layout.Page) { p.Printf("%s", p.Paint(l, text)) })
	}
}

// maxPaths is the largest number of saved files that are named.
const maxPaths = 3

// watched returns the names of the watched problems and of the submission.
func watched(e *watchmode.Watching) string {
	text := layout.Word(strings.Join(e.Problems, ", "))
	if e.Submission != "" {
		text += " with " + layout.Word(e.Submission)
	}
	return text
}

// roundTitle returns the number of a round and the reason why it began.
func roundTitle(e *watchmode.Round) string {
	text := "round " + strconv.Itoa(e.Number) + ": "
	switch e.Reason {
	case watchmode.Save:
		return text + "saved " + layout.FirstOf(e.Paths, maxPaths)
	case watchmode.Again:
		return text + "run again"
	case watchmode.All:
		return text + "all problems"
	case watchmode.Fails:
		return text + "failed cases only"
	case watchmode.Git:
		return text + "git finished"
	}
	return text + layout.Word(string(e.Reason))
}

// status adds how many lines are hidden, and the stage of the round or its outcome.
func (f *frame) status(p *layout.Page, elapsed time.Duration) {
	if f.shown < f.total {
		p.Printf("%s  ", p.Paint(layout.Dim, strconv.Itoa(f.shown)+" of "+strconv.Itoa(f.total)+" lines"))
	}
	switch e := f.settled; {
	case e != nil:
		p.Printf("%s, waiting for changes", p.Paint(outcome(e)))
	case f.round.Number == 0:
		p.Printf("starting")
	default:
		p.Printf("%s", stageText(&f.stage))
		if elapsed >= time.Second {
			p.Printf("  %s", layout.Duration(elapsed.Truncate(time.Second)))
		}
	}
}

// outcome describes the outcome of a round, and returns its look.
func outcome(e *watchmode.Settled) (layout.Look, string) {
	if e.OK {
		return layout.Good, "ok in " + layout.Duration(e.Elapsed)
	}
	return layout.Bad, "NOT ok in " + layout.Duration(e.Elapsed)
}

// stageText describes a stage of a round.
func stageText(e *watchmode.Stage) string {
	text := layout.Word(e.What)
	if e.Problem != "" {
		text = layout.Word(e.Problem) + ": " + text
	}
	if text == "" {
		return "working"
	}
	return text
}

// keys adds the keys that have an effect at the moment: those that fit, the most important first, and q.
func (f *frame) keys(p *layout.Page) {
	const quit = "quit"
	failing, differs := f.failing()
	room := f.cols - len("q "+quit)
	for _, k := range []struct {
		key, command string
		enabled      bool
	}{
		{"↑↓", "scroll", f.hidden},
		{"r", "again", true},
		{"s", "submit", f.watching.Server != ""},
		{"f", "failures", failing},
		{"d", "diff", differs && f.difference == nil},
		{"d", "back", f.difference != nil},
		{"g", "write", f.pending()},
		{"a", "all", true},
	} {
		if width := utf8.RuneCountInString(k.key + " " + k.command + "  "); k.enabled && width <= room {
			room -= width
			p.Printf("%s %s  ", p.Paint(layout.Strong, k.key), k.command)
		}
	}
	p.Printf("%s %s", p.Paint(layout.Strong, "q"), quit)
}
