package report

import (
	"strings"

	"tribunal/judge/internal/account"
	"tribunal/judge/internal/tty"
	"tribunal/judge/internal/verdict"
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

// commands are lines for a shell about a failing case; "" if there is no such command.
type commands struct {
	again string // judges the submission on the case again
	draw  string // draws the case with the submission's output
}

// commandsFor returns the commands about a case of a submission.
func commandsFor(x *account.Execution, s *account.Submission, c *account.Case) commands {
	return commands{commandFor(x.Command, s.Name, c.Name), drawCommand(x, s, c)}
}

// drawCommand returns the command that draws a case with the output that was kept, or else with that
// of another run. A submission from standard input would have to be given again for that.
func drawCommand(x *account.Execution, s *account.Submission, c *account.Case) string {
	if !x.Drawable || len(x.Command) < 3 || c.Verdict == verdict.JE || s.Name == "" || s.Name == "-" && c.Kept == "" {
		return ""
	}
	draw, run := []string{x.Command[0], "draw", x.Command[2]}, []string{x.Command[0], "run", x.Command[2]}
	for _, w := range x.Command[3:] {
		name, _, _ := strings.Cut(w, "=")
		switch name {
		case "--root", "--root-of-package", "--dialect":
			draw, run = append(draw, w), append(run, w)
		case "--lang", "--limits":
			run = append(run, w)
		}
	}
	draw = append(draw, "-o", "drawing.svg", caseGlob.Replace(c.Name))
	if c.Kept != "" {
		return Shell(append(draw, c.Kept))
	}
	run = append(run, "--case", caseGlob.Replace(c.Name))
	if strings.HasPrefix(s.Name, "-") {
		run = append(run, "--")
	}
	return Shell(append(run, s.Name)) + " | " + Shell(append(draw, "-"))
}

// Shell returns a line for a shell that consists of these words.
func Shell(words []string) string {
	return strings.Join(shellWords(words), " ")
}

// shellWords quotes words for a shell, if they must be.
func shellWords(words []string) []string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = shellWord(w)
	}
	return quoted
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
