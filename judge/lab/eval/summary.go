package eval

import (
	"math"
	"slices"
	"strconv"
	"time"

	"tribunal/judge/internal/document"
	"tribunal/judge/internal/verdict"
)

// PassAt returns the probability that at least one of k programs passes, if they are drawn without
// replacement from n programs of which c pass: 1 - C(n-c, k)/C(n, k). It is the unbiased estimator of
// pass@k of Chen et al., Evaluating Large Language Models Trained on Code (arXiv:2107.03374), section
// 2.1. It needs 0 <= c <= n and 1 <= k <= n.
//
// The quotient is the product of (n-k-i)/(n-i) for all i below c, or the same with c and k exchanged.
// The sum of the logarithms of the factors keeps the relative precision of a small result, which 1
// minus a product loses.
func PassAt(n, c, k int) float64 {
	few, many := min(c, k), max(c, k)
	if few+many > n {
		return 1
	}
	none := 0.0 // logarithm of the probability that none passes
	for i := range few {
		none += math.Log1p(-float64(many) / float64(n-i))
	}
	return 0 - math.Expm1(none) // not -0
}

// Summary is the outcome of an evaluation: the last line of its results.
type Summary struct {
	Tasks     []TaskSummary           `json:"tasks"`      // in the order of the input
	PassAt    []MeanPassAt            `json:"pass_at"`    // by k, ascending
	Verdicts  map[verdict.Verdict]int `json:"verdicts"`   // number of programs
	Programs  int                     `json:"programs"`   // programs with a verdict, which the others count
	Same      int                     `json:"same"`       // of these, not judged because they are the same as an earlier one
	Known     int                     `json:"known"`      // of these, judged earlier
	Extracted int                     `json:"extracted"`  // programs that were taken out of a fence
	Fenced    int                     `json:"fenced"`     // programs that have a fence, but are judged as they are
	NotJudged int                     `json:"not_judged"` // programs that the judge could not judge; no other number counts them
	Skipped   int                     `json:"skipped"`    // lines and programs with errors
	Elapsed   time.Duration           `json:"elapsed_ns"`

	tried int     // tasks with a program
	parts float64 // sum of C/N of these
}

// PassAt1 returns the mean of pass@1 so far, and NaN if no program has a verdict.
func (s *Summary) PassAt1() float64 { return s.parts / float64(s.tried) }

// TaskSummary is the outcome for one task.
type TaskSummary struct {
	Task   string             `json:"task"`
	N      int                `json:"n"`       // programs
	C      int                `json:"c"`       // accepted programs
	PassAt map[string]float64 `json:"pass_at"` // by k, for each k up to N
}

// MeanPassAt is the mean of pass@k over all tasks with at least K programs. The other tasks say nothing
// about it, so they are left out, like the tasks that have no program at all.
type MeanPassAt struct {
	K       int             `json:"k"`
	Mean    document.Number `json:"mean"` // NaN, null in JSON, without such a task
	Tasks   int             `json:"tasks"`
	LeftOut int             `json:"left_out"`
}

// count counts a program of the task with this index.
func (s *Summary) count(task int, v verdict.Verdict) {
	s.Programs++
	s.Verdicts[v]++
	t := &s.Tasks[task]
	if t.N > 0 {
		s.parts -= float64(t.C) / float64(t.N)
	} else {
		s.tried++
	}
	if t.N++; v == verdict.AC {
		t.C++
	}
	s.parts += float64(t.C) / float64(t.N)
}

// finish computes pass@k.
func (s *Summary) finish(ks []int) {
	ks = slices.Clone(ks)
	slices.Sort(ks)
	s.PassAt = nil
	for i := range s.Tasks {
		s.Tasks[i].PassAt = map[string]float64{}
	}
	for _, k := range slices.Compact(ks) {
		m := MeanPassAt{K: k}
		sum := 0.0
		for i := range s.Tasks {
			t := &s.Tasks[i]
			if t.N < k {
				m.LeftOut++
				continue
			}
			p := PassAt(t.N, t.C, k)
			t.PassAt[strconv.Itoa(k)] = p
			sum += p
			m.Tasks++
		}
		m.Mean = document.Number(sum / float64(m.Tasks))
		s.PassAt = append(s.PassAt, m)
	}
}
