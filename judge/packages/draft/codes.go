package draft

import (
	"slices"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/problem"
)

// language returns the language that the package gives for one of its own submissions, or "" if the
// submission's files decide.
func language(s *problem.Submission, known map[string]build.Language) string {
	if _, ours := known[s.Language]; ours {
		return s.Language
	}
	for _, name := range []string{"c", "cpp", "java", "python3"} { // several languages may share a code: prefer the usual one
		if _, ours := known[name]; ours && slices.Contains(problem.Codes(name), s.Language) {
			return name
		}
	}
	return ""
}

const MaxLanguages = 256

// LanguageCodes are the language codes of the formats.
var LanguageCodes = []string{
	"ada", "algol68", "apl", "bash", "c", "cgmp", "cobol", "cpp", "cppgmp", "crystal", "csharp", "d", "dart", "elixir", "erlang",
	"forth", "fortran", "fsharp", "gerbil", "go", "haskell", "java", "javaalgs4", "javascript", "julia", "kotlin", "lisp", "lua",
	"modula2", "nim", "objectivec", "ocaml", "octave", "odin", "pascal", "perl", "php", "prolog", "python2", "python3",
	"python3numpy", "racket", "ruby", "rust", "scala", "simula", "smalltalk", "snobol", "swift", "typescript", "visualbasic", "zig",
}
