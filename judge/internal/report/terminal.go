// Package report renders events, in the formats that each command has.
//
// Texts that do not come from the judge, such as names of submissions and the output of
// programs, compilers and output validators, are shown with unprintable characters escaped,
// and with a bounded length. Begin in format.go: it defines formats and sinks; formats.go
// lists those of each command.
package report

import (
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"tribunal/judge/internal/account"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/sandbox"
	"tribunal/judge/internal/verdict"
)

// quietSpell is how long a plain report may be silent while the judge works.
const quietSpell = 10 * time.Second

// TerminalOptions say how a [Terminal] renders. The caller examines the terminal and the
// environment (NO_COLOR, CI); the report does not.
type TerminalOptions struct {
	Live    bool // draw a progress bar; else a plain line now and then
	Color   bool
	Quiet   bool // only one line per submission: its verdict
	Verbose bool // also one line for every judged case, with its measurements
	Chosen  bool // the cases were picked by name: a matrix shows all of them
	Width   int  // columns of the terminal; 0 means 80
}

// A Terminal renders the events of one Grade call as text for people: a header,
// progress, and when the stream ends a report. For one submission that is a
// table and what is wrong with each failing case, for several a matrix of cases
// and submissions. It is not safe for concurrent use.
type Terminal struct {
	w    io.Writer
	o    TerminalOptions
	err  error // of the first write that failed
	live *live

	x    *account.Execution
	told int // how many submissions, from the first, have had their verdicts printed

	now      func() time.Time
	last     time.Time     // of the latest output
	interval time.Duration // between two drawings of the bar
}

// NewTerminal returns a Terminal that writes to w. It reads x; the caller applies each event to x
// before it passes the event to the Terminal.
func NewTerminal(w io.Writer, x *account.Execution, o TerminalOptions) *Terminal {
	if o.Width <= 0 {
		o.Width = 80
	}
	return &Terminal{w: w, x: x, o: o, now: time.Now, interval: 100 * time.Millisecond}
}

// Event renders e. Errors of the writer are kept for Close.
func (t *Terminal) Event(e grade.Event) {
	switch e := e.(type) {
	case *grade.Begin:
		t.start(e)
	case *grade.Built:
		if t.live != nil {
			t.live.say("built " + t.x.Submissions[e.Submission].Name)
		}
	case *grade.Progress:
		t.progress(e)
	case *grade.Done:
		t.finished()
	case *grade.End:
		t.stop()
		if !t.o.Quiet {
			t.write(t.report)
		}
	}
}

// Close removes the progress bar, which is still there if the stream broke off, and returns the
// first error of the writer.
func (t *Terminal) Close() error {
	t.stop()
	return t.err
}

func (t *Terminal) stop() {
	if t.live != nil {
		t.live.stop()
		t.live = nil
	}
}

// write writes the page that fill fills, in one piece.
func (t *Terminal) write(fill func(*page)) {
	p := &page{color: t.o.Color}
	fill(p)
	t.last = t.now()
	if t.err == nil {
		t.err = p.write(t.w)
	}
}

func (t *Terminal) start(b *grade.Begin) {
	if t.o.Quiet {
		return
	}
	t.write(func(p *page) { header(p, b) })
	if t.o.Live {
		t.live = newLive(t.w, t.o.Width, len(b.Cases)*len(b.Submissions), "building", t.interval)
	}
}

// header shows what is judged, under which limits, and which mechanisms enforce them.
func header(p *page, b *grade.Begin) {
	p.printf("%s: %s, %s", p.paint(strong, word(b.Problem)), word(b.Title), Count(len(b.Cases), "case"))
	if n := len(b.Submissions); n > 1 {
		p.printf(", %s", Count(n, "submission"))
	}
	p.printf("\n")
	for _, g := range b.LeftOut {
		p.printf("left out: %s, an optional group of %s (hint: --optional)\n", word(g.Name), Count(g.Cases, "case"))
	}
	p.printf("limits: %s; compared: %s\n", describe(b.Limits), word(b.Compare))
	p.printf("running: %s at a time, %s each", Count(b.Slots, "program"), Count(max(b.CPUs, 1), "CPU"))
	if b.Repeat > 1 {
		p.printf(", every case %d times", b.Repeat)
	}
	p.printf("\n")
	p.printf("sandbox: %s\n", mechanisms(b.Mechanisms))
	if b.WantedCPUs > b.CPUs {
		p.printf("note: this problem asks for %s, a run gets %d here\n", Count(b.WantedCPUs, "CPU"), b.CPUs)
	}
	for _, n := range slices.Concat(b.Notes, b.Busy) {
		p.printf("note: %s\n", word(n))
	}
	p.printf("\n")
}

