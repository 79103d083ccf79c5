package drawing_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tribunal/reference/internal/drawing"
	"tribunal/reference/internal/drawing/drawingtest"
)

// full is a writer without room.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left") }

// echo draws what it is given, each line of the input as a part.
func echo(c *drawing.Case) (*drawing.Picture, error) {
	if strings.HasPrefix(string(c.Input), "bad") {
		return nil, drawing.NewLines(c.Input).Errorf("bad")
	}
	p := drawing.New("<Echo>", "All <lines>.")
	p.Compare(c)
	lines := strings.Split(strings.TrimSuffix(string(c.Input), "\n"), "\n")
	pieces := c.Pieces(func(string, string) bool { return true })
	p.Parts(len(lines), "lines", pieces.Wrong, func(i int, part *drawing.Part) {
		part.Heading("%s", lines[i])
		for _, s := range pieces.Sides(i) {
			part.Panel(10, 10, fmt.Sprintf("%s %q missing=%t wrong=%t", s.Caption, s.Lines, s.Missing, s.Wrong)).Text("", 5, 5, "&")
		}
	})
	return p, nil
}

func TestFrame(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		name = filepath.Join(dir, name)
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	in, ans, out := file("in", "1\n2\n"), file("ans", "a\nb\n"), file("out", "a\nc\n")
	for _, tt := range []struct {
		why    string
		args   []string
		status int
		want   []string // in order in the picture, or in the message
	}{
		{"the input alone", []string{in}, 0, []string{"&lt;Echo&gt;", "input [] missing=false wrong=false"}},
		{"an answer", []string{in, ans}, 0, []string{`answer [&#34;a&#34;]`, `answer [&#34;b&#34;]`}},
		{"an empty answer is not the same as none", []string{in, file("empty", "")}, 0, []string{"answer [] missing=true"}},
		{"an output alone", []string{in, "-", out}, 0, []string{`output [&#34;a&#34;]`, `output [&#34;c&#34;]`}},
		{"the wrong part comes first", []string{in, ans, out}, 0, []string{
			"is not the expected one", "line 2, column 1: &#34;c&#34; instead of &#34;b&#34;", "1 of 2 lines differ", `output [&#34;c&#34;]`, "wrong=true", "expected [&#34;b&#34;]", "output, as expected"}},
		{"the right output", []string{in, ans, ans}, 0, []string{"The output is as expected"}},
		{"a malformed input", []string{file("bad", "bad")}, 3, []string{"line 0: bad"}},
		{"no arguments", nil, 2, []string{"usage: draw INPUT"}},
		{"too many", []string{in, ans, out, out}, 2, []string{"usage: draw INPUT"}},
		{"no such file", []string{filepath.Join(dir, "none")}, 2, []string{"none: no such file"}},
	} {
		t.Run(tt.why, func(t *testing.T) {
			var stdout, stderr bytes.Buffer
			if got := drawing.Main(tt.args, &stdout, &stderr, echo); got != tt.status {
				t.Errorf("status %d, want %d: %s", got, tt.status, &stderr)
			}
			text := stderr.String()
			if tt.status == 0 {
				drawingtest.Check(t, stdout.Bytes())
				text = strings.Join(strings.Fields(strings.ReplaceAll(stdout.String(), "<", " <")), " ")
			} else if stdout.Len() > 0 || strings.Count(text, "\n") != 1 {
				t.Errorf("%q and %q, want one line of a message", &stdout, text)
			}
			for _, want := range tt.want {
				_, after, found := strings.Cut(joined(text), want)
				if !found {
					t.Fatalf("no %q in %s", want, text)
				}
				text = after
			}
		})
	}
	if status := drawing.Main([]string{in}, full{}, new(bytes.Buffer), echo); status != 1 {
		t.Errorf("status %d if the picture cannot be written, want 1", status)
	}
}

