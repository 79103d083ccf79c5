package run

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"strconv"
	"testing"
	"time"

	"tribunal/internal/tier"
	"tribunal/judge/internal/build"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/runner"
	"tribunal/judge/internal/sandbox"
)

// actor does what the letters of its argument mean, one after the other, and exits with the number
// that follows them.
const actor = `#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>
static char buf[65536];
static void tell(void) { memset(buf, 'x', 8); buf[7] = '\n'; if (write(1, buf, 8) < 0) return; }
static int hear(void) { return read(0, buf, sizeof buf) > 0; }
int main(int argc, char **argv) {
	const char *act = argv[1];
	for (; *act; act++) switch (*act) {
	case 'w': tell(); break;
	case 'r': if (!hear()) _exit(91); break;
	case 'R': for (int n = 0; n < 64 * (int)sizeof buf;) n += read(0, buf, sizeof buf); break; /* as much as b says */
	case 'z': usleep(30000); break;
	case 'y': while (clock() < CLOCKS_PER_SEC / 4) ; break;       /* computes */
	case 'e': while (hear()) ; break;                             /* reads to the end */
	case 'p': for (int i = 0; i < 1000; i++) { tell(); hear(); } break; /* ping */
	case 'q': for (int i = 0; i < 1000; i++) { hear(); tell(); } break; /* pong */
	case 'b': memset(buf, 'b', sizeof buf); for (int i = 0; i < 64; i++) if (write(1, buf, sizeof buf) < 0) _exit(90); break;
	case 'f': for (;;) tell();                                     /* floods */
	case 'i': close(0); break;
	case 'o': close(1); break;
	case 'n': signal(SIGPIPE, SIG_IGN); break;
	case 'v': poll(&(struct pollfd){0, POLLIN}, 1, -1); break;     /* waits for input */
	case 'd': {                                                    /* leaves a daemon */
		int up[2];
		if (pipe(up)) return 92;
		if (!fork()) { setsid(); alarm(3); close(up[0]); close(up[1]); for (;;) pause(); }
		close(up[1]);
		if (read(up[0], buf, 1) != 0) return 93;
		close(up[0]);
		break;
	}
	case 'a': prctl(PR_SET_NAME, "own-pauses"); for (;;) pause();
	case 'A': prctl(PR_SET_NAME, "other-pauses"); for (;;) pause();
	case 's': for (;;) pause();
	case 'l': for (;;) ;
	case 'c': abort();
	case 'm': for (;;) memset(malloc(1 << 20), 1, 1 << 20);
	case 'k': if (!fork()) for (;;) pause(); break;                /* leaves a child */
	default: fputs("bye", stderr); return atoi(act);
	}
	return 0;
}`

// interactionLimits are never reached, even if the judge gets no CPU for a long time; rows that wait
// for a limit set a lower one. A program that computes until its wall limit can use much more CPU time
// before the judge notices.
var interactionLimits = limits.Limits{CPU: 10 * time.Minute, Wall: 10 * time.Minute, Memory: 16 * limits.MiB, Output: limits.GiB, Processes: 8}

// actors is a row of the table: two programs and how they must end.
type actors struct {
	why                string
	own, other         string
	wantOwn, wantOther string
	first              runner.Side
	stalled            bool
	decides            bool          // the interactor's exit with a status other than 42 stops the submission
	wall, cpu          time.Duration // limits of the program (own); 0 means those of interactionLimits
	output             limits.Bytes  // its limit of output, likewise
	otherWall          time.Duration // wall limit of the interactor (other), likewise
	mode               sandbox.Mode  // the mode to which the row applies; "" means every mode
}

const (
	short  = 150 * time.Millisecond
	longer = 2 * time.Second // usually enough for both sides to come to a standstill, see play
)

