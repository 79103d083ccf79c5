package scaffold

import (
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"text/template"

	"tribunal/judge/internal/yamlstrict"
)

// files holds the files of small problems, which are templates: document/<problem> has the problem
// file and the cases, <language>/<problem> the folder of the reference, and testlib/<problem> the
// programs that replace some of C++. Names end in .txt, because Go files would be part of this
// module.
//
//go:embed all:files
var files embed.FS

// Kind selects a small problem.
type Kind struct {
	Language    string // of the programs, one of Languages
	Checker     bool   // several outputs are right
	Interactive bool   // an interactor talks to the submission
	Scoring     bool   // test groups have points
	Testlib     []byte // the header testlib.h, with which generator and validators are written; nil for none
}

// Languages lists the languages in which the small problems are written.
func Languages() []string { return []string{"cpp", "go", "java", "python"} }

// Extension returns the extension of the programs in a language of [Languages].
func Extension(language string) string {
	return map[string]string{"cpp": ".cpp", "go": ".go", "java": ".java", "python": ".py"}[language]
}

// Check returns an error, with a hint, if there is no problem of that kind.
func (k *Kind) Check() error {
	switch {
	case !slices.Contains(Languages(), k.Language):
		hint := "they are " + strings.Join(Languages(), ", ")
		if near := yamlstrict.Nearest(k.Language, Languages()); near != "" {
			hint = "did you mean " + near + "?"
		}
		return fmt.Errorf("no example in the language %q (hint: %s)", k.Language, hint)
	case k.Testlib != nil && k.Language != "cpp":
		return fmt.Errorf("testlib is a library for C++, not for %s (hint: --lang cpp)", k.Language)
	case k.Checker && k.Interactive && k.Testlib == nil:
		return errors.New("the interactor of an interactive problem decides about outputs, besides which there is no checker (hint: leave one of them out, or add --testlib, whose interactors may be followed by a checker)")
	}
	return nil
}

// problem returns the name of the small problem, which is that of its folders in files.
func (k *Kind) problem() string {
	if k.Interactive {
		return "guess"
	}
	return "sum"
}

// Write adds the small problem of a kind, with that id, to the repository at root: the statement,
// cases without their generated outputs, and programs. It returns the three paths, at which nothing
// may exist yet. If it fails, it leaves nothing behind.
func Write(root, id string, k Kind) (places []string, err error) {
	if err := k.Check(); err != nil {
		return nil, err
	}
	return Build(root, id, func(stage string) error { return write(stage, id, k) })
}

func write(stage, id string, k Kind) error {
	w := &writer{Kind: k, ID: id, Scalar: scalar(id), Title: scalar(title(id)), CPU: "1s", Memory: "64MiB"}
	if k.Language == "java" {
		w.CPU, w.Memory = "2s", "256MiB"
	}
	list := parts(id)
	reference, cases, document := filepath.Join(stage, list[0]), filepath.Join(stage, list[1]), filepath.Join(stage, list[2])
	own := path.Join("files/document", k.problem())
	if err := w.file(own+"/problem.yaml.txt", document); err != nil {
		return err
	}
	groups := map[string]string{"sample": "sample", "edge": "edge"}
	if k.Scoring {
		groups = map[string]string{"sample": "sample", "edge": "easy", "hard": "hard"}
	}
	for from, to := range groups {
		if err := w.file(own+"/cases/"+from+".yaml.txt", filepath.Join(cases, to+".yaml")); err != nil {
			return err
		}
	}
	if err := w.folder(path.Join("files", k.Language, k.problem()), reference, cases); err != nil || k.Testlib == nil {
		return err
	}
	return w.folder(path.Join("files/testlib", k.problem()), reference, cases)
}

// writer writes the files of a small problem. It is the data of their templates.
type writer struct {
	Kind
	ID, Title   string
	Scalar      string // the id as YAML
	CPU, Memory string
}

// folder writes the files of an embedded folder into the folder of a reference, but mutants.yaml
// into that of the cases.
func (w *writer) folder(from, reference, cases string) error {
	testlib := strings.HasPrefix(from, "files/testlib/")
	return fs.WalkDir(files, from, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel := strings.TrimSuffix(strings.TrimPrefix(name, from+"/"), ".txt")
		if w.without(rel, testlib) {
			return nil
		}
		if rel == "mutants.yaml" {
			return w.file(name, filepath.Join(cases, rel))
		}
		if w.Scoring { // the submissions that are wrong on large inputs get points for small ones
			rel = strings.Replace(rel, "submissions/wrong_answer/", "submissions/partially_accepted/", 1)
		}
		to := filepath.Join(reference, filepath.FromSlash(rel))
		if err := w.file(name, to); err != nil || !testlib {
			return err
		}
		return wrap(os.WriteFile(filepath.Join(filepath.Dir(to), "testlib.h"), w.Testlib, 0o666))
	})
}

// without reports whether a problem of this kind does not have a program. testlib says that the
// program is written with testlib.
func (w *writer) without(rel string, testlib bool) bool {
	first, _, _ := strings.Cut(rel, "/")
	switch {
	case testlib:
		return strings.HasPrefix(rel, "output_validators/checker/") && !w.Checker
	case w.Testlib != nil:
		return slices.Contains([]string{"gen", "check", "output_validators"}, first)
	}
	return false
}

// file writes the text of a template to a new file.
func (w *writer) file(name, to string) error {
	text, err := files.ReadFile(name)
	if err != nil {
		return err
	}
	t, err := template.New(name).Parse(string(text))
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
		return wrap(err)
	}
	f, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return wrap(err)
	}
	return wrap(errors.Join(t.Execute(io.Writer(f), w), f.Close()))
}

// scalar returns an id as a YAML string: it quotes null, which YAML would read as no value.
func scalar(word string) string {
	if strings.EqualFold(word, "null") {
		return `"` + word + `"`
	}
	return word
}

// title derives a title from an id: "Two sum" from two-sum.
func title(id string) string {
	words := strings.TrimSpace(strings.ReplaceAll(id, "-", " "))
	words = strings.ToUpper(words[:1]) + words[1:]
	if strings.Trim(words, "0123456789 ") == "" {
		words = "Problem " + words // YAML would read it as a number
	}
	return words
}
