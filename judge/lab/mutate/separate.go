package mutate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/run"
)

// tokenLanguage is a language whose sources have mutants that are made from tokens.
type tokenLanguage struct {
	mutate    func(text string) []textDraft
	functions func(text string) []string // lists the functions in a source
}

// tokenLanguageOf returns how sources in a language have mutants; false if they have none, or those
// of a compiler.
func tokenLanguageOf(language string) (tokenLanguage, bool) {
	switch language {
	case "c", "cpp":
		return tokenLanguage{mutateCPP, functionsCPP}, true
	case "python3", "pypy3":
		return tokenLanguage{mutatePython, functionsPython}, true
	}
	return tokenLanguage{}, false
}

func functionsCPP(text string) []string {
	_, names := scanCPP(text).cppFunctions()
	return names
}

func functionsPython(text string) []string {
	_, names := scanPython(text).pythonFunctions()
	return names
}

// deriveSeparate returns a schema whose mutants are programs of their own.
func deriveSeparate(s *build.Source, languages map[string]build.Language) *Schema {
	texts := s.Code(languages)
	schema := &Schema{Source: s, Separate: true}
	language, _ := tokenLanguageOf(s.Language)
	for _, file := range slices.Sorted(maps.Keys(texts)) {
		text := string(texts[file])
		drafts := language.mutate(text)
		slices.SortStableFunc(drafts, func(a, b textDraft) int {
			return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(a.end, b.end))
		})
		seen := map[string]bool{} // the changes so far, by place and text
		for _, d := range drafts {
			key := fmt.Sprintf("%d %d %s", d.start, d.end, d.text)
			if seen[key] || d.text == text[d.start:d.end] {
				continue
			}
			seen[key] = true
			before, after := cmp.Or(d.before, text[d.start:d.end]), cmp.Or(d.after, d.text, "(nothing)")
			schema.Mutants = append(schema.Mutants, Mutant{
				ID:     len(schema.Mutants) + 1,
				File:   full(file, s.Files()),
				Line:   strings.Count(text[:d.start], "\n") + 1,
				Column: d.start - strings.LastIndexByte(text[:d.start], '\n'),
				Func:   d.function,
				Op:     d.op,
				Before: oneLine(before),
				After:  oneLine(after),
			})
			schema.edits = append(schema.edits, edit{text, d.start, d.end, d.text})
			schema.names = append(schema.names, file)
		}
	}
	return schema
}

// mutant returns the source of a mutant that is a program of its own.
func (s *Schema) mutant(m *Mutant, languages map[string]build.Language) (*build.Source, error) {
	e := s.edits[m.ID-1]
	return s.Source.With(map[string][]byte{s.names[m.ID-1]: []byte(e.original[:e.start] + e.text + e.original[e.end:])}, languages)
}

// programOf returns the program of a mutant and its environment. The caller must call release.
func (w *work) programOf(ctx context.Context, m *Mutant) (program *build.Program, env []string, release func(), err error) {
	if !w.schema.Separate {
		return w.program, m.env(), func() {}, nil
	}
	if program, err = w.build(ctx, m); err != nil {
		return nil, nil, nil, err
	}
	return program, nil, func() { program.Close() }, nil
}

func (w *work) build(ctx context.Context, m *Mutant) (*build.Program, error) {
	source, err := w.schema.mutant(m, w.judge.Builder.Languages())
	if err != nil {
		return nil, err
	}
	return w.judge.Builder.Build(ctx, source)
}

// stages is the number of mutants that are compiled between two stages, which tell how far it is.
const stages = 100

// compile builds the mutants of a separate schema, several at a time, and drops those that do not
// compile and those of which the compiler makes the same executable as of the reference. They stay in
// the cache.
func (w *work) compile(ctx context.Context) error {
	kept := w.o.Mutants[:0:0]
	err := run.Each(ctx, w.judge.Pool, len(w.o.Mutants), 1, func(ctx context.Context, _ *run.Worker, i int) (drop *int, err error) {
		program, err := w.build(ctx, &w.o.Mutants[i])
		if _, refused := errors.AsType[*build.CompileError](err); refused {
			return &w.report.Left, nil
		}
		if err != nil {
			return nil, err
		}
		defer program.Close()
		if same, err := program.SameExecutable(w.program); same || err != nil {
			return &w.report.Same, err
		}
		return nil, nil
	}, func(i int, drop *int) error {
		if drop != nil {
			*drop++
		} else {
			kept = append(kept, w.o.Mutants[i])
		}
		if n := i + 1; n%stages == 0 && n < len(w.o.Mutants) {
			w.emit.Stage(fmt.Sprintf("compiling the mutants, %d of %d", n, len(w.o.Mutants)))
		}
		return nil
	})
	w.o.Mutants = kept
	return err
}

// functionsOf returns the names of the functions of a program by file name.
func functionsOf(s *build.Source, languages map[string]build.Language) map[string][]string {
	texts := s.Code(languages)
	language, known := tokenLanguageOf(s.Language)
	if !known {
		return functions(texts)
	}
	list := map[string][]string{}
	for file, text := range texts {
		list[path.Base(file)] = language.functions(string(text))
	}
	return list
}