var interactions = []actors{
	{why: "they take turns and both accept", own: "p0", other: "qe42", wantOwn: "0", wantOther: "42", first: runner.SubmissionSide},
	{why: "the interactor exits as soon as it has decided", own: "pe0", other: "q42", wantOwn: "0", wantOther: "42", first: runner.InteractorSide},
	{why: "the interactor refuses, and the program floods: the interactor came first", own: "wf0", other: "r43", wantOwn: "over_output", wantOther: "43", first: runner.InteractorSide, output: limits.MiB},
	{why: "the program's surplus line does not matter", own: "wrwb0", other: "rw42", wantOwn: "0", wantOther: "42", first: runner.InteractorSide},
	{why: "the interactor refuses, and the program gives up at the end of its input", own: "wrr0", other: "rw43", wantOwn: "91", wantOther: "43", first: runner.InteractorSide},
	{why: "the program exits early, and the interactor reads the end of its input", own: "w0", other: "rr0", wantOwn: "0", wantOther: "91", first: runner.SubmissionSide},
	{why: "the program crashes", own: "rc0", other: "wr0", wantOwn: "SIGABRT", wantOther: "91", first: runner.SubmissionSide},
	{why: "the interactor crashes", own: "wr0", other: "rc0", wantOwn: "91", wantOther: "SIGABRT", first: runner.InteractorSide},
	{why: "both read: they wait for each other", own: "r0", other: "r42", wantOwn: "over_wall", wantOther: "91", first: runner.SubmissionSide, stalled: true, wall: longer},
	{why: "both write and neither reads", own: "f0", other: "f0", wantOwn: "over_wall", wantOther: "SIGPIPE", first: runner.SubmissionSide, stalled: true, wall: longer},
	{why: "both write more than pipes hold before they read", own: "be0", other: "be42", wantOwn: "over_wall", wantOther: "SIGPIPE", first: runner.SubmissionSide, stalled: true, wall: longer},
	{why: "they wait for each other as event loops do", own: "v0", other: "v42", wantOwn: "over_wall", wantOther: "42", first: runner.SubmissionSide, stalled: true, wall: longer},
	{why: "the program sleeps while the interactor waits: it alone is to blame", own: "s0", other: "e42", wantOwn: "over_wall", wantOther: "42", first: runner.SubmissionSide, wall: short},
	{why: "the program computes while the interactor waits", own: "l0", other: "e42", wantOwn: "over_wall", wantOther: "42", first: runner.SubmissionSide, wall: short},
	{why: "the interactor computes while the program waits", own: "e0", other: "l0", wantOwn: "over_wall", wantOther: "over_wall", first: runner.SubmissionSide, wall: short, otherWall: short},
	{why: "CPU time decides", own: "l0", other: "e42", wantOwn: "over_cpu", wantOther: "42", first: runner.SubmissionSide, cpu: 50 * time.Millisecond},
	{why: "each program has its own memory limit", own: "m0", other: "e42", wantOwn: "over_memory", wantOther: "42", first: runner.SubmissionSide},
	{why: "the interactor hangs: the program's wall limit stops both", own: "e0", other: "s0", wantOwn: "over_wall", wantOther: "over_wall", first: runner.SubmissionSide, wall: short, otherWall: short},
	{why: "an interactor that hangs after the program has exited is stopped at its own limit", own: "0", other: "s0", wantOwn: "0", wantOther: "over_wall", first: runner.SubmissionSide, otherWall: short},
	{why: "an interactor that exits does not stop the program", own: "s0", other: "43", wantOwn: "over_wall", wantOther: "43", first: runner.InteractorSide, wall: short},
	{why: "an interactor whose exit decides stops the program", own: "s0", other: "43", wantOwn: "cancelled", wantOther: "43", first: runner.InteractorSide, decides: true},
	{why: "an interactor that decides by crashing", own: "l0", other: "c0", wantOwn: "cancelled", wantOther: "SIGABRT", first: runner.InteractorSide, decides: true},
	{why: "an interactor whose exit status does not decide", own: "s0", other: "42", wantOwn: "over_wall", wantOther: "42", first: runner.InteractorSide, decides: true, wall: short},
	{why: "an interactor that exits second decides nothing", own: "7", other: "e43", wantOwn: "7", wantOther: "43", first: runner.SubmissionSide, decides: true},
	{why: "the program exceeds its output limit, and the interactor reads all", own: "f0", other: "e42", wantOwn: "over_output", wantOther: "42", first: runner.SubmissionSide, output: limits.MiB},
	{why: "the program floods an interactor that does not read", own: "f0", other: "s0", wantOwn: "over_wall", wantOther: "over_wall", first: runner.SubmissionSide, wall: short, otherWall: short},
	{why: "the program floods without reading, and the interactor reads all", own: "f0", other: "e42", wantOwn: "over_cpu", wantOther: "42", first: runner.SubmissionSide, cpu: 50 * time.Millisecond},
	{why: "the interactor floods, and the program ends", own: "rrr0", other: "f0", wantOwn: "0", wantOther: "SIGPIPE", first: runner.SubmissionSide},
	{why: "the program closes its output and waits: its interactor does not learn of it, and waits too", own: "wore0", other: "e42", wantOwn: "over_wall", wantOther: "42", first: runner.SubmissionSide, stalled: true, wall: longer},
	{why: "the program closes its output and fails later", own: "wol0", other: "e43", wantOwn: "over_cpu", wantOther: "43", first: runner.SubmissionSide, cpu: 50 * time.Millisecond},
	{why: "the interactor closes its output and continues reading", own: "ewf0", other: "oe42", wantOwn: "over_cpu", wantOther: "42", first: runner.SubmissionSide, cpu: 50 * time.Millisecond},
	{why: "the program closes its input and continues: the interactor gets SIGPIPE when the program ends", own: "is0", other: "f0", wantOwn: "over_wall", wantOther: "SIGPIPE", first: runner.SubmissionSide, wall: longer},
	{why: "the interactor writes after the program has exited", own: "w0", other: "ewww42", wantOwn: "0", wantOther: "42", first: runner.SubmissionSide},
	{why: "the interactor closes its input and continues: the program blocks", own: "f0", other: "is0", wantOwn: "over_wall", wantOther: "over_wall", first: runner.SubmissionSide, wall: short, otherWall: short},
	{why: "a crash right after an answer counts as later than the interactor's reaction to the answer", own: "wc0", other: "r43", wantOwn: "SIGABRT", wantOther: "43", first: runner.InteractorSide},
	{why: "even if the interactor reads much output slowly", own: "bc0", other: "zR43", wantOwn: "SIGABRT", wantOther: "43", first: runner.InteractorSide},
	{why: "a crash counts as earlier than the interactor's reaction to the end of its input", own: "wc0", other: "re43", wantOwn: "SIGABRT", wantOther: "43", first: runner.SubmissionSide},
	{why: "much data in one direction and then in the other", own: "eb0", other: "boe42", wantOwn: "0", wantOther: "42", first: runner.SubmissionSide},
	{why: "a child that the program leaves behind does not keep the pipes open", own: "kw0", other: "rrw0", wantOwn: "0", wantOther: "91", first: runner.SubmissionSide},
	{why: "nor does a child of the interactor", own: "re0", other: "kw42", wantOwn: "0", wantOther: "42", first: runner.InteractorSide},
	{why: "a daemon of the program is killed too", own: "dw0", other: "rrw0", wantOwn: "0", wantOther: "91", first: runner.SubmissionSide, mode: sandbox.Container},
	{why: "a daemon of the program is killed where no namespace holds it", own: "dw0", other: "rrw0", wantOwn: "0", wantOther: "91", first: runner.SubmissionSide, mode: sandbox.Rlimit},
	{why: "nor does a daemon of the interactor keep the pipes open", own: "re0", other: "dw42", wantOwn: "0", wantOther: "42", first: runner.InteractorSide, mode: sandbox.Rlimit},
}

