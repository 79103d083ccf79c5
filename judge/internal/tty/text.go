// Package tty writes text to terminals, which obey every control character.
//
// The output of programs and compilers, packages and file names may contain control characters:
// sequences that clear the screen, set the clipboard or send input in the user's name, line ends
// that forge a line of the judge, marks that reverse the direction of writing. A [Writer] spells
// all of these out. Only a [Text] is written as it is, and it can contain no other sequences than
// those of this package.
package tty

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mattn/go-runewidth"
)

// Text may be written to a terminal as it is: it contains printable characters, newlines and the
// control sequences of this package. The zero value is empty.
type Text struct{ s string }

// String returns the text with its control sequences.
func (t Text) String() string { return t.s }

func (t Text) Empty() bool { return t.s == "" }

// Format is the format of a text. Only constants may be used; text from elsewhere is an argument.
type Format string

// Sprintf is fmt.Sprintf for a [Text]. An argument that is a Text stays as it is; in other
// arguments everything unprintable is spelled out, including newlines and tabs.
func Sprintf(format Format, args ...any) Text {
	safe := make([]any, len(args))
	for i, a := range args {
		safe[i] = shown{a}
	}
	return Text{fmt.Sprintf(string(format), safe...)}
}

// shown is an argument of Sprintf.
type shown struct{ value any }

func (a shown) Format(f fmt.State, verb rune) {
	format := fmt.FormatString(f, verb)
	if t, ok := a.value.(Text); ok {
		fmt.Fprintf(f, format, t.s)
		return
	}
	io.WriteString(f, Clean(fmt.Sprintf(format, a.value)))
}

// Join returns the texts with a separator between them, which must be a constant.
func Join(list []Text, separator Format) Text {
	var b strings.Builder
	for i, t := range list {
		if i > 0 {
			b.WriteString(string(separator))
		}
		b.WriteString(t.s)
	}
	return Text{b.String()}
}

// Lines returns the lines of a text, without their newlines.
func (t Text) Lines() []Text {
	var list []Text
	for l := range strings.SplitSeq(strings.TrimSuffix(t.s, "\n"), "\n") {
		list = append(list, Text{l})
	}
	return list
}

// Lines returns a text of several lines, such as the output of a compiler: each line is cleaned,
// and a tab becomes four spaces. It does not end with a newline.
func Lines(text string) Text {
	var list []Text
	for l := range strings.SplitSeq(strings.TrimRight(text, "\n"), "\n") {
		list = append(list, Text{Clean(strings.ReplaceAll(strings.TrimSuffix(l, "\r"), "\t", "    "))})
	}
	return Join(list, "\n")
}

// TrimRight returns the text without spaces at its end.
func (t Text) TrimRight() Text { return Text{strings.TrimRight(t.s, " ")} }

// Clean returns text on one line. Everything that is not a printable character is spelled out, such
// as \x1b for an escape, \n for a newline and \xff for a byte that belongs to no character.
// Cleaning a cleaned text changes nothing.
func Clean(text string) string {
	if utf8.ValidString(text) && strings.IndexFunc(text, func(r rune) bool { return !Printable(r) }) < 0 {
		return text
	}
	var b strings.Builder
	for text != "" {
		r, size := utf8.DecodeRuneInString(text)
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, text[0])
		case Printable(r):
			b.WriteRune(r)
		default:
			quoted := strconv.QuoteRune(r)
			if !strings.HasPrefix(quoted, `'\`) { // Go considers it printable
				quoted = strconv.QuoteRuneToASCII(r)
			}
			b.WriteString(quoted[1 : len(quoted)-1])
		}
		text = text[size:]
	}
	return b.String()
}

// Printable reports whether a character may be shown as it is: it is the space, or has a shape of
// its own. Control characters, marks of direction and invisible characters have none.
func Printable(r rune) bool {
	if r < utf8.RuneSelf {
		return ' ' <= r && r <= '~'
	}
	return unicode.IsPrint(r) && !unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

// Columns returns how many columns of a terminal a character takes. It ignores the locale in the
// environment, so that the output is the same everywhere.
func Columns(r rune) int { return widths.RuneWidth(r) }

var widths = &runewidth.Condition{StrictEmojiNeutral: true}

// Cut returns the beginning of a line that fits into cols columns, with … in place of the rest.
func (t Text) Cut(cols int) Text {
	used, keep, end := 0, 0, ""
	for i := 0; i < len(t.s); {
		if t.s[i] == '\x1b' { // the sequence of a style, because a line contains no others
			i += strings.IndexByte(t.s[i:], 'm') + 1
			end = reset
			continue
		}
		r, size := utf8.DecodeRuneInString(t.s[i:])
		if used += Columns(r); used > cols {
			return Text{t.s[:keep] + "…" + end}
		}
		if i += size; used < cols {
			keep = i
		}
	}
	return t
}

// joins reports whether the blank at an index stands between a number and its unit.
func (t Text) joins(at int) bool {
	unit, _, _ := strings.Cut(t.s[at+1:], " ")
	return at > 0 && t.s[at-1] >= '0' && t.s[at-1] <= '9' && slices.Contains([]string{"ms", "s", "B", "KiB", "MiB", "GiB", "%"}, strings.TrimRight(unit, ",.:;)"))
}

// Wrap breaks a line into lines of at most cols columns, at blanks if there are any. All but the first are indented by
// two columns more than the first. A character that is wider than a line is cut.
func (t Text) Wrap(cols int) (rows []Text) {
	t = t.TrimRight()
	indent := min(len(t.s)-len(strings.TrimLeft(t.s, " "))+2, cols/2)
	type place struct {
		at    int    // index of a byte
		style string // that is in force there; "" for none
	}
	var here, from, blank place // blank: the last at which the row can end; its index is that of from if there is none
	lead, used, begun := "", 0, false
	end := func(at, next place) {
		row := lead + from.style + strings.TrimRight(t.s[from.at:at.at], " ")
		if at.style != "" {
			row += reset
		}
		for next.at < len(t.s) && t.s[next.at] == ' ' {
			next.at++
		}
		rows = append(rows, Text{row}.Cut(cols))
		here, from, blank = next, next, next
		lead, used, begun = strings.Repeat(" ", indent), indent, false
	}
	for here.at < len(t.s) {
		if t.s[here.at] == '\x1b' { // the sequence of a style, because a line contains no others
			sequence := t.s[here.at : here.at+strings.IndexByte(t.s[here.at:], 'm')+1]
			here.at += len(sequence)
			if here.style = sequence; sequence == reset {
				here.style = ""
			}
			continue
		}
		r, size := utf8.DecodeRuneInString(t.s[here.at:])
		switch width := Columns(r); {
		case used+width > cols && blank.at > from.at && (r != ' ' || t.joins(here.at)):
			end(blank, blank)
			continue
		case used+width > cols && here.at > from.at:
			end(here, here)
			continue
		case r == ' ' && begun:
			if blank.at == from.at || !t.joins(here.at) {
				blank = here
			}
			used += width
		default:
			begun = begun || r != ' '
			used += width
		}
		here.at += size
	}
	return append(rows, Text{lead + from.style + t.s[from.at:]}.Cut(cols))
}
