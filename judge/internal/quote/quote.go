// Package quote prepares output of programs for messages of a line or two.
package quote

import (
	"strconv"
	"strings"
	"unicode"
)

// Of returns a program's output as text: without white space around it, and with U+FFFD for each
// run of bytes that are not UTF-8.
func Of(output []byte) string {
	return strings.TrimSpace(strings.ToValidUTF8(string(output), "\uFFFD"))
}

// Line returns a text on one line: control characters, which names of files may have, are escaped as in Go.
func Line(text string) string {
	if !strings.ContainsFunc(text, unicode.IsControl) {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		if unicode.IsControl(r) {
			b.WriteString(strings.Trim(strconv.QuoteRune(r), "'"))
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// Name makes text from a package fit into a message: short and on one line.
func Name(s string) string {
	const most = 60
	if len(s) > most {
		s = strings.ToValidUTF8(s[:most], "") + "…"
	}
	if s == "" || strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return strconv.Quote(s)
	}
	return s
}

// First returns the first line of a text that is not blank, without white space around it; "" if
// there is none.
func First(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return strings.TrimSpace(line)
}

// Last returns the last line of a text that is not blank, as First returns the first.
func Last(text string) string {
	text = strings.TrimSpace(text)
	return strings.TrimSpace(text[strings.LastIndexByte(text, '\n')+1:])
}

// Complaint returns the line of a failed program's output that tells most: the first one, but the last
// one of a traceback of Python, which names the error at the end.
func Complaint(text string) string {
	if first := First(text); !strings.HasPrefix(first, "Traceback ") {
		return first
	}
	return Last(text)
}

// With returns what, followed by a colon and a program's output if that is not empty.
func With(what, output string) string {
	if output == "" {
		return what
	}
	return what + ": " + output
}
