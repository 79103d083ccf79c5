package mutate

import (
	"flag"
	"fmt"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tribunal/judge/internal/build"
)

var update = flag.Bool("update", false, "write golden files instead of comparing")

// operatorRows lists statements. TestOperators puts each into a function of its own.
var operatorRows = []struct{ why, text string }{
	{"a comparison as a condition", "if i < j { r = i; r = j }"},
	{"a constant that is compared: one higher equals the other boundary", "if i < 5 { r = i; r = j }"},
	{"values that are never negative, compared with 0", "if len(s) > 0 || n == 0 { r = i; r = j }"},
	{"the only statement of an if: leaving it out equals a condition that never holds", "if ok { r = i }"},
	{"the whole condition of a loop has no mutant that always holds", "for i < j && !ok { i, j = j, i }"},
	{"operators", "r = i*j - r/2"},
	{"bits", "n = n<<1 | n&^3"},
	{"an assignment with an operator", "r += i"},
	{"counting", "i++"},
	{"the counter of a loop", "for k := 0; k < i; k++ { s[k] = 0 }"},
	{"constants", "r = limit; big = 0x10; r = int(n - 'a')"},
	{"a truth value", "ok = true"},
	{"a string", "text = \"yes\""},
	{"arguments of one type", "r = copy(s, s[i:])"},
	{"indices", "r = s[i] + g[i][j]"},
	{"an index with a constant has only the constant's mutants", "r = s[i+1]"},
	{"an index of a map has no mutants", "ok = set[i]"},
	{"slices", "s = s[i:j]; s = s[i:]; s = s[:j]"},
	{"min", "r = min(i, j)"},
	{"an else", "if ok { r++; r++ } else { r++; r++ }"},
	{"the capacity of a slice has no mutants", "s = make([]int, 0, 5)"},
	{"cases", "switch i { case 3: r = 1; default: r = j; r = i }"},
	{"a switch of conditions", "switch { case ok: r = 1; r = j }"},
	{"ranges", "for range i { r = j }"},
	{"a search of all subsets", "for k := 1; k < 1<<len(s) && ok; k++ { r = k; no = ok }"},
	{"a search with a constant bound", "for k := 9; k >= i; k-- { r = k }; for k := 0; k <= 8; k++ { r = k }; for k := range 7 { r = k }; for k := range 3 { r = k }"},
	{"a range of a slice", "for _, x := range s { r = x }"},
	{"a range of an array", "for k, row := range g { r = row[k] }"},
	{"only the keys", "for k := range s { r = k }"},
	{"jumps", "for ok { if no { break }; if ok { continue }; r++; no = ok }"},
	{"returns", "if ok { r++; return i, nil }"},
	{"the results beside a returned error have no mutants", "if ok { r++; return 1, fail(3) }"},
	{"messages have no mutants", "fmt.Fprintln(os.Stderr, i+1); err = errors.New(\"x\"); err = fmt.Errorf(\"%d\", i+1); panic(i+1)"},
	{"neighbours in a literal", "s = []int{i, j}; p := point{i, j}; r = p.x"},
	{"nested sums: only the outermost is cut to fewer bits", "big = big + big*big"},
	{"a declaration", "x := i + 1; r = x"},
	{"a variable", "var x = i - j; r = x"},
	{"a function in a statement", "func() { r++ }()"},
	{"of a value that is thrown away, only the functions have mutants", "_ = func(k int) int { return k }(i + 1)"},
	{"the type of an instance is no index", "r = same[int](i)"},
	{"a constant in parentheses", "r = i * (limit)"},
	{"a value whose type is from a package under another name", "d := clock.Duration(i) + 1; r = int(d)"},
	{"a value whose type is from a package under its own name", "m := os.FileMode(i) + 1; r = int(m)"},
}

const operatorFrame = `package main

import (
	"errors"
	"fmt"
	"os"
	clock "time"
)

type point struct{ y, x int }

type bad struct{ line int }

func (b *bad) Error() string { return "bad " + fmt.Sprint(b.line) }

func fail(line int) error { return &bad{line + 1} }

func same[T any](x T) T { return x }

var _, _, _ = errors.New, os.Stdout, clock.Second

const limit = 9

func main() {}
`

// TestOperators compares the mutants of each statement with a golden file.
func TestOperators(t *testing.T) {
	t.Parallel()
	text := operatorFrame
	for i, row := range operatorRows {
		text += fmt.Sprintf(`
func f%d(i, j int, n uint8, ok, no bool, s []int, g [3][3]int, text string, set map[int]bool, big uint64) (r int, err error) {
	%s
	return
}
`, i, row.text)
	}
	schema := deriveText(t, text)
	var b strings.Builder
	for i, row := range operatorRows {
		fmt.Fprintf(&b, "# %s\n%s\n", row.why, row.text)
		for _, m := range schema.Mutants {
			if m.Func == fmt.Sprintf("f%d", i) {
				fmt.Fprintf(&b, "\t%s: %s → %s\n", m.Op, m.Before, m.After)
			}
		}
		b.WriteString("\n")
	}
	golden(t, "operators.txt", b.String())
	if schema.Left != 1 { // a shift by -1
		t.Errorf("%d mutants do not compile, want 1", schema.Left)
	}
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		write(t, "testdata", map[string][]byte{name: []byte(got)})
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s (hint: go test -update ./judge/lab/mutate): got\n%s", file, got)
	}
}

