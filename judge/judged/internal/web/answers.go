package web

import (
	"context"
	"errors"
	"sync"
	"time"
)

// answers are the events of a batch that its client has not read yet. Many clients send all lines before they read
// any answer, so reading lines must not wait for answers to be read: the budget bounds how many there can be.
type answers struct {
	mu    sync.Mutex
	list  []BatchEvent
	held  lease
	added chan struct{} // has a token when something was added
	taken chan struct{} // has a token when something was taken out
}

// answerSize is about how much memory an event takes.
const answerSize = 1 << 10

// errUnread means that the client does not read its answers and there are too many to keep.
var errUnread = errors.New("the client does not read the answers")

func newAnswers(held lease) *answers {
	return &answers{held: held, added: make(chan struct{}, 1), taken: make(chan struct{}, 1)}
}

// add adds an event. If the budget is used up, it waits for the client to read, but not for long.
func (a *answers) add(ctx context.Context, e BatchEvent) error {
	for !a.try(e) {
		select {
		case <-a.taken:
		case <-time.After(sendTime):
			return errUnread
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	nudge(a.added)
	return nil
}

// try adds an event, unless the budget is used up. A single one needs none.
func (a *answers) try(e BatchEvent) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if !a.held.take(answerSize) && len(a.list) > 0 {
		return false
	}
	a.list = append(a.list, e)
	return true
}

// next takes the events that are there, and waits for the first one.
func (a *answers) next(ctx context.Context) ([]BatchEvent, error) {
	select {
	case <-a.added:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	list := a.list
	a.list = nil
	return list, nil
}

// wrote says that the client got some of what next returned.
func (a *answers) wrote(n int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.held.give(min(int64(n)*answerSize, a.held.held))
	nudge(a.taken)
}

// end gives back what is left of the budget.
func (a *answers) end() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.held.end()
}

func nudge(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}
