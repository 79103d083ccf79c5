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

// Interactor is a second program that a request runs beside its own, as the interactor of
// an interactive problem. The standard output of each is the standard input of the
// other. Both are pinned to the request's CPUs: programs that take turns never compute at
// a time, and change fastest on one CPU. Of its standard error both ends are kept.
//
// Its limit of wall time counts only from the end of the request's program: until then that
// one's limit is there for both, and stands still while the interactor waits for a CPU. Its
// output does not count; that of the request's program does, but is looked at only now and
// then: what they tell each other goes from one to the other, and not through the judge.
type Interactor struct {
	Program
	// Decides has an end of the interactor that comes first settle the matter, unless it ends
	// with one of the statuses Accepts. The request's program is stopped then.
	Decides bool
	Accepts []int
	// Transcript, when not 0, has the judge carry what they tell each other, which takes
	// longer, and keep so much of what each says: half of it from the beginning, half
	// from the end.
	Transcript limits.Bytes
}

// Side is one of the two programs of a request with an interactor.
type Side = sandbox.Side

// The sides.
const (
	SubmissionSide = sandbox.Left  // the request's own program
	InteractorSide = sandbox.Right // its interactor
)

// Interaction is what a reply tells about a request with an interactor. The reply itself is
// that of the request's own program.
//
// What becomes of them does not depend on which of two ends that have nothing to do with each
// other comes some microseconds earlier:
//
//   - When one has ended, the other finds its input at an end and may go on until its own
//     limits. It can know only after the judge has seen that end, so that an end that
//     another has brought about always comes second.
//   - Writing to one that has ended succeeds: what is written is read and thrown away. So
//     the request's program is never killed by SIGPIPE for a line that the interactor no longer
//     wanted. Beyond its limit of output it is stopped; the interactor gets SIGPIPE after
//     lastWords.
//   - When the request's program fails, the interactor can know only after it has answered all
//     that it was told before. If it ends of its own accord meanwhile, it has come First: a
//     wrong answer and a crash right after it are a wrong answer, however long the interactor
//     takes to read it.
//   - That the request's program has closed its output shows to the interactor at its end as
//     well, as with Kattis: a program that says no more has not ended, and how it ends
//     counts.
type Interaction struct {
	Interactor sandbox.Result // with the Wall that its limit counts, from the end of the request's program
	Copies     Copies         // of what its folder had at the end, which must be closed if something was wanted
	Stderr     []byte         // what it wrote there, as sandbox.Ends keeps it
	Truncated  bool           // there was more
	First      Side           // that ended first, or second and without knowing of the other's end
	// Ended is when the judge saw the end of each side, since both began.
	Ended [2]time.Duration
	// Stalled is set when the request's program was stopped at its wall limit and both were
	// waiting for each other: neither used the CPU in the last tenth of that time, and
	// each was about to read what the other never wrote, or to write what the other
	// never read. A program that sleeps or computes has not stalled.
	Stalled bool
	// Decided is set when the request's program was stopped since its interactor's end decided.
	Decided    bool
	Transcript []sandbox.Piece // the transcript, in the order of time
}

// interaction is two runs in progress.
type interaction struct {
	request  Request
	patience int                // looks at an interactor that is asleep
	open     chan struct{}      // closed when both are about to begin
	relay    *sandbox.Relay     // nil: they talk without the judge
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
	settled bool  // the interactor's end decided
	unaware bool  // the interactor ended before it could know that the request's program had failed
	cause   error // the first that has failed
}

// lastWords is how much an interactor may say to a program that has ended.
const lastWords = limits.MiB

// runInteraction runs a request and its interactor. It gives the request's box back.
func (l *Local) runInteraction(ctx context.Context, box held, r Request) (reply Reply, err error) {
	otherBox, err := l.boxes.take(r.Interactor.Box, r.CPUs, false)
	if err != nil {
		l.boxes.give(box, nil)
		return Reply{}, &InteractorError{err}
	}
	var failed [2]error
	defer func() {
		l.boxes.give(box, failed[SubmissionSide])
		l.boxes.give(otherBox, failed[InteractorSide])
	}()
	other := r.Interactor
	own, interactor := r.command(box), other.command(otherBox)
	interactor.Limits.Wall = 0 // see Interactor
	var relay *sandbox.Relay
	if other.Transcript > 0 {
		relay, err = sandbox.ConnectRelayed(&own, &interactor, other.Transcript)
	} else {
		err = sandbox.Connect(&own, &interactor)
	}
	if err != nil {
		return Reply{}, err
	}

	d := &interaction{request: r, patience: int(l.Patience / answerLook), relay: relay, open: make(chan struct{}), start: time.Now()}
	ctx, d.stop = context.WithCancel(ctx)
	defer d.stop()
	own.OnOverWall, own.KeepIn, own.HideOut = d.look, true, true
	interactor.KeepIn = true
	var both sync.WaitGroup
	var results [2]Reply
	play := func(side Side, box sandbox.Box, cmd sandbox.Command, stderr stderr) {
		cmd.CPUs, cmd.Grace, cmd.Stderr = r.CPUs, r.Grace, stderr
		both.Go(func() {
			results[side].Result, failed[side] = d.play(ctx, side, box, cmd)
			results[side].Stderr, results[side].Truncated = stderr.Bytes(), stderr.Truncated()
		})
	}
	play(SubmissionSide, box, own, r.stderr())
	play(InteractorSide, otherBox, interactor, &sandbox.Ends{}) // where it may say what it answers
	both.Wait()
	d.deafen[SubmissionSide]()
	d.deafen[InteractorSide]()
	d.over()
	var said []sandbox.Piece
	if relay != nil {
		said = relay.End(d.start)
	}
	if d.cause != nil {
		return Reply{}, d.cause
	}
	reply = results[SubmissionSide]
	if reply.Copies, err = r.copyOut(box, reply.Result); err != nil {
		return Reply{}, err
	}
	reply.Interaction = d.tell(results[InteractorSide])
	if reply.Interaction.Copies, err = other.copyOut(otherBox, results[InteractorSide].Result); err != nil {
		return Reply{}, errors.Join(&InteractorError{err}, reply.Copies.Close())
	}
	reply.Interaction.Transcript = said
	reply.Interaction.Stalled = d.stalled && reply.Stop == sandbox.OverWall
	reply.Interaction.Decided = d.settled && reply.Stop == sandbox.Cancelled
	return reply, nil
}