// mechanisms returns one line that names the mechanism for each limit, and the limits that are not
// enforced.
func mechanisms(m sandbox.Mechanisms) string {
	by, not := enforced(m)
	text := word(string(m.Mode))
	if m.Service != "" {
		text += " of the runner service " + word(m.Service)
	}
	if len(by) > 0 {
		text += "; " + strings.Join(by, ", ")
	}
	if len(not) > 0 {
		text += "; NOT enforced: " + strings.Join(not, ", ")
	}
	return text
}

// enforced returns the limits that are enforced, each with its mechanism, and those that are not.
func enforced(m sandbox.Mechanisms) (by, not []string) {
	for _, l := range []struct{ limit, mechanism string }{
		{"cpu", m.CPU}, {"wall", m.Wall}, {"memory", m.Memory}, {"output", m.Output}, {"processes", m.Processes},
	} {
		if l.mechanism == "" {
			not = append(not, l.limit)
		} else {
			by = append(by, l.limit+" ("+word(l.mechanism)+")")
		}
	}
	return by, not
}

// progress moves the bar. Without one it prints a line after a long silence.
func (t *Terminal) progress(e *grade.Progress) {
	worst := "all accepted so far"
	switch e.Worst {
	case verdict.AC:
	case verdict.None:
		worst = "judging"
	default:
		worst = "worst so far " + e.Worst.String()
	}
	switch {
	case t.live != nil:
		t.live.show(e.Done, e.Total, worst)
	case !t.o.Quiet && !t.o.Live && t.now().Sub(t.last) >= quietSpell:
		t.write(func(p *page) { p.printf("%d of %s, %s\n", e.Done, Count(e.Total, "case"), worst) })
	}
}

// finished prints the verdicts of finished submissions, if nothing else has been printed for a
// while. It keeps the order of the submissions: one that does not compile is finished at once, and
// waits for those before it.
func (t *Terminal) finished() {
	if !t.o.Quiet && (t.o.Live || len(t.x.Submissions) == 1) {
		return
	}
	for t.told < len(t.x.Submissions) && t.x.Submissions[t.told].Finished {
		s := t.x.Submissions[t.told]
		t.told++
		t.write(func(p *page) {
			if t.o.Quiet {
				sentence(p, s)
			} else {
				p.printf("judged %d of %d: %s: %s\n", t.told, len(t.x.Submissions), word(s.Name), p.paint(looks(s.Verdict), short(s.Verdict)))
			}
		})
	}
}

// report renders the rest when all submissions are judged.
func (t *Terminal) report(p *page) {
	if len(t.x.Submissions) == 1 {
		t.single(p, t.x.Submissions[0])
	} else {
		t.matrix(p)
	}
}

// sentence writes one line about the submission.
func sentence(p *page, s *account.Submission) {
	p.printf("%s: %s", word(s.Name), p.paint(looks(s.Verdict), short(s.Verdict)))
	if s.Judged > 0 {
		p.printf(" %d/%d", s.Passed, s.Total)
	}
	if text := why(s); text != "" {
		p.printf(" %s", text)
	}
	if text, l := expectation(s); text != "" {
		p.printf(" (%s)", p.paint(l, text))
	}
	if n := s.Count(unstable); n > 0 {
		p.printf(", %s", p.paint(bad, Count(n, "unstable case")))
	}
	if n := s.Count(cached); n > 0 {
		p.printf(", %d cached", n)
	}
	p.printf("\n")
}

func unstable(c *account.Case) bool { return c.Unstable }
func cached(c *account.Case) bool   { return c.Cached }

// why returns the case that decided the verdict, with the cause; "" if the submission is accepted.
func why(s *account.Submission) string {
	var parts []string
	for _, text := range []string{s.First, s.Cause} {
		if text != "" {
			parts = append(parts, word(text))
		}
	}
	return strings.Join(parts, ": ")
}

// expectation says how the verdict relates to the expected one; "" if none was expected.
func expectation(s *account.Submission) (string, look) {
	switch {
	case s.AsExpected == nil:
		return "", plain
	case *s.AsExpected:
		return "as expected", good
	case s.Expected == verdict.None:
		return "not as promised", bad
	default:
		return "expected " + s.Expected.String() + ", got " + short(s.Verdict), bad
	}
}

// short returns the code of v, or words if it has no code.
func short(v verdict.Verdict) string {
	if v == verdict.None {
		return v.Title()
	}
	return v.String()
}

// from says how the program was made, such as "cpp, compiled in 1.2 s".
func from(b *grade.Built) string {
	how := "compiled in " + duration(b.Time)
	switch {
	case b.Cached:
		how = "from the cache"
	case b.Error != "":
		how = "does not compile"
	case b.Time == 0:
		how = ""
	}
	return strings.Trim(word(b.Language)+", "+how, ", ")
}

// number returns the column number of a submission in a matrix.
func number(i int) string { return strconv.Itoa(i + 1) }
