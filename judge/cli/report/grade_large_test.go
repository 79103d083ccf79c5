package report

import (
	"fmt"
	"testing"
	"time"

	"tribunal/judge/cli/format"
	"tribunal/judge/internal/account"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/points"
	"tribunal/judge/internal/verdict"
)

// class returns the events about many submissions on many cases, as if with --all. Every fifth
// submission fails on every seventh case, one does not compile, and the names are long.
func class(submissions, cases int) []grade.Event {
	var names, subs []string
	for i := range cases {
		names = append(names, fmt.Sprintf("%s/case-with-a-name-%d", []string{"sample", "edge", "random", "large"}[i*4/cases], i))
	}
	for i := range submissions {
		subs = append(subs, fmt.Sprintf("exercise-3/student-%03d/solution.cpp", i))
	}
	b := begin(names, subs...)
	events := []grade.Event{b}
	for i := range subs {
		built := &grade.Built{Submission: i, Language: "cpp", Build: grade.Build{Time: 800 * time.Millisecond}}
		if i == 3 {
			built.Error = gccWords
		}
		events = append(events, built)
	}
	_, kinds := allVerdicts()
	for i := range subs {
		if i == 3 {
			events = append(events, compileError(b, i, verdict.None))
			continue
		}
		var list []grade.Case
		passed := 0
		for k := range names {
			c := accepted(10 + (i*37+k*91)%900)
			if i%5 == 4 && k%7 == 6 {
				c = kinds[1+(i+k)%(len(kinds)-2)]
			} else {
				passed++
			}
			list = append(list, c)
		}
		mine := stream(b, i, verdict.None, list...)
		mine[len(mine)-1].(*grade.Done).Points = &points.Score{Points: float64(100*passed) / float64(cases), Best: 100}
		events = append(events, mine...)
	}
	return append(events, &grade.End{Elapsed: 99 * time.Second})
}

// TestLargePage checks that the page about a whole class stays small enough to be mailed.
func TestLargePage(t *testing.T) {
	t.Parallel()
	if page := gradeReport(t, format.HTML, class(200, 55)); len(page) > 3<<20 {
		t.Errorf("the page has %d bytes", len(page))
	}
}

// BenchmarkGradeFormats writes the reports on 200 submissions and 55 cases, and the page once more with
// all the drawings that it may have.
func BenchmarkGradeFormats(b *testing.B) {
	events := class(200, 55)
	x := &account.Execution{Full: MaxFull}
	for _, e := range events {
		x.Apply(e)
	}
	measure := func(name string, f format.Format) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				var n counter
				s := f.New(format.Output{Writer: &n})
				s.Event(events[0])
				s.Event(events[len(events)-1])
				if err := s.Close(); err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(n)/1e6, "MB")
			}
		})
	}
	for _, f := range GradeFormats(x, TerminalOptions{}) {
		measure(f.Name, f)
	}
	for _, f := range GradeFormats(drawnClass(5, 64<<10), TerminalOptions{}) {
		if f.Pictures {
			measure(f.Name+"-drawn", f)
		}
	}
}

// counter counts the bytes written to it.
type counter int

func (n *counter) Write(p []byte) (int, error) {
	*n += counter(len(p))
	return len(p), nil
}
