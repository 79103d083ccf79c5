// Package report renders the events of commands in text, JSON and other formats.
//
// It bounds the length and escapes the unprintable characters of all texts that do not come from
// the judge, such as names of submissions and the output of programs, compilers and output
// validators.
//
// Begin in formats.go, which lists the formats of each command.
package report

import (
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"tribunal/judge/cli/layout"
	"tribunal/judge/internal/account"
	"tribunal/judge/internal/diff"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/sandbox"
	"tribunal/judge/internal/verdict"
)

// TerminalOptions are the options of [NewTerminal]. The caller derives them from the terminal and
// the environment (NO_COLOR, CI); the report does not look at these.
type TerminalOptions struct {
	Live    bool // draw a progress bar
	Color   bool
	Quiet   bool // write only one line per submission, with its verdict
	Verbose bool // also write everything about the host, and a line for every judged case, with its measurements
	Chosen  bool // show all cases in a matrix, because the user chose them by name
	Width   int  // columns of the terminal; 0 if it is not a terminal
	Order   Order
}

// A Terminal is a sink that renders the events of judge grade as text: a header, the progress, and
// at the end a report. The report on one submission is a table and a description of each failing
// case, the report on several a matrix of cases and submissions. A Terminal is not safe for
// concurrent use.
type Terminal struct {
	w   io.Writer
	o   TerminalOptions
	err error       // the first error of the writer
	bar *layout.Bar // nil if there is no progress bar at the moment

	x       *account.Execution
	printed int // the number of submissions, from the first on, whose verdicts have been printed

	interval time.Duration // the time between two drawings of the progress bar
}

// NewTerminal returns a Terminal that writes to w. The Terminal reads x. The caller must apply each
// event to x before it passes the event to the Terminal.
func NewTerminal(w io.Writer, x *account.Execution, o TerminalOptions) *Terminal {
	return &Terminal{w: w, x: x, o: o, interval: layout.Redrawn}
}

