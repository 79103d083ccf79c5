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
	A       string `json:"a"` // name of program A, as the caller gave it
	B       string `json:"b"` // name of program B, as the caller gave it
	Seed    uint64 `json:"seed"`
	Slots   int    `json:"slots"`
}

func (*Begin) Kind() string { return "begin" }

// Report is the result of a search.
type Report struct {
	document.Head
	Begin
	Counts                // inputs tried, not counting those of shrinking
	Found   *Finding      `json:"found"`
	Slow    *Slow         `json:"slowest"`    // nil if no run of A was completed
	Elapsed time.Duration `json:"elapsed_ns"` // wall-clock time of the search without shrinking

	Language string        `json:"-"` // language of the submissions, if the user named one
	Families []string      `json:"-"` // families to which the user restricted the inputs
	Limits   limits.Limits `json:"-"` // limits of program A
	Slowest  bool          `json:"-"` // the search was for the slowest input
}

func (*Report) Kind() string { return event.End }

// Finding is an input on which the programs differ. Its Fault is that of the smallest such input so
// far.
type Finding struct {
	Number int `json:"number"` // position in the sequence of the search, from 1
	Source
	Original int `json:"original_bytes"` // size of the input that Find returned
	Bytes    int `json:"bytes"`          // size of the smallest input
	Fault
	Shrunk *Shrinking `json:"shrunk"` // nil if it was not shrunk

	First []byte `json:"-"` // the input that Find returned, before shrinking
}

// NewFinding returns a finding before shrinking.
func NewFinding(s Source, number int, f Fault) *Finding {
	return &Finding{Number: number, Source: s, Original: len(f.Input), Bytes: len(f.Input), Fault: f, First: f.Input}
}

func (*Finding) Kind() string { return "found" }

// Take sets the result of shrinking.
func (f *Finding) Take(k *Shrinking) {
	f.Shrunk, f.Fault, f.Bytes = k, k.Fault, len(k.Input)
}
