package yamltext

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// lines joins lines, so that a table shows documents as they are.
func lines(l ...string) string { return strings.Join(l, "\n") + "\n" }

func text(s string) *string { return &s }

func TestSplice(t *testing.T) {
	t.Parallel()
	tests := []struct {
		why, src string
		edits    []Edit
		want     string
	}{
		{"the value of a key changes and nothing else",
			lines("# top", "cases:", "  - name:   'a'   # odd blanks", "    output: |", "      old", "", "  # about b", "  - {name: b}", "..."),
			[]Edit{{In: "/cases/0", Key: "output", Text: text("new\nlines\n")}},
			lines("# top", "cases:", "  - name:   'a'   # odd blanks", "    output: |", "      new", "      lines", "", "  # about b", "  - {name: b}", "...")},
		{"the empty line after a block becomes text of a block that keeps, so it is not doubled",
			lines("- k: |", "    old", "", "- k: x"),
			[]Edit{{In: "/0", Key: "k", Text: text("new\n\n")}},
			lines("- k: |+", "    new", "", "- k: x")},
		{"an empty line that was text leaves one that separates",
			lines("- k: |+", "    old", "", "", "- k: x"),
			[]Edit{{In: "/0", Key: "k", Text: text("new\n")}},
			lines("- k: |", "    new", "", "- k: x")},
		{"an empty line that was text leaves none before the end marker",
			lines("- k: |+", "    old", "", "..."),
			[]Edit{{In: "/0", Key: "k", Text: text("new\n")}},
			lines("- k: |", "    new", "...")},
		{"comments on the line of a value stay, whatever the forms",
			lines("a: | # one", "  x", "b: 'it''s' # two", "c: \"\\\" # \" # three", "d: x y # four", "e: |+ # five", "  x", "", "# six"),
			[]Edit{{Key: "a", Text: text("")}, {Key: "b", Text: text("B\n")}, {Key: "c", Text: text("C\n\n")}, {Key: "d", Text: text(" ")}, {Key: "e", Text: text("E")}},
			lines(`a: "" # one`, "b: | # two", "  B", "c: |+ # three", "  C", "", `d: " " # four`, "e: |- # five", "  E", "", "# six")},
		{"a comment less indented than the block ends it, one as deep is text",
			lines("- k: |", "    x", "    # text", "  # comment", "- z"),
			[]Edit{{In: "/0", Key: "k", Text: text("y\n")}},
			lines("- k: |", "    y", "  # comment", "- z")},
		{"values over several lines in every form",
			lines("a: \"x", "  y\"", "b: 'x", "", "  y'", "c: x", "  y # z", "d:", "  x", "e: >-", "  x", "  y", "f: z"),
			[]Edit{{Key: "a", Text: text("A")}, {Key: "b", Text: text("B")}, {Key: "c", Text: text("C")}, {Key: "d", Text: text("D")}, {Key: "e", Text: text("E")}},
			lines("a: |-", "  A", "b: |-", "  B", "c: |- # z", "  C", "d: |-", "  D", "e: |-", "  E", "f: z")},
		{"a block with its indentation spelled out, and blanks beyond it as text",
			lines("k: |2+", "    deep", "   ", "", "z: 1"),
			[]Edit{{Key: "k", Text: text("x\n")}},
			lines("k: |", "  x", "", "z: 1")},
		{"blanks beyond the indentation, in a block that does not keep",
			lines("k: |", "  a", "     ", "", "z: 1"),
			[]Edit{{Key: "k", Text: text("x\n")}},
			lines("k: |", "  x", "", "z: 1")},
		{"a key without a value gets one",
			lines("k: # why", "z: 1"),
			[]Edit{{Key: "k", Text: text("x\n")}},
			lines("k: | # why", "  x", "z: 1")},
		{"an empty block ends where the next key begins",
			lines("k: |", "z: 1"),
			[]Edit{{Key: "k", Text: text("x\n")}},
			lines("k: |", "  x", "z: 1")},
		{"quoted keys and letters of several bytes before a value",
			lines("\"k\" : é 'x' # é", "z: 1"),
			[]Edit{{Key: "k", Text: text("ü\n")}},
			lines("\"k\" : | # é", "  ü", "z: 1")},
		{"a new key goes after the last, before the empty lines and comments that follow",
			lines("- a: 1", "  b: |", "    x", "", "  # next", "- a: 2"),
			[]Edit{{In: "/0", Key: "k", Text: text("y\n")}},
			lines("- a: 1", "  b: |", "    x", "  k: |", "    y", "", "  # next", "- a: 2")},
		{"a new key replaces the empty lines that would become its text",
			lines("- a: 1 # one", "", "- a: 2"),
			[]Edit{{In: "/0", Key: "k", Text: text("y\n\n")}},
			lines("- a: 1 # one", "  k: |+", "    y", "", "- a: 2")},
		{"after a block that keeps, its empty lines stay its text, and one more separates",
			lines("- a: |+", "    x", "", "- a: 2"),
			[]Edit{{In: "/0", Key: "k", Text: text("y\n")}},
			lines("- a: |+", "    x", "", "  k: |", "    y", "", "- a: 2")},
		{"a new key after a list in brackets, a block list, a nested mapping",
			lines("- a: [x, # c", "      'y]', {p: q, r: }, # ]", "     ]", "- a:", "    - |", "      x", "", "- a:", "    b: {}", "- a: []"),
			[]Edit{{In: "/0", Key: "k", Text: text("1")}, {In: "/1", Key: "k", Text: text("2")}, {In: "/2", Key: "k", Text: text("3")}, {In: "/3", Key: "k", Text: text("4")}},
			lines("- a: [x, # c", "      'y]', {p: q, r: }, # ]", "     ]", "  k: |-", "    1", "- a:", "    - |", "      x", "  k: |-", "    2", "", "- a:", "    b: {}", "  k: |-", "    3", "- a: []", "  k: |-", "    4")},
		{"a new key after a named one",
			lines("a: 1", "b: 2"),
			[]Edit{{Key: "k", Text: text("x"), After: "a"}},
			lines("a: 1", "k: |-", "  x", "b: 2")},
		{"a key goes away with its lines; the comment above and the empty line below stay",
			lines("- a: 1", "  # about k", "  k: |", "    x", "", "- a: 2"),
			[]Edit{{In: "/0", Key: "k"}},
			lines("- a: 1", "  # about k", "", "- a: 2")},
		{"a key removed after a block that keeps, with the empty line after it",
			lines("- a: |+", "    x", "  k: |", "    y", "", "- a: 2"),
			[]Edit{{In: "/0", Key: "k"}},
			lines("- a: |+", "    x", "- a: 2")},
		{"a key that is not there is removed by doing nothing",
			lines("a: 1"), []Edit{{Key: "k"}}, lines("a: 1")},
		{"a missing final line end is added at the edit",
			"- a: 1\n- a: 2", []Edit{{In: "/0", Key: "k", Text: text("x")}, {In: "/1", Key: "k", Text: text("y")}},
			lines("- a: 1", "  k: |-", "    x", "- a: 2", "  k: |-", "    y")},
		{"a missing final line end is not added elsewhere",
			"- a: 1\n- a: 2", []Edit{{In: "/0", Key: "a", Text: text("x")}},
			"- a: |-\n    x\n- a: 2"},
	}
	for _, tt := range tests {
		t.Run(tt.why, func(t *testing.T) {
			got, err := Splice([]byte(tt.src), tt.edits)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(strings.Split(tt.want, "\n"), strings.Split(string(got), "\n")); d != "" {
				t.Error(d)
			}
			again, err := Splice(got, tt.edits)
			if err != nil {
				t.Fatalf("the same edits again: %v", err)
			}
			if d := cmp.Diff(strings.Split(tt.want, "\n"), strings.Split(string(again), "\n")); d != "" {
				t.Errorf("the same edits again change the document:\n%s", d)
			}
		})
	}
}

