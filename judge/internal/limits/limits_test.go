package limits

import (
	"strings"
	"testing"
	"time"
)

func TestParseBytes(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		in, why string
		want    Bytes
		err     string
	}{
		{in: "64MiB", want: 64 << 20, why: "the usual form"},
		{in: "1.5GiB", want: 3 << 29, why: "fractions are handy for large units"},
		{in: "0B", want: 0, why: "zero needs its unit as well"},
		{in: "9007199254740993B", want: 9007199254740993, why: "whole numbers must not pass through a float"},
		{in: "64", err: "64 has no unit (hint: did you mean 64MiB?)", why: "bare numbers are the classic mistake"},
		{in: "64MB", err: "unknown unit", why: "decimal units are ambiguous"},
		{in: "-1KiB", err: "not a number", why: "negative amounts make no sense"},
		{in: "9999999999GiB", err: "not a number", why: "overflow must not wrap"},
		{in: "MiB", err: "not a number", why: "a unit alone is not an amount"},
		{in: "", err: "empty", why: "an empty flag value"},
		{in: "NaNMiB", err: "unknown unit", why: "ParseFloat accepts more than numbers"},
	} {
		got, err := ParseBytes(tt.in)
		if tt.err != "" {
			if err == nil || !strings.Contains(err.Error(), tt.err) {
				t.Errorf("%s: ParseBytes(%q) = %v, %v, want error with %q", tt.why, tt.in, got, err, tt.err)
			}
			continue
		}
		if err != nil || got != tt.want {
			t.Errorf("%s: ParseBytes(%q) = %d, %v, want %d", tt.why, tt.in, got, err, tt.want)
		}
	}
}

func FuzzBytesText(f *testing.F) {
	for _, s := range []int64{0, 1, 1023, 1024, 64 << 20, 3 << 29, 1 << 62} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, n int64) {
		if n < 0 || n > 1<<61 {
			return
		}
		if got, err := ParseBytes(Bytes(n).String()); err != nil || got != Bytes(n) {
			t.Fatalf("%d became %q and then %d, %v", n, Bytes(n).String(), got, err)
		}
	})
}

func TestParseDuration(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		in, why string
		want    time.Duration
		err     string
	}{
		{in: "1s", want: time.Second, why: "the usual form"},
		{in: "1m30s", want: 90 * time.Second, why: "compound"},
		{in: "2", err: "2 has no unit (hint: did you mean 2s?)", why: "bare numbers are the classic mistake"},
		{in: "0", err: "has no unit", why: "time.ParseDuration takes a bare 0"},
		{in: "-1s", err: "not a positive", why: "negative times make no sense"},
		{in: "2000000h", err: "is more than", why: "multiples of it would overflow"},
		{in: "1 s", err: "not a positive", why: "no blanks inside"},
		{in: "soon", err: "not a positive", why: "words"},
	} {
		got, err := ParseDuration(tt.in)
		if tt.err != "" {
			if err == nil || !strings.Contains(err.Error(), tt.err) {
				t.Errorf("%s: ParseDuration(%q) = %v, %v, want error with %q", tt.why, tt.in, got, err, tt.err)
			}
			continue
		}
		if err != nil || got != tt.want {
			t.Errorf("%s: ParseDuration(%q) = %v, %v, want %v", tt.why, tt.in, got, err, tt.want)
		}
	}
}

func TestOverride(t *testing.T) {
	t.Parallel()
	base := Limits{CPU: time.Second, Memory: 64 * MiB, Output: KiB}
	got, err := base.Override("cpu=2s, memory=1GiB,cpus=2")
	if want := (Limits{CPU: 2 * time.Second, Memory: GiB, Output: KiB, CPUs: 2}); err != nil || got != want {
		t.Errorf("Override = %+v, %v, want %+v", got, err, want)
	}
	for text, want := range map[string]string{
		"cpu":          "has no value",
		"cpu=2":        "limit cpu: 2 has no unit (hint: did you mean 2s?)",
		"speed=2s":     "unknown limit \"speed\"",
		"cpus=two":     "\"two\" is not a whole number",
		"memory=0MiB":  "must be more than zero",
		"memory=64KiB": "must be at least 1MiB",
		"cpu=1s,,":     "has no value",
		"processes=-1": "must be more than zero",
	} {
		if _, err := base.Override(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Override(%q): %v, want an error with %q", text, err, want)
		}
	}
}

// TestRoom checks Tight, Beyond and Most, and that Beyond and Most agree.
func TestRoom(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why         string
		limit, need time.Duration
		tight       bool
	}{
		{"just room enough", 2 * time.Second, time.Second, false},
		{"a nanosecond less", 2*time.Second - 1, time.Second, true},
		{"a program that needs nothing", time.Nanosecond, 0, false},
		{"there is no limit", 0, time.Hour, false},
	} {
		if got := Tight(tt.limit, tt.need); got != tt.tight {
			t.Errorf("%s: Tight(%v, %v) is %v", tt.why, tt.limit, tt.need, got)
		}
	}
	if got, want := Beyond(time.Second), 1500*time.Millisecond; got != want {
		t.Errorf("Beyond(1s) is %v, want %v", got, want)
	}
	for slow := time.Duration(1); slow < 1000; slow++ {
		if m := Most(slow); Beyond(m) > slow || Beyond(m+2) <= slow {
			t.Errorf("Most(%d) is %d, and Beyond of that is %d", slow, m, Beyond(m))
		}
	}
}
