package findings

import (
	"bytes"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tribunal/judge/cli/layout"
	"tribunal/judge/cli/layout/layouttest"
	"tribunal/judge/internal/build"
	"tribunal/judge/internal/event"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/sandbox"
	"tribunal/judge/internal/version"
	"tribunal/judge/lab/langcheck"
)

// languageResults returns results of languages in which every field is set.
func languageResults() *Languages {
	return &Languages{
		Mechanisms: sandbox.Mechanisms{Mode: sandbox.Container},
		Results: []langcheck.Result{
			{
				Name: "c", Status: langcheck.Works, Build: 241 * time.Millisecond, CPU: 1300 * time.Microsecond, Wall: 2 * time.Millisecond, Memory: 256 * limits.KiB,
				Match: []string{".c"}, Package: "gcc", Version: "gcc 12.2.0\x1b[2J", Compile: []string{"/usr/bin/gcc", "-o", "{exe}", "{src}"},
			},
			{
				Name: "forth", Status: langcheck.Unchecked, Reason: "there is no program to try it with",
				Run: []string{"/opt/my forth/gforth", "it's", "", "{main}"},
			},
			{
				Name: "java", Status: langcheck.Broken, Reason: "does not compile a correct program", Words: strings.Repeat("no licence\x07\n", maxToolLines+1), Build: time.Second,
				Match: []string{".java"}, Package: "default-jdk-headless",
				Version: "javac 17", Compile: []string{"/usr/bin/javac", "{src}"}, Run: []string{"/usr/bin/java", "{main}"},
			},
			{
				Name: "pypy3", Status: langcheck.Missing, Reason: "pypy3 not found",
				Match: []string{".py"}, Shebang: []string{"pypy3", "pypy"}, Run: []string{"pypy3", "{main}"}, Package: "pypy3",
			},
			{Name: "sh", Status: langcheck.Works, Build: time.Millisecond, CPU: 2 * time.Millisecond},
		},
	}
}

func TestLanguage(t *testing.T) {
	t.Parallel()
	l := languageResults()
	var b bytes.Buffer
	for _, r := range l.Results {
		if err := Language(&b, r, layout.Options{}); err != nil {
			t.Fatal(err)
		}
	}
	if err := l.Summary(&b); err != nil {
		t.Fatal(err)
	}
	want := `c           works      built in 241 ms, run in 1.3 ms with 256 KiB
            version    gcc 12.2.0\x1b[2J
            build      /usr/bin/gcc -o {exe} {src}
            files      .c
            package    gcc
forth       unchecked  there is no program to try it with
            run        '/opt/my forth/gforth' 'it'\''s' '' {main}
java        broken     does not compile a correct program
            version    javac 17
            build      /usr/bin/javac {src}
            run        /usr/bin/java {main}
            files      .java
            package    default-jdk-headless
` + strings.Repeat("    no licence\\a\n", maxToolLines) + `    …
pypy3       missing    pypy3 not found
            run        pypy3 {main}
            files      .py that begin with #! and pypy3 or pypy
            package    pypy3
sh          works      built in 1 ms, run in 2 ms
5 languages: 1 broken, 2 working, 1 unchecked, 1 missing; sandbox container
`
	if d := cmp.Diff(want, b.String()); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	b.Reset()
	if err := Language(&b, l.Results[0], layout.Options{Color: true}); err != nil || !strings.Contains(b.String(), "\x1b[") {
		t.Errorf("without colours on a terminal: %q, %v", b.String(), err)
	}
}

func TestLanguagesJSON(t *testing.T) {
	t.Parallel()
	l := languageResults()
	l.Results = []langcheck.Result{l.Results[0], l.Results[3]}
	var b bytes.Buffer
	if err := l.JSON(&b); err != nil {
		t.Fatal(err)
	}
	want := `{
  "schema": "tribunal/languages/1",
  "judge": "` + version.Build() + `",
  "mode": "container",
  "languages": [
    {
      "name": "c",
      "status": "works",
      "reason": "",
      "words": "",
      "version": "gcc 12.2.0\u001b[2J",
      "match": [
        ".c"
      ],
      "shebang": [],
      "build": [
        "/usr/bin/gcc",
        "-o",
        "{exe}",
        "{src}"
      ],
      "run": [],
      "package": "gcc",
      "build_ns": 241000000,
      "cpu_ns": 1300000,
      "wall_ns": 2000000,
      "memory_bytes": 262144
    },
    {
      "name": "pypy3",
      "status": "missing",
      "reason": "pypy3 not found",
      "words": "",
      "version": "",
      "match": [
        ".py"
      ],
      "shebang": [
        "pypy3",
        "pypy"
      ],
      "build": [],
      "run": [
        "pypy3",
        "{main}"
      ],
      "package": "pypy3",
      "build_ns": 0,
      "cpu_ns": 0,
      "wall_ns": 0,
      "memory_bytes": 0
    }
  ]
}
`
	if d := cmp.Diff(want, b.String()); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	b.Reset()
	if err := (&Languages{}).JSON(&b); err != nil || !strings.Contains(b.String(), `"languages": []`) {
		t.Errorf("of none: %s, %v", b.String(), err)
	}
}

// TestLanguagesAreDocumented checks that docs/languages.md describes exactly the fields of the
// document, and names all languages with the packages to install.
func TestLanguagesAreDocumented(t *testing.T) {
	t.Parallel()
	table, text, _ := strings.Cut(layouttest.Documentation(t, "languages.md"), "\n## The document in JSON\n")
	var fields []string
	layouttest.Fields(reflect.TypeFor[languagesDocument](), "", &fields)
	layouttest.Agree(t, text, fields)
	for name, l := range build.Defaults() {
		row := ""
		for line := range strings.Lines(table) {
			if strings.HasPrefix(line, "| `"+name+"` |") {
				row = line
			}
		}
		if row == "" || !strings.Contains(row, l.Package) {
			t.Errorf("docs/languages.md has %q of %s, want its package, %s", row, name, l.Package)
		}
		for _, ending := range l.Match {
			if !strings.Contains(row, "`"+ending+"`") {
				t.Errorf("docs/languages.md: %s: %s is missing", name, ending)
			}
		}
	}
}

// TestLists checks that the lines of a stream have the same contents as the list in the document.
func TestLists(t *testing.T) {
	t.Parallel()
	known := languageResults()
	var tried []event.Event
	for i := range known.Results {
		tried = append(tried, &known.Results[i])
	}
	layouttest.SameLists(t, LanguagesFormats(known.Mechanisms), append(tried, known), "language", "languages")
}
