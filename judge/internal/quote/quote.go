// Package quote prepares output of programs for messages of a line or two.
package quote

import "strings"

// Of returns a program's output as text: without white space around it, and with U+FFFD for each
// run of bytes that are not UTF-8.
func Of(said []byte) string {
	return strings.TrimSpace(strings.ToValidUTF8(string(said), "\uFFFD"))
}

// First returns the first line of a text that is not blank, without white space around it; "" if
// there is none.
func First(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return strings.TrimSpace(line)
}

// Last is First for the last such line.
func Last(text string) string {
	text = strings.TrimSpace(text)
	return strings.TrimSpace(text[strings.LastIndexByte(text, '\n')+1:])
}

// With returns what, followed by a colon and said, a program's output, if that is not empty.
func With(what, said string) string {
	if said == "" {
		return what
	}
	return what + ": " + said
}
