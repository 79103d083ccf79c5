package run

import (
	"context"
	"errors"
	"fmt"
	"slices"
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
	Folder  Folder   // likewise
	// Limits are the partner's own. Wall counts only from the end of the job's
	// program: until then that one's limit is there for both, and stands still while the
	// partner waits for a CPU. Its output does not count; that of the job's program does,
	// but is looked at only now and then: what they tell each other goes from one to the
	// other, and not through the judge.
	Limits limits.Limits
	// Decides has an end of the partner that comes first settle the matter, unless it ends
	// with one of the statuses Accepts. The job's program is stopped then.
	Decides bool
	Accepts []int
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
// What becomes of them does not depend on which of two ends that have nothing to do with each
// other comes some microseconds earlier:
//
//   - When one has ended, the other finds its input at an end and may go on until its own
//     limits. It can know only after the judge has seen that end, so that an end that
//     another has brought about always comes second.
//   - Writing to one that has ended succeeds: what is written is read and thrown away. So
//     the job's program is never killed by SIGPIPE for a line that the partner no longer
//     wanted. Beyond its limit of output it is stopped; the partner gets SIGPIPE after
//     lastWords.
//   - When the job's program fails, the partner can know only after it has answered all
//     that it was told before. If it ends of its own accord meanwhile, it has come First: a
//     wrong answer and a crash right after it are a wrong answer, however long the partner
//     takes to read it.
//   - That the job's program has closed its output shows to the partner at its end as
//     well, as with Kattis: a program that says no more has not ended, and how it ends
//     counts.
type Duet struct {
	Partner   sandbox.Result // with the Wall that its limit counts, from the end of the job's program
	Copies    Copies         // of what its folder had at the end, which must be closed if something was wanted
	Stderr    []byte         // what it wrote there, as sandbox.Ends keeps it
	Truncated bool           // there was more
	First     Side           // that ended first, or second and without knowing of the other's end
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
	tap    *sandbox.Tap       // nil: they talk without the judge
	stop   context.CancelFunc // ends both
	deafen [2]func()          // ends the reading of what is said to a side that has ended

	mu      sync.Mutex
	ready   int // how many are about to begin
	runs    [2]*sandbox.Running
	start   time.Time // when both began
	ended   [2]time.Time
	first   Side
	timer   *time.Timer
	used    [2]time.Duration // CPU time at the first look
	seen    bool             // there was a first look
	stalled bool
	settled bool  // the partner's end decided
	unaware bool  // the partner ended before it could know that the job's program had failed
	cause   error // the first that has failed
}

// lastWords is how much a partner may say to a program that has ended.
const lastWords = limits.MiB

// runDuet runs a job and its partner.
func (p *Pool) runDuet(ctx context.Context, s *slots, job Job) Outcome {
	spec, otherSpec := job.Folder.spec(job.Program), job.Partner.Folder.spec(job.Partner.Program)
	keys := [2]string{boxKey(spec, false), boxKey(otherSpec, true)}
	box, err := s.boxes().box(p.host, keys[Own], spec)
	if err != nil {
		return Outcome{Err: err}
	}
	otherBox, err := s.boxes().box(p.host, keys[Other], otherSpec)
	if err != nil {
		return Outcome{Err: &PartnerError{err}}
	}
	other := job.Partner
	own := job.command(box)
	partner := command(otherBox, other.Program, other.Limits, other.Folder.args(otherBox, other.Args), other.Env)
	partner.Limits.Wall = 0 // see Partner.Limits
	partner.Placed = other.Folder.placed()
	var tap *sandbox.Tap
	if other.Transcript > 0 {
		tap, err = sandbox.ConnectTapped(&own, &partner, other.Transcript)
	} else {
		err = sandbox.Connect(&own, &partner)
	}
	if err != nil {
		return Outcome{Err: err}
	}

	d := &duet{job: job, tap: tap, open: make(chan struct{}), start: time.Now()}
	ctx, d.stop = context.WithCancel(ctx)
	defer d.stop()
	own.Late, own.KeepIn, own.HideOut = d.look, true, true
	partner.KeepIn = true
	var both sync.WaitGroup
	var results [2]Outcome
	play := func(side Side, box sandbox.Box, cmd sandbox.Command) {
		cmd.CPUs, cmd.Grace = s.cpus(), p.grace
		both.Go(func() { results[side] = d.play(ctx, side, box, cmd) })
	}
	play(Own, box, own)
	play(Other, otherBox, partner)
	both.Wait()
	d.deafen[Own]()
	d.deafen[Other]()
	d.over()
	var said []sandbox.Piece
	if tap != nil {
		said = tap.End(d.start)
	}
	for side, o := range results {
		if o.Err != nil {
			s.boxes().failed(keys[side], o.Err)
		}
	}
	if d.cause != nil {
		return Outcome{Err: d.cause}
	}
	o := results[Own]
	if o.Copies, err = job.Folder.copyOut(box, o.Result); err != nil {
		return Outcome{Err: err}
	}
	o.Duet = d.tell(results[Other])
	if o.Duet.Copies, err = other.Folder.copyOut(otherBox, results[Other].Result); err != nil {
		return Outcome{Err: errors.Join(&PartnerError{err}, o.Copies.Close())}
	}
	o.Duet.Said = said
	o.Duet.Stalled = d.stalled && o.Stop == sandbox.OverWall
	o.Duet.Settled = d.settled && o.Stop == sandbox.Cancelled
	return o
}

// play runs one side.
func (d *duet) play(ctx context.Context, side Side, box sandbox.Box, cmd sandbox.Command) Outcome {
	stderr := newStderr(d.job.Words || side == Other) // where it may say what it answers
	cmd.Stderr = stderr
	cmd.Begun = func(ctx context.Context, r *sandbox.Running) { d.begin(ctx, side, r) }
	cmd.Ended = func(failed bool) { d.end(side, failed) }
	result, err := box.Run(ctx, cmd)
	if side == Own {
		d.deafen[side] = sandbox.Listen(cmd.In, lastWords, nil)
	} else {
		d.deafen[side] = sandbox.Listen(cmd.In, d.job.Limits.Output, d.tooMuch)
	}
	if err != nil {
		d.fail(side, err)
		return Outcome{Err: err}
	}
	if side == Other {
		d.settle(result)
	}
	return Outcome{Result: result, Stderr: stderr.Bytes(), Truncated: stderr.Truncated()}
}

// settle is told what became of the partner, and stops the job's program if that decides.
func (d *duet) settle(partner sandbox.Result) {
	d.mu.Lock()
	defer d.mu.Unlock()
	of := d.job.Partner
	accepts := partner.Stop == sandbox.Exited && slices.Contains(of.Accepts, partner.ExitCode)
	if of.Decides && !accepts && d.first == Other && d.ended[Own].IsZero() && partner.Stop != sandbox.Cancelled {
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
		d.runs[Own].Alongside(d.runs[Other], d.job.Partner.Folder.size())
		if wall := d.job.Limits.Wall; wall > 0 {
			d.timer = time.AfterFunc(wall*9/10, d.look)
		}
		close(d.open)
	}
	d.mu.Unlock()
	select {
	case <-d.open:
	case <-ctx.Done(): // and with it the run will
	}
}

// end notes that one has ended. The other cannot know before it returns.
func (d *duet) end(side Side, failed bool) {
	now := time.Now()
	d.mu.Lock()
	d.ended[side] = now
	both := !d.ended[1-side].IsZero()
	if !both {
		d.first = side
	}
	partner := d.runs[Other]
	d.mu.Unlock()
	if side == Other || both {
		return
	}
	if wall := d.job.Partner.Limits.Wall; wall > 0 {
		partner.LimitRest(wall)
	}
	if failed {
		d.awaitAnswer(partner)
	}
}

// answerLook is the time between two looks at whether a partner has answered, and
// answerAsleep how many of them may find that it has not and is asleep: two seconds' worth.
const answerLook = 10 * time.Millisecond

var answerAsleep = 200 // a variable for tests

// awaitAnswer returns when the partner has answered all that the job's program, which has
// failed, had sent it. If the answer was to end, it has come first. One that computes gets as
// long as its limits allow, so that what comes of it does not depend on how busy the host is;
// one that sleeps, or that the kernel does not show, has about two seconds.
func (d *duet) awaitAnswer(partner *sandbox.Running) {
	for pause, asleep := 100*time.Microsecond, 0; asleep < answerAsleep; pause = min(2*pause, answerLook) {
		carried := d.tap == nil || d.tap.Empty(Own)
		settled, awake := partner.Settled()
		d.mu.Lock()
		d.unaware = !d.ended[Other].IsZero()
		over := d.unaware || d.cause != nil
		d.mu.Unlock()
		if over || carried && settled {
			return
		}
		if !awake {
			asleep++
		}
		time.Sleep(pause)
	}
}

// tooMuch stops the job's program, which goes on talking to a partner that has ended.
func (d *duet) tooMuch() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.runs[Own].OverOutput()
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
	if d.timer != nil {
		d.timer.Stop()
	}
}

// tell returns what there is to tell about the two, with the partner's result as its
// limits count it.
func (d *duet) tell(partner Outcome) *Duet {
	r := partner.Result
	r.Wall = max(d.ended[Other].Sub(d.ended[Own]), 0)
	if d.unaware && (r.Stop == sandbox.Exited || r.Stop == sandbox.Signalled) {
		d.first = Other
	}
	return &Duet{
		Partner: r, Stderr: partner.Stderr, Truncated: partner.Truncated, First: d.first,
		Ended: [2]time.Duration{d.ended[Own].Sub(d.start), d.ended[Other].Sub(d.start)},
	}
}
