package web

import (
	"errors"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"
)

// jsonFormat is that of huma, for bodies that [textual] accepts.
var jsonFormat = huma.Format{
	Marshal: huma.DefaultJSONFormat.Marshal,
	Unmarshal: func(text []byte, to any) error {
		if err := textual(text); err != nil {
			return err
		}
		return huma.DefaultJSONFormat.Unmarshal(text, to)
	},
}

var errNoText = errors.New("a text is not UTF-8 (hint: send bytes in base64, as source_base64 or in a blob)")

// textual returns an error if a body in JSON has texts that are none: encoding/json would replace what is not
// UTF-8, and halves of surrogate pairs, and the judge would judge something else than was handed in.
func textual(text []byte) error {
	if !utf8.Valid(text) {
		return errNoText
	}
	for i := 0; i < len(text); i++ {
		if text[i] != '\\' {
			continue
		}
		first, ok := escaped(text[i:])
		switch {
		case !ok:
			i++ // another escape, of one byte
		case !utf16.IsSurrogate(first):
			i += 5
		default:
			second, ok := escaped(text[i+6:])
			if !ok || utf16.DecodeRune(first, second) == utf8.RuneError {
				return errNoText
			}
			i += 11
		}
	}
	return nil
}

// escaped returns the character that a text begins with, if that is an escape such as \u00e9.
func escaped(text []byte) (rune, bool) {
	if len(text) < 6 || text[0] != '\\' || text[1] != 'u' {
		return 0, false
	}
	n, err := strconv.ParseUint(string(text[2:6]), 16, 16)
	return rune(n), err == nil
}
