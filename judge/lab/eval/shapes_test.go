package eval

import (
	"compress/gzip"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"tribunal/judge/internal/build"
)

// filesIn writes files into a new folder and returns its path. Those called .gz are compressed.
func filesIn(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		f, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(name, ".gz") {
			w := gzip.NewWriter(f)
			fmt.Fprint(w, text)
			err = w.Close()
		} else {
			_, err = f.WriteString(text)
		}
		if err := errors.Join(err, f.Close()); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestLooks names shapes that are not read, as tasks and as programs.
func TestLooks(t *testing.T) {
	t.Parallel()
	const behind = "samples, which come behind the tasks"
	for _, tt := range []struct{ why, text, tasks, programs string }{
		{"lm-evaluation-harness, samples", `{"doc_id":0,"doc":{},"target":"","arguments":{},"resps":[["x"]],"filtered_resps":["x"]}`, "samples of lm-evaluation-harness", "samples of lm-evaluation-harness"},
		{"lm-evaluation-harness, results", "{\n  \"results\": {},\n  \"configs\": {},\n  \"versions\": {}\n}", "the results of lm-evaluation-harness", "the results of lm-evaluation-harness"},
		{"OpenAI, a batch", `{"id":"batch_req_1","custom_id":"a","response":{"status_code":200,"body":{"choices":[]}},"error":null}`, "the output of a batch of OpenAI", "the output of a batch of OpenAI"},
		{"OpenAI, requests of a batch", `{"custom_id":"a","method":"POST","url":"/v1/chat/completions","body":{}}`, "requests for a batch", "requests for a batch"},
		{"Anthropic, a batch", `{"custom_id":"a","result":{"type":"succeeded","message":{}}}`, "the results of a batch of Anthropic", "the results of a batch of Anthropic"},
		{"Inspect", "{\n \"version\": 2, \"status\": \"success\",\n \"eval\": {}, \"plan\": {}, \"samples\": []\n}\n", "a log of Inspect", "a log of Inspect"},
		{"Inspect, as an archive", "PK\x03\x04\x14", "a zip archive, such as a log of Inspect", "a zip archive"},
		{"bigcode-evaluation-harness", `[["def f(): pass", "x"], ["y"]]`, "generations of bigcode-evaluation-harness", "generations of bigcode-evaluation-harness"},
		{"OpenCompass", `{"0":{"origin_prompt":"","prediction":"x"}}`, "predictions of OpenCompass", "predictions of OpenCompass"},
		{"MultiPL-E, results", `{"name":"a","language":"cpp","prompt":"","tests":"}","stop_tokens":[],"results":[]}`, "the results of MultiPL-E", "the results of MultiPL-E"},
		{"EvalPlus, results", `{"date":"","hash":"","eval":{}}`, "the results of EvalPlus", "the results of EvalPlus"},
		{"SWE-bench", `{"instance_id":"a","model_patch":"","model_name_or_path":""}`, "predictions for SWE-bench", "predictions for SWE-bench"},
		{"conversations", `{"messages":[{"role":"user","content":"x"}]}`, "conversations", "conversations"},
		{"rows of Hugging Face", `{"features":[],"rows":[]}`, "an answer of the server of Hugging Face", "an answer of the server of Hugging Face"},
		{"CSV", "task_id,completion\nHumanEval/0,x\n", "CSV (hint: pandas.read_csv", "CSV (hint: pandas.read_csv"},
		{"tabs", "\ufefftask_id\tcompletion\r\n", "CSV", "CSV"},
		{"Parquet", "PAR1\x15\x04", "Parquet (hint: pandas.read_parquet", "Parquet"},
		{"Arrow", "ARROW1\x00\x00", "Arrow", "Arrow"},
		{"zstd", "\x28\xb5\x2f\xfd\x04", "compressed by zstd", "compressed by zstd"},
		{"Git LFS", "version https://git-lfs.github.com/spec/v1\noid sha256:0\n", "a pointer of Git LFS, not the file (hint: git lfs pull)", "a pointer of Git LFS"},
		{"a page", "<!DOCTYPE html>\n", "a page of the web", "a page of the web"},
		{"TACO, samples as tasks", `{"task_id":0,"prompt":"","output":["x"]}`, behind, ""},
		{"LiveCodeBench, samples as tasks", `{"question_id":"a","code_list":["x"]}`, behind, ""},
		{"HumanEval as programs", `{"task_id":"HumanEval/0","prompt":"","entry_point":"f","canonical_solution":"","test":"x"}`, "", "a task of humaneval, which comes before the programs"},
		{"MBPP as programs", `{"task_id":1,"text":"","code":"x","test_list":["x"]}`, "", "a task of mbpp"},
		{"LiveCodeBench as programs", `{"question_id":"1","public_test_cases":"[]"}`, "", "a task of livecodebench"},
		{"own tasks as programs", `{"id":"1","tests":[]}`, "", ""},
	} {
		if got := readAll(t, "t", tt.text, Options{}); tt.tasks != "" && !strings.Contains(got, "this looks like "+tt.tasks) {
			t.Errorf("%s, as tasks: %s", tt.why, got)
		}
		p, err := OpenPrograms(filepath.Join(filesIn(t, map[string]string{"p": tt.text}), "p"), build.Defaults())
		got := fmt.Sprint(err)
		if err == nil {
			got = readAll(t, "t", `{"id":"a","tests":[{"input":"","output":""}]}`, Options{Programs: p})
			p.Close()
		}
		if strings.Contains(got, "docs/eval.md has the formats of tasks") != strings.Contains(got, "a task of") {
			t.Errorf("%s, as programs: a hint about the wrong file: %s", tt.why, got)
		}
		if tt.programs != "" && !strings.Contains(got, "this looks like "+tt.programs) || tt.programs == "" && strings.Contains(got, "looks like") {
			t.Errorf("%s, as programs: %s", tt.why, got)
		}
	}
}

// TestEmpty checks that a file without a task or a program is an error: nothing would be judged, with success.
func TestEmpty(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "\n \n", "[]", "\ufeff"} {
		if got, want := readAll(t, "t", text, Options{}), "t: no tasks (hint: "; !strings.HasPrefix(got, want) {
			t.Errorf("%q as tasks: %s, want %s", text, got, want)
		}
		name := filepath.Join(filesIn(t, map[string]string{"p": text}), "p")
		if _, err := OpenPrograms(name, build.Defaults()); err == nil || !strings.HasPrefix(err.Error(), name+": no programs (hint: each line has ") {
			t.Errorf("%q as programs: %v", text, err)
		}
	}
}

