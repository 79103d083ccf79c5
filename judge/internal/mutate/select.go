package mutate

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/yamlstrict"
)

// Selection says which mutants of a schema are meant. Its zero value means all.
type Selection struct {
	Op     string // an operator
	In     string // a file, and perhaps a function in it: main.go:solve
	ID     int    // one alone
	Sample int    // every so manieth
}

// Select returns the mutants that are meant. That there is no such operator, file,
// function or mutant is an error with a hint, the user's fault.
func (s *Schema) Select(o Selection) ([]Mutant, error) {
	file, function, _ := strings.Cut(o.In, ":")
	if o.In != "" {
		file = path.Base(file) // reports show the folder as well
	}
	in := map[string][]string{}
	for _, m := range s.Mutants {
		if name := path.Base(m.File); !slices.Contains(in[name], m.Func) {
			in[name] = append(in[name], m.Func)
		}
	}
	if err := known("file", file, slices.Sorted(maps.Keys(in))); o.In != "" && err != nil {
		return nil, fmt.Errorf("--in: %w", err)
	}
	if err := known("function", function, in[file]); function != "" && err != nil {
		return nil, fmt.Errorf("--in: %w", err)
	}
	if err := known("operator", o.Op, operatorNames()); o.Op != "" && err != nil {
		return nil, fmt.Errorf("--op: %w", err)
	}
	var list []Mutant
	for _, m := range s.Mutants {
		if (file == "" || path.Base(m.File) == file) && (function == "" || m.Func == function) &&
			(o.Op == "" || m.Op == o.Op) && (o.ID == 0 || m.ID == o.ID) {
			list = append(list, m)
		}
	}
	if o.Sample > 1 {
		every := list
		list = nil
		for i := 0; i < len(every); i += o.Sample {
			list = append(list, every[i])
		}
	}
	if len(list) == 0 && o != (Selection{}) {
		return nil, fmt.Errorf("no mutant is meant (hint: there are %d, numbered from 1)", len(s.Mutants))
	}
	return list, nil
}

// unknownError says that there is no such thing, and what there is.
type unknownError struct{ text, hint string }

func (e *unknownError) Error() string { return e.text + " (hint: " + e.hint + ")" }

// known returns an error if there is no thing of that kind and name.
func known(kind, name string, names []string) *unknownError {
	if slices.Contains(names, name) {
		return nil
	}
	e := &unknownError{text: fmt.Sprintf("no %s %q in the reference", kind, name)}
	const most = 12
	switch near := yamlstrict.Nearest(name, names); {
	case near != "":
		e.hint = "did you mean " + near + "?"
	case len(names) > most:
		e.hint = fmt.Sprintf("there are %s and %d more", strings.Join(names[:most], ", "), len(names)-most)
	default:
		e.hint = "there are " + strings.Join(names, ", ")
	}
	return e
}

// Lines are the source lines of a package, by the names of its files.
type Lines map[string][]string

func linesOf(s *build.Source, languages map[string]build.Language) Lines {
	l := Lines{}
	for file, text := range s.Code(languages) {
		l[path.Base(file)] = strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	}
	return l
}

// Of returns the line that a mutant changes, without the blanks around it.
func (l Lines) Of(m *Mutant) string {
	lines := l[path.Base(m.File)]
	if m.Line < 1 || m.Line > len(lines) {
		return ""
	}
	return strings.TrimSpace(lines[m.Line-1])
}
