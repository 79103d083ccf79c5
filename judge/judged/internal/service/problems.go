package service

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"sync"

	"tribunal/judge/judged/internal/ledger"
	"tribunal/judge/judged/internal/store"
	"tribunal/judge/judged/internal/task"
)

// problemID is the form of the ids of problems, which are words of subjects.
var problemID = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z0-9][a-z0-9_-]{0,62}$`) })

// Upload is a version of a problem.
type Upload struct {
	ID      string
	Title   string // until a worker has read it
	By      string
	Archive []byte
	Quick   bool // only check whether it can be judged, and do not verify it
	Newest  bool // make it the newest version, even if it was uploaded before
}

// Upload adds a version of a problem: an archive that a worker can open. The hash of the archive is the version, so
// the same archive is the same version. A worker checks it before it is judged. An archive that could not be judged
// when it was uploaded before is checked again: something may have changed, such as the tools of the workers. added
// is false if the version was known. The error wraps ErrInvalid if the id is not valid.
func (s *Service) Upload(ctx context.Context, u Upload) (v ledger.Version, added bool, err error) {
	id, archive := u.ID, u.Archive
	if !problemID().MatchString(id) {
		return v, false, fmt.Errorf("problem id %q: want up to 63 lower-case letters, digits, _ and -: %w", id, ErrInvalid)
	}
	version := store.RefOf(archive).Hash
	e := &ledger.Event{By: u.By}
	if v, err := s.Version(id, version); err == nil {
		s.restow(ctx, &v.Archive, archive) // the archive may have been lost, and uploading it again repairs that
		newest, err := s.Version(id, "")
		if !v.Checked || v.Usable && (!u.Newest || err == nil && newest.ID == v.ID) {
			return v, false, nil
		}
		e.Uploaded = &ledger.Uploaded{Title: v.Title, Archive: v.Archive, Quick: u.Quick}
		_, err = s.append(ctx, ledger.ProblemSubject(id, version), v.Sequence, e)
		if err != nil && !errors.Is(err, store.ErrConflict) {
			return v, false, err
		}
		if err := s.CatchUp(ctx); err != nil {
			return v, false, err
		}
		v, err = s.Version(id, version)
		return v, false, err
	}
	if err := s.o.Room(); err != nil {
		return v, false, err
	}
	ref, err := s.store.Blobs.Put(ctx, archive)
	if err != nil {
		return v, false, fmt.Errorf("storing the problem: %w", err)
	}
	e.Uploaded = &ledger.Uploaded{Title: u.Title, Archive: ref, Quick: u.Quick}
	sequence, err := s.appendFirst(ctx, ledger.ProblemSubject(id, version), e)
	if err != nil && !errors.Is(err, store.ErrConflict) {
		return v, false, err
	}
	s.restow(ctx, &ref, archive)
	if added = err == nil; added {
		err = s.sync(ctx, sequence)
	} else {
		err = s.CatchUp(ctx)
	}
	if err != nil {
		return v, added, err
	}
	if v, err = s.Version(id, version); errors.Is(err, ErrUnknown) {
		err = unread(ledger.ProblemSubject(id, version))
	}
	return v, added, err
}

// recordCheck records what a worker found out about a version, or that the judge failed to check it. A failed check
// is repeated as often as a judging.
func (s *Service) recordCheck(ctx context.Context, a *task.Answer) error {
	v, err := s.Version(a.Problem, a.Version)
	if err != nil {
		return err
	}
	if v.Checked || a.Attempt != v.Failures+1 {
		return errLate
	}
	if a.Checked == nil {
		s.o.Log.Error("a problem could not be checked", "problem", a.Problem, "version", a.Version, "attempt", a.Attempt, "error", a.Error)
		a.Checked = &ledger.Checked{
			Failed: true, Again: a.Attempt < s.o.Attempts, Title: v.Title, Findings: []string{"it could not be checked: " + a.Error},
		}
	}
	e := &ledger.Event{By: a.Worker, Checked: a.Checked}
	sequence, err := s.append(ctx, ledger.ProblemSubject(a.Problem, a.Version), v.Sequence, e)
	if errors.Is(err, store.ErrConflict) { // another answer was first
		return errLate
	}
	if err != nil {
		return err
	}
	s.o.Log.Info("a problem was checked", "problem", a.Problem, "version", a.Version, "usable", a.Checked.Usable, "findings", len(a.Checked.Findings))
	return s.sync(ctx, sequence)
}

// AwaitCheck waits until a version of a problem has been checked, and returns it. If ctx ends before, it returns
// the version as it is, without an error.
func (s *Service) AwaitCheck(ctx context.Context, id, version string) (ledger.Version, error) {
	for {
		s.mu.RLock()
		grown := s.grown
		s.mu.RUnlock()
		v, err := s.Version(id, version)
		if err != nil || v.Checked {
			return v, err
		}
		select {
		case <-grown:
		case <-ctx.Done():
			return v, nil
		}
	}
}
