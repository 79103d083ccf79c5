package build

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"sync"
)

// foreign names languages that other judges accept, by file name extension. Messages can name the
// language of such a file instead of calling it unknown.
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

// ForeignError reports a source in a language that the judge knows by name, but cannot build.
type ForeignError struct {
	Name     string // name of the source, as the caller gave it
	Language string // name of the language for messages, such as Scala
}

func (e *ForeignError) Error() string {
	return fmt.Sprintf("%s: %s is not a configured language (hint: add it to runner.yaml, or choose another with --lang)", e.Name, e.Language)
}

// ExtensionError reports a source whose file name extension belongs to no language, or a folder
// without a file of any language.
type ExtensionError struct {
	Name      string // name of the source, as the caller gave it
	Extension string // such as .template; "" for none, and for a folder
	folder    bool
	packed    string // an archive that may have the source; "" for none
	languages string
}

// Cause returns a message without the name of the source.
func (e *ExtensionError) Cause() string {
	if e.folder {
		return "no source file of any language"
	}
	return fmt.Sprintf("no language has files that end in %q", e.Extension)
}

func (e *ExtensionError) Error() string {
	if e.folder {
		return fmt.Sprintf("%s: %s (hint: the languages are %s)", e.Name, e.Cause(), e.languages)
	}
	return fmt.Sprintf("%s: %s (hint: add --lang, one of %s)", e.Name, e.Cause(), e.languages)
}

// python2 lists interpreters of Python 2, whose files have the extension of Python 3.
var python2 = []string{"python2", "python2.7", "pypy2"}

// prolog matches a line that begins or ends with :-, the sign between head and body of a Prolog
// clause. Perl, which shares the extension .pl, has no such lines.
var prolog = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^\s*:-|:-\s*$`) })

// foreignLanguage returns the name of the foreign language of a file, found by its name and the
// start of its text. It is "" if one of the languages matches the file, or none is known.
func foreignLanguage(languages map[string]Language, file string, start []byte) string {
	switch found := matches(languages, file, start); {
	case len(found) == 0:
		return foreign[filepath.Ext(file)]
	case slices.Equal(found, []string{"python3"}) && slices.Contains(python2, shebang(start)):
		return "Python 2"
	case slices.Equal(found, []string{"perl"}) && shebang(start) == "" && prolog().Match(start):
		return "Prolog"
	}
	return ""
}
