package runner

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/sandbox"
)

// Partner is a second program that a request runs beside its own, as the interactor of
// an interactive problem. The standard output of each is the standard input of the
// other. Both are pinned to the request's CPUs: programs that take turns never compute at
// a time, and change fastest on one CPU. Of its standard error both ends are kept.
//
// Its limit of wall time counts only from the end of the request's program: until then that
// one's limit is there for both, and stands still while the partner waits for a CPU. Its
// output does not count; that of the request's program does, but is looked at only now and
// then: what they tell each other goes from one to the other, and not through the judge.
type Partner struct {
	Program
	// Decides has an end of the partner that comes first settle the matter, unless it ends
	// with one of the statuses Accepts. The request's program is stopped then.
	Decides bool
	Accepts []int
	// Transcript, when not 0, has the judge carry what they tell each other, which takes
	// longer, and keep so much of what each says: half of it from the beginning, half
	// from the end.
	Transcript limits.Bytes
}

// Side is one of the two programs of a request with a partner.
type Side = sandbox.Side

// The sides.
const (
	Own   = sandbox.Left  // the request's own program
	Other = sandbox.Right // its partner
)

// Duet is what a reply tells about a request with a partner. The reply itself is
// that of the request's own program.
//
// What becomes of them does not depend on which of two ends that have nothing to do with each
// other comes some microseconds earlier:
//
//   - When one has ended, the other finds its input at an end and may go on until its own
//     limits. It can know only after the judge has seen that end, so that an end that
//     another has brought about always comes second.
//   - Writing to one that has ended succeeds: what is written is read and thrown away. So
//     the request's program is never killed by SIGPIPE for a line that the partner no longer
//     wanted. Beyond its limit of output it is stopped; the partner gets SIGPIPE after
//     lastWords.
//   - When the request's program fails, the partner can know only after it has answered all
//     that it was told before. If it ends of its own accord meanwhile, it has come First: a
//     wrong answer and a crash right after it are a wrong answer, however long the partner
//     takes to read it.
//   - That the request's program has closed its output shows to the partner at its end as
//     well, as with Kattis: a program that says no more has not ended, and how it ends
//     counts.
type Duet struct {
	Partner   sandbox.Result // with the Wall that its limit counts, from the end of the request's program
	Copies    Copies         // of what its folder had at the end, which must be closed if something was wanted
	Stderr    []byte         // what it wrote there, as sandbox.Ends keeps it
	Truncated bool           // there was more
	First     Side           // that ended first, or second and without knowing of the other's end
	// Ended is when the judge saw the end of each side, since both began.
	Ended [2]time.Duration
	// Stalled is set when the request's program was stopped at its wall limit and both were
	// waiting for each other: neither used the CPU in the last tenth of that time, and
	// each was about to read what the other never wrote, or to write what the other
	// never read. A program that sleeps or computes has not stalled.
	Stalled bool
	// Settled is set when the request's program was stopped since its partner's end decided.
	Settled bool
	Said    []sandbox.Piece // the transcript, in the order of time
}

// duet is two runs in progress.
type duet struct {
	request  Request
	patience int                // looks at a partner that is asleep
	open     chan struct{}      // closed when both are about to begin
	tap      *sandbox.Relay     // nil: they talk without the judge
	stop     context.CancelFunc // ends both
	deafen   [2]func()          // ends the reading of what is said to a side that has ended

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
	unaware bool  // the partner ended before it could know that the request's program had failed
	cause   error // the first that has failed
}

// lastWords is how much a partner may say to a program that has ended.
const lastWords = limits.MiB

