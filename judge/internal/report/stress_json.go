package report

import (
	"io"
	"time"

	"tribunal/judge/internal/diff"
	"tribunal/judge/internal/document"
	"tribunal/judge/internal/stress"
	"tribunal/judge/internal/verdict"
)

// StressSchema names the form of the documents that [Stress.JSON] writes; the rules for it
// are those of [Schema].
const StressSchema = "tribunal/stress/1"

type stressDocument struct {
	document.Head
	Problem string         `json:"problem"`
	A       string         `json:"a"`
	B       string         `json:"b"`
	Seed    uint64         `json:"seed"`
	Slots   int            `json:"slots"`
	Inputs  int            `json:"inputs"`
	Mute    int            `json:"mute"`
	Found   *stressFound   `json:"found"`
	Slowest *stressSlowest `json:"slowest"`
	Elapsed time.Duration  `json:"elapsed_ns"`
}

type stressFound struct {
	Number   int               `json:"number"`
	Generate []string          `json:"generate"`
	Seed     uint64            `json:"seed"`
	Original int               `json:"original_bytes"`
	Bytes    int               `json:"bytes"`
	Input    string            `json:"input"`
	Want     string            `json:"want"`
	A        stressAnswer      `json:"a"`
	B        *stressAnswer     `json:"b"`
	Shrunk   *stress.Shrinking `json:"shrunk"`
}

type stressAnswer struct {
	Verdict  verdict.Verdict `json:"verdict"`
	Cause    string          `json:"cause"`
	Message  string          `json:"message"`
	Output   string          `json:"output"`
	Stderr   string          `json:"stderr"`
	Mismatch *diff.Mismatch  `json:"mismatch"`
	CPU      time.Duration   `json:"cpu_ns"`
	Wall     time.Duration   `json:"wall_ns"`
	Memory   int64           `json:"memory_bytes"`
}

type stressSlowest struct {
	Generate []string        `json:"generate"`
	Seed     uint64          `json:"seed"`
	Size     int             `json:"size"`
	Bytes    int             `json:"bytes"`
	Verdict  verdict.Verdict `json:"verdict"`
	CPU      time.Duration   `json:"cpu_ns"`
	Limit    time.Duration   `json:"limit_ns"`
	Runs     int             `json:"runs"`
}

// JSON writes the document that docs/stress.md describes.
func (r *Stress) JSON(w io.Writer) error {
	doc := stressDocument{
		Head: document.NewHead(StressSchema), Problem: r.Problem, A: r.A, B: r.B, Seed: r.Seed, Slots: r.Slots,
		Inputs: r.Counts.Inputs, Mute: r.Counts.Mute, Elapsed: r.Elapsed,
	}
	if r.Found != nil {
		f := r.Fault()
		doc.Found = &stressFound{
			Number: r.Found.Number, Generate: r.Found.Source.Generate, Seed: r.Found.Source.Seed,
			Original: len(r.Found.Input), Bytes: len(f.Input),
			Input: document.First(string(f.Input)), Want: document.First(string(f.Want)), A: newStressAnswer(f.A), Shrunk: r.Shrunk,
		}
		if f.B != nil {
			doc.Found.B = new(newStressAnswer(*f.B))
		}
	}
	if s := r.Slow; s != nil {
		doc.Slowest = &stressSlowest{
			Generate: s.Source.Generate, Seed: s.Source.Seed, Size: s.Size, Bytes: s.Bytes,
			Verdict: s.Verdict, CPU: s.CPU, Limit: r.Limits.CPU, Runs: s.Runs,
		}
	}
	return document.Write(w, doc)
}

func newStressAnswer(a stress.Answer) stressAnswer {
	return stressAnswer{
		Verdict: a.Verdict, Cause: a.Cause, Message: document.First(a.Message),
		Output: document.First(string(a.Output)), Stderr: document.Last(string(a.Stderr)), Mismatch: a.Mismatch,
		CPU: a.Result.CPU, Wall: a.Result.Wall, Memory: int64(a.Result.Memory),
	}
}
