// Package quote quotes what programs and tools say, in messages of a line or two.
package quote

import "strings"

// Of returns what a program has written as text: without white space round it, and with
// U+FFFD for each run of bytes that are not UTF-8.
func Of(said []byte) string {
	return strings.TrimSpace(strings.ToValidUTF8(string(said), "\uFFFD"))
}

// First returns the first line of a text that is not blank, without white space round it;
// "" if there is none.
func First(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return strings.TrimSpace(line)
}

// Last is First for the last such line.
func Last(text string) string {
	text = strings.TrimSpace(text)
	return strings.TrimSpace(text[strings.LastIndexByte(text, '\n')+1:])
}

// With returns what happened, with the words of a program after a colon, if there are any.
func With(what, said string) string {
	if said == "" {
		return what
	}
	return what + ": " + said
}
