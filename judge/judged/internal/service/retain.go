package service

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"tribunal/judge/judged/internal/ledger"
	"tribunal/judge/judged/internal/store"
)

// The leader cleans up once every cleanEvery. It erases at most cleanBatch submissions or blobs at a time, so that
// judgings hardly wait for that. A blob without references is removed when it is unusedFor old: until then its
// submission may still be handed in, or its answer be on its way. That is two days, so that blobs of one day are
// there until the end of the next, see blobs.go.
const (
	cleanEvery = time.Hour
	cleanBatch = 20
	unusedFor  = 48 * time.Hour
)

// A wrong clock must not erase what people rely on, whether it is wrong at the start, jumps, or stays wrong. So the
// first cleanup of a leader, and the first after a jump, erase nothing because of its age. If the ledger has no
// record of the last quiet time that confirms the clock, the cleanups of a day erase at most a part of all
// submissions.
const (
	quiet    = 7 * 24 * time.Hour
	dayParts = 10
)

// cleanup is the work that is left until the next one.
type cleanup struct {
	begun         time.Time
	day           time.Time // when the day began that doubted counts for
	doubted       int
	before        time.Time // submissions that were handed in before are erased; zero for none
	old           []string  // ids of submissions
	unused        []store.Ref
	erased, freed int
}

// clean does a part of the cleanup that is due.
func (l *leader) clean(ctx context.Context) error {
	c := &l.cleanup
	if now := l.o.Now(); now.Sub(c.begun) >= cleanEvery || now.Before(c.begun) {
		if now.Before(c.begun) {
			l.o.Log.Warn("the clock has gone back", "jump", c.begun.Sub(now))
		}
		next, err := l.plan(ctx, now)
		if err != nil {
			return fmt.Errorf("cleaning up: %w", err)
		}
		*c = next
	}
	if len(c.old)+len(c.unused) == 0 {
		return nil
	}
	for range cleanBatch {
		if err := l.cleanOne(ctx, c); err != nil {
			return fmt.Errorf("cleaning up: %w", err)
		}
	}
	if len(c.old)+len(c.unused) > 0 {
		l.nudge() // it goes on after what is more urgent
		return nil
	}
	if c.erased+c.freed > 0 {
		l.o.Log.Info("cleaned up", "audit", true, "submissions", c.erased, "before", c.before, "unused_blobs", c.freed)
	}
	if c.erased > 0 {
		return l.Snapshot(ctx) // older snapshots hold what was erased
	}
	return nil
}

// cleanOne erases one submission or one blob, if there is any.
func (l *leader) cleanOne(ctx context.Context, c *cleanup) error {
	switch {
	case len(c.old) > 0:
		err := l.Erase(ctx, c.old[0], l.o.Name)
		if err != nil && !errors.Is(err, ErrUnknown) { // it was erased meanwhile
			return err
		}
		if err == nil {
			c.erased++
			l.metrics.Erased.Add(1)
		}
		c.old = c.old[1:]
	case len(c.unused) > 0:
		freed, err := l.free(ctx, c.unused[0], l.wanted)
		if err != nil {
			return err
		}
		if freed {
			c.freed++
		}
		c.unused = c.unused[1:]
	}
	return nil
}

// plan finds out what is to be cleaned up now. The first time, it leaves blobs alone.
func (l *leader) plan(ctx context.Context, now time.Time) (c cleanup, err error) {
	c.begun, c.day, c.doubted = now, l.cleanup.day, l.cleanup.doubted
	first := l.cleanup.begun.IsZero()
	if l.o.Keep > 0 && !first {
		c.before = now.Add(-l.o.Keep)
		c.old = l.trusted(&c, now, l.handedInBefore(c.before))
	}
	if first {
		// Another leader may have died while it erased something. And if no service was there for long, old
		// answers of workers wait, whose results nothing refers to yet.
		c.old = append(c.old, l.lastErased(cleanBatch)...)
		return c, nil
	}
	blobs, err := l.store.Blobs.List(ctx, now.Add(-unusedFor))
	if err != nil {
		return c, err
	}
	if err := l.CatchUp(ctx); err != nil {
		return c, err
	}
	c.unused = slices.DeleteFunc(blobs, func(ref store.Ref) bool { return l.has(ref.Hash) })
	return c, nil
}

// trusted returns the ids of those old submissions that may be erased now, even if the clock is wrong.
func (l *leader) trusted(c *cleanup, now time.Time, old []string) []string {
	if len(old) == 0 {
		return nil
	}
	if passed := now.Sub(l.cleanup.begun); passed < 0 || passed > 3*cleanEvery {
		l.o.Log.Warn("nothing is erased for an hour, because the clock has jumped", "jump", passed, "submissions", len(old))
		return nil
	}
	newest, all := l.newest()
	if now.Sub(newest) < quiet {
		return old
	}
	if now.Sub(c.day) >= 24*time.Hour || now.Before(c.day) {
		c.day, c.doubted = now, 0
	}
	most := max(cleanBatch, all/dayParts)
	if rest := max(most-c.doubted, 0); len(old) > rest {
		l.o.Log.Warn("few submissions are erased a day, because nothing bears the clock out", "newest", newest, "submissions", len(old)-rest)
		old = old[:rest]
	}
	c.doubted += len(old)
	return old
}

// newest returns when the newest submission was handed in, and how many there are.
func (l *leader) newest() (at time.Time, all int) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	for _, sub := range l.fold.Submissions {
		if sub.Erased {
			continue
		}
		if all++; sub.At.After(at) {
			at = sub.At
		}
	}
	return at, all
}

// lastErased returns the ids of the submissions that were erased last.
func (l *leader) lastErased(most int) (ids []string) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	for id, sub := range l.fold.Submissions {
		if sub.Erased {
			ids = append(ids, id)
		}
	}
	slices.SortFunc(ids, func(a, b string) int {
		return cmpUint(l.fold.Submissions[b].Sequence, l.fold.Submissions[a].Sequence)
	})
	return ids[:min(most, len(ids))]
}

// handedInBefore returns the ids of the submissions that were handed in before a time and have no judging that
// waits, the oldest first.
func (l *leader) handedInBefore(before time.Time) (ids []string) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	for id, sub := range l.fold.Submissions {
		waits := func(j ledger.Judging) bool { return j.Status == ledger.Waiting }
		if !sub.Erased && sub.At.Before(before) && !slices.ContainsFunc(sub.Judgings, waits) {
			ids = append(ids, id)
		}
	}
	slices.SortFunc(ids, func(a, b string) int {
		return cmpUint(l.fold.Submissions[a].First, l.fold.Submissions[b].First)
	})
	return ids
}
