// Package event defines the events that commands report while they work.
package event

// Event is something that happened: a line of a stream, with the fields that it has in
// JSON. Events come from one goroutine at a time; the last, unless the work fails, is the
// result of it all.
type Event interface {
	Kind() string // what the line calls itself, such as "stage"
}

// End is the kind of the last event.
const End = "end"

// Emit is told events as they happen; nil if nobody listens.
type Emit func(Event)

// Tell tells an event.
func (emit Emit) Tell(e Event) {
	if emit != nil {
		emit(e)
	}
}

// Stage says what begins.
type Stage struct {
	What string `json:"what"` // in words for people
}

// Kind is "stage".
func (*Stage) Kind() string { return "stage" }

// Doing returns What. An event that has a Stage in it begins one, too.
func (s *Stage) Doing() string { return s.What }

// Stage tells what begins.
func (emit Emit) Stage(what string) { emit.Tell(&Stage{what}) }
