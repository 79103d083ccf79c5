package pkgformat

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tribunal/judge/internal/build"
)

// TestCode checks that the limit on the size of the source counts the submission only, without
// constants and included files.
func TestCode(t *testing.T) {
	t.Parallel()
	p := readFiles(t, "-- problem.yaml --\nlimits: {code: 1}\nconstants: {n: "+strings.Repeat("5", 2000)+"}\n"+
		"-- include/c/n.h --\n"+strings.Repeat("n", 2000)+"\n-- submissions/accepted/constant.c --\n{{n}}\n")
	own, err := openSubmission(p, p.File("submissions/accepted/constant.c"), "")
	if err != nil {
		t.Fatal(err)
	}
	if _, included := own.Texts()["n.h"]; !included || own.Size() < 4000 {
		t.Errorf("%d bytes with constants and included files, want at least 4000 and n.h", own.Size())
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

// TestLanguages checks which submissions are refused because of their language, whichever of its
// codes the package uses.
func TestLanguages(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ why, languages, file, text, refused string }{
		{"all languages", "all", "a.py", "", ""},
		{"listed", "[c, python3]", "a.py", "", ""},
		{"a list written as one text", "c python3", "a.c", "", ""},
		{"not listed", "[cpp, java]", "a.py", "", "python3 is not allowed: the languages of this problem are cpp, java"},
		{"C is not C++", "cpp", "a.c", "", "c is not allowed: the languages of this problem are cpp"},
		{"another interpreter of a listed language", "python3", "a.py", "#!/usr/bin/env pypy3", ""},
		{"a code for a language with a library", "[cppgmp, cgmp]", "a.cc", "", ""},
		{"a language that only tribunal has", "awk", "a.awk", "#!/usr/bin/mawk -f", ""},
		{"only an unknown language is listed", "cobol", "a.c", "", "c is not allowed: the languages of this problem are cobol"},
		{"a binary", "c", "a", "\x7fELF", "binary is not allowed: the languages of this problem are c"},
	} {
		p := readFiles(t, "-- problem.yaml --\nlanguages: "+tt.languages+"\n")
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
