package eval

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf16"

	"tribunal/judge/internal/build"
)

// Function is a function of Python that tests call. The input of a test has an argument in JSON on each
// line, and its expected output is the value that the function returns, as [returned] writes it. If the
// tests are a program, it is the input of the only test, which [parsed.check] makes.
type Function struct {
	Name    string
	Unwrap  bool // a list with one item counts as that item
	Program bool // the tests are a program, which calls what it likes
	Beside  bool // that runs in the process of the submission
}

// driver is the main program of a submission to such a task. It prints what the function returns in the
// same form.
//
//go:embed driver.py
var driver string

// checkDriver is the same if the tests are a program.
//
//go:embed check.py
var checkDriver string

// The files of such a submission.
const (
	driverFile   = "main.py"
	solutionFile = "solution.py"
)

var functionName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`) })

func newFunction(name string, unwrap bool) (*Function, error) {
	switch {
	case name == "":
		return nil, wrongf("", "no name of the function that tests call")
	case !functionName().MatchString(name):
		return nil, wrongf("", "%.40q is not the name of a function", name)
	}
	return &Function{Name: name, Unwrap: unwrap}, nil
}

// calls reports whether the function can be called in a program in this language.
func (f *Function) calls(language string) bool { return language == "python3" || language == "pypy3" }

// with returns the program that calls the function in the source s.
func (f *Function) with(s *build.Source, text string, languages map[string]build.Language) (*build.Source, error) {
	return s.Placed([]string{driverFile, solutionFile}, map[string][]byte{driverFile: []byte(f.main()), solutionFile: []byte(text)}, languages)
}

// main returns the main program.
func (f *Function) main() string {
	switch {
	case f.Beside:
		return "beside = True\n" + checkDriver
	case f.Program:
		return "beside = False\n" + checkDriver
	case f.Unwrap:
		return fmt.Sprintf("function, unwrap = %q, True\n%s", f.Name, driver)
	}
	return fmt.Sprintf("function, unwrap = %q, False\n%s", f.Name, driver)
}

// returned writes a value in JSON with each token on a line of its own, so that a comparison of words
// compares values: keys are sorted, a number that is not whole is written as the shortest with its
// float64 value, and in texts a blank and all but the printable characters of ASCII are escaped.
func returned(value []byte, unwrap bool) (string, error) {
	d := json.NewDecoder(strings.NewReader(string(value)))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return "", explain(value, err)
	}
	if d.More() {
		return "", wrongf("", "more than one value")
	}
	for list, ok := v.([]any); unwrap && ok && len(list) == 1; list, ok = v.([]any) {
		v = list[0]
	}
	var b strings.Builder
	if err := spell(&b, v); err != nil {
		return "", err
	}
	return b.String() + "\n", nil
}

func spell(b *strings.Builder, v any) error {
	switch v := v.(type) {
	case nil:
		b.WriteString("null")
	case bool:
		b.WriteString(strconv.FormatBool(v))
	case string:
		spellText(b, v)
	case json.Number:
		number := v.String()
		if strings.ContainsAny(number, ".eE") {
			x, err := v.Float64()
			if err != nil {
				return wrongf("", "the number %.40s is too large", number)
			}
			number = strconv.FormatFloat(x, 'g', -1, 64)
		}
		b.WriteString(number)
	case []any:
		for i, item := range v {
			b.WriteString([]string{"[\n", "\n,\n"}[min(i, 1)])
			if err := spell(b, item); err != nil {
				return err
			}
		}
		b.WriteString([]string{"[]", "\n]"}[min(len(v), 1)])
	case map[string]any:
		for i, key := range slices.Sorted(maps.Keys(v)) {
			b.WriteString([]string{"{\n", "\n,\n"}[min(i, 1)])
			spellText(b, key)
			b.WriteString("\n:\n")
			if err := spell(b, v[key]); err != nil {
				return err
			}
		}
		b.WriteString([]string{"{}", "\n}"}[min(len(v), 1)])
	}
	return nil
}

func spellText(b *strings.Builder, s string) {
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteString(`\` + string(r))
		case strings.ContainsRune("\b\f\n\r\t", r):
			b.WriteString(strings.Trim(strconv.Quote(string(r)), `"`))
		case r > ' ' && r < 0x7f:
			b.WriteRune(r)
		default:
			for _, unit := range utf16.AppendRune(nil, r) {
				fmt.Fprintf(b, `\u%04x`, unit)
			}
		}
	}
	b.WriteByte('"')
}

// compact returns a value in JSON on one line.
func compact(value []byte) (string, error) {
	var b bytes.Buffer
	if err := json.Compact(&b, value); err != nil {
		return "", explain(value, err)
	}
	return b.String(), nil
}
