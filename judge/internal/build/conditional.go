package build

import (
	"cmp"
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// A truth says whether a condition of a preprocessor holds.
type truth int8

const (
	never truth = iota
	perhaps
	always
)

// directive matches a line for the preprocessor of C, C++ or C#.
var directive = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[ \t]*#[ \t]*(if|ifdef|ifndef|elif|elifdef|elifndef|else|endif|define|undef)\b[ \t]*(.*?)\s*$`)
})

// macros holds the values of macros: "" for one that is not defined, "?" for one of which the judge does
// not know whether and as what it is defined.
type macros struct {
	own     map[string]string
	outside func(name string) string
}

func (m *macros) value(name string) string {
	if value, is := m.own[name]; is {
		return value
	}
	return m.outside(name)
}

// preprocessed returns the lines of a source, without comments, that its compiler takes if all conditions that the
// judge does not know have the value unknown; if that is perhaps, all lines that it may take. It also returns the
// macros. Main functions that a macro renames are left out.
func preprocessed(text string, outside func(name string) string, unknown truth) string {
	if !strings.Contains(text, "#") {
		return text
	}
	type branch struct{ around, now, taken truth }
	m := &macros{map[string]string{}, outside}
	decide := func(t truth) truth {
		if t == perhaps {
			return unknown
		}
		return t
	}
	now, open := always, []branch(nil)
	var b strings.Builder
	for line := range strings.Lines(strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\\\n", " ")) {
		d := directive().FindStringSubmatch(line)
		if d == nil {
			if now != never && m.own["main"] == "" {
				b.WriteString(line)
			}
			continue
		}
		word, rest := d[1], d[2]
		name, value, _ := strings.Cut(strings.ReplaceAll(rest, "\t", " "), " ")
		switch last := len(open) - 1; {
		case strings.HasPrefix(word, "if"):
			holds := decide(m.holds(word, rest))
			open = append(open, branch{now, now, holds})
			now = min(now, holds)
		case word == "define" && now != never:
			if m.own[name] = cmp.Or(strings.TrimSpace(value), "1"); now == perhaps {
				m.own[name] = "?"
			}
			if unknown == perhaps { // the source may use a macro that has a main function
				b.WriteString(line)
			}
		case word == "undef" && now != never:
			if m.own[name] = ""; now == perhaps {
				m.own[name] = "?"
			}
		case last < 0:
		case word == "endif":
			now, open = open[last].around, open[:last]
		case strings.HasPrefix(word, "el"):
			holds := always
			if word != "else" {
				holds = decide(m.holds(strings.TrimPrefix(word, "el"), rest))
			}
			now = min(open[last].around, holds, always-open[last].taken)
			open[last].taken = max(open[last].taken, holds)
		}
	}
	return b.String()
}

// holds evaluates the condition of #if, #ifdef or #ifndef.
func (m *macros) holds(word, rest string) truth {
	name, _, _ := strings.Cut(rest, " ")
	switch value := m.value(name); {
	case word == "if":
		return m.evaluate(rest)
	case value == "?":
		return perhaps
	case (value != "") == (word == "ifdef"):
		return always
	}
	return never
}

// definedName and suffix match what Go's parser of expressions does not take.
var (
	definedName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\bdefined\s+(\w+)`) })
	suffix      = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?i)\b(0x[0-9a-f]+|\d+)[ul]+\b`) })
)

func (m *macros) evaluate(text string) truth {
	text = suffix().ReplaceAllString(definedName().ReplaceAllString(text, "defined($1)"), "$1")
	e, err := parser.ParseExpr(text)
	if err != nil {
		return perhaps
	}
	switch n, known := m.number(e, 0); {
	case !known:
		return perhaps
	case n != 0:
		return always
	}
	return never
}

// mostExpansions bounds the macros that expand to others.
const mostExpansions = 20

