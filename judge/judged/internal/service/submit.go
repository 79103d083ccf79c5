package service

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base32"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"tribunal/judge/judged/internal/ledger"
	"tribunal/judge/judged/internal/store"
)

// Request is a submission to judge or, with an Input, a program to run.
type Request struct {
	ledger.Submitted
	Owner   string // who asks, for the idempotency key
	Key     string // the idempotency key: the same request with the same key is the same submission; "" for none
	Code    []byte // the source
	Stdin   []byte // of a run, with an Input
	Want    []byte // of a run, with an Expected
	Package []byte // of tests that come with it, instead of a problem; nil if there are none
	// Fresh means that its version has just been uploaded and is still being checked. The submission is taken in
	// any case, and cancelled if the version turns out to be unusable.
	Fresh bool
	// Admit, unless nil, decides about a new submission. When it is called, this service knows everything that the
	// submitter has handed in anywhere, and nothing further is taken before its answer counts. Its error is that of
	// Submit.
	Admit func() error
}

// Submit takes a submission. When it returns, the submission is in the ledger, and will get its verdict. created is
// false if a request with the same key was taken before.
//
// The error wraps ErrBusy, store.ErrFull, ErrReused, a [*LanguageError], ErrUnknown (the problem) or ErrState (its
// version cannot be judged, or the submission with the key was erased), if one of these is the reason.
func (s *Service) Submit(ctx context.Context, r Request) (sub ledger.Submission, created bool, err error) {
	if r.Package != nil {
		ref := store.RefOf(r.Package)
		r.Problem, r.Version, r.Tests = ledger.InlineProblem, ref.Hash, &ref
	}
	in := r.Submitted
	id := newID()
	if r.Key != "" {
		id = idOf(r.Owner, r.Key)
		if in.Request, err = r.hash(); err != nil {
			return sub, false, err
		}
		if known, err := s.find(id); err == nil {
			return s.repeated(known, in.Request)
		}
	}
	if err := s.o.Room(); err != nil {
		return sub, false, err
	}
	if err := s.admitLanguage(ctx, &in); err != nil {
		return sub, false, err
	}
	if err := s.Lately(ctx, func() error { return s.admit(&in, r.Fresh) }); err != nil {
		return sub, false, err
	}
	if r.Admit != nil {
		leave, err := s.turn(ctx, in.Submitter)
		if err != nil {
			return sub, false, err
		}
		defer leave()
		if err := r.Admit(); err != nil {
			return sub, false, err
		}
	}
	span := s.o.Trace.Begin("", "submit", "submission", id, "problem", in.Problem)
	in.Trace = span.Context()
	defer func() { span.End(err) }()
	if in.Source, err = store.Stow(ctx, s.store.Blobs, r.Code); err != nil {
		return sub, false, fmt.Errorf("storing the source: %w", err)
	}
	if err := s.stowText(ctx, &in.Input, r.Stdin); err != nil {
		return sub, false, fmt.Errorf("storing the input: %w", err)
	}
	if err := s.stowText(ctx, &in.Expected, r.Want); err != nil {
		return sub, false, fmt.Errorf("storing the expected output: %w", err)
	}
	if err := s.stowText(ctx, &in.Tests, r.Package); err != nil {
		return sub, false, fmt.Errorf("storing the tests: %w", err)
	}
	e := &ledger.Event{By: r.Owner, Submitted: &in}
	sequence, err := s.appendFirst(ctx, ledger.SubmissionSubject(id), e)
	if err == nil || errors.Is(err, store.ErrConflict) {
		s.restow(ctx, &in.Source, r.Code)
		s.restow(ctx, in.Input, r.Stdin)
		s.restow(ctx, in.Expected, r.Want)
		s.restow(ctx, in.Tests, r.Package)
	}
	if !errors.Is(err, store.ErrConflict) {
		if err != nil {
			return sub, false, err
		}
		s.metrics.Submitted.Add(1)
		return ledger.Begun(id, sequence, e), true, nil
	}
	if err := s.CatchUp(ctx); err != nil {
		return sub, false, err
	}
	known := s.submission(id)
	switch {
	case known == nil:
		return sub, false, unread(ledger.SubmissionSubject(id))
	case known.Erased:
		return sub, false, fmt.Errorf("the submission with this idempotency key was erased (hint: take another key): %w", ErrState)
	}
	if r.Key == "" { // an earlier try of this call succeeded
		return *known, true, nil
	}
	return s.repeated(known, in.Request)
}

// turnPause is the time between two looks whether it is one's turn.
const turnPause = 20 * time.Millisecond

// turn waits until no other request of a submitter has its turn, in any service of the store, and until this service
// knows what the others have added. The caller calls leave. The turn of a service that dies ends with its entry.
func (s *Service) turn(ctx context.Context, submitter string) (leave func(), err error) {
	key, holder := "turn."+idOf("turn", submitter), rand.Text()
	leave = func() { _ = s.store.Board.Withdraw(context.WithoutCancel(ctx), key, holder) }
	for {
		ok, err := s.store.Board.Claim(ctx, key, holder)
		if err == nil && ok {
			err = s.CatchUp(ctx)
		}
		if err == nil && !ok {
			if err = s.o.Wait(ctx, turnPause); err == nil {
				continue
			}
		}
		if err != nil {
			leave()
		}
		return leave, err
	}
}

