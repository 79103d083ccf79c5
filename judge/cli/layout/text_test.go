package layout

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"tribunal/judge/internal/limits"
)

func TestClean(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ in, want, why string }{
		{"plain text", "plain text", "printable characters stay"},
		{"é·∎ 日本", "é·∎ 日本", "letters and symbols of any script stay"},
		{"\x1b[31m", `\x1b[31m`, "colours of the text are escaped"},
		{"a\r\n\tb", `a\r\n\tb`, "line breaks and tabs are escaped"},
		{"\x00\x7f\u009b", `\x00\x7f\u009b`, "control characters are escaped, C0 and C1"},
		{"\u202e\u200b\u00a0", `\u202e\u200b\u00a0`, "bidirectional and invisible characters are escaped"},
		{"\xff\xc3", `\xff\xc3`, "invalid UTF-8 is escaped"},
		{"\ufffd", "\ufffd", "the replacement character stays"},
		{"0123456789abc", "0123456789…", "cut off"},
		{"0123456789", "0123456789", "just fits"},
	} {
		if got := Clean(tt.in, 10); got != tt.want {
			t.Errorf("%s: clean(%q) = %q, want %q", tt.why, tt.in, got, tt.want)
		}
	}
}

func TestHeadAndTail(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 10_000)
	for _, tt := range []struct {
		in         string
		head, tail []string
		more       bool
		why        string
	}{
		{"", nil, nil, false, "nothing"},
		{"\n\n", nil, nil, false, "only empty lines"},
		{"a", []string{"a"}, []string{"a"}, false, "without a newline"},
		{"a\nb\n", []string{"a", "b"}, []string{"a", "b"}, false, "as many as fit"},
		{"a\nb\nc\n\n", []string{"a", "b"}, []string{"b", "c"}, true, "one too many"},
		{"\n\nc", []string{"", ""}, []string{"", "c"}, true, "empty lines before the text are kept"},
		{"a\tb", []string{"a    b"}, []string{"a    b"}, false, "a tab becomes blanks"},
		{long, []string{long[:MaxWidth] + "…"}, []string{long[:MaxWidth] + "…"}, false, "a long line"},
	} {
		if got, more := Head(tt.in, 2); !slices.Equal(got, tt.head) || more != tt.more {
			t.Errorf("%s: head(%.20q) = %q, %v", tt.why, tt.in, got, more)
		}
		if got, more := Tail(tt.in, 2); !slices.Equal(got, tt.tail) || more != tt.more {
			t.Errorf("%s: tail(%.20q) = %q, %v", tt.why, tt.in, got, more)
		}
	}
}

func TestDuration(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		in   time.Duration
		want string
		why  string
	}{
		{0, "0 ms", "nothing"},
		{1, "0.1 ms", "the shortest time is not 0"},
		{560 * time.Microsecond, "0.6 ms", "tenths of a millisecond below 10 ms"},
		{9950 * time.Microsecond, "10 ms", "rounded up to the next step"},
		{12 * time.Millisecond, "12 ms", "whole milliseconds"},
		{999 * time.Millisecond, "999 ms", "the largest number of milliseconds"},
		{999*time.Millisecond + 1, "1 s", "never 1000 ms"},
		{time.Second, "1 s", "a limit"},
		{time.Second + 1, "1.001 s", "a time above a limit never looks like the limit"},
		{1204 * time.Millisecond, "1.204 s", "milliseconds below 100 s"},
		{100 * time.Second, "100 s", "long"},
		{100*time.Second + 1, "100.1 s", "tenths of a second above 100 s"},
		{time.Hour, "3600 s", "longer"},
	} {
		if got := Duration(tt.in); got != tt.want {
			t.Errorf("%s: duration(%v) = %q, want %q", tt.why, tt.in, got, tt.want)
		}
	}
}

func TestDescribe(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		in   limits.Limits
		want string
	}{
		{limits.Limits{}, "none"},
		{limits.Limits{CPU: time.Second, Memory: 1536 * limits.KiB, Processes: 64}, "cpu 1 s, memory 1.5 MiB, processes 64"},
		{limits.Limits{Wall: math.MaxInt32, Output: 1500}, "wall 2.148 s, output 1.5 KiB"},
	} {
		if got := Limits(tt.in); got != tt.want {
			t.Errorf("describe(%+v) = %q, want %q", tt.in, got, tt.want)
		}
	}
}

// TestPassed checks that a count of cases says whether it may be larger.
func TestPassed(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why                   string
		passed, judged, total int
		want                  string
	}{
		{"stopped at a failure", 12, 13, 55, "≥12/55"},
		{"all are judged", 29, 55, 55, "29/55"},
		{"not one is judged", 0, 0, 3, "≥0/3"},
	} {
		if got := Passed(tt.passed, tt.judged, tt.total, "/"); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.why, got, tt.want)
		}
	}
}
