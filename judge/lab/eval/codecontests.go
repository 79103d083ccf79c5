package eval

import (
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"tribunal/judge/internal/limits"
)

// codeContests is a problem of CodeContests (Li et al., Competition-Level Code Generation with
// AlphaCode, arXiv:2203.07814). Its fields are those of the message ContestProblem in
// contest_problem.proto of github.com/google-deepmind/code_contests, and their shape is that of the
// data set deepmind/code_contests of Hugging Face. Lists of objects, which convert_riegeli_to_json.py of
// that repository writes, are read as well as objects of lists.
//
// The tests are all public, private and generated ones. The programs are the correct solutions.
type codeContests struct {
	Name      string        `json:"name"`
	Public    contestTests  `json:"public_tests"`
	Private   contestTests  `json:"private_tests"`
	Generated contestTests  `json:"generated_tests"`
	Solutions contestAnswer `json:"solutions"`
	Time      contestTime   `json:"time_limit"`
	Memory    int64         `json:"memory_limit_bytes"`
	InFile    string        `json:"input_file"`
	OutFile   string        `json:"output_file"`
	Programs  []programLine `json:"programs"`
}

func parseCodeContests(line []byte) (p parsed, err error) {
	var c codeContests
	err = decode(line, &c)
	p.ID, p.InFile, p.OutFile, p.Compare = c.Name, c.InFile, c.OutFile, nearNumbers
	p.Limits = limits.Limits{CPU: time.Duration(c.Time), Memory: limits.Bytes(c.Memory)}
	for _, group := range []struct {
		name  string
		tests contestTests
	}{{"public", c.Public}, {"private", c.Private}, {"generated", c.Generated}} {
		for i, t := range group.tests {
			t.Name = group.name + "/" + strconv.Itoa(i+1)
			p.Tests = append(p.Tests, t)
		}
	}
	p.solutions, p.programs = c.Solutions, c.Programs
	switch {
	case err != nil:
	case p.Limits.CPU < 0 || p.Limits.Memory < 0:
		err = wrongf("", "a limit less than 0")
	case p.Limits.Memory > 0 && p.Limits.Memory < leastMemory:
		err = wrongf("", "memory_limit_bytes: must be at least %d", int64(leastMemory))
	}
	return p, err
}

// contestTests are tests: {"input": […], "output": […]} or [{"input": …, "output": …}, …].
type contestTests []Test

// UnmarshalJSON reads either shape.
func (c *contestTests) UnmarshalJSON(data []byte) error {
	var lists struct{ Input, Output []string }
	inputs, outputs, err := columns(data, &lists, func() ([]string, []string) { return lists.Input, lists.Output },
		func(t testLine) (string, string, bool) {
			if t.Input == nil || t.Output == nil {
				return "", "", false
			}
			return *t.Input, *t.Output, true
		}, "input", "output")
	for i := range inputs {
		*c = append(*c, Test{Input: inputs[i], Output: outputs[i]})
	}
	return err
}

// contestAnswer are programs: {"language": […], "solution": […]} or [{"language": …, "solution": …}, …].
type contestAnswer []programLine

// UnmarshalJSON reads either shape.
func (c *contestAnswer) UnmarshalJSON(data []byte) error {
	var lists struct {
		Language []contestLanguage
		Solution []string
	}
	type object struct {
		Language contestLanguage
		Solution *string
	}
	languages, sources, err := columns(data, &lists, func() ([]contestLanguage, []string) { return lists.Language, lists.Solution },
		func(o object) (contestLanguage, string, bool) {
			if o.Solution == nil {
				return "", "", false
			}
			return o.Language, *o.Solution, true
		}, "language", "solution")
	for i := range sources {
		*c = append(*c, programLine{Language: string(languages[i]), Source: &sources[i]})
	}
	return err
}

// columns reads two lists of the same length, either from an object that holds both, which is read into
// lists, or from a list of objects of type O, each of which has one of both. first and second are the
// names of the lists.
func columns[O, A, B any](data []byte, lists any, both func() ([]A, []B), one func(O) (A, B, bool), first, second string) ([]A, []B, error) {
	if data[0] == '{' {
		if err := json.Unmarshal(data, lists); err != nil {
			return nil, nil, explain(data, err)
		}
		a, b := both()
		if len(a) != len(b) {
			return nil, nil, wrongf("", "%d of %s, but %d of %s", len(a), first, len(b), second)
		}
		return a, b, nil
	}
	var objects []O
	if err := json.Unmarshal(data, &objects); err != nil {
		return nil, nil, explain(data, err)
	}
	var as []A
	var bs []B
	for i, o := range objects {
		a, b, whole := one(o)
		if !whole {
			return nil, nil, wrongf("", "number %d has no %s or no %s", i+1, first, second)
		}
		as, bs = append(as, a), append(bs, b)
	}
	return as, bs, nil
}

// contestLanguage is a language by the name or the number of the enum Language, or any other name.
type contestLanguage string

// contestLanguages are the values of the enum Language. The judge has neither Python 2 nor an unknown
// language.
var contestLanguages = []string{"unknown", "python2", "cpp", "python3", "java"}

// UnmarshalJSON reads a name or a number.
func (c *contestLanguage) UnmarshalJSON(data []byte) error {
	var name text
	if err := json.Unmarshal(data, &name); err != nil {
		return explain(data, err)
	}
	switch n, err := strconv.Atoi(string(name)); {
	case err == nil && n >= 0 && n < len(contestLanguages):
		name = text(contestLanguages[n])
	case err == nil:
		return wrongf("", "unknown number %d of a language", n)
	case name == "PYTHON":
		name = "python2"
	}
	*c = contestLanguage(name)
	return nil
}

// contestTime is a message Duration: {"seconds": 2, "nanos": 500000000}, the same as text, as protobuf
// prints it, or "2.5s", as JSON of protobuf has it. It is 0 without a limit.
type contestTime time.Duration

// UnmarshalJSON reads each of these shapes.
func (c *contestTime) UnmarshalJSON(data []byte) error {
	var d struct{ Seconds, Nanos int64 }
	if data[0] == '"' {
		var s string
		if err := json.Unmarshal(data, &s); err != nil {
			return err
		}
		if exact, err := limits.ParseDuration(s); err == nil {
			*c = contestTime(exact)
			return nil
		}
		fields := strings.Fields(s)
		for i := 0; i+1 < len(fields); i += 2 {
			n, err := strconv.ParseInt(fields[i+1], 10, 64)
			switch {
			case err == nil && fields[i] == "seconds:":
				d.Seconds = n
			case err == nil && fields[i] == "nanos:":
				d.Nanos = n
			default:
				return wrongf("write it like 2s", "time_limit: not a time: %.40q", s)
			}
		}
		if len(fields)%2 != 0 {
			return wrongf("write it like 2s", "time_limit: not a time: %.40q", s)
		}
	} else if err := json.Unmarshal(data, &d); err != nil {
		return within("time_limit", explain(data, err))
	}
	if most := int64(24 * time.Hour / time.Second); d.Seconds < 0 || d.Seconds > most || d.Nanos < 0 || d.Nanos >= int64(time.Second) {
		return wrongf("", "time_limit: not from 0 to 24 hours")
	}
	*c = contestTime(time.Duration(d.Seconds)*time.Second + time.Duration(d.Nanos))
	return nil
}
