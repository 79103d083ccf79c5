package diff

import (
	"bytes"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The signs for invisible characters. The three that may end a line are signLen bytes long.
const (
	signSpace   = '·'
	signTab     = '→'
	signNewline = "⏎"
	signEnd     = "∎"
	signCut     = "…"
	signs       = string(signSpace) + string(signTab) + signNewline + signEnd + signCut
	signLen     = len(signCut)
)

// visible returns l with invisible characters shown, in at most share bytes. If l is too long,
// visible cuts it at both ends, but keeps the byte at focus, with at most half of share before it.
// Where it cuts the beginning depends only on the text before focus, so that two lines that differ
// from focus on stay aligned.
func visible(l line, focus, share int) string {
	begin := min(focus, len(l.text))
	for i := begin; i > 0 && i > begin-utf8.UTFMax; i-- {
		if _, size := utf8.DecodeRune(l.text[i-1:]); size > begin-i+1 {
			begin = i - 1 // focus is within a character
			break
		}
	}
	prefix := l.text[:begin]
	for room := share/2 - signLen; begin > 0; {
		_, size := utf8.DecodeLastRune(prefix[:begin])
		for i := begin - size; i < begin; {
			text, n := sign(prefix, i)
			room -= len(text)
			i += n
		}
		if room < 0 {
			break
		}
		begin -= size
	}

	var b strings.Builder
	if begin > 0 || l.headless {
		b.WriteString(signCut)
	}
	for i := begin; i < len(l.text); {
		text, size := sign(l.text, i)
		if b.Len()+len(text) > share-signLen {
			b.WriteString(signCut)
			return b.String()
		}
		b.WriteString(text)
		i += size
	}
	b.WriteString(l.end)
	return b.String()
}

// sign returns the form in which the character at text[i] is shown, and the number of its bytes in
// text.
func sign(text []byte, i int) (string, int) {
	switch b := text[i]; {
	case b == ' ':
		return string(signSpace), 1
	case b == '\t':
		return string(signTab), 1
	case b == '\r':
		return `\r`, 1
	case b == '\\':
		if i+1 < len(text) && beginsEscape(text, i+1) {
			return `\\`, 1
		}
		return `\`, 1
	case ' ' < b && b < 0x7f:
		return string(rune(b)), 1
	case b < utf8.RuneSelf:
		return escape(b), 1
	}
	r, size := utf8.DecodeRune(text[i:])
	// A combining mark would merge with the character before it.
	if r == utf8.RuneError && size == 1 || !unicode.IsPrint(r) || unicode.Is(unicode.M, r) || strings.ContainsRune(signs, r) {
		return escape(text[i]), 1
	}
	return string(r), size
}

// beginsEscape reports whether a backslash and, after it, the sign for text[i] would together read
// as an escape.
func beginsEscape(text []byte, i int) bool {
	switch text[i] {
	case 'r', 'x', '\\':
		return true
	}
	s, _ := sign(text, i)
	return s[0] == '\\'
}

func escape(b byte) string { return fmt.Sprintf(`\x%02x`, b) }

// Visible returns at most the first lines lines of a text, as an excerpt shows them, in at most
// share bytes each. more reports whether the text has further lines.
func Visible(text []byte, lines, share int) (list []string, more bool) {
	for len(list) < lines {
		l := line{end: signEnd}
		var whole bool
		if l.text, text, whole = bytes.Cut(text, newline); whole {
			l.end = signNewline
		}
		if list = append(list, visible(l, 0, share)); len(text) == 0 {
			return list, false
		}
	}
	return list, true
}
