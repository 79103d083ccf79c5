package eval

import (
	"bytes"
	"compress/gzip"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/yamlstrict"
)

var update = flag.Bool("update", false, "rewrite golden files")

// readAll returns what Tasks reads, as text: tasks with their programs, and errors.
func readAll(t testing.TB, name, text string, o Options) string {
	t.Helper()
	return readFrom(t, name, strings.NewReader(text), o)
}

func readFrom(t testing.TB, name string, in io.Reader, o Options) string {
	t.Helper()
	o.Languages = build.Defaults()
	var b strings.Builder
	for task, err := range Tasks(name, in, o) {
		if err != nil {
			fmt.Fprintf(&b, "%v\n", err)
			continue
		}
		fmt.Fprintf(&b, "%s:%d: %s", task.File, task.Line, task.ID)
		if task.Problem != "" {
			fmt.Fprintf(&b, ", problem %s", task.Problem)
		}
		if l := task.Limits; l.CPU > 0 || l.Memory > 0 {
			fmt.Fprintf(&b, ", %v, %v", l.CPU, l.Memory)
		}
		if task.InFile != "" {
			fmt.Fprintf(&b, ", from %s to %s", task.InFile, task.OutFile)
		}
		if task.Function != nil {
			fmt.Fprintf(&b, ", calls %+v", *task.Function)
		}
		fmt.Fprintf(&b, ", %+v\n", task.Compare)
		for _, test := range task.Tests {
			fmt.Fprintf(&b, "  test %s: %q → %q\n", test.Name, test.Input, test.Output)
		}
		for p, err := range task.Programs {
			if err != nil {
				fmt.Fprintf(&b, "  %v\n", err)
			} else {
				fmt.Fprintf(&b, "  program %s in %s: %q\n", p.ID, p.Language, p.Source)
			}
		}
	}
	return b.String()
}

