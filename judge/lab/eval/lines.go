package eval

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"unicode/utf8"

	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/yamlstrict"
)

// maxLine is the size of the longest line that is read. A line and what is read from it are in memory.
const maxLine = 256 * limits.MiB

// scanner reads the lines of a file in JSON Lines, without blank ones.
type scanner struct {
	file   string // for messages
	in     *bufio.Reader
	most   int64
	line   int   // number of the line that next has returned
	offset int64 // where it begins
	size   int64 // its size, with its end
	buffer []byte
}

func newScanner(file string, in io.Reader) *scanner {
	return &scanner{file: file, in: bufio.NewReaderSize(in, 64<<10), most: int64(maxLine)}
}

// next returns the next line, which is valid until the next call, and [io.EOF] after the last. A
// [*yamlstrict.Error] with a line is about that line alone.
func (s *scanner) next() ([]byte, error) {
	for {
		if cap(s.buffer) > 1<<20 {
			s.buffer = nil
		}
		s.buffer, s.offset, s.size = s.buffer[:0], s.offset+s.size, 0
		err := bufio.ErrBufferFull
		for errors.Is(err, bufio.ErrBufferFull) {
			var part []byte
			part, err = s.in.ReadSlice('\n')
			if s.size += int64(len(part)); s.size <= s.most {
				s.buffer = append(s.buffer, part...)
			}
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, yamlstrict.FileError(s.file, err)
		}
		if s.size == 0 {
			return nil, io.EOF
		}
		s.line++
		if rest, marked := bytes.CutPrefix(s.buffer, byteOrderMark); marked && s.line == 1 {
			skipped := int64(len(byteOrderMark))
			s.buffer, s.offset, s.size = rest, s.offset+skipped, s.size-skipped
		}
		switch {
		case s.size > s.most:
			return nil, s.errorf("put programs into a file of their own, or leave out the largest tests", "a line of %s, more than %s", limits.Bytes(s.size).Human(), limits.Bytes(s.most))
		case len(bytes.TrimSpace(s.buffer)) == 0:
			continue
		case !utf8.Valid(s.buffer):
			return nil, s.errorf("JSON is written in UTF-8", "not valid UTF-8 at byte %d", invalid(s.buffer)+1)
		}
		return s.buffer, nil
	}
}

// shape returns what reads the next value of a file: next for JSON Lines, or for one list in JSON and for
// objects over several lines a function like it, which returns their values. The scanner has read nothing
// yet.
func (s *scanner) shape() func() ([]byte, error) {
	head, _ := s.in.Peek(s.in.Size())
	head = bytes.TrimSpace(bytes.TrimPrefix(head, byteOrderMark))
	first, _, _ := bytes.Cut(head, []byte("\n"))
	list := bytes.HasPrefix(head, []byte("["))
	if !list && string(bytes.TrimSpace(first)) != "{" {
		return s.next
	}
	begin := int64(0)
	if head, _ := s.in.Peek(len(byteOrderMark)); bytes.Equal(head, byteOrderMark) {
		n, _ := s.in.Discard(len(byteOrderMark))
		begin = int64(n)
	}
	ends := &lineEnds{in: s.in}
	d := json.NewDecoder(ends)
	var err error
	if list {
		_, err = d.Token()
	}
	ended := err != nil
	return func() ([]byte, error) {
		if ended {
			return nil, io.EOF
		}
		var value json.RawMessage
		if ended = !d.More(); ended && list {
			_, err = d.Token()
		} else if !ended {
			err = d.Decode(&value)
			ended = err != nil
		}
		s.size = int64(len(value))
		at := d.InputOffset() - s.size
		s.offset, s.line = begin+at, 1+ends.before(at)
		switch {
		case err != nil:
			return nil, s.errorf("", "%s: %v", map[bool]string{true: "a list that is not JSON", false: "not JSON"}[list], err)
		case ended:
			return nil, io.EOF
		}
		return value, nil
	}
}

// lineEnds notes where the lines of a text end that is read through it.
type lineEnds struct {
	in     io.Reader
	offset int64
	ends   []int64 // not yet counted
	lines  int
}

func (l *lineEnds) Read(p []byte) (int, error) {
	n, err := l.in.Read(p)
	for i, c := range p[:n] {
		if c == '\n' {
			l.ends = append(l.ends, l.offset+int64(i))
		}
	}
	l.offset += int64(n)
	return n, err
}

// before returns the number of lines that end before an offset, which grows from call to call.
func (l *lineEnds) before(offset int64) int {
	for len(l.ends) > 0 && l.ends[0] < offset {
		l.ends, l.lines = l.ends[1:], l.lines+1
	}
	return l.lines
}

