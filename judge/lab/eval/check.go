package eval

import (
	"crypto/rand"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"sync"

	"tribunal/judge/internal/cache"
	"tribunal/judge/internal/verdict"
)

// check is a program of tests, in the form that check.py reads.
type check struct {
	Setup  string            `json:"setup"`          // a trusted program that runs before, such as the reference
	Code   string            `json:"code,omitempty"` // the reference, where it does not run: what it defines is of the submission, even if Python has it too
	Name   string            `json:"name"`           // of the function of the submission; "" if the tests call any name
	Tests  string            `json:"tests"`
	Inputs []json.RawMessage `json:"inputs"` // of EvalPlus: arguments, for which Setup knows the results
	Atol   float64           `json:"atol"`
}

// unfit is the cause of the verdict if check.py cannot run the tests.
const unfit = "exited with status 99"

// shown undoes what a difference does with white space.
var shown = sync.OnceValue(func() *strings.Replacer { return strings.NewReplacer("·", " ", "→", "\t", "⏎", "", "∎", "") })

// checked says of a result what check.py has found instead of the mark.
func (r *Result) checked(function bool) {
	switch why := strings.TrimSpace(r.Stderr); {
	case r.Cause == unfit && function:
		r.Verdict, r.Cause = verdict.JE, "not judged: the tests cannot be run: "+why[strings.LastIndexByte(why, '\n')+1:]
	case r.Mismatch != nil:
		r.Cause = "ended before its tests did"
		for _, line := range r.Mismatch.Lines {
			if line.Op == "+" {
				r.Cause = first(shown().Replace(line.Text), maxCause)
				break
			}
		}
		r.Mismatch = nil
	}
}

// check sets a program as the only test of a task.
func (p *parsed) check(c check) error {
	if c.Name != "" && !functionName().MatchString(c.Name) {
		return wrongf("", "entry_point: %.40q is not the name of a function", c.Name)
	}
	if strings.TrimSpace(c.Tests) == "" {
		return wrongf("", "no tests")
	}
	text, err := json.Marshal(c)
	p.language, p.Compare, p.Function = "python3", tokens, &Function{Name: c.Name, Program: true}
	p.Tests = []Test{{Name: "1", Input: string(text)}}
	return err
}

// mark sets what the program of tests prints at its end: a word that nothing knows before it runs. Tests
// that follow each program get a control: the same, with a last test that fails. It returns the key of the
// tests without the mark.
func (t *Task) mark() cache.Key {
	h := cache.NewHasher("check 1")
	test := &t.Tests[0]
	h.Text(test.Input, t.Tail)
	t.written = "passed-" + rand.Text()
	if test.Output = t.written + "\n"; t.Tail == "" {
		test.Input = test.Output + test.Input
	} else {
		t.Tests = append(t.Tests, Test{Name: "control", Input: "the last test shall fail\n", Output: test.Output})
	}
	return h.Key()
}

// humanEval is a problem of HumanEval (Chen et al., arXiv:2107.03374) as in data/HumanEval.jsonl.gz of
// github.com/openai/human-eval, or of HumanEval+ (Liu et al., arXiv:2305.01210): evalplus/humanevalplus of
// Hugging Face has the same fields, and the files of the releases have inputs instead of test, for which
// the canonical solution knows the results.
type humanEval struct {
	ID        text              `json:"task_id"`
	Prompt    string            `json:"prompt"`
	Entry     string            `json:"entry_point"`
	Canonical string            `json:"canonical_solution"`
	Test      string            `json:"test"`
	Base      []json.RawMessage `json:"base_input"`
	Plus      []json.RawMessage `json:"plus_input"`
	Atol      float64           `json:"atol"`
	Programs  []programLine     `json:"programs"`
}

func parseHumanEval(line []byte) (p parsed, err error) {
	var h humanEval
	err = decode(line, &h)
	p.ID, p.prompt = string(h.ID), h.Prompt
	if err != nil {
		return p, err
	}
	if h.Entry == "" {
		return p, wrongf("", "no entry_point")
	}
	p.solutions, p.programs = completions(h.Canonical), h.Programs
	c := check{Setup: h.Prompt + h.Canonical, Name: h.Entry, Tests: h.Test + "\ncheck(" + h.Entry + ")\n", Inputs: slices.Concat(h.Base, h.Plus), Atol: h.Atol}
	switch {
	case h.Canonical == "": // then a prompt ends in a comment
		c.Setup += "\n    pass\n"
		if h.Test == "" {
			return p, wrongf("", "no test, and no canonical_solution that knows the results for inputs")
		}
	case h.Test == "" && len(c.Inputs) == 0:
		return p, wrongf("", "no tests")
	case len(c.Inputs) > 0:
		c.Tests = evalPlus
	}
	return p, p.check(c)
}

