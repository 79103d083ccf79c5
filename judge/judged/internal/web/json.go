package web

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"
)

// jsonFormat is that of huma, but reads bodies by [unmarshal]. Huma first reads a body as any and checks that, so
// what is missing or superfluous is reported before ambiguous keys.
var jsonFormat = huma.Format{
	Marshal: huma.DefaultJSONFormat.Marshal,
	Unmarshal: func(text []byte, to any) error {
		err := unmarshal(text, to, true)
		if p, ok := errors.AsType[*Problem](err); ok { // huma keeps only its text
			return fmt.Errorf("%s: %s", p.Errors[0].Location, p.Errors[0].Message)
		}
		return err
	},
}

// decode reads the body of a request in JSON, and passes over keys that it does not know.
func decode(r *http.Request, to any) error {
	text, err := io.ReadAll(r.Body)
	if err != nil {
		return err
	}
	return unmarshal(text, to, false)
}

// unmarshal reads all JSON that clients send. In contrast to [json.Unmarshal], it refuses invalid text, and objects
// that other programs may understand differently: with a key twice, or with a key that differs from a field's in
// case. For such keys, and with only also for keys without a field, the error is a [*Problem] that names the key.
func unmarshal(text []byte, to any, only bool) error {
	if err := textual(text); err != nil {
		return err
	}
	if err := json.Unmarshal(text, to); err != nil {
		return err
	}
	if _, every := to.(*any); every {
		return nil
	}
	k := keys{json.NewDecoder(bytes.NewReader(text)), only}
	return k.check(reflect.TypeOf(to), "body")
}

// keys checks the keys of objects in valid JSON.
type keys struct {
	*json.Decoder
	only bool // a key without a field is an error
}

// check reads a value that was decoded to a type; nil if that is unknown.
func (k keys) check(t reflect.Type, at string) error {
	for t != nil && t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	begin, err := k.Token()
	if err != nil || begin != json.Delim('[') && begin != json.Delim('{') {
		return err
	}
	fields, element := partsOf(t)
	seen := map[string]bool{}
	for i := 0; k.More(); i++ {
		to, here := element, fmt.Sprintf("%s[%d]", at, i)
		if begin == json.Delim('{') {
			token, err := k.Token()
			if err != nil {
				return err
			}
			key, _ := token.(string)
			here = fmt.Sprintf("%s.%.64s", at, key)
			if seen[key] {
				return unclear(here, "the key is there twice")
			}
			seen[key] = true
			if fields != nil {
				if to, err = k.field(fields, key, here); err != nil {
					return err
				}
			}
		}
		if err := k.check(to, here); err != nil {
			return err
		}
	}
	_, err = k.Token()
	return err
}

// field returns the type of the field of a key; nil if there is none.
func (k keys) field(fields map[string]reflect.Type, key, at string) (reflect.Type, error) {
	t, known := fields[key]
	if known {
		return t, nil
	}
	for name := range fields {
		if strings.EqualFold(name, key) { // for package json they are the same
			return nil, unclear(at, fmt.Sprintf("unknown key (hint: did you mean %s?)", name))
		}
	}
	if k.only {
		return nil, unclear(at, "unknown key")
	}
	return nil, nil
}

func unclear(at, message string) *Problem {
	p := refuse(http.StatusUnprocessableEntity, "the request is not valid")
	p.Errors = []Fault{{at, message}}
	return p
}

// partsOf returns the types of the fields of a struct by their keys, or the type of the elements of a list or a
// map. A type with its own decoder has neither.
func partsOf(t reflect.Type) (fields map[string]reflect.Type, element reflect.Type) {
	if t == nil || reflect.PointerTo(t).Implements(reflect.TypeFor[json.Unmarshaler]()) {
		return nil, nil
	}
	switch t.Kind() {
	case reflect.Slice, reflect.Array, reflect.Map:
		return nil, t.Elem()
	case reflect.Struct:
		fields = map[string]reflect.Type{}
		for _, f := range reflect.VisibleFields(t) {
			if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name != "" && name != "-" {
				fields[name] = f.Type
			}
		}
	}
	return fields, nil
}

var errNoText = errors.New("a text is not UTF-8 (hint: send bytes in base64, as source_base64 or in a blob)")

// textual returns an error if a JSON body has invalid texts. encoding/json would replace bytes that are not UTF-8
// and halves of surrogate pairs, and the judge would judge something else than was handed in.
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
