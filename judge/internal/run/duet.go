package run

import (
	"context"
	"fmt"
	"sync"
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
	// Decides, when not nil, is asked when the partner has ended first, and reports whether
	// that settles the matter. The job's program is stopped then.
	Decides func(sandbox.Result) bool
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
// about always comes second. That the job's program has closed its output is told to the
// partner at its end as well, as Kattis does: a program that says no more has not ended,
// and how it ends counts. What the partner says after that end is taken, and nobody hears
// it, up to lastWords; only then it gets SIGPIPE.
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
	// Settled is set when the job's program was stopped since its partner's end decided.
	Settled bool
	Said    []sandbox.Piece // the transcript, in the order of time
}

// PartnerError is an Outcome's Err about a job's partner, not its own program.
type PartnerError struct{ Err error }

func (e *PartnerError) Error() string { return fmt.Sprintf("partner: %v", e.Err) }

// Unwrap returns the cause.
func (e *PartnerError) Unwrap() error { return e.Err }

// duet is two runs in progress.
type duet struct {
	job    Job
	open   chan struct{}      // closed when both are about to begin
	stop   context.CancelFunc // ends both
	late   context.CancelFunc // ends the partner, whose time is over
	deafen func()             // ends the listening to what the partner says to nobody

	mu      sync.Mutex
	ready   int // how many are about to begin
	runs    [2]*sandbox.Running
	start   time.Time // when both began
	ended   [2]time.Time
	first   Side
	timers  []*time.Timer
	overdue bool             // late was called
	used    [2]time.Duration // CPU time at the first look
	seen    bool             // there was a first look
	stalled bool
	settled bool  // the partner's end decided
	cause   error // the first that has failed
}

// lastWords is how much a partner may say to a program that has ended.
const lastWords = limits.MiB

// runDuet runs a job and its partner.
func (p *Pool) runDuet(ctx context.Context, s *shelf, cpus []int, job Job) Outcome {
	box, key, err := s.box(p.host, job.Program.Spec())
	if err != nil {
		return Outcome{Err: err}
	}
	other := job.Partner
	own := job.command(box)
	partner := command(other.Box, other.Program, other.Limits, other.Args, other.Env)
	partner.Limits.Wall = 0 // see Partner.Limits
	var tap *sandbox.Tap
	if other.Transcript > 0 {
		tap, err = sandbox.ConnectTapped(&own, &partner, other.Transcript)
	} else {
		err = sandbox.Connect(&own, &partner)
	}
	if err != nil {
		return Outcome{Err: err}
	}

	d := &duet{job: job, open: make(chan struct{}), start: time.Now()}
	ctx, d.stop = context.WithCancel(ctx)
	defer d.stop()
	partnerCtx, late := context.WithCancel(ctx)
	d.late = late
	defer d.late()
	own.Late, own.Hold = d.look, true
	var both sync.WaitGroup
	var results [2]Outcome
	play := func(ctx context.Context, side Side, box sandbox.Box, cmd sandbox.Command) {
		cmd.CPUs, cmd.Grace = cpus, p.grace
		both.Go(func() { results[side] = d.play(ctx, side, box, cmd) })
	}
	play(ctx, Own, box, own)
	play(partnerCtx, Other, other.Box, partner)
	both.Wait()
	d.deafen()
	d.over()
	var said []sandbox.Piece
	if tap != nil {
		said = tap.End(d.start)
	}
	if err := results[Own].Err; err != nil {
		s.failed(key, err)
	}
	if d.cause != nil {
		return Outcome{Err: d.cause}
	}
	o := results[Own]
	o.Duet = d.tell(results[Other])
	o.Duet.Said = said
	o.Duet.Stalled = d.stalled && o.Stop == sandbox.OverWall
	o.Duet.Settled = d.settled && o.Stop == sandbox.Cancelled
	return o
}

