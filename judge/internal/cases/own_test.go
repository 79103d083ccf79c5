package cases

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// TestOwn checks that cases with arguments, files and validators of their own are written and read
// back unchanged.
func TestOwn(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(15, 2))
	words := []string{"", "a", "null", "true", "-n", "-n=5", "a b", "12", "], x: [", "é\u2028", "\t\n\x01", `"\`, "#"}
	list := func() []string {
		if r.IntN(3) == 0 {
			return nil
		}
		own := []string{}
		for range r.IntN(4) {
			own = append(own, words[r.IntN(len(words))])
		}
		return own
	}
	for n := range 300 {
		var want []Case
		for i := range 1 + r.IntN(3) {
			c := Case{Name: fmt.Sprintf("g/c%d", i), Group: "g", Input: text(" x\n\n"), Args: list(), Flags: list()}
			if r.IntN(2) == 0 {
				c.FilesDir = filepath.Join("g", "c.files")
			}
			if r.IntN(2) == 0 {
				c.Asked = []string{"1form", "null", "even.2"}[r.IntN(3)]
			}
			if r.IntN(2) == 0 {
				c.InputArgs = map[string][]string{"word": {"a"}, "1": {}, "null": {"", "b"}}
				c.AnswerArgs = map[string][]string{"word": {"b"}, "n": {}}
			}
			if r.IntN(2) == 0 {
				c.Output, c.Pinned = text("y"), true
			}
			want = append(want, c)
		}
		data, err := Text("g", want)
		if err != nil {
			t.Fatal(err)
		}
		// Setting an output in such a file leaves the rest alone.
		data, err = SetOutputs("g.yaml", data, map[string]*string{"c0": text("new\n")})
		if err != nil {
			t.Fatalf("%d: %v", n, err)
		}
		want[0].Output = text("new\n")
		got, err := parse("g.yaml", data)
		if err != nil {
			t.Fatalf("%d: %v\n%s", n, err, data)
		}
		for i := range got {
			got[i].File, got[i].Line, got[i].place = "", 0, want[i].place
		}
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("%d: got %+v\nwant %+v\n%s", n, got, want, data)
		}
	}
}

// TestBeside reads the files for the submission's working folder.
func TestBeside(t *testing.T) {
	t.Parallel()
	root := repository(t, map[string]string{
		"cases/x/edge.yaml":         "cases:\n" + lines("  - name: a", "    input: x", "    files: a.files") + "...\n",
		"cases/x/edge/a.files/one":  "1\xff",
		"cases/x/edge/a.files/d/.h": "",
	})
	s, err := Read(root, "x")
	if err != nil {
		t.Fatal(err)
	}
	want := map[string][]byte{"one": []byte("1\xff"), "d/.h": {}}
	given := func() (map[string][]byte, error) { return want, nil }
	for _, tt := range []struct {
		why  string
		c    Case
		want map[string][]byte
	}{
		{"in a folder of the repository", s.Cases[0], want},
		{"from a package", Case{Given: &Given{Files: given}}, want},
		{"a package without files for the case", Case{Given: &Given{}}, nil},
	} {
		if got, err := tt.c.Beside(); err != nil || !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%s: got %q, %v, want %q", tt.why, got, err, tt.want)
		}
	}
}

// TestMadeOfOwn checks that the lock's hash covers everything that can change an expected output.
func TestMadeOfOwn(t *testing.T) {
	t.Parallel()
	seen := map[string]string{}
	for why, c := range map[string]Case{
		"nothing":          {},
		"an argument":      {Args: []string{"a b"}},
		"two arguments":    {Args: []string{"a", "b"}},
		"no arguments":     {Args: []string{}},
		"a file":           {Files: map[string][]byte{"a": nil}},
		"another text":     {Files: map[string][]byte{"a": []byte("b")}},
		"another name":     {Files: map[string][]byte{"b": nil}},
		"flags":            {Flags: []string{"a"}},
		"no flags":         {Flags: []string{}},
		"one of several":   {Asked: "a"},
		"generated":        {Generate: []string{"a"}, Seed: new(uint64)},
		"generated, flags": {Generate: []string{"a"}, Seed: new(uint64), Flags: []string{"a"}},
	} {
		made := c.Made()
		if (made == "") != (why == "nothing") {
			t.Errorf("%s: %q", why, made)
		}
		if seen[made] != "" {
			t.Errorf("%s has the same hash as %s", why, seen[made])
		}
		seen[made] = why
	}
}

func TestOwnErrors(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ why, key, want string }{
		{"a missing folder", "files: b.files", "3: case a: no folder ROOT/cases/x/edge/b.files (hint: it must be in the folder ROOT/cases/x/edge)"},
		{"a file instead of a folder", "files: file", "3: case a: no folder ROOT/cases/x/edge/file (hint: it must be in the folder ROOT/cases/x/edge)"},
		{"a folder outside of the group", "files: ../edge", `3: files: bad form "../edge" (hint: it must match [A-Za-z0-9_][A-Za-z0-9_.-]*)`},
		{"a symbolic link in the folder", "files: linked", "3: case a: ROOT/cases/x/edge/linked/out is not a regular file (hint: put the file itself there)"},
		{"arguments that are not a list", "args: a b", `3: args: want a list, found the text "a b"`},
		{"arguments without the name of a validator", "input_validator_args: [a]", "3: input_validator_args: want a mapping, found a list"},
	} {
		root := repository(t, map[string]string{
			"cases/x/edge.yaml":      "cases:\n" + lines("  - name: a", "    "+tt.key, "    input: x") + "...\n",
			"cases/x/edge/file":      "",
			"cases/x/edge/linked/in": "",
		})
		if err := os.Symlink("in", filepath.Join(root, "cases/x/edge/linked/out")); err != nil {
			t.Fatal(err)
		}
		_, err := Read(root, "x")
		want := root + "/cases/x/edge.yaml:" + strings.ReplaceAll(tt.want, "ROOT", root)
		if err == nil || err.Error() != want {
			t.Errorf("%s: got  %v\nwant %s", tt.why, err, want)
		}
	}
}
