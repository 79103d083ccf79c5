package worker

import (
	"context"
	"errors"
	"testing"
	"time"

	"tribunal/judge/judged/internal/store"
	"tribunal/judge/judged/internal/store/simstore"
	"tribunal/judge/judged/internal/task"
)

// idle is a performer that gets no tasks.
type idle struct{ Performer }

func (idle) Host() task.Host               { return task.Host{Worker: "idle", Slots: 1} }
func (idle) Examine(context.Context) error { return nil }

// deaf is a board that takes no posts. The channel gets a value at each attempt.
type deaf struct {
	store.Board
	tried chan<- bool
}

func (d deaf) Post(context.Context, string, []byte) error {
	select {
	case d.tried <- true:
	default:
	}
	return errors.New("away")
}

// TestEndWithoutBoard checks that a worker ends in order although it cannot post that. There are a hundred, because it
// is chance which of the goroutines of a worker ends first.
func TestEndWithoutBoard(t *testing.T) {
	t.Parallel()
	for range 100 {
		st := simstore.Blocking(time.Minute, time.Minute)()
		tried := make(chan bool, 1)
		st.Board = deaf{st.Board, tried}
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- New(st, idle{}, Options{}).Run(ctx, t.Context()) }()
		<-tried
		stop()
		if err := <-ended; err != nil {
			t.Fatal(err)
		}
	}
}
