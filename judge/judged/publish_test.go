package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tribunal/judge/internal/yamlstrict"
	"tribunal/judge/judged/internal/service"
	"tribunal/judge/judged/internal/store"
)

// TestPublish checks which problems are uploaded, and when: in rounds, after pauses.
func TestPublish(t *testing.T) {
	t.Parallel()
	full := fmt.Errorf("publishing: %w", store.ErrFull)
	for _, tt := range []struct {
		why  string
		errs map[string][]error // of the uploads of a problem, then nil
		want string             // uploads, with the time at which each round begins
		left int                // problems that are left out
	}{
		{"all is well", nil, "0s: a b c", 0},
		{"one is broken", map[string][]error{"b": {&yamlstrict.Error{File: "problems/b.yaml", Line: 3, Msg: "no title"}}}, "0s: a b c", 1},
		{"an id that the service does not take", map[string][]error{"a": {service.ErrInvalid}}, "0s: a b c", 1},
		{"the store is away for a moment", map[string][]error{"a": {errors.New("timeout")}, "b": {errors.New("timeout")}}, "0s: a b c, 1s: a b", 0},
		{"the disk is full for two minutes", map[string][]error{"a": {full, full, full, full, full, full, full, full}}, "0s: a b c, 1s: a, 3s: a, 7s: a, 15s: a, 31s: a, 1m3s: a, 2m3s: a, 3m3s: a", 0},
	} {
		synctest.Test(t, func(t *testing.T) {
			log, begin, last := &strings.Builder{}, time.Now(), time.Duration(-1)
			var got strings.Builder
			publish(t.Context(), []string{"a", "b", "c"}, func(_ context.Context, id string) (err error) {
				if at := time.Since(begin); at != last {
					fmt.Fprintf(&got, ", %v:", at)
					last = at
				}
				got.WriteString(" " + id)
				if errs := tt.errs[id]; len(errs) > 0 {
					err, tt.errs[id] = errs[0], errs[1:]
				}
				return err
			}, slog.New(slog.NewTextHandler(log, nil)))
			if got := strings.TrimPrefix(got.String(), ", "); got != tt.want {
				t.Errorf("%s: %s, want %s", tt.why, got, tt.want)
			}
			if left := strings.Count(log.String(), "level=ERROR"); left != tt.left {
				t.Errorf("%s: %d are left out, want %d:\n%s", tt.why, left, tt.left, log)
			}
		})
	}
}

// TestPublishEnds checks that publishing ends with the service, whether it waits or is refused.
func TestPublishEnds(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why   string
		after time.Duration
	}{
		{"during an upload", 0},
		{"in a pause", publishAgain / 2},
	} {
		synctest.Test(t, func(t *testing.T) {
			ctx, stop := context.WithTimeout(t.Context(), tt.after)
			defer stop()
			uploads := 0
			publish(ctx, []string{"a"}, func(context.Context, string) error { uploads++; return errors.New("away") }, slog.New(slog.DiscardHandler))
			if ctx.Err() == nil || uploads != 1 {
				t.Errorf("%s: %d uploads, ended: %v", tt.why, uploads, ctx.Err())
			}
		})
	}
}
