package eval

import (
	"errors"
	"fmt"
	"strconv"

	"tribunal/judge/internal/diff"
	"tribunal/judge/internal/limits"
)

// taskLine is a task in tribunal's own shape. Its words are those of problem files.
type taskLine struct {
	ID          text           `json:"id"`
	Problem     string         `json:"problem"`
	Tests       []testLine     `json:"tests"`
	TimeLimit   string         `json:"time_limit"`
	MemoryLimit string         `json:"memory_limit"`
	Compare     string         `json:"compare"`
	Tolerance   *toleranceLine `json:"tolerance"`
	Programs    []programLine  `json:"programs"`
	Metadata    embedded       `json:"metadata"` // anything; not read
}

type testLine struct {
	Input  *string `json:"input"`
	Output *string `json:"output"`
}

type toleranceLine struct {
	Abs float64 `json:"abs"`
	Rel float64 `json:"rel"`
}

// taskKeys are the keys of a taskLine and of what is in it.
var taskKeys = []string{"id", "problem", "tests", "input", "output", "time_limit", "memory_limit", "compare", "tolerance", "abs", "rel", "programs", "language", "source", "metadata"}

func parseTribunal(line []byte) (p parsed, err error) {
	var l taskLine
	if err := decode(line, &l, taskKeys...); err != nil {
		p.ID = string(l.ID)
		return p, err
	}
	p.ID, p.Problem, p.programs = string(l.ID), l.Problem, l.Programs
	if l.Problem != "" && (l.Tests != nil || l.Compare != "" || l.Tolerance != nil) {
		return p, wrongf("leave out either", "a problem has tests and a comparison of its own")
	}
	for i, t := range l.Tests {
		if t.Input == nil || t.Output == nil {
			return p, wrongf(`a test is {"input": …, "output": …}`, "test %d: no input or no output", i+1)
		}
		p.Tests = append(p.Tests, Test{strconv.Itoa(i + 1), *t.Input, *t.Output})
	}
	if p.Compare, err = l.comparison(); err != nil {
		return p, err
	}
	p.Limits, err = l.limits()
	return p, err
}

// comparison returns how outputs are compared: by default as tokens, because expected outputs in such
// files often lack the last newline.
func (l *taskLine) comparison() (diff.Options, error) {
	if l.Compare == "" && l.Tolerance == nil {
		return tokens, nil
	}
	mode, err := diff.ParseMode(l.Compare)
	if err != nil {
		return tokens, &wrong{msg: "compare: " + err.Error()}
	}
	o := diff.Options{Mode: mode}
	if (mode == diff.Float) != (l.Tolerance != nil) {
		return o, wrongf(`"compare": "float", "tolerance": {"abs": 1e-6, "rel": 1e-6}`, "compare float and tolerance need each other")
	}
	if t := l.Tolerance; t != nil {
		if o.Abs, o.Rel = t.Abs, t.Rel; t.Abs < 0 || t.Rel < 0 {
			return o, wrongf("", "tolerance: less than 0")
		}
	}
	return o, nil
}

// leastMemory is the least memory limit, because no program starts with less.
const leastMemory = limits.MiB

// limits returns the limits that the task sets.
func (l *taskLine) limits() (set limits.Limits, err error) {
	if l.TimeLimit != "" {
		if set.CPU, err = limits.ParseDuration(l.TimeLimit); err == nil && set.CPU == 0 {
			err = errors.New("must be more than zero")
		}
		if err != nil {
			return set, wrongf("", "time_limit: %v", err)
		}
	}
	if l.MemoryLimit != "" {
		if set.Memory, err = limits.ParseBytes(l.MemoryLimit); err == nil && set.Memory < leastMemory {
			err = fmt.Errorf("must be at least %v", leastMemory)
		}
		if err != nil {
			return set, wrongf("", "memory_limit: %v", err)
		}
	}
	return set, nil
}