// number returns the value of an expression, or false if the judge does not know it.
func (m *macros) number(e ast.Expr, depth int) (n int64, known bool) {
	of := func(holds bool) int64 {
		if holds {
			return 1
		}
		return 0
	}
	switch e := e.(type) {
	case *ast.ParenExpr:
		return m.number(e.X, depth)
	case *ast.BasicLit:
		n, err := strconv.ParseInt(e.Value, 0, 64)
		return n, err == nil
	case *ast.Ident:
		value := m.value(e.Name)
		if value == "" && e.Name == "true" {
			return 1, true
		}
		if value == "" || value == "?" || depth > mostExpansions {
			return 0, value == ""
		}
		inner, err := parser.ParseExpr(value)
		if err != nil {
			return 0, false
		}
		return m.number(inner, depth+1)
	case *ast.CallExpr:
		if f, is := e.Fun.(*ast.Ident); is && f.Name == "defined" && len(e.Args) == 1 {
			if name, is := e.Args[0].(*ast.Ident); is {
				value := m.value(name.Name)
				return of(value != ""), value != "?"
			}
		}
	case *ast.UnaryExpr:
		n, known := m.number(e.X, depth)
		switch e.Op {
		case token.NOT:
			return of(n == 0), known
		case token.SUB:
			return -n, known
		}
	case *ast.BinaryExpr:
		x, knownX := m.number(e.X, depth)
		y, knownY := m.number(e.Y, depth)
		known := knownX && knownY
		switch e.Op {
		case token.LAND:
			return of(x != 0 && y != 0), known || knownX && x == 0 || knownY && y == 0
		case token.LOR:
			return of(knownX && x != 0 || knownY && y != 0), known || knownX && x != 0 || knownY && y != 0
		case token.EQL:
			return of(x == y), known
		case token.NEQ:
			return of(x != y), known
		case token.LSS:
			return of(x < y), known
		case token.LEQ:
			return of(x <= y), known
		case token.GTR:
			return of(x > y), known
		case token.GEQ:
			return of(x >= y), known
		}
	}
	return 0, false
}

// conditional lists the languages with a preprocessor.
var conditional = []string{"c", "cpp", "csharp"}

// defines matches the macros that a source in C or C++ defines.
var defines = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^[ \t]*#[ \t]*define[ \t]+(\w+)`) })

// outside returns the values that macros have at the beginning of a file: from the command, or perhaps from
// the compiler and the files that this one includes.
func (s *Source) outside(file string, l Language) func(name string) string {
	own := map[string]string{}
	for _, a := range l.Build {
		for _, flag := range []string{"-define:", "-D"} {
			if setting, is := strings.CutPrefix(a, flag); is {
				name, value, _ := strings.Cut(setting, "=")
				own[name] = cmp.Or(value, "1")
			}
		}
	}
	if s.Language == "cpp" {
		own["__cplusplus"] = "?"
	}
	if s.Language != "csharp" {
		for _, included := range s.included(file) {
			for _, d := range defines().FindAllSubmatch(s.files[included], -1) {
				own[string(d[1])] = "?"
			}
		}
	}
	return func(name string) string {
		value, is := own[name]
		if !is && (strings.HasPrefix(name, "_") || name == "unix" || name == "linux") { // perhaps the compiler's
			return "?"
		}
		return value
	}
}

// included returns the files that one includes, and those that these include.
func (s *Source) included(file string) []string {
	all := []string{file}
	for i := 0; i < len(all); i++ {
		for other := range s.files {
			if !slices.Contains(all, other) && s.includes(all[i], other) {
				all = append(all, other)
			}
		}
	}
	return all[1:]
}

// includes reports whether a file in C or C++ includes another as text, not only its header.
func (s *Source) includes(file, other string) bool {
	parts, base := s.namesIn(file).parts, path.Base(other)
	return slices.ContainsFunc([]string{`"` + base + `"`, `/` + base + `"`, `<` + base + `>`, `/` + base + `>`}, func(name string) bool {
		return strings.Contains(parts, name)
	})
}
