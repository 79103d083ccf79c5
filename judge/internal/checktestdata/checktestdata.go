// Package checktestdata checks inputs by programs in the Checktestdata language.
//
// In this language, which is DOMjudge's, an input is described by commands that match
// it piece by piece:
//
//	INT(1,1000,n) NEWLINE
//	REPI(i,n,SPACE) INT(0,10^9,a[i]) END NEWLINE
//	ASSERT(UNIQUE(a))
//
// It is the language of the current specification. Of what that leaves open, this is what
// DOMjudge's own tool makes of it: && and || bind equally and to the left, ! takes in
// everything that follows it up to a closing parenthesis, ^ binds to the left, division
// rounds towards zero, and strings and regular expressions are of bytes. Unlike there,
// fractions are exact, and UNIQUE can be negated.
package checktestdata

import (
	"bytes"
	"fmt"
	"path"
	"strings"
)

// What a program may say. What it takes to run it has no bound here but where it runs.
const (
	maxSource = 1 << 20 // bytes of a program
	maxDepth  = 1000    // of blocks, and of an expression
	maxBits   = 1 << 17 // of a number
	maxDigits = maxBits * 3 / 10
)

// Program is a program that could be read. It can be used by many goroutines at once.
type Program struct {
	name   string
	source string
	body   []command
}

// Parse reads a program. name is what messages call it. The error is an [*Error].
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

// Name returns what messages call the program.
func (p *Program) Name() string { return p.name }

// Check matches the input against the program, which has to reach its end together with
// the input. The error is a [*Mismatch] when the input is not as described, an [*Error]
// when the program cannot go on, for instance because a variable has no value. A program may
// run for ever, and take any amount of memory.
func (p *Program) Check(input []byte) (err error) {
	m := &machine{program: p, in: input, vars: map[string]*array{}, patterns: map[string]*matcher{}}
	defer catch(&err)
	m.run(p.body)
	m.end(&command{text: "end of the program", at: len(strings.TrimRight(p.source, " \t\r\n"))})
	return nil
}

// Error says what is wrong with a program.
type Error struct {
	File   string
	Line   int // from 1, as are columns, which count bytes
	Column int
	Msg    string
	Hint   string // what to do about it; may be empty
}

// Error returns "file:line:column: msg (hint: hint)" on one line.
func (e *Error) Error() string {
	s := fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, e.Msg)
	if e.Hint != "" {
		s += " (hint: " + e.Hint + ")"
	}
	return s
}

// Mismatch says where an input is not as a program describes it.
type Mismatch struct {
	Line    int // from 1, as are columns, which count bytes
	Column  int
	Command string // what did not match, as it is written, with the line where it stands
	Msg     string
}

// Error returns "line:column: command of file:line: msg" on one line.
func (e *Mismatch) Error() string {
	return fmt.Sprintf("%d:%d: %s: %s", e.Line, e.Column, e.Command, e.Msg)
}

// stop is what ends a parser or a machine from within, however deep: it is thrown by
// panic, and caught where they began.
type stop struct{ error }

func catch(err *error) {
	switch r := recover().(type) {
	case nil:
	case stop:
		*err = r.error
	default:
		panic(r)
	}
}

// position returns line and column of an offset.
func position[T string | []byte](text T, at int) (line, column int) {
	before := []byte(text[:min(at, len(text))])
	return bytes.Count(before, []byte("\n")) + 1, len(before) - bytes.LastIndexByte(before, '\n')
}

// where names a line of the program, without its folder.
func (p *Program) where(at int) string {
	line, _ := position(p.source, at)
	return fmt.Sprintf("%s:%d", path.Base(p.name), line)
}

// brief is a text on one line, without its end if it is long.
func brief(s string) string {
	const most = 60
	s = strings.Join(strings.Fields(s), " ")
	if len(s) > most {
		s = strings.ToValidUTF8(s[:most], "") + "…"
	}
	return s
}
