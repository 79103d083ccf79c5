package runner

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"
	"sync"
	"time"

	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/sandbox"
)

// Interactor is the second program of a request: it runs beside the submission, as in an
// interactive problem. The standard output of each is the standard input of the other. Both are
// pinned to the request's CPUs: programs that take turns never compute at the same time, and
// switch fastest on one CPU. Both ends of the interactor's standard error are kept.
//
// Its wall limit counts only from the end of the submission. Until then the submission's wall limit
// holds for both; time in which the interactor waits for a CPU does not count. The interactor has
// no output limit. The submission has one, but it is checked only now and then, because its output
// goes straight to the interactor and not through the judge.
type Interactor struct {
	Program
	// Decides lets the interactor's exit settle the result if it comes first: the submission is
	// stopped, unless the exit status is one of Accepts.
	Decides bool
	Accepts []int
	// Transcript, if not 0, passes the conversation through the judge, which is slower, and keeps
	// this much of what each side writes: half of it from the beginning, half from the end.
	Transcript limits.Bytes
}

// Side is one of the two programs of an interaction.
type Side = sandbox.Side

const (
	SubmissionSide = sandbox.Left  // the request's own program
	InteractorSide = sandbox.Right // its interactor
)

// Interaction is the interactor's part of a reply. The reply itself is the submission's.
//
// The result does not depend on which of two unrelated exits comes some microseconds earlier:
//
//   - When one side has exited, the other reads the end of its input and may go on until its own
//     limits. It can notice only after the judge has seen the exit, so that an exit caused by
//     the other side always comes second.
//   - Writing to a side that has exited succeeds, and the data is read and dropped. So SIGPIPE
//     never kills a submission for a line that the interactor no longer wanted. The submission
//     is stopped when it exceeds its output limit; the interactor gets SIGPIPE after 1 MiB.
//   - When the submission fails, the interactor can notice only after it has answered
//     everything sent before. If it exits by itself meanwhile, it is First: a wrong answer
//     followed at once by a crash is a wrong answer, however long the interactor takes to read
//     it.
//   - The interactor does not see that the submission has closed its output before the
//     submission exits, as with Kattis: a program that writes no more is still running, and how
//     it exits counts.
type Interaction struct {
	Interactor sandbox.Result // its Wall counts from the end of the submission
	Copies     Copies         // the files in the interactor's Out; the caller must close them
	Stderr     []byte         // the interactor's standard error, as sandbox.Ends keeps it
	Truncated  bool           // Stderr is not all of it
	// First is the side that exited first, or exited second without noticing the other's exit.
	First Side
	// Ended is when the judge saw the exit of each side, measured from their common start.
	Ended [2]time.Duration
	// Stalled is set if the submission was stopped at its wall limit while both sides waited for
	// each other: in the last tenth of that time neither used the CPU, and each was about to read
	// what the other never wrote, or to write what the other never read. A program that sleeps
	// or computes has not stalled.
	Stalled bool
	// Decided is set if the submission was stopped because the interactor's exit decided.
	Decided    bool
	Transcript []sandbox.Piece // ordered by time; nil unless the interactor's Transcript is set
}

// interaction is two runs in progress.
type interaction struct {
	request  Request
	patience int                // awaitAnswer returns after this many looks at a sleeping interactor
	open     chan struct{}      // closed when both sides are about to start
	relay    *sandbox.Relay     // nil if the conversation does not pass through the judge
	stop     context.CancelFunc // stops both sides
	// stopDiscard stops, for each side, reading and dropping what the other side still writes to it
	// after its exit.
	stopDiscard [2]func()

	mu      sync.Mutex
	ready   int // sides that are about to start
	runs    [2]*sandbox.Running
	start   time.Time // when both started
	ended   [2]time.Time
	first   Side
	timer   *time.Timer
	used    [2]time.Duration // CPU time at the previous look
	looked  bool             // used is set
	stalled bool
	decided bool  // the interactor's exit decided
	unaware bool  // the interactor exited before it could know that the submission had failed
	cause   error // the first failure of the judge
}

// maxUnread is how much an interactor may write to a submission that has exited.
const maxUnread = limits.MiB

