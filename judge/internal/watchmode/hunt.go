package watchmode

import (
	"context"
	"errors"
	"path/filepath"
	"time"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/casedata"
	"tribunal/judge/internal/diff"
	"tribunal/judge/internal/document"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/verdict"
)

// huntSeed is the seed of a search for a counterexample: always the same, so that the same program
// gets the same one, and judge stress finds it again.
const huntSeed = 1

// A Hunting is a search for a small input on which a program fails.
type Hunting struct {
	Judge    *grade.Judge
	CaseData *casedata.Provider
	Task     grade.Task
	Name     string // of the program
	Program  *build.Program
	Given    bool // whether the problem has no generator
	Seed     uint64
	Failed   casedata.Data // on which the program fails
	Slow     bool          // whether it was too slow there
	Time     time.Duration // in all
}

// Found is what a search found.
type Found struct {
	Number      int // of the input in the sequence of the search, from 1; 0 if it is that of the failed case made smaller
	Input, Want document.Text
	Answer      Answer
}

// Answer is what a program did on an input, in the form of judge stress.
type Answer struct {
	Verdict  verdict.Verdict `json:"verdict"`
	Cause    string          `json:"cause"`
	Message  document.Text   `json:"message"`
	Output   document.Text   `json:"output"`
	Stderr   document.Tail   `json:"stderr"`
	Mismatch *diff.Mismatch  `json:"mismatch"`
	CPU      time.Duration   `json:"cpu_ns"`
	Wall     time.Duration   `json:"wall_ns"`
	Memory   limits.Bytes    `json:"memory_bytes"`
}

// hunting looks for a small input on which the program of a failure fails. It is silent if it finds
// none, or if the problem does not have the programs that this needs.
func (s *session) hunting(ctx context.Context, r *round, f *failure) {
	r.ok = true
	w := &worker{session: s, round: r, task: task{problem: f.problem}}
	if c, err := w.hunt(ctx, f); err == nil && c != nil && ctx.Err() == nil {
		s.emit(c)
	}
}

// hunt returns the smallest failing input that it finds in the time that the options allow: of those
// that the problem's generator makes or, if the program fails on none, of those that the failed case
// shrinks to. It is nil if there is none that is smaller than that of the case.
func (w *worker) hunt(ctx context.Context, f *failure) (c *Counterexample, err error) {
	closeProblem, err := w.openProblem(ctx)
	if err != nil {
		return nil, err
	}
	defer closeProblem(&err)
	if err := w.problem.Need(problem.Outputs, problem.Check, problem.Reference); err != nil || !w.has(w.problem.Check) {
		return nil, err
	}
	if _, err := w.expectations(ctx); err != nil {
		return nil, err
	}
	source, err := w.reopen(f.subject)
	if err != nil {
		return nil, err
	}
	judge := w.session.engine.Judge(w.caseData, false)
	program, err := judge.Builder.Build(ctx, source)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, program.Close()) }()
	t, err := w.session.engine.Task(ctx, w.caseData)
	if err != nil {
		return nil, err
	}
	chosen := only(w.list, []string{f.name})
	if len(chosen) == 0 {
		return nil, nil
	}
	if err := w.caseData.Prepare(ctx, chosen); err != nil {
		return nil, err
	}
	data, err := w.caseData.Load(ctx, &chosen[0])
	if err != nil {
		return nil, err
	}
	found, err := w.session.Search(ctx, Hunting{
		Judge: judge, CaseData: w.caseData, Task: t, Name: source.Name, Program: program, Given: w.problem.Generator == "" || !w.has(w.problem.Generator),
		Seed: huntSeed, Failed: data, Slow: f.verdict.Is(verdict.TooSlow), Time: w.session.Hunt,
	})
	if found == nil || err != nil {
		return nil, err
	}
	return &Counterexample{
		Problem: f.problem, Role: f.role, Submission: source.Name, Case: f.name, Input: found.Input, Want: found.Want, Answer: found.Answer,
		Inputs: found.Number, Seed: huntSeed, Flags: w.session.Flags,
	}, nil
}

func (w *worker) has(path string) bool {
	return build.HasSource(filepath.Join(w.session.Root, path), w.session.engine.Languages())
}
