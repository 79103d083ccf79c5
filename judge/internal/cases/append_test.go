package cases

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// appendTo adds a case to a problem p with the given files, by name, and returns the text of its
// group's file.
func appendTo(t testing.TB, files map[string]string, c Case) (string, error) {
	t.Helper()
	root := t.TempDir()
	dir := filepath.Join(root, "cases", "p")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	s, err := Read(root, "p")
	if err != nil {
		t.Fatal(err)
	}
	e, err := s.Append(root, c)
	if err != nil {
		return "", err
	}
	if err := Replace(root, "p", []Edit{e}); err != nil {
		t.Fatal(err)
	}
	if _, err := Read(root, "p"); err != nil {
		t.Errorf("cannot be read again: %v", err)
	}
	return string(e.Text), nil
}

func TestAppend(t *testing.T) {
	t.Parallel()
	sample := lines("cases:", "  - name: one", "    input: x", "    pinned: true", "    output: y", "", "...")
	for _, test := range []struct {
		why, file string // content of the group's file; "" means that it does not exist
		c         Case
		want      string
	}{
		{"a new file", "", Case{Name: "regress/a", Note: "Why.", Input: text("1 2\n")},
			lines("cases:", "  - name: a", "    note: Why.", "    input: |", "      1 2", "", "...")},
		{"after a block text that keeps empty lines", lines("cases:", "- name: old", "  input: |+", "    1", "", "..."), Case{Name: "regress/a", Input: text("2\n")},
			lines("cases:", "- name: old", "  input: |+", "    1", "", "- name: a", "  input: |", "    2", "", "...")},
		{"an input that ends in empty lines", lines("cases:", "  - name: old", "    input: x", "..."), Case{Name: "regress/a", Input: text("2\n\n")},
			lines("cases:", "  - name: old", "    input: x", "", "  - name: a", "    input: |+", "      2", "", "...")},
		{"generated, in quotes where needed", "", Case{Name: "regress/a", Note: "So: 1 # 2", Generate: []string{"f", "-n=3", "-m=", "2", "-w=1.5"}, Seed: new(uint64)},
			lines("cases:", "  - name: a", `    note: "So: 1 # 2"`, `    generate: [f, -n=3, "-m=", "2", -w=1.5]`, "    seed: 0", "", "...")},
	} {
		files := map[string]string{"sample.yaml": sample}
		if test.file != "" {
			files["regress.yaml"] = test.file
		}
		got, err := appendTo(t, files, test.c)
		if err != nil || got != test.want {
			t.Errorf("%s: got %v\n%s\nwant\n%s", test.why, err, got, test.want)
		}
	}
}

func TestAppendErrors(t *testing.T) {
	t.Parallel()
	file := lines("cases:", "  - name: old", "    input: x", "...")
	for _, test := range []struct {
		why  string
		c    Case
		want string
	}{
		{"a name that is taken", Case{Name: "regress/old", Input: text("1\n")}, "regress.yaml:2: case old: another case has that name"},
		{"a name without a group", Case{Name: "old", Input: text("1\n")}, `bad case name "old"`},
		{"a name with capitals", Case{Name: "regress/Old", Input: text("1\n")}, `bad case name "regress/Old"`},
		{"the reserved group lock", Case{Name: "lock/a", Input: text("1\n")}, `bad case name "lock/a"`},
		{"an input that is too large", Case{Name: "regress/a", Input: text(strings.Repeat("1\n", MaxLiteral/2) + "1")}, "an input of 65537 bytes is too large for a case file"},
		{"an input that is not UTF-8", Case{Name: "regress/a", Input: text("\xff\n")}, "the input: "},
		{"a note that ends in a blank", Case{Name: "regress/a", Note: "x ", Input: text("1\n")}, "case a cannot be added to this file"},
	} {
		_, err := appendTo(t, map[string]string{"regress.yaml": file}, test.c)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got %v, want %s", test.why, err, test.want)
		}
	}
}

// TestAppendAny checks that cases added one after another are read back unchanged, whatever they
// hold.
func TestAppendAny(t *testing.T) {
	t.Parallel()
	chance := rand.New(rand.NewPCG(3, 4))
	any := func(letters string, most int) string {
		var b strings.Builder
		for range chance.IntN(most) {
			b.WriteByte(letters[chance.IntN(len(letters))])
		}
		return b.String()
	}
	root := t.TempDir()
	dir := filepath.Join(root, "cases", "p")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "regress.yaml"), []byte(lines("cases:", "  - name: first", "    input: |+", "      x", "", "...")), 0o644); err != nil {
		t.Fatal(err)
	}
	var want []Case
	for i := range 60 {
		name := "regress/c" + strings.Repeat("x", i)
		c := Case{Name: name, Note: "N" + any("ab :#'\"\\,[]{}-", 12) + "n", Input: text(any("1 \n\t.#-:|", 14))}
		if i%3 == 0 {
			seed := chance.Uint64()
			c.Input, c.Seed = nil, &seed
			for range 1 + chance.IntN(3) {
				c.Generate = append(c.Generate, "f"+any("ab=-.:, 01\"'", 6)+"f")
			}
		}
		s, err := Read(root, "p")
		if err != nil {
			t.Fatal(err)
		}
		e, err := s.Append(root, c)
		if err != nil {
			t.Fatalf("%+v: %v", c, err)
		}
		if err := Replace(root, "p", []Edit{e}); err != nil {
			t.Fatal(err)
		}
		want = append(want, c)
	}
	s, err := Read(root, "p")
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range want {
		got := s.Cases[i+1]
		if got.Name != c.Name || got.Note != c.Note || !same(got.Input, c.Input) || strings.Join(got.Generate, "\n") != strings.Join(c.Generate, "\n") ||
			(c.Seed != nil && *got.Seed != *c.Seed) {
			t.Errorf("case %d is %+v, want %+v", i, got, c)
		}
	}
}
