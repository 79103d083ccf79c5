package worker

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
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

// unheard is a task of a queue that is away.
type unheard struct {
	store.Message
	away *atomic.Bool
}

func (unheard) ID() string { return "task" }
func (u unheard) Working() error {
	if u.away.Load() {
		return errors.New("away")
	}
	return nil
}

// TestBeatInLog performs two tasks while the queue is away. They log together what one would.
func TestBeatInLog(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var text bytes.Buffer
		w := New(&store.Store{}, idle{}, Options{AckWait: 4 * time.Second, Log: slog.New(slog.NewTextHandler(&text, nil))})
		m := unheard{away: &atomic.Bool{}}
		defer w.beat(m)()
		defer w.beat(m)()
		for _, tt := range []struct {
			why  string
			away bool
			want int // lines so far
		}{
			{"the first of 20 failures, the second, 4th, 8th and 16th", true, 5},
			{"it is back", false, 5},
			{"away again", true, 10},
		} {
			m.away.Store(tt.away)
			time.Sleep(10*time.Second + time.Millisecond)
			synctest.Wait()
			if n := strings.Count(text.String(), "\n"); n != tt.want {
				t.Errorf("%s: %d lines, want %d\n%s", tt.why, n, tt.want, text.String())
			}
		}
	})
}