// applies reports whether row i of interactions runs in a mode.
func (a actors) applies(mode sandbox.Mode, i int) bool {
	return a.mode == mode || a.mode == "" && some(mode, i, 8)
}

// job returns a job in which the actors interact.
func (a actors) job(p *build.Program, transcript limits.Bytes) Job {
	own, other := interactionLimits, interactionLimits
	own.CPU, own.Wall, other.Wall = cmp.Or(a.cpu, own.CPU), cmp.Or(a.wall, own.Wall), cmp.Or(a.otherWall, other.Wall)
	own.Output = cmp.Or(a.output, own.Output)
	return Job{
		Program: p, Args: []string{a.own}, Limits: own,
		Interactor: &Interactor{Program: p, Args: []string{a.other}, Limits: other, Transcript: transcript, Decides: a.decides, Accepts: []int{42}},
	}
}

// matches reports whether an interaction ended as it must.
func (a actors) matches(o Outcome) bool {
	d := o.Interaction
	return o.Err == nil && d != nil && ended(o.Result) == a.wantOwn && ended(d.Interactor) == a.wantOther && d.First == a.first && d.Stalled == a.stalled
}

// play runs the actors. If both must come to a standstill before a wall limit, on a busy host one of them
// may not have had a CPU until then: they play again, with more time.
func (a actors) play(run func(Job) Outcome, p *build.Program, transcript limits.Bytes) Outcome {
	for {
		o := run(a.job(p, transcript))
		if a.wall < longer || a.wall > time.Minute || a.matches(o) {
			return o
		}
		a.wall *= 4
	}
}