// stowText stores a text and sets *to, unless that is nil: the submission has no such text.
func (s *Service) stowText(ctx context.Context, to **store.Ref, text []byte) error {
	if *to == nil {
		return nil
	}
	ref, err := store.Stow(ctx, s.store.Blobs, text)
	*to = &ref
	return err
}

// appendFirst adds the first event of a subject. If the outcome is unknown, it tries again. So a conflict can mean
// that an earlier try succeeded.
func (s *Service) appendFirst(ctx context.Context, subject string, e *ledger.Event) (sequence uint64, err error) {
	err = s.effort("adding to the ledger").Until(ctx, func() error {
		sequence, err = s.append(ctx, subject, 0, e)
		return err
	}, func(n int, err error) bool {
		return n == tries || errors.Is(err, store.ErrConflict) || store.IsFinal(err)
	})
	return sequence, err
}

// admit checks a submission, and completes it with the version of its problem. fresh is as in [Request].
func (s *Service) admit(in *ledger.Submitted, fresh bool) error {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.total >= s.o.Queue {
		return fmt.Errorf("%w: %d (hint: ask again later)", ErrBusy, s.total)
	}
	if n := s.waiting[in.Submitter]; n >= s.o.Quota {
		return fmt.Errorf("%w for %s: %d (hint: ask again later)", ErrBusy, in.Submitter, n)
	}
	if owner := ledger.OwnerOf(in.Submitter); s.ofOwner[owner] >= s.o.OwnerQuota {
		return fmt.Errorf("%w for all submitters of %s: %d (hint: ask again later)", ErrBusy, owner, s.ofOwner[owner])
	}
	if in.Problem == "" || in.Tests != nil {
		return nil
	}
	versions := s.fold.Versions[in.Problem]
	if len(versions) == 0 {
		return fmt.Errorf("problem %s: %w", in.Problem, ErrUnknown)
	}
	if in.Version == "" {
		if in.Version = cmp.Or(s.fold.Newest[in.Problem], unchecked(versions)); in.Version == "" {
			return fmt.Errorf("problem %s: no version of it can be judged: %w", in.Problem, ErrState)
		}
	}
	v, err := match(versions, in.Version)
	if err != nil {
		return fmt.Errorf("problem %s@%s: %w", in.Problem, in.Version, err)
	}
	if v.Checked && !v.Usable && !fresh {
		return fmt.Errorf("%s: %w", unusable(v), ErrState)
	}
	in.Version = v.ID
	return nil
}

// unusable says that a version cannot be judged. Why may quote its cases, which submitters must not see.
func unusable(v *ledger.Version) string {
	return fmt.Sprintf("problem %s@%.12s cannot be judged (hint: GET /v1/problems/%s says why to its authors)", v.Problem, v.ID, v.Problem)
}

// unchecked returns the version that was uploaded last and waits for its check, "" if none waits. A submission to a
// new problem waits with it.
func unchecked(versions map[string]*ledger.Version) string {
	last := &ledger.Version{}
	for _, v := range versions {
		if !v.Checked && v.First > last.First {
			last = v
		}
	}
	return last.ID
}

// match returns the version whose id begins with prefix.
func match(versions map[string]*ledger.Version, prefix string) (found *ledger.Version, err error) {
	if v := versions[prefix]; v != nil {
		return v, nil // a problem can have many versions
	}
	for id, v := range versions {
		if strings.HasPrefix(id, prefix) {
			if found != nil {
				return nil, fmt.Errorf("several versions begin like that: %w", ErrInvalid)
			}
			found = v
		}
	}
	if found == nil {
		return nil, ErrUnknown
	}
	return found, nil
}

func (s *Service) repeated(known *ledger.Submission, request string) (ledger.Submission, bool, error) {
	if known.Request != request {
		return ledger.Submission{}, false, ErrReused
	}
	return *known, false, nil
}

// hash returns a hash of everything that a request asks for.
func (r *Request) hash() (string, error) {
	in := r.Submitted
	in.Source, in.Request = store.RefOf(r.Code), ""
	if in.Input != nil {
		ref := store.RefOf(r.Stdin)
		in.Input = &ref
	}
	if in.Expected != nil {
		ref := store.RefOf(r.Want)
		in.Expected = &ref
	}
	text, err := json.Marshal(in)
	return store.RefOf(text).Hash[:32], err
}

// alphabet is the alphabet of ids. It is safe in subjects, paths and file names.
var alphabet = base32.NewEncoding("0123456789abcdefghjkmnpqrstvwxyz").WithPadding(base32.NoPadding)

func newID() string {
	var b [15]byte
	_, _ = rand.Read(b[:]) // never fails
	return alphabet.EncodeToString(b[:])
}

// idOf returns the id of the submission with a key of an owner.
func idOf(owner, key string) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%d %s %s", len(owner), owner, key))
	return alphabet.EncodeToString(sum[:15])
}