// TestDiff compares the diffs of some mutants with a golden file.
func TestDiff(t *testing.T) {
	t.Parallel()
	schema := derive(t, ".", "testdata/varied")
	seen := map[string]bool{}
	var b strings.Builder
	for _, m := range schema.Mutants {
		if !seen[m.Op] {
			seen[m.Op] = true
			fmt.Fprintf(&b, "%s:%d:%d: %s: %s: %s → %s\n%s\n", m.File, m.Line, m.Column, m.Func, m.Op, m.Before, m.After, schema.Diff(m))
		}
	}
	golden(t, "diff.txt", b.String())
	for _, op := range Operators() {
		if !seen[op.Name] {
			t.Errorf("no mutant of %s in the varied program", op.Name)
		}
	}
}

// TestFunctions checks the names of the functions that hold mutants, and a diff of several lines that ends in
// lines which the mutant does not change.
func TestFunctions(t *testing.T) {
	t.Parallel()
	schema := deriveText(t, `package main

type (
	plain           struct{}
	list[T any]     []T
	table[K, V any] struct{}
)

var start = 7

func (plain) value() int        { return 1 }
func (*plain) pointer() int     { return 2 }
func (l list[T]) one() int      { return 3 }
func (t *table[K, V]) two() int { return 4 }

func main() {
	println(
		max(
			start,
			4,
		),
		max(
			7,
			start,
			4,
		),
	)
}
`)
	names, diff := map[string]bool{}, ""
	for _, m := range schema.Mutants {
		names[m.Func] = true
		if m.Op == "argument" && m.Line == 18 {
			diff = schema.Diff(m)
		}
	}
	if got, want := slices.Sorted(maps.Keys(names)), []string{"", "list.one", "main", "plain.pointer", "plain.value", "table.two"}; !slices.Equal(got, want) {
		t.Errorf("mutants in %q, want %q", got, want)
	}
	const want = `  	println(
  		max(
- 			start,
- 			4,
- 		),
- 		max(
- 			7,
+ 			7,
+ 			start,
+ 			4,
+ 		),
+ 		max(
  			start,
  			4,
`
	if diff != want {
		t.Errorf("got\n%s", diff)
	}
}

// TestSites runs a program that reaches some of its sites.
func TestSites(t *testing.T) {
	t.Parallel()
	schema := deriveText(t, `package main

import "os"

func main() {
	if len(os.Args) > 5 {
		println("never")
		os.Exit(2)
	}
	exit := os.Exit
	exit(3)
}
`)
	exe, err := compile(t, schema.Source.Texts(), "main.go")
	if err != nil {
		t.Fatal(err)
	}
	out, bad := outcome(exe, "", Sites)
	if out != "exit status 3" {
		t.Errorf("got %q", out)
	}
	passed := 0
	for _, m := range schema.Mutants {
		passed |= map[bool]int{true: 1, false: 0}[m.Line == 6 || m.Line == 11] << m.Site
	}
	if want := fmt.Sprintf("%s%02x\n", SitesMark, passed); bad != want || passed == 0 || passed == 1<<schema.Sites-1 {
		t.Errorf("got %q, want %q of %d sites", bad, want, schema.Sites)
	}
}

// TestLeftOut checks programs with mutants, or whole statements, that do not compile.
func TestLeftOut(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why, body string
		left      int
		want      string // a mutant that must remain
	}{
		{"an index beyond an array", "var a [2]int; a[1] = 3; println(a[0])", 2, "index: 1 → 0"},
		{"a goto over the variable that a hoisted value would need", "i := 0\n again: i++\n if i < 3 { goto again }\n if i > 5 { goto end }\n {\n i += 1\n }\n end: println(i)", 0, "boundary: < → <="},
		{"a type that cannot be named at the site", "type int string; x := len(os.Args) + 1; println(x, int(\"\"))", 3, "statement: println(x, int(\"\")) → (nothing)"},
		{"a condition of a named type", "type yes bool; var a, b yes; if a && b { println() ; println() }", 5, "statement: println() → (nothing)"},
	} {
		schema := deriveText(t, "package main\nimport \"os\"\nvar _ = os.Args\nfunc main() {\n"+tt.body+"\n}\n")
		found := false
		var list []string
		for _, m := range schema.Mutants {
			text := fmt.Sprintf("%s: %s → %s", m.Op, m.Before, m.After)
			list = append(list, text)
			found = found || text == tt.want
		}
		if schema.Left != tt.left || !found {
			t.Errorf("%s: %d left out, want %d; %q not among\n%s", tt.why, schema.Left, tt.left, tt.want, strings.Join(list, "\n"))
		}
		if _, err := compile(t, schema.Source.Texts(), "main.go"); err != nil {
			t.Errorf("%s: %v", tt.why, err)
		}
	}
}

func TestDeriveRefuses(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ why, file, text, want string }{
		{"another language", "main.rb", "puts 1\n", "written in ruby (hint: references in Go, C, C++ and Python have mutants)"},
		{"a program that does not parse", "main.go", "package main\nfunc {\n", "main.go:2:6: expected 'IDENT'"},
		{"a program that does not compile", "main.go", "package main\nfunc main() { x := 1 }\n", "main.go:2:15: declared and not used: x (hint: mutants need a reference that compiles)"},
	} {
		root := t.TempDir()
		write(t, root, map[string][]byte{"p/" + tt.file: []byte(tt.text)})
		languages := build.Defaults()
		s, err := build.OpenOwn(root, "p", languages)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Derive(s, languages); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: got %v, want %s", tt.why, err, tt.want)
		}
	}
}

func TestAssigning(t *testing.T) {
	t.Parallel()
	for op, other := range otherOps {
		for _, tok := range []token.Token{op, other} {
			if got := (tok + assigning).String(); got != tok.String()+"=" {
				t.Errorf("%v assigns by %s", tok, got)
			}
		}
	}
	for _, tok := range []token.Token{token.ASSIGN, token.DEFINE} {
		if _, known := otherOps[tok-assigning]; known {
			t.Errorf("%v counts as an assignment with an operator", tok)
		}
	}
}
