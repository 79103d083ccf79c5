package report

import (
	"strings"

	"tribunal/judge/internal/tty"
)

// commandFor returns the line for a shell that judges a submission on one case again, given the words
// of the command without these. It returns "" if there is no such command.
func commandFor(words []string, submission, name string) string {
	if len(words) == 0 || submission == "" {
		return ""
	}
	words = append(words[:len(words):len(words)], "--case", caseGlob.Replace(name))
	if strings.HasPrefix(submission, "-") && submission != "-" {
		words = append(words, "--")
	}
	return Shell(append(words, submission))
}

// Shell returns a line for a shell that consists of these words.
func Shell(words []string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = shellWord(w)
	}
	return strings.Join(quoted, " ")
}

// caseGlob escapes the name of a case for the flag --case.
var caseGlob = strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`)

// shellWord quotes a word for a shell, if it must be. A word with unprintable characters is quoted
// as in $'…', with escapes that Bash, Zsh and the POSIX shell of 2024 know.
func shellWord(w string) string {
	switch {
	case w != "" && w[0] != '=' && strings.Trim(w, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-") == "":
		return w
	case tty.Clean(w) == w:
		return "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
	}
	var b strings.Builder
	b.WriteString("$'")
	for _, c := range []byte(w) {
		switch {
		case c == '\'' || c == '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
		case ' ' <= c && c <= '~':
			b.WriteByte(c)
		default: // three octal digits, because a hexadecimal digit after \x would belong to the escape
			b.WriteString(`\` + string(rune('0'+c>>6)) + string(rune('0'+c>>3&7)) + string(rune('0'+c&7)))
		}
	}
	b.WriteString("'")
	return b.String()
}
