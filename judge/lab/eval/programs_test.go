package eval

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestPrograms joins programs in a file of their own with tasks.
func TestPrograms(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "p")
	const text = `{"task":"b","source":"1","language":"c"}
{"task":"a","id":"x","source":"2"}

{"task":"b","id":"y","source":"é3","language":"c","metadata":{"model":"m"}}
{"task":"b","id":"x","source":"4","language":"cobol"}
{"task":"b","id":"y","source":"5","language":"c"}
{"task":"b","source":6}
{"task":"c","source":"7","language":"c"}
{"task":"c","source":"8","language":"c"}
{"source":"9","language":"c"}
{"task":12,"source":"10","language":"c","score":1}
not JSON
{"task":"a","source":"11","language":"c"}`
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	programs, err := OpenPrograms(name)
	if err != nil {
		t.Fatal(err)
	}
	defer programs.Close()
	const tasks = `{"id":"a","tests":[{"input":"","output":""}],"programs":[{"source":"0","language":"c"}]}
{"id":12,"tests":[{"input":"","output":""}]}
{"id":"b","tests":[{"input":"","output":""}]}
{"id":"d","tests":[{"input":"","output":""}]}
`
	got := readAll(t, "t", tasks, Options{Programs: programs, Language: "python3"})
	got = strings.ReplaceAll(got, name, "p")
	const same = ", {Mode:tokens FoldCase:false Spaces:false Abs:0 Rel:0 Lines:0 Bytes:0}\n  test 1: \"\" → \"\"\n"
	const want = "t:1: a" + same +
		"  program 1 in c: \"0\"\n  program x in python3: \"2\"\n  program 3 in c: \"11\"\n" +
		"t:2: 12" + same +
		"  p:11: task 12: unknown key \"score\" (hint: own data belongs under metadata; the keys are task, id, language, source, metadata)\n" +
		"t:3: b" + same +
		"  program 1 in c: \"1\"\n  program y in c: \"é3\"\n  p:5: task b: program x: unknown language \"cobol\" (hint: the languages are awk, bash, c, cpp, csharp, go, haskell, java, javascript, kotlin, lua, mawk, ocaml, pascal, perl, pypy3, python3, ruby, rust, typescript)\n" +
		"  p:6: task b: program y: another program has the same id (hint: ids are unique in a task)\n" +
		"  p:7: task b: source: want a text, not a number\n" +
		"t:4: d" + same +
		"p:10: no id\np:12: not JSON at byte 2: invalid character 'o' in literal null (expecting 'u') (hint: each line is one object in JSON)\n" +
		"p:8: task c: there is no such task in t, but 2 programs for it\n"
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

// TestListsOfPrograms opens lists instead of lines. The error names the jq that writes lines.
func TestListsOfPrograms(t *testing.T) {
	t.Parallel()
	const (
		lines   = "p:1: a list instead of an object (hint: jq -c '.[]' writes the values of a list on lines)"
		samples = "p:1: a list instead of an object (hint: jq -c '.[] | {task: .question_id, source: .code_list[]}' writes samples of LiveCodeBench on lines)"
	)
	for _, tt := range []struct{ why, text, want string }{
		{"programs", `[{"task":"a","source":"1"}]`, lines},
		{"samples of LiveCodeBench", `[{"question_id":"a","code_list":["1","2"]}]`, samples},
		{"samples as they are published, over several lines", "[\n  {\n    \"question_id\": \"a\",\n    \"code_list\": [\"1\"]\n  }\n]\n", samples},
	} {
		name := filepath.Join(t.TempDir(), "p")
		if err := os.WriteFile(name, []byte(tt.text), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := OpenPrograms(name); err == nil || strings.ReplaceAll(err.Error(), name, "p") != tt.want {
			t.Errorf("%s: %v, want %s", tt.why, err, tt.want)
		}
	}
}

// TestByteOrderMark reads files that an editor of Windows has written: the mark at their beginning is not
// part of the first line.
func TestByteOrderMark(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "p")
	if err := os.WriteFile(name, []byte("\ufeff"+`{"task":"a","source":"1","language":"c"}`+"\r\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	programs, err := OpenPrograms(name)
	if err != nil {
		t.Fatal(err)
	}
	defer programs.Close()
	got := readAll(t, "t", "\ufeff"+`{"id":"a","tests":[{"input":"","output":""}]}`+"\n\ufeff{}", Options{Programs: programs})
	for _, want := range []string{"t:1: a,", `program 1 in c: "1"`, "t:2: not JSON at byte 1"} {
		if !strings.Contains(got, want) {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// TestProgramsChanged reads a file that changes after it was opened.
func TestProgramsChanged(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "p")
	if err := os.WriteFile(name, []byte(`{"task":"a","source":"1","language":"c"}`+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	programs, err := OpenPrograms(name)
	if err != nil {
		t.Fatal(err)
	}
	defer programs.Close()
	for text, want := range map[string]string{"{": ": EOF", strings.Repeat("x", 100): ":1: task a: changed while it was read"} {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		for _, at := range programs.of("a") {
			if at.err == nil || at.err.Error() != name+want {
				t.Errorf("%v, want %s", at.err, want)
			}
		}
	}
	if _, err := OpenPrograms(t.TempDir()); err == nil {
		t.Error("a folder was opened")
	}
}
