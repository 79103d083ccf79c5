// Package worker takes tasks of the service, has them performed, and answers.
package worker

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"tribunal/judge/judged/internal/retry"
	"tribunal/judge/judged/internal/service"
	"tribunal/judge/judged/internal/store"
	"tribunal/judge/judged/internal/task"
	"tribunal/judge/judged/internal/trace"
)

// Performer does what a task asks for. It is safe for concurrent use.
type Performer interface {
	// Perform returns the answer to a task, of which the worker fills in whose it is. An error means
	// that the judge failed, not the submission. Live gets, in JSON, what happens meanwhile.
	Perform(ctx context.Context, t *task.Task, live func(event any)) (*task.Answer, error)
	// Host describes this worker.
	Host() task.Host
	// Examine finds out whether this host can still be trusted. The error says why not.
	Examine(ctx context.Context) error
}

// Options are the settings of a worker.
type Options struct {
	Tasks int // that it performs at a time; 0 means [service.Spare] more than the host has slots, as the service expects
	// Deliveries is how often a task is delivered, because its receivers die, before it fails; 0 means 3.
	Deliveries int
	AckWait    time.Duration // of the queue of tasks; 0 means what the store says, or 30 s
	Presence   time.Duration // between two posts on the board; 0 means 5 s
	Health     time.Duration // between two examinations; 0 means 5 min
	// Languages returns the languages in which this worker can judge. It is called when the worker starts, and
	// again and again, because tools come and go. nil: the worker does not say, and is given every task.
	Languages func(context.Context) []string
	Tools     time.Duration // between two calls of Languages; 0 means 15 s
	Now       func() time.Time
	// Wait waits for d, or until ctx ends; nil waits in real time.
	Wait  func(ctx context.Context, d time.Duration) error
	Log   *slog.Logger
	Trace *trace.Tracer // nil: nothing is traced
}

// Worker is safe for concurrent use.
type Worker struct {
	store   *store.Store
	perform Performer
	o       Options
	since   time.Time
	busy    atomic.Int64
	drain   atomic.Bool
	unheard retry.Streak // failures to tell the queue that tasks are being performed

	mu      sync.Mutex
	sick    string
	lane    lane
	running map[string]context.CancelCauseFunc // by the id of the task in the queue, and its delivery
}

