package web

import "testing"

func TestTextual(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why, text string
		ok        bool
	}{
		{"UTF-8", `{"a":"é\u00e9\n"}`, true},
		{"a byte of another encoding", "{\"a\":\"\xe9\"}", false},
		{"a surrogate pair", `"\ud83d\ude00"`, true},
		{"half of one", `"\ud83d"`, false},
		{"the other half", `"\ude00"`, false},
		{"two first halves", `"\ud83d\ud83d"`, false},
		{"half of one, then another escape", `"\ud83d\n"`, false},
		{"an escaped backslash before what looks like an escape", `"\\ud83d"`, true},
		{"a cut escape, which is not JSON either", `"\ud8`, true},
		{"nothing", "", true},
	} {
		if err := textual([]byte(tt.text)); (err == nil) != tt.ok {
			t.Errorf("%s: %v", tt.why, err)
		}
	}
}
