package stress

import (
	"time"

	"tribunal/judge/internal/document"
	"tribunal/judge/internal/event"
	"tribunal/judge/internal/limits"
)

// The schemas of the JSON forms of a [Report] and of the events before it; see docs/stress.md.
const (
	Schema       = "tribunal/stress/1"
	EventsSchema = "tribunal/stress-events/1"
)

// Begin describes a search.
type Begin struct {
	Problem string `json:"problem"`
	A       string `json:"a"` // as the caller named it
	B       string `json:"b"` // as the caller named it
	Seed    uint64 `json:"seed"`
	Slots   int    `json:"slots"`
}

// Kind is "begin".
func (*Begin) Kind() string { return "begin" }

// Report is the result of a search.
type Report struct {
	document.Head
	Begin
	Counts                // of the search, without shrinking
	Found   *Finding      `json:"found"`
	Slow    *Slow         `json:"slowest"`    // nil if A has answered nothing
	Elapsed time.Duration `json:"elapsed_ns"` // of the search, without shrinking

	Language string        `json:"-"` // of the submissions, if the user named it
	Families []string      `json:"-"` // that the inputs were restricted to
	Limits   limits.Limits `json:"-"` // of A
	Slowest  bool          `json:"-"` // the search was for the slowest input
}

// Kind is [event.End].
func (*Report) Kind() string { return event.End }

// Finding is an input on which the programs differ, the smallest so far.
type Finding struct {
	Number int `json:"number"` // of the input in the sequence, from 1
	Source
	Original int `json:"original_bytes"` // of the input that was found
	Bytes    int `json:"bytes"`          // of the smallest
	Fault
	Shrunk *Shrinking `json:"shrunk"` // nil if it was not shrunk

	First []byte `json:"-"` // the input that was found
}

// NewFinding returns a finding before shrinking.
func NewFinding(s Source, number int, f Fault) *Finding {
	return &Finding{Number: number, Source: s, Original: len(f.Input), Bytes: len(f.Input), Fault: f, First: f.Input}
}

// Kind is "found".
func (*Finding) Kind() string { return "found" }

// Take sets the result of shrinking.
func (f *Finding) Take(k *Shrinking) {
	f.Shrunk, f.Fault, f.Bytes = k, k.Fault, len(k.Input)
}