// Event renders e. Close returns errors of the writer.
func (t *Terminal) Event(e grade.Event) {
	switch e := e.(type) {
	case *grade.Begin:
		t.start(e)
	case *grade.Building:
		if t.bar != nil {
			t.bar.Count(e.Done, e.Total, "")
		}
	case *grade.Built:
		if t.bar != nil {
			t.bar.Stage(e.StageName())
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

// Close removes the progress bar and writes what is known if the events ended without a *grade.End.
// It returns the first error of the writer.
func (t *Terminal) Close() error {
	t.stop()
	t.write(t.rest)
	return t.err
}

// columns returns the width of tables that cannot be cut.
func (t *Terminal) columns() int {
	if t.o.Width > 0 {
		return t.o.Width
	}
	return 80
}

func (t *Terminal) stop() {
	if t.bar != nil {
		t.bar.Stop()
		t.bar = nil
	}
}

// write writes the text that fill adds to a page, with a single write.
func (t *Terminal) write(fill func(*layout.Page)) {
	p := &layout.Page{Color: t.o.Color}
	if fill(p); t.err == nil && !p.Empty() {
		t.err = p.Write(t.w)
	}
}

func (t *Terminal) start(b *grade.Begin) {
	if t.o.Quiet {
		return
	}
	t.write(func(p *layout.Page) { header(p, b, t.o.Verbose) })
	if t.o.Live {
		t.bar = layout.NewBarEvery(t.w, t.o.Width, b.StageName(), time.Now(), t.interval)
	}
}

// header adds a line with the problem and its limits, and what a reader must know to trust the
// verdicts: limits that this host enforces less well than others can, cases that are left out, and
// the reading of a package. If verbose, it adds everything about the host.
func header(p *layout.Page, b *grade.Begin, verbose bool) {
	p.Printf("%s: %s", p.Paint(layout.Strong, layout.Word(b.Problem)), layout.Word(b.Title))
	if !b.Withheld {
		p.Printf(", %s", layout.Count(len(b.Cases), "case"))
	}
	if n := len(b.Submissions); n > 1 {
		p.Printf(", %s", layout.Count(n, "submission"))
	}
	if !verbose {
		if most := layout.Limits(limits.Limits{CPU: b.Limits.CPU, Memory: b.Limits.Memory}); most != layout.NoLimits {
			p.Printf(", %s", most)
		}
		if by := comparedBy(b.Compare); by != "" {
			p.Printf(", %s", by)
		}
		if b.Repeat > 1 {
			p.Printf(", each %d times", b.Repeat)
		}
	}
	p.Printf("\n")
	if b.Dialect != "" {
		p.Printf("dialect: %s, because %s\n", layout.Word(b.Dialect), layout.Word(b.Because))
	}
	for _, g := range b.LeftOut {
		p.Printf("left out: %s, an optional group of %s (hint: --optional)\n", layout.Word(g.Name), layout.Count(g.Cases, "case"))
	}
	if verbose {
		p.Printf("limits: %s; compared: %s\n", layout.Limits(b.Limits), layout.Word(b.Compare))
		p.Printf("running: %s at a time, %s each", layout.Count(b.Slots, "program"), layout.Count(max(b.CPUs, 1), "CPU"))
		if b.Repeat > 1 {
			p.Printf(", every case %d times", b.Repeat)
		}
		p.Printf("\n")
	}
	for _, e := range b.Exceptions {
		p.Printf("limits %s: %s\n", layout.Exception(e), layout.Limits(limits.Limits{CPU: e.CPU, Memory: e.Memory}))
	}
	if verbose || !b.Mechanisms.Strict() {
		p.Printf("sandbox: %s\n", mechanisms(b.Mechanisms))
	}
	if b.WantedCPUs > b.CPUs {
		p.Printf("note: this problem asks for %s, a run gets %d here\n", layout.Count(b.WantedCPUs, "CPU"), b.CPUs)
	}
	for _, n := range b.Notes {
		if verbose || !b.Mechanisms.Strict() || !strings.HasPrefix(n, sandbox.KnownGaps) {
			p.Printf("note: %s\n", layout.Word(n))
		}
	}
	if verbose {
		layout.Notes(p, b.Busy)
	}
	p.Printf("\n")
}

// comparedBy says which outputs are right, by the field Compare of Begin; "" if only the expected bytes
// are.
func comparedBy(compare string) string {
	switch {
	case compare == "", compare == string(diff.Exact): // "": a server does not say it
		return ""
	case compare == string(diff.Lines):
		return "compared by lines"
	case compare == string(diff.Tokens):
		return "compared by words"
	case compare == string(diff.Float):
		return "compared by words and numbers"
	case strings.HasSuffix(compare, "+checker"):
		return "judged by a checker"
	}
	return "judged by a validator"
}

// busy adds notes about other users of the CPUs if the time limit has decided a verdict. If verbose,
// the header has them.
func (t *Terminal) busy(p *layout.Page) {
	slow := func(s *account.Submission) bool { return s.Verdict.Is(verdict.TooSlow) }
	if !t.o.Verbose && slices.ContainsFunc(t.x.Submissions, slow) {
		layout.Notes(p, t.x.Busy)
	}
}

// mechanisms returns a line with the mode of the sandbox, the mechanism for each limit, and the
// limits that are not enforced.
func mechanisms(m sandbox.Mechanisms) string {
	by, not := enforced(m)
	text := layout.Word(string(m.Mode))
	if len(by) > 0 {
		text += "; " + strings.Join(by, ", ")
	}
	if len(not) > 0 {
		text += "; NOT enforced: " + strings.Join(not, ", ")
	}
	return text
}

// enforced returns the enforced limits, each with its mechanism (by), and the other limits (not).
func enforced(m sandbox.Mechanisms) (by, not []string) {
	for _, l := range []struct{ limit, mechanism string }{
		{"cpu", m.CPU}, {"wall", m.Wall}, {"memory", m.Memory}, {"output", m.Output}, {"processes", m.Processes},
	} {
		if l.mechanism == "" {
			not = append(not, l.limit)
		} else {
			by = append(by, l.limit+" ("+layout.Word(l.mechanism)+")")
		}
	}
	return by, not
}

// progress moves the progress bar, if there is one.
func (t *Terminal) progress(e *grade.Progress) {
	if t.bar == nil {
		return
	}
	worst := "all accepted so far"
	switch e.Worst {
	case verdict.AC:
	case verdict.None:
		worst = ""
	default:
		worst = "worst so far " + e.Worst.String()
	}
	t.bar.Count(e.Done, e.Total, worst)
}

// finished prints the verdicts of finished submissions in quiet mode. It keeps the order of the
// submissions: a submission that does not compile finishes at once, but its verdict is printed after
// those of the submissions before it. With another order all are printed at the end.
func (t *Terminal) finished() {
	for t.o.Quiet && t.o.Order.isArgument() && t.printed < len(t.x.Submissions) && t.x.Submissions[t.printed].Finished {
		t.write(func(p *layout.Page) { sentence(p, t.x.Submissions[t.printed]) })
		t.printed++
	}
}

// rest adds what is known when the judging ends before its time, and in quiet mode the verdicts that
// have not been printed.
func (t *Terminal) rest(p *layout.Page) {
	done := slices.DeleteFunc(t.sorted(), func(s *account.Submission) bool { return !s.Finished })
	switch {
	case t.o.Quiet:
		for _, s := range done {
			if !t.o.Order.isArgument() {
				sentence(p, s)
			}
		}
	case t.x.Ended || len(t.x.Submissions) == 0:
	case len(t.x.Submissions) == 1:
		if n := len(t.x.Submissions[0].Cases); n > 0 {
			p.Printf("stopped: %d of %s judged\n", n, layout.Count(len(t.x.Cases), "case"))
		}
	case len(done) > 0:
		t.lines(p, false)
		p.Printf("stopped: %d of %s judged: %s\n", len(done), layout.Count(len(t.x.Submissions), "submission"), t.totals())
	}
}

// report adds the report on all submissions.
func (t *Terminal) report(p *layout.Page) {
	if len(t.x.Submissions) == 1 {
		t.single(p, t.x.Submissions[0])
	} else {
		t.matrix(p)
	}
	t.busy(p)
}

// sentence adds a line about a submission: its verdict, the deciding case, and the expected
// verdict.
func sentence(p *layout.Page, s *account.Submission) {
	p.Printf("%s: %s", layout.Word(s.Name), p.Paint(layout.LookOf(s.Verdict), layout.Code(s.Verdict)))
	if s.Judged > 0 {
		p.Printf(" %s", layout.Passed(s.Passed, s.Judged, s.Total, "/"))
	}
	if text := why(s); text != "" {
		if s.Verdict == verdict.None {
			p.Printf(":")
		}
		p.Printf(" %s", text)
	}
	if text, l := expectation(s); text != "" {
		p.Printf(" (%s)", p.Paint(l, text))
	}
	if n := s.Count(unstable); n > 0 {
		p.Printf(", %s", p.Paint(layout.Bad, layout.Count(n, "unstable case")))
	}
	if n := s.Count(cached); n > 0 {
		p.Printf(", %d cached", n)
	}
	p.Printf("\n")
}

func unstable(c *account.Case) bool { return c.Unstable }
func cached(c *account.Case) bool   { return c.Cached }

// FromCache says how many cases have a result of an earlier run; "" for none.
func FromCache(list ...*account.Submission) string {
	known, judged := 0, 0
	for _, s := range list {
		known, judged = known+s.Cached, judged+s.Judged
	}
	if known == 0 {
		return ""
	}
	return strconv.Itoa(known) + " of " + layout.Count(judged, "case") + " from the cache, measured by earlier runs"
}

// why returns the case that decided the verdict and the cause, or "" for an accepted submission.
func why(s *account.Submission) string {
	var parts []string
	for _, text := range []string{s.First, s.Cause} {
		if text != "" {
			parts = append(parts, layout.Word(text))
		}
	}
	return strings.Join(parts, ": ")
}

// expectation compares the verdict with the expected one; it returns "" if none is expected.
func expectation(s *account.Submission) (string, layout.Look) {
	switch {
	case s.AsExpected == nil:
		return "", layout.Plain
	case *s.AsExpected:
		return "as expected", layout.Good
	case s.Expected == verdict.None:
		return "not as promised", layout.Bad
	default:
		return "expected " + s.Expected.String() + ", got " + layout.Code(s.Verdict), layout.Bad
	}
}

// from returns the language and the build of a program, such as "cpp, compiled in 1.2 s".
func from(b *grade.Built) string {
	how := "compiled in " + layout.Duration(b.Time)
	switch {
	case b.Cached:
		how = "from the cache"
	case b.Error != "":
		how = "does not compile"
	case b.Time == 0:
		how = ""
	}
	return strings.Trim(layout.Word(b.Language)+", "+how, ", ")
}

// number returns the column number of a submission in a matrix.
func number(i int) string { return strconv.Itoa(i + 1) }
