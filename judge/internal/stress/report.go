package stress

import (
	"time"

	"tribunal/judge/internal/document"
	"tribunal/judge/internal/event"
	"tribunal/judge/internal/limits"
)

// The names of the JSON forms of a [Report], and of the events before it; see docs/stress.md.
const (
	Schema       = "tribunal/stress/1"
	EventsSchema = "tribunal/stress-events/1"
)

// Begin is what a search is about.
type Begin struct {
	Problem string `json:"problem"`
	A       string `json:"a"` // as the caller named it
	B       string `json:"b"` // likewise
	Seed    uint64 `json:"seed"`
	Slots   int    `json:"slots"`
}

// Kind is "begin".
func (*Begin) Kind() string { return "begin" }

// Report is the result of a search.
type Report struct {
	document.Head
	Begin
	Counts                // of the search alone
	Found   *Finding      `json:"found"`
	Slow    *Slow         `json:"slowest"`    // nil if A has answered nothing
	Elapsed time.Duration `json:"elapsed_ns"` // of the search alone

	Language string        `json:"-"` // of the submissions, if it was named
	Families []string      `json:"-"` // that the inputs were restricted to
	Limits   limits.Limits `json:"-"` // of A
	Slowest  bool          `json:"-"` // the search was for the slowest input
}

// Kind is [event.End].
func (*Report) Kind() string { return event.End }

// Finding is what a search has found: the smallest input so far.
type Finding struct {
	Number int `json:"number"` // of the input in the sequence, from 1
	Source
	Original int `json:"original_bytes"` // of the input that was found
	Bytes    int `json:"bytes"`          // of the smallest
	Fault
	Shrunk *Shrinking `json:"shrunk"` // nil if that was not tried

	First []byte `json:"-"` // the input that was found
}

// NewFinding returns a finding that was not shrunk.
func NewFinding(s Source, number int, f Fault) *Finding {
	return &Finding{Number: number, Source: s, Original: len(f.Input), Bytes: len(f.Input), Fault: f, First: f.Input}
}

// Kind is "found".
func (*Finding) Kind() string { return "found" }

// Take takes over what shrinking the input came to.
func (f *Finding) Take(k *Shrinking) {
	f.Shrunk, f.Fault, f.Bytes = k, k.Fault, len(k.Input)
}
