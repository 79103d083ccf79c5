package eval

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"tribunal/judge/internal/yamlstrict"
)

// shapes are the keys that tell what a line is: a task of a format, or else what it looks like.
var shapes = []struct {
	keys   []string // all of them
	format Format
	looks  string
}{
	{[]string{"prompt", "tests", "results"}, "", "the results of MultiPL-E, not tasks"},
	{[]string{"public_test_cases"}, LiveCodeBench, ""},
	{[]string{"input_output", "problem_id"}, APPS, ""},
	{[]string{"input_output", "difficulty", "raw_tags"}, TACO, ""},
	{[]string{"input_output"}, APPS, ""},
	{[]string{"public_tests"}, CodeContests, ""},
	{[]string{"generated_tests"}, CodeContests, ""},
	{[]string{"test_list"}, MBPP, ""},
	{[]string{"complete_prompt", "test"}, BigCodeBench, ""},
	{[]string{"base_input", "assertion"}, MBPP, ""},
	{[]string{"prompt", "declaration", "test"}, "", "HumanEval-X, whose programs are in several languages"},
	{[]string{"prompt", "entry_point", "test"}, HumanEval, ""},
	{[]string{"prompt", "entry_point", "base_input"}, HumanEval, ""},
	{[]string{"prompt", "tests", "stop_tokens"}, MultiPLE, ""},
	{[]string{"instance_id", "patch"}, "", "SWE-bench, which judges changes of repositories"},
	{[]string{"instance_id", "model_patch"}, "", "predictions for SWE-bench, which judges changes of repositories"},
	{[]string{"code_context", "reference_code"}, "", "DS-1000, which needs its libraries"},
	{[]string{"official_tests", "contest_id"}, "", "open-r1/codeforces, whose tests need its checkers"},
	{[]string{"doc_id", "resps"}, "", "samples of lm-evaluation-harness: resps has the answers, doc the task"},
	{[]string{"results", "configs", "versions"}, "", "the results of lm-evaluation-harness, which have no programs"},
	{[]string{"custom_id", "response"}, "", "the output of a batch of OpenAI: .response.body.choices has the answers"},
	{[]string{"custom_id", "result"}, "", "the results of a batch of Anthropic: .result.message.content has the answers"},
	{[]string{"custom_id", "body"}, "", "requests for a batch of OpenAI, which have no answers"},
	{[]string{"eval", "plan", "status"}, "", "a log of Inspect: .samples[].output has the answers"},
	{[]string{"origin_prompt", "prediction"}, "", "predictions of OpenCompass"},
	{[]string{"0"}, "", "predictions of OpenCompass, by the number of the task"},
	{[]string{"features", "rows"}, "", "an answer of the server of Hugging Face: .rows[].row has the tasks"},
	{[]string{"messages"}, "", "conversations, whose messages name no task"},
	{[]string{"choices", "model"}, "", "answers of a model, which name no task"},
	{[]string{"eval", "date"}, "", "the results of EvalPlus or BigCodeBench, not tasks"},
	{[]string{"task_id", "passed"}, "", "the results of HumanEval, not tasks"},
	{[]string{"schema", "judge"}, "", "the results of an evaluation, not tasks"},
	{[]string{"task_id", "completion"}, "", samples},
	{[]string{"task_id", "solution"}, "", samples},
	{[]string{"task_id", "output"}, "", samples},
	{[]string{"question_id", "code_list"}, "", samples},
	{[]string{"task", "source"}, "", programs},
}

const (
	samples  = "samples, which come behind the tasks"
	programs = "programs, which come behind the tasks"
	askFor   = "judge eval TASKS PROGRAMS; docs/eval.md has the formats of tasks"
	shape    = `each line has "task", "language" and "source", or is a sample; docs/eval.md has the shapes of programs`
)

