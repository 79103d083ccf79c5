package layout

import (
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/tty"
)

const (
	maxWord  = 400 // characters of a name or a cause that are shown
	MaxWidth = 200 // characters of a program's or compiler's line that are shown
)

// Clean returns the first limit characters of text on one line, with unprintable characters escaped
// by [tty.Clean].
func Clean(text string, limit int) string {
	n := 0
	for at := range text {
		if n == limit {
			return tty.Clean(text[:at]) + "…"
		}
		n++
	}
	return tty.Clean(text)
}

// Word cleans a text for use inside a sentence.
func Word(text string) string { return Clean(text, maxWord) }

// Line cleans one line of a longer text, and replaces tabs by blanks.
func Line(text string) string {
	if len(text) > MaxWidth*utf8.UTFMax {
		text = text[:MaxWidth*utf8.UTFMax] // clean drops the rest anyway
	}
	return Clean(strings.ReplaceAll(text, "\t", "    "), MaxWidth)
}

// Head returns the first limit lines of text, cleaned, and whether there are more. It ignores empty
// lines at the end.
func Head(text string, limit int) (lines []string, more bool) {
	text = strings.TrimRight(text, "\n")
	for text != "" {
		if len(lines) == limit {
			return lines, true
		}
		var l string
		l, text, _ = strings.Cut(text, "\n")
		lines = append(lines, Line(l))
	}
	return lines, false
}

// Tail returns the last limit lines of text, cleaned, and whether there are more. It ignores empty
// lines at the end.
func Tail(text string, limit int) (lines []string, more bool) {
	text = strings.TrimRight(text, "\n")
	at := len(text)
	for range limit {
		if at = strings.LastIndexByte(text[:at], '\n'); at < 0 {
			lines, _ = Head(text, limit)
			return lines, false
		}
	}
	lines, _ = Head(text[at+1:], limit)
	return lines, true
}

// Duration formats d: 0.6 ms, 12 ms, 1.204 s. It rounds up, so that a time above a limit never
// looks like the limit itself.
func Duration(d time.Duration) string {
	unit, name, step := time.Millisecond, "ms", time.Millisecond
	switch {
	case d >= 100*time.Second:
		unit, name, step = time.Second, "s", 100*time.Millisecond
	case d > 999*time.Millisecond:
		unit, name, step = time.Second, "s", time.Millisecond
	case d < 10*time.Millisecond:
		step = 100 * time.Microsecond
	}
	d = (d + step - 1) / step * step
	return strconv.FormatFloat(float64(d)/float64(unit), 'f', -1, 64) + " " + name
}

// Size formats b: 8.7 MiB, 64 MiB.
func Size(b limits.Bytes) string { return strings.Replace(b.Human(), ".0 ", " ", 1) }

// OfLimit returns a measured amount and its limit, such as "5 ms of 1 s". A limit of 0 means none.
func OfLimit[T time.Duration | limits.Bytes](measured, limit T, text func(T) string) string {
	if limit == 0 {
		return text(measured)
	}
	return text(measured) + " of " + text(limit)
}

// Count returns n and a noun in singular or plural: 1 case, 2 cases.
func Count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}

// Passed returns how many of the cases a submission passes: 5/5, or ≥3/5 if it was not judged on all of them, so that
// it may pass more. of stands between the numbers.
func Passed(passed, judged, total int, of string) string {
	text := strconv.Itoa(passed) + of + strconv.Itoa(total)
	if judged < total {
		text = "≥" + text
	}
	return text
}

// Exception names the runs of an exception: in python3, on secret/1, or in python3 on secret/1.
func Exception(e problem.Exception) string {
	var parts []string
	if e.Language != "" {
		parts = append(parts, "in "+Word(e.Language))
	}
	if e.Cases != "" {
		parts = append(parts, "on "+Word(e.Cases))
	}
	return strings.Join(parts, " ")
}

// NoLimits describes limits of which none is set.
const NoLimits = "none"

// Limits lists the limits that are set.
func Limits(l limits.Limits) string {
	var parts []string
	add := func(set bool, text string) {
		if set {
			parts = append(parts, text)
		}
	}
	add(l.CPU > 0, "cpu "+Duration(l.CPU))
	add(l.Wall > 0, "wall "+Duration(l.Wall))
	add(l.Memory > 0, "memory "+Size(l.Memory))
	add(l.Output > 0, "output "+Size(l.Output))
	add(l.Processes > 0, "processes "+strconv.Itoa(l.Processes))
	if len(parts) == 0 {
		return NoLimits
	}
	return strings.Join(parts, ", ")
}

// Percent returns a score as text. It rounds down, so that only a full score is 100.0 %.
func Percent(score float64) string {
	return strconv.FormatFloat(float64(int(score*10))/10, 'f', 1, 64) + " %"
}

// FirstOf lists at most limit of the texts, and the number of the others: "a, b, 3 more".
func FirstOf(texts []string, limit int) string {
	var list []string
	for _, t := range texts[:min(len(texts), limit)] {
		list = append(list, Word(t))
	}
	if more := len(texts) - limit; more > 0 {
		list = append(list, strconv.Itoa(more)+" more")
	}
	return strings.Join(list, ", ")
}

// Points formats a number of points.
func Points(n float64) string { return strconv.FormatFloat(n, 'g', 10, 64) }
