package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"tribunal/judge/internal/diff"
)

// forged begins lines that a text tries to forge.
const forged = "FORGED"

// insults are hostile texts: forged lines, escape sequences and invisible characters. The tests add
// each of them to every text that a renderer gets.
var insults = []string{
	"\n" + forged, "\r" + forged + "\u2028" + forged,
	"\x1b[2J\x1b[H\x1b]52;c;ZXZpbA==\a\u009b31m\u0085\u202e\u2066\ufeff\u200b\x7f\x00\b\xff\xe2\x80",
}

// spoil replaces *p by a deep copy in which insult is added to every text. Equal names stay equal.
func spoil(p any, insult string) {
	v := reflect.ValueOf(p).Elem()
	v.Set(spoiled(v, insult, map[uintptr]reflect.Value{}))
}

// spoiled returns the copy for spoil. done holds the copies of the pointers seen so far.
func spoiled(v reflect.Value, insult string, done map[uintptr]reflect.Value) reflect.Value {
	out := reflect.New(v.Type()).Elem()
	out.Set(v)
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			return out
		}
		if known, ok := done[v.Pointer()]; ok {
			return known
		}
		out = reflect.New(v.Type().Elem())
		done[v.Pointer()] = out
		out.Elem().Set(spoiled(v.Elem(), insult, done))
	case reflect.Interface:
		if err, ok := v.Interface().(error); ok && reflect.TypeOf(err) == reflect.TypeOf(errors.New("")) {
			out.Set(reflect.ValueOf(errors.New(err.Error() + insult)))
		} else if !v.IsNil() {
			out.Set(spoiled(v.Elem(), insult, done))
		}
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[diff.Mismatch]() {
			insult = strings.ReplaceAll(insult, "\n", "") // its texts are single lines
		}
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				out.Field(i).Set(spoiled(v.Field(i), insult, done))
			}
		}
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			if v.Len() > 0 {
				out.SetBytes(append(bytes.Clone(v.Bytes()), insult...))
			}
			return out
		}
		if !v.IsNil() {
			out.Set(reflect.MakeSlice(v.Type(), v.Len(), v.Len()))
		}
		for i := range v.Len() {
			out.Index(i).Set(spoiled(v.Index(i), insult, done))
		}
	case reflect.Map:
		if v.IsNil() {
			return out
		}
		out.Set(reflect.MakeMap(v.Type()))
		for _, key := range v.MapKeys() {
			out.SetMapIndex(spoiled(key, insult, done), spoiled(v.MapIndex(key), insult, done))
		}
	case reflect.String:
		out.SetString(v.String() + insult)
	}
	return out
}

// ownSequences matches the escape sequences that this package writes itself.
var ownSequences = regexp.MustCompile(`\x1b\[(?:[0-9;]*m|\?1049[hl]|\?25[hl]|\?2026[hl]|\?7[hl]|[HJK])`)

// TestEveryTextIsHostile adds hostile texts to every field of every report, and checks that the
// output escapes them.
func TestEveryTextIsHostile(t *testing.T) {
	t.Parallel()
	for name, render := range renderers() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, insult := range insults {
				var b bytes.Buffer
				render(&b, func(p any) { spoil(p, insult) })
				obeyed(t, name, insult, ownSequences.ReplaceAllString(strings.ReplaceAll(b.String(), "\r\n", "\n"), ""))
			}
		})
	}
}

// obeyed reports unescaped control characters and forged lines in the output of a renderer, and
// output that should be JSON but is not.
func obeyed(t *testing.T, name, insult, text string) {
	t.Helper()
	for l := range strings.SplitSeq(strings.ReplaceAll(text, "\r", ""), "\n") {
		if strings.HasPrefix(l, forged) {
			t.Errorf("with %q: forged line %.80q", insult, l)
		}
		if i := strings.IndexFunc(l, func(r rune) bool { return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp) }); i >= 0 || !strings.EqualFold(l, strings.ToValidUTF8(l, "?")) {
			t.Errorf("with %q: unescaped characters in %.80q", insult, l)
			return
		}
	}
	if !strings.Contains(name, "JSON") {
		return
	}
	for d := json.NewDecoder(strings.NewReader(text)); ; {
		var v any
		if err := d.Decode(&v); err == io.EOF {
			return
		} else if err != nil {
			t.Errorf("with %q: not JSON: %v", insult, err)
			return
		}
	}
}
