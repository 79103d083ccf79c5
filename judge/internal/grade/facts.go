package grade

import (
	"encoding/json"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/content"
	"tribunal/judge/internal/runner"
	"tribunal/judge/internal/sandbox"
)

// facts are what a validator may read about a submission: see problem.Validator.Source. The zero
// value is that of an output that no submission wrote.
type facts struct {
	source *build.Source
	result *sandbox.Result // nil as long as the submission runs
}

func (f facts) files(measured bool) []runner.File {
	if f.source == nil {
		return nil
	}
	run := struct {
		Language string  `json:"language"`
		CPU      float64 `json:"cpu_s,omitempty"`
		Memory   int64   `json:"memory_bytes,omitempty"`
	}{Language: f.source.Language}
	if measured && f.result != nil {
		run.CPU, run.Memory = f.result.CPU.Seconds(), int64(f.result.Memory)
	}
	text, _ := json.Marshal(run) // never fails
	bare := f.source.Bare()
	return []runner.File{
		{Name: "source", Mode: 0o444, Content: content.Of(bare.Texts()[bare.Main()])},
		{Name: "run.json", Mode: 0o444, Content: content.Of(text)},
	}
}
