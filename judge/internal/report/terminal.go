// Package report renders events: terminal, JSON.
//
// What submissions, their names, their compilers and checkers say is shown with
// every unprintable character spelled out, and bounded.
package report

import (
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/sandbox"
	"tribunal/judge/internal/verdict"
)

// quietSpell is how long a plain report may be silent while the judge works.
const quietSpell = 10 * time.Second

// TerminalOptions say how a [Terminal] renders. The caller knows the terminal,
// NO_COLOR and CI; the report asks none of them.
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
	err  error // of the first write that went wrong
	live *live

	begin *grade.Begin
	subs  []*submission
	told  int // submissions whose verdict has been told, in their order

	now      func() time.Time
	last     time.Time     // of the latest output
	interval time.Duration // between two drawings of the bar
}

// submission is what the events told about one of them.
type submission struct {
	name  string // cleaned
	built grade.Built
	done  *grade.Done
	cells []verdict.Verdict // by index of the case
	moved map[int]bool      // indices of the unstable cases
	cases []grade.Case      // those that were judged, as they were told
	full  int               // failing ones among them that kept their details

	cached map[int]bool // indices of the cases that were judged by an earlier run
}

// newSubmission returns what is known of one before any event: nothing.
func newSubmission(name string, cases int) *submission {
	return &submission{
		name: word(name), cells: make([]verdict.Verdict, cases), moved: map[int]bool{}, cached: map[int]bool{},
	}
}

// NewTerminal returns a Terminal that writes to w.
func NewTerminal(w io.Writer, o TerminalOptions) *Terminal {
	if o.Width <= 0 {
		o.Width = 80
	}
	return &Terminal{w: w, o: o, now: time.Now, interval: 100 * time.Millisecond}
}

// Event renders e. Errors of the writer are kept for Close.
func (t *Terminal) Event(e grade.Event) {
	switch e := e.(type) {
	case *grade.Begin:
		t.start(e)
	case *grade.Built:
		s := t.subs[e.Submission]
		s.built = *e
		if t.live != nil {
			t.live.say("built " + s.name)
		}
	case *grade.Progress:
		t.progress(e)
	case *grade.Case:
		t.subs[e.Submission].add(*e)
	case *grade.Done:
		t.subs[e.Submission].done = new(*e)
		t.finished()
	case *grade.End:
		t.stop()
		if !t.o.Quiet {
			t.write(func(p *page) { t.report(p, e) })
		}
	}
}

// Close takes away a progress bar that is still there, because the stream broke
// off, and returns the first error of the writer.
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
	t.begin = b
	for _, name := range b.Submissions {
		t.subs = append(t.subs, newSubmission(name, len(b.Cases)))
	}
	if t.o.Quiet {
		return
	}
	t.write(func(p *page) { header(p, b) })
	if t.o.Live {
		t.live = newLive(t.w, t.o.Width, len(b.Cases)*len(b.Submissions), "building", t.interval)
	}
}

// header says what is judged, under which limits and who enforces them.
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

// mechanisms says in one line what enforces each limit, and which is not.
func mechanisms(m sandbox.Mechanisms) string {
	by, not := enforced(m)
	text := word(string(m.Mode))
	if len(by) > 0 {
		text += "; " + strings.Join(by, ", ")
	}
	if len(not) > 0 {
		text += "; NOT enforced: " + strings.Join(not, ", ")
	}
	return text
}

// enforced returns the limits that are, each with its mechanism, and those that are not.
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

// progress moves the bar, or breaks a long silence.
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

// finished tells the verdicts that submissions have got, where nothing else does
// for a while. It keeps their order: one that does not compile is done at once.
func (t *Terminal) finished() {
	if !t.o.Quiet && (t.o.Live || len(t.subs) == 1) {
		return
	}
	for t.told < len(t.subs) && t.subs[t.told].done != nil {
		s := t.subs[t.told]
		t.told++
		t.write(func(p *page) {
			if t.o.Quiet {
				s.sentence(p)
			} else {
				p.printf("judged %d of %d: %s: %s\n", t.told, len(t.subs), s.name, p.paint(looks(s.done.Verdict), short(s.done.Verdict)))
			}
		})
	}
}

// report renders what is left to say when all is judged.
func (t *Terminal) report(p *page, e *grade.End) {
	if len(t.subs) == 1 {
		t.single(p, t.subs[0], e.Elapsed)
	} else {
		t.matrix(p, e.Elapsed)
	}
}

// add notes one verdict. Only the first failing cases keep what a full account
// of them needs; there may be thousands.
func (s *submission) add(c grade.Case) {
	s.cells[c.Index] = c.Verdict
	if c.Unstable {
		s.moved[c.Index] = true
	}
	if c.Cached {
		s.cached[c.Index] = true
	}
	if c.Verdict == verdict.AC || s.full == maxFull {
		c.Mismatch, c.Message, c.Stderr = nil, "", ""
	} else {
		s.full++
	}
	s.cases = append(s.cases, c)
}

// failing returns the cases that were judged and not accepted.
func (s *submission) failing() []grade.Case {
	var list []grade.Case
	for _, c := range s.cases {
		if c.Verdict != verdict.AC {
			list = append(list, c)
		}
	}
	return list
}

// verdict returns that of the submission, None while there is none.
func (s *submission) verdict() verdict.Verdict {
	if s.done == nil {
		return verdict.None
	}
	return s.done.Verdict
}

// sentence is one line about the submission.
func (s *submission) sentence(p *page) {
	d := s.done
	p.printf("%s: %s", s.name, p.paint(looks(d.Verdict), short(d.Verdict)))
	if d.Judged > 0 {
		p.printf(" %d/%d", d.Passed, d.Total)
	}
	if why := s.why(); why != "" {
		p.printf(" %s", why)
	}
	if text, l := s.expectation(); text != "" {
		p.printf(" (%s)", p.paint(l, text))
	}
	if n := len(s.moved); n > 0 {
		p.printf(", %s", p.paint(bad, Count(n, "unstable case")))
	}
	if n := len(s.cached); n > 0 {
		p.printf(", %d cached", n)
	}
	p.printf("\n")
}

// why returns the case that decided and the cause there, "" if accepted.
func (s *submission) why() string {
	var parts []string
	for _, text := range []string{s.done.First, s.done.Cause} {
		if text != "" {
			parts = append(parts, word(text))
		}
	}
	return strings.Join(parts, ": ")
}

// expectation returns how the verdict relates to the expected one, "" where
// nothing was expected.
func (s *submission) expectation() (string, look) {
	switch d := s.done; {
	case d == nil || d.Expected == verdict.None && d.Broken == nil:
		return "", plain
	case d.Broken != nil:
		return "not as promised", bad
	case d.Expected == d.Verdict:
		return "as expected", good
	default:
		return "expected " + d.Expected.String() + ", got " + short(d.Verdict), bad
	}
}

// short returns the code of v, and words where there is none.
func short(v verdict.Verdict) string {
	if v == verdict.None {
		return v.Title()
	}
	return v.String()
}

// from returns how the program came to be, such as "cpp, compiled in 1.2 s".
func (s *submission) from() string {
	how := "compiled in " + duration(s.built.Time)
	switch {
	case s.built.Cached:
		how = "from the cache"
	case s.built.Error != "":
		how = "does not compile"
	case s.built.Time == 0:
		how = ""
	}
	return strings.Trim(word(s.built.Language)+", "+how, ", ")
}

// number returns the column number of a submission in a matrix.
func number(i int) string { return strconv.Itoa(i + 1) }
