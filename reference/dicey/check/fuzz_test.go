package main

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"testing"

	"tribunal/reference/internal/programs"
)

// largest is the size of the largest rungs that the fuzz test begins with.
const largest = 4

func build(tb testing.TB) programs.Programs { return programs.Build(tb, "..", "../brute", "../gen") }

func agree(t *testing.T, p programs.Programs, input []byte) {
	t.Helper()
	strictly := func(input []byte) error {
		_, _, err := checkInput(input)
		return err
	}
	loosely := func(input []byte) error {
		err := strictly(strict(input))
		if err != nil && strings.HasSuffix(err.Error(), "more than one solution") {
			return nil // the solver answers a maze with several solutions, too
		}
		return err
	}
	p.Agree(t, "dicey", input, strictly, loosely)
}

// strict returns an input that the solver answers in the layout of the statement: single blanks, no
// empty lines, and numbers in their shortest form.
func strict(input []byte) []byte {
	var text []byte
	rows := -1 // rows left of the maze; -1 before a name, 0 before a header
	for line := range strings.Lines(string(input)) {
		fields := strings.FieldsFunc(strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r"), func(c rune) bool { return c == ' ' || c == '\t' })
		if len(fields) == 0 {
			continue
		}
		if rows < 0 {
			rows = 0
		} else {
			for i := range fields {
				if n, err := strconv.Atoi(fields[i]); err == nil {
					fields[i] = strconv.Itoa(n)
				}
			}
			if rows == 0 {
				rows, _ = strconv.Atoi(fields[0])
			} else if rows--; rows == 0 {
				rows = -1
			}
		}
		text = append(append(text, strings.Join(fields, " ")...), '\n')
	}
	return text
}

// TestAgreement replaces each word and each end of a word by texts that are likely to be misread.
func TestAgreement(t *testing.T) {
	p := build(t)
	parts := []string{"A", "\n", "1", " ", "2", " ", "1", " ", "1", " ", "1", " ", "2", "\n", "4", " ", "-1", "\n", "END", "\n"}
	agree(t, p, []byte(strings.Join(parts, "")))
	for i := range parts {
		changed := slices.Clone(parts)
		for _, with := range []string{
			"", "0", "-1", "6", "7", "11", "-0", "007", "+1", "END", "a b", "TWENTY-ONE-CHARACTERS", "\t", "\r\n", "\n\n", "Ä", "99999999999999999999",
		} {
			changed[i] = with
			agree(t, p, []byte(strings.Join(changed, "")))
		}
	}
}

func FuzzAgreement(f *testing.F) {
	p := build(f)
	for _, input := range p.Ladder(f, largest) {
		f.Add(input)
		f.Add(bytes.ReplaceAll(bytes.ReplaceAll(input, []byte("\n"), []byte(" \r\n\n")), []byte(" "), []byte(" \t")))
	}
	f.Add([]byte(statement))
	f.Fuzz(func(t *testing.T, input []byte) { agree(t, p, input) })
}
