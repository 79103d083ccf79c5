package layout

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"tribunal/judge/internal/diff"
	"tribunal/judge/internal/verdict"
)

// Options describe the terminal for which a text is rendered.
type Options struct {
	Color bool
	Width int // columns of the terminal; 0 means 80
}

const (
	MaxDiff      = 40  // lines of a difference, more than the comparison keeps by default
	MaxStderr    = 10  // lines of a program's standard error
	maxInput     = 40  // lines of an input or output that are shown
	MaxInputLine = 200 // bytes of such a line that are shown
)

// Difference adds at most limit lines of a difference. Expected lines get the look expected, and lines
// that the program wrote the look written.
func (p *Page) Difference(m *diff.Mismatch, limit int, expected, written Look) {
	lines, more := Head(m.Format(""), limit)
	for _, l := range lines {
		as := Plain
		switch {
		case strings.HasPrefix(l, "- "):
			as = expected
		case strings.HasPrefix(l, "+ "):
			as = written
		}
		p.Printf("  %s\n", p.Paint(as, l))
	}
	if more {
		p.Printf("  …\n")
	}
}

// Answer adds the result of one program on the input.
func (p *Page) Answer(name string, v verdict.Verdict, cause string, difference *diff.Mismatch, stderr []byte) {
	p.Printf("%s: %s %s", p.Paint(Strong, Word(name)), p.Paint(LookOf(v), v.String()), v.Title())
	if cause != "" {
		p.Printf(": %s", Word(cause))
	}
	p.Printf("\n")
	if difference != nil {
		p.Printf("  %s\n", p.Paint(Dim, "- expected, + written"))
		p.Difference(difference, MaxDiff, Good, Bad)
	}
	if lines, more := Tail(string(stderr), MaxStderr); len(lines) > 0 {
		p.Printf("  standard error:\n")
		if more {
			p.Printf("    …\n")
		}
		p.Indented("    ", lines)
	}
}

// Visible adds a title and the first lines of a text with invisible characters made visible.
func (p *Page) Visible(title string, text []byte) {
	p.Printf("%s\n", p.Paint(Strong, title))
	lines, more := diff.Visible(text, maxInput, MaxInputLine)
	p.Indented("  ", lines)
	if more {
		p.Printf("  …\n")
	}
}

// SizeOf describes the size of a text, such as "3 lines (17 bytes)".
func SizeOf(text []byte) string {
	lines := strings.Count(string(text), "\n")
	if len(text) > 0 && text[len(text)-1] != '\n' {
		lines++
	}
	return fmt.Sprintf("%s (%s)", Count(lines, "line"), Count(len(text), "byte"))
}

// Frequencies lists verdicts with their numbers, the most frequent first.
func Frequencies(count map[verdict.Verdict]int) string {
	list := slices.Sorted(maps.Keys(count))
	slices.SortStableFunc(list, func(a, b verdict.Verdict) int { return count[b] - count[a] })
	var parts []string
	for _, v := range list {
		parts = append(parts, Code(v)+" "+strconv.Itoa(count[v]))
	}
	return strings.Join(parts, ", ")
}

// Code returns the code of v, or its title if it has no code.
func Code(v verdict.Verdict) string {
	if v == verdict.None {
		return v.Title()
	}
	return v.String()
}