func New(st *store.Store, p Performer, o Options) *Worker {
	if o.Tasks == 0 {
		o.Tasks = p.Host().Slots + service.Spare
	}
	if o.Deliveries == 0 {
		o.Deliveries = 3
	}
	for _, d := range []struct {
		v     *time.Duration
		usual time.Duration
	}{{&o.AckWait, cmp.Or(st.Silence, 30*time.Second)}, {&o.Presence, 5 * time.Second}, {&o.Health, 5 * time.Minute}, {&o.Tools, 15 * time.Second}} {
		if *d.v == 0 {
			*d.v = d.usual
		}
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Wait == nil {
		o.Wait = retry.Wait
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return &Worker{store: st, perform: p, o: o, since: o.Now(), running: map[string]context.CancelCauseFunc{}, lane: lane{changed: make(chan struct{})}}
}

// errStopped is the cause of ending a task that is no longer needed.
var errStopped = errors.New("it is not needed any more")

// Run performs tasks until ctx ends. Then it finishes those that it has begun, until kill ends, and hands the rest
// back.
func (w *Worker) Run(ctx, kill context.Context) error {
	stop, err := w.store.Signals.Listen(service.StopSignal+".>", w.stopped)
	if err != nil {
		return fmt.Errorf("listening to the service: %w", err)
	}
	defer stop()
	if err := w.perform.Examine(ctx); err != nil {
		return fmt.Errorf("this host cannot judge: %w", err)
	}
	w.Choose(ctx)
	g, ctx := errgroup.WithContext(ctx)
	work := w.effort("working", w.o.Log)
	for range w.o.Tasks {
		g.Go(func() error { return work.Always(ctx, func() error { return w.work(ctx, kill) }) })
	}
	g.Go(func() error { return w.present(ctx) })
	g.Go(func() error { return w.watchHealth(ctx) })
	g.Go(func() error { return w.watchTools(ctx) })
	g.Go(func() error {
		<-ctx.Done()
		w.drain.Store(true)
		w.tell(kill)
		return nil
	})
	err = g.Wait()
	end, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer cancel()
	_ = w.store.Board.Withdraw(end, w.key(), "")
	if errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}

// pause is how long a loop waits after an error of the store.
const pause = 500 * time.Millisecond

// work takes a step. A worker that is sick takes no task until an examination finds it well.
func (w *Worker) work(ctx, kill context.Context) error {
	if w.isSick() != "" {
		return w.o.Wait(ctx, pause)
	}
	return w.Step(ctx, kill)
}

// effort returns something that is tried again while the store is away.
func (w *Worker) effort(what string, log *slog.Logger) *retry.Effort {
	return &retry.Effort{What: what, Log: log, Pause: pause, Wait: w.o.Wait}
}

// Step waits for one task, until ctx ends, and performs it. It hands the task back when kill ends.
func (w *Worker) Step(ctx, kill context.Context) error {
	m, err := w.pull(ctx)
	if m == nil || err != nil {
		return err
	}
	w.busy.Add(1)
	defer w.busy.Add(-1)
	var t task.Task
	if err := json.Unmarshal(m.Data(), &t); err != nil {
		w.o.Log.Error("a task cannot be read", "task", m.ID(), "error", err)
		return m.Ack(kill)
	}
	log := w.o.Log.With("task", m.ID(), "delivery", m.Delivery())
	log.Debug("a task begins")
	defer w.beat(m)()
	a, err := w.answer(kill, m, &t)
	if err != nil { // the worker ends, but not the task
		log.Info("a task is handed back")
		return errors.Join(err, m.Return(0))
	}
	log.Debug("a task ends")
	if a == nil {
		return m.Ack(kill)
	}
	data, err := json.Marshal(a)
	if err != nil {
		return err
	}
	// The same answer under the same id is stored once; the task is removed only when its answer is safe.
	err = w.effort("answering", log).Until(kill, func() error {
		err := w.store.Results.Push(kill, m.ID()+"."+w.name(), data)
		if errors.Is(err, store.ErrConflict) {
			err = nil
		}
		return err
	}, func(_ int, err error) bool { return store.IsFinal(err) })
	if err != nil {
		return errors.Join(fmt.Errorf("answering %s: %w", m.ID(), err), m.Return(pause))
	}
	return m.Ack(kill)
}

// answer returns the answer to a task, nil if none is needed. The error is that of kill.
func (w *Worker) answer(kill context.Context, m store.Message, t *task.Task) (*task.Answer, error) {
	a := &task.Answer{}
	switch {
	case m.Delivery()+t.Moved > w.o.Deliveries:
		a.Error = fmt.Sprintf("every worker that took the task died or was cut off, %d in all", m.Delivery()+t.Moved-1)
	default:
		var err error
		span := w.o.Trace.Begin(t.Trace, "judge", "submission", t.Submission, "problem", t.Problem, "worker", w.name())
		a, err = w.do(kill, m, t)
		if a == nil || err != nil {
			span.End(err)
			return nil, err
		}
		a.Trace = span.Context()
		if a.Error == "" {
			span.End(nil)
		} else {
			span.End(errors.New(a.Error))
		}
	}
	a.Submission, a.Judging, a.Attempt, a.Part = t.Submission, t.Judging, t.Attempt, t.Part
	a.Problem, a.Version, a.Proof, a.Worker = t.Problem, t.Version, t.Proof, w.name()
	return a, nil
}

// beat tells the queue that a task is being performed, until stop is called.
func (w *Worker) beat(m store.Message) (stop func()) {
	beat, done := time.NewTicker(w.o.AckWait/4), make(chan struct{})
	go func() {
		defer beat.Stop()
		for {
			select {
			case <-beat.C:
				err := m.Working()
				if err == nil {
					w.unheard.Succeeded()
				} else if n, log := w.unheard.Failed(); log {
					w.o.Log.Warn("the queue cannot be told that a task is being performed", "task", m.ID(), "failures", n, "error", err)
				}
			case <-done:
				return
			}
		}
	}()
	return func() { close(done) }
}

func (w *Worker) do(kill context.Context, m store.Message, t *task.Task) (*task.Answer, error) {
	ctx, cancel := context.WithCancelCause(kill)
	defer cancel(nil)
	key := fmt.Sprint(m.ID(), ".", m.Delivery()) // this worker may have taken the task before, and not be done
	w.mu.Lock()
	w.running[key] = cancel
	w.mu.Unlock()
	defer func() {
		w.mu.Lock()
		delete(w.running, key)
		w.mu.Unlock()
	}()
	a, err := w.perform.Perform(ctx, t, func(event any) {
		if data, err := json.Marshal(event); err == nil && t.Submission != "" {
			_ = w.store.Signals.Send(service.LiveSignal+"."+t.Submission, data)
		}
	})
	switch {
	case kill.Err() != nil:
		return nil, kill.Err()
	case errors.Is(context.Cause(ctx), errStopped):
		return nil, nil
	case err != nil:
		w.o.Log.Error("a task failed", "task", m.ID(), "error", err)
		return &task.Answer{Error: bounded(err.Error())}, nil
	case a.Lacks != nil:
		w.o.Log.Warn("a task needs another worker", "task", m.ID(), "error", a.Error)
		w.look(kill)
	}
	return a, nil
}

// maxError bounds the text of an error, so that an answer fits into a message.
const maxError = 4 << 10

func bounded(text string) string {
	if len(text) > maxError {
		text = strings.ToValidUTF8(text[:maxError], "") + "…"
	}
	return text
}

// stopped ends the tasks whose ids begin with the words behind the signal.
func (w *Worker) stopped(subject string, _ []byte) {
	words := strings.TrimPrefix(subject, service.StopSignal+".")
	w.mu.Lock()
	defer w.mu.Unlock()
	for id, cancel := range w.running {
		if id == words || strings.HasPrefix(id, words+".") {
			cancel(errStopped)
		}
	}
}

// present posts on the board that this worker is there.
func (w *Worker) present(ctx context.Context) error {
	tick := time.NewTicker(w.o.Presence)
	defer tick.Stop()
	for {
		w.tell(ctx)
		select {
		case <-tick.C:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// tell is Post, but passes over errors: the service takes a silent worker for gone.
func (w *Worker) tell(ctx context.Context) {
	if err := w.Post(ctx); err != nil && ctx.Err() == nil {
		w.o.Log.Warn("the service cannot be told that this worker is there", "error", err)
	}
}

// Post posts on the board that this worker is there.
func (w *Worker) Post(ctx context.Context) error {
	data, err := json.Marshal(service.Worker{Host: w.perform.Host(), Draining: w.drain.Load(), Sick: w.isSick(), Busy: int(w.busy.Load()), Since: w.since, Seen: w.o.Now(), Languages: w.languages()})
	if err != nil {
		return err
	}
	return w.store.Board.Post(ctx, w.key(), data)
}

func (w *Worker) name() string { return w.perform.Host().Worker }

func (w *Worker) key() string { return service.WorkersKey + "." + w.name() }

// watchHealth examines the host now and then. A host that fails takes no tasks until it is well again.
func (w *Worker) watchHealth(ctx context.Context) error {
	tick := time.NewTicker(w.o.Health)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return ctx.Err()
		}
		sick := ""
		if err := w.perform.Examine(ctx); err != nil && ctx.Err() == nil {
			sick = bounded(err.Error())
			w.o.Log.Error("this worker takes no tasks", "error", sick)
		}
		w.mu.Lock()
		w.sick = sick
		w.mu.Unlock()
		w.tell(ctx)
	}
}

func (w *Worker) isSick() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.sick
}

// Name returns a name for a worker of this host: letters, digits and hyphens.
func Name(suffix string) string {
	host, err := os.Hostname()
	if err != nil {
		host = "host"
	}
	clean := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' {
			return r
		}
		return '-'
	}, host)
	return clean + "-" + suffix
}
