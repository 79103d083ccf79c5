package run

import (
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tribunal/judge/internal/cache/cachetest"
)

// TestSegment checks that a segment keeps each field of its records, also one that is added later.
func TestSegment(t *testing.T) {
	t.Parallel()
	var full, other record
	n := 0
	if !cachetest.Fill(reflect.ValueOf(&full).Elem(), &n) || !cachetest.Fill(reflect.ValueOf(&other).Elem(), &n) {
		t.Fatal("a record has a field that the test cannot set")
	}
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
