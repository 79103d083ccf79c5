package web

import (
	"cmp"
	"context"
	"slices"
	"time"

	"tribunal/judge/judged/internal/ledger"
	"tribunal/judge/judged/internal/service"
)

// allEvents is the stream of all events of the submissions that a caller may see.
type allEvents struct {
	w      *Web
	caller *Caller
	filter filter
	known  uint64 // the sequence of the last event that the client has
	resume bool   // the client had events before, and misses those behind known
}

// produce sends the events until ctx ends. A client that was away, or too slow, first gets the present state of
// every submission that has changed meanwhile.
func (a allEvents) produce(ctx context.Context, beat <-chan time.Time, send sender) error {
	for {
		watch := a.w.o.Service.WatchAll(a.sees)
		err := a.follow(ctx, watch, beat, send)
		watch.Close()
		if err != nil {
			return err
		}
		a.resume = true
	}
}

func (a *allEvents) sees(sub *ledger.Submission) bool {
	return a.caller.sees(sub) && a.filter.matches(sub)
}

// follow sends events until the watcher was too slow; then it returns nil.
func (a *allEvents) follow(ctx context.Context, watch *service.Watch, beat <-chan time.Time, send sender) error {
	if a.resume {
		missed := a.w.o.Service.List(func(sub *ledger.Submission) bool { return sub.Sequence > a.known && a.sees(sub) }, "", 1<<30)
		slices.SortFunc(missed, func(x, y ledger.Submission) int { return cmp.Compare(x.Sequence, y.Sequence) })
		for i := range missed {
			if err := a.send(service.Update{Submission: &missed[i]}, send); err != nil {
				return err
			}
		}
	}
	_, err := drain(ctx, watch, beat, func(u service.Update) (bool, error) { return true, a.send(u, send) })
	return err
}

func (a *allEvents) send(u service.Update, send sender) error {
	if u.Submission == nil {
		return send(Event{}) // what workers say comes to those who watch one judging
	}
	a.known = max(a.known, u.Submission.Sequence)
	return send(a.w.judgingEvent(a.caller, u))
}
