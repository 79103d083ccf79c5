// Package table reads and writes tables in CSV as spreadsheets and learning platforms do.
package table

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"

	"tribunal/judge/internal/regular"
	"tribunal/judge/internal/tty"
	"tribunal/judge/internal/yamlstrict"
)

// A Table is a table in CSV with a header.
type Table struct {
	File   string
	Comma  rune // what separates its fields: a comma, a semicolon or a tab
	BOM    bool // whether it is in UTF-8 and begins with a byte order mark
	Header []string
	Rows   [][]string // each with as many fields as the header

	DecimalComma bool // whether its numbers have decimal commas

	lines   []int             // where each row begins
	first   string            // the line sep=; before the header, with its end; "" if there is none
	newline bool              // whether lines end with a newline alone
	coding  encoding.Encoding // nil for UTF-8
}

// maxTable is the size of the largest table in bytes.
const maxTable = 64 << 20

// Read reads a table: UTF-8 with or without a byte order mark, UTF-16 with one, or else Windows-1252, which has the
// letters of Latin-1. The separator is that which a first line such as sep=; names, or the header has most of. Empty
// rows are left out, and blanks around a name in the header. An error of the user is a [*yamlstrict.Error]; hint says
// what is wanted where there is nothing.
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
	return Decode(name, raw, hint)
}

