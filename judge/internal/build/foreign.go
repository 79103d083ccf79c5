package build

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
)

// foreign are languages by the endings that the judges which packages are made for take
// theirs by. They are known by name so that a program in one of them is told from a file
// that is no program.
var foreign = map[string]string{
	".adb": "Ada", ".ads": "Ada", ".a68": "Algol 68", ".apl": "APL", ".asm": "assembly", ".bas": "BASIC", ".clj": "Clojure",
	".cob": "COBOL", ".cl": "Common Lisp", ".lisp": "Common Lisp", ".cr": "Crystal", ".d": "D", ".dart": "Dart", ".dpr": "Delphi",
	".ex": "Elixir", ".exs": "Elixir", ".erl": "Erlang", ".fs": "F#", ".fsx": "F#", ".4th": "Forth", ".forth": "Forth",
	".frt": "Forth", ".fth": "Forth", ".f": "Fortran", ".f90": "Fortran", ".f95": "Fortran", ".for": "Fortran",
	".ss": "Gerbil", ".groovy": "Groovy", ".jl": "Julia", ".nim": "Nim", ".m": "Objective-C or Octave",
	".odin": "Odin", ".php": "PHP", ".plg": "Prolog", ".pro": "Prolog", ".py2": "Python 2", ".R": "R", ".r": "R", ".rkt": "Racket",
	".sc": "Scala", ".scala": "Scala", ".scm": "Scheme", ".sim": "Simula", ".st": "Smalltalk", ".sno": "Snobol",
	".swift": "Swift", ".tcl": "Tcl", ".vb": "Visual Basic", ".zig": "Zig",
}

// ForeignError reports a source in a language that is known by name, but is none of the
// languages.
type ForeignError struct {
	Name     string // of the source
	Language string // in words, such as Scala
}

func (e *ForeignError) Error() string {
	return fmt.Sprintf("%s: %s is none of the languages here (hint: write it into runner.yaml, or add --lang)", e.Name, e.Language)
}

// python2 are interpreters of a language of its own, though its files end as those of
// Python 3 do.
var python2 = []string{"python2", "python2.7", "pypy2"}

// prolog is what Prolog has and Perl, whose ending it shares, has not: a line that begins
// or ends with the sign between head and body of a clause.
var prolog = regexp.MustCompile(`(?m)^\s*:-|:-\s*$`)

// stranger returns the foreign language that a file is in, by its name, and the first
// line or what else its text begins with; "" for none. What one of the languages names is
// not foreign.
func stranger(languages map[string]Language, file string, start []byte) string {
	switch found := matches(languages, file, start); {
	case len(found) == 0:
		return foreign[filepath.Ext(file)]
	case slices.Equal(found, []string{"python3"}) && slices.Contains(python2, shebang(start)):
		return "Python 2"
	case slices.Equal(found, []string{"perl"}) && shebang(start) == "" && prolog.Match(start):
		return "Prolog"
	}
	return ""
}