// play runs one side.
func (d *duet) play(ctx context.Context, side Side, box sandbox.Box, cmd sandbox.Command) Outcome {
	tail := &sandbox.Tail{Size: stderrTail}
	cmd.Stderr = tail
	cmd.Begun = func(ctx context.Context, r *sandbox.Running) { d.begin(ctx, side, r) }
	cmd.Ended = func() { d.end(side, cmd.Grace) }
	result, err := box.Run(ctx, cmd)
	if side == Own {
		d.deafen = sandbox.Listen(cmd.In, lastWords)
	}
	if err != nil {
		d.fail(side, err)
		return Outcome{Err: err}
	}
	if side == Other {
		d.settle(result)
	}
	return Outcome{Result: result, Stderr: tail.Bytes(), Truncated: tail.Truncated()}
}

// settle is told what became of the partner, and stops the job's program if that decides.
func (d *duet) settle(partner sandbox.Result) {
	d.mu.Lock()
	defer d.mu.Unlock()
	decides := d.job.Partner.Decides
	if decides != nil && d.first == Other && d.ended[Own].IsZero() && partner.Stop != sandbox.Cancelled && decides(partner) {
		d.settled = true
		d.stop()
	}
}

// fail is told that the judge failed on one side. There is nobody for the other then.
func (d *duet) fail(side Side, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if side == Other {
		err = &PartnerError{err}
	}
	if d.cause == nil {
		d.cause = err
	}
	d.stop()
}

// begin lets neither begin before the other can.
func (d *duet) begin(ctx context.Context, side Side, r *sandbox.Running) {
	d.mu.Lock()
	d.runs[side] = r
	if d.ready++; d.ready == 2 {
		d.start = time.Now()
		if wall := d.job.Limits.Wall; wall > 0 {
			d.timers = append(d.timers, time.AfterFunc(wall*9/10, d.look))
		}
		close(d.open)
	}
	d.mu.Unlock()
	select {
	case <-d.open:
	case <-ctx.Done(): // and with it the run will
	}
}

// end is told that one has ended.
func (d *duet) end(side Side, grace time.Duration) {
	now := time.Now()
	d.mu.Lock()
	defer d.mu.Unlock()
	d.ended[side] = now
	if d.ended[1-side].IsZero() {
		d.first = side
	}
	if wall := d.job.Partner.Limits.Wall; side == Own && wall > 0 {
		d.timers = append(d.timers, time.AfterFunc(wall+grace, d.tooLate))
	}
}

// tooLate stops the partner.
func (d *duet) tooLate() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.ended[Other].IsZero() {
		d.overdue = true
		d.late()
	}
}

// look sees, when time is over, whether the two have waited for each other since it
// looked before.
func (d *duet) look() {
	d.mu.Lock()
	defer d.mu.Unlock()
	var used [2]time.Duration
	waiting := true
	for side, r := range d.runs {
		cpu, waits, ok := r.Look()
		used[side] = cpu
		waiting = waiting && ok && waits
	}
	if d.seen && waiting {
		idle := d.job.Limits.Wall / 1000 // a hundredth of the time in between
		d.stalled = used[Own]-d.used[Own] <= idle && used[Other]-d.used[Other] <= idle
	}
	d.used, d.seen = used, true
}

// over is called when both runs have ended.
func (d *duet) over() {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, t := range d.timers {
		t.Stop()
	}
}

// tell returns what there is to tell about the two, with the partner's result as its
// limits count it.
func (d *duet) tell(partner Outcome) *Duet {
	r := partner.Result
	r.Wall = max(d.ended[Other].Sub(d.ended[Own]), 0)
	if d.overdue && r.Stop == sandbox.Cancelled {
		r.Stop = sandbox.OverWall
	}
	return &Duet{
		Partner: r, Stderr: partner.Stderr, Truncated: partner.Truncated, First: d.first,
		Ended: [2]time.Duration{d.ended[Own].Sub(d.start), d.ended[Other].Sub(d.start)},
	}
}
