// Package document writes the JSON documents of the judge, all by the same rules.
//
// A document is valid UTF-8 and contains only printable characters, so that it is safe to show on a
// terminal: a byte of invalid UTF-8 becomes U+FFFD, and U+FFFD and all unprintable characters are
// escaped. An empty list is [], never null. Times are in whole nanoseconds and sizes in whole
// bytes, because their fields have integer types.
package document

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"tribunal/judge/internal/version"
)

// MaxText is the largest size in bytes of a free text, such as a compiler's output, in a document.
const MaxText = 64 << 10

// Head is the beginning of a document, or of a stream of lines.
type Head struct {
	Schema string `json:"schema"` // name of the format, such as tribunal/grade/1
	Judge  string `json:"judge"`  // the build of the judge that wrote the document
}

// NewHead returns the head of a document in the format schema, written by this build.
func NewHead(schema string) Head { return Head{schema, version.Build()} }

// Write writes v as one document, indented by two spaces, with one call of w.Write.
func Write(w io.Writer, v any) error {
	text, err := encoded(v, "  ")
	if err != nil {
		return err
	}
	_, err = w.Write(text)
	return err
}

// Line writes one object on a line of its own, with one call of w.Write. The object has the fields
// of all parts, in order; each part must itself be an object in JSON.
func Line(w io.Writer, parts ...any) error {
	var fields [][]byte
	for _, p := range parts {
		text, err := encoded(p, "")
		if err != nil {
			return err
		}
		inner, object := bytes.CutPrefix(bytes.TrimSuffix(text, []byte("}\n")), []byte("{"))
		if !object {
			return fmt.Errorf("%T is not an object in JSON", p)
		}
		if len(inner) > 0 {
			fields = append(fields, inner)
		}
	}
	_, err := fmt.Fprintf(w, "{%s}\n", bytes.Join(fields, []byte(",")))
	return err
}

// encoded returns v in JSON with a newline at the end. Without an indent it is one line.
func encoded(v any, indent string) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", indent)
	if err := e.Encode(filled(v)); err != nil {
		return nil, err
	}
	// The encoder has escaped the control characters of ASCII except for DEL. All others occur only
	// in strings.
	text := b.Bytes()
	from := 0 // the beginning of what has not been copied
	var out []byte
	for i := 0; i < len(text); {
		if c := text[i]; c < utf8.RuneSelf && c != 0x7f {
			i++
			continue
		}
		r, size := utf8.DecodeRune(text[i:])
		if !unicode.IsPrint(r) || r == unicode.ReplacementChar {
			out = append(out, text[from:i]...)
			if r > 0xffff {
				hi, lo := utf16.EncodeRune(r)
				out = fmt.Appendf(out, `\u%04x\u%04x`, hi, lo)
			} else {
				out = fmt.Appendf(out, `\u%04x`, r)
			}
			from = i + size
		}
		i += size
	}
	if out == nil {
		return text, nil
	}
	return append(out, text[from:]...), nil
}

// First returns the first MaxText bytes of a free text, or the whole text if it is shorter.
func First(text string) string { return strings.Clone(text[:min(len(text), MaxText)]) }

// Last returns the last MaxText bytes of a free text, or the whole text if it is shorter.
func Last(text string) string { return strings.Clone(text[max(0, len(text)-MaxText):]) }

// Text is a free text. A document holds its first MaxText bytes.
type Text []byte

// MarshalText returns the first MaxText bytes.
func (t Text) MarshalText() ([]byte, error) { return t[:min(len(t), MaxText)], nil }

// Tail is a free text. A document holds its last MaxText bytes.
type Tail []byte

// MarshalText returns the last MaxText bytes.
func (t Tail) MarshalText() ([]byte, error) { return t[max(0, len(t)-MaxText):], nil }

// Number is a number that may be infinite or NaN. Both become null, because JSON has no such
// numbers.
type Number float64

// MarshalJSON writes the number or null.
func (n Number) MarshalJSON() ([]byte, error) {
	if !n.Finite() {
		return []byte("null"), nil
	}
	return json.Marshal(float64(n))
}

// UnmarshalJSON parses a number; null becomes infinity.
func (n *Number) UnmarshalJSON(text []byte) error {
	if string(text) == "null" {
		*n = Number(math.Inf(1))
		return nil
	}
	return json.Unmarshal(text, (*float64)(n))
}

// Finite reports whether the number is neither infinite nor NaN.
func (n Number) Finite() bool { return !math.IsInf(float64(n), 0) && !math.IsNaN(float64(n)) }
