package diff

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// numbered returns the lines "from" to "to", each a number and a newline.
func numbered(from, to int) string {
	var b strings.Builder
	for i := from; i <= to; i++ {
		fmt.Fprintf(&b, "%d\n", i)
	}
	return b.String()
}

// numberedWide is numbered, with lines of 250 bytes.
func numberedWide(from, to int) string {
	return strings.ReplaceAll(numbered(from, to), "\n", strings.Repeat(".", 248)+"\n")
}

func TestGolden(t *testing.T) {
	t.Parallel()
	maze := " _ _\n|   | |\n|_|_ _|\n"
	wide := strings.Repeat("abcdefghij", 100)
	for _, tt := range []struct {
		name      string
		why       string
		o         Options
		want, got string
	}{
		{name: "whitespace", why: "the style guide's example: a presentation error", want: maze, got: strings.Replace(maze, "   ", " ", 1)},
		{name: "one-line", why: "two lines of context on either side", want: numbered(1, 9), got: strings.Replace(numbered(1, 9), "5", "five", 1)},
		{name: "missing-line", why: "one missing line: the lines after it do not differ", want: numbered(1, 100), got: numbered(1, 4) + numbered(6, 100)},
		{name: "inserted-line", why: "one extra line: the lines after it do not differ", want: numbered(1, 100), got: numbered(1, 4) + "x\n" + numbered(5, 100)},
		{name: "two-near", why: "two differences with few lines between them are shown together", want: numbered(1, 20), got: numbered(1, 4) + "x\n" + numbered(6, 8) + "y\n" + numbered(10, 20)},
		{name: "two-far", why: "a second difference far away is not shown", want: numbered(1, 20), got: numbered(1, 4) + "x\n" + numbered(6, 10) + "y\n" + numbered(12, 20)},
		{name: "all-wrong", why: "both sides get half of the lines", want: numbered(1, 100), got: numbered(1001, 1100)},
		{name: "one-against-many", why: "the side with few lines leaves its room to the other", want: "1\n", got: numbered(101, 200)},
		{name: "swapped", why: "swapped lines: one is shown as moved, the other as equal", want: "a\nb\nc\n", got: "b\na\nc\n"},
		{name: "empty", why: "nothing was written", want: "1\n2\n", got: ""},
		{name: "nothing-expected", why: "something was written where nothing was expected", want: "", got: "1\n"},
		{name: "ends-early", why: "the end of the output is shown instead of the missing rest", want: numbered(1, 3), got: numbered(1, 2)},
		{name: "ends-early-of-many", why: "the end of the output is shown even if not all missing lines are", want: numbered(1, 100), got: numbered(1, 2)},
		{name: "goes-on", why: "extra lines at the end", want: numbered(1, 2), got: numbered(1, 4)},
		{name: "final-newline", why: "a missing newline at the end", want: "1\n2\n", got: "1\n2"},
		{name: "blank-line-at-end", why: "a missing blank line at the end", want: "1\n\n", got: "1\n"},
		{name: "extra-newline", why: "a blank line too many at the end", want: "1\n", got: "1\n\n"},
		{name: "crlf", why: "carriage returns are spelled out", want: "1\n2\n", got: "1\r\n2\r\n"},
		{name: "invisible", why: "control characters, combining marks, invalid UTF-8, and the signs themselves", want: "a b\tc\n", got: "\ufeffa\u00a0b\x00\x7f\xffe\u0301·→⏎∎…\\n\\r\\\\\n"},
		{name: "long-line", why: "a long line is cut around the difference, at the same place on both sides", o: Options{Bytes: 600}, want: wide + "X" + wide + "\n", got: wide + "Y\n"},
		{name: "long-line-begin", why: "a long line that differs at its beginning is not cut there", o: Options{Bytes: 600}, want: "X" + wide + "\n", got: "Y" + wide + "\n"},
		{name: "long-line-huge", why: "a line whose beginning is not kept", o: Options{Bytes: 64}, want: wide + "é" + wide, got: wide + "è" + wide},
		{name: "long-lines-after", why: "each pair of lines is cut where it differs", o: Options{Bytes: 600}, want: "a\n" + wide + "1\n", got: "b\n" + wide + "2\n"},
		{name: "missing-long-line", why: "lines beyond the kept part are not shown as missing or extra", o: Options{Bytes: 200}, want: numberedWide(1, 9), got: numberedWide(2, 9)},
		{name: "one-line-allowed", why: "room for one line: the expected one is shown", o: Options{Lines: 1}, want: numbered(1, 5), got: "1\n2\nx\n4\n5\n"},
		{name: "three-lines-allowed", why: "room for three lines: the difference goes before the context", o: Options{Lines: 3}, want: numbered(1, 5), got: "1\n2\nx\n4\n5\n"},
		{name: "lines", why: "lines that differ in blanks at their ends are equal, empty lines at the end are left out", o: Options{Mode: Lines}, want: "1 \n2\n\n  3\n4\n\n\n", got: "1\n2\t\n\n3\n4\r\n"},
		{name: "lines-go-on", why: "an extra line after empty ones", o: Options{Mode: Lines}, want: "1\n2", got: "1\r\n2\r\n\r\n3\r\n"},
		{name: "tokens", why: "lines with the same tokens are equal lines", o: Options{Mode: Tokens}, want: "1 2\n3 4\n5 6\n7 8\n", got: " 1 2\n3  4\n5 7\n7 8"},
		{name: "tokens-one-line", why: "all tokens on one line", o: Options{Mode: Tokens}, want: "1\n2\n3\n4\n", got: "1 2 5 4\n"},
		{name: "tokens-line-broken", why: "a line ends too early", o: Options{Mode: Tokens}, want: "1 2\n3\n", got: "1\n4\n3\n"},
		{name: "tokens-far-back", why: "the line of the word before is not kept from its beginning", o: Options{Mode: Tokens, Bytes: 64}, want: strings.Repeat("w ", 300) + "x" + strings.Repeat(" ", 252) + "\n3\n", got: strings.Repeat("w ", 300) + "x 4\n"},
		{name: "tokens-far-back-too", why: "the same in the output compared", o: Options{Mode: Tokens, Bytes: 64}, want: strings.Repeat("w ", 300) + "x 4\n", got: strings.Repeat("w ", 300) + "x" + strings.Repeat(" ", 252) + "\n3\n"},
		{name: "tokens-end-early", why: "the last line of the output is equal to an expected line", o: Options{Mode: Tokens}, want: "1 2\n\n\n\n\n\n\n3\n", got: "1 2"},
		{name: "tokens-go-on", why: "an extra token is shown in its line, beside the expected line", o: Options{Mode: Tokens}, want: "1 2\n3\n", got: "1 2\n3 4\n"},
		{name: "tokens-shifted", why: "lines with equal words but from different positions in the outputs", o: Options{Mode: Tokens}, want: "x\nb b\n", got: "x b\nb b\n"},
		{name: "fold", why: "lines are equal whatever the case of their letters", o: Options{Mode: Tokens, FoldCase: true}, want: "Yes\nNo\nYes\n", got: "YES\nnope\nyes\n"},
		{name: "spaces", why: "lines that differ in white space differ if it counts", o: Options{Mode: Float, FoldCase: true, Spaces: true, Abs: 0.01}, want: "a 1.00\n\nb 2.00\nc 3.00\n", got: "A 1\n\nB  2\nC 3.001\n"},
		{name: "spaces-blank-line", why: "a line without words is compared if white space counts", o: Options{Mode: Tokens, Spaces: true, FoldCase: true}, want: "a\n\nb\nc\n", got: "A\nB\nC\n"},
		{name: "spaces-final-newline", why: "a line without its newline differs from one with it", o: Options{Mode: Tokens, Spaces: true, FoldCase: true}, want: "a\nb\n", got: "A\nB"},
		{name: "float", why: "close numbers are equal, also in context", o: Options{Mode: Float, Abs: 0.01}, want: "1.00\n2.00\n3.00\n4.00\n", got: "1\n2.001\n3.5\n4.009\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := Compare([]byte(tt.want), []byte(tt.got), tt.o)
			if m == nil {
				t.Fatal("outputs are equal")
			}
			checkLines(t, sample{[]byte(tt.want), []byte(tt.got), tt.o}, m)
			j, err := json.MarshalIndent(m, "", "  ")
			if err != nil {
				t.Fatal(err)
			}
			text := fmt.Sprintf("# %s\n%s\n%s\n", tt.why, m.Format(tt.name), j)
			path := filepath.Join("testdata", tt.name+".golden")
			if *update {
				if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
					t.Fatal(err)
				}
				return
			}
			golden, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(string(golden), text); d != "" {
				t.Errorf("%s (-want +got):\n%s", path, d)
			}
		})
	}
}

