package run

import (
	"reflect"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestSegment checks that a segment keeps each field of its records, also one that is added later.
func TestSegment(t *testing.T) {
	t.Parallel()
	var full, other record
	n := 0
	fill(t, reflect.ValueOf(&full).Elem(), &n)
	fill(t, reflect.ValueOf(&other).Elem(), &n)
	same := record{Input: "same output", Output: full.Output, Copies: map[string][]byte{}}
	for _, want := range [][]record{{}, {{}}, {full}, {full, {}, other, same}} {
		text := encode(want)
		got, ok := decode(text)
		if !ok || !cmp.Equal(got, want) {
			t.Errorf("%v: %s", ok, cmp.Diff(want, got))
		}
		for i := range text {
			if _, ok := decode(text[:i]); ok {
				t.Errorf("%d of %d bytes are a segment", i, len(text))
			}
		}
		if _, ok := decode(append(text, 0)); ok {
			t.Error("a segment with one more byte is one")
		}
	}
}

// fill sets a value and all its parts to something else than zero.
func fill(t *testing.T, v reflect.Value, n *int) {
	*n++
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int32, reflect.Int64:
		v.SetInt(int64(*n) << 20)
	case reflect.Uint8:
		v.SetUint(uint64(*n%255 + 1))
	case reflect.String:
		v.SetString("text " + strconv.Itoa(*n))
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(t, v.Elem(), n)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		fill(t, v.Index(0), n)
		fill(t, v.Index(1), n)
	case reflect.Array:
		for i := range v.Len() {
			fill(t, v.Index(i), n)
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		for range 2 {
			key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
			fill(t, key, n)
			fill(t, value, n)
			v.SetMapIndex(key, value)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			fill(t, v.Field(i), n)
		}
	default:
		t.Fatalf("a record has a %s", v.Type())
	}
}

// FuzzSegment checks that no file makes decode panic, and that what it reads stays the same.
func FuzzSegment(f *testing.F) {
	f.Add([]byte(segmentHead))
	f.Add(encode([]record{{Input: "a", Output: []byte("b")}, {Talk: &talk{}, Copies: map[string][]byte{"x": nil}}}))
	f.Fuzz(func(t *testing.T, text []byte) {
		if records, ok := decode(text); ok {
			if again, ok := decode(encode(records)); !ok || !cmp.Equal(again, records) {
				t.Error(cmp.Diff(records, again))
			}
		}
	})
}
