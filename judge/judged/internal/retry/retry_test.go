package retry

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

var errAway = errors.New("away")

// logged returns a log, and what it has got so far: a line for each entry, such as "WARN 4".
func logged() (*slog.Logger, func() string) {
	var b bytes.Buffer
	log := slog.New(slog.NewTextHandler(&b, &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.LevelKey || a.Key == "failures" {
			return a
		}
		return slog.Attr{}
	}}))
	return log, func() string {
		return strings.TrimSpace(strings.NewReplacer("level=", "", " failures=", " ", "\n", ", ").Replace(b.String()))
	}
}

// failing returns a function that fails n times, and then succeeds.
func failing(n int, tries *int) func() error {
	return func() error {
		if *tries++; *tries <= n {
			return errAway
		}
		return nil
	}
}

func TestUntil(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why   string
		fails int // tries
		final func(int, error) bool
		stop  time.Duration
		want  error
		took  time.Duration
		log   string
	}{
		{"nothing is wrong", 0, nil, time.Hour, nil, 0, ""},
		{"it fails once", 1, nil, time.Hour, nil, time.Second, "WARN 1, INFO 1,"},
		{"an outage does not fill the log", 1000, nil, time.Hour, nil, 1000 * time.Second, "WARN 1, WARN 2, WARN 4, WARN 8, WARN 16, WARN 32, WARN 64, WARN 128, WARN 256, WARN 512, INFO 1000,"},
		{"the third error is final, and not logged", 1000, func(n int, _ error) bool { return n == 3 }, time.Hour, errAway, 2 * time.Second, "WARN 1, WARN 2,"},
		{"the error is final", 1000, func(_ int, err error) bool { return errors.Is(err, errAway) }, time.Hour, errAway, 0, ""},
		{"the caller has given up", 1000, nil, 2500 * time.Millisecond, context.DeadlineExceeded, 2500 * time.Millisecond, "WARN 1, WARN 2,"},
	} {
		synctest.Test(t, func(t *testing.T) {
			log, text := logged()
			e := &Effort{What: "a test", Log: log, Pause: time.Second}
			ctx, stop := context.WithTimeout(t.Context(), tt.stop)
			defer stop()
			if tt.final == nil {
				tt.final = func(int, error) bool { return false }
			}
			begin, tries := time.Now(), 0
			err := e.Until(ctx, failing(tt.fails, &tries), tt.final)
			if !errors.Is(err, tt.want) {
				t.Errorf("%s: %v, want %v", tt.why, err, tt.want)
			}
			if errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, errAway) {
				t.Errorf("%s: %v does not say why it was tried for so long", tt.why, err)
			}
			if took := time.Since(begin); took != tt.took {
				t.Errorf("%s: took %v, want %v", tt.why, took, tt.took)
			}
			if got := text(); got != tt.log {
				t.Errorf("%s: logged %q, want %q", tt.why, got, tt.log)
			}
		})
	}
}

// TestAlways has 32 goroutines make the same effort, while its store is away for a minute. They log
// together what one would.
func TestAlways(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		log, text := logged()
		e := &Effort{What: "a test", Log: log, Pause: 250 * time.Millisecond}
		ctx, stop := context.WithTimeout(t.Context(), time.Hour)
		defer stop()
		back := time.Now().Add(time.Minute)
		var all sync.WaitGroup
		for range 32 {
			all.Go(func() {
				err := e.Always(ctx, func() error {
					if time.Now().Before(back) {
						return errAway
					}
					return Wait(ctx, time.Minute)
				})
				if !errors.Is(err, context.DeadlineExceeded) {
					t.Errorf("ended with %v", err)
				}
			})
		}
		all.Wait()
		var want strings.Builder
		for n := 1; n <= 32*60*4; n *= 2 {
			fmt.Fprintf(&want, "WARN %d, ", n)
		}
		fmt.Fprintf(&want, "INFO %d,", 32*60*4)
		if got := text(); got != want.String() {
			t.Errorf("logged %q, want %q", got, want.String())
		}
	})
}
