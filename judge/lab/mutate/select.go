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

// Selection selects mutants of a schema. Its zero value selects all.
type Selection struct {
	Op     string // an operator
	In     string // a file, or a function in it as in main.go:solve
	ID     int    // a single mutant
	Sample int    // every Sample-th mutant; 0 and 1 mean all
}

// Select returns the selected mutants. An unknown operator, file, function or mutant is an error of
// the user, with a hint.
func (s *Schema) Select(o Selection) ([]Mutant, error) {
	file, function, _ := strings.Cut(o.In, ":")
	if o.In != "" {
		file = path.Base(file) // reports also show the folder
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
		return nil, fmt.Errorf("no mutant is selected (hint: there are %d, numbered from 1)", len(s.Mutants))
	}
	return list, nil
}

// unknownError reports a name that does not exist; its hint lists the names that do.
type unknownError struct{ text, hint string }

func (e *unknownError) Error() string { return e.text + " (hint: " + e.hint + ")" }

// known returns nil if name is in names, and otherwise an error with a hint. kind is the kind of
// thing that has the name, such as "function".
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

// Lines holds the source lines of a package by file name.
type Lines map[string][]string

func linesOf(s *build.Source, languages map[string]build.Language) Lines {
	l := Lines{}
	for file, text := range s.Code(languages) {
		l[path.Base(file)] = strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	}
	return l
}

// Of returns the line that a mutant changes, without the white space around it.
func (l Lines) Of(m *Mutant) string {
	lines := l[path.Base(m.File)]
	if m.Line < 1 || m.Line > len(lines) {
		return ""
	}
	return strings.TrimSpace(lines[m.Line-1])
}

// has reports whether a file has a line with that text, without the white space around it.
func (l Lines) has(file, text string) bool {
	return slices.ContainsFunc(l[file], func(line string) bool { return strings.TrimSpace(line) == text })
}
