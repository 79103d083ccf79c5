package service

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"tribunal/judge/judged/internal/ledger"
	"tribunal/judge/judged/internal/store"
)

// offer knows in which languages the workers can judge. A language counts for a while after the last ready worker
// with it has gone, and while no worker is ready all languages count that they had last: restarting workers makes
// the service refuse nothing.
type offer struct {
	mu     sync.Mutex
	listed time.Time            // when the workers were last listed, or asked for
	ready  map[string]int       // how many ready workers have a language
	every  int                  // how many do not say their languages
	seen   map[string]time.Time // when a ready worker last had it
	at     time.Time            // when a worker was last ready; zero: none ever was
	all    bool                 // a ready worker did not say its languages
	kept   string               // what was stored last
}

// Absence is how long a language counts after the last ready worker that has it, while others are ready.
const Absence = 10 * time.Minute

// offerName is the name of the blob with the languages that the workers had last.
const offerName = "languages"

// offered is the content of that blob.
type offered struct {
	Languages []string `json:"languages"`
	All       bool     `json:"all"`
}

// note records the workers that are there now. The clock may be wrong for a while.
func (o *offer) note(workers map[string]Worker, now time.Time) {
	o.mu.Lock()
	defer o.mu.Unlock()
	ready, any, every := map[string]int{}, false, 0
	for _, w := range workers {
		if !w.Ready() {
			continue
		}
		any = true
		if w.Languages == nil {
			every++
		}
		for _, language := range w.Languages {
			ready[language]++
		}
	}
	o.listed, o.ready, o.every = now, ready, every
	if !any {
		return
	}
	if o.seen == nil {
		o.seen = map[string]time.Time{}
	}
	o.at, o.all = now, every > 0
	for language := range ready {
		o.seen[language] = now
	}
	for language, at := range o.seen {
		switch {
		case at.After(now):
			o.seen[language] = now
		case now.Sub(at) > Absence:
			delete(o.seen, language)
		}
	}
}

// has reports whether the workers have a language. Before any worker has been ready, they have all.
func (o *offer) has(language string) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	_, seen := o.seen[language]
	return seen || o.all || o.at.IsZero()
}

// LanguageError says that no worker has the language of a submission.
type LanguageError struct {
	Language string
	Have     []string // the languages that the workers have, sorted
}

func (e *LanguageError) Error() string {
	return fmt.Sprintf("no worker has the language %s (hint: the workers have %s)", e.Language, cmp.Or(strings.Join(e.Have, ", "), "none"))
}

// admitLanguage returns a [LanguageError] if no worker has the language of a submission. The language of an archive
// is found out later.
func (s *Service) admitLanguage(ctx context.Context, in *ledger.Submitted) error {
	languages := []string{in.Language}
	if in.Language == "" {
		languages = s.o.LanguagesOf(in.Name)
	}
	if len(languages) == 0 {
		return nil
	}
	offered := s.Offer(ctx)
	for _, language := range languages {
		if taken, _ := offered(language); taken {
			return nil
		}
	}
	s.offer.mu.Lock()
	defer s.offer.mu.Unlock()
	return &LanguageError{languages[0], slices.Sorted(maps.Keys(s.offer.seen))}
}

// keep stores the languages if they have changed.
func (o *offer) keep(ctx context.Context, blobs store.Blobs) error {
	o.mu.Lock()
	data, err := json.Marshal(offered{slices.Sorted(maps.Keys(o.seen)), o.all})
	changed := err == nil && !o.at.IsZero() && string(data) != o.kept
	o.mu.Unlock()
	if !changed {
		return err
	}
	if err := blobs.PutNamed(ctx, offerName, data); err != nil {
		return fmt.Errorf("storing the languages of the workers: %w", err)
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.kept = string(data)
	return nil
}

// remember reads which languages the workers had when a service was last there.
func (s *Service) remember(ctx context.Context) error {
	data, err := s.store.Blobs.GetNamed(ctx, offerName)
	if errors.Is(err, store.ErrNotFound) {
		return nil
	}
	var last offered
	if err == nil {
		err = json.Unmarshal(data, &last)
	}
	if err != nil {
		return fmt.Errorf("reading the languages of the workers: %w", err)
	}
	o := &s.offer
	o.mu.Lock()
	defer o.mu.Unlock()
	o.kept, o.all, o.at, o.seen = string(data), last.All, s.o.Now(), map[string]time.Time{}
	for _, language := range sane(last.Languages) {
		o.seen[language] = o.at
	}
	return nil
}

// Offer returns a function that reports whether submissions in a language are taken, and how many ready workers
// have it. If the workers cannot be listed, those of a moment ago count.
func (s *Service) Offer(ctx context.Context) func(language string) (taken bool, ready int) {
	o, now := &s.offer, s.o.Now()
	o.mu.Lock()
	stale := now.Sub(o.listed) >= s.o.Tick || now.Before(o.listed)
	if stale {
		o.listed = now // others that ask meanwhile do not list them too
	}
	o.mu.Unlock()
	if stale {
		_, _ = s.Workers(ctx)
	}
	return func(language string) (bool, int) {
		taken := o.has(language)
		o.mu.Lock()
		defer o.mu.Unlock()
		return taken, o.every + o.ready[language]
	}
}
