package build

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestMainFile checks that findMainFile recognizes main files by their code, and ignores comments
// and literals.
func TestMainFile(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why   string
		files map[string]string
		want  string // the main file; "" means an error
	}{
		{"Haskell: comments do not count", map[string]string{"A.hs": "{- {- -}\nmain = x -}\nmodule A where", "S.hs": "-- module A\nimport A\nmain, other :: IO ()\nmain\n = other"}, "S.hs"},
		{"Haskell: another module defines main, too", map[string]string{"A.hs": "module A where\nmain = 1", "S.hs": "module Main (main) where\nmain = 2"}, "S.hs"},
		{"Pascal: a program without the word program", map[string]string{"s.pas": "uses u;\nbegin end.", "u.pas": "(* program x; *)\n{ begin }\nUnit u;\nend."}, "s.pas"},
		{"Rust: comments and strings do not count", map[string]string{"a.rs": "/* \n/* */fn main() {}\n*/\nconst S: &str = \"\nfn main() {\";", "s.rs": "const Q: char = '\"';\npub(crate) fn main() {}"}, "s.rs"},
		{"Python: a long string does not count; the comparison may be reversed", map[string]string{"a.py": "'''\nif __name__ == '__main__':\n'''\n", "s.py": "if \"__main__\" == __name__: pass"}, "s.py"},
		{"Python: the file that no other mentions", map[string]string{"a.py": "x = 1", "b.py": "from a import x"}, "b.py"},
		{"Python: a mention in a comment does not count", map[string]string{"a.py": "x = 1 # for b", "b.py": "import a"}, "b.py"},
		{"Ruby: a file at the top", map[string]string{"lib/w.rb": "W = 1", "solve.rb": "require_relative 'lib/w'"}, "solve.rb"},
		{"Haskell: the only module with main is not called Main", map[string]string{"A.hs": "module A where\nx = 1", "S.hs": "module S where\nimport A\nmain = print x"}, "S.hs"},
		{"Haskell: main only in a comment", map[string]string{"A.hs": "module A where\n-- |\n{-\nmain = 1 -}", "B.hs": "module B where"}, ""},
		{"Python: two files that no other mentions", map[string]string{"a.py": "x = 1", "b.py": "y = 1"}, ""},
	} {
		s, err := Open(write(t, "s", tt.files), "", Defaults())
		if (err != nil) != (tt.want == "") || err == nil && s.main != tt.want {
			t.Errorf("%s: got %+v, %v, want %q", tt.why, s, err, tt.want)
		}
	}
	s := &Source{Language: "ocaml", main: "solve.ml", files: map[string][]byte{"solve.ml": []byte("Util.w"), "util.ml": []byte(`let s = "Solve" (* Solve (* "*)" *) *)`)}}
	if got := strings.Join(s.inOrder(Defaults()["ocaml"]), " "); got != "util.ml solve.ml" {
		t.Errorf("OCaml: a module whose comment names another: %s", got)
	}
}

// FuzzCodeOnly checks that codeOnly returns for any text, and that its result is not longer.
func FuzzCodeOnly(f *testing.F) {
	for _, file := range []string{"haskell", "ocaml", "pascal", "rust"} {
		f.Add(file, filepath.Base(file))
	}
	f.Fuzz(func(t *testing.T, language, text string) {
		if got := codeOnly(language, []byte(text)); len(got) > len(text) {
			t.Errorf("%q became %q", text, got)
		}
	})
}
