package run

import (
	"context"
	"io"

	"tribunal/judge/internal/runner"
	"tribunal/judge/internal/sandbox"
)

// Sharing returns a runner that runs each request by r as soon as a slot of the pool is free, and
// keeps the slot meanwhile. So an exclusive job of the pool has the machine for itself even
// while r compiles. The requests are not pinned to the CPU of the slot. Closing the
// runner closes r.
func (p *Pool) Sharing(r runner.Runner) runner.Runner { return &sharing{r, p} }

type sharing struct {
	runner.Runner
	pool *Pool
}

// Run is that of the runner, and may wait for a slot before. If ctx ends first, the result is
// Cancelled.
func (s *sharing) Run(ctx context.Context, r runner.Request, out io.Writer) (runner.Reply, error) {
	slot, err := s.pool.acquire(ctx, 1, false)
	if err != nil {
		return runner.Reply{Result: sandbox.Result{Stop: sandbox.Cancelled}}, nil
	}
	defer slot.release()
	return s.Runner.Run(ctx, r, out)
}