// play runs one side.
func (d *interaction) play(ctx context.Context, side Side, box sandbox.Box, cmd sandbox.Command) (sandbox.Result, error) {
	cmd.OnStart = func(ctx context.Context, r *sandbox.Running) { d.begin(ctx, side, r) }
	cmd.OnEnd = func(failed bool) { d.end(side, failed) }
	result, err := box.Run(ctx, cmd)
	if side == SubmissionSide {
		d.deafen[side] = sandbox.DiscardRest(cmd.In, lastWords, nil)
	} else {
		d.deafen[side] = sandbox.DiscardRest(cmd.In, d.request.Limits.Output, d.tooMuch)
	}
	if err != nil {
		d.fail(side, err)
		return sandbox.Result{}, err
	}
	if side == InteractorSide {
		d.settle(result)
	}
	return result, nil
}

// settle is told what became of the interactor, and stops the request's program if that decides.
func (d *interaction) settle(interactor sandbox.Result) {
	d.mu.Lock()
	defer d.mu.Unlock()
	of := d.request.Interactor
	accepts := interactor.Stop == sandbox.Exited && slices.Contains(of.Accepts, interactor.ExitCode)
	if of.Decides && !accepts && d.first == InteractorSide && d.ended[SubmissionSide].IsZero() && interactor.Stop != sandbox.Cancelled {
		d.settled = true
		d.stop()
	}
}

// fail is told that the judge failed on one side. There is nobody for the other then.
func (d *interaction) fail(side Side, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if side == InteractorSide {
		err = &InteractorError{err}
	}
	if d.cause == nil {
		d.cause = err
	}
	d.stop()
}

// begin lets neither begin before the other can.
func (d *interaction) begin(ctx context.Context, side Side, r *sandbox.Running) {
	d.mu.Lock()
	d.runs[side] = r
	if d.ready++; d.ready == 2 {
		d.start = time.Now()
		d.runs[SubmissionSide].SetPartner(d.runs[InteractorSide], d.request.Interactor.size())
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
func (d *interaction) end(side Side, failed bool) {
	now := time.Now()
	d.mu.Lock()
	d.ended[side] = now
	both := !d.ended[1-side].IsZero()
	if !both {
		d.first = side
	}
	interactor := d.runs[InteractorSide]
	d.mu.Unlock()
	if side == InteractorSide || both {
		return
	}
	if wall := d.request.Interactor.Limits.Wall; wall > 0 {
		interactor.LimitWall(wall)
	}
	if failed {
		d.awaitAnswer(interactor)
	}
}

// answerLook is the time between two looks at whether an interactor has answered.
const answerLook = 10 * time.Millisecond

// awaitAnswer returns when the interactor has answered all that the request's program, which has
// failed, had sent it. If the answer was to end, it has come first. One that computes gets as
// long as its limits allow, so that what comes of it does not depend on how busy the host is;
// one that sleeps, or that the kernel does not show, has about as long as [Local.Patience] says.
func (d *interaction) awaitAnswer(interactor *sandbox.Running) {
	for pause, asleep := 100*time.Microsecond, 0; asleep < d.patience; pause = min(2*pause, answerLook) {
		carried := d.relay == nil || d.relay.Empty(SubmissionSide)
		settled, awake := interactor.Settled()
		d.mu.Lock()
		d.unaware = !d.ended[InteractorSide].IsZero()
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

// tooMuch stops the request's program, which goes on talking to an interactor that has ended.
func (d *interaction) tooMuch() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.runs[SubmissionSide].OverOutput()
}

// look sees, when time is over, whether the two have waited for each other since it
// looked before.
func (d *interaction) look() {
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
		d.stalled = used[SubmissionSide]-d.used[SubmissionSide] <= idle && used[InteractorSide]-d.used[InteractorSide] <= idle
	}
	d.used, d.seen = used, true
}

// over is called when both runs have ended.
func (d *interaction) over() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.timer != nil {
		d.timer.Stop()
	}
}

// tell returns what there is to tell about the two, with the interactor's result as its
// limits count it.
func (d *interaction) tell(interactor Reply) *Interaction {
	r := interactor.Result
	r.Wall = max(d.ended[InteractorSide].Sub(d.ended[SubmissionSide]), 0)
	if d.unaware && (r.Stop == sandbox.Exited || r.Stop == sandbox.Signalled) {
		d.first = InteractorSide
	}
	return &Interaction{
		Interactor: r, Stderr: interactor.Stderr, Truncated: interactor.Truncated, First: d.first,
		Ended: [2]time.Duration{d.ended[SubmissionSide].Sub(d.start), d.ended[InteractorSide].Sub(d.start)},
	}
}
