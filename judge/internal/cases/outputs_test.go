package cases

import (
	"bytes"
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestSetOutputsGolden edits a file with every form of output and layout that people write, and
// compares the whole result.
func TestSetOutputsGolden(t *testing.T) {
	t.Parallel()
	src, err := os.ReadFile("testdata/edge.yaml")
	if err != nil {
		t.Fatal(err)
	}
	got, err := SetOutputs("testdata/edge.yaml", src, map[string]*string{
		"plain":       text("Case 1: 2 moves NE\n"),
		"new":         text("first\n"),
		"new-maze":    text(" _ _\n| | |\n\n"),
		"generated":   text("x\n\n"),
		"shorter":     text("one line\n"),
		"longer":      text("one line\n\n"),
		"blanks":      text("ends in a blank \n"),
		"gone":        nil,
		"never-there": nil,
		"unchanged":   text("as it was\n"),
		"last":        text("end\n\n"),
	})
	if err != nil {
		t.Fatal(err)
	}
	const golden = "testdata/edge.golden.yaml"
	if *update {
		if err := os.WriteFile(golden, got, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(strings.SplitAfter(string(want), "\n"), strings.SplitAfter(string(got), "\n")); d != "" {
		t.Error(d)
	}
}

func TestSetOutputsErrors(t *testing.T) {
	t.Parallel()
	file := lines("cases:", "  - output: x", "    name: first-key", "    input: x", "  - name: pinned", "    input: x", "    pinned: true", "    output: x", "  - name: c", "    input: x", "    output: # why", "      x", "...")
	tests := []struct {
		why, src, name string
		output         *string
		want           string
	}{
		{"a file that does not load", "cases: []\n", "c", nil, "cases/x/e.yaml:1: cases: empty list"},
		{"an unknown case", file, "pined", text("x\n"), "cases/x/e.yaml: no case pined (hint: did you mean pinned?)"},
		{"an unknown case without a similar name", file, "zzzzz", nil, "cases/x/e.yaml: no case zzzzz"},
		{"removing the output of a pinned case", file, "pinned", nil, "cases/x/e.yaml:7: pinned without output (hint: add output, or leave pinned out)"},
		{"an output that is not UTF-8", file, "pinned", text("\xff\n"), "cases/x/e.yaml:8: output: invalid UTF-8 cannot be written in YAML (hint: leave the output out of the file; the lock has its hash)"},
		{"a comment between key and value", file, "c", text("y\n"), "cases/x/e.yaml:12: a comment stands between output and its value (hint: edit the output by hand, as the last key of its case)"},
		{"an output that is the first key", file, "first-key", nil, "cases/x/e.yaml:2: output is the first key of its mapping and cannot be removed (hint: edit the output by hand, as the last key of its case)"},
	}
	for _, tt := range tests {
		src := []byte(tt.src)
		got, err := SetOutputs("cases/x/e.yaml", src, map[string]*string{tt.name: tt.output})
		if err == nil || err.Error() != tt.want || got != nil {
			t.Errorf("%s: got %q, %v\nwant %s", tt.why, got, err, tt.want)
		}
		if string(src) != tt.src {
			t.Errorf("%s: the source was changed", tt.why)
		}
	}
}

// FuzzSetOutputs sets an output of all cases of an arbitrary file, and removes it again. Everything
// else in the file must stay, which is checked by lines and not by the code under test.
func FuzzSetOutputs(f *testing.F) {
	golden, err := os.ReadFile("testdata/edge.yaml")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(golden, "x\n\n")
	f.Add([]byte(group("a", "b")), "x")
	f.Add([]byte("# é\ncases:\n- name: a # c\n  input: \"\\\n    x\"\n\n  # d\n- generate: [a, # b\n    c]\n  seed: 1\n  name: b\n\n...\n"), " \n")
	f.Fuzz(func(t *testing.T, src []byte, output string) {
		const file = "cases/x/g.yaml"
		list, err := parse(file, src)
		if err != nil {
			return
		}
		set, unset := map[string]*string{}, map[string]*string{}
		for i := range list {
			set[list[i].Short()], unset[list[i].Short()] = &output, nil
		}
		filled, err := SetOutputs(file, src, set)
		if err != nil {
			oneLine(t, err)
			return
		}
		got, err := parse(file, filled)
		if err != nil {
			t.Fatal(err)
		}
		for i := range list {
			list[i].Output = &output
		}
		if d := cmp.Diff(list, got, cmpopts.IgnoreUnexported(Case{}), cmpopts.IgnoreFields(Case{}, "Line")); d != "" {
			t.Fatalf("%s\nbecame\n%s\n%s", src, filled, d)
		}
		src = withEnd(file, src)
		bare, err := SetOutputs(file, src, unset)
		if err != nil {
			return // pinned, or output is the first key
		}
		if !within(bare, src) || !within(bare, filled) {
			t.Fatalf("lines were lost or changed:\n%s\nwithout outputs\n%s\nwith outputs\n%s", src, bare, filled)
		}
		again, err := SetOutputs(file, filled, unset)
		if err != nil {
			t.Fatal(err)
		}
		if !within(again, bare) || !within(bare, again) {
			t.Fatalf("set and removed:\n%s\ninstead of\n%s", again, bare)
		}
		// If no block keeps empty lines, the empty lines must not change either.
		if !strings.HasSuffix(output, "\n\n") && !bytes.ContainsRune(src, '+') && !bytes.Contains(src, []byte("output")) && !bytes.Equal(again, src) {
			t.Fatalf("set and removed:\n%q\ninstead of\n%q", again, src)
		}
	})
}

// within reports whether the lines of a that are not empty are in b, in order.
func within(a, b []byte) bool {
	rest := bytes.Split(b, []byte{'\n'})
	for line := range bytes.SplitSeq(a, []byte{'\n'}) {
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		for len(rest) > 0 && !bytes.Equal(rest[0], line) {
			rest = rest[1:]
		}
		if len(rest) == 0 {
			return false
		}
		rest = rest[1:]
	}
	return true
}
