package report

import (
	"slices"
	"strings"

	"tribunal/judge/internal/tty"
)

// commandFor returns the line for a shell that judges a submission on one case again, given the words
// of the command without these. It returns "" if there is no such command, or a name does not fit on
// a line or would not survive it.
func commandFor(words []string, submission, name string) string {
	if len(words) == 0 || submission == "" {
		return ""
	}
	words = append(slices.Clone(words), "--case", escaper.Replace(name))
	if strings.HasPrefix(submission, "-") {
		words = append(words, "--")
	}
	words = append(words, submission)
	for _, w := range words {
		if tty.Clean(w) != w {
			return ""
		}
	}
	line := Shell(words)
	if len(line) > maxWord {
		return ""
	}
	return line
}

// Shell returns a line for a POSIX shell that consists of these words.
func Shell(words []string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = shellWord(w)
	}
	return strings.Join(quoted, " ")
}

// escaper escapes what would be a pattern in the name of a case.
var escaper = strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`)

// shellWord quotes a word for POSIX shells, if it needs that.
func shellWord(w string) string {
	const safe = "%+,-./:=@_"
	special := func(r rune) bool {
		return (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z') && !strings.ContainsRune(safe, r)
	}
	if w != "" && !strings.ContainsFunc(w, special) {
		return w
	}
	return "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
}
