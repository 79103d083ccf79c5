package findings

import (
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"tribunal/judge/cli/layout"
	"tribunal/judge/internal/verdict"
	"tribunal/judge/lab/stress"
)

// Stress writes the report of judge stress as text.
func Stress(w io.Writer, r *stress.Report, color bool) error {
	p := &layout.Page{Color: color}
	searched(p, r)
	return p.Write(w)
}

// searched adds the result of a search.
func searched(p *layout.Page, r *stress.Report) {
	tried := fmt.Sprintf("%s in %s, %s a second", layout.Count(r.Counts.Inputs, "input"), layout.Duration(r.Elapsed), perSecond(r.Counts.Inputs, r.Elapsed))
	if n := r.Counts.Mute; n > 0 {
		tried += fmt.Sprintf("; %s skipped, because the reference or the brute exceeded a limit", layout.Count(n, "other"))
	}
	against := " against " + layout.Word(r.B)
	if r.Slowest {
		against = ""
	}
	rows := [][]layout.Cell{
		{{Text: "problem"}, {Text: layout.Word(r.Problem)}},
		{{Text: "program"}, {Text: layout.Word(r.A) + against}},
		{{Text: "tried"}, {Text: tried}},
		{{Text: "seed"}, {Text: strconv.FormatUint(r.Seed, 10)}},
	}
	if r.Slowest && r.Slow == nil {
		p.Table("", append(rows, []layout.Cell{{Text: "slowest"}, {Text: "none: the reference answered no input", Look: layout.Bad}}))
		return
	}
	if s := r.Slow; s != nil {
		took := fmt.Sprintf("%s, %s, median of %d runs with nothing beside them, for an input of %s", layout.OfLimit(s.CPU, r.Limits.CPU, layout.Duration), s.Verdict, s.Runs, layout.Count(s.Bytes, "byte"))
		p.Table("", append(rows,
			[]layout.Cell{{Text: "slowest"}, {Text: took, Look: layout.LookOf(s.Verdict)}},
			[]layout.Cell{{Text: "made by"}, {Text: layout.Word(genCommand(r, s.Source))}}))
		return
	}
	if r.Found == nil {
		p.Table("", append(rows, []layout.Cell{{Text: "found"}, {Text: "nothing", Look: layout.Good}}))
		return
	}
	f := &r.Found.Fault
	wrong := f.A
	if f.B != nil {
		rows = append(rows, []layout.Cell{{Text: "differ"}, {Text: agreement(r, f)}})
		if wrong.Verdict == verdict.AC {
			wrong = *f.B
		}
	}
	rows = append(rows, []layout.Cell{{Text: "found"}, {Text: wrong.Verdict.String() + " " + wrong.Verdict.Title(), Look: layout.LookOf(wrong.Verdict)}})
	rows = append(rows,
		[]layout.Cell{{Text: "made by"}, {Text: layout.Word(genCommand(r, r.Found.Source))}},
		[]layout.Cell{{Text: "rerun by"}, {Text: layout.Word(stressCommand(r))}},
	)
	if k := r.Found.Shrunk; k != nil {
		text := fmt.Sprintf("from %s to %s, %s, %d tried in %s", layout.SizeOf(r.Found.First), layout.SizeOf(f.Input), layout.Count(k.Steps, "step"), k.Tries, layout.Duration(k.Elapsed))
		if !k.Minimal {
			text += " (cut short)"
		}
		rows = append(rows, []layout.Cell{{Text: "shrunk"}, {Text: text}})
	}
	p.Table("", rows)
	p.Printf("\n")
	p.Visible("input", f.Input)
	p.Visible("expected", f.Want)
	p.Answer(r.A, f.A.Verdict, f.A.Cause, f.A.Mismatch, f.A.Stderr)
	if f.B != nil {
		p.Answer(r.B, f.B.Verdict, f.B.Cause, f.B.Mismatch, f.B.Stderr)
	}
}

// agreement names the program with which the reference agrees, if any.
func agreement(r *stress.Report, f *stress.Fault) string {
	a, b := f.A.Verdict == verdict.AC, f.B.Verdict == verdict.AC
	switch {
	case a:
		return "the reference agrees with " + layout.Word(r.A)
	case b:
		return "the reference agrees with " + layout.Word(r.B)
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

// perSecond returns n divided by a time, as a whole number.
func perSecond(n int, d time.Duration) string {
	return strconv.FormatFloat(float64(n)/max(d.Seconds(), 1e-3), 'f', 0, 64)
}
