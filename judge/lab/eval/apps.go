package eval

import (
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"tribunal/judge/internal/limits"
)

// apps is a problem of APPS (Hendrycks et al., Measuring Coding Challenge Competence With APPS,
// arXiv:2105.09938), in the shape of the data set codeparrot/apps of Hugging Face: input_output and
// solutions are texts that hold JSON. In input_output, fn_name names the function of a call-based
// problem, whose inputs are lists of arguments; other inputs and outputs are texts, or lists of lines.
// TACO (Li et al., arXiv:2312.14852, BAAI/TACO) has the same shape without an id.
type apps struct {
	ID          text          `json:"problem_id"`
	OtherID     text          `json:"id"` // in copies of the data set
	InputOutput embedded      `json:"input_output"`
	Solutions   embedded      `json:"solutions"`
	Programs    []programLine `json:"programs"`
}

// appsTime is the time limit of each test in eval/testing_util.py of github.com/hendrycks/apps.
const appsTime = 4 * time.Second

func parseAPPS(line []byte) (p parsed, err error) {
	var a apps
	err = decode(line, &a)
	if p.ID = string(a.ID); p.ID == "" {
		p.ID = string(a.OtherID)
	}
	if err != nil {
		return p, err
	}
	p.language, p.Limits = "python3", limits.Limits{CPU: appsTime}
	if !a.Solutions.empty() {
		var solutions []string
		if err := decode(a.Solutions, &solutions); err != nil {
			return p, within("solutions", err)
		}
		for i := range solutions {
			p.solutions = append(p.solutions, programLine{Source: &solutions[i]})
		}
	}
	p.programs = a.Programs
	if a.InputOutput.empty() {
		return p, wrongf("", "no tests: input_output is empty")
	}
	return p, within("input_output", p.appsTests(a.InputOutput))
}

// within adds the key to what is wrong in its value.
func within(key string, err error) error {
	if w, ok := err.(*wrong); ok {
		return &wrong{key + ": " + w.msg, w.hint}
	}
	return err
}

// appsTests sets the tests of a problem, and how they are compared.
func (p *parsed) appsTests(data []byte) error {
	var io struct {
		Inputs   []json.RawMessage `json:"inputs"`
		Outputs  []json.RawMessage `json:"outputs"`
		Function string            `json:"fn_name"`
	}
	if err := decode(data, &io); err != nil {
		return err
	}
	if len(io.Inputs) != len(io.Outputs) {
		return wrongf("", "%d inputs, but %d outputs", len(io.Inputs), len(io.Outputs))
	}
	p.Compare = closeNumbers
	if io.Function != "" {
		p.Compare = sameNumbers
		var err error
		if p.Function, err = newFunction(io.Function, true); err != nil {
			return err
		}
	}
	for i := range io.Inputs {
		t := Test{Name: strconv.Itoa(i + 1)}
		var err error
		if p.Function != nil {
			t.Input, t.Output, err = appsCall(io.Inputs[i], io.Outputs[i])
		} else if t.Input, err = appsText(io.Inputs[i]); err == nil {
			t.Output, err = appsText(io.Outputs[i])
		}
		if err != nil {
			return within("test "+t.Name, err)
		}
		p.Tests = append(p.Tests, t)
	}
	return nil
}

// appsText returns a text, which may be a list of lines.
func appsText(data []byte) (string, error) {
	if data[0] != '[' {
		var s string
		err := decode(data, &s)
		return s, err
	}
	var lines []string
	err := decode(data, &lines)
	return strings.Join(lines, "\n"), err
}

// appsCall returns the arguments of a call, one on a line, and the value that it returns. The script of
// the data set accepts the value or the only item of a list of it.
func appsCall(input, output []byte) (string, string, error) {
	var arguments []json.RawMessage
	if err := decode(input, &arguments); err != nil {
		return "", "", err
	}
	var b strings.Builder
	for _, a := range arguments {
		line, err := compact(a)
		if err != nil {
			return "", "", err
		}
		b.WriteString(line + "\n")
	}
	value, err := returned(output, true)
	return b.String(), value, err
}
