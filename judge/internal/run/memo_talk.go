package run

import (
	"fmt"
	"slices"
	"time"

	"tribunal/judge/internal/content"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/runner"
	"tribunal/judge/internal/sandbox"
)

// A talk is the record of an interactor in a memo.
type talk struct {
	Interactor         sandbox.Result
	Stderr             []byte
	Truncated, Stalled bool
	Decided            bool
	First              runner.Side
	Ended              [2]time.Duration
	Left               map[string][]byte // the files of its Out that it left
}

// talkOf returns what to record of the interactor p. It returns nil if that is too much, and if the
// interactor failed, which another run might not repeat.
func talkOf(o Outcome, p *Interactor) *talk {
	i := o.Interaction
	if i == nil {
		return nil
	}
	answered := i.Interactor.Stop == sandbox.Exited && slices.Contains(p.Answers, i.Interactor.ExitCode)
	if !answered && (i.First != runner.SubmissionSide || succeeded(o.Result)) {
		return nil
	}
	left, ok := texts(p.Out, &i.Copies, 0)
	if !ok {
		return nil
	}
	return &talk{
		Interactor: i.Interactor, Stderr: i.Stderr, Truncated: i.Truncated, Stalled: i.Stalled,
		Decided: i.Decided, First: i.First, Ended: i.Ended, Left: left,
	}
}

// interaction returns the recorded part of an outcome; nil for no interactor.
func (t *talk) interaction() *runner.Interaction {
	if t == nil {
		return nil
	}
	i := &runner.Interaction{
		Interactor: t.Interactor, Stderr: t.Stderr, Truncated: t.Truncated, Stalled: t.Stalled,
		Decided: t.Decided, First: t.First, Ended: t.Ended,
	}
	for name, text := range t.Left {
		i.Copies.Put(name, runner.Copy{Content: content.Of(text)})
	}
	return i
}

// racing reports whether another run may end otherwise, whatever the times of the submission: if the
// interactor is near a limit of its own, or if both sides failed, so that the first failure counts.
func (t *talk) racing(r sandbox.Result, p *Interactor, grace time.Duration) bool {
	refused := t.Interactor.Stop != sandbox.Exited || !slices.Contains(p.Accepts, t.Interactor.ExitCode)
	return Doubtful(p.Limits, grace, t.Interactor) || limits.Near(p.Limits.Memory, t.Interactor.Memory) || refused && !succeeded(r) && !t.Decided
}

// kind tells apart the ways in which an interaction ended, as far as a verdict can depend on them.
func (t *talk) kind() string {
	if t == nil {
		return ""
	}
	return fmt.Sprint(t.Interactor.Stop, t.Interactor.ExitCode, t.Interactor.Signal, t.Stalled, t.Decided, t.First, t.Left)
}

func succeeded(r sandbox.Result) bool { return r.Stop == sandbox.Exited && r.ExitCode == 0 }
