package commands

import (
	"fmt"

	"tribunal/judge/internal/content"
	"tribunal/judge/internal/diff"
	"tribunal/judge/internal/grade"
	"tribunal/judge/lab/invisible"
	"tribunal/judge/packages/pkgformat"
)

// harms says for each kind what it does to a right program, in an input and in an answer that is
// compared byte by byte. "" means nothing that its author would notice.
var harms = map[invisible.Kind]struct{ input, answer string }{
	invisible.UTF16:    {"a program reads a zero byte beside each character", "no right output is accepted"},
	invisible.Mark:     {"the first word that a program reads has three bytes more", "no right output is accepted"},
	invisible.CRLF:     {`a line that a program reads whole ends with \r`, "outputs with LF are not accepted"},
	invisible.CR:       {`a line that a program reads whole has \r in it`, "no right output is accepted"},
	invisible.NUL:      {"a program may take it for the end of the text", "no right output is accepted"},
	invisible.Blank:    {"to a program it does not separate words", "outputs with a blank of ASCII are not accepted"},
	invisible.Trailing: {"", "outputs without them are not accepted"},
	invisible.Unended:  {"", "outputs that end with a newline are not accepted"},
}

// surveyed bounds the bytes of test data in which judge grade looks for harm: a tenth of a second.
const surveyed = 64 << 20

// textNote returns one line about what harms programs in the files of a plain folder and cannot be
// seen, or "" if there is nothing. Other packages leave that to judge verify.
func textNote(t *grade.Task) (string, error) {
	p := t.Problem
	if p.Format != pkgformat.Pairs {
		return "", nil
	}
	exact := p.Validator == nil && p.Compare.Mode == diff.Exact
	var found invisible.Survey
	consequence := map[invisible.Kind]string{} // of the first file of a kind
	left := int64(surveyed)
	add := func(open func() (content.Content, error), file string, harm func(invisible.Kind) string) error {
		text, err := open()
		if err != nil || text.Size() > left {
			return err
		}
		left -= text.Size()
		lines, err := invisible.Scan(text.Reader())
		for k := range lines {
			if kind := invisible.Kind(k); lines[k] == 0 {
			} else if why := harm(kind); why == "" {
				lines[k] = 0
			} else if consequence[kind] == "" {
				consequence[kind] = why
			}
		}
		found.Add(lines, func(line int) string { return fmt.Sprintf("%s:%d", file, line) })
		return err
	}
	for i := range t.Cases {
		c := &t.Cases[i]
		if err := add(c.Given.Input, c.File, func(k invisible.Kind) string { return harms[k].input }); err != nil {
			return "", err
		}
		if !exact {
			continue
		}
		if err := add(c.Given.Output, c.OutputFile, func(k invisible.Kind) string { return harms[k].answer }); err != nil {
			return "", err
		}
	}
	for _, kind := range invisible.Kinds() {
		if line := found.Line(kind); line != "" {
			return fmt.Sprintf("note: %s; %s (hint: judge verify %s names other kinds)", line, consequence[kind], p.Path), nil
		}
	}
	return "", nil
}
