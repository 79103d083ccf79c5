package main

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// A lineReader splits the input into lines of fields and knows where it is.
type lineReader struct {
	in   *bufio.Reader
	line int // number of the line read last
}

// next returns the fields of the next line that has any, or none and io.EOF.
func (r *lineReader) next() ([]string, error) {
	for {
		text, err := r.in.ReadString('\n')
		if err != nil && err != io.EOF {
			return nil, err
		}
		r.line++
		text = strings.TrimSuffix(strings.TrimSuffix(text, "\n"), "\r")
		if fields := strings.FieldsFunc(text, isBlank); len(fields) > 0 {
			return fields, nil
		}
		if err == io.EOF {
			return nil, io.EOF
		}
	}
}

func isBlank(c rune) bool { return c == ' ' || c == '\t' }

// due returns the fields of the next line, which must exist: what says what it
// holds.
func (r *lineReader) due(what string) ([]string, error) {
	fields, err := r.next()
	if err == io.EOF {
		return nil, r.malformed("the input ends where it should go on with %s", what)
	}
	return fields, err
}

// numbers returns the numbers of the next line, which must be count in number.
func (r *lineReader) numbers(count int, what string) ([]int, error) {
	fields, err := r.due(what)
	if err != nil {
		return nil, err
	}
	if len(fields) != count {
		return nil, r.malformed("%d fields instead of %d (hint: %s)", len(fields), count, what)
	}
	numbers := make([]int, count)
	for i, field := range fields {
		if numbers[i], err = strconv.Atoi(field); err != nil || field[0] == '+' {
			return nil, r.malformed("%s is not a plain decimal number of this size (hint: %s)", quote(field), what)
		}
	}
	return numbers, nil
}

// malformed returns an error about the line read last.
func (r *lineReader) malformed(format string, args ...any) error {
	return &malformed{r.line, fmt.Sprintf(format, args...)}
}

// quote shows a piece of input on one line, and not all of it if it is long.
func quote(text string) string {
	const most = 24
	if len(text) > most {
		return fmt.Sprintf("%q and %d bytes more", text[:most], len(text)-most)
	}
	return fmt.Sprintf("%q", text)
}
