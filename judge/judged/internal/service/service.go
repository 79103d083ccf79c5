// Package service takes submissions, has workers judge them, and knows what became of each.
//
// A service holds nothing that it cannot add up again from the ledger, so that any number of them may
// serve the same store, and any of them may die. One at a time leads: it decides which judging is next
// and hands it to the workers. Two leaders would do no harm but to fairness, because the ledger accepts
// each change once. Begin with [Service.Run].
package service

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"tribunal/judge/judged/internal/fair"
	"tribunal/judge/judged/internal/ledger"
	"tribunal/judge/judged/internal/retry"
	"tribunal/judge/judged/internal/store"
	"tribunal/judge/judged/internal/trace"
)

// Options are the settings of a service. All services of a store should have the same.
type Options struct {
	Name     string // of this service, unique among those of a store; "" makes one up
	Attempts int    // of a judging, until it is held; 0 means 3
	Queue    int    // judgings that may wait altogether; 0 means 100,000
	Quota    int    // judgings of one submitter that may wait; 0 means as many as of an owner
	// OwnerQuota is how many judgings of all submitters of an owner may wait; 0 means nine tenths of Queue, so
	// that no owner leaves the others without room.
	OwnerQuota int
	// Patience is how long a task may be missing, in the queues and in the ledger, until it counts as
	// lost; 0 means 1 min.
	Patience time.Duration
	// Parts is the time of a judging from which on several workers do it in parts, each of at least half
	// of it, if they are idle: it should be long beside what compiling and joining cost. 0 means 4 s.
	Parts time.Duration
	Check time.Duration // that the check of a version may take; 0 means 30 min
	Tick  time.Duration // between two looks of the leader at what no event announces; 0 means 2 s
	Room  func() error  // the error why new work is refused, which wraps [store.ErrFull]; nil means that there is always room
	Keep  time.Duration // how long a submission is kept after it was handed in; 0 means for ever
	// LanguagesOf returns the languages that the name of a source allows, the usual one first; nil if names say
	// nothing.
	LanguagesOf func(name string) []string
	Now         func() time.Time
	Log         *slog.Logger
	Trace       *trace.Tracer // nil: nothing is traced
	// Wait waits for d, or until ctx ends; nil waits in real time.
	Wait func(ctx context.Context, d time.Duration) error
	// Stepped means that Run is not called: a simulation calls CatchUp, Take and Lead, one at a time, on a
	// store whose Follow returns at the end of the ledger.
	Stepped bool
}

// Service is safe for concurrent use.
type Service struct {
	store  *store.Store
	o      Options
	secret []byte // with which tasks are proved, see [Service.proof]

	mu      sync.RWMutex
	fold    *ledger.Fold
	grown   chan struct{}         // closed and replaced when the fold has grown
	waiting map[string]int        // judgings that were handed in and wait, by submitter
	ofOwner map[string]int        // the same by owner
	holders map[string]int        // how often submissions have a blob, by hash
	total   int                   // of waiting
	erased  int                   // records that erase a submission, among those that were added
	line    *fair.Queue[struct{}] // all judgings that wait, see [Service.Position]
	news    []ledger.Change       // for the leader, since it last looked; nil unless this service leads
	leading bool

	hub     hub
	offer   offer
	lead    *leader       // used by the leader's goroutine alone; nil unless this service leads
	behind  retry.Streak  // events whose time the ledger has passed long ago
	wake    chan struct{} // has a token when the leader should look
	metrics Metrics
	caller  atomic.Pointer[caller] // nil: callbacks wait
	sending atomic.Int64           // callbacks

	// sync makes the fold hold everything up to a sequence.
	sync func(ctx context.Context, sequence uint64) error
}

// secretKey is the entry of the board with the secret that all services of a store share.
const secretKey = "proofs"

// New returns a service for a store, with the state of the ledger now; Run follows the ledger from there. If the
// ledger cannot be read, or has lost its beginning, New has changed nothing.
func New(ctx context.Context, st *store.Store, o Options) (*Service, error) {
	set(&o.Attempts, 3)
	set(&o.Queue, 100_000)
	set(&o.OwnerQuota, o.Queue-o.Queue/10)
	set(&o.Quota, o.OwnerQuota)
	set(&o.Patience, time.Minute)
	set(&o.Tick, 2*time.Second)
	set(&o.Parts, 4*time.Second)
	set(&o.Check, 30*time.Minute)
	if o.Name == "" {
		o.Name = "judged-" + rand.Text()
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Wait == nil {
		o.Wait = retry.Wait
	}
	if o.LanguagesOf == nil {
		o.LanguagesOf = func(string) []string { return nil }
	}
	if o.Room == nil {
		o.Room = func() error { return nil }
	}
	s := &Service{store: st, o: o, fold: ledger.NewFold(), grown: make(chan struct{}), waiting: map[string]int{}, ofOwner: map[string]int{}, holders: map[string]int{}, line: newLine(), wake: make(chan struct{}, 1)}
	if s.sync = s.awaitFold; o.Stepped {
		s.sync = s.readFold
	}
	if err := s.readPatiently(ctx); err != nil {
		return nil, err
	}
	secret, err := st.Board.Keep(ctx, secretKey, []byte(rand.Text()))
	if err != nil {
		return nil, fmt.Errorf("reading the settings of the service: %w", err)
	}
	s.secret = secret
	return s, s.remember(ctx)
}

func set[T int | time.Duration](v *T, usual T) {
	if *v == 0 {
		*v = usual
	}
}

// Run follows the ledger, takes answers and, while it leads, hands out tasks, until ctx ends. It
// returns nil then, and an error if the ledger cannot be read.
func (s *Service) Run(ctx context.Context) error {
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error { return s.follow(ctx, func() {}) })
	answers := s.effort("taking answers")
	for range answerers {
		g.Go(func() error { return answers.Always(ctx, func() error { return s.answer(ctx) }) })
	}
	g.Go(func() error { return s.leads(ctx) })
	g.Go(func() error { return s.relay(ctx) })
	if err := g.Wait(); ctx.Err() == nil || !errors.Is(err, context.Canceled) {
		return err
	}
	return nil
}

