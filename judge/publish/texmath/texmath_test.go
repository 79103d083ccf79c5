package texmath

import (
	"encoding/xml"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the golden files")

var macros = map[string]Macro{
	"maxn": {Body: "10^5"}, "set": {Args: 2, Optional: true, Default: "x", Body: `\{#1 \mid #2\}`}, "R": {Body: `\mathbb R`},
	"loop": {Body: `\loop x`}, "wide": {Body: `\loop\loop`},
}

func convert(formula string, display bool) (string, error) {
	formula, err := Expand(formula, macros)
	if err != nil {
		return "", err
	}
	return Convert(formula, display)
}

// TestConvert converts the formulas of testdata/formulas.txt, one a line; those that begin with
// "display" stand on lines of their own.
func TestConvert(t *testing.T) {
	source, err := os.ReadFile(filepath.Join("testdata", "formulas.txt"))
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for line := range strings.Lines(string(source)) {
		line = strings.TrimSuffix(line, "\n")
		if line == "" || strings.HasPrefix(line, "#") {
			b.WriteString(line + "\n")
			continue
		}
		formula, display := strings.CutPrefix(line, "display ")
		got, err := convert(formula, display)
		if err != nil {
			t.Errorf("%s: %v", line, err)
		}
		b.WriteString(line + "\n    " + strings.ReplaceAll(got, "<mtr>", "\n      <mtr>") + "\n")
	}
	golden := filepath.Join("testdata", "formulas.golden")
	if *update {
		if err := os.WriteFile(golden, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	gotLines, wantLines := strings.Split(b.String(), "\n"), strings.Split(string(want), "\n")
	for i := range max(len(gotLines), len(wantLines)) {
		if i >= len(gotLines) || i >= len(wantLines) || gotLines[i] != wantLines[i] {
			t.Fatalf("line %d of %s differs (-update rewrites it):\ngot\n%s", i+1, golden, strings.Join(gotLines[min(i, len(gotLines)):], "\n"))
		}
	}
}

func TestErrors(t *testing.T) {
	for _, tt := range []struct{ why, formula, unknown, msg string }{
		{"a command of a style file", `\foo{x}`, `\foo`, `unknown command \foo`},
		{"an environment of a package", `\begin{tikz}x\end{tikz}`, "tikz", "unknown environment tikz"},
		{"a command in a text", `\text{a \foo b}`, `\foo`, `unknown command \foo`},
		{"a parameter of Library Checker", `x \le @{param.N}`, "@{param.N}", "unknown value @{param.N}"},
		{"a group that stays open", `\frac{1}{2`, "", "a { without its }"},
		{"a group that is closed twice", `x}`, "", "a } without its {"},
		{"an argument is missing", `\frac{1}`, "", `\frac has too few arguments`},
		{"two exponents", `x^2^3`, "", "two scripts at the same place: ^^"},
		{"an exponent is missing", `x^`, "", "nothing after ^"},
		{"left without right", `\left( x`, "", `\left without \right`},
		{"right without left", `x \right)`, "", `\right without \left`},
		{"not a delimiter", `\left x \right)`, "", `x is no delimiter after \left`},
		{"a cell in lines without a table", `a \\ & b }`, "", "a } without its {"},
		{"a cell outside of a table", `a & b`, "", "& outside of a matrix or of aligned lines"},
		{"an environment that stays open", `\begin{matrix} a`, "", `\begin{matrix} without \end{matrix}`},
		{"environments that cross", `\begin{matrix} a \end{cases}`, "", `\begin{matrix} ends with \end{cases}`},
		{"a dollar in a formula", `a $ b`, "", "$ is not expected here"},
		{"a dollar that stays open in a text", `\text{a $b}`, "", `a $ without its $ in \text`},
		{"an optional argument that stays open", `\sqrt[3{x}`, "", "a [ without its ]"},
		{"a macro that calls itself", `\loop`, "", `the macro \loop expands to too much`},
		{"nested beyond reason", strings.Repeat("{", 100) + strings.Repeat("}", 100), "", "it is nested too deeply"},
		{"nested delimiters", strings.Repeat(`\left(`, 100) + strings.Repeat(`\right)`, 100), "", "it is nested too deeply"},
		{"too long", strings.Repeat("x", maxSource+1), "", "it is too long"},
	} {
		_, err := convert(tt.formula, false)
		e, ok := errors.AsType[*Error](err)
		if !ok || e.Unknown != tt.unknown || e.Msg != tt.msg {
			t.Errorf("%s: %s: got %v, want %s", tt.why, tt.formula[:min(len(tt.formula), 60)], err, tt.msg)
		}
	}
}

// FuzzConvert checks that a result is well-formed, and has only elements and attributes that cannot
// do anything.
func FuzzConvert(f *testing.F) {
	source, err := os.ReadFile(filepath.Join("testdata", "formulas.txt"))
	if err != nil {
		f.Fatal(err)
	}
	for line := range strings.Lines(string(source)) {
		f.Add(strings.TrimSpace(line))
	}
	f.Add(`\text{<script>alert(1)</script>} \textcolor{red;x:url(y)}{z} \hspace{1em" onclick="} \mathbb{<b>}`)
	f.Fuzz(func(t *testing.T, formula string) {
		got, err := convert(formula, true)
		if err != nil {
			return
		}
		d := xml.NewDecoder(strings.NewReader(strings.ToValidUTF8(got, "?")))
		for {
			token, err := d.RawToken()
			if errors.Is(err, io.EOF) {
				return
			}
			if err != nil {
				if strings.Contains(err.Error(), "illegal character code") {
					return // a control character, which HTML has no trouble with
				}
				t.Fatalf("%q: %v in %s", formula, err, got)
			}
			start, ok := token.(xml.StartElement)
			if !ok {
				continue
			}
			if name := start.Name.Local; !strings.HasPrefix(name, "m") {
				t.Errorf("%q has an element %s", formula, name)
			}
			for _, a := range start.Attr {
				if strings.HasPrefix(a.Name.Local, "on") || a.Name.Local == "href" || a.Name.Local != "alttext" && strings.Contains(a.Value, "url") {
					t.Errorf("%q has an attribute %s=%q", formula, a.Name.Local, a.Value)
				}
			}
		}
	})
}
