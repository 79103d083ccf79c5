package watchmode

import (
	"context"
	"sync"
)

// calm knows when the files have been quiet for so long that what was read of them can be trusted.
// Reading does not wait for that, but writing and reporting broken files do.
type calm struct {
	mu      sync.Mutex
	settled <-chan struct{} // of the last batch; nil before any
	newer   chan struct{}   // closed when the next batch comes
}

// after makes wait wait for this batch to settle, instead of the one before.
func (c *calm) after(settled <-chan struct{}) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.newer != nil {
		close(c.newer)
	}
	c.settled, c.newer = settled, make(chan struct{})
}

// wait returns when the files are quiet, or with the context's error.
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
