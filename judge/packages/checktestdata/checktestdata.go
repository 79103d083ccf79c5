// Package checktestdata checks inputs by programs in the Checktestdata language.
//
// Checktestdata is DOMjudge's language. A program describes an input by commands that match it
// piece by piece:
//
//	INT(1,1000,n) NEWLINE
//	REPI(i,n,SPACE) INT(0,10^9,a[i]) END NEWLINE
//	ASSERT(UNIQUE(a))
//
// The package implements the current specification, and follows DOMjudge's own tool where the
// specification leaves something open: && and || have the same precedence and associate to the
// left, ! applies to everything up to the next closing parenthesis, ^ associates to the left,
// division rounds towards zero, and strings and regular expressions consist of bytes. Unlike in
// that tool, fractions are exact, and UNIQUE can be negated.
//
// Begin with checktestdata.go. lex.go, parse.go and expr.go read a program; machine.go, run.go,
// number.go and value.go run it; regex.go and match.go implement its regular expressions; main.go is
// the interpreter that runs in the sandbox.
package checktestdata

import (
	"bytes"
	"fmt"
	"path"
	"strings"
)

// Limits of a program's text and numbers. Its time and memory are limited by the sandbox alone.
const (
	maxSource = 1 << 20 // bytes of a program
	maxDepth  = 1000    // levels of nested blocks, or of an expression
	maxBits   = 1 << 17 // bits of a number
	maxDigits = maxBits * 3 / 10
)

// Program is a parsed program. It is safe for concurrent use.
type Program struct {
	name   string
	source string
	body   []command
}

// Parse parses a program. name is the name of the program in messages. The error is an [*Error].
func Parse(name string, source []byte) (program *Program, err error) {
	p := &parser{lexer: lexer{name: name, src: string(source[:min(len(source), maxSource)])}}
	defer catch(&err)
	if len(source) > maxSource {
		p.fail(0, "", "larger than %d bytes", maxSource)
	}
	p.next()
	body := p.block(nil)
	return &Program{name, p.src, body}, nil
}

// Name returns the name of the program in messages.
func (p *Program) Name() string { return p.name }

// Check matches the input against the program, which must match all of it. The error is a
// [*Mismatch] if the input is not as described, and an [*Error] if the program cannot continue, for
// instance because a variable has no value. Check may run forever and use any amount of memory.
func (p *Program) Check(input []byte) (err error) {
	m := &machine{program: p, in: input, vars: map[string]*array{}, patterns: map[string]*matcher{}}
	defer catch(&err)
	m.run(p.body)
	m.end(&command{text: "end of the program", at: len(strings.TrimRight(p.source, " \t\r\n"))})
	return nil
}

// Error is a mistake in a program.
type Error struct {
	File   string
	Line   int // from 1
	Column int // in bytes, from 1
	Msg    string
	Hint   string // how to mend the mistake; may be empty
}

// Error returns "file:line:column: msg (hint: hint)".
func (e *Error) Error() string {
	s := fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, e.Msg)
	if e.Hint != "" {
		s += " (hint: " + e.Hint + ")"
	}
	return s
}

// Mismatch is the place at which an input differs from what a program describes.
type Mismatch struct {
	Line    int    // from 1
	Column  int    // in bytes, from 1
	Command string // the command that did not match, as written, with its file and line
	Msg     string
}

// Error returns "line:column: command of file:line: msg".
func (e *Mismatch) Error() string {
	return fmt.Sprintf("%d:%d: %s: %s", e.Line, e.Column, e.Command, e.Msg)
}

// stop is a panic value that carries an error out of a parser or machine. catch recovers it.
type stop struct{ error }

// catch, when deferred, recovers a panic with a stop and sets err to its error.
func catch(err *error) {
	switch r := recover().(type) {
	case nil:
	case stop:
		*err = r.error
	default:
		panic(r)
	}
}

// position returns the line and column of an offset, both from 1.
func position[T string | []byte](text T, at int) (line, column int) {
	before := []byte(text[:min(at, len(text))])
	return bytes.Count(before, []byte("\n")) + 1, len(before) - bytes.LastIndexByte(before, '\n')
}

// where returns "file:line" for an offset in the program, without the file's folder.
func (p *Program) where(at int) string {
	line, _ := position(p.source, at)
	return fmt.Sprintf("%s:%d", path.Base(p.name), line)
}

// brief returns a text on one line, truncated if it is long.
func brief(s string) string {
	const most = 60
	s = strings.Join(strings.Fields(s), " ")
	if len(s) > most {
		s = strings.ToValidUTF8(s[:most], "") + "…"
	}
	return s
}
