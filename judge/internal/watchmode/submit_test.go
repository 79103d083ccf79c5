package watchmode

import (
	"context"
	"errors"
	"testing"

	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/verdict"
)

// submitted waits for an answer to Submit with a state, and describes the events until then.
func (w *testWatch) submitted(state SubmissionState) string {
	w.t.Helper()
	w.seen = nil
	w.next(string(state), func(e Event) bool { x, ok := e.(*Submitted); return ok && x.State == state })
	return describe(w.seen)
}

// TestSubmit checks that a submission to a server is judged beside the rounds, and only one at a time.
func TestSubmit(t *testing.T) {
	t.Parallel()
	answer := make(chan error)
	w := startJudging(t, func(o *Options) {
		o.Server = "http://judge.example"
		o.Submit = func(ctx context.Context, emit func(grade.Event), note func(string)) error {
			note("the server is busy")
			select {
			case err := <-answer:
				if err == nil {
					emit(&grade.Begin{Submissions: []string{"s.sh"}})
					emit(&grade.Done{Verdict: verdict.WA})
				}
				return err
			case <-ctx.Done():
				return ctx.Err()
			}
		}
	})
	w.commands <- Submit
	check(t, w.submitted(Waiting), `
		submitted sent
		submitted waiting the server is busy`)
	w.commands <- Submit
	check(t, w.submitted(Already), `
		submitted already`)
	answer <- nil // while the round still runs
	w.seen = nil
	w.next("the verdict", func(e Event) bool {
		g, ok := e.(*Grading)
		return ok && g.Role == Served && g.Event.Kind() == "done"
	})
	check(t, describe(w.seen), `
		server WA`)
	w.save("s.sh", capitals)
	check(t, w.settled(), `
		round save s.sh
		submission AC
		settled ok`)
	w.commands <- Submit
	w.submitted(Waiting)
	answer <- errors.New("the server is down")
	check(t, w.submitted(Refused), `
		submitted refused the server is down`)
	w.commands <- Submit // the watch may end while the server judges
	w.submitted(Waiting)
}

// TestSubmitNowhere checks what Submit does without a server.
func TestSubmitNowhere(t *testing.T) {
	t.Parallel()
	w := startSettled(t, nil, nil)
	w.commands <- Submit
	check(t, w.submitted(Refused), `
		submitted refused no server is known (hint: judge watch --server URL --token-file FILE PROBLEM SUBMISSION)`)
}
