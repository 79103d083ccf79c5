package simstore

import (
	"testing"
	"time"

	"tribunal/judge/judged/internal/store"
	"tribunal/judge/judged/internal/store/storetest"
)

// TestSuite runs the suite with stores that wait.
func TestSuite(t *testing.T) {
	t.Parallel()
	o := storetest.Options{AckWait: 400 * time.Millisecond, Presence: 400 * time.Millisecond}
	storetest.Run(t, func(*testing.T) func() *store.Store { return Blocking(o.AckWait, o.Presence) }, o)
}
