package run

import (
	"fmt"
	"time"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/sandbox"
)

// Partner is a second program that a job runs beside its own, as the interactor of
// an interactive problem. The standard output of each is the standard input of the
// other. Both are pinned to the job's CPUs: programs that take turns never compute at
// a time, and change fastest on one CPU.
type Partner struct {
	Program *build.Program
	Args    []string // added to the program's own
	Env     []string // as a job's
	// Box is where it runs, made for its program, with whatever mounts it needs
	// besides. It stays the caller's, who must not use it until the job has finished,
	// and closes it when the outcome's Err is not nil.
	Box sandbox.Box
	// Limits are the partner's own. Wall counts only from the end of the job's
	// program: until then that one's limit is there for both. Output does not count,
	// nor does that of the job's program: what they tell each other goes from one to
	// the other.
	Limits limits.Limits
	// Transcript, when not 0, has the judge carry what they tell each other, which takes
	// longer, and keep so much of what each says: half of it from the beginning, half
	// from the end.
	Transcript limits.Bytes
}

// Side is one of the two programs of a job with a partner.
type Side = sandbox.Side

// The sides.
const (
	Own   = sandbox.Left  // the job's own program
	Other = sandbox.Right // its partner
)

// Duet is what an outcome tells about a job with a partner. The outcome itself is
// that of the job's own program.
//
// When one of them ends, the other finds its input at an end and may go on until its
// own limits; when it writes, it gets SIGPIPE. It is told so only after its partner's
// end was seen, so that First is certain, and an end that another has brought
// about always comes second.
type Duet struct {
	Partner   sandbox.Result // with the Wall that its limit counts, from the end of the job's program
	Stderr    []byte         // the end of what it wrote there
	Truncated bool           // there was more before
	First     Side           // that ended first
	// Ended is when the judge saw the end of each side, since both began.
	Ended [2]time.Duration
	// Stalled is set when the job's program was stopped at its wall limit and both were
	// waiting for each other: neither used the CPU in the last tenth of that time, and
	// each was about to read what the other never wrote, or to write what the other
	// never read. A program that sleeps or computes has not stalled.
	Stalled bool
	Said    []sandbox.Piece // the transcript, in the order of time
}

// PartnerError is an Outcome's Err about a job's partner, not its own program.
type PartnerError struct{ Err error }

func (e *PartnerError) Error() string { return fmt.Sprintf("partner: %v", e.Err) }

// Unwrap returns the cause.
func (e *PartnerError) Unwrap() error { return e.Err }