// detect returns the format that has the keys of a line, and what else it looks like.
func detect(line []byte) (Format, string) {
	if lists := [][]string(nil); json.Unmarshal(line, &lists) == nil || json.Unmarshal(line, &[]string{}) == nil {
		return "", "generations of bigcode-evaluation-harness, which name no task"
	}
	var keys map[string]json.RawMessage
	if decode(line, &keys) != nil {
		return Tribunal, ""
	}
	for _, shape := range shapes {
		if !slices.ContainsFunc(shape.keys, func(key string) bool { return keys[key] == nil }) {
			return shape.format, shape.looks
		}
	}
	return Tribunal, ""
}

// notProgram returns an error that says what a line with an error looks like that is no program, if that is
// known, else err.
func notProgram(line []byte, err error) error {
	if err == nil || !json.Valid(line) {
		return err
	}
	switch format, looks := detect(line); {
	case format != "" && format != Tribunal:
		return wrongf(askFor, "this looks like a task of %s, which comes before the programs", format)
	case looks != "" && looks != samples && looks != programs:
		return wrongf(shape, "this looks like %s", looks)
	}
	return err
}

// heads are the beginnings of files that are not JSON, and hints what to do with them.
var heads = []struct{ begin, looks, hint string }{
	{"PAR1", "Parquet", toLines("parquet")},
	{"ARROW1", "Arrow", toLines("feather")},
	{"\xff\xff\xff\xff", "a stream of Arrow", "load_from_disk of the library datasets reads it, and to_json writes lines"},
	{"PK\x03\x04", "a zip archive, such as a log of Inspect", "unzip it"},
	{"\x28\xb5\x2f\xfd", "compressed by zstd", "zstd -d"},
	{"version https://git-lfs", "a pointer of Git LFS, not the file", "git lfs pull"},
	{"<", "a page of the web, not a file of data", "fetch the file itself"},
}

func toLines(kind string) string {
	return `pandas.read_` + kind + `(file).to_json("tasks.jsonl", orient="records", lines=True) writes lines`
}

var csvHead = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[\w ."-]+([,;\t][\w ."-]+)+\s*$`) })

// known returns an error if a file, of which nothing has been read, is known not to be JSON.
func (s *scanner) known() error {
	head, _ := s.in.Peek(512)
	head = bytes.TrimPrefix(head, byteOrderMark)
	line, _, _ := bytes.Cut(head, []byte("\n"))
	looks, hint := "", ""
	if csvHead().Match(line) {
		looks, hint = "CSV", toLines("csv")
	}
	for _, h := range heads {
		if bytes.HasPrefix(head, []byte(h.begin)) {
			looks, hint = h.looks, h.hint
		}
	}
	if looks == "" {
		return nil
	}
	return &yamlstrict.Error{File: s.file, Msg: "this looks like " + looks, Hint: hint}
}

// folders are paths in folders of which nothing is read.
var folders = []struct{ pattern, looks string }{
	{"*/input_output.json", "the folders of APPS, whose lines Hugging Face has"},
	{"*.jsonl", "parts of a data set, each of which is a file of tasks"},
	{"*.parquet", "Parquet"},
	{"*/*.parquet", "Parquet"},
	{"*.arrow", "Arrow"},
	{"*.json.gz", "files of MultiPL-E, which are tasks with programs: judge eval FOLDER"},
	{"*.eval", "logs of Inspect"},
	{"samples_*.jsonl", "samples of lm-evaluation-harness"},
}

// looksLike says what a folder of which nothing is read looks like, "" if that is not known.
func looksLike(folder string) string {
	looks := ""
	for _, f := range folders {
		if list, err := filepath.Glob(filepath.Join(escapeGlob.Replace(folder), f.pattern)); err == nil && len(list) > 0 {
			looks = "; this looks like " + f.looks
		}
	}
	return looks
}

// escapeGlob makes a path a pattern that only itself matches.
var escapeGlob = strings.NewReplacer("\\", "\\\\", "*", "\\*", "?", "\\?", "[", "\\[")
