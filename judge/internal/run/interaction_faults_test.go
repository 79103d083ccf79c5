package run

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"tribunal/internal/tier"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/runner"
	"tribunal/judge/internal/sandbox"
	"tribunal/judge/internal/sandbox/sandboxtest"
)

// TestInteractionFails lets the sandbox fail on one side: the outcome says which, the other side is
// stopped, and boxes are kept or discarded as for single runs.
func TestInteractionFails(t *testing.T) {
	t.Parallel()
	p := programs(t, 2)
	died, missing := sandbox.ErrDied, &sandbox.StartError{Err: errors.New("no such file")}
	for _, tt := range []struct {
		why        string
		own        error // the sandbox's error for the program
		other      error
		interactor bool  // whether the outcome attributes the error to the interactor
		want       error // the error in the outcome
		boxes      int   // number of boxes that the pool opens for two such jobs
		stopped    int   // number of stopped runs
	}{
		{"no failure", nil, nil, false, nil, 2, 0},
		{"the program's box dies, as each job's does twice", died, nil, false, died, 5, 4},
		{"the interactor's box dies, and each second try of the program has a new one", nil, died, true, died, 7, 4},
		{"the program does not start", missing, nil, false, missing, 2, 2},
		{"the interactor does not start", nil, missing, true, missing, 2, 2},
	} {
		stopped := 0
		host := sandboxtest.New(t, func(ctx context.Context, r sandboxtest.Run) (sandbox.Result, error) {
			own, fails := tt.own, tt.own != nil || tt.other != nil
			if r.Args[len(r.Args)-1] == "interactor" {
				own = tt.other
			}
			if fails && own == nil { // the side that does not fail runs until it is stopped
				<-ctx.Done()
				stopped++
				return sandbox.Result{Stop: sandbox.Cancelled}, nil
			}
			return sandbox.Result{}, own
		})
		pool := newPool(t, host, 1)
		for range 2 {
			o := pool.Run(t.Context(), Job{Program: p[0], Interactor: &Interactor{Program: p[1], Args: []string{"interactor"}}})
			interactor := (*runner.InteractorError)(nil)
			if !errors.Is(o.Err, tt.want) || (o.Err == nil) != (tt.want == nil) || errors.As(o.Err, &interactor) != tt.interactor || (o.Interaction == nil) != (o.Err != nil) {
				t.Errorf("%s: %+v", tt.why, o)
			}
		}
		if host.Boxes() != tt.boxes || stopped != tt.stopped {
			t.Errorf("%s: %d boxes and %d stopped, want %d and %d", tt.why, host.Boxes(), stopped, tt.boxes, tt.stopped)
		}
	}
}

// TestInteractionWithoutBox checks that the interactor does not run if no box can be opened for the
// program.
func TestInteractionWithoutBox(t *testing.T) {
	t.Parallel()
	want := errors.New("no namespaces left")
	p := programs(t, 1)[0]
	host := sandboxtest.New(t, func(context.Context, sandboxtest.Run) (sandbox.Result, error) { return sandbox.Result{}, nil })
	o := newPool(t, noHost{err: want}, 1).Run(t.Context(), Job{Program: p, Interactor: &Interactor{Program: p}})
	if !errors.Is(o.Err, want) || host.Runs() != 0 {
		t.Errorf("%v after %d runs", o.Err, host.Runs())
	}
}

// TestInteractionStopped cancels real interactions and kills their containers: nothing is left, and
// the next interaction on the same stage runs as usual.
func TestInteractionStopped(t *testing.T) {
	tier.T2(t, "interactions that are cancelled or killed")
	exe := compileC(t, actor)
	both := func() bool { return appears("own-pauses") && appears("other-pauses") }
	for _, mode := range bothModes {
		t.Run(string(mode), func(t *testing.T) {
			stage := newStage(t, mode, exe)
			good := func(when string) {
				t.Helper()
				for _, transcript := range []limits.Bytes{0, limits.KiB} {
					o := stage.play(t, actors{own: "p0", other: "qe42"}.job(stage.p, transcript))
					if o.Err != nil || ended(o.Result) != "0" || ended(o.Interaction.Interactor) != "42" {
						t.Fatalf("%s: %+v", when, o)
					}
				}
			}
			warmThreads()
			good("before")
			before := held(t)
			pausing := func(transcript limits.Bytes) Job {
				return actors{own: "a0", other: "A0"}.job(stage.p, transcript)
			}
			for _, tt := range []struct {
				why            string
				act            func(cancel func()) // called once both programs run
				check          func(o Outcome) bool
				mode           sandbox.Mode // "" means every mode
				newInteraction bool
			}{
				{why: "the job is cancelled", act: func(cancel func()) { cancel() }, check: func(o Outcome) bool {
					return o.Err == nil && o.Stop == sandbox.Cancelled && o.Interaction.Interactor.Stop == sandbox.Cancelled
				}},
				{why: "the program's container dies", act: func(func()) { killInits("own-pauses") }, check: func(o Outcome) bool {
					interactor := (*runner.InteractorError)(nil)
					return errors.Is(o.Err, sandbox.ErrDied) && !errors.As(o.Err, &interactor)
				}, mode: sandbox.Container},
				{why: "the interactor's container dies", act: func(func()) { killInits("other-pauses") }, check: func(o Outcome) bool {
					interactor := (*runner.InteractorError)(nil)
					return errors.Is(o.Err, sandbox.ErrDied) && errors.As(o.Err, &interactor)
				}, mode: sandbox.Container},
			} {
				if tt.mode != "" && tt.mode != mode {
					continue
				}
				for _, transcript := range []limits.Bytes{0, limits.KiB} {
					ctx, cancel := context.WithCancel(t.Context())
					var watcher sync.WaitGroup
					done := make(chan struct{})
					watcher.Go(func() { // acts again if the job is repeated
						for {
							if both() {
								tt.act(cancel)
							}
							select {
							case <-done:
								return
							case <-time.After(5 * time.Millisecond):
							}
						}
					})
					o := stage.pool.Run(ctx, pausing(transcript))
					close(done)
					watcher.Wait()
					cancel()
					if !tt.check(o) {
						t.Errorf("%s: transcript %v: %+v", tt.why, transcript, o)
					}
					if appears("own-pauses") || appears("other-pauses") {
						t.Errorf("%s: something is left", tt.why)
					}
					good(tt.why)
				}
			}
			expectHeld(t, before)
		})
	}
}