func TestFormatWithoutLabel(t *testing.T) {
	t.Parallel()
	const want = "line 1, column 1\n- a∎\n+ b∎\n"
	if got := Compare([]byte("a"), []byte("b"), Options{}).Format(""); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestVisible checks that different lines look different, by converting shown lines back.
func TestVisible(t *testing.T) {
	t.Parallel()
	pieces := []string{
		`\`, `\`, `\`, "r", "x", "0", "1", "\r", "\t", " ", "\x00", "\x1b", "\x7f", "\x80", "\xc3", "\xa9",
		"é", "·", "→", "⏎", "∎", "…", "\u0301", "\u200b", "\ufeff", "\u202e", "\U0001F600", "\U000E0041", "z",
	}
	rng := rand.New(rand.NewPCG(5, 6))
	for range 20000 {
		var text []byte
		for range rng.IntN(8) {
			text = append(text, pieces[rng.IntN(len(pieces))]...)
		}
		shown := visible(line{text: text, end: signNewline}, rng.IntN(len(text)+1), 1000)
		if got := unshow(strings.TrimSuffix(shown, signNewline)); !bytes.Equal(got, text) {
			t.Fatalf("%q is shown as %q, which unshow converts to %q", text, shown, got)
		}
		for _, r := range "\r\t \x00\x1b\u0301\u200b\ufeff\u202e" {
			if strings.ContainsRune(shown, r) {
				t.Fatalf("%q is shown as %q, with %q in it", text, shown, r)
			}
		}
	}
}

// TestVisibleIsCutRoundFocus checks that the byte at focus is always shown.
func TestVisibleIsCutRoundFocus(t *testing.T) {
	t.Parallel()
	for _, filler := range []string{"a", " ", "é", "\x00", "\U000E0041", `\`} {
		for _, mark := range []string{"X", "\x01", "世"} {
			for share := minShare; share < 60; share++ {
				for n := range 40 {
					prefix := strings.Repeat(filler, n)
					l := line{text: []byte(prefix + mark + strings.Repeat(filler, 40)), end: signNewline}
					shown := visible(l, len(prefix), share)
					if len(shown) > share {
						t.Fatalf("%q has %d bytes, %d allowed", shown, len(shown), share)
					}
					if sign, _ := sign([]byte(mark), 0); !strings.Contains(shown, sign) {
						t.Fatalf("%q after %d times %q is not in %q", mark, n, filler, shown)
					}
				}
			}
		}
	}
}

// aligned is a go-cmp reporter that counts equal pairs of elements.
type aligned struct {
	path  cmp.Path
	equal int
}

func (a *aligned) PushStep(s cmp.PathStep) { a.path = append(a.path, s) }
func (a *aligned) PopStep()                { a.path = a.path[:len(a.path)-1] }
func (a *aligned) Report(r cmp.Result) {
	if _, ok := a.path.Last().(cmp.SliceIndex); ok && r.Equal() {
		a.equal++
	}
}

// TestAlign checks that an alignment covers both texts in order, and pairs at least as many equal
// lines as that of go-cmp, which uses another algorithm.
func TestAlign(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(7, 8))
	better := 0
	for range 2000 {
		letters := 1 + rng.IntN(6)
		text := func() []int {
			s := make([]int, rng.IntN(20))
			for i := range s {
				s[i] = rng.IntN(letters)
			}
			return s
		}
		a, b := text(), text()
		if rng.IntN(2) == 0 && len(a) > 0 {
			at := rng.IntN(len(a))
			b = slices.Concat(a[:at], b[:min(2, len(b))], a[min(len(a), at+rng.IntN(3)):])
		}
		blocks := align(len(a), len(b), func(i, j int) bool { return a[i] == b[j] })
		i, j, equal := 0, 0, 0
		for n, x := range blocks {
			if x.want != i || x.got != j || x.wantEnd < i || x.gotEnd < j {
				t.Fatalf("%v and %v: block %d begins at %d and %d, want %d and %d", a, b, n, x.want, x.got, i, j)
			}
			if n > 0 && !x.differs() || n < len(blocks)-1 && x.equal == 0 {
				t.Fatalf("%v and %v: block %d is incomplete: %+v", a, b, n, blocks)
			}
			i, j = x.wantEnd+x.equal, x.gotEnd+x.equal
			if i > len(a) || j > len(b) || !slices.Equal(a[x.wantEnd:i], b[x.gotEnd:j]) {
				t.Fatalf("%v and %v: block %d claims %d equal lines", a, b, n, x.equal)
			}
			equal += x.equal
		}
		if i != len(a) || j != len(b) {
			t.Fatalf("%v and %v: blocks end at %d and %d: %+v", a, b, i, j, blocks)
		}
		var other aligned
		cmp.Equal(a, b, cmp.Reporter(&other))
		if equal < other.equal {
			t.Errorf("%v and %v: %d pairs of equal lines, go-cmp finds %d", a, b, equal, other.equal)
		}
		if equal > other.equal {
			better++
		}
	}
	t.Logf("align pairs more equal lines than go-cmp in %d of 2000", better)
}
