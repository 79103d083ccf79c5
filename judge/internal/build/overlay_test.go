package build

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestOverlay(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ why, files, over, want string }{
		{"a new file", "a", "b", "a b=over"},
		{"no files", "", "", ""},
		{"nothing over files", "a", "", "a"},
		{"a file in place of another", "a b", "a", "a=over b"},
		{"a folder in place of a file", "a b", "a/b/c", "a/b/c=over b"},
		{"a file in place of a folder", "a/b/c a/d b", "a/b", "a/b=over a/d b"},
		{"names that only begin like a folder's", "a.b ab", "a/b", "a.b a/b=over ab"},
	} {
		make := func(names string) map[string][]byte {
			m := map[string][]byte{}
			for _, name := range strings.Fields(names) {
				m[name] = []byte(names)
			}
			return m
		}
		files, over := make(tt.files), make(tt.over)
		got := Overlay(files, over)
		var list []string
		for _, name := range slices.Sorted(maps.Keys(got)) {
			text := name
			if string(got[name]) == tt.over {
				text += "=over"
			}
			list = append(list, text)
		}
		if s := strings.Join(list, " "); s != tt.want {
			t.Errorf("%s: %s, want %s", tt.why, s, tt.want)
		}
		if len(files) != len(strings.Fields(tt.files)) || len(over) != len(strings.Fields(tt.over)) {
			t.Errorf("%s: Overlay changed its arguments", tt.why)
		}
	}
}

func TestWith(t *testing.T) {
	root := write(t, "own", map[string]string{
		"go.mod":                 "module m\n",
		"reference/sum/main.go":  "package main\n\nimport \"m/lib\"\n\nfunc main() { lib.Print() }\n",
		"reference/sum/other.go": "package main\n",
		"lib/lib.go":             "package lib\n\nfunc Print() {}\n",
	})
	s, err := OpenOwn(root, "reference/sum", Defaults())
	if err != nil {
		t.Fatal(err)
	}
	code := slices.Sorted(maps.Keys(s.Code(Defaults())))
	if want := []string{"reference/sum/main.go", "reference/sum/other.go"}; !slices.Equal(code, want) {
		t.Errorf("the program's own code: got %v, want %v", code, want)
	}
	changed, err := s.With(map[string][]byte{
		"reference/sum/main.go": []byte("package main\n"),
		"reference/sum/more.go": []byte("package main\n\nfunc main() {}\n"),
	}, Defaults())
	if err != nil {
		t.Fatal(err)
	}
	if got := string(changed.Texts()["reference/sum/main.go"]); got != "package main\n" {
		t.Errorf("replaced file: got %q", got)
	}
	if got := changed.sources(Defaults()["go"]); !slices.Contains(got, "reference/sum/more.go") || len(got) != len(s.code)+1 {
		t.Errorf("files to compile: got %v", got)
	}
	if _, there := s.Texts()["reference/sum/more.go"]; there || len(s.code) != 3 {
		t.Error("With changed its receiver")
	}
}

func TestWithProgramAroundUnit(t *testing.T) {
	program := map[string][]byte{"grader.pas": []byte("uses sum;\nbegin end.\n"), "lib.pas": []byte("unit lib;\n")}
	for _, tt := range []struct {
		why, file, text string
		added           map[string][]byte
		want            string
	}{
		{"the program uses the unit, by its name", "mine.pas", "{ mine }\nUnit Sum;\n", program, "grader.pas sum.pas"},
		{"the unit has that name", "sum.pas", "unit sum;\n", program, "grader.pas sum.pas"},
		{"a program stays the main file", "sum.pas", "program sum;\n", program, "sum.pas sum.pas"},
		{"nothing is added", "mine.pas", "unit sum;\n", map[string][]byte{"mine.pas": []byte("unit other;\n")}, "mine.pas mine.pas"},
	} {
		s, err := Open(filepath.Join(write(t, "a", map[string]string{tt.file: tt.text}), tt.file), "", Defaults())
		if err != nil {
			t.Fatal(err)
		}
		got, err := s.With(tt.added, Defaults())
		if err != nil {
			t.Errorf("%s: %v", tt.why, err)
			continue
		}
		mine := slices.DeleteFunc(slices.Sorted(maps.Keys(got.Texts())), func(name string) bool { return program[name] != nil })
		if all := got.Main() + " " + strings.Join(mine, " "); all != tt.want {
			t.Errorf("%s: main file and own file %s, want %s", tt.why, all, tt.want)
		}
	}
}