// completions returns a program that continues the prompt, if it is not empty.
func completions(text string) []programLine {
	if text == "" {
		return nil
	}
	return []programLine{{Source: &text, continues: true}}
}

// evalPlus compares as evalplus/eval/__init__.py of github.com/evalplus/evalplus does.
const evalPlus = `import copy

def close(got, want):
    floats = isinstance(want, float) or isinstance(want, (list, tuple)) and want and all(isinstance(x, float) for x in want)
    tolerance = atol or (1e-6 if floats else 0)
    return bool(tolerance) and type(got) is type(want) and near(got, want, tolerance, 1e-7)

for arguments in inputs:
    got, want = candidate(*copy.deepcopy(arguments)), reference(*copy.deepcopy(arguments))
    if name == "find_zero":
        assert abs(poly(*arguments, got)) <= atol, arguments
    else:
        assert got == want or close(got, want), arguments
`

// mbpp is a problem of MBPP (Austin et al., arXiv:2108.07732), in the shapes of mbpp.jsonl and
// sanitized-mbpp.json of github.com/google-research/google-research/tree/master/mbpp, or of MBPP+ as
// evalplus/mbppplus of Hugging Face, which has a program of more tests.
type mbpp struct {
	ID       text          `json:"task_id"`
	Code     string        `json:"code"`
	Setup    string        `json:"test_setup_code"`
	Imports  []string      `json:"test_imports"`
	List     []string      `json:"test_list"`
	Test     string        `json:"test"`
	Inputs   embedded      `json:"base_input"` // of MbppPlus.jsonl
	Programs []programLine `json:"programs"`
}

func parseMBPP(line []byte) (p parsed, err error) {
	var m mbpp
	err = decode(line, &m)
	p.ID = string(m.ID)
	if _, number := strconv.Atoi(p.ID); number == nil { // EvalPlus writes them with the name before
		p.ID, p.alias = "Mbpp/"+p.ID, p.ID
	}
	if err != nil {
		return p, err
	}
	if !m.Inputs.empty() {
		return p, wrongf("take evalplus/mbppplus of Hugging Face, whose tests are a program", "the inputs of MbppPlus.jsonl have lost their types")
	}
	if p.programs = m.Programs; m.Code != "" {
		p.solutions = []programLine{{Source: &m.Code}}
	}
	tests := m.Test
	if tests == "" {
		tests = strings.Join(slices.Concat([]string{m.Setup}, m.List), "\n")
	}
	return p, p.check(check{Code: m.Code, Tests: strings.Join(append(m.Imports, tests), "\n")})
}

// bigCodeBench is a problem of BigCodeBench (Zhuo et al., arXiv:2406.15877), in the shape of
// bigcode/bigcodebench of Hugging Face. Its tests replace functions and files within the submission, so that
// they can only run in its process.
type bigCodeBench struct {
	ID        text          `json:"task_id"`
	Prompt    string        `json:"complete_prompt"`
	Canonical string        `json:"canonical_solution"`
	Test      string        `json:"test"`
	Entry     string        `json:"entry_point"`
	Libs      string        `json:"libs"`
	Programs  []programLine `json:"programs"`
}

func parseBigCodeBench(line []byte) (p parsed, err error) {
	var b bigCodeBench
	err = decode(line, &b)
	p.ID, p.prompt = string(b.ID), b.Prompt
	if err != nil {
		return p, err
	}
	p.solutions, p.programs = completions(b.Canonical), b.Programs
	c := check{Name: b.Entry, Tests: b.Test}
	if b.Libs != "" { // a list of Python
		c.Setup = "import importlib.util\nfor lib in " + b.Libs + ":\n    if importlib.util.find_spec(lib) is None:\n        raise ModuleNotFoundError('the task needs ' + lib)\n"
	}
	err = p.check(c)
	if err == nil {
		p.Function.Beside = true
	}
	return p, err
}
