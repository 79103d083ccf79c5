package watchmode

import (
	"context"
	"sync"
)

// calm waits until no file has changed for some time, so that no file is half saved. Reading does
// not wait, but writing and reporting errors do. It is safe for concurrent use.
type calm struct {
	mu      sync.Mutex
	settled <-chan struct{} // Settled of the last batch; nil before the first
	newer   chan struct{}   // closed when the next batch comes
}

// newBatch makes wait wait until this batch has settled, instead of the previous one.
func (c *calm) newBatch(settled <-chan struct{}) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.newer != nil {
		close(c.newer)
	}
	c.settled, c.newer = settled, make(chan struct{})
}

// wait returns when the last batch has settled, or when ctx ends. The error is that of ctx.
func (c *calm) wait(ctx context.Context) error {
	for {
		c.mu.Lock()
		settled, newer := c.settled, c.newer
		c.mu.Unlock()
		if settled == nil {
			return ctx.Err()
		}
		select {
		case <-settled:
			return ctx.Err()
		case <-newer:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
