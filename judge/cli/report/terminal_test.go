package report

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"tribunal/judge/cli/layout"
	"tribunal/judge/cli/layout/layouttest"
	"tribunal/judge/internal/account"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/sandbox"
	"tribunal/judge/internal/verdict"
)

// render returns the output of a [Terminal] about events.
func render(t *testing.T, o TerminalOptions, events []grade.Event) string {
	t.Helper()
	var b strings.Builder
	term := onTerminal(&b, o)
	for _, e := range events {
		term.Event(e)
	}
	if err := term.Close(); err != nil {
		t.Error(err)
	}
	return b.String()
}

func TestTerminal(t *testing.T) {
	t.Parallel()
	for _, tt := range scenarios() {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := render(t, tt.options, tt.events)
			layouttest.Golden(t, tt.name+".txt", got)
			harmless(t, got, tt.options.Color)
		})
	}
}

// harmless checks that text is valid UTF-8 without control characters, except colours if color is
// set, and without blanks at the end of lines.
func harmless(t *testing.T, text string, color bool) {
	t.Helper()
	if color {
		var b strings.Builder
		for i, part := range strings.Split(text, "\x1b[") {
			if i > 0 {
				parameters, rest, ok := strings.Cut(part, "m")
				if !ok || strings.Trim(parameters, "0123456789;") != "" {
					t.Errorf("an escape sequence that is not a colour: %.40q", part)
				}
				part = rest
			}
			b.WriteString(part)
		}
		text = b.String()
	}
	for l := range strings.SplitSeq(text, "\n") {
		if strings.TrimRight(l, " ") != l {
			t.Errorf("blanks at the end of %q", l)
		}
		for i, r := range l {
			if !unicode.IsPrint(r) || r == unicode.ReplacementChar && !strings.HasPrefix(l[i:], "\ufffd") {
				t.Errorf("%q in %q", r, l)
			}
		}
	}
}

func FuzzTerminalIsHarmless(f *testing.F) {
	f.Add("plain", "a\nb")
	f.Add("\x1b[31mname", "\x1b]0;title\x07\r\n\xff\u202e\u009b")
	f.Fuzz(func(t *testing.T, short, long string) {
		b := begin([]string{short, "x/y"}, short, "other")
		b.Problem, b.Title, b.Compare, b.Notes = short, short, short, []string{long}
		b.Mechanisms = sandbox.Mechanisms{Mode: sandbox.Mode(short), CPU: long}
		c := failed(verdict.RTE, short, ran(1))
		c.Stderr, c.Message, c.Kept = long, long, short
		events := []grade.Event{b, &grade.Built{Language: short}, &grade.Built{Submission: 1, Build: grade.Build{Error: long}}}
		events = append(events, stream(b, 0, verdict.AC, c)...)
		events = append(events, compileError(b, 1, verdict.None), &grade.End{})
		for _, o := range []TerminalOptions{{}, {Verbose: true}, {Quiet: true}} {
			for l := range strings.SplitSeq(render(t, o, events), "\n") {
				for _, r := range l {
					if !unicode.IsPrint(r) {
						t.Fatalf("%q in %q", r, l)
					}
				}
			}
		}
	})
}

// TestTerminalIsBounded checks that the report on a submission with many long failures is short.
func TestTerminalIsBounded(t *testing.T) {
	t.Parallel()
	var names []string
	var cases []grade.Case
	flood := strings.Repeat(strings.Repeat("x", 100_000)+"\n", 50)
	for i := range 1000 {
		c := wrong(false)
		c.Stderr, c.Message = flood, flood
		names, cases = append(names, fmt.Sprintf("edge/case-%d", i)), append(cases, c)
	}
	for _, n := range []int{1, 2} {
		b := begin(names, []string{"a.cc", "b.cc"}[:n]...)
		events := []grade.Event{b}
		for i := range n {
			events = append(events, &grade.Built{Submission: i, Build: grade.Build{Error: flood}})
		}
		for i := range n {
			events = append(events, stream(b, i, verdict.AC, cases...)...)
		}
		got := render(t, TerminalOptions{}, append(events, &grade.End{}))
		if lines := strings.Count(got, "\n"); lines > 250 || len(got) > 64<<10 {
			t.Errorf("%d submissions: %d bytes in %d lines", n, len(got), lines)
		}
	}
}

// TestTerminalInterrupted checks that a report says what is known if the events end early.
func TestTerminalInterrupted(t *testing.T) {
	t.Parallel()
	b := begin([]string{"a/b", "a/c"}, "x.cc")
	single := append([]grade.Event{b, &grade.Built{}}, stream(b, 0, verdict.None, accepted(1), accepted(1))[0])
	for _, tt := range []struct {
		name, why string
		o         TerminalOptions
		events    []grade.Event
	}{
		{"interrupted", "the finished submissions", TerminalOptions{}, several()[:14]},
		{"interrupted-early", "nothing is known", TerminalOptions{}, several()[:3]},
		{"interrupted-quiet", "in another order, the finished submissions", TerminalOptions{Quiet: true, Order: ByName}, several()[:14]},
		{"interrupted-single", "the number of judged cases", TerminalOptions{}, single},
	} {
		layouttest.Golden(t, tt.name+".txt", render(t, tt.o, tt.events))
	}
}