// joined joins the lines of a text that was wrapped.
func joined(svg string) string {
	var words []string
	for _, word := range strings.Fields(svg) {
		if !strings.ContainsAny(word, "<=") || strings.HasPrefix(word, "missing=") || strings.HasPrefix(word, "wrong=") {
			words = append(words, word)
			continue
		}
		if _, text, found := strings.Cut(word, ">"); found && text != "" {
			words = append(words, text)
		}
	}
	return strings.Join(words, " ")
}

// TestBounds checks that a picture of very many or very long parts stays small, and says so.
func TestBounds(t *testing.T) {
	for _, input := range []string{strings.Repeat("x\n", 100_000), strings.Repeat(strings.Repeat("<", 5000)+"\n", 200)} {
		p, err := echo(&drawing.Case{Input: []byte(input)})
		if err != nil {
			t.Fatal(err)
		}
		svg := p.SVG()
		if !bytes.Contains(svg, []byte("are not drawn")) {
			t.Errorf("%.20q: no note about what is left out", input)
		}
		drawingtest.Check(t, svg)
	}
}

// TestLargePart checks that a part without room is left out as a whole.
func TestLargePart(t *testing.T) {
	p := drawing.New("Circles", "Many of them.")
	p.Parts(2, "panels", nil, func(i int, part *drawing.Part) {
		part.Heading("Panel %d", i)
		panel := part.Panel(10, 10, "circles")
		for range 1 + 10_000*i {
			panel.Circle("c0", 5, 5, 5)
		}
	})
	svg := p.SVG()
	drawingtest.Check(t, svg)
	for text, want := range map[string]bool{"Panel 0": true, "1 of 2 panels are not drawn": true, "Panel 1": false} {
		if bytes.Contains(svg, []byte(text)) != want {
			t.Errorf("%q: want %t in %d bytes", text, want, len(svg))
		}
	}
}

func TestNumbers(t *testing.T) {
	for _, tt := range []struct {
		why, input string
		low, high  int
		want       int
		err        string // "" if there is none
	}{
		{"a number", "7\n", 0, 9, 7, ""},
		{"other layout", "\r\n \t07 \r\n", 0, 9, 7, ""},
		{"no line end", "7", 0, 9, 7, ""},
		{"the least", "-1", -1, 9, -1, ""},
		{"too small", "-2", -1, 9, 0, "line 1: the x is -2, not -1 to 9"},
		{"no sign where none can be right", "-0", 0, 9, 0, `line 1: the x is "-0", not a plain decimal number`},
		{"too large", "\n10", 0, 9, 0, "line 2: the x is 10, not 0 to 9"},
		{"far too large", strings.Repeat("9", 40), 0, 9, 0, "line 1: the x is 999999999999999999999999…, not 0 to 9"},
		{"a minus alone", "-", -1, 9, 0, `line 1: the x is "-", not a plain decimal number`},
		{"unprintable", "7\x00", 0, 9, 0, `line 1: the x is "7\x00", not a plain decimal number`},
		{"two", "7 7", 0, 9, 0, "line 1: 2 fields instead of 1 (hint: an x)"},
		{"none", "\n\n", 0, 9, 0, "line 3: the input ends where an x should be"},
	} {
		got, err := drawing.NewLines([]byte(tt.input)).Numbers("an x", drawing.Range{Name: "x", Low: tt.low, High: tt.high})
		if text := fmt.Sprint(err); tt.err != "" && text != tt.err || tt.err == "" && (err != nil || !slices.Equal(got, []int{tt.want})) {
			t.Errorf("%s: %v, %v", tt.why, got, err)
		}
	}
}

// FuzzEcho checks that any text can stand in a picture.
func FuzzEcho(f *testing.F) {
	f.Add([]byte("<script>\x00\xff]]>&amp;\u202e"), []byte("a\n"), []byte("b\r\n"))
	f.Fuzz(func(t *testing.T, input, answer, output []byte) {
		p, err := echo(&drawing.Case{Input: input[:min(len(input), 10_000)], Answer: answer, Output: output})
		if err == nil && len(input) > 0 {
			drawingtest.Check(t, p.SVG())
		}
	})
}
