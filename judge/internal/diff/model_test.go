package diff

import (
	"bytes"
	"encoding/json"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

// A sample is one comparison.
type sample struct {
	want, got []byte
	o         Options
}

// A word is a token of a text and where it begins.
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

func sameText(a, b word) bool { return a.text == b.text }

// near is the meaning of Float for two words.
func near(o Options) func(a, b word) bool {
	return func(a, b word) bool {
		if a.text == b.text {
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
		d := math.Abs(x[0] - x[1])
		return d <= o.Abs || d <= o.Rel*math.Abs(x[0])
	}
}

// model says, from the whole outputs and in the plainest way, whether they are
// equal, else where in want they first differ and whether the words agree.
func model(x sample) (equal bool, at int, whitespace bool) {
	prefix := func(a, b string) int {
		n := 0
		for n < len(a) && n < len(b) && a[n] == b[n] {
			n++
		}
		return n
	}
	w, g := words(x.want), words(x.got)
	if x.o.Mode == Exact || x.o.Mode == "" {
		return bytes.Equal(x.want, x.got), prefix(string(x.want), string(x.got)), slices.EqualFunc(w, g, sameText)
	}
	same := sameText
	if x.o.Mode == Float {
		same = near(x.o)
	}
	for i := range w {
		if i == len(g) {
			return false, w[i].at, false
		}
		if !same(w[i], g[i]) {
			return false, w[i].at + prefix(w[i].text, g[i].text), false
		}
	}
	return len(w) == len(g), len(x.want), false
}

// check compares what the package says about x, written in pieces as cut says,
// with the model, and holds the answer against its own contract.
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
		clear(piece) // a Comparer must not keep it
		rest = rest[n:]
	}
	if d := cmp.Diff(m, c.Close()); d != "" {
		t.Fatalf("pieces change the answer (-whole +pieces):\n%s", d)
	}
	if first, again := c.Close(), c.Close(); first != again {
		t.Error("Close changes its mind")
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
		// The characters that begin before the difference, and that with it.
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

// checkLines holds the excerpt against the outputs: it is within its bounds,
// shows a difference, and every line in it is the one its number says.
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

// unshow is the inverse of what visible does to the bytes of a line.
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

// corpus returns comparisons of small random texts that are often nearly
// equal, under all modes and various options.
func corpus() []sample {
	rng := rand.New(rand.NewPCG(1, 2))
	pieces := []string{
		" ", "\n", "\n", "\t", "\r\n", "a", "b", "1", "2", "1.5", "1.50", "-3e2", "é", "·", `\`, "r", "\x00", "\xff", "\n\n",
		"x1", strings.Repeat("long ", 5), strings.Repeat("9", 40), "\u0301", "…",
	}
	text := func(n int) []string {
		var s []string
		for range rng.IntN(n + 1) {
			s = append(s, pieces[rng.IntN(len(pieces))])
		}
		return s
	}
	var all []sample
	for i := range 2500 {
		want := text([]int{4, 20, 200}[i%3])
		got := slices.Clone(want)
		for range rng.IntN(4) {
			at := rng.IntN(len(got) + 1)
			got = slices.Replace(got, at, min(len(got), at+rng.IntN(3)), text(3)...)
		}
		all = append(all, sample{
			want: []byte(strings.Join(want, "")),
			got:  []byte(strings.Join(got, "")),
			o: Options{
				Mode:  []Mode{Exact, Tokens, Float}[rng.IntN(3)],
				Abs:   []float64{0, 0.5, 100}[rng.IntN(3)],
				Rel:   []float64{0, 0.1}[rng.IntN(2)],
				Lines: []int{0, 1, 2, 3, 7}[rng.IntN(5)],
				Bytes: []int{0, 1, 30, 100, 400}[rng.IntN(5)],
			},
		})
	}
	return all
}

func TestAgainstModel(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(3, 4))
	equal := 0
	for _, x := range corpus() {
		most := 1 + rng.IntN(9)
		check(t, x, func(int) int { return rng.IntN(most + 1) })
		if t.Failed() {
			t.Fatalf("options %+v", x.o)
		}
		if ok, _, _ := model(x); ok {
			equal++
		}
	}
	if n := len(corpus()); equal < n/20 || equal > n/2 {
		t.Errorf("%d of %d samples are equal: too few or too many", equal, n)
	}
}

// TestSplits cuts outputs that are longer than what is looked at, at every
// place near the interesting ones.
func TestSplits(t *testing.T) {
	t.Parallel()
	filler := strings.Repeat("same line\n", 2000)
	wide := strings.Repeat("wide ", 5000)
	few := Options{Bytes: 100}
	reach := few.withDefaults().reach()
	far := strings.Repeat("x", reach)
	for _, x := range []sample{
		// Lines that are equal as far as they are looked at, but no further.
		{want: []byte("a\n" + far + "1\n"), got: []byte("b\n" + far + "2\n"), o: few},
		{want: []byte("q " + strings.Repeat(" ", reach) + "1\n"), got: []byte("q 2\n1\n"), o: Options{Mode: Tokens, Bytes: few.Bytes}},
		{want: []byte(filler + "a\nb\n" + filler), got: []byte(filler + "b\n" + filler)},
		{want: []byte(wide + "1\n" + wide), got: []byte(wide + "2\n" + wide)},
		{want: []byte(wide + "1\n" + wide), got: []byte(strings.ReplaceAll(wide, " ", "\n") + "2\n" + wide), o: Options{Mode: Tokens}},
		{want: []byte(wide + "1.5\n" + wide), got: []byte(wide + "1.6\n" + wide), o: Options{Mode: Float, Abs: 0.01}},
		{want: []byte(wide + "1.5\n" + wide), got: []byte(wide + "1.6\n"), o: Options{Mode: Float, Abs: 0.11}},
		{want: []byte("1" + strings.Repeat("0", 3000)), got: []byte("2" + strings.Repeat("0", 3000)), o: Options{Mode: Float}},
	} {
		_, at, _ := model(x)
		for _, n := range []int{1, 7, 4095, 4096, 4097, at - 1, at, at + 1, at + 2} {
			check(t, x, func(int) int { return max(1, n) })
		}
	}
}

func FuzzCompare(f *testing.F) {
	for i, x := range corpus() {
		if i%100 == 0 {
			f.Add(x.want, x.got, string(x.o.Mode), x.o.Abs, x.o.Rel, x.o.Lines, x.o.Bytes, uint64(i))
		}
	}
	f.Fuzz(func(t *testing.T, want, got []byte, mode string, abs, rel float64, lines, size int, seed uint64) {
		m, err := ParseMode(mode)
		if err != nil {
			t.Skip()
		}
		// Larger bounds cost time and find nothing.
		x := sample{want, got, Options{Mode: m, Abs: abs, Rel: rel, Lines: min(lines, 100), Bytes: min(size, 1<<16)}}
		rng := rand.New(rand.NewPCG(seed, 0))
		check(t, x, func(left int) int { return rng.IntN(left + 1) })
	})
}