// TestFormats reads small samples of each data set, which were made by hand.
func TestFormats(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/*.jsonl")
	if err != nil || len(files) < 4 {
		t.Fatalf("%v, %v", files, err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		got := readAll(t, filepath.Base(file), string(text), Options{})
		format, _, _ := strings.Cut(filepath.Base(file), ".")
		if given := readAll(t, filepath.Base(file), string(text), Options{Format: Format(format)}); given != got {
			t.Errorf("%s: detected another format: %s", file, cmp.Diff(given, got))
		}
		golden := strings.TrimSuffix(file, ".jsonl") + ".golden"
		if *update {
			if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if d := cmp.Diff(string(want), got); err != nil || d != "" {
			t.Errorf("%s: %v (-want +got):\n%s", file, err, d)
		}
	}
}

func TestWrongLines(t *testing.T) {
	t.Parallel()
	const test = `"tests":[{"input":"","output":"x"}]`
	for _, tt := range []struct{ why, text, want string }{
		{"not JSON", `{"id":x}`, "t:1: not JSON at byte 7: invalid character 'x' looking for beginning of value (hint: each line is one object in JSON)"},
		{"a cut line", `{"id":"a","tests":[`, "t:1: not JSON: the text ends too early (hint: each line is one object in JSON)"},
		{"a list of tasks", `[{"id":"a"}]`, "t:1: task a: no tests"},
		{"a list of tasks over several lines", "[\n", "t:1: a list that is not JSON: EOF"},
		{"a list on a line", `{"id":"a",` + test + "}\n[]", "t:2: a list instead of an object (hint: jq -c '.[]' writes the values of a list on lines)"},
		{"objects over several lines", "{\n\"id\":\"a\",\n" + test + "}\n{\n" + test + "}", "t:1: a, {Mode:tokens FoldCase:false Spaces:false Abs:0 Rel:0 Lines:0 Bytes:0}\n  test 1: \"\" → \"x\"\nt:4: no id"},
		{"a cut object over several lines", "{\n\"id\":", "t:1: not JSON: unexpected EOF"},
		{"two values", `{"id":"a",` + test + `} {}`, "t:1: task a: more than one value (hint: write each on a line of its own)"},
		{"NUL", "{\"id\":\"a\x00\"}", "t:1: not JSON at byte 9: invalid character '\\x00' in string literal (hint: each line is one object in JSON)"},
		{"invalid UTF-8", "{\"id\":\"a\xff\"}", "t:1: not valid UTF-8 at byte 9 (hint: JSON is written in UTF-8)"},
		{"no id", `{` + test + `}`, "t:1: no id"},
		{"an id of another type", `{"id":true,` + test + `}`, "t:1: an id is true, not a text or a whole number"},
		{"an id that is not whole", `{"id":1.5,` + test + `}`, "t:1: an id is 1.5, not a text or a whole number"},
		{"an id that cannot be printed", `{"id":"a\u0000\n",` + test + `}`, `t:1: task a` + "\x00" + ` : the id "a\x00\n" has characters that cannot be printed`},
		{"no tests", `{"id":"a"}`, "t:1: task a: no tests"},
		{"tests without an output", `{"id":"a","tests":[{"input":""}]}`, `t:1: task a: test 1: no input or no output (hint: a test is {"input": …, "output": …})`},
		{"tests of a wrong type", `{"id":"a","tests":{}}`, "t:1: task a: tests: want a list, not an object"},
		{"a source of a wrong type", `{"id":"a",` + test + `,"programs":[{"source":1}]}`, "t:1: task a: programs.source: want a text, not a number"},
		{"an unknown key", `{"id":"a",` + test + `,"time_limt":"1s"}`, `t:1: task a: unknown key "time_limt" (hint: did you mean time_limit?)`},
		{"a key of one's own", `{"id":"a",` + test + `,"prompt":"x"}`, `t:1: task a: unknown key "prompt" (hint: own data belongs under metadata; the keys are ` + strings.Join(taskKeys, ", ") + `)`},
		{"a limit without a unit", `{"id":"a",` + test + `,"time_limit":"2"}`, "t:1: task a: time_limit: 2 has no unit (hint: did you mean 2s?)"},
		{"a limit that no program keeps", `{"id":"a",` + test + `,"memory_limit":"1KiB"}`, "t:1: task a: memory_limit: must be at least 1MiB"},
		{"a limit of nothing", `{"id":"a",` + test + `,"time_limit":"0s"}`, "t:1: task a: time_limit: must be more than zero"},
		{"an unknown comparison", `{"id":"a",` + test + `,"compare":"fuzzy"}`, `t:1: task a: compare: unknown way to compare "fuzzy" (hint: exact, lines, tokens or float)`},
		{"float without a tolerance", `{"id":"a",` + test + `,"compare":"float"}`, `t:1: task a: compare float and tolerance need each other (hint: "compare": "float", "tolerance": {"abs": 1e-6, "rel": 1e-6})`},
		{"a problem with tests", `{"id":"a","problem":"game",` + test + `}`, "t:1: task a: a problem has tests and a comparison of its own (hint: leave out either)"},
		{"an id that is known", `{"id":"a",` + test + "}\n\n" + `{"id":"a",` + test + "}", "t:1: a, {Mode:tokens FoldCase:false Spaces:false Abs:0 Rel:0 Lines:0 Bytes:0}\n  test 1: \"\" → \"x\"\nt:3: task a: line 1 has the same id (hint: ids are unique)"},

		{"a program without a language", `{"id":"a",` + test + `,"programs":[{"source":""}]}`, "t:1: task a: program 1: no language (hint: --lang sets that of all programs that name none)"},
		{"an unknown language", `{"id":"a",` + test + `,"programs":[{"id":"p","source":"","language":"brainfuck"}]}`, `t:1: task a: program p: unknown language "brainfuck" (hint: the languages are awk, `},
		{"a program without a source", `{"id":"a",` + test + `,"programs":[{"language":"c"}]}`, "t:1: task a: program 1: no source"},
		{"programs with the same id", `{"id":"a",` + test + `,"programs":[{"id":2,"source":"","language":"c"},{"source":"","language":"c"}]}`, "t:1: task a: program 2: another program has the same id (hint: ids are unique in a task)"},

		{"samples instead of tasks", `{"task_id":"a","completion":""}`, "t:1: this looks like samples, which come behind the tasks (hint: judge eval TASKS PROGRAMS; docs/eval.md has the formats of tasks)"},
		{"results of BigCodeBench", `{"date":"x","eval":{}}`, "t:1: this looks like the results of EvalPlus or BigCodeBench, not tasks"},
		{"own results", `{"schema":"tribunal/eval/1","judge":"x"}`, "t:1: this looks like the results of an evaluation, not tasks"},
		{"MbppPlus.jsonl", `{"task_id":"Mbpp/2","base_input":[],"assertion":""}`, "t:1: task Mbpp/2: the inputs of MbppPlus.jsonl have lost their types (hint: take evalplus/mbppplus of Hugging Face, whose tests are a program)"},
		{"HumanEval: neither tests nor a solution", `{"task_id":"a","prompt":"","entry_point":"f","base_input":[]}`, "t:1: task a: no test, and no canonical_solution that knows the results for inputs"},
		{"HumanEval: a name that is none", `{"task_id":"a","prompt":"","entry_point":"f()","test":"x"}`, `t:1: task a: entry_point: "f()" is not the name of a function`},
		{"HumanEval: a program in C", `{"task_id":"a","prompt":"","entry_point":"f","test":"x","programs":[{"language":"c","source":""}]}`, "t:1: task a: program 1: the tests call a function of Python, which a program in c does not have (hint: write it in python3)"},
		{"MBPP: no tests", `{"task_id":1,"test_list":[]}`, "t:1: task Mbpp/1: no tests"},
		{"CodeContests: lists of different lengths", `{"name":"a","public_tests":{"input":["1"],"output":[]}}`, "t:1: task a: 1 of input, but 0 of output"},
		{"CodeContests: half a test", `{"name":"a","public_tests":[{"input":"1"}]}`, "t:1: task a: number 1 has no input or no output"},
		{"CodeContests: an unknown language", `{"name":"a","public_tests":{"input":["1"],"output":["1"]},"solutions":{"language":[9],"solution":[""]}}`, "t:1: task a: unknown number 9 of a language"},
		{"CodeContests: Python 2", `{"name":"a","public_tests":{"input":["1"],"output":["1"]},"solutions":{"language":["PYTHON"],"solution":[""]}}`, `t:1: task a: program 1: unknown language "python2"`},
		{"CodeContests: a time that is none", `{"name":"a","public_tests":{"input":["1"],"output":["1"]},"time_limit":"soon"}`, `t:1: task a: time_limit: not a time: "soon" (hint: write it like 2s)`},
		{"CodeContests: a time of a year", `{"name":"a","public_tests":{"input":["1"],"output":["1"]},"time_limit":{"seconds":40000000}}`, `t:1: task a: time_limit: not from 0 to 24 hours`},
		{"CodeContests: memory in which nothing starts", `{"name":"a","public_tests":{"input":["1"],"output":["1"]},"memory_limit_bytes":1000}`, `t:1: task a: memory_limit_bytes: must be at least 1048576`},
		{"CodeContests: less than no memory", `{"name":"a","public_tests":{"input":["1"],"output":["1"]},"memory_limit_bytes":-1}`, `t:1: task a: a limit less than 0`},

		{"APPS: no tests", `{"problem_id":7,"input_output":""}`, "t:1: task 7: no tests: input_output is empty"},
		{"APPS: tests that are not JSON", `{"problem_id":7,"input_output":"{"}`, "t:1: task 7: input_output: not JSON: the text ends too early (hint: each line is one object in JSON)"},
		{"APPS: lists of different lengths", `{"problem_id":7,"input_output":"{\"inputs\":[\"1\"],\"outputs\":[]}"}`, "t:1: task 7: input_output: 1 inputs, but 0 outputs"},
		{"APPS: a number instead of a text", `{"problem_id":7,"input_output":{"inputs":[1],"outputs":["1"]}}`, "t:1: task 7: input_output: test 1: the value: want a text, not a number"},
		{"APPS: a function that is none", `{"problem_id":7,"input_output":{"fn_name":"import os","inputs":[],"outputs":[]}}`, `t:1: task 7: input_output: "import os" is not the name of a function`},
		{"APPS: a call in C", `{"problem_id":7,"input_output":{"fn_name":"f","inputs":[[1]],"outputs":[1]},"programs":[{"language":"c","source":""}]}`, "t:1: task 7: program 1: the tests call a function of Python, which a program in c does not have (hint: write it in python3)"},

		{"LiveCodeBench: damaged base64", `{"question_id":"q","public_test_cases":"[]","private_test_cases":"!!"}`, "t:1: task q: private_test_cases: neither a list nor compressed test cases: unexpected EOF (hint: they are JSON, or a pickle of JSON, compressed by zlib, in base64)"},
		{"LiveCodeBench: cut base64", `{"question_id":"q","public_test_cases":"[]","private_test_cases":"eJxr"}`, "t:1: task q: private_test_cases: damaged: unexpected EOF (hint: they are JSON, or a pickle of JSON, compressed by zlib, in base64)"},
		{"LiveCodeBench: a function without a name", `{"question_id":"q","public_test_cases":"[{\"input\":\"1\",\"output\":\"1\",\"testtype\":\"functional\"}]","metadata":"{}"}`, "t:1: task q: public_test_cases: test public/1: no name of the function that tests call"},
		{"LiveCodeBench: an unknown type", `{"question_id":"q","public_test_cases":"[{\"input\":\"1\",\"output\":\"1\",\"testtype\":\"x\"}]"}`, `t:1: task q: public_test_cases: test public/1: unknown type "x" (hint: the types are stdin and functional)`},
		{"LiveCodeBench: both types", `{"question_id":"q","metadata":"{\"func_name\":\"f\"}","public_test_cases":"[{\"input\":\"1\",\"output\":\"1\",\"testtype\":\"functional\"},{\"input\":\"1\",\"output\":\"1\",\"testtype\":\"stdin\"}]"}`, `t:1: task q: public_test_cases: test public/2: of the type stdin, unlike the first test`},
		{"LiveCodeBench: a value that is not JSON", `{"question_id":"q","metadata":"{\"func_name\":\"f\"}","public_test_cases":"[{\"input\":\"1\",\"output\":\"one\",\"testtype\":\"functional\"}]"}`, `t:1: task q: public_test_cases: test public/1: not JSON at byte 1: invalid character 'o' looking for beginning of value`},
	} {
		got := readAll(t, "t", tt.text+"\n", Options{})
		if !strings.Contains(strings.ReplaceAll(got, "\n  ", "\n"), strings.ReplaceAll(tt.want, "\n  ", "\n")) {
			t.Errorf("%s: got\n%s\nwant\n%s", tt.why, got, tt.want)
		}
	}
}

// TestGoesOn reads the lines around wrong ones.
func TestGoesOn(t *testing.T) {
	t.Parallel()
	line := func(id string) string { return `{"id":"` + id + `","tests":[{"input":"","output":""}]}` }
	long := line(strings.Repeat("x", 200))
	r := &reader{scanner: newScanner("t", strings.NewReader(line("a")+"\n{\n\n"+long+"\n"+line("b")))}
	r.most = 100
	var got []string
	for {
		text, err := r.next()
		if err != nil && len(text) == 0 && err.Error() == "EOF" {
			break
		}
		got = append(got, fmt.Sprint(string(text), r.line, err))
	}
	want := []string{
		line("a") + "\n1 <nil>", "{\n2 <nil>",
		"4 t:4: a line of 245 B, more than 100B (hint: put programs into a file of their own, or leave out the largest tests)", line("b") + "5 <nil>",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	all := readAll(t, "t", line("a")+"\n{\n"+line("b")+"\n", Options{})
	if !strings.Contains(all, "t:1: a,") || !strings.Contains(all, "t:2: not JSON") || !strings.Contains(all, "t:3: b,") {
		t.Error(all)
	}
}

// TestCompressed reads tasks that are compressed by gzip, and what is left of them.
func TestCompressed(t *testing.T) {
	t.Parallel()
	const line = `{"id":"a","tests":[{"input":"","output":""}]}`
	var whole bytes.Buffer
	w := gzip.NewWriter(&whole)
	fmt.Fprintln(w, line)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if got, want := readAll(t, "t", whole.String(), Options{}), readAll(t, "t", line+"\n", Options{}); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got := readAll(t, "t", whole.String()[:whole.Len()-9], Options{}); !strings.Contains(got, "\nt: unexpected EOF") {
		t.Errorf("a cut file: %s", got)
	}
	if got := readAll(t, "t", whole.String()[:5], Options{}); !strings.HasPrefix(got, "t: ") {
		t.Errorf("a file without a head: %s", got)
	}
	name := filepath.Join(t.TempDir(), "p")
	if err := os.WriteFile(name, whole.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenPrograms(name, nil); err == nil || !strings.HasPrefix(err.Error(), name+": compressed by gzip (hint: gunzip it") {
		t.Errorf("compressed programs: %v", err)
	}
}

// TestBrokenInput ends after an error of reading.
func TestBrokenInput(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	n := 0
	for _, err := range Tasks("t", iotest.ErrReader(broken), Options{}) {
		e, ok := errors.AsType[*yamlstrict.Error](err)
		if n++; !ok || e.Line != 0 || !errors.Is(err, broken) {
			t.Error(err)
		}
	}
	if n != 1 {
		t.Errorf("%d errors", n)
	}
}

func TestLanguage(t *testing.T) {
	t.Parallel()
	for _, tt := range [][2]string{{"python3", "python3"}, {"Python", "python3"}, {"PYTHON3", "python3"}, {"C++", "cpp"}, {"CPP", "cpp"}, {"js", "javascript"}, {"mawk", "mawk"}} {
		if got, err := Language(tt[0], build.Defaults()); err != nil || got != tt[1] {
			t.Errorf("%s is %s, %v; want %s", tt[0], got, err, tt[1])
		}
	}
	for other, name := range otherNames {
		if _, known := build.Defaults()[name]; !known || other != strings.ToLower(other) {
			t.Errorf("%s stands for %s, which is no language, or is not in lower case", other, name)
		}
	}
	if _, err := Language("binary", build.Defaults()); err == nil {
		t.Error("executables are a language")
	}
}

// FuzzTasks reads any text in each format: tasks are complete, and errors are located.
func FuzzTasks(f *testing.F) {
	files, _ := filepath.Glob("testdata/*.jsonl")
	for i, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		for line := range bytes.Lines(text) {
			f.Add(uint8(i), line)
		}
	}
	languages := build.Defaults()
	f.Fuzz(func(t *testing.T, format uint8, text []byte) {
		o := Options{Format: append(Formats(), "")[int(format)%(len(Formats())+1)], Languages: languages, Language: "python3"}
		for task, err := range Tasks("t", bytes.NewReader(text), o) {
			if err != nil {
				if e, ok := errors.AsType[*yamlstrict.Error](err); !ok || e.Line == 0 && e.Msg != "no tasks" && !strings.HasPrefix(e.Msg, "this looks like") || strings.Contains(e.Error(), "\n") {
					t.Errorf("%v", err)
				}
				continue
			}
			if task.ID == "" || task.Problem == "" && len(task.Tests) == 0 || task.Size <= 0 {
				t.Errorf("%+v", task)
			}
			ids := map[string]bool{}
			for p, err := range task.Programs {
				if err == nil && (p.ID == "" || ids[p.ID] || languages[p.Language].Version == nil) {
					t.Errorf("%+v", p)
				}
				if err == nil {
					ids[p.ID] = true
				}
			}
			p := task.problem()
			if set, err := p.Cases(); err != nil || len(set.Cases) == 0 && task.Problem == "" {
				t.Errorf("%v", err)
			}
		}
	})
}

// TestStopsReading ends after the first of a task's programs.
func TestStopsReading(t *testing.T) {
	t.Parallel()
	const text = `{"id":"a","tests":[{"input":"","output":""}],"programs":[{"language":"c","source":"1"},{"language":"c","source":"2"}]}`
	for task, err := range Tasks("t", strings.NewReader(text), Options{Languages: build.Defaults()}) {
		if err != nil {
			t.Fatal(err)
		}
		read := ""
		for p, err := range task.Programs {
			if err != nil {
				t.Fatal(err)
			}
			read += p.Source
			break
		}
		if read != "1" {
			t.Errorf("read %q", read)
		}
	}
}