// runDuet runs a request and its partner. It gives the request's box back.
func (l *Local) runDuet(ctx context.Context, box held, r Request) (reply Reply, err error) {
	otherBox, err := l.boxes.take(r.Partner.Box, r.CPUs, false)
	if err != nil {
		l.boxes.give(box, nil)
		return Reply{}, &PartnerError{err}
	}
	var failed [2]error
	defer func() {
		l.boxes.give(box, failed[Own])
		l.boxes.give(otherBox, failed[Other])
	}()
	other := r.Partner
	own, partner := r.command(box), other.command(otherBox)
	partner.Limits.Wall = 0 // see Partner
	var tap *sandbox.Relay
	if other.Transcript > 0 {
		tap, err = sandbox.ConnectRelayed(&own, &partner, other.Transcript)
	} else {
		err = sandbox.Connect(&own, &partner)
	}
	if err != nil {
		return Reply{}, err
	}

	d := &duet{request: r, patience: int(l.Patience / answerLook), tap: tap, open: make(chan struct{}), start: time.Now()}
	ctx, d.stop = context.WithCancel(ctx)
	defer d.stop()
	own.OnOverWall, own.KeepIn, own.HideOut = d.look, true, true
	partner.KeepIn = true
	var both sync.WaitGroup
	var results [2]Reply
	play := func(side Side, box sandbox.Box, cmd sandbox.Command, stderr stderr) {
		cmd.CPUs, cmd.Grace, cmd.Stderr = r.CPUs, r.Grace, stderr
		both.Go(func() {
			results[side].Result, failed[side] = d.play(ctx, side, box, cmd)
			results[side].Stderr, results[side].Truncated = stderr.Bytes(), stderr.Truncated()
		})
	}
	play(Own, box, own, r.stderr())
	play(Other, otherBox, partner, &sandbox.Ends{}) // where it may say what it answers
	both.Wait()
	d.deafen[Own]()
	d.deafen[Other]()
	d.over()
	var said []sandbox.Piece
	if tap != nil {
		said = tap.End(d.start)
	}
	if d.cause != nil {
		return Reply{}, d.cause
	}
	reply = results[Own]
	if reply.Copies, err = r.copyOut(box, reply.Result); err != nil {
		return Reply{}, err
	}
	reply.Duet = d.tell(results[Other])
	if reply.Duet.Copies, err = other.copyOut(otherBox, results[Other].Result); err != nil {
		return Reply{}, errors.Join(&PartnerError{err}, reply.Copies.Close())
	}
	reply.Duet.Said = said
	reply.Duet.Stalled = d.stalled && reply.Stop == sandbox.OverWall
	reply.Duet.Settled = d.settled && reply.Stop == sandbox.Cancelled
	return reply, nil
}

// play runs one side.
func (d *duet) play(ctx context.Context, side Side, box sandbox.Box, cmd sandbox.Command) (sandbox.Result, error) {
	cmd.OnStart = func(ctx context.Context, r *sandbox.Running) { d.begin(ctx, side, r) }
	cmd.OnEnd = func(failed bool) { d.end(side, failed) }
	result, err := box.Run(ctx, cmd)
	if side == Own {
		d.deafen[side] = sandbox.DiscardRest(cmd.In, lastWords, nil)
	} else {
		d.deafen[side] = sandbox.DiscardRest(cmd.In, d.request.Limits.Output, d.tooMuch)
	}
	if err != nil {
		d.fail(side, err)
		return sandbox.Result{}, err
	}
	if side == Other {
		d.settle(result)
	}
	return result, nil
}

// settle is told what became of the partner, and stops the request's program if that decides.
func (d *duet) settle(partner sandbox.Result) {
	d.mu.Lock()
	defer d.mu.Unlock()
	of := d.request.Partner
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
		d.runs[Own].SetPartner(d.runs[Other], d.request.Partner.size())
		if wall := d.request.Limits.Wall; wall > 0 {
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
	if wall := d.request.Partner.Limits.Wall; wall > 0 {
		partner.LimitWall(wall)
	}
	if failed {
		d.awaitAnswer(partner)
	}
}

// answerLook is the time between two looks at whether a partner has answered.
const answerLook = 10 * time.Millisecond

// awaitAnswer returns when the partner has answered all that the request's program, which has
// failed, had sent it. If the answer was to end, it has come first. One that computes gets as
// long as its limits allow, so that what comes of it does not depend on how busy the host is;
// one that sleeps, or that the kernel does not show, has about as long as [Local.Patience] says.
func (d *duet) awaitAnswer(partner *sandbox.Running) {
	for pause, asleep := 100*time.Microsecond, 0; asleep < d.patience; pause = min(2*pause, answerLook) {
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

// tooMuch stops the request's program, which goes on talking to a partner that has ended.
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
		cpu, waits, ok := r.Activity()
		used[side] = cpu
		waiting = waiting && ok && waits
	}
	if d.seen && waiting {
		idle := d.request.Limits.Wall / 1000 // a hundredth of the time in between
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
func (d *duet) tell(partner Reply) *Duet {
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