func TestSpliceRefuses(t *testing.T) {
	t.Parallel()
	x := text("x")
	tests := []struct {
		why, src string
		edits    []Edit
		want     string
	}{
		{"CR would shift our lines against the reader's", "a: 1\nb: 2\r\n", []Edit{{Key: "a", Text: x}},
			"line 2: line ends other than LF, a byte order mark or invalid UTF-8"},
		{"U+2028 would shift our lines too", "a: \u2028\n", []Edit{{Key: "a", Text: x}},
			"line 1: line ends other than LF, a byte order mark or invalid UTF-8"},
		{"two documents", "a: 1\n---\nb: 1\n", []Edit{{Key: "a", Text: x}}, "line 2: more than one document"},
		{"not YAML", "a: [\n", []Edit{{Key: "a", Text: x}}, "not YAML: line 1: did not find expected node content"},
		{"an empty document", "", []Edit{{Key: "a", Text: x}}, "empty document"},
		{"no such mapping", "a: [1]\n", []Edit{{In: "/a/1", Key: "k", Text: x}}, "line 1: nothing at /a/1"},
		{"a mapping in braces has no lines", "a: {b: 1}\n", []Edit{{In: "/a", Key: "b", Text: x}}, "line 1: /a is not a mapping in block style"},
		{"a list", "a:\n  - b\n", []Edit{{In: "/a", Key: "b", Text: x}}, "line 2: /a is not a mapping in block style"},
		{"a value that is not a text", "a: [1]\n", []Edit{{Key: "a", Text: x}}, "line 1: the value of a is not a text"},
		{"a key that would need quotes", "a: 1\n", []Edit{{Key: "b: c", Text: x}}, `line 1: key "b: c" is not a plain word`},
		{"a missing key to insert after", "a: 1\n", []Edit{{Key: "b", Text: x, After: "c"}}, "line 1: no key c to put b after"},
		{"the dash before the first key of an item", "- a: 1\n  b: 2\n", []Edit{{In: "/0", Key: "a"}}, "line 1: a is the first key of its mapping and cannot be removed"},
		{"the only key", "a: 1\n", []Edit{{Key: "a"}}, "line 1: a is the first key of its mapping and cannot be removed"},
		{"a tag says how to read the value", "a: !!str 1\n", []Edit{{Key: "a", Text: x}}, "line 1: a tag, an anchor or an alias"},
		{"an anchor is needed elsewhere", "a: &x |\n  1\n", []Edit{{Key: "a", Text: x}}, "line 1: a tag or an anchor"},
		{"a key in the long form", "? a\n: 1\n", []Edit{{Key: "a", Text: x}}, "line 1: cannot tell where the value of a begins"},
		{"a comment that would be lost", "a: # why\n  1\n", []Edit{{Key: "a", Text: x}}, "line 2: a comment stands between a and its value"},
		{"one key twice", "a: 1\nb: 1\n", []Edit{{Key: "a", Text: x}, {Key: "a", Text: text("y")}}, "line 1: two edits overlap at key a"},
		{"a text that is no Unicode", "a: 1\n", []Edit{{Key: "a", Text: text("\xff")}}, "line 1: a: invalid UTF-8 cannot be written in YAML"},
	}
	for _, tt := range tests {
		got, err := Splice([]byte(tt.src), tt.edits)
		if err == nil || err.Error() != tt.want {
			t.Errorf("%s: %v, want %s; result %q", tt.why, err, tt.want, got)
		}
	}
	_, err := Splice([]byte("a: 1\n"), []Edit{{Key: "a", Text: text("\xff")}})
	if !errors.Is(err, ErrInvalidUTF8) {
		t.Errorf("%v does not wrap ErrInvalidUTF8", err)
	}
}

