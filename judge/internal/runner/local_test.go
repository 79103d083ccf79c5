package runner_test

import (
	"errors"
	"testing"

	"tribunal/internal/tier"
	"tribunal/judge/internal/runner"
	"tribunal/judge/internal/runner/runnertest"
	"tribunal/judge/internal/sandbox"
)

// TestLocal runs the conformance suite on the local runner in each mode.
func TestLocal(t *testing.T) {
	tier.T2(t, "the contract of runners with real programs")
	for _, mode := range []sandbox.Mode{sandbox.Container, sandbox.Rlimit} {
		t.Run(string(mode), func(t *testing.T) {
			host, err := sandbox.Open(mode)
			if errors.Is(err, sandbox.ErrMode) {
				t.Skipf("not checked: %v", err)
			}
			if err != nil {
				t.Fatal(err)
			}
			local := runner.NewLocal(host, 2)
			t.Cleanup(func() {
				if err := errors.Join(local.Close(), host.Close()); err != nil {
					t.Error(err)
				}
			})
			s := runnertest.Subject{Runner: local}
			if mode == sandbox.Container {
				s.Kill = runnertest.KillInits
			}
			if f := local.Facts(); f.Mechanisms != host.Mechanisms() {
				t.Errorf("the facts are %+v", f)
			}
			runnertest.Suite(t, s)
		})
	}
}
