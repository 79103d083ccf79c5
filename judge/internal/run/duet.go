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

// duet is two runs in progress.
type duet struct {
	job   Job
	grace time.Duration
	open  chan struct{} // closed when both are about to begin

	mu      sync.Mutex
	ready   int // how many are about to begin
	runs    [2]*sandbox.Running
	start   time.Time // when both began
	ended   [2]time.Time
	first   Side
	timers  []*time.Timer
	stop    context.CancelFunc // ends the partner, whose time is over
	late    bool               // it was called for that
	used    [2]time.Duration   // CPU time at the first look
	seen    bool               // there was a first look
	stalled bool
}

// runDuet runs a job and its partner.
func (p *Pool) runDuet(ctx context.Context, s *shelf, cpus []int, job Job) Outcome {
	box, key, err := s.box(p.host, job.Program.Spec())
	if err != nil {
		return Outcome{Err: err}
	}
	other := job.Partner
	boxes := [2]sandbox.Box{box, other.Box}
	cmds := [2]sandbox.Command{job.command(box), command(other.Box, other.Program, other.Limits, other.Args, other.Env)}
	cmds[Other].Limits.Wall = 0 // see Partner.Limits
	var tap *sandbox.Tap
	if other.Transcript > 0 {
		tap, err = sandbox.ConnectTapped(&cmds[Own], &cmds[Other], other.Transcript)
	} else {
		err = sandbox.Connect(&cmds[Own], &cmds[Other])
	}
	if err != nil {
		return Outcome{Err: err}
	}

	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	d := &duet{job: job, grace: p.grace, open: make(chan struct{}), start: time.Now()}
	partner, stop := context.WithCancel(ctx)
	d.stop = stop
	defer stop()
	var (
		both    sync.WaitGroup
		results [2]sandbox.Result
		errs    [2]error
		failed  sync.Once
		cause   error
		tails   [2]*sandbox.Tail
	)
	for side := range Side(2) {
		cmd, ctx := cmds[side], ctx
		if side == Other {
			ctx = partner
		}
		tails[side] = &sandbox.Tail{Size: stderrTail}
		cmd.Stderr, cmd.CPUs, cmd.Grace = tails[side], cpus, p.grace
		cmd.Begun = func(ctx context.Context, r *sandbox.Running) { d.begin(ctx, side, r) }
		cmd.Ended = func() { d.end(side) }
		both.Go(func() {
			results[side], errs[side] = boxes[side].Run(ctx, cmd)
			if err := errs[side]; err != nil {
				failed.Do(func() {
					if cause = err; side == Other {
						cause = &PartnerError{err}
					}
				})
				cancel() // nobody is there for the other
			}
		})
	}
	both.Wait()
	d.over()
	var said []sandbox.Piece
	if tap != nil {
		said = tap.End(d.start)
	}
	if errs[Own] != nil {
		s.failed(key, errs[Own])
	}
	if cause != nil {
		return Outcome{Err: cause}
	}
	return Outcome{
		Result: results[Own], Stderr: tails[Own].Bytes(), Truncated: tails[Own].Truncated(),
		Duet: &Duet{
			Partner: d.partner(results[Other]), Stderr: tails[Other].Bytes(), Truncated: tails[Other].Truncated(),
			First: d.first, Ended: [2]time.Duration{d.ended[Own].Sub(d.start), d.ended[Other].Sub(d.start)},
			Stalled: d.stalled && results[Own].Stop == sandbox.OverWall,
			Said:    said,
		},
	}
}

// begin lets neither begin before the other can.
func (d *duet) begin(ctx context.Context, side Side, r *sandbox.Running) {
	d.mu.Lock()
	d.runs[side] = r
	if d.ready++; d.ready == 2 {
		d.start = time.Now()
		if wall := d.job.Limits.Wall; wall > 0 {
			d.timers = append(d.timers, time.AfterFunc(wall*89/100, d.look), time.AfterFunc(wall*99/100, d.look))
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
func (d *duet) end(side Side) {
	now := time.Now()
	d.mu.Lock()
	defer d.mu.Unlock()
	d.ended[side] = now
	if d.ended[1-side].IsZero() {
		d.first = side
	}
	if wall := d.job.Partner.Limits.Wall; side == Own && wall > 0 {
		d.timers = append(d.timers, time.AfterFunc(wall+d.grace, d.tooLate))
	}
}

// tooLate stops the partner.
func (d *duet) tooLate() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.ended[Other].IsZero() {
		d.late = true
		d.stop()
	}
}

// look sees, at its second call, whether the two have waited for each other since the
// first.
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

// partner returns the partner's result as its limits count it.
func (d *duet) partner(r sandbox.Result) sandbox.Result {
	d.mu.Lock()
	defer d.mu.Unlock()
	r.Wall = max(d.ended[Other].Sub(d.ended[Own]), 0)
	if d.late && r.Stop == sandbox.Cancelled {
		r.Stop = sandbox.OverWall
	}
	return r
}
