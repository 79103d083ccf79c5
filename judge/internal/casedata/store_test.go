package casedata

import (
	"strings"
	"testing"

	"tribunal/judge/internal/cache"
	"tribunal/judge/internal/cases"
	"tribunal/judge/internal/content"
	"tribunal/judge/internal/problem"
)

// TestKeptData checks that a provider returns what is stored, whether or not it keeps it in memory,
// and that it keeps no more than it may.
func TestKeptData(t *testing.T) {
	t.Parallel()
	p := &Provider{Cache: newCache(t), Fresh: true}
	key := func(name string) cache.Key { return cache.NewHasher(name).Key() }
	put := func(name, data string) {
		t.Helper()
		if err := p.store(key(name), content.Of([]byte(data))); err != nil {
			t.Fatal(err)
		}
	}
	want := func(name, data string) {
		t.Helper()
		if c, _, err := p.open(key(name)); err != nil || text(t, c) != data {
			t.Errorf("%s: got %d bytes, %v, want %d", name, c.Size(), err, len(data))
		}
	}
	put("a", "one")
	want("a", "one")
	want("a", "one")
	if p.kept != len("one") {
		t.Errorf("%d bytes are kept, want 3", p.kept)
	}
	put("a", "another") // as the reference prints it now
	want("a", "another")
	put("large", strings.Repeat("x", smallSize+1))
	want("large", strings.Repeat("x", smallSize+1))
	if p.kept != len("another") {
		t.Errorf("%d bytes are kept beside large data, want 7", p.kept)
	}
	for i := range smallRoom/smallSize + 1 {
		name := "full " + string(rune('a'+i))
		put(name, strings.Repeat("y", smallSize))
		want(name, strings.Repeat("y", smallSize))
	}
	if p.kept > smallRoom || p.kept < smallRoom-smallSize {
		t.Errorf("%d bytes are kept, want nearly %d", p.kept, smallRoom)
	}
	if err := p.Close(); err != nil || p.kept != 0 {
		t.Errorf("a closed provider keeps %d bytes, %v", p.kept, err)
	}
}

// TestGivenData checks that a provider reads the small data of a package once, and data that is large or could not be
// read each time.
func TestGivenData(t *testing.T) {
	t.Parallel()
	p := &Provider{Cache: newCache(t), Problem: &problem.Problem{}}
	for _, tt := range []struct {
		why   string
		data  string
		fails bool
		reads int
	}{
		{"small", "1 2\n", false, 1},
		{"empty", "", false, 1},
		{"large", strings.Repeat("x", smallSize+1), false, 2},
		{"unreadable", "", true, 2},
	} {
		reads := 0
		read := func() (content.Content, error) {
			reads++
			if tt.fails {
				return content.Content{}, errNotCached
			}
			return content.Of([]byte(tt.data)), nil
		}
		c := &cases.Case{Given: &cases.Given{Input: read, Output: func() (content.Content, error) { return content.Of([]byte("answer")), nil }}}
		for range 2 {
			got, err := p.Load(t.Context(), c)
			if tt.fails != (err != nil) {
				t.Fatalf("%s: %v", tt.why, err)
			}
			if err == nil && (text(t, got.Input) != tt.data || text(t, got.Want) != "answer") {
				t.Errorf("%s: got %d bytes, %q", tt.why, got.Input.Size(), text(t, got.Want))
			}
		}
		if reads != tt.reads {
			t.Errorf("%s: read %d times, want %d", tt.why, reads, tt.reads)
		}
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
}
