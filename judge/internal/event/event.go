// Package event defines the events that commands report while they work.
package event

// Event is a step of a command's work. A report in NDJSON has a line for each event. Events are
// emitted one at a time. Unless the work fails or has no end, the last has the kind End.
type Event interface {
	Kind() string // the value of "event" in that line, such as "stage"
}

// End is the kind of the last event.
const End = "end"

// Emit receives events as they happen. A nil Emit drops them.
type Emit func(Event)

// Send calls emit with an event, unless emit is nil.
func (emit Emit) Send(e Event) {
	if emit != nil {
		emit(e)
	}
}

// Stage is the event that a stage of the work begins.
type Stage struct {
	What string `json:"what"` // name of the stage, such as "running the mutants"
}

func (*Stage) Kind() string { return "stage" }

// StageName returns What. Other events that begin a stage embed a Stage, and have this method too.
func (s *Stage) StageName() string { return s.What }

// Stage sends the event that a stage begins.
func (emit Emit) Stage(what string) { emit.Send(&Stage{what}) }
