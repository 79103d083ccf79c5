package cli

import (
	"os"
	"path/filepath"
	"testing"
)

func TestFindRoot(t *testing.T) {
	for _, test := range []struct {
		why  string
		mode os.FileMode // of the folder that holds problems/
		from string      // the working folder in it
		want string      // "" stands for an error
	}{
		{"the working folder", 0o755, ".", "."},
		{"a folder above", 0o755, "a/b", "../.."},
		{"what another account left in /tmp is not this user's", 0o1777, "a/b", ""},
		{"a group is trusted", 0o775, "a", ".."},
		{"who works in a folder has chosen it", 0o1777, ".", "."},
	} {
		t.Run(test.why, func(t *testing.T) {
			dir := t.TempDir()
			for _, name := range []string{"problems", "a/b"} {
				if err := os.MkdirAll(filepath.Join(dir, name), 0o755); err != nil {
					t.Fatal(err)
				}
			}
			if err := os.Chmod(dir, test.mode); err != nil {
				t.Fatal(err)
			}
			t.Chdir(filepath.Join(dir, test.from))
			t.Setenv(rootVariable, "")
			got, err := new(App).FindRoot()
			if got != test.want || (err == nil) != (test.want != "") {
				t.Errorf("findRoot() = %q, %v, want %q", got, err, test.want)
			}
		})
	}
}
