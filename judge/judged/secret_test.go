package main

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// TestSecret checks which files have a secret, and what is in them then.
func TestSecret(t *testing.T) {
	t.Parallel()
	const none = "" // no file
	for _, tt := range []struct {
		why, before string
		create      error
		want, after string
	}{
		{"the first time", none, nil, "made", "made\n"},
		{"it is kept", "kept\n", nil, "kept", "kept\n"},
		{"somebody wrote it, without a line end", "kept", nil, "kept", "kept"},
		{"an empty file, which a full disk has left", "\n", nil, "made", "made\n"},
		{"it cannot be made", none, errors.New("no"), "", none},
	} {
		file := filepath.Join(t.TempDir(), "x.token")
		if tt.before != none {
			if err := os.WriteFile(file, []byte(tt.before), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		got, err := secret(file, func() (string, error) { return "made", tt.create })
		if !errors.Is(err, tt.create) || tt.create == nil && got != tt.want {
			t.Errorf("%s: %q, %v, want %q", tt.why, got, err, tt.want)
		}
		text, err := os.ReadFile(file)
		if string(text) != tt.after || (err != nil) != (tt.after == none) {
			t.Errorf("%s: the file has %q, %v, want %q", tt.why, text, err, tt.after)
		}
		if info, err := os.Stat(file); err == nil && info.Mode().Perm() != 0o600 {
			t.Errorf("%s: others can read it: %v", tt.why, info.Mode())
		}
	}
	if _, err := secret(t.TempDir(), password); err == nil {
		t.Error("a folder has a secret")
	}
}