// byteOrderMark is at the beginning of files that some editors of Windows write.
var byteOrderMark = []byte("\ufeff")

// errorf returns an error about the line.
func (s *scanner) errorf(hint, format string, args ...any) *yamlstrict.Error {
	return located(s.file, s.line, "", hint, format, args...)
}

// invalid returns the offset of the first byte that is not part of a character.
func invalid(text []byte) int {
	for i := 0; ; {
		r, n := utf8.DecodeRune(text[i:])
		if r == utf8.RuneError && n < 2 {
			return i
		}
		i += n
	}
}

// wrong is an error in a line or in a text within it.
type wrong struct{ msg, hint string }

func (w *wrong) Error() string { return w.msg }

func wrongf(hint, format string, args ...any) error {
	return &wrong{fmt.Sprintf(format, args...), hint}
}

// decode decodes an object in JSON. With known, another key is an error, and known are those that a
// hint may suggest. The error is a [*wrong].
func decode(text []byte, into any, known ...string) error {
	if known == nil { // without another copy of the text, which may be large
		if err := json.Unmarshal(text, into); err != nil {
			return explain(text, err)
		}
		return nil
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	err := d.Decode(into)
	if err == nil {
		if _, more := d.Token(); !errors.Is(more, io.EOF) {
			return wrongf("write each on a line of its own", "more than one value")
		}
		return nil
	}
	if key, unknown := strings.CutPrefix(err.Error(), "json: unknown field "); unknown {
		key = strings.Trim(key, `"`)
		if near := yamlstrict.Nearest(key, known); near != "" {
			return wrongf("did you mean "+near+"?", "unknown key %q", key)
		}
		return wrongf("own data belongs under metadata; the keys are "+strings.Join(known, ", "), "unknown key %q", key)
	}
	return explain(text, err)
}

// explain returns an error of package json in words for the user.
func explain(text []byte, err error) error {
	if w, ok := errors.AsType[*wrong](err); ok {
		return w
	}
	if bytes.HasPrefix(bytes.TrimSpace(text), []byte("[")) { // perhaps only its beginning
		return wrongf("jq -c '.[]' writes the values of a list on lines", "a list instead of an object")
	}
	if t, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		what := "the value"
		if t.Field != "" {
			what = strings.TrimPrefix(t.Field, "programLine.") // which is embedded in the type of a line
		}
		return wrongf("", "%s: want %s, not %s", what, kindOf(t.Type), word(t.Value))
	}
	if s, ok := errors.AsType[*json.SyntaxError](err); ok && s.Offset < int64(len(text)) {
		return wrongf("each line is one object in JSON", "not JSON at byte %d: %v", s.Offset, s)
	}
	return wrongf("each line is one object in JSON", "not JSON: the text ends too early")
}

// kindOf returns the kind of JSON value that is read into a type.
func kindOf(t reflect.Type) string {
	switch t.Kind() {
	case reflect.String:
		return "a text"
	case reflect.Slice:
		return "a list"
	case reflect.Float64:
		return "a number"
	case reflect.Int, reflect.Int64:
		return "a whole number"
	}
	return "an object"
}

// word returns what people call a kind of JSON value.
func word(value string) string {
	kind, _, _ := strings.Cut(value, " ")
	switch kind {
	case "string":
		return "a text"
	case "array":
		return "a list"
	case "object":
		return "an object"
	case "bool":
		return "true or false"
	}
	return "a " + value
}

// text is a text or a whole number, which some data sets use for ids.
type text string

// UnmarshalJSON reads a text or a whole number; null is none.
func (t *text) UnmarshalJSON(data []byte) error {
	if data[0] == '"' {
		return json.Unmarshal(data, (*string)(t))
	}
	if string(data) == "null" {
		return nil
	}
	if bytes.ContainsAny(data, "{[.eEtfn") {
		return wrongf("", "an id is %s, not a text or a whole number", first(string(data), 20))
	}
	*t = text(data)
	return nil
}

// embedded is a value that may be written as a text that holds it in JSON.
type embedded []byte

// UnmarshalJSON keeps the value, or what is in the text.
func (e *embedded) UnmarshalJSON(data []byte) error {
	if data[0] != '"' {
		*e = bytes.Clone(data)
		return nil
	}
	var inner string
	err := json.Unmarshal(data, &inner)
	*e = embedded(inner)
	return err
}

// empty reports whether there is no value.
func (e embedded) empty() bool {
	trimmed := bytes.TrimSpace(e)
	return len(trimmed) == 0 || string(trimmed) == "null"
}
