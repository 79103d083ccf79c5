package access

import (
	"bytes"
	"strings"
	"testing"
)

// sample is the token with the secret sampleSecret.
const sample = "tj_abcdefgh_aaaqeayeaudaocajbifqydiob7pgzuop"

var sampleSecret = []byte{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}

// TestToken checks the format of tokens.
func TestToken(t *testing.T) {
	t.Parallel()
	if got := format("abcdefgh", sampleSecret); got != sample {
		t.Errorf("got %s, want %s", got, sample)
	}
	for _, tt := range []struct{ why, text string }{
		{"nothing", ""},
		{"only the prefix", "tj_"},
		{"another prefix", "tk_" + sample[3:]},
		{"no prefix", sample[3:]},
		{"two prefixes", "tj_" + sample},
		{"upper case", strings.ToUpper(sample)},
		{"a blank behind it", sample + " "},
		{"a line end, which base32 skips", sample[:20] + "\n" + sample[20:]},
		{"a line end in place of a letter", sample[:20] + "\n" + sample[21:]},
		{"cut off", sample[:len(sample)-1]},
		{"no id", "tj__" + sample[12:]},
		{"a shorter id", "tj_abcdefg_" + sample[12:]},
		{"a longer id", "tj_abcdefghabcdefgh_" + sample[12:]},
		{"no secret", "tj_abcdefgh_"},
		{"no separator", strings.Replace(sample, "h_", "h", 1)},
		{"the id of another token", "tj_abcdefgi_" + sample[12:]},
		{"not ASCII", strings.Replace(sample, "e", "é", 1)},
	} {
		if id, secret, ok := parse(tt.text); ok {
			t.Errorf("%s: %q is a token with id %s and secret %x", tt.why, tt.text, id, secret)
		}
	}
}

// TestMistyped checks that every wrong letter, and every pair of swapped neighbours, is found.
func TestMistyped(t *testing.T) {
	t.Parallel()
	try := func(text []byte) {
		if _, _, ok := parse(string(text)); ok != (string(text) == sample) {
			t.Errorf("%s: a token: %v", text, ok)
		}
	}
	for i := range sample {
		for _, letter := range []byte("abcdefghijklmnopqrstuvwxyz0123456789_-") {
			text := []byte(sample)
			text[i] = letter
			try(text)
		}
		if i > 0 {
			text := []byte(sample)
			text[i-1], text[i] = text[i], text[i-1]
			try(text)
		}
	}
}

// FuzzToken checks that only what format returns is parsed, and that it is parsed back.
func FuzzToken(f *testing.F) {
	f.Add("abcdefgh", sampleSecret)
	f.Add(sample, []byte{})
	f.Fuzz(func(t *testing.T, text string, secret []byte) {
		if id, secret, ok := parse(text); ok && format(id, secret) != text {
			t.Errorf("%q became %q", text, format(id, secret))
		}
		if len(secret) != secretSize {
			return
		}
		id := letters.EncodeToString([]byte((text + "     ")[:idSize]))
		gotID, got, ok := parse(format(id, secret))
		if !ok || gotID != id || !bytes.Equal(got, secret) {
			t.Errorf("%q became id %s and secret %x, %v", format(id, secret), gotID, got, ok)
		}
	})
}
