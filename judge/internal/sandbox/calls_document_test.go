//go:build linux

package sandbox_test

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
)

// callTitles are the titles of the lists in calls.go and of those of each architecture.
var callTitles = []struct{ list, title string }{
	{"allowed", "The kernel answers"},
	{"allowedHere", "on amd64 also"},
	{"denied", "Denied, SV"},
	{"rootOnly", "EPERM"},
	{"rootOnlyHere", "on amd64 also"},
	{"attributes", "EOPNOTSUPP"},
	{"noEffect", "Success without effect"},
}

// TestCallsDocument checks that a page, to which docs/sandbox.md leads, lists what the filter does with each call.
func TestCallsDocument(t *testing.T) {
	t.Parallel()
	const document = "testdata/calls.md"
	had, err := os.ReadFile(document)
	if err != nil {
		t.Fatal(err)
	}
	want := bytes.NewBufferString("# All system calls\n")
	writeCalls(t, want)
	switch {
	case bytes.Equal(had, want.Bytes()):
	case *update:
		if err := os.WriteFile(document, want.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	default:
		t.Errorf("%s does not list the calls of calls.go (hint: -args -update); want\n%s", document, want.Bytes())
	}
}

// readCalls returns the lists of calls in the source of the filter, by name, and a description of
// each rule that depends on arguments. The list "byArgument" has the calls with such rules.
func readCalls(t *testing.T) (lists map[string][]string, choices []string) {
	t.Helper()
	lists = map[string][]string{}
	for _, file := range []string{"calls.go", "filter_amd64.go"} {
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, declaration := range parsed.Decls {
			switch d := declaration.(type) {
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					if v, ok := spec.(*ast.ValueSpec); ok && len(v.Values) == 1 {
						lists[v.Names[0].Name] = constants(v.Values[0])
					}
				}
			case *ast.FuncDecl:
				if d.Name.Name == "byArgument" {
					lists[d.Name.Name], choices = constants(d.Body), chosen(d)
				}
			}
		}
	}
	return lists, choices
}

// writeCalls writes the list of calls for the documentation.
func writeCalls(t *testing.T, w io.Writer) {
	t.Helper()
	lists, choices := readCalls(t)
	fmt.Fprintln(w)
	for _, l := range callTitles {
		if len(lists[l.list]) == 0 {
			t.Errorf("no list %s", l.list)
		}
		paragraph(w, l.title, lists[l.list])
	}
	fmt.Fprint(w, "- Decided by an argument; what is not named gets the error behind it:\n")
	for _, choice := range choices {
		paragraph(w, "  "+choice, nil)
	}
	fmt.Fprintln(w, "- All others: ENOSYS")
	fmt.Fprintln(w)
}

// refused lists the calls that runtimes were seen to make and that the sandbox does not pass to the
// kernel, each with the reason why that does no harm.
var refused = map[string]string{
	"clone3":        "libraries fall back to clone",
	"set_mempolicy": "Java's ZGC works without it",
	"fadvise64":     "it is only advice",
	"sync":          "the program cannot notice",
}

// TestCallsOfRuntimes checks that the filter passes to the kernel every call that compilers and
// programs of the known languages were seen to make, at least with some arguments, unless the call
// is listed in refused.
func TestCallsOfRuntimes(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("testdata/calls.txt")
	if err != nil {
		t.Fatal(err)
	}
	lists, _ := readCalls(t)
	answered := slices.Concat(lists["allowed"], lists["allowedHere"], lists["byArgument"])
	program, programs, seen := "", 0, map[string]bool{}
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		if name, _, found := strings.Cut(line, ": "); found {
			program = name
			programs++
		}
		for _, call := range strings.Fields(line) {
			if strings.HasSuffix(call, ":") {
				continue
			}
			seen[call] = true
			if !slices.Contains(answered, call) && refused[call] == "" {
				t.Errorf("%s makes %s, which is refused", program, call)
			}
		}
	}
	for call := range refused {
		if !seen[call] || slices.Contains(answered, call) {
			t.Errorf("%s is no longer refused", call)
		}
	}
	if programs < 30 || len(seen) < 120 {
		t.Errorf("%d programs with %d calls: too few to say anything", programs, len(seen))
	}
}

// paragraph writes an item of a list with lines of less than 120 columns.
func paragraph(w io.Writer, title string, words []string) {
	indent := title[:len(title)-len(strings.TrimLeft(title, " "))]
	line := indent + "-"
	all := strings.Fields(title)
	if words != nil {
		all = append(all[:len(all):len(all)], strings.Fields("("+fmt.Sprint(len(words))+"): "+strings.Join(words, ", "))...)
	}
	for _, word := range all {
		if len(line)+len(word) > 117 {
			fmt.Fprintln(w, line)
			line = indent + " "
		}
		line += " " + word
	}
	fmt.Fprintln(w, line)
}

// constants returns the names of system calls in an expression, in their order.
func constants(e ast.Node) (names []string) {
	ast.Inspect(e, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if name, found := strings.CutPrefix(s.Sel.Name, "SYS_"); found {
				names = append(names, strings.ToLower(name))
			}
		}
		return true
	})
	return names
}

// chosen returns a description of each rule of byArgument that allows some values.
func chosen(f *ast.FuncDecl) (list []string) {
	ast.Inspect(f, func(n ast.Node) bool {
		rule, ok := n.(*ast.CompositeLit)
		if !ok || len(rule.Elts) != 2 || len(constants(rule.Elts[0])) != 1 {
			return true
		}
		ast.Inspect(rule.Elts[1], func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			if name, ok := call.Fun.(*ast.Ident); ok && name.Name == "among" {
				var values []string
				for _, value := range call.Args[2:] {
					values = append(values, word(value))
				}
				list = append(list, fmt.Sprintf("%s: %s; %s", constants(rule.Elts[0])[0], strings.Join(values, ", "), word(call.Args[1])))
			}
			return true
		})
		return false
	})
	return list
}

// word returns the name or number in an expression.
func word(e ast.Expr) string {
	switch v := e.(type) {
	case *ast.SelectorExpr:
		return v.Sel.Name
	case *ast.BasicLit:
		return v.Value
	case *ast.Ident:
		if v.Name == "deny" {
			return "SV"
		}
		return v.Name
	case *ast.CallExpr:
		return word(v.Args[0])
	}
	return "?"
}