// ended describes how a program ended, as the table does.
func ended(r sandbox.Result) string {
	switch r.Stop {
	case sandbox.Exited:
		return strconv.Itoa(r.ExitCode)
	case sandbox.Signalled:
		return r.Signal.String()
	}
	return r.Stop.String()
}

// stage is a pool with one program, for interactions that run one at a time.
type stage struct {
	host *sandbox.Host
	pool *Pool
	p    *build.Program
}

func newStage(t testing.TB, mode sandbox.Mode, exe string) *stage {
	t.Helper()
	host, err := sandbox.Open(mode)
	if err != nil {
		t.Skipf("not checked: mode %s: %v", mode, err)
	}
	s := &stage{host: host, pool: NewPool(runner.NewLocal(host, 1), 1, 50*time.Millisecond), p: program(t, host, exe)}
	t.Cleanup(func() {
		if err := errors.Join(s.pool.Close(), host.Close()); err != nil {
			t.Error(err)
		}
	})
	return s
}

func (s *stage) play(t testing.TB, job Job) Outcome {
	t.Helper()
	return s.pool.Run(t.Context(), job)
}

// TestInteraction runs all interactions with plain and with relayed pipes in the strongest mode, and a
// few in the other.
func TestInteraction(t *testing.T) {
	tier.T2(t, "interactions of real programs")
	exe := compileC(t, actor)
	for _, mode := range bothModes {
		t.Run(string(mode), func(t *testing.T) {
			host, err := sandbox.Open(mode)
			if err != nil {
				t.Skipf("not checked: mode %s: %v", mode, err)
			}
			defer host.Close()
			p := program(t, host, exe)
			pool := NewPool(runner.NewLocal(host, 4), 4, 50*time.Millisecond) // most only wait
			defer pool.Close()
			err = Each(t.Context(), pool, 2*len(interactions), 1, func(ctx context.Context, w *Worker, i int) (o Outcome, err error) {
				a := interactions[i/2]
				if !a.applies(mode, i/2) {
					return o, nil
				}
				return a.play(func(job Job) Outcome { return w.Run(ctx, job, nil) }, p, limits.Bytes(i%2)*limits.KiB), nil
			}, func(i int, o Outcome) error {
				a := interactions[i/2]
				if o.Err != nil || o.Interaction == nil {
					if a.applies(mode, i/2) {
						t.Errorf("%s: relayed %v: %v", a.why, i%2 == 1, o.Err)
					}
					return nil
				}
				d := o.Interaction
				d.Transcript = nil
				if !a.matches(o) {
					t.Errorf("%s: relayed %v: ended %s and %s, first %v, stalled %v, want %s and %s, %v, %v\n%+v\n%+v", a.why, i%2 == 1,
						ended(o.Result), ended(d.Interactor), d.First, d.Stalled, a.wantOwn, a.wantOther, a.first, a.stalled, o.Result, *d)
				}
				if d.Decided != (a.wantOwn == "cancelled") {
					t.Errorf("%s: relayed %v: settled %v", a.why, i%2 == 1, d.Decided)
				}
				if d.Ended[runner.SubmissionSide] <= 0 || d.Ended[runner.InteractorSide] <= 0 || d.First == runner.SubmissionSide && d.Ended[runner.SubmissionSide] > d.Ended[runner.InteractorSide] {
					t.Errorf("%s: relayed %v: ended at %v, first %v", a.why, i%2 == 1, d.Ended, d.First)
				}
				return nil
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
}

var again = flag.Int("again", 3, "runs of each scene in TestInteractionBlames")

// TestInteractionBlames lets one program exit and thereby, at once, the other. It repeats this
// often enough that the judge would sometimes see the second exit first, if that were possible.
func TestInteractionBlames(t *testing.T) {
	tier.T2(t, "which of two programs that end at once came first")
	exe := compileC(t, actor)
	for _, mode := range bothModes {
		t.Run(string(mode), func(t *testing.T) {
			weaker(t, mode)
			stage := newStage(t, mode, exe)
			for _, a := range []actors{
				{why: "the program keeps writing", own: "wf0", other: "r43", wantOwn: "over_output", wantOther: "43", first: runner.InteractorSide, output: limits.MiB},
				{why: "the program fails right after its answer", own: "wc0", other: "r43", wantOwn: "SIGABRT", wantOther: "43", first: runner.InteractorSide},
				{why: "the program gives up at the end of its input", own: "wrr0", other: "rw43", wantOwn: "91", wantOther: "43", first: runner.InteractorSide},
				{why: "the program may still write after it has seen the interactor exit", own: "ew0", other: "43", wantOwn: "0", wantOther: "43", first: runner.InteractorSide},
				{why: "what the interactor writes last is read", own: "0", other: "ewww0", wantOwn: "0", wantOther: "0", first: runner.SubmissionSide},
				{why: "an interactor that never stops writing gets SIGPIPE", own: "0", other: "ef0", wantOwn: "0", wantOther: "SIGPIPE", first: runner.SubmissionSide, mode: sandbox.Container},
				{why: "the interactor gives up", own: "r7", other: "wr0", wantOwn: "7", wantOther: "91", first: runner.SubmissionSide},
			} {
				if a.mode != "" && a.mode != mode {
					continue
				}
				for i := range *again {
					o := stage.play(t, a.job(stage.p, limits.Bytes(i%2)*limits.KiB))
					if o.Err != nil || ended(o.Result) != a.wantOwn || ended(o.Interaction.Interactor) != a.wantOther || o.Interaction.First != a.first {
						t.Fatalf("%s: run %d: %+v, %+v", a.why, i, o, o.Interaction)
					}
				}
			}
		})
	}
}

// TestAnswerTakesTime checks that an interactor that computes before it answers gets all its time,
// and that one that only sleeps is stopped after the judge's patience.
func TestAnswerTakesTime(t *testing.T) {
	tier.T2(t, "interactors that take their time")
	exe := compileC(t, actor)
	for _, mode := range bothModes {
		t.Run(string(mode), func(t *testing.T) {
			weaker(t, mode)
			stage := newStage(t, mode, exe)
			for _, tt := range []struct {
				why, other string
				patience   time.Duration
				first      runner.Side
				ends       string
			}{
				{"the interactor computes: the program's crash comes second", "yr43", 100 * time.Millisecond, runner.InteractorSide, "43"},
				{"the interactor sleeps for longer than the judge's patience", "sr43", 20 * time.Millisecond, runner.SubmissionSide, "over_wall"},
			} {
				stage.pool.runner.(*runner.Local).Patience = tt.patience
				a := actors{own: "wc0", other: tt.other} // without a wall limit
				for i := range 2 {
					if o := stage.play(t, a.job(stage.p, limits.Bytes(i%2)*limits.KiB)); o.Err != nil || o.Interaction.First != tt.first || ended(o.Interaction.Interactor) != tt.ends {
						t.Errorf("%s: %+v, %+v", tt.why, o, o.Interaction)
					}
				}
			}
		})
	}
}

// TestTranscript checks the texts and times in the transcript of two programs.
func TestTranscript(t *testing.T) {
	tier.T2(t, "the transcript of real programs")
	exe := compileC(t, actor)
	for _, mode := range bothModes {
		t.Run(string(mode), func(t *testing.T) {
			stage := newStage(t, mode, exe)
			small := stage.play(t, actors{own: "wrw0", other: "rwr42"}.job(stage.p, limits.KiB))
			if small.Err != nil {
				t.Fatal(small.Err)
			}
			text, last := "", time.Duration(0)
			for _, piece := range small.Interaction.Transcript {
				text += fmt.Sprintf("%d %q %d\n", piece.From, piece.Text, piece.Lost)
				if piece.At < last || piece.At > small.Interaction.Ended[1-small.Interaction.First] {
					t.Errorf("piece at %v, after one at %v and with the end at %v", piece.At, last, small.Interaction.Ended)
				}
				last = piece.At
			}
			if want := "0 \"xxxxxxx\\n\" 0\n1 \"xxxxxxx\\n\" 0\n0 \"xxxxxxx\\n\" 0\n"; text != want || last == 0 {
				t.Errorf("the transcript is\n%swant\n%s", text, want)
			}

			const keep = 10 * limits.KiB
			large := stage.play(t, actors{own: "b0", other: "e42"}.job(stage.p, keep))
			if large.Err != nil {
				t.Fatal(large.Err)
			}
			var kept, lost int64
			for _, piece := range large.Interaction.Transcript {
				kept += int64(len(piece.Text))
				lost += piece.Lost
			}
			if kept != int64(keep) || kept+lost != 64*65536 {
				t.Errorf("kept %d bytes and left out %d of %d, want %d", kept, lost, 64*65536, keep)
			}
		})
	}
}
