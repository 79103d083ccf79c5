// Package table reads and writes tables in CSV as spreadsheets and learning platforms do.
package table

import (
	"bytes"
	"encoding/binary"
	"encoding/csv"
	"errors"
	"io"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"

	"tribunal/judge/internal/regular"
	"tribunal/judge/internal/tty"
	"tribunal/judge/internal/yamlstrict"
)

// A Table is a table in CSV with a header.
type Table struct {
	File   string
	Comma  rune // what separates its fields: a comma, a semicolon or a tab
	BOM    bool // whether it begins with a byte order mark
	Header []string
	Rows   [][]string // each with as many fields as the header
	lines  []int      // where each row begins
}

// maxTable is the size of the largest table in bytes.
const maxTable = 64 << 20

// Read reads a table: UTF-8 or UTF-16 with or without a byte order mark, or else Windows-1252, which has the letters of
// Latin-1. The separator is that which the header has most of. Empty rows are left out, and blanks around a name in the
// header. An error of the user is a [*yamlstrict.Error]; hint says what is wanted where there is nothing.
func Read(name, hint string) (*Table, error) {
	f, err := regular.OpenAny(name)
	if err != nil {
		return nil, unreadable(name, err, "name a table that can be read")
	}
	defer f.Close()
	raw, err := io.ReadAll(io.LimitReader(f, maxTable))
	if err != nil {
		return nil, unreadable(name, err, "name a table in CSV")
	}
	t := &Table{File: name}
	text := t.decode(raw)
	t.Comma = separator(text)
	c := csv.NewReader(strings.NewReader(text))
	c.Comma, c.TrimLeadingSpace = t.Comma, t.Comma != '\t'
	for {
		fields, err := c.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if bad, ok := errors.AsType[*csv.ParseError](err); ok {
			return nil, &yamlstrict.Error{File: name, Line: bad.Line, Msg: bad.Err.Error(), Hint: "CSV as of RFC 4180: fields with separators or quotes stand in quotes"}
		}
		if err != nil {
			return nil, unreadable(name, err, "name a table in CSV")
		}
		line, _ := c.FieldPos(0)
		if t.Header == nil {
			for _, field := range fields {
				t.Header = append(t.Header, strings.TrimSpace(field))
			}
			continue
		}
		if !slices.ContainsFunc(fields, func(f string) bool { return strings.TrimSpace(f) != "" }) {
			continue
		}
		t.Rows, t.lines = append(t.Rows, fields), append(t.lines, line)
	}
	if t.Header == nil {
		return nil, &yamlstrict.Error{File: name, Msg: "the table is empty", Hint: hint}
	}
	return t, nil
}

// unreadable returns err, from opening or reading a file, with a hint.
func unreadable(path string, err error, hint string) error {
	e := yamlstrict.FileError(path, err)
	e.Hint = hint
	return e
}

// decode returns raw as UTF-8, and sets BOM.
func (t *Table) decode(raw []byte) string {
	for mark, order := range map[string]binary.ByteOrder{"\xff\xfe": binary.LittleEndian, "\xfe\xff": binary.BigEndian} {
		if rest, ok := bytes.CutPrefix(raw, []byte(mark)); ok {
			t.BOM = true
			units := make([]uint16, len(rest)/2)
			for i := range units {
				units[i] = order.Uint16(rest[2*i:])
			}
			return string(utf16.Decode(units))
		}
	}
	raw, t.BOM = bytes.CutPrefix(raw, []byte("\ufeff"))
	if utf8.Valid(raw) {
		return string(raw)
	}
	text, err := charmap.Windows1252.NewDecoder().Bytes(raw)
	if err != nil {
		return strings.ToValidUTF8(string(raw), "\ufffd")
	}
	return string(text)
}

// separator returns what the first line has most of: commas, semicolons or tabs that stand in no quotes.
func separator(text string) rune {
	count := map[rune]int{}
	quoted := false
	for _, r := range text {
		if r == '"' {
			quoted = !quoted
		}
		if r == '\n' && !quoted {
			break
		}
		if !quoted {
			count[r]++
		}
	}
	best := ','
	for _, r := range ";\t" {
		if count[r] > count[best] {
			best = r
		}
	}
	return best
}

// Column returns the index of the first column with one of these names, in capitals or not, or -1.
func (t *Table) Column(names ...string) int {
	return slices.IndexFunc(t.Header, func(h string) bool {
		return slices.ContainsFunc(names, func(name string) bool { return strings.EqualFold(h, name) })
	})
}

// Error returns an error about a row, or with -1 about the header.
func (t *Table) Error(row int, msg, hint string) error {
	line := 1
	if row >= 0 {
		line = t.lines[row]
	}
	return &yamlstrict.Error{File: t.File, Line: line, Msg: msg, Hint: hint}
}

// Write writes rows in the form of t: with its separator, and with a byte order mark if it has one or bom is set.
func (t *Table) Write(w io.Writer, bom bool, rows [][]string) error {
	var b bytes.Buffer
	if (t.BOM || bom) && !tty.IsTerminal(w) {
		b.WriteString("\ufeff")
	}
	c := csv.NewWriter(&b)
	c.Comma, c.UseCRLF = t.Comma, !tty.IsTerminal(w)
	if err := c.WriteAll(rows); err != nil {
		return err
	}
	return tty.Data(w, b.Bytes())
}
