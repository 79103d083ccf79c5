package diff

import (
	"bytes"
	stdcmp "cmp"
	"encoding/json"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

// sample is one comparison.
type sample struct {
	want, got []byte
	o         Options
}

// word is a token of a text and the offset of its first byte.
type word struct {
	at   int
	text string
}

func words(text []byte) []word {
	var ws []word
	for at := 0; at < len(text); {
		n := bytes.IndexAny(text[at:], " \t\n\v\f\r")
		if n < 0 {
			n = len(text) - at
		}
		if n > 0 {
			ws = append(ws, word{at, string(text[at : at+n])})
		}
		at += n + 1
	}
	return ws
}

// units returns the words of a text and each byte of white space, in order.
func units(text []byte) []word {
	var all []word
	for _, w := range append(words(text), word{len(text), ""}) {
		at := 0
		if n := len(all); n > 0 {
			at = all[n-1].at + len(all[n-1].text)
		}
		for ; at < w.at; at++ {
			all = append(all, word{at, string(text[at : at+1])})
		}
		if w.text != "" {
			all = append(all, w)
		}
	}
	return all
}

func sameText(a, b word) bool { return a.text == b.text }

// prefix returns the number of bytes that two texts have in common at their beginning; with
// o.FoldCase it ignores case.
func prefix(o Options, a, b string) int {
	n := 0
	for n < len(a) && n < len(b) {
		letters := a[n] < utf8.RuneSelf && b[n] < utf8.RuneSelf && strings.EqualFold(a[n:n+1], b[n:n+1])
		if a[n] != b[n] && !(o.FoldCase && letters) {
			break
		}
		n++
	}
	return n
}

// alike returns the function that compares two words in the mode Tokens.
func alike(o Options) func(a, b word) bool {
	return func(a, b word) bool {
		return len(a.text) == len(b.text) && prefix(o, a.text, b.text) == len(a.text)
	}
}

// near returns the function that compares two words in the mode Float.
func near(o Options) func(a, b word) bool {
	return func(a, b word) bool {
		if alike(o)(a, b) {
			return true
		}
		var x [2]float64
		for i, s := range []string{a.text, b.text} {
			f, err := strconv.ParseFloat(s, 64)
			if err != nil || len(s) > maxNumber || strings.ContainsAny(s, "xXpP_iInN") {
				return false
			}
			x[i] = f
		}
		if o.Abs == 0 && o.Rel == 0 {
			return x[0] == x[1] && spelled(a.text) == spelled(b.text)
		}
		d := math.Abs(x[0] - x[1])
		return d <= o.Abs || d <= o.Rel*math.Abs(x[0])
	}
}

// spelled returns one text for all ways to write a number.
func spelled(number string) string {
	mantissa, exponent, _ := strings.Cut(strings.ToLower(number), "e")
	whole, fraction, _ := strings.Cut(mantissa, ".")
	digits, _ := new(big.Int).SetString(whole+fraction, 10)
	power, _ := new(big.Int).SetString(stdcmp.Or(exponent, "0"), 10)
	power.Sub(power, big.NewInt(int64(len(fraction))))
	if digits.Sign() == 0 {
		return "0"
	}
	for ten, rest := big.NewInt(10), new(big.Int); ; {
		shorter := new(big.Int)
		if shorter.QuoRem(digits, ten, rest); rest.Sign() != 0 {
			return digits.String() + "e" + power.String()
		}
		digits = shorter
		power.Add(power, big.NewInt(1))
	}
}

// model compares two whole outputs in the simplest way. If they are not equal, at is the offset of
// the first difference in want; whitespace reports whether the words are equal.
func model(x sample) (equal bool, at int, whitespace bool) {
	w, g := words(x.want), words(x.got)
	if x.o.Mode == Exact || x.o.Mode == "" {
		at := prefix(Options{}, string(x.want), string(x.got))
		return bytes.Equal(x.want, x.got), at, slices.EqualFunc(w, g, sameText)
	}
	if x.o.Mode == Lines {
		equal, at := modelLines(x)
		return equal, at, slices.EqualFunc(w, g, sameText)
	}
	same := alike(x.o)
	if x.o.Mode == Float {
		same = near(x.o)
	}
	if x.o.Spaces {
		whitespace = slices.EqualFunc(w, g, same)
		w, g = units(x.want), units(x.got)
	}
	isBlank := func(u word) bool { return len(words([]byte(u.text))) == 0 }
	for i := range w {
		switch {
		case i == len(g), isBlank(w[i]) != isBlank(g[i]):
			return false, w[i].at, whitespace
		case !same(w[i], g[i]):
			return false, w[i].at + prefix(x.o, w[i].text, g[i].text), whitespace
		}
	}
	return len(w) == len(g), len(x.want), whitespace
}

// modelLines is the model of the mode Lines: of the lines without the blanks at their ends the first that
// differs, where one that an output does not have is empty.
func modelLines(x sample) (equal bool, at int) {
	w, g := strings.Split(string(x.want), "\n"), strings.Split(string(x.got), "\n")
	for i := range max(len(w), len(g)) {
		lines := [2]string{}
		for k, all := range [][]string{w, g} {
			if i < len(all) {
				lines[k] = all[i]
			}
		}
		if strings.TrimRight(lines[0], " \t\v\f\r") != strings.TrimRight(lines[1], " \t\v\f\r") {
			return false, min(at+prefix(Options{}, lines[0], lines[1]), len(x.want))
		}
		at += len(lines[0]) + 1
	}
	return true, 0
}

// check compares x with the package and with the model. It writes the output in pieces, whose sizes
// cut returns, and checks the result against the contract of Mismatch.
func check(t *testing.T, x sample, cut func(left int) int) {
	t.Helper()
	want := bytes.Clone(x.want)
	m := Compare(want, x.got, x.o)
	c := New(want, x.o)
	for rest := x.got; len(rest) > 0; {
		n := min(len(rest), cut(len(rest)))
		piece := bytes.Clone(rest[:n])
		if wrote, err := c.Write(piece); wrote != n || err != nil {
			t.Fatalf("Write of %d bytes = %d, %v", n, wrote, err)
		}
		clear(piece) // a Comparer must not keep the bytes
		rest = rest[n:]
	}
	if d := cmp.Diff(m, c.Close()); d != "" {
		t.Fatalf("the result depends on the pieces (-whole +pieces):\n%s", d)
	}
	if first, again := c.Close(), c.Close(); first != again {
		t.Error("two calls of Close return different results")
	}
	// Read the expected output from a source, with windows shorter than some words.
	for _, step := range []int{1, 7, 100} {
		c := newComparer(&text{source: bytes.NewReader(want), size: len(want), step: step}, x.o)
		c.Write(x.got)
		if d := cmp.Diff(m, c.Close()); d != "" || c.Err() != nil {
			t.Fatalf("with windows of %d bytes the result differs (%v):\n%s", step, c.Err(), d)
		}
	}
	if !bytes.Equal(want, x.want) {
		t.Fatal("the expected output was modified")
	}

	equal, at, whitespace := model(x)
	if (m == nil) != equal {
		t.Fatalf("equal = %v, model says %v", m == nil, equal)
	}
	if m == nil {
		return
	}
	line := 1 + bytes.Count(x.want[:at], newline)
	if m.Whitespace != whitespace || m.Offset != int64(at) || m.Line != line {
		t.Errorf("whitespace, offset, line = %v, %d, %d; model says %v, %d, %d", m.Whitespace, m.Offset, m.Line, whitespace, at, line)
	}
	if begin := bytes.LastIndexByte(x.want[:at], '\n') + 1; utf8.Valid(x.want[begin:]) {
		// Count the characters that begin before the difference, and the one that contains it.
		column := 1
		for i := range string(x.want[begin:]) {
			if i > 0 && begin+i <= at {
				column++
			}
		}
		if at == len(x.want) && at > begin {
			column++
		}
		if m.Column != column {
			t.Errorf("column = %d, model says %d", m.Column, column)
		}
	}
	if m.Want != int64(len(x.want)) || m.Got != int64(len(x.got)) {
		t.Errorf("sizes = %d, %d", m.Want, m.Got)
	}
	checkLines(t, x, m)
	if _, err := json.Marshal(m); err != nil {
		t.Error(err)
	}
}

// checkLines checks that the excerpt of m is within its bounds, shows a difference, and that each
// line shows the line of the outputs that has its number.
func checkLines(t *testing.T, x sample, m *Mismatch) {
	t.Helper()
	o := x.o.withDefaults()
	size, differs := 0, false
	wantAt, gotAt := 0, 0
	wantLines, gotLines := bytes.Split(x.want, newline), bytes.Split(x.got, newline)
	for _, l := range m.Lines {
		size += len(l.Text)
		if !utf8.ValidString(l.Text) {
			t.Errorf("text %q is not UTF-8", l.Text)
		}
		switch l.Op {
		case "-", "+":
			differs = true
		case " ":
			if l.Want == 0 || l.Got == 0 {
				t.Errorf("a shared line without a number: %+v", l)
				continue
			}
			w, g := wantLines[l.Want-1], gotLines[l.Got-1]
			if same, _, _ := model(sample{w, g, x.o}); !same {
				t.Errorf("lines %q and %q are shown as equal", w, g)
			}
		default:
			t.Errorf("unknown operation %q", l.Op)
		}
		if (l.Want == 0) != (l.Op == "+") || (l.Got == 0) != (l.Op == "-") {
			t.Errorf("wrong numbers: %+v", l)
		}
		if l.Want > 0 {
			if l.Want <= wantAt {
				t.Errorf("expected lines out of order: %+v", l)
			}
			wantAt = l.Want
			checkText(t, l.Text, wantLines, l.Want)
		}
		if l.Got > 0 {
			if l.Got <= gotAt {
				t.Errorf("written lines out of order: %+v", l)
			}
			gotAt = l.Got
			if l.Op == "+" {
				checkText(t, l.Text, gotLines, l.Got)
			}
		}
	}
	if !differs {
		t.Errorf("no difference is shown: %s", m.Format(""))
	}
	if len(m.Lines) > o.Lines || size > o.Bytes {
		t.Errorf("%d lines, %d bytes shown; at most %d, %d allowed", len(m.Lines), size, o.Lines, o.Bytes)
	}
	if t.Failed() {
		t.Logf("want %q\ngot  %q\n%s", last(x.want, 1000), last(x.got, 1000), m.Format("shown"))
	}
}

// checkText checks that text shows the line of the given number.
func checkText(t *testing.T, text string, lines [][]byte, number int) {
	t.Helper()
	if number > len(lines) {
		t.Errorf("line %d of %d is shown", number, len(lines))
		return
	}
	actual := lines[number-1]
	body, left := strings.CutPrefix(text, signCut)
	end := signNewline
	if number == len(lines) {
		end = signEnd
	}
	whole := strings.HasSuffix(body, end)
	if !whole && !strings.HasSuffix(body, signCut) {
		t.Errorf("line %d ends wrongly: %q", number, text)
		return
	}
	shown := unshow(strings.TrimSuffix(strings.TrimSuffix(body, end), signCut))
	ok := bytes.Contains(actual, shown)
	switch {
	case whole && left:
		ok = bytes.HasSuffix(actual, shown)
	case whole:
		ok = bytes.Equal(actual, shown)
	case !left:
		ok = bytes.HasPrefix(actual, shown)
	}
	if !ok {
		t.Errorf("line %d is %q, shown as %q", number, actual, text)
	}
}

// unshow converts a shown line back to the bytes of the line.
func unshow(s string) []byte {
	var out []byte
	for len(s) > 0 {
		switch r, size := utf8.DecodeRuneInString(s); {
		case r == signSpace:
			out = append(out, ' ')
			s = s[size:]
		case r == signTab:
			out = append(out, '\t')
			s = s[size:]
		case strings.HasPrefix(s, `\\`):
			out = append(out, '\\')
			s = s[2:]
		case strings.HasPrefix(s, `\r`):
			out = append(out, '\r')
			s = s[2:]
		case strings.HasPrefix(s, `\x`) && len(s) >= 4:
			b, err := strconv.ParseUint(s[2:4], 16, 8)
			if err != nil {
				return nil
			}
			out = append(out, byte(b))
			s = s[4:]
		default:
			out = append(out, s[:size]...)
			s = s[size:]
		}
	}
	return out
}