// runInteraction runs a request with an interactor. It releases the request's box.
func (l *Local) runInteraction(ctx context.Context, box pooledBox, r Request) (reply Reply, err error) {
	interactorBox, err := l.boxes.acquire(r.Interactor.Box, r.CPUs, false)
	if err != nil {
		l.boxes.release(box, nil)
		return Reply{}, &InteractorError{err}
	}
	var failed [2]error
	defer func() {
		l.boxes.release(box, failed[SubmissionSide])
		l.boxes.release(interactorBox, failed[InteractorSide])
	}()
	submission, interactor := r.command(box), r.Interactor.command(interactorBox)
	interactor.Limits.Wall = 0 // it counts only from the end of the submission, see Interactor
	var relay *sandbox.Relay
	if r.Interactor.Transcript > 0 {
		relay, err = sandbox.ConnectRelayed(&submission, &interactor, r.Interactor.Transcript)
	} else {
		err = sandbox.Connect(&submission, &interactor)
	}
	if err != nil {
		return Reply{}, err
	}

	x := &interaction{request: r, patience: int(l.Patience / answerLook), relay: relay, open: make(chan struct{}), start: time.Now()}
	ctx, x.stop = context.WithCancel(ctx)
	defer x.stop()
	submission.OnOverWall, submission.KeepIn, submission.HideOut = x.look, true, true
	interactor.KeepIn = true
	var both sync.WaitGroup
	var results [2]Reply
	start := func(side Side, box sandbox.Box, cmd sandbox.Command, stderr stderr) {
		cmd.CPUs, cmd.Grace, cmd.Stderr = r.CPUs, r.Grace, stderr
		both.Go(func() {
			results[side].Result, failed[side] = x.run(ctx, side, box, cmd)
			results[side].Stderr, results[side].Truncated = stderr.Bytes(), stderr.Truncated()
		})
	}
	start(SubmissionSide, box, submission, r.stderr())
	start(InteractorSide, interactorBox, interactor, &sandbox.Ends{}) // validators answer on standard error
	both.Wait()
	x.stopDiscard[SubmissionSide]()
	x.stopDiscard[InteractorSide]()
	x.stopTimer()
	var transcript []sandbox.Piece
	if relay != nil {
		transcript = relay.End(x.start)
	}
	if x.cause != nil {
		return Reply{}, x.cause
	}
	reply = results[SubmissionSide]
	if reply.Copies, err = r.copyOut(box, reply.Result); err != nil {
		return Reply{}, err
	}
	reply.Interaction = x.result(results[InteractorSide])
	if reply.Interaction.Copies, err = r.Interactor.copyOut(interactorBox, results[InteractorSide].Result); err != nil {
		return Reply{}, errors.Join(&InteractorError{err}, reply.Copies.Close())
	}
	reply.Interaction.Transcript = transcript
	reply.Interaction.Stalled = x.stalled && reply.Stop == sandbox.OverWall
	reply.Interaction.Decided = x.decided && reply.Stop == sandbox.Cancelled
	return reply, nil
}

func (x *interaction) run(ctx context.Context, side Side, box sandbox.Box, cmd sandbox.Command) (sandbox.Result, error) {
	cmd.OnStart = func(ctx context.Context, r *sandbox.Running) { x.begin(ctx, side, r) }
	cmd.OnEnd = func(failed bool) { x.end(side, failed) }
	result, err := box.Run(ctx, cmd)
	if side == SubmissionSide {
		x.stopDiscard[side] = sandbox.DiscardRest(cmd.In, maxUnread, nil)
	} else {
		x.stopDiscard[side] = sandbox.DiscardRest(cmd.In, x.request.Limits.Output, x.overOutput)
	}
	if err != nil {
		x.fail(side, err)
		return sandbox.Result{}, err
	}
	if side == InteractorSide {
		x.decide(result)
	}
	return result, nil
}

// decide stops the submission if the interactor's exit decides the result.
func (x *interaction) decide(interactor sandbox.Result) {
	x.mu.Lock()
	defer x.mu.Unlock()
	of := x.request.Interactor
	accepts := interactor.Stop == sandbox.Exited && slices.Contains(of.Accepts, interactor.ExitCode)
	if of.Decides && !accepts && x.first == InteractorSide && x.ended[SubmissionSide].IsZero() && interactor.Stop != sandbox.Cancelled {
		x.decided = true
		x.stop()
	}
}

// fail records that the judge failed on one side, and stops the other, which has lost its peer.
func (x *interaction) fail(side Side, err error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if side == InteractorSide {
		err = &InteractorError{err}
	}
	if x.cause == nil {
		x.cause = err
	}
	x.stop()
}

