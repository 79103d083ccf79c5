package service_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"tribunal/judge/judged/internal/service"
	"tribunal/judge/judged/internal/store"
	"tribunal/judge/judged/internal/store/simstore"
)

// timed is a service that leads over a simulated store, hour by hour.
type timed struct {
	*service.Service
	store *store.Store
	now   time.Time
	hour  int
	on    func(op string) // called with each operation of the store
}

func newTimed(t *testing.T) *timed {
	t.Helper()
	c := &timed{now: time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC), on: func(string) {}}
	world := simstore.New(simstore.Options{Now: func() time.Time { return c.now }, Seed: 1, AckWait: time.Minute, Presence: time.Minute, Late: time.Minute})
	c.store = world.Actor(func(op string) simstore.Fault { c.on(op); return simstore.None }).Store
	var err error
	c.Service, err = service.New(context.Background(), c.store, service.Options{Name: "s", Now: func() time.Time { return c.now }, Stepped: true})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// until leads, and lets time pass up to an hour, from 0.
func (c *timed) until(t *testing.T, hour int) {
	t.Helper()
	for ; c.hour < hour; c.hour++ {
		c.lead(t)
		c.now = c.now.Add(time.Hour)
	}
	c.lead(t)
}

func (c *timed) lead(t *testing.T) {
	t.Helper()
	if err := c.Lead(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// has reports whether an owner can hand in a content.
func (c *timed) has(t *testing.T, owner, content string) bool {
	t.Helper()
	text, err := c.Blob(t.Context(), owner, store.RefOf([]byte(content)))
	if err != nil && !errors.Is(err, store.ErrNotFound) || err == nil && string(text) != content {
		t.Fatalf("%q, %v", text, err)
	}
	return err == nil
}

func (c *timed) put(t *testing.T, owner, content string) {
	t.Helper()
	if _, err := c.StoreBlob(t.Context(), owner, []byte(content)); err != nil {
		t.Fatal(err)
	}
}

// TestStoredAgain stores a content at certain hours, and looks later who can hand it in.
func TestStoredAgain(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why      string
		ann, ben []int // the hours at which they store it
		at       int   // when they look
		ann2     bool
		ben2     bool
		there    bool // whether the store has it
	}{
		{"a day later it is there", []int{0}, nil, 24, true, false, true},
		{"at the end of the next day too", []int{0}, nil, 35, true, false, true},
		{"later not", []int{0}, nil, 37, false, false, true},
		{"and then it is removed", []int{0}, nil, 50, false, false, false},
		{"stored again on the same day", []int{0, 11}, nil, 35, true, false, true},
		{"stored again on the next day", []int{0, 13}, nil, 59, true, false, true},
		{"stored again before it is removed", []int{0, 47}, nil, 71, true, false, true},
		{"stored again and again", []int{0, 24, 48, 72, 96}, nil, 120, true, false, true},
		{"stored again after it was removed", []int{0, 60}, nil, 84, true, false, true},
		{"stored again by another, who alone has it then", []int{0}, []int{47}, 71, false, true, true},
		{"in the end all is removed", []int{0, 20}, []int{47}, 110, false, false, false},
	} {
		c := newTimed(t)
		for hour := 0; hour <= tt.at; hour++ {
			c.until(t, hour)
			for _, one := range tt.ann {
				if one == hour {
					c.put(t, "ann", tt.why)
				}
			}
			for _, one := range tt.ben {
				if one == hour {
					c.put(t, "ben", tt.why)
				}
			}
		}
		_, err := c.store.Blobs.Get(t.Context(), store.RefOf([]byte(tt.why)))
		if ann, ben, there := c.has(t, "ann", tt.why), c.has(t, "ben", tt.why), err == nil; ann != tt.ann2 || ben != tt.ben2 || there != tt.there {
			t.Errorf("%s: ann has it: %v, ben has it: %v, the store has it: %v", tt.why, ann, ben, there)
		}
	}
	c := newTimed(t)
	c.put(t, "ann", "content")
	c.until(t, 200)
	if list, err := c.store.Blobs.List(t.Context(), c.now.Add(time.Hour)); err != nil || len(list) > 0 {
		t.Errorf("something stays for ever: %v, %v", list, err)
	}
}

// TestStoredMeanwhile stores a content while it is removed, before each operation of that: it is there
// afterwards.
func TestStoredMeanwhile(t *testing.T) {
	t.Parallel()
	for at := 0; ; at++ {
		c := newTimed(t)
		c.put(t, "ann", "content")
		c.until(t, 48)
		n, stored := 0, ""
		c.on = func(op string) {
			if n++; n == at+1 {
				c.on, stored = func(string) {}, op
				c.put(t, "ben", "content")
			}
		}
		c.until(t, 49)
		if stored == "" {
			if at < 10 {
				t.Errorf("removing it takes %d operations of the store", at)
			}
			return
		}
		if !c.has(t, "ben", "content") {
			t.Errorf("stored before operation %d, %s, and gone", at+1, stored)
		}
	}
}

// TestErasedAndStored erases a submission whose source was stored before: that is gone, because no client may
// have to wait for it.
func TestErasedAndStored(t *testing.T) {
	t.Parallel()
	c := newTimed(t)
	source := fmt.Sprintf("%*d", 2*store.MaxInline, 1)
	c.put(t, "ann", source)
	if _, _, err := c.Upload(t.Context(), service.Upload{ID: "a", Archive: []byte("archive")}); err != nil {
		t.Fatal(err)
	}
	id := submit(t, c.Service, request(1, source))
	if err := c.Erase(t.Context(), id, "admin"); err != nil {
		t.Fatal(err)
	}
	if c.has(t, "ann", source) {
		t.Error("what was erased is still there")
	}
}