// TestManySubmissions checks the report on a thousand submissions: a line for each, with its name,
// that fits on the terminal, no matrix, and few other lines even if many do not compile.
func TestManySubmissions(t *testing.T) {
	t.Parallel()
	const n = 1000
	var names, cases []string
	for i := range n {
		names = append(names, fmt.Sprintf("class/student-%03d/solution.cpp", i))
	}
	for i := range 55 {
		cases = append(cases, fmt.Sprintf("edge/case-%02d", i))
	}
	b := begin(cases, names...)
	events := []grade.Event{b}
	for i := range n {
		built := &grade.Built{Submission: i, Language: "cpp"}
		if i%5 == 0 {
			built.Error = strings.Repeat(gccWords, 20)
		}
		events = append(events, built)
	}
	for i := range n {
		switch {
		case i%5 == 0:
			events = append(events, compileError(b, i, verdict.None))
		case i%5 == 1:
			events = append(events, stream(b, i, verdict.None, accepted(3), accepted(3), wrong(false))...)
		default:
			list := slices.Repeat([]grade.Case{accepted(5)}, 55)
			events = append(events, stream(b, i, verdict.None, list...)...)
		}
	}
	got := render(t, TerminalOptions{Width: 80, Order: ByVerdict}, append(events, &grade.End{Elapsed: time.Minute}))
	lines := strings.Split(got, "\n")
	if len(lines) > n+60 {
		t.Errorf("%d lines", len(lines))
	}
	found := 0
	for _, l := range lines {
		if utf8.RuneCountInString(l) > 80 && !strings.HasPrefix(l, " ") {
			t.Errorf("too long: %q", l)
		}
		if strings.Contains(l, "/solution.cpp") && !strings.HasPrefix(l, "class/") {
			found++
		}
	}
	if found != n {
		t.Errorf("%d lines with names", found)
	}
	for _, want := range []string{
		"\nedge/case-02     200     800\n",
		"\njudged in 60 s: 600 AC, 200 WA, 200 CE\n",
		"\n… and 197 more do not compile (hint: -v shows the messages)\n",
		"\nWA  ≥2/55  …/student-001/solution.cpp",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in %s", want, got[:2000])
		}
	}
	if strings.Index(got, "student-999") > strings.Index(got, "student-001") {
		t.Error("an accepted submission comes after one with a wrong answer")
	}
}

type fullDisk struct{ left int }

var errFull = errors.New("no space left on device")

func (f *fullDisk) Write(p []byte) (int, error) {
	if f.left -= len(p); f.left < 0 {
		return 0, errFull
	}
	return len(p), nil
}

func TestWriteErrors(t *testing.T) {
	t.Parallel()
	for _, s := range scenarios() {
		for _, room := range []int{0, 100} {
			o := s.options
			o.Live = room > 0 // with a bar, the bar gets the error
			term := onTerminal(&fullDisk{room}, o)
			doc := inJSON(&fullDisk{room})
			for _, e := range s.events {
				term.Event(e)
				doc.Event(e)
			}
			if err := term.Close(); !errors.Is(err, errFull) && room == 0 {
				t.Errorf("%s: Terminal.Close after a full disk: %v", s.name, err)
			}
			if err := doc.Close(); !errors.Is(err, errFull) {
				t.Errorf("%s: JSON.Close after a full disk: %v", s.name, err)
			}
		}
	}
}

// TestComparedBy lists what the first line says for each value of the field compare.
func TestComparedBy(t *testing.T) {
	t.Parallel()
	for compare, want := range map[string]string{
		"": "", "exact": "", "lines": "compared by lines", "tokens": "compared by words", "float": "compared by words and numbers",
		"exact+checker": "judged by a checker", "tokens+checker": "judged by a checker", "validator": "judged by a validator",
	} {
		if got := comparedBy(compare); got != want {
			t.Errorf("%s: %q, want %q", compare, got, want)
		}
	}
}

// TestOverOutputIsShown checks that reports show the cause of OLE and the first difference.
func TestOverOutputIsShown(t *testing.T) {
	t.Parallel()
	c := failed(verdict.OLE, "wrote more than 1MiB", sandbox.Result{Stop: sandbox.OverOutput})
	c.Name, c.Mismatch = "a/1", wrong(false).Mismatch
	on := account.Case{Case: c}
	p := &layout.Page{}
	failure(p, on, limits.Limits{}, "", commands{})
	var b strings.Builder
	if err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	if text := b.String(); !strings.Contains(text, ": wrote more than 1MiB\n") || !strings.Contains(text, "\n  + |·|·|⏎\n") {
		t.Errorf("the terminal shows\n%s", text)
	}
	x := &account.Execution{}
	if f := newFailure(x, account.NewSubmission("s", 1, -1), &on); f.Cause == "" || len(f.Difference) == 0 {
		t.Errorf("the page shows %+v", f)
	}
}
