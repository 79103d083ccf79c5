// Package yamltext writes exact text into a YAML document and leaves the rest untouched.
//
// splice.go edits a document, scalar.go writes one text, and source.go finds where a value ends.
package yamltext

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// step is the indentation of the lines of a text, relative to the key.
const step = 2

// ErrInvalidUTF8 is the error for a text that is not UTF-8, which YAML cannot hold.
var ErrInvalidUTF8 = errors.New("invalid UTF-8 cannot be written in YAML")

// Scalar returns text as a YAML scalar that reads back as the same bytes. The caller writes it
// after "key: " in a block mapping; column is the column of the key, from 0. Further lines of the
// scalar are indented already. The last line has no line end; the caller adds it. If text is not
// UTF-8, the error is [ErrInvalidUTF8].
//
// A text becomes a literal block, the form for reading and diffs, if it can be seen there exactly
// as it is. Otherwise it is double-quoted, with one line for each line of the text: an empty text,
// one of empty lines only, one with a space or tab at the end of a line (which editors trim), and
// one with anything that is invisible or that YAML readers change.
//
// The emitter of yaml.v3 is not used, because it loses or breaks about one in twenty texts whose
// layout matters. Its reader handles all of these correctly.
//
// After a literal block that ends in "+", every empty line that follows counts as text. So the next
// line must not be empty.
func Scalar(text string, column int) (string, error) {
	if !utf8.ValidString(text) {
		return "", ErrInvalidUTF8
	}
	indent := strings.Repeat(" ", column+step)
	if fitsLiteral(text) {
		return literal(text, indent), nil
	}
	return quoted(text, indent), nil
}

// literal writes text as a literal block.
func literal(text, indent string) string {
	var b strings.Builder
	b.WriteByte('|')
	// The reader takes the indentation of the first non-empty line for that of the block. So the
	// indentation must be given if that line begins with a space or tab, or if an empty line comes
	// first.
	if text[0] == ' ' || text[0] == '\t' || text[0] == '\n' {
		fmt.Fprint(&b, step)
	}
	body := strings.TrimSuffix(text, "\n")
	switch {
	case body == text:
		b.WriteByte('-')
	case strings.HasSuffix(body, "\n"):
		b.WriteByte('+')
	}
	for line := range strings.SplitSeq(body, "\n") {
		b.WriteByte('\n')
		if line != "" {
			b.WriteString(indent)
			b.WriteString(line)
		}
	}
	return b.String()
}

// quoted writes text in double quotes. A text of several lines begins below the key, so that its
// lines are aligned.
func quoted(text, indent string) string {
	lines := strings.SplitAfter(text, "\n")
	if last := len(lines) - 1; last > 0 && lines[last] == "" {
		lines = lines[:last]
	}
	var b strings.Builder
	b.WriteByte('"')
	for _, line := range lines {
		if len(lines) > 1 {
			b.WriteString("\\\n")
			b.WriteString(indent)
		}
		for i, r := range line {
			if r == ' ' && i == 0 && len(lines) > 1 {
				b.WriteByte('\\') // otherwise it would be read as indentation
			}
			escape(&b, r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// escape writes one character of a double-quoted text.
func escape(b *strings.Builder, r rune) {
	switch {
	case r == '"' || r == '\\':
		b.WriteByte('\\')
		b.WriteRune(r)
	case r == '\n':
		b.WriteString(`\n`)
	case r == '\t':
		b.WriteString(`\t`)
	case r == '\r':
		b.WriteString(`\r`)
	case visible(r):
		b.WriteRune(r)
	case r < 0x100:
		fmt.Fprintf(b, `\x%02X`, r)
	case r < 0x10000:
		fmt.Fprintf(b, `\u%04X`, r)
	default:
		fmt.Fprintf(b, `\U%08X`, r)
	}
}

// fitsLiteral reports whether a literal block can hold the text and shows it exactly as it is.
func fitsLiteral(text string) bool {
	if strings.Trim(text, "\n") == "" {
		return false
	}
	last := '\n'
	for _, r := range text {
		if r == '\n' && (last == ' ' || last == '\t') {
			return false
		}
		if r != '\n' && r != '\t' && !visible(r) {
			return false
		}
		last = r
	}
	return last != ' ' && last != '\t'
}

// visible reports whether a character can be written in YAML as itself and told from others by eye.
// Among the others are control characters, which YAML forbids; U+0085, U+2028 and U+2029, which it
// takes for line ends; and U+FEFF, which it drops at the start of a line.
func visible(r rune) bool {
	return r == ' ' || unicode.IsGraphic(r) && !unicode.IsSpace(r) && r != utf8.RuneError
}
