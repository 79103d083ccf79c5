package drawing

import (
	"bytes"
	"fmt"
	"strings"
)

// Lines reads an input line by line. Like the solvers it tolerates blanks, empty lines, CRLF, leading
// zeros and a missing final newline. Its errors begin with the number of the line.
type Lines struct {
	rest []byte
	line int // number of the last line read, from 1
}

// NewLines returns a reader at the beginning of a text.
func NewLines(text []byte) *Lines { return &Lines{rest: text} }

// Next returns the fields of the next line that has any, and nil at the end.
func (l *Lines) Next() []string {
	for len(l.rest) > 0 {
		line, rest, _ := bytes.Cut(l.rest, []byte("\n"))
		l.rest = rest
		l.line++
		if fields := strings.FieldsFunc(strings.TrimSuffix(string(line), "\r"), isBlank); len(fields) > 0 {
			return fields
		}
	}
	l.line++
	return nil
}

func isBlank(r rune) bool { return r == ' ' || r == '\t' }

// Errorf returns an error located at the last line read.
func (l *Lines) Errorf(format string, args ...any) error {
	return fmt.Errorf("line %d: %s", l.line, fmt.Sprintf(format, args...))
}

// End returns an error if anything but empty lines follows.
func (l *Lines) End() error {
	if fields := l.Next(); fields != nil {
		return l.Errorf("%s after the end of the input", Quote(fields[0]))
	}
	return nil
}

// Due returns the fields of the next line that has any, or an error if there is none. what describes
// the line.
func (l *Lines) Due(what string) ([]string, error) {
	fields := l.Next()
	if fields == nil {
		return nil, l.Errorf("the input ends where %s should be", what)
	}
	return fields, nil
}

// Range is the domain of a number with its name, such as "row".
type Range struct {
	Name      string
	Low, High int
}

// Numbers returns the numbers of the next line, one for each range.
func (l *Lines) Numbers(what string, ranges ...Range) ([]int, error) {
	fields, err := l.Due(what)
	if err != nil {
		return nil, err
	}
	if len(fields) != len(ranges) {
		return nil, l.Errorf("%d fields instead of %d (hint: %s)", len(fields), len(ranges), what)
	}
	values := make([]int, len(ranges))
	for i, field := range fields {
		if values[i], err = l.Number(field, ranges[i]); err != nil {
			return nil, err
		}
	}
	return values, nil
}

// Number returns the value of a field of the last line: a plain decimal number, with a minus sign
// only if the range has negative numbers.
func (l *Lines) Number(field string, r Range) (int, error) {
	const beyond = 1_000_000_000 // larger than any bound, however many digits follow
	digits, negative := field, false
	if r.Low < 0 {
		digits, negative = strings.CutPrefix(field, "-")
	}
	value := 0
	for _, c := range []byte(digits) {
		if c < '0' || c > '9' {
			digits = ""
			break
		}
		value = min(10*value+int(c-'0'), beyond)
	}
	if digits == "" {
		return 0, l.Errorf("the %s is %s, not a plain decimal number", r.Name, Quote(field))
	}
	if negative {
		value = -value
	}
	if value < r.Low || value > r.High {
		return 0, l.Errorf("the %s is %s, not %d to %d", r.Name, Short(field), r.Low, r.High)
	}
	return value, nil
}

// mostShown is the number of runes of a foreign text that messages and pictures show.
const mostShown = 24

// Short returns the beginning of a text.
func Short(text string) string {
	n := 0
	for i := range text {
		if n == mostShown {
			return text[:i] + "…"
		}
		n++
	}
	return text
}

// Quote returns the beginning of a text in quotes, with unprintable characters spelled out.
func Quote(text string) string {
	if short := Short(text); short != text {
		return fmt.Sprintf("%q…", strings.TrimSuffix(short, "…"))
	}
	return fmt.Sprintf("%q", text)
}
