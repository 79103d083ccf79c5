package journal

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tribunal/judge/internal/version"
)

var testKind = Kind{Schema: "tribunal/test/1", Name: "a list of numbers"}

type number struct {
	N int `json:"n"`
}

// TestLines opens files of lines, of which 0 closes a file and negative ones are wrong, and adds one.
func TestLines(t *testing.T) {
	t.Parallel()
	const head = `{"schema":"tribunal/test/1","judge":"then"}` + "\n"
	for _, tt := range []struct {
		why, text string
		want      string // the text after it, or the error
		cut       bool
	}{
		{"a new file", "", `{"schema":"tribunal/test/1","judge":"` + version.Build() + `"}` + "\n{\"n\":9}\n", false},
		{"only a head", head, head + "{\"n\":9}\n", false},
		{"lines", head + "{\"n\":1}\n{\"n\":2}\n", head + "{\"n\":1}\n{\"n\":2}\n{\"n\":9}\n", false},
		{"a cut line", head + "{\"n\":1}\n{\"n\"", head + "{\"n\":1}\n{\"n\":9}\n", true},
		{"a line that closes the file", head + "{\"n\":1}\n{\"n\":0}\n", head + "{\"n\":1}\n{\"n\":9}\n", false},
		{"a closed file, and a cut line", head + "{\"n\":1}\n{\"n\":0}\n{", head + "{\"n\":1}\n{\"n\":9}\n", true},
		{"lines after the last", head + "{\"n\":0}\n{\"n\":1}\n", ":3: more lines after the last of a list of numbers", false},
		{"a wrong line", head + "{\"n\":-1}\n", ":2: not an entry of a list of numbers", false},
		{"a cut head", head[:9], `{"schema":"tribunal/test/1","judge":"` + version.Build() + `"}` + "\n{\"n\":9}\n", true},
		{"another kind of file, without a line's end", "print(1)", ":1: not a list of numbers", false},
		{"the same, in JSON", `{"schema":"tribunal/results/1","judge":"then"}`, ":1: not a list of numbers", false},
		{"another kind of file", "1\n", ":1: not a list of numbers", false},
		{"another version", `{"schema":"tribunal/test/2"}` + "\n", ":1: a list of numbers of another version, tribunal/test/2 instead of tribunal/test/1", false},
	} {
		name := filepath.Join(t.TempDir(), "lines")
		if err := os.WriteFile(name, []byte(tt.text), 0o644); err != nil {
			t.Fatal(err)
		}
		l, err := testKind.Open(name, true, func(line []byte) error {
			var v number
			if err := json.Unmarshal(line, &v); err != nil || v.N < 0 {
				return errors.New("wrong")
			}
			if v.N == 0 {
				return ErrEnd
			}
			return nil
		})
		if strings.HasPrefix(tt.want, ":") {
			if err == nil || !strings.HasPrefix(err.Error(), name+tt.want+" (hint: ") {
				t.Errorf("%s: %v", tt.why, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", tt.why, err)
			continue
		}
		if l.Cut() != tt.cut {
			t.Errorf("%s: cut %v", tt.why, l.Cut())
		}
		if strings.Contains(tt.text, "then") && l.Judge() != "then" {
			t.Errorf("%s: begun by %q", tt.why, l.Judge())
		}
		if err := errors.Join(l.AppendSoon(number{9}), l.Close()); err != nil {
			t.Error(err)
		}
		if got, _ := os.ReadFile(name); string(got) != tt.want {
			t.Errorf("%s: the file is now\n%s\nwant\n%s", tt.why, got, tt.want)
		}
	}
}

// TestUntouched opens files of lines and adds nothing: they stay what they were.
func TestUntouched(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ why, text string }{
		{"no file", ""},
		{"an empty file", ""},
		{"a closed file", `{"schema":"tribunal/test/1"}` + "\n{\"n\":1}\n{\"n\":0}\n"},
		{"a cut line", `{"schema":"tribunal/test/1"}` + "\n{\"n\":1}\n{\"n"},
	} {
		dir := t.TempDir()
		name, link := filepath.Join(dir, "lines"), filepath.Join(dir, "link")
		if err := os.Symlink(name, link); err != nil {
			t.Fatal(err)
		}
		if tt.why != "no file" {
			if err := os.WriteFile(name, []byte(tt.text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		for _, file := range []string{name, link} {
			l, err := testKind.Open(file, true, func(line []byte) error {
				if string(line) == "{\"n\":0}\n" {
					return ErrEnd
				}
				return nil
			})
			if err == nil {
				err = l.Close()
			}
			if err != nil {
				t.Fatalf("%s: %v", tt.why, err)
			}
			if file == name && tt.why == "no file" {
				if _, err := os.Lstat(name); err == nil {
					t.Errorf("%s: a file is left", tt.why)
				}
			} else if got, err := os.ReadFile(file); err != nil || string(got) != tt.text {
				t.Errorf("%s, as %s: %q, %v", tt.why, filepath.Base(file), got, err)
			}
		}
	}
}
