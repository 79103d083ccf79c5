package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
)

// maxLine bounds the memory for one line of input. With single blanks the longest line has 29
// characters.
const maxLine = 1 << 20

// A lineReader splits the input into lines of fields and counts the lines.
type lineReader struct {
	lines  *bufio.Scanner
	line   int      // number of the last line read
	fields [][]byte // the fields of that line; the next line overwrites them
	values []int    // the numbers of the last line of numbers; the next such line overwrites them
}

func newLineReader(in io.Reader) *lineReader {
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, maxLine)
	return &lineReader{lines: lines}
}

// next returns the fields of the next line that has any, or none and io.EOF. They are valid until
// the next call of next.
func (r *lineReader) next() ([][]byte, error) {
	for r.lines.Scan() {
		r.line++
		r.split(r.lines.Bytes())
		if len(r.fields) > 0 {
			return r.fields, nil
		}
	}
	r.line++
	switch err := r.lines.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return nil, r.malformed("more than %d bytes without a line end", maxLine)
	case err != nil:
		return nil, err
	default:
		return nil, io.EOF
	}
}

// split cuts a line at blanks.
func (r *lineReader) split(line []byte) {
	r.fields = r.fields[:0]
	from := 0
	for i, c := range line {
		if c == ' ' || c == '\t' {
			if from < i {
				r.fields = append(r.fields, line[from:i])
			}
			from = i + 1
		}
	}
	if from < len(line) {
		r.fields = append(r.fields, line[from:])
	}
}

// due returns the fields of the next line, which must exist. what describes its content, for the
// error.
func (r *lineReader) due(what string) ([][]byte, error) {
	fields, err := r.next()
	if err == io.EOF {
		return nil, r.malformed("the input ends where it should continue with %s", what)
	}
	return fields, err
}

// numbers returns the numbers of the next line, which must have exactly count of them. They are
// valid until the next call of numbers. what describes the line, for errors.
func (r *lineReader) numbers(count int, what string) ([]int, error) {
	fields, err := r.due(what)
	if err != nil {
		return nil, err
	}
	if len(fields) != count {
		return nil, r.malformed("%d fields instead of %d (hint: %s)", len(fields), count, what)
	}
	r.values = r.values[:0]
	for _, field := range fields {
		n, err := strconv.Atoi(string(field))
		if err != nil || field[0] == '+' {
			return nil, r.malformed("%s is not a plain decimal number of this size (hint: %s)", quote(field), what)
		}
		r.values = append(r.values, n)
	}
	return r.values, nil
}

// malformed returns an error about the last line read.
func (r *lineReader) malformed(format string, args ...any) error {
	return &malformed{r.line, fmt.Sprintf(format, args...)}
}

// quote returns a piece of input on one line, shortened if it is long.
func quote(text []byte) string {
	const most = 24
	if len(text) > most {
		return fmt.Sprintf("%q and %d bytes more", text[:most], len(text)-most)
	}
	return fmt.Sprintf("%q", text)
}