// begin blocks each side until the other is ready as well.
func (x *interaction) begin(ctx context.Context, side Side, r *sandbox.Running) {
	x.mu.Lock()
	x.runs[side] = r
	if x.ready++; x.ready == 2 {
		x.start = time.Now()
		x.runs[SubmissionSide].SetPartner(x.runs[InteractorSide], x.request.Interactor.size())
		if wall := x.request.Limits.Wall; wall > 0 {
			x.timer = time.AfterFunc(wall*9/10, x.look)
		}
		close(x.open)
	}
	x.mu.Unlock()
	select {
	case <-x.open:
	case <-ctx.Done(): // the run ends as well
	}
}

// end records that a side has exited. The other side cannot notice before end returns.
func (x *interaction) end(side Side, failed bool) {
	now := time.Now()
	x.mu.Lock()
	x.ended[side] = now
	both := !x.ended[1-side].IsZero()
	if !both {
		x.first = side
	}
	interactor := x.runs[InteractorSide]
	x.mu.Unlock()
	if side == InteractorSide || both {
		return
	}
	if wall := x.request.Interactor.Limits.Wall; wall > 0 {
		interactor.LimitWall(wall)
	}
	if failed && !x.awaitAnswer(interactor) {
		interactor.LimitWall(min(time.Duration(x.patience)*answerLook, cmp.Or(x.request.Interactor.Limits.Wall, math.MaxInt64))) // nothing that it still says counts
	}
}

// answerLook is the longest pause between two looks at an interactor that has not answered.
const answerLook = 10 * time.Millisecond

// awaitAnswer waits until the interactor has answered everything that the submission, which has failed, sent to it,
// and reports whether it has. An interactor that answers by exiting has exited first. An interactor that computes
// may take as long as its limits allow, so that the result does not depend on how busy the host is. One that
// sleeps, or whose state the kernel does not show, has about [Local.Patience].
func (x *interaction) awaitAnswer(interactor *sandbox.Running) bool {
	for pause, asleep := 100*time.Microsecond, 0; asleep < x.patience; pause = min(2*pause, answerLook) {
		carried := x.relay == nil || x.relay.Empty(SubmissionSide)
		settled, awake := interactor.Settled()
		x.mu.Lock()
		x.unaware = !x.ended[InteractorSide].IsZero()
		over := x.unaware || x.cause != nil
		x.mu.Unlock()
		if over || carried && settled {
			return true
		}
		if !awake {
			asleep++
		}
		time.Sleep(pause)
	}
	return false
}

// overOutput stops a submission that keeps writing to an interactor that has exited.
func (x *interaction) overOutput() {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.runs[SubmissionSide].OverOutput()
}

// look checks, shortly before the wall limit and at it, whether both sides have been waiting for
// each other since the previous look.
func (x *interaction) look() {
	x.mu.Lock()
	defer x.mu.Unlock()
	var used [2]time.Duration
	waiting := true
	for side, r := range x.runs {
		cpu, waits, ok := r.Activity()
		used[side] = cpu
		waiting = waiting && ok && waits
	}
	if x.looked && waiting {
		idle := x.request.Limits.Wall / 1000 // a hundredth of the time between the looks
		x.stalled = used[SubmissionSide]-x.used[SubmissionSide] <= idle && used[InteractorSide]-x.used[InteractorSide] <= idle
	}
	x.used, x.looked = used, true
}

// stopTimer stops the timer that calls look.
func (x *interaction) stopTimer() {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.timer != nil {
		x.timer.Stop()
	}
}

// result returns the interactor's part of the reply, with the wall time that its limit counts.
func (x *interaction) result(interactor Reply) *Interaction {
	r := interactor.Result
	r.Wall = max(x.ended[InteractorSide].Sub(x.ended[SubmissionSide]), 0)
	if x.unaware && (r.Stop == sandbox.Exited || r.Stop == sandbox.Signalled) {
		x.first = InteractorSide
	}
	return &Interaction{
		Interactor: r, Stderr: interactor.Stderr, Truncated: interactor.Truncated, First: x.first,
		Ended: [2]time.Duration{x.ended[SubmissionSide].Sub(x.start), x.ended[InteractorSide].Sub(x.start)},
	}
}
