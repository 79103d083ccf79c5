// Package layouttest tries whatever writes reports with hostile texts.
package layouttest

import (
	"bytes"
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"maps"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"tribunal/judge/internal/diff"
)

// Forged begins lines that a text tries to forge.
const Forged = "FORGED"

// Insults are hostile texts: forged lines, escape sequences and invisible characters. The tests add
// each of them to every text that a renderer gets.
var Insults = []string{
	"\n" + Forged, "\r" + Forged + "\u2028" + Forged,
	"\x1b[2J\x1b[H\x1b]52;c;ZXZpbA==\a\u009b31m\u0085\u202e\u2066\ufeff\u200b\x7f\x00\b\xff\xe2\x80",
}

// Spoil replaces *p by a deep copy in which insult is added to every text. Equal names stay equal.
func Spoil(p any, insult string) {
	v := reflect.ValueOf(p).Elem()
	v.Set(spoiled(v, insult, map[uintptr]reflect.Value{}))
}

// spoiled returns the copy for Spoil. done holds the copies of the pointers seen so far.
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

// A Renderer writes a report to w, after it has passed pointers to all data of the report to spoil.
type Renderer func(w io.Writer, spoil func(any))

// Try checks that every exported function of the package in the current folder that writes, which is one with a type
// named Writer in its signature, has a renderer of its name, and [Hostile] for each. Renderers of formats without a
// function of their own have names like "StressFormats, JSON".
func Try(t *testing.T, renderers map[string]Renderer) {
	t.Helper()
	t.Run("all", func(t *testing.T) { allTried(t, renderers) })
	Hostile(t, renderers)
}

// Hostile adds hostile texts to every field of every report, and checks that the output escapes them. The output of
// renderers with JSON in their names must be JSON.
func Hostile(t *testing.T, renderers map[string]Renderer) {
	t.Helper()
	for name, render := range renderers {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, insult := range Insults {
				var b bytes.Buffer
				render(&b, func(p any) { Spoil(p, insult) })
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
		if strings.HasPrefix(l, Forged) {
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

// allTried checks the names for [Try].
func allTried(t *testing.T, tried map[string]Renderer) {
	t.Helper()
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || !f.Name.IsExported() || !mentionsWriter(f.Type) {
				continue
			}
			name := f.Name.Name
			if f.Recv != nil {
				receiver := f.Recv.List[0].Type
				if star, ok := receiver.(*ast.StarExpr); ok {
					receiver = star.X
				}
				name = receiver.(*ast.Ident).Name + "." + name
			}
			found = append(found, name)
		}
	}
	slices.Sort(found)
	want := slices.DeleteFunc(slices.Sorted(maps.Keys(tried)), func(name string) bool { return strings.HasSuffix(name, "Formats, JSON") })
	if !slices.Equal(found, want) {
		t.Errorf("functions that write: %v\nrenderers: %v", found, want)
	}
}

// mentionsWriter reports whether the signature of a function mentions a type named Writer.
func mentionsWriter(f *ast.FuncType) (found bool) {
	ast.Inspect(f, func(n ast.Node) bool {
		s, ok := n.(*ast.SelectorExpr)
		found = found || ok && s.Sel.Name == "Writer"
		return true
	})
	return found
}
