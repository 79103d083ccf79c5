package report

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"tribunal/judge/cli/layout"
	"tribunal/judge/internal/watchmode"
)

// counterexample adds a small input on which a program fails, and the commands that repeat this and
// make a case of it. Commands that take more than cols columns are continued on further lines; 0 means
// no limit.
func counterexample(p *layout.Page, c *watchmode.Counterexample, cols int) {
	p.Printf("%s %s fails on %s, too: %s %s\n", p.Paint(layout.Strong, "smaller than "+layout.Word(c.Case)+":"), layout.Word(filepath.Base(c.Submission)), layout.SizeOf(c.Input),
		p.Paint(layout.LookOf(c.Answer.Verdict), c.Answer.Verdict.String()), c.Answer.Verdict.Title())
	inner := &layout.Page{Color: p.Color}
	inner.Visible("input", c.Input)
	inner.Visible("expected", c.Want)
	inner.Answer(c.Submission, c.Answer.Verdict, c.Answer.Cause, c.Answer.Mismatch, c.Answer.Stderr)
	for _, l := range inner.Text().Lines() {
		p.Printf("  %s\n", l)
	}
	if len(c.Input) <= maxTyped {
		run := slices.Concat([]string{"judge", "run", c.Problem}, c.Flags, submissionWords(c.Submission))
		suggestion(p, "run on it:", append([]string{"printf", "%b", shellWord(escaped(c.Input)), "|"}, shellWords(run)...), cols)
	}
	if c.Inputs > 0 {
		flags := []string{"--seed", strconv.FormatUint(c.Seed, 10), "--count", strconv.Itoa(c.Inputs), "--save", "NAME"}
		stress := slices.Concat([]string{"judge", "stress", c.Problem}, c.Flags, flags, submissionWords(c.Submission))
		suggestion(p, "save as a case:", shellWords(stress), cols)
	}
}

// maxTyped is the size of the largest input that is a word of a command.
const maxTyped = 200

// suggestion adds a line for a shell, which consists of these quoted words, after its title. If this
// takes more than cols columns and cols is not 0, it adds several lines, which a shell joins.
func suggestion(p *layout.Page, title string, words []string, cols int) {
	const indent, further = "    ", "  "
	if line := strings.Join(words, " "); cols == 0 || len("  "+title+" "+line) <= cols {
		p.Printf("  %s %s\n", p.Paint(layout.Dim, title), line)
		return
	}
	p.Printf("  %s\n", p.Paint(layout.Dim, title))
	line := indent + words[0]
	for _, w := range words[1:] {
		if len(line)+len(" "+w+` \`) > cols {
			p.Printf("%s \\\n", line)
			line = indent + further + w
			continue
		}
		line += " " + w
	}
	p.Printf("%s\n", line)
}

// submissionWords returns the words for a submission at the end of a command.
func submissionWords(name string) []string {
	if strings.HasPrefix(name, "-") {
		return []string{"--", name}
	}
	return []string{name}
}

// escaped returns text with escapes for what cannot be shown, as printf %b knows them.
func escaped(text []byte) string {
	var b strings.Builder
	for _, c := range text {
		switch {
		case c == '\\':
			b.WriteString(`\\`)
		case c == '\n':
			b.WriteString(`\n`)
		case ' ' <= c && c <= '~':
			b.WriteByte(c)
		default:
			fmt.Fprintf(&b, `\0%03o`, c)
		}
	}
	return b.String()
}
