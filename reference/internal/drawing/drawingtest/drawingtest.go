// Package drawingtest tests draw programs.
package drawingtest

import (
	"bytes"
	"encoding/xml"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"tribunal/reference/internal/drawing"
	"tribunal/reference/internal/programs"
	"tribunal/reference/internal/spoil"
)

var update = flag.Bool("update", false, "write the pictures in testdata")

// Draw is a draw program without its frame.
type Draw = func(*drawing.Case) (*drawing.Picture, error)

// Golden draws testdata/NAME.in, with NAME.ans and NAME.out if they exist, and compares the picture
// with NAME.svg, or writes it there with -update.
func Golden(t *testing.T, draw Draw) {
	inputs, err := filepath.Glob("testdata/*.in")
	if err != nil || len(inputs) == 0 {
		t.Fatalf("no testdata/*.in, %v", err)
	}
	for _, input := range inputs {
		base := strings.TrimSuffix(input, ".in")
		t.Run(filepath.Base(base), func(t *testing.T) {
			args := []string{input, "-"}
			if exists(base + ".ans") {
				args[1] = base + ".ans"
			}
			if exists(base + ".out") {
				args = append(args, base+".out")
			}
			var got, errs bytes.Buffer
			if status := drawing.Main(args, &got, &errs, draw); status != 0 {
				t.Fatalf("exits with %d: %s", status, &errs)
			}
			Check(t, got.Bytes())
			if *update {
				if err := os.WriteFile(base+".svg", got.Bytes(), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(base + ".svg")
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got.Bytes(), want) {
				t.Errorf("%s.svg differs: %s (hint: look at the picture after go test -update)", base, drawing.Difference(got.Bytes(), want))
			}
		})
	}
}

func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

// harmless lists the elements and attributes of pictures. None of them runs a program or reads
// another file.
var (
	elements   = strings.Fields("svg title desc style rect circle text path g")
	attributes = strings.Fields("xmlns viewBox width height role aria-labelledby id class x y cx cy r d transform style text-anchor")
	foreign    = regexp.MustCompile(`(?i)url\(|@import|expression|javascript:|\bNaN\b|\bInf\b`)
)

// Check checks that a picture is one well-formed SVG document of bounded size, has a title and a
// description, and neither runs programs nor reads other files.
func Check(t *testing.T, svg []byte) {
	t.Helper()
	if len(svg) > drawing.MaxSize {
		t.Errorf("%d bytes, want at most %d", len(svg), drawing.MaxSize)
	}
	seen := map[string]string{}
	var path []string
	for d := xml.NewDecoder(bytes.NewReader(svg)); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("not well-formed: %v", err)
		}
		switch e := token.(type) {
		case xml.StartElement:
			if len(path) == 0 && (len(seen) > 0 || e.Name.Local != "svg" || e.Name.Space != "http://www.w3.org/2000/svg") {
				t.Errorf("<%s> is not the only root", e.Name.Local)
			}
			if !slices.Contains(elements, e.Name.Local) {
				t.Errorf("element <%s>", e.Name.Local)
			}
			for _, a := range e.Attr {
				if !slices.Contains(attributes, a.Name.Local) || foreign.MatchString(a.Value) {
					t.Errorf("<%s %s=%q>", e.Name.Local, a.Name.Local, a.Value)
				}
			}
			path = append(path, e.Name.Local)
		case xml.EndElement:
			path = path[:len(path)-1]
		case xml.CharData:
			if len(path) > 0 {
				name := path[len(path)-1]
				if name == "style" && foreign.Match(e) {
					t.Errorf("style %s", e)
				}
				seen[name] += string(e)
			}
		default:
			t.Errorf("unexpected %T", token)
		}
	}
	if seen["title"] == "" || seen["desc"] == "" || !strings.Contains(seen["style"], "prefers-color-scheme:dark") {
		t.Errorf("no title, description or dark colours")
	}
}

var located = regexp.MustCompile(`^line [1-9][0-9]*: `)

// Try draws a case. Whatever it is, there must be a good picture or an error with the number of a
// line; Try returns whether there is a picture.
func Try(t *testing.T, draw Draw, c drawing.Case) bool {
	t.Helper()
	p, err := draw(&c)
	switch {
	case err == nil:
		Check(t, p.SVG())
	case !located.MatchString(err.Error()) || strings.Contains(err.Error(), "\n"):
		t.Errorf("%q: the error is not one line that begins with a place: %q", c.Input, err)
	}
	if t.Failed() {
		t.Fatalf("input %q\nanswer %q\noutput %q", c.Input, c.Answer, c.Output)
	}
	return err == nil
}

// Generated draws inputs of the generator with their answers, and variants of both with small
// mistakes. arguments are those of the generator, for each input.
func Generated(t *testing.T, draw Draw, arguments ...string) {
	solver, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	p := programs.Build(t, "..", "../gen")
	for _, args := range arguments {
		t.Run(args, func(t *testing.T) {
			input, errs, status := p.Run(t, nil, "gen", strings.Fields(args)...)
			if status != 0 {
				t.Fatal(errs)
			}
			answer, errs, status := p.Run(t, []byte(input), filepath.Base(solver))
			if status != 0 {
				t.Fatal(errs)
			}
			c := drawing.Case{Input: []byte(input), Answer: []byte(answer)}
			if !Try(t, draw, c) {
				t.Errorf("no picture of a valid input")
			}
			c.Output = c.Answer
			Try(t, draw, c)
			tries := 20
			if len(input) > 4000 {
				tries = 3
			}
			for output := range spoil.Inputs(c.Answer, tries) {
				Try(t, draw, drawing.Case{Input: c.Input, Answer: c.Answer, Output: output})
				Try(t, draw, drawing.Case{Input: c.Input, Answer: output, Output: c.Answer})
			}
			for input := range spoil.Inputs(c.Input, tries) {
				Try(t, draw, drawing.Case{Input: input, Answer: c.Answer, Output: c.Answer})
			}
		})
	}
}

// Fuzz fuzzes a draw program, beginning with the cases in testdata.
func Fuzz(f *testing.F, draw Draw) {
	inputs, err := filepath.Glob("testdata/*.in")
	if err != nil {
		f.Fatal(err)
	}
	for _, input := range inputs {
		base := strings.TrimSuffix(input, ".in")
		in, err := os.ReadFile(input)
		if err != nil {
			f.Fatal(err)
		}
		answer, _ := os.ReadFile(base + ".ans")
		output, _ := os.ReadFile(base + ".out")
		f.Add(in, answer, output)
	}
	f.Fuzz(func(t *testing.T, input, answer, output []byte) {
		Try(t, draw, drawing.Case{Input: input, Answer: answer, Output: output})
	})
}

// Refuses checks that a draw program refuses an input, with exit status 3 and a message that begins
// with a line and contains a text.
func Refuses(t *testing.T, draw Draw, input string, line int, text string) {
	t.Helper()
	name := filepath.Join(t.TempDir(), "input")
	if err := os.WriteFile(name, []byte(input), 0o600); err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	status := drawing.Main([]string{name}, &out, &errs, draw)
	if status != 3 || out.Len() > 0 || !strings.HasPrefix(errs.String(), "line "+strconv.Itoa(line)+": ") || !strings.Contains(errs.String(), text) {
		t.Errorf("%q: status %d, %d bytes and %q, want 3 and line %d, %q", input, status, out.Len(), errs.String(), line, text)
	}
}