// FuzzSplice edits arbitrary documents. Splice itself verifies the values of its result. The test
// checks that it does not panic, that the same edit made again changes nothing, and that the lines
// before the edit stay the same.
func FuzzSplice(f *testing.F) {
	f.Add("a: 1\nk: |+\n  x\n\n# c\nb: [1]\n", "new\n\n", false)
	f.Add("k: \"a\n  b\" # c\n", " x", false)
	f.Add("b:\n- c\n-\n  k: 1", "y", true)
	f.Fuzz(func(t *testing.T, src, value string, remove bool) {
		e := Edit{Key: "k", Text: &value}
		if remove {
			e.Text = nil
		}
		got, err := Splice([]byte(src), []Edit{e})
		if err != nil {
			return
		}
		again, err := Splice(got, []Edit{e})
		if err != nil || string(again) != string(got) {
			t.Fatalf("%q with k = %q gives %q, then %q, %v", src, value, got, again, err)
		}
		s, err := newSource([]byte(src))
		if err != nil {
			t.Fatal(err)
		}
		if i := indexOf(s.root, "k"); i >= 0 {
			before := s.lines[s.root.Content[i].Line-1]
			if !strings.HasPrefix(string(got), src[:before]) {
				t.Fatalf("%q became %q", src, got)
			}
		}
	})
}
