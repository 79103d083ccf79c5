package watchmode

import (
	"context"
	"sync"
)

// calm tells when the files have been quiet for long enough that what was read of
// them can be believed. Work that only reads does not wait for it; what is written,
// and what is told of broken files, does.
type calm struct {
	mu      sync.Mutex
	settled <-chan struct{} // of the last batch; nil before any
	newer   chan struct{}   // closed when another batch has come
}

// after makes wait end when a batch has settled, instead of the one before.
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
