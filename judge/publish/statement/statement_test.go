package statement

import (
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"tribunal/judge/internal/problem"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// read reads an archive: the statement is the file named statement, with the extension of its
// format; all files can be read as images, and a file input, output or interaction is a sample.
func read(a *txtar.Archive) *Page {
	d := Document{ID: "sums", Title: "Sums", Language: "en", Facts: []Fact{{"Time limit", "1 s"}}}
	files := map[string]string{}
	for _, f := range a.Files {
		files[f.Name] = string(f.Data)
		if base, _, _ := strings.Cut(f.Name, "."); base == "statement" {
			d.Parts = append(d.Parts, Part{Format: filepath.Ext(f.Name), Text: string(f.Data), File: f.Name, Line: 1})
		}
	}
	if text, ok := files["interaction"]; ok {
		d.Samples = append(d.Samples, Sample{Turns: Turns(text)})
	}
	if text, ok := files["input"]; ok {
		d.Samples = append(d.Samples, Sample{Input: text, Output: files["output"], Note: "Why so."})
	}
	d.Open = func(name string, max int64) ([]byte, error) {
		text, ok := files[name]
		switch {
		case !ok:
			return nil, fs.ErrNotExist
		case name == "huge.png":
			return nil, problem.ErrTooLarge
		}
		return []byte(text), nil
	}
	return Read(d)
}

// TestRead compares the page, as HTML and as Markdown, and the faults of each archive in testdata
// with the last files of the archive.
func TestRead(t *testing.T) {
	archives, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatal("no archives", err)
	}
	for _, name := range archives {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			p := read(a)
			var faults strings.Builder
			for _, f := range p.Faults {
				kind := "wrong"
				if f.Unknown {
					kind = "unknown"
				}
				fmt.Fprintf(&faults, "%s: %v\n", kind, f.Error)
			}
			for _, want := range []struct{ name, got string }{{"want.html", p.Body()}, {"want.md", string(p.Markdown())}, {"want.faults", faults.String() + "."}} {
				found := false
				want.got = strings.TrimSuffix(want.got, "\n") + "\n" // as archives have it
				for i := range a.Files {
					f := &a.Files[i]
					if f.Name != want.name {
						continue
					}
					found = true
					if string(f.Data) != want.got && *update {
						f.Data = []byte(want.got)
					} else if string(f.Data) != want.got {
						t.Errorf("%s differs (-update rewrites it):\n%s", want.name, want.got)
					}
				}
				if !found && *update {
					a.Files = append(a.Files, txtar.File{Name: want.name, Data: []byte(want.got)})
				} else if !found {
					t.Errorf("no file %s (-update writes it)", want.name)
				}
			}
			if *update {
				if err := os.WriteFile(name, txtar.Format(a), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// FuzzRead checks that a page holds nothing that a browser would run or load, in whichever format
// its statement is.
func FuzzRead(f *testing.F) {
	archives, err := filepath.Glob("testdata/*.txtar")
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range archives {
		a, err := txtar.ParseFile(name)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range a.Files {
			if strings.HasPrefix(file.Name, "statement.") {
				f.Add(string(file.Data))
			}
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, format := range formats {
			p := Read(Document{ID: "x", Parts: []Part{{Format: format, Text: text, File: "f", Line: 1}}})
			page, err := p.HTML()
			if err != nil {
				t.Fatal(err)
			}
			p.Markdown()
			if bad := harmful(string(page)); bad != "" {
				t.Errorf("%s of %q has %s", format, text, bad)
			}
		}
	})
}

// harmful returns a tag of a page that a browser would run or load something for; "" if there is
// none. It needs no parser: writers quote all attributes and escape all text.
func harmful(page string) string {
	_, page, _ = strings.Cut(page, "<main>")
	for {
		_, rest, ok := strings.Cut(page, "<")
		if !ok {
			return ""
		}
		tag, after, _ := strings.Cut(rest, ">")
		page = after
		name, attributes, _ := strings.Cut(strings.TrimPrefix(tag, "/"), " ")
		switch name {
		case "main", "html", "section", "math", "mrow":
		default:
			if _, known := allowed()[name]; !known && !strings.HasPrefix(name, "m") {
				return tag
			}
		}
		for i, part := range strings.Split(attributes, `"`) {
			part = strings.TrimSpace(part)
			if i%2 == 0 && strings.HasPrefix(part, "on") {
				return tag
			}
			if i%2 == 1 && !strings.Contains(attributes, "alttext") && (strings.HasPrefix(strings.ToLower(part), "javascript:") || strings.Contains(part, "url(")) && !strings.Contains(attributes, "alt=") {
				return tag
			}
		}
	}
}

// TestWords checks that the words which a page adds are in the language of the statement.
func TestWords(t *testing.T) {
	t.Parallel()
	all := strings.Split(english, "|")
	for language, text := range translated {
		list := strings.Split(text, "|")
		if len(list) != len(all) {
			t.Errorf("%s has %d words, want %d", language, len(list), len(all))
		}
		for i, word := range list {
			if strings.TrimSpace(word) == "" {
				t.Errorf("%s has no %q", language, all[i])
			}
		}
	}
	for name := range titles() {
		if !slices.Contains(all, titles()[name]) {
			t.Errorf("%s has no translations", titles()[name])
		}
	}
	for _, tt := range []struct{ why, language, want string }{
		{"a known language", "ru", "Пример входных данных"},
		{"of a country", "pt-BR", "Exemplo de entrada"},
		{"of a country, as in names of locales", "nn_NO", "Eksempel på inndata"},
		{"an unknown one", "tlh", "Sample input"},
		{"none", "", "Sample input"},
	} {
		if got := (&Document{Language: tt.language}).say("Sample input"); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.why, got, tt.want)
		}
	}
	p := Read(Document{
		ID: "a", Language: "de", Facts: []Fact{{"Time limit", "1 s"}, {"Other", "x"}}, Samples: []Sample{{Input: "1", Output: "2"}, {Turns: Turns("<1\n")}},
		Parts: []Part{{Heading: "Input", Format: ".tex", Text: "\\Scoring x \\begin{Note}y\\end{Note} \\section{Input}"}},
	})
	page, err := p.HTML()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"<dt>Zeitlimit</dt>", "<dt>Other</dt>", "<h2>Eingabe</h2>", "<h2>Bewertung</h2>", "<h2>Anmerkung</h2>", "<h2>Input</h2>", "<h3>Beispieleingabe 1</h3>", "<h3>Beispielausgabe 1</h3>", "<h3>Beispielinteraktion 2</h3>", "<span>Gelesen</span><span>Geschrieben</span>"} {
		if !strings.Contains(string(page), want) {
			t.Errorf("the page has no %s:\n%s", want, page)
		}
	}
	text := string(p.Markdown())
	for _, want := range []string{"- Zeitlimit: 1 s", "## Eingabe\n", "## Beispieleingabe 1\n", "## Beispielinteraktion 2\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("the text has no %s:\n%s", want, text)
		}
	}
}
