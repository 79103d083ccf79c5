package eval

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tribunal/judge/internal/build"
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
	programs, err := OpenPrograms(name, build.Defaults())
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
		"p:8: task c: there is no such task in t; programs for it: 2\n"
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

// TestSamples reads samples in the shapes that benchmarks publish.
func TestSamples(t *testing.T) {
	t.Parallel()
	const (
		humanEval = `{"task_id":"HumanEval/0","prompt":"def f():\n","entry_point":"f","test":"assert f()"}`
		mbpp      = `{"task_id":7,"code":"print(0)","test_list":["assert f()"]}`
	)
	for _, tt := range []struct {
		why   string
		task  string
		files map[string]string // a file called p, or files in the folder p
		want  []string
	}{
		{"completions and solutions", humanEval, map[string]string{"p": `{"task_id":"HumanEval/0","completion":"  return 1\n"}
{"task_id":"HumanEval/0","solution":"def f(): return 2","_identifier":"x","raw_solution":"y"}
{"task_id":"HumanEval/0","completion":"~~~python\ndef f(): return 3\n~~~"}
`}, []string{`program 1 in python3: "def f():\n  return 1\n"`, `program 2 in python3: "def f(): return 2"`, `program 3 in python3: "def f():\ndef f(): return 3\n"`}},
		{"ids by other names", mbpp, map[string]string{"p": `{"name":"Mbpp/7","completion":"3"}
{"problem_id":7,"solution":"4"}
`}, []string{`program 1 in python3: "3"`, `program 2 in python3: "4"`}},
		{"both names of a task", mbpp, map[string]string{"p": `{"task_id":"Mbpp/7","solution":"3","completion":"4"}
{"task_id":7,"source":"5"}
`}, []string{`program 1 in python3: "3"`, `program 2 in python3: "5"`}},
		{"a list over several lines, and lists of programs", mbpp, map[string]string{"p": "\ufeff[\n  {\n    \"question_id\": \"Mbpp/7\",\n    \"code_list\": [\"1\", \"2\"],\n    \"output_list\": [\"x\", \"y\"]\n  },\n  {\"task_id\": 7, \"output\": [\"3\"]},\n\n{\"task_id\":8,\"output\":[\"4\",\"5\"]},{}, {\"task_id\":7}]\n"},
			[]string{`program 1 in python3: "1"`, `program 2 in python3: "2"`, `program 3 in python3: "3"`, `p:9: task 7: no program (hint: samples have solution, completion, code_list, output_list or output)`, "p:9: no id", "p:9: task 8: there is no such task in t; programs for it: 2"}},
		{"a list that is cut", mbpp, map[string]string{"p": "[\n{\"task_id\":7,\"solution\":\"1\"},\n{\"task_id\":7,"}, []string{`program 1 in python3: "1"`, "p:2: a list that is not JSON: unexpected EOF"}},
		{"a list that ends in a comma", mbpp, map[string]string{"p": "[\n{\"task_id\":7,\"solution\":\"1\"},\n\n]"}, []string{`program 1 in python3: "1"`, "p:2: a list that is not JSON: invalid character"}},
		{"a wrong kind", mbpp, map[string]string{"p": `{"task_id":7,"solution":8}` + "\n"}, []string{`p:1: task 7: samples are a text or a list of texts`}},
		{"a folder for each task", humanEval, map[string]string{"HumanEval_0/0.py": "0", "HumanEval_0/10.py": "10", "HumanEval_0/2.py": "2", "HumanEval_0/notes.txt": "", "HumanEval_9/0.py": ""},
			[]string{`program 1 in python3: "0"`, `program 2 in python3: "2"`, `program 3 in python3: "10"`, "p/HumanEval_9/0.py:1: task HumanEval_9: there is no such task in t; programs for it: 1"}},
	} {
		name := filepath.Join(t.TempDir(), "p")
		for file, text := range tt.files {
			if file != "p" {
				file = filepath.Join("p", file)
			}
			file = filepath.Join(filepath.Dir(name), file)
			if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(text), 0o644)); err != nil {
				t.Fatal(err)
			}
		}
		programs, err := OpenPrograms(name, build.Defaults())
		if err != nil {
			t.Errorf("%s: %v", tt.why, err)
			continue
		}
		var got []string
		for line := range strings.Lines(strings.ReplaceAll(readAll(t, "t", tt.task, Options{Programs: programs}), name, "p")) {
			if line = strings.TrimSpace(line); !strings.HasPrefix(line, "t:") && !strings.HasPrefix(line, "test ") {
				got = append(got, line)
			}
		}
		if len(got) != len(tt.want) || slices.ContainsFunc(tt.want, func(want string) bool {
			return !slices.ContainsFunc(got, func(line string) bool { return strings.HasPrefix(line, want) })
		}) {
			t.Errorf("%s: got\n%s\nwant\n%s", tt.why, strings.Join(got, "\n"), strings.Join(tt.want, "\n"))
		}
		programs.Close()
	}
	if _, err := OpenPrograms(t.TempDir(), build.Defaults()); err == nil || !strings.Contains(err.Error(), "no programs in folders with the names of tasks") {
		t.Errorf("an empty folder: %v", err)
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
	programs, err := OpenPrograms(name, build.Defaults())
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
	programs, err := OpenPrograms(name, build.Defaults())
	if err != nil {
		t.Fatal(err)
	}
	defer programs.Close()
	for text, want := range map[string]string{"{": ": EOF", strings.Repeat("x", 100): ":1: task a: changed while it was read"} {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		for _, at := range programs.of("a", "") {
			if at.err == nil || at.err.Error() != name+want {
				t.Errorf("%v, want %s", at.err, want)
			}
		}
	}
	if _, err := OpenPrograms(t.TempDir(), nil); err == nil {
		t.Error("a folder was opened")
	}
}
