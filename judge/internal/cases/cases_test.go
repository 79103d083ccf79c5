package cases

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

// lines joins lines, so that a table shows files as they are.
func lines(l ...string) string { return strings.Join(l, "\n") + "\n" }

func text(s string) *string { return &s }

// repository writes files below a new root and returns it.
func repository(t testing.TB, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, content := range files {
		file := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func group(names ...string) string {
	var b strings.Builder
	b.WriteString("cases:\n")
	for _, n := range names {
		fmt.Fprintf(&b, "  - name: %s\n    input: |\n      1\n", n)
	}
	b.WriteString("...\n")
	return b.String()
}

func TestLoad(t *testing.T) {
	t.Parallel()
	root := repository(t, map[string]string{
		"cases/x/edge.yaml":    group("b", "a"),
		"cases/x/sample.yaml":  lines("cases:", "  - name: 1", "    note: 12", "    input: |2+", "", "       1", "", "    pinned: true", "    output: 'x '", "  - name: two", "    generate: [walls, -n=40, 7, true, 1e3]", "    seed: 18446744073709551615", "..."),
		"cases/x/a.yaml":       group("z"),
		"cases/x/lock.yaml":    lines("reference: 00ff", "cases:", "  edge/a: {output: "+strings.Repeat("0", 32)+", bytes: 5000}", "  gone/gone: {}"), // written by hand, without a seal
		"cases/x/mutants.yaml": "not: for us\n",
		"cases/x/README.md":    "nor this\n",
		"cases/x/.#edge.yaml":  "nor an editor's file\n",
		"cases/y/sample.yaml":  group("other"),
	})
	s, err := Load(root, "x")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, c := range s.Cases {
		names = append(names, c.Name)
	}
	want := []string{"sample/1", "sample/two", "a/z", "edge/b", "edge/a"}
	if d := cmp.Diff(want, names); d != "" {
		t.Errorf("cases are not in order:\n%s", d)
	}
	first := s.Cases[0]
	if first.Note != "12" || *first.Input != "\n 1\n\n" || first.Generate != nil || first.Seed != nil || !first.Pinned || *first.Output != "x " || first.Short() != "1" || first.Group != "sample" || first.Line != 2 {
		t.Errorf("first case is %+v", first)
	}
	second := s.Cases[1]
	if d := cmp.Diff([]string{"walls", "-n=40", "7", "true", "1e3"}, second.Generate); d != "" || *second.Seed != 1<<64-1 || second.Input != nil || second.Output != nil {
		t.Errorf("arguments are not as written:\n%s\n%+v", d, second)
	}
	if got := s.Cases[4].Lock; got != (LockCase{Output: strings.Repeat("0", 32), Bytes: 5000}) {
		t.Errorf("lock of edge/a is %+v", got)
	}
	if s.Lock.Reference != "" || len(s.Lock.Cases) != 2 {
		t.Errorf("lock is %+v", s.Lock)
	}
	if d := cmp.Diff([]string{"sample.yaml", "a.yaml", "edge.yaml"}, []string{filepath.Base(s.Files[0]), filepath.Base(s.Files[1]), filepath.Base(s.Files[2])}); d != "" {
		t.Error(d)
	}
	if got, want := fmt.Sprint(second.Errorf("seed", "try %d", "%d is %s", 7, "odd")), filepath.Join(root, "cases/x/sample.yaml")+":12: case two: 7 is odd (hint: try %d)"; got != want {
		t.Errorf("Errorf = %s, want %s", got, want)
	}
}

// TestFiles checks that bytes that YAML cannot hold are read from files of their own.
func TestFiles(t *testing.T) {
	t.Parallel()
	files := map[string]string{
		"cases/x/edge.yaml":  lines("cases:", "  - name: a", "    input_file: a.in", "    output_file: 1.ans", "  - name: b", "    input_file: a.in", "..."),
		"cases/x/edge/a.in":  "\xff\r\n",
		"cases/x/edge/1.ans": "yes",
	}
	root := repository(t, files)
	s, err := Load(root, "x")
	if err != nil {
		t.Fatal(err)
	}
	a, b := s.Cases[0], s.Cases[1]
	if *a.Input != "\xff\r\n" || *a.Output != "yes" || !a.Pinned || a.OutputFile != filepath.Join(root, "cases/x/edge/1.ans") {
		t.Errorf("in files: %+v", a)
	}
	if *b.Input != *a.Input || b.Output != nil || b.Pinned {
		t.Errorf("the input alone: %+v", b)
	}

	// The lock detects a change of one of them.
	lock := &Lock{Cases: map[string]LockCase{"edge/a": {Input: Hash([]byte("other")), Output: Hash([]byte("yes"))}}}
	files["cases/x/lock.yaml"] = string(lock.Marshal())
	if _, err := Load(repository(t, files), "x"); err == nil || !strings.Contains(err.Error(), "edge.yaml:3: case a: input does not match lock.yaml") {
		t.Errorf("a file that is not the one in the lock: %v", err)
	}
}

// TestNewFile checks that a file without outputs needs no end marker before regen has written it, and
// gets one with the first edit.
func TestNewFile(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ why, text string }{
		{"a line end", "cases:\n  - name: a\n    input: |\n      ...\n"},
		{"empty lines and a comment", "cases:\n  - name: a\n    generate: [b]\n    seed: 1\n\n# More?\n\n"},
	} {
		root := repository(t, map[string]string{"cases/x/edge.yaml": tt.text, "cases/x/sample.yaml": group("a"), "cases/x/lock.yaml": string((&Lock{Cases: map[string]LockCase{"sample/a": {}}}).Marshal())})
		s, err := Load(root, "x")
		if err != nil {
			t.Errorf("%s: %v", tt.why, err)
			continue
		}
		set, err := SetOutputs("edge.yaml", []byte(tt.text), map[string]*string{"a": text("1\n\n")})
		if list, again := parse("edge.yaml", set); err != nil || again != nil || !strings.HasSuffix(string(set), "\n...\n") || *list[0].Output != "1\n\n" {
			t.Errorf("%s: with an output: %q, %v, %v", tt.why, set, err, again)
		}
		e, err := s.Append(root, Case{Name: "edge/b", Input: text("2\n")})
		if list, again := parse("edge.yaml", e.Text); err != nil || again != nil || !strings.HasSuffix(string(e.Text), "\n...\n") || len(list) != 2 {
			t.Errorf("%s: with another case: %q, %v, %v", tt.why, e.Text, err, again)
		}
	}
}

func TestMissing(t *testing.T) {
	t.Parallel()
	root := repository(t, map[string]string{"cases/x/edge.yaml": group("a", "b")})
	s, err := Load(root, "x")
	if err != nil {
		t.Fatal(err)
	}
	s.Cases[0].Lock.Output = Hash([]byte("known by its hash"))
	want := filepath.Join(root, "cases/x/edge.yaml") + ":5: case b has no expected output (hint: run judge regen x)"
	if err := s.Missing(); err == nil || err.Error() != want {
		t.Errorf("Missing = %v, want %s", err, want)
	}
	s.Cases[1].Output = text("")
	if err := s.Missing(); err != nil {
		t.Errorf("an empty output is an output: %v", err)
	}
}

func TestLoadErrors(t *testing.T) {
	t.Parallel()
	item := func(l ...string) map[string]string {
		return map[string]string{"cases/x/edge.yaml": "cases:\n" + lines(l...) + "...\n"}
	}
	tests := []struct {
		why   string
		files map[string]string
		want  string // the error after the root
	}{
		{"an unknown problem has no folder", nil,
			"cases/x: no such folder (hint: the cases of a problem are in cases/<problem>/<group>.yaml)"},
		{"a problem without cases", map[string]string{"cases/x/lock.yaml": "cases: {}\n"},
			"cases/x: no case files (hint: write one, such as ROOT/cases/x/sample.yaml)"},
		{"a folder in place of a file", map[string]string{"cases/x": ""},
			"cases/x: not a directory"},
		{"a file with the wrong extension", map[string]string{"cases/x/edge.yml": ""},
			"cases/x/edge.yml: not read as a case file (hint: case files end in .yaml)"},
		{"a group name with a capital", map[string]string{"cases/x/Edge.yaml": ""},
			`cases/x/Edge.yaml: bad group name "Edge" (hint: it must match [a-z0-9][a-z0-9-]*)`},
		{"an empty file", map[string]string{"cases/x/edge.yaml": ""},
			"cases/x/edge.yaml:1: empty document"},
		{"an empty list of cases", map[string]string{"cases/x/edge.yaml": "cases: []\n...\n"},
			"cases/x/edge.yaml:1: cases: empty list"},
		{"a key without a value", map[string]string{"cases/x/edge.yaml": "cases:\n...\n"},
			"cases/x/edge.yaml:1: cases: no value (hint: write the value or leave the key out)"},
		{"a missing end marker after an output", map[string]string{"cases/x/edge.yaml": "cases:\n  - name: a\n    input: \"\"\n    output: x\n\n"},
			"cases/x/edge.yaml:4: no end marker (hint: end the file with a line of three dots: ... keeps editors from trimming the last output)"},
		{"a missing end marker after an input that an editor may have trimmed", map[string]string{"cases/x/edge.yaml": "cases:\n  - name: a\n    input: |+\n      1\n"},
			"cases/x/edge.yaml:4: no end marker (hint: end the file with a line of three dots: ... keeps editors from trimming the last output)"},
		{"a missing end marker after an input without a line end", map[string]string{"cases/x/edge.yaml": "cases:\n  - name: a\n    input: |\n      1"},
			"cases/x/edge.yaml:4: no end marker (hint: end the file with a line of three dots: ... keeps editors from trimming the last output)"},
		{"a missing end marker where regen has written one", map[string]string{"cases/x/edge.yaml": "cases:\n  - name: a\n    input: x\n",
			"cases/x/lock.yaml": string((&Lock{Cases: map[string]LockCase{"edge/gone": {}}}).Marshal())},
			"cases/x/edge.yaml:3: no end marker (hint: end the file with a line of three dots: ... keeps editors from trimming the last output)"},
		{"dots within a text are not an end marker", map[string]string{"cases/x/edge.yaml": "cases:\n  - name: a\n    input: |+\n      ...\n"},
			"cases/x/edge.yaml:4: no end marker (hint: end the file with a line of three dots: ... keeps editors from trimming the last output)"},
		{"a misspelt key", item("  - name: a", "    input: x", "    ouput: |", "      x"),
			`cases/x/edge.yaml:4: cases: unknown field "ouput" (hint: did you mean "output"?)`},
		{"a duplicate key", item("  - name: a", "    input: x", "    input: y"),
			`cases/x/edge.yaml:4: cases: duplicate key "input" (hint: the first is on line 3)`},
		{"two cases of one name", item("  - name: a", "    input: x", "  - input: y", "    name: a"),
			"cases/x/edge.yaml:5: two cases are called a (hint: the first is on line 2)"},
		{"a name that could not be in a path or a pattern", item("  - name: a_b", "    input: x"),
			`cases/x/edge.yaml:2: name: bad form "a_b" (hint: it must match [a-z0-9][a-z0-9-]*)`},
		{"a case without a name", item("  - input: x"),
			`cases/x/edge.yaml:2: cases: missing key "name" (hint: short name, unique in this file)`},
		{"neither input nor generate", item("  - name: a", "    output: x"),
			`cases/x/edge.yaml:2: cases: missing key "input" or "input_file" or "generate"`},
		{"both input and generate", item("  - name: a", "    input: x", "    generate: [x]", "    seed: 1"),
			"cases/x/edge.yaml:4: both input and generate (hint: keep one of them)"},
		{"a missing input file", item("  - name: a", "    input_file: a.in"),
			"cases/x/edge.yaml:3: case a: no file ROOT/cases/x/edge/a.in (hint: it must be in the folder ROOT/cases/x/edge)"},
		{"an input file in another folder", item("  - name: a", "    input_file: ../a.in"),
			`cases/x/edge.yaml:3: input_file: bad form "../a.in" (hint: it must match [A-Za-z0-9_][A-Za-z0-9_.-]*)`},
		{"two outputs", item("  - name: a", "    input: x", "    output: y", "    output_file: a.ans"),
			"cases/x/edge.yaml:5: case a has both output and output_file (hint: leave out one of them)"},
		{"two inputs", item("  - name: a", "    input: x", "    input_file: a.in"),
			"cases/x/edge.yaml:4: both input and input_file (hint: keep one of them)"},
		{"generate without seed", item("  - name: a", "    generate: [x]"),
			"cases/x/edge.yaml:3: generate without seed (hint: add seed, or leave generate out)"},
		{"seed without generate", item("  - name: a", "    input: x", "    seed: 1"),
			"cases/x/edge.yaml:4: seed without generate (hint: add generate, or leave seed out)"},
		{"pinned without output", item("  - name: a", "    input: x", "    pinned: true"),
			"cases/x/edge.yaml:4: pinned without output (hint: add output, or leave pinned out)"},
		{"arguments that are not a list", item("  - name: a", "    generate: walls -n 4", "    seed: 1"),
			`cases/x/edge.yaml:3: generate: want a list, found the text "walls -n 4"`},
		{"an empty list of arguments", item("  - name: a", "    generate: []", "    seed: 1"),
			"cases/x/edge.yaml:3: generate: empty list"},
		{"an octal seed", item("  - name: a", "    generate: [x]", "    seed: 010"),
			`cases/x/edge.yaml:4: seed: want a whole number, found "010" (hint: write 10; a leading zero means octal to YAML)`},
		{"a negative seed", item("  - name: a", "    generate: [x]", "    seed: -1"),
			"cases/x/edge.yaml:4: seed: -1 is out of range"},
		{"a number instead of a text", item("  - name: a", "    input: x", "    output: 12"),
			`cases/x/edge.yaml:4: output: want a text, found the number 12; the bytes of a text must not depend on how YAML reads it (hint: write it as a block: "output: |", and below it, indented, 12 and a line end)`},
		{"a missing value is not an empty output", item("  - name: a", "    input: x", "    output:"),
			`cases/x/edge.yaml:4: output: no value (hint: write "" for an empty text, or leave the key out)`},
		{"a case in braces", item("  - {name: a, input: x}"),
			"cases/x/edge.yaml:2: case a is written in braces (hint: write it without braces, one key a line)"},
		{"CRLF", map[string]string{"cases/x/edge.yaml": "cases:\r\n"},
			"cases/x/edge.yaml:1: CRLF line ends; expected outputs would be wrong (hint: save the file with LF line ends, or, if git made them, write \"* -text\" to .gitattributes and check the files out again)"},
		{"a second document", map[string]string{"cases/x/edge.yaml": group("a") + "cases:\n"},
			"cases/x/edge.yaml:6: a second document begins here (hint: keep one document in a file and nothing after its ...)"},
		{"a list instead of a mapping", map[string]string{"cases/x/edge.yaml": "- name: a\n...\n"},
			"cases/x/edge.yaml:1: want a mapping, found a list"},
		{"a wrong key in the lock", map[string]string{"cases/x/edge.yaml": group("a"), "cases/x/lock.yaml": "cases:\n  a: {}\n"},
			`cases/x/lock.yaml:2: "a" is not the name of a case (hint: do not edit it: restore it, or take either side of a merge, and run judge regen)`},
		{"a hash of another length", map[string]string{"cases/x/edge.yaml": group("a"), "cases/x/lock.yaml": "cases:\n  edge/a: {output: 00}\n"},
			`cases/x/lock.yaml:2: output: bad form "00" (hint: do not edit it: restore it, or take either side of a merge, and run judge regen)`},
		{"a merge conflict in the lock", map[string]string{"cases/x/edge.yaml": group("a"), "cases/x/lock.yaml": "cases:\n<<<<<<< ours\n  edge/a: {}\n"},
			"cases/x/lock.yaml:2: merge conflict (hint: do not edit it: restore it, or take either side of a merge, and run judge regen)"},
	}
	for _, tt := range tests {
		t.Run(tt.why, func(t *testing.T) {
			root := repository(t, tt.files)
			_, err := Load(root, "x")
			want := strings.ReplaceAll(root+"/"+tt.want, "ROOT", root)
			if err == nil || err.Error() != want {
				t.Errorf("got  %v\nwant %s", err, want)
			}
		})
	}
}

func TestMatch(t *testing.T) {
	t.Parallel()
	var list []Case
	for _, name := range []string{"sample/statement", "edge/flips-1", "edge/flips-2", "large/flips-40", "large/sample"} {
		g, _, _ := strings.Cut(name, "/")
		list = append(list, Case{Name: name, Group: g})
	}
	tests := []struct{ pattern, want, why string }{
		{"edge/flips-1", "edge/flips-1", "a full name"},
		{"edge/*", "edge/flips-1 edge/flips-2", "a group"},
		{"edge", "edge/flips-1 edge/flips-2", "a group by its name"},
		{"*/flips-?", "edge/flips-1 edge/flips-2", "a family of full names"},
		{"flips-*", "edge/flips-1 edge/flips-2 large/flips-40", "a family of short names"},
		{"sample", "sample/statement large/sample", "group and short name, each case once, in order"},
		{"*", "sample/statement edge/flips-1 edge/flips-2 large/flips-40 large/sample", "all"},
		{"edge/flips-3", `no case matches "edge/flips-3" (hint: did you mean edge/flips-1?)`, "the nearest full name"},
		{"large/flips-1", `no case matches "large/flips-1" (hint: did you mean edge/flips-1?)`, "the right name in the wrong group"},
		{"large/simmer", `no case matches "large/simmer" (hint: the groups are sample, edge, large)`, "another name in a group is not near because the group is the same"},
		{"egde", `no case matches "egde" (hint: did you mean edge?)`, "the nearest group"},
		{"sttement", `no case matches "sttement" (hint: did you mean statement?)`, "the nearest short name"},
		{"xyz*", `no case matches "xyz*" (hint: the groups are sample, edge, large)`, "nothing is near"},
		{"", `no case matches "" (hint: the groups are sample, edge, large)`, "nothing at all"},
		{"[a", `bad case pattern "[a" (hint: * and ? stand for letters, [a-z] for one of them; a bracket must be closed)`, "not a pattern"},
		{"x/[a", `bad case pattern "x/[a" (hint: * and ? stand for letters, [a-z] for one of them; a bracket must be closed)`, "not a pattern, found late"},
	}
	for _, tt := range tests {
		found, err := Match(tt.pattern, list)
		var names []string
		for _, c := range found {
			names = append(names, c.Name)
		}
		got := strings.Join(names, " ")
		if err != nil {
			got = err.Error()
		}
		if got != tt.want {
			t.Errorf("%s: Match(%q) = %s, want %s", tt.why, tt.pattern, got, tt.want)
		}
	}
	if _, err := Match("[a", nil); err == nil {
		t.Error("a malformed pattern is one without any cases, too")
	}
}

func FuzzDecodeCases(f *testing.F) {
	f.Add([]byte(group("a", "b")))
	f.Add([]byte("cases:\n  - name: a\n    generate: [x, -n=1]\n    seed: 7\n    pinned: true\n    output: |+\n      x\n\n...\n"))
	f.Add([]byte("a: &a [*a]\n...\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		list, err := parse("cases/x/g.yaml", data)
		if err != nil {
			oneLine(t, err)
			return
		}
		seen := map[string]bool{}
		for _, c := range list {
			if seen[c.Name] || !groupName().MatchString(c.Short()) || c.Line < 1 {
				t.Errorf("bad case %+v", c)
			}
			seen[c.Name] = true
			if (c.Input == nil) == (c.Generate == nil) || (c.Generate == nil) != (c.Seed == nil) || c.Pinned && c.Output == nil {
				t.Errorf("case breaks its contract: %+v", c)
			}
		}
	})
}

// oneLine checks that an error has a location and fits in one line of a terminal.
func oneLine(t *testing.T, err error) {
	t.Helper()
	if s := err.Error(); !strings.HasPrefix(s, "cases/x/") || strings.ContainsAny(s, "\n\r\x00\x1b") || !utf8.ValidString(s) {
		t.Errorf("a message without a location, or of several lines: %q", s)
	}
}

func BenchmarkLoad110(b *testing.B) {
	var names []string
	for i := range 110 {
		names = append(names, fmt.Sprintf("case-%d", i))
	}
	root := repository(b, map[string]string{"cases/x/edge.yaml": group(names[:60]...), "cases/x/large.yaml": group(names[60:]...)})
	for b.Loop() {
		if _, err := Load(root, "x"); err != nil {
			b.Fatal(err)
		}
	}
}
