package mutate

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/yamlstrict"
)

// Rules explain mutants that no case kills. Authors write them into cases/<id>/mutants.yaml.
type Rules struct {
	File           string
	Equal, Survive []*Rule
}

// Rule explains the survivors that match all of In, Text, Op and Change.
type Rule struct {
	Equivalent bool   `json:"equivalent"` // no valid input distinguishes the mutants from the reference; if false, they are wrong
	In         string `json:"in"`
	Text       string `json:"line"`     // the source line; "" for any
	Op         string `json:"operator"` // the operator; "" for any
	Change     string `json:"change"`   // the change, as Before → After; "" for any
	Reason     string `json:"reason"`
	Explains   int    `json:"explains"` // number of survivors that the rule explains
	Stale      bool   `json:"stale"`    // the rule explains no survivor, although all mutants were measured

	place      yamlstrict.Place
	file, name string // the parts of In; name is "" for any function
}

// Errorf returns an error located at the rule.
func (r *Rule) Errorf(hint, format string, args ...any) *yamlstrict.Error {
	return r.place.Errorf("in", hint, format, args...)
}

// String returns the rule as written in its file, without the reason.
func (r *Rule) String() string {
	text := r.In
	for _, key := range []struct{ name, value string }{{"line", r.Text}, {"op", r.Op}, {"change", r.Change}} {
		if key.value != "" {
			text += fmt.Sprintf(", %s %q", key.name, key.value)
		}
	}
	return text
}

// rulesDocument is mutants.yaml.
type rulesDocument struct {
	Equivalent []ruleItem `yaml:"equivalent,nonempty" doc:"mutants that no valid input can tell from the reference; they do not count"`
	Survive    []ruleItem `yaml:"survive,nonempty" doc:"mutants that are wrong, and that no case kills; they count against the score"`
}

// ruleItem is one rule of mutants.yaml. It applies to the survivors that match all its keys.
type ruleItem struct {
	Place  yamlstrict.Place
	In     string  `yaml:"in,required,word,nonempty" doc:"the file below reference/<problem>, and perhaps the function in it: main.go or main.go:solve or main.go:field.roll"`
	Line   *string `yaml:"line,word,nonempty" doc:"the source line, without the blanks around it"`
	Op     *string `yaml:"op,word,nonempty" doc:"the kind of mistake"`
	Change *string `yaml:"change,word,nonempty" doc:"what is changed and to what, as the report shows it: < → <="`
	Reason string  `yaml:"reason,required,word,nonempty" doc:"why the mutants are equivalent or wrong"`
}

// RulesSchema returns the JSON Schema of mutants.yaml.
func RulesSchema() ([]byte, error) {
	return yamlstrict.Schema(rulesDocument{}, "cases/<problem>/mutants.yaml: mutants of the reference that no case kills")
}

// LoadRules reads the rules for mutants of a problem's reference. If there is no file, there are no
// rules. Every error is a [*yamlstrict.Error]; it is also an error if a rule names a file, a function,
// a line or an operator that does not exist.
func LoadRules(root, id string, reference *build.Source, languages map[string]build.Language) (*Rules, error) {
	file := filepath.Join(root, "cases", id, "mutants.yaml")
	data, err := yamlstrict.Read(file)
	if errors.Is(err, fs.ErrNotExist) {
		return &Rules{File: file}, nil
	}
	if err != nil {
		return nil, err
	}
	var doc rulesDocument
	if err := yamlstrict.Decode(file, data, &doc); err != nil {
		return nil, err
	}
	names, lines := functionsOf(reference, languages), linesOf(reference, languages)
	r := &Rules{File: file}
	for _, it := range doc.Equivalent {
		rule, err := it.rule(true, names, lines)
		if err != nil {
			return nil, err
		}
		r.Equal = append(r.Equal, rule)
	}
	for _, it := range doc.Survive {
		rule, err := it.rule(false, names, lines)
		if err != nil {
			return nil, err
		}
		r.Survive = append(r.Survive, rule)
	}
	return r, nil
}

func (it *ruleItem) rule(equivalent bool, functions map[string][]string, lines Lines) (*Rule, error) {
	text := func(s *string) string {
		if s == nil {
			return ""
		}
		return strings.TrimSpace(*s)
	}
	r := &Rule{
		Equivalent: equivalent, In: it.In, Text: text(it.Line), Op: text(it.Op), Change: text(it.Change),
		Reason: it.Reason, place: it.Place,
	}
	r.file, r.name, _ = strings.Cut(it.In, ":")
	if err := known("file", r.file, slices.Sorted(maps.Keys(functions))); err != nil {
		return nil, it.Place.Errorf("in", err.hint, "%s", err.text)
	}
	if err := known("function", r.name, functions[r.file]); r.name != "" && err != nil {
		return nil, it.Place.Errorf("in", err.hint, "%s", err.text)
	}
	if r.Text != "" && !lines.has(r.file, r.Text) {
		return nil, it.Place.Errorf("line", "write the line as it is now, or delete the rule", "%s has no line %q", r.file, r.Text)
	}
	if err := known("operator", r.Op, operatorNames()); r.Op != "" && err != nil {
		return nil, it.Place.Errorf("op", err.hint, "%s", err.text)
	}
	return r, nil
}

// explains reports whether the rule matches a mutant with the given line of source.
func (r *Rule) explains(m *Mutant, line string) bool {
	return path.Base(m.File) == r.file && (r.name == "" || m.Func == r.name) &&
		(r.Text == "" || r.Text == strings.TrimSpace(line)) && (r.Op == "" || r.Op == m.Op) &&
		(r.Change == "" || r.Change == m.Change())
}

// Change returns the change in the form of rules and reports.
func (m *Mutant) Change() string { return m.Before + " → " + m.After }

// functions returns the names of the functions of a package by file name. A file that does not
// parse as Go has none.
func functions(texts map[string][]byte) map[string][]string {
	list := map[string][]string{}
	for file, text := range texts {
		name := path.Base(file)
		list[name] = nil
		tree, err := parser.ParseFile(token.NewFileSet(), name, text, parser.SkipObjectResolution)
		if err != nil {
			continue
		}
		for _, d := range tree.Decls {
			if f, ok := d.(*ast.FuncDecl); ok {
				list[name] = append(list[name], functionName(f))
			}
		}
	}
	return list
}

// functionName returns the name of a function, or Type.Name for a method.
func functionName(f *ast.FuncDecl) string {
	if f.Recv == nil || len(f.Recv.List) == 0 {
		return f.Name.Name
	}
	of := f.Recv.List[0].Type
	for {
		switch t := of.(type) {
		case *ast.StarExpr:
			of = t.X
		case *ast.ParenExpr:
			of = t.X
		case *ast.IndexExpr:
			of = t.X
		case *ast.IndexListExpr:
			of = t.X
		case *ast.Ident:
			return t.Name + "." + f.Name.Name
		default:
			return f.Name.Name
		}
	}
}

func operatorNames() (names []string) {
	for _, o := range Operators() {
		names = append(names, o.Name)
	}
	return names
}
