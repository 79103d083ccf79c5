package main

import (
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"testing"
	"testing/synctest"

	"tribunal/judge/judged/internal/store"
)

// TestPatiently checks how often a store is opened that cannot be opened at first.
func TestPatiently(t *testing.T) {
	t.Parallel()
	silent, early := errors.New("timeout"), fmt.Errorf("stream: %w", store.ErrNotFound)
	for _, tt := range []struct {
		why   string
		errs  []error // of the tries, the last of which succeeds
		want  error
		tries int
	}{
		{"it is there", nil, nil, 1},
		{"the servers have no leader yet", slices.Repeat([]error{silent}, tries-1), nil, tries},
		{"no server answers", slices.Repeat([]error{silent}, 100), silent, tries},
		{"the service comes an hour later", slices.Repeat([]error{early}, 3600), nil, 3601},
		{"and a server does not answer for a moment", append(slices.Repeat([]error{early}, 100), silent), nil, 102},
	} {
		synctest.Test(t, func(t *testing.T) {
			n := 0
			st, err := patiently(t.Context(), slog.New(slog.DiscardHandler), func() (*store.Store, error) {
				if n++; n <= len(tt.errs) {
					return nil, tt.errs[n-1]
				}
				return &store.Store{}, nil
			})
			if !errors.Is(err, tt.want) || (st == nil) != (tt.want != nil) || n != tt.tries {
				t.Errorf("%s: %v, %v after %d tries, want %v after %d", tt.why, st, err, n, tt.want, tt.tries)
			}
		})
	}
}
