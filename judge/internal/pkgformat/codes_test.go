package pkgformat

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/problem"
)

// TestLanguages refuses what is in a language that a package does not allow, under all
// the names that it may have there.
func TestLanguages(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ why, languages, file, text, refused string }{
		{"all", "all", "a.py", "", ""},
		{"it is there", "[c, python3]", "a.py", "", ""},
		{"words of one text", "c python3", "a.c", "", ""},
		{"it is not there", "[cpp, java]", "a.py", "", "python3 is not allowed: the languages of this problem are cpp, java"},
		{"C is not C++", "cpp", "a.c", "", "c is not allowed: the languages of this problem are cpp"},
		{"another interpreter of the same", "python3", "a.py", "#!/usr/bin/env pypy3", ""},
		{"with a library that one may include", "[cppgmp, cgmp]", "a.cc", "", ""},
		{"a name of ours", "awk", "a.awk", "#!/usr/bin/mawk -f", ""},
		{"none that we know", "cobol", "a.c", "", "c is not allowed: the languages of this problem are cobol"},
		{"a program", "c", "a", "\x7fELF", "binary is not allowed: the languages of this problem are c"},
	} {
		p := described(t, "-- problem.yaml --\nlanguages: "+tt.languages+"\n")
		name := filepath.Join(t.TempDir(), tt.file)
		if err := os.WriteFile(name, []byte(tt.text+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		var refused string
		if tt.file == "a" {
			refused = p.Refusal(&build.Source{Language: build.Binary})
		} else if s, err := build.Open(name, "", build.Defaults()); err != nil {
			t.Fatal(err)
		} else {
			refused = p.Refusal(s)
		}
		if refused != tt.refused {
			t.Errorf("%s: %q, want %q", tt.why, refused, tt.refused)
		}
	}
}

// TestOwnLanguage takes the package's word for what its submissions are written in.
func TestOwnLanguage(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]string{
		"": "", "cpp": "cpp", "cppgmp": "cpp", "python3": "python3", "python3numpy": "python3", "pypy3": "pypy3", "python2": "", "javaalgs4": "java",
	} {
		if got := language(&problem.Submission{Language: code}, build.Defaults()); got != want {
			t.Errorf("%s is %q here, want %q", code, got, want)
		}
	}
}

// TestCode counts what is handed in, and not what is included.
func TestCode(t *testing.T) {
	t.Parallel()
	p := described(t, "-- problem.yaml --\nlimits: {code: 1}\nconstants: {n: "+strings.Repeat("5", 2000)+"}\n"+
		"-- include/c/n.h --\n"+strings.Repeat("n", 2000)+"\n-- submissions/accepted/constant.c --\n{{n}}\n")
	own, err := submission(p, p.File("submissions/accepted/constant.c"), "")
	if err != nil {
		t.Fatal(err)
	}
	if _, included := own.Texts()["n.h"]; !included || own.Size() < 4000 {
		t.Errorf("read as %d bytes: it is refused for what is put into it and beside it", own.Size())
	}
	for size, want := range map[int]string{1024: "", 1025: "sources of 1025 bytes, more than the 1KiB that this problem allows"} {
		name := filepath.Join(t.TempDir(), "a.c")
		if err := os.WriteFile(name, []byte(strings.Repeat("a", size)), 0o644); err != nil {
			t.Fatal(err)
		}
		s, err := build.Open(name, "", build.Defaults())
		if err != nil {
			t.Fatal(err)
		}
		if got := p.Refusal(s); got != want {
			t.Errorf("%d bytes: %q, want %q", size, got, want)
		}
	}
}
