package main

import (
	"bytes"
	"testing"

	"tribunal/reference/internal/programs"
)

// largest is the size of the largest rungs that the fuzz test begins with.
const largest = 14

func build(tb testing.TB) programs.Programs { return programs.Build(tb, "..", "../brute", "../gen") }

func agree(t *testing.T, p programs.Programs, input []byte) {
	t.Helper()
	strictly := func(input []byte) error { return validate(bytes.NewReader(input)) }
	loosely := func(input []byte) error { return strictly(strict(input)) }
	p.Agree(t, "game", input, strictly, loosely)
}

// strict returns the input in the layout of the statement: no blanks, no empty lines.
func strict(input []byte) []byte {
	var text []byte
	for line := range bytes.Lines(input) {
		if row := bytes.Trim(line, " \t\r\n"); len(row) > 0 {
			text = append(append(text, row...), '\n')
		}
	}
	return text
}

// TestAgreement inserts bytes that are likely to be misread at places of each kind, or replaces a
// byte by them.
func TestAgreement(t *testing.T) {
	p := build(t)
	agree(t, p, []byte(valid))
	for _, with := range []string{"", " ", "\r", "\n", "W", "b", "0", "2", "\x00"} {
		for _, at := range []int{0, 2, 4, 19, 20, 23, len(valid)} {
			for _, replaced := range []int{0, 1} {
				rest := valid[min(at+replaced, len(valid)):]
				agree(t, p, []byte(valid[:at]+with+rest))
			}
		}
	}
}

func FuzzAgreement(f *testing.F) {
	p := build(f)
	for _, input := range p.Ladder(f, largest) {
		f.Add(input)
		f.Add(bytes.ReplaceAll(input, []byte("\n"), []byte(" \r\n\n")))
	}
	f.Fuzz(func(t *testing.T, input []byte) { agree(t, p, input) })
}