// answerers is how many answers a service handles at a time. Each waits for the ledger.
const answerers = 32

// pause is how long a loop waits after an error of the store.
const pause = 250 * time.Millisecond

// follow adds the records of the ledger to the fold, and calls added after each, until ctx ends. The store may be
// away for a while. A record that cannot be read ends the service, because all state behind it would be wrong.
func (s *Service) follow(ctx context.Context, added func()) error {
	e := s.effort("following the ledger")
	for {
		var unreadable error
		err := s.store.Log.Follow(ctx, s.Sequence(), func(r store.Record) error {
			if unreadable = s.Add(r); unreadable == nil {
				added()
			}
			e.Succeeded()
			return unreadable
		})
		if unreadable != nil {
			return unreadable
		}
		if err := e.After(ctx, err); err != nil {
			return err
		}
	}
}

// effort returns something that is tried again while the store is away.
func (s *Service) effort(what string) *retry.Effort {
	return &retry.Effort{What: what, Log: s.o.Log, Pause: pause, Wait: s.o.Wait}
}

// Add adds a record to the fold and wakes all that wait for it.
func (s *Service) Add(r store.Record) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	var before *ledger.Submission
	id, ok := ledger.SubmissionOf(r.Subject)
	if ok {
		before = s.fold.Submissions[id]
	}
	ignored := s.fold.Ignored
	change, err := s.fold.Add(r)
	if err != nil {
		return err
	}
	if s.fold.Ignored > ignored {
		s.metrics.Ignored.Add(1)
		s.o.Log.Error("a record of the ledger does not fit its state, and is ignored", "record", r.Sequence, "subject", r.Subject)
	}
	if change.Submission != nil {
		if change.Submission.Erased {
			s.erased++
		}
		if before != nil {
			s.count(before, -1)
		}
		s.count(change.Submission, +1)
		s.lineUp(before, change.Submission)
		if failed(before, change) {
			s.metrics.Failed.Add(1)
		}
	}
	if s.leading {
		s.news = append(s.news, change)
		s.nudge()
	}
	close(s.grown)
	s.grown = make(chan struct{})
	s.hub.publish(s.fold, change)
	return nil
}

// failed reports whether a change records that an attempt has failed, so that another one begins or would.
func failed(before *ledger.Submission, c ledger.Change) bool {
	if before == nil {
		return false
	}
	was, is := before.Judging(c.Judging), c.Submission.Judging(c.Judging)
	return was != nil && is != nil && is.Attempt > was.Attempt
}

// count adds n for each waiting judging of a submission, and for each blob that it has. Rejudgings do not count,
// because no submission may be refused while the jury judges again.
func (s *Service) count(sub *ledger.Submission, n int) {
	for i := range sub.Judgings {
		if j := &sub.Judgings[i]; j.Status == ledger.Waiting && j.Batch == "" {
			s.total += n
			add(s.waiting, sub.Submitter, n)
			add(s.ofOwner, ledger.OwnerOf(sub.Submitter), n)
		}
	}
	for _, ref := range sub.Blobs {
		add(s.holders, ref.Hash, n)
	}
}

// add adds n to a count, and deletes counts of 0.
func add(counts map[string]int, key string, n int) {
	if counts[key] += n; counts[key] == 0 {
		delete(counts, key)
	}
}

// nudge wakes the leader.
func (s *Service) nudge() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// Sequence returns the sequence up to which the service knows the ledger.
func (s *Service) Sequence() uint64 {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.fold.Sequence
}

// awaitFold waits until the fold holds a record.
func (s *Service) awaitFold(ctx context.Context, sequence uint64) error {
	for {
		s.mu.RLock()
		have, grown := s.fold.Sequence, s.grown
		s.mu.RUnlock()
		if have >= sequence {
			return nil
		}
		select {
		case <-grown:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// readFold reads the ledger up to a record.
func (s *Service) readFold(ctx context.Context, sequence uint64) error {
	err := s.store.Log.Follow(ctx, s.Sequence(), s.Add)
	if s.Sequence() >= sequence {
		return nil
	}
	return fmt.Errorf("record %d of the ledger cannot be read yet: %w", sequence, err)
}

// Reach waits until the service knows the ledger up to a record.
func (s *Service) Reach(ctx context.Context, sequence uint64) error { return s.sync(ctx, sequence) }

// CatchUp waits until the service knows everything that is in the ledger now.
func (s *Service) CatchUp(ctx context.Context) error {
	last, err := s.store.Log.Last(ctx)
	if err != nil {
		return err
	}
	return s.sync(ctx, last)
}

func (s *Service) Name() string { return s.o.Name }