// TestInteractionLeaks runs many interactions in one process and checks that it holds no more than
// before.
func TestInteractionLeaks(t *testing.T) {
	tier.T2(t, "what interactions leave")
	exe := compileC(t, actor)
	var quick []actors
	for _, a := range interactions {
		if a.wall == 0 && a.otherWall == 0 && a.cpu == 0 && a.mode == "" {
			quick = append(quick, a)
		}
	}
	for _, mode := range bothModes {
		t.Run(string(mode), func(t *testing.T) {
			weaker(t, mode)
			stage := newStage(t, mode, exe)
			warmThreads()
			all := func() {
				for i, a := range quick {
					if o := stage.play(t, a.job(stage.p, limits.Bytes(i%2)*limits.KiB)); o.Err != nil {
						t.Errorf("%s: %v", a.why, o.Err)
					}
				}
			}
			all()
			before := held(t)
			all()
			expectHeld(t, before)
		})
	}
}

// TestInteractionWithoutDescriptors runs interactions in a process that can open no more files, or
// only a few: those that fail say so, and no descriptor is lost.
func TestInteractionWithoutDescriptors(t *testing.T) {
	tier.T2(t, "interactions without file descriptors")
	const variable = "TRIBUNAL_TEST_INTERACTION"
	exe := os.Getenv(programVariable)
	if exe == "" {
		exe = compileC(t, actor)
	}
	for _, mode := range bothModes {
		t.Run(string(mode), func(t *testing.T) {
			if os.Getenv(variable) == "" { // the limit applies to a whole process
				ctx, cancel := context.WithTimeout(t.Context(), hang)
				defer cancel()
				cmd := exec.CommandContext(ctx, os.Args[0], "-test.run=^TestInteractionWithoutDescriptors$/^"+string(mode)+"$", "-test.v")
				cmd.Env = append(os.Environ(), variable+"=1", programVariable+"="+exe)
				if out, err := cmd.CombinedOutput(); err != nil {
					t.Errorf("%v\n%s", err, out)
				} else if strings.Contains(string(out), "not checked") {
					t.Skip("not checked: " + string(out))
				}
				return
			}
			warmThreads()
			stage := newStage(t, mode, exe)
			job := actors{own: "p0", other: "qe42"}.job(stage.p, 0)
			if o := stage.play(t, job); o.Err != nil {
				t.Fatal(o.Err)
			}
			before := held(t)
			forgotten, failed := 0, 0
			for limit := 7; limit < 70; limit++ {
				if !some(mode, limit, 6) {
					continue
				}
				job.Interactor.Transcript = limits.Bytes(limit%2) * limits.KiB
				undo := boundDescriptors(t, limit)
				o := stage.play(t, job)
				undo()
				if o.Err == nil {
					continue
				}
				failed++
				var start *sandbox.StartError
				if !strings.Contains(o.Err.Error(), "too many open files") || errors.As(o.Err, &start) {
					t.Errorf("%d descriptors: %v", limit, o.Err)
				}
				if strings.Contains(o.Err.Error(), "fork/exec") {
					forgotten += 2 // by Go's syscall package, see spare in package sandbox
				}
			}
			if failed == 0 {
				t.Error("no interaction failed")
			}
			if o := stage.play(t, job); o.Err != nil {
				t.Error(o.Err)
			}
			before.descriptors += forgotten
			expectHeld(t, before)
		})
	}
}
