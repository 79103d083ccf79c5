// Package event defines the events that commands report while they work.
package event

// Event is a step of a command's work, and a line of its stream, with the fields that the line has
// in JSON. Events are emitted one at a time. Unless the work fails, the last is its result.
type Event interface {
	Kind() string // the value of "event" in the line, such as "stage"
}

// End is the kind of the last event.
const End = "end"

// Emit is a function that receives events as they happen. It may be nil: then they are dropped.
type Emit func(Event)

// Tell passes an event to emit.
func (emit Emit) Tell(e Event) {
	if emit != nil {
		emit(e)
	}
}

// Stage is the beginning of a stage of the work.
type Stage struct {
	What string `json:"what"` // such as "running the mutants"
}

// Kind is "stage".
func (*Stage) Kind() string { return "stage" }

// Doing returns What. An event that embeds a Stage also begins one.
func (s *Stage) Doing() string { return s.What }

// Stage passes the beginning of a stage to emit.
func (emit Emit) Stage(what string) { emit.Tell(&Stage{what}) }
