package report

import (
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"tribunal/judge/internal/diff"
	"tribunal/judge/internal/verdict"
	"tribunal/judge/lab/stress"
)

const (
	maxInput     = 40  // lines of an input or output that are shown
	maxInputLine = 200 // bytes of such a line that are shown
)

// Stress writes the report of judge stress as text.
func Stress(w io.Writer, r *stress.Report, color bool) error {
	p := &page{color: color}
	searched(p, r)
	return p.write(w)
}

// searched adds the result of a search.
func searched(p *page, r *stress.Report) {
	tried := fmt.Sprintf("%s in %s, %s a second", Count(r.Counts.Inputs, "input"), duration(r.Elapsed), perSecond(r.Counts.Inputs, r.Elapsed))
	if n := r.Counts.Mute; n > 0 {
		tried += fmt.Sprintf("; %s skipped, because the reference or the brute exceeded a limit", Count(n, "other"))
	}
	against := " against " + word(r.B)
	if r.Slowest {
		against = ""
	}
	rows := [][]cell{
		{{text: "problem"}, {text: word(r.Problem)}},
		{{text: "program"}, {text: word(r.A) + against}},
		{{text: "tried"}, {text: tried}},
		{{text: "seed"}, {text: strconv.FormatUint(r.Seed, 10)}},
	}
	if r.Slowest && r.Slow == nil {
		p.table("", append(rows, []cell{{text: "slowest"}, {text: "none: the reference answered no input", look: bad}}))
		return
	}
	if s := r.Slow; s != nil {
		took := fmt.Sprintf("%s, %s, median of %d runs with nothing beside them, for an input of %s", ofLimit(s.CPU, r.Limits.CPU, duration), s.Verdict, s.Runs, Count(s.Bytes, "byte"))
		p.table("", append(rows,
			[]cell{{text: "slowest"}, {text: took, look: looks(s.Verdict)}},
			[]cell{{text: "made by"}, {text: word(genCommand(r, s.Source))}}))
		return
	}
	if r.Found == nil {
		p.table("", append(rows, []cell{{text: "found"}, {text: "nothing", look: good}}))
		return
	}
	f := &r.Found.Fault
	wrong := f.A
	if f.B != nil {
		rows = append(rows, []cell{{text: "differ"}, {text: agreement(r, f)}})
		if wrong.Verdict == verdict.AC {
			wrong = *f.B
		}
	}
	rows = append(rows, []cell{{text: "found"}, {text: wrong.Verdict.String() + " " + wrong.Verdict.Title(), look: looks(wrong.Verdict)}})
	rows = append(rows,
		[]cell{{text: "made by"}, {text: word(genCommand(r, r.Found.Source))}},
		[]cell{{text: "rerun by"}, {text: word(stressCommand(r))}},
	)
	if k := r.Found.Shrunk; k != nil {
		text := fmt.Sprintf("from %s to %s, %s, %d tried in %s", sizeOf(r.Found.First), sizeOf(f.Input), Count(k.Steps, "step"), k.Tries, duration(k.Elapsed))
		if !k.Minimal {
			text += " (cut short)"
		}
		rows = append(rows, []cell{{text: "shrunk"}, {text: text}})
	}
	p.table("", rows)
	p.printf("\n")
	visible(p, "input", f.Input)
	visible(p, "expected", f.Want)
	answer(p, r.A, f.A)
	if f.B != nil {
		answer(p, r.B, *f.B)
	}
}

// agreement names the program with which the reference agrees, if any.
func agreement(r *stress.Report, f *stress.Fault) string {
	a, b := f.A.Verdict == verdict.AC, f.B.Verdict == verdict.AC
	switch {
	case a:
		return "the reference agrees with " + word(r.A)
	case b:
		return "the reference agrees with " + word(r.B)
	}
	return "the reference agrees with neither"
}

// genCommand returns the command line that prints an input.
func genCommand(r *stress.Report, s stress.Source) string {
	words := slices.Concat([]string{"judge", "gen", r.Problem}, s.Generate, []string{"-seed=" + strconv.FormatUint(s.Seed, 10)})
	return shell(words)
}

// stressCommand returns the command line that repeats the search.
func stressCommand(r *stress.Report) string {
	words := []string{"judge", "stress", r.Problem, r.A}
	if r.B != "reference" {
		words = append(words, r.B)
	}
	if r.Language != "" {
		words = append(words, "--lang", r.Language)
	}
	for _, f := range r.Families {
		words = append(words, "--gen", f)
	}
	return shell(append(words, "--seed", strconv.FormatUint(r.Seed, 10), "--count", strconv.Itoa(r.Found.Number)))
}

// bare matches words that need no quotes in a shell.
var bare = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9_%+,./:@=-]+$`) })

// shell joins words to a command line, with shell quoting.
func shell(words []string) string {
	var list []string
	for _, w := range words {
		if !bare().MatchString(w) {
			w = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		}
		list = append(list, w)
	}
	return strings.Join(list, " ")
}

// answer adds the result of one program on the input.
func answer(p *page, name string, a stress.Answer) {
	p.printf("%s: %s %s", p.paint(strong, word(name)), p.paint(looks(a.Verdict), a.Verdict.String()), a.Verdict.Title())
	if a.Cause != "" {
		p.printf(": %s", word(a.Cause))
	}
	p.printf("\n")
	if a.Mismatch != nil {
		p.printf("  %s\n", p.paint(dim, "- expected, + written"))
		excerpt(p, a.Mismatch, maxDiff, good, bad)
	}
	if lines, more := tail(string(a.Stderr), maxStderr); len(lines) > 0 {
		p.printf("  standard error:\n")
		if more {
			p.printf("    …\n")
		}
		p.indented("    ", lines)
	}
}

// visible adds a title and the first lines of a text with invisible characters made visible.
func visible(p *page, title string, text []byte) {
	p.printf("%s\n", p.paint(strong, title))
	lines, more := diff.Visible(text, maxInput, maxInputLine)
	p.indented("  ", lines)
	if more {
		p.printf("  …\n")
	}
}

// sizeOf describes the size of a text, such as "3 lines (17 bytes)".
func sizeOf(text []byte) string {
	lines := strings.Count(string(text), "\n")
	if len(text) > 0 && text[len(text)-1] != '\n' {
		lines++
	}
	return fmt.Sprintf("%s (%s)", Count(lines, "line"), Count(len(text), "byte"))
}

// perSecond returns n divided by a time, as a whole number.
func perSecond(n int, d time.Duration) string {
	return strconv.FormatFloat(float64(n)/max(d.Seconds(), 1e-3), 'f', 0, 64)
}
