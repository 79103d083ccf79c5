package cases

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// optional is a case file of an optional group.
func optional(names ...string) string {
	return "note: Beyond the promise.\noptional: true\n" + group(names...)
}

// TestOptional checks an optional group whose name comes first in the alphabet.
func TestOptional(t *testing.T) {
	t.Parallel()
	root := repository(t, map[string]string{
		"cases/x/aside.yaml":  optional("a", "b"),
		"cases/x/edge.yaml":   "note: At the bounds.\n" + group("e"),
		"cases/x/later.yaml":  optional("l"),
		"cases/x/sample.yaml": group("s"),
		"cases/x/tail.yaml":   "optional: false\nnote: Written out.\n" + group("t"),
	})
	s, err := Load(root, "x")
	if err != nil {
		t.Fatal(err)
	}
	names := func(list []Case) (names []string) {
		for _, c := range list {
			names = append(names, c.Name)
		}
		return names
	}
	if d := cmp.Diff([]string{"sample/s", "edge/e", "tail/t", "aside/a", "aside/b", "later/l"}, names(s.Cases)); d != "" {
		t.Errorf("optional groups are not last:\n%s", d)
	}
	if d := cmp.Diff([]string{"sample/s", "edge/e", "tail/t"}, names(Required(s.Cases))); d != "" || len(s.Cases) != 6 {
		t.Errorf("required cases:\n%s", d)
	}
	aside, later := Group{"aside", 2, "Beyond the promise.", true}, Group{"later", 1, "Beyond the promise.", true}
	if d := cmp.Diff([]Group{aside, later}, s.Optional()); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]Group{{"sample", 1, "", false}, {"edge", 1, "At the bounds.", false}, {"tail", 1, "Written out.", false}, aside, later}, s.Groups); d != "" {
		t.Error(d)
	}
	for i, g := range s.Groups {
		if want := filepath.Join(root, "cases/x", g.Name+".yaml"); s.Files[i] != want {
			t.Errorf("file %d is %s, want %s", i, s.Files[i], want)
		}
	}

	// A case that is added to an optional group is optional, and the text above it stays.
	edit, err := s.Append(root, Case{Name: "later/new", Input: text("1\n")})
	if err != nil {
		t.Fatal(err)
	}
	if err := Replace(root, "x", []Edit{edit}); err != nil {
		t.Fatal(err)
	}
	if s, err = Load(root, "x"); err != nil {
		t.Fatal(err)
	}
	if last := s.Cases[len(s.Cases)-1]; last.Name != "later/new" || !last.Optional {
		t.Errorf("the case added is %+v", last)
	}
}

func TestOptionalErrors(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		why   string
		files map[string]string
		want  string
	}{
		{"an optional group without a note", map[string]string{"sample": group("s"), "aside": "optional: true\n" + group("a")}, "cases/x/aside.yaml:1: optional without note"},
		{"an optional group with an empty note", map[string]string{"sample": group("s"), "aside": "note: ''\noptional: true\n" + group("a")}, "cases/x/aside.yaml:1: "},
		{"a quoted boolean", map[string]string{"sample": group("s"), "aside": "note: no\noptional: 'yes'\n" + group("a")}, "cases/x/aside.yaml:2: "},
		{"the group sample is optional", map[string]string{"sample": optional("s"), "edge": group("e")}, "cases/x/sample.yaml:2: the group sample cannot be optional"},
		{"all groups are optional", map[string]string{"aside": optional("a"), "edge": optional("e")}, "cases/x/aside.yaml:2: all groups of x are optional"},
		{"the key optional in a case", map[string]string{"sample": strings.Replace(group("s"), "    input", "    optional: true\n    input", 1)}, `cases/x/sample.yaml:3: cases: unknown field "optional"`},
	} {
		files := map[string]string{}
		for name, text := range row.files {
			files["cases/x/"+name+".yaml"] = text
		}
		_, err := Load(repository(t, files), "x")
		if err == nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%s: %v, want %s", row.why, err, row.want)
		}
	}
}