// Decode reads the content of a table, as Read does.
func Decode(name string, raw []byte, hint string) (*Table, error) {
	if len(raw) >= maxTable {
		return nil, &yamlstrict.Error{File: name, Msg: fmt.Sprintf("a table of %d MiB or more", maxTable>>20), Hint: "name a table of students"}
	}
	if bytes.HasPrefix(raw, []byte("PK\x03\x04")) || bytes.HasPrefix(raw, []byte("\xd0\xcf\x11\xe0")) {
		return nil, &yamlstrict.Error{File: name, Msg: "a workbook, not a table in CSV", Hint: "save its sheet as CSV"}
	}
	t := &Table{File: name}
	text := t.decode(raw)
	if !strings.Contains(text, "\n") {
		text = strings.ReplaceAll(text, "\r", "\n") // as Excel for Mac may end lines
	}
	t.newline = !strings.Contains(text, "\r\n")
	t.first = separated().FindString(text)
	text = text[len(t.first):]
	if t.Comma = separator(text); t.first != "" {
		t.Comma = rune(t.first[len("sep=")])
	}
	c := csv.NewReader(strings.NewReader(strings.Repeat("\n", strings.Count(t.first, "\n")) + text)) // lines keep their numbers
	c.Comma, c.TrimLeadingSpace = t.Comma, strings.Contains(text, string(t.Comma)+` "`)              // as people write it
	for {
		fields, err := c.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if bad, ok := errors.AsType[*csv.ParseError](err); ok && errors.Is(err, csv.ErrFieldCount) {
			return nil, &yamlstrict.Error{File: name, Line: bad.Line, Msg: fmt.Sprintf("number of fields: %d, but %d in the header", len(fields), len(t.Header)), Hint: "every row has all columns; a field with a separator stands in quotes"}
		} else if ok {
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
	t.DecimalComma = t.Comma != ',' && t.commas()
	return t, nil
}

// separated matches a first line such as sep=; that names the separator for spreadsheets.
var separated = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(?i:sep)=[,;\t]\r?\n`) })

var withPoint = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^-?\d+\.\d+$`) })
var withComma = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^-?\d+,\d+$`) })

// commas reports whether numbers in these columns, or in all if none is given, have decimal commas.
func (t *Table) commas(columns ...int) (found bool) {
	for _, row := range t.Rows {
		for i, field := range row {
			switch {
			case len(columns) > 0 && !slices.Contains(columns, i):
			case withPoint().MatchString(field):
				return false
			case withComma().MatchString(field):
				found = true
			}
		}
	}
	return found
}

// Points says which columns hold numbers, so that decimal commas in them are not taken for parts of texts.
func (t *Table) Points(columns ...int) {
	t.DecimalComma = t.DecimalComma || len(columns) > 0 && t.commas(columns...)
}

// Format returns a number with ten digits at most, and a comma if the table has decimal commas.
func (t *Table) Format(n float64) string {
	text := strconv.FormatFloat(n, 'g', 10, 64)
	if t.DecimalComma {
		text = strings.Replace(text, ".", ",", 1)
	}
	return text
}

// Parse returns the number in a field, with a decimal point or comma, and whether it is one.
func Parse(field string) (n float64, is bool) {
	n, err := strconv.ParseFloat(strings.Replace(strings.TrimSpace(field), ",", ".", 1), 64)
	return n, err == nil && n-n == 0 // neither infinite nor none
}

// Yes reports whether a field says that something is so: it is not empty, zero or a word for no.
func Yes(field string) bool {
	field = strings.ToLower(strings.TrimSpace(field))
	return strings.Trim(field, "0:.,- ") != "" && !slices.Contains([]string{"no", "n", "false", "nein", "non"}, field)
}

// unreadable returns err, from opening or reading a file, with a hint.
func unreadable(path string, err error, hint string) error {
	e := yamlstrict.FileError(path, err)
	e.Hint = hint
	return e
}

// decode returns raw as UTF-8, and records how it was written.
func (t *Table) decode(raw []byte) string {
	switch {
	case bytes.HasPrefix(raw, []byte("\xff\xfe")):
		t.coding = unicode.UTF16(unicode.LittleEndian, unicode.UseBOM)
	case bytes.HasPrefix(raw, []byte("\xfe\xff")):
		t.coding = unicode.UTF16(unicode.BigEndian, unicode.UseBOM)
	default:
		if raw, t.BOM = bytes.CutPrefix(raw, []byte("\ufeff")); utf8.Valid(raw) {
			return string(raw)
		}
		t.coding = charmap.Windows1252
	}
	text, err := t.coding.NewDecoder().Bytes(raw)
	if err != nil {
		text = raw
	}
	return strings.ToValidUTF8(string(text), "\ufffd")
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

// Line returns the line in which a row begins.
func (t *Table) Line(row int) int { return t.lines[row] }

// Error returns an error about a row, or with -1 about the header.
func (t *Table) Error(row int, msg, hint string) error {
	line := 1
	if row >= 0 {
		line = t.Line(row)
	}
	return &yamlstrict.Error{File: t.File, Line: line, Msg: msg, Hint: hint}
}

// Write writes rows in the form of t: with its separator, ends of lines and encoding, and with a byte order mark if it
// has one or bom is set. A text that the encoding lacks makes it UTF-8 with a byte order mark. The rows of a table that
// was not read end as RFC 4180 has it.
func (t *Table) Write(w io.Writer, bom bool, rows [][]string) error {
	var b bytes.Buffer
	if !tty.IsTerminal(w) {
		b.WriteString(t.first)
	}
	c := csv.NewWriter(&b)
	c.Comma = cmp.Or(t.Comma, ',')
	for _, row := range rows {
		if err := c.Write(row); err != nil {
			return err
		}
		if c.Flush(); !t.newline && !tty.IsTerminal(w) { // the ends of lines within fields stay
			b.Truncate(b.Len() - 1)
			b.WriteString("\r\n")
		}
	}
	if t.coding != nil && !tty.IsTerminal(w) && !(bom && t.coding == charmap.Windows1252) {
		if coded, err := t.coding.NewEncoder().Bytes(b.Bytes()); err == nil {
			return tty.Data(w, coded)
		}
		bom = true
	}
	if (t.BOM || bom) && !tty.IsTerminal(w) {
		return tty.Data(w, append([]byte("\ufeff"), b.Bytes()...))
	}
	return tty.Data(w, b.Bytes())
}