// TestFolders reads folders of tasks, whose files are those of MultiPL-E, and says what others look like.
func TestFolders(t *testing.T) {
	t.Parallel()
	const (
		task = "{\n  \"name\": \"a\",\n  \"language\": \"sh\",\n  \"prompt\": \"f() {\\n\",\n  \"tests\": \"}\\nf\",\n  \"completions\": [\"1\\n}\\nf\", \"2\"],\n  \"stop_tokens\": [\"\\n}\"]\n}\n"
		two  = `{"name":"b","language":"lua","prompt":"","tests":"x","stop_tokens":["\n--","\n\n"],"completions":["3\n\n4\n--"]}`
		head = ", from tests-control.txt to tests-passed.txt, {Mode:tokens FoldCase:false Spaces:false Abs:0 Rel:0 Lines:0 Bytes:0}\n  test 1: \"\" → \"\"\n"
	)
	for _, tt := range []struct {
		why   string
		files map[string]string
		want  string
		count int
	}{
		{"MultiPL-E, with results and a file that is broken", map[string]string{"1.json.gz": task, "1.results.json.gz": "{}", "2.json": two, "3.json": "{", "4.json": "", "notes.txt": "x"},
			"1.json.gz:1: a" + head + "  program 1 in bash: \"f() {\\n1\"\n  program 2 in bash: \"f() {\\n2\"\n2.json:1: b" + head + "  program 1 in lua: \"3\"\n3.json:1: not JSON: unexpected EOF\n4.json:1: an empty file\n", 4},
		{"APPS", map[string]string{"0000/input_output.json": "{}"}, ": no tasks in files .json or .json.gz; this looks like the folders of APPS, whose lines Hugging Face has (hint: name a file with a task on each line)\n", 0},
		{"a data set of Hugging Face", map[string]string{"data/test-00000-of-00001.parquet": ""}, "this looks like Parquet", 0},
		{"parts", map[string]string{"test.jsonl": "", "test2.jsonl": ""}, "this looks like parts of a data set", 0},
		{"nothing", nil, ": no tasks in files .json or .json.gz (hint", 0},
	} {
		dir := filesIn(t, tt.files)
		f, err := os.Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		got := strings.ReplaceAll(strings.ReplaceAll(readFrom(t, dir, f, Options{}), dir+"/", ""), dir, "")
		if !strings.Contains(got, tt.want) || tt.count > 0 && got != tt.want {
			t.Errorf("%s: %s, want %s", tt.why, got, tt.want)
		}
		if n := Count(dir); n != tt.count {
			t.Errorf("%s: %d tasks, want %d", tt.why, n, tt.count)
		}
	}
	dir := filesIn(t, map[string]string{"1.json.gz": task})
	if _, err := OpenPrograms(dir, build.Defaults()); err == nil || !strings.Contains(err.Error(), "this looks like files of MultiPL-E, which are tasks with programs: judge eval FOLDER") {
		t.Errorf("tasks as programs: %v", err)
	}
}

// TestCount counts the tasks of files, also of those that cannot be read.
func TestCount(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{"": 0, "{}\n\n{\n": 2, "[{},{},\n{}]": 3, "[{}, {": 2, "{\n}\n{\n}": 2, "PAR1": 0} {
		for _, name := range []string{"t", "t.gz"} {
			if got := Count(filepath.Join(filesIn(t, map[string]string{name: text}), name)); got != want {
				t.Errorf("%q in %s: %d, want %d", text, name, got, want)
			}
		}
	}
	if got := Count(filepath.Join(t.TempDir(), "none")); got != 0 {
		t.Errorf("no file: %d", got)
	}
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(pipe, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	text := make([]byte, 3)
	if _, err = f.WriteString("{}\n"); err == nil && Count(pipe) == 0 {
		_, err = f.Read(text)
	}
	if err != nil || string(text) != "{}\n" {
		t.Errorf("a pipe has lost its text: %q, %v", text, err)
	}
}
