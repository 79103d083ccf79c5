package grade

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"

	"tribunal/judge/internal/sandbox"
	"tribunal/judge/internal/sandbox/sandboxtest"
)

// TestListenerKeepsNobodyWaiting blocks the listener on the first event until the last program has
// run, as a stopped terminal would. It must still get all events, in order.
func TestListenerKeepsNobodyWaiting(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const n = 20
		last := make(chan struct{})
		ended := sync.OnceFunc(func() { close(last) }) // two programs run at once, and both may see the count of all
		var host *sandboxtest.Host
		host = sandboxtest.New(t, func(_ context.Context, r sandboxtest.Run) (sandbox.Result, error) {
			if host.Runs() == n {
				ended()
			}
			return r.Print("answer " + string(r.Input)), nil
		})
		j := newJudge(t, host, 2, nil)
		var events []Event
		err := j.Grade(t.Context(), newTask(numbered(n), submit(t, "unread")), func(e Event) {
			<-last
			events = append(events, e)
		})
		if err != nil || len(caseEvents(events)) != n {
			t.Errorf("%d of %d cases are reported, %v", len(caseEvents(events)), n, err)
		}
		for i, c := range caseEvents(events) {
			if c.Index != i {
				t.Errorf("case %d is reported at place %d", c.Index, i)
			}
		}
	})
}
