package remote

import (
	"context"
	"sync"

	"golang.org/x/sync/semaphore"
)

// line is where runs of all users wait for CPUs of their own, who comes first first. What CPUs a
// caller names does not count, but how many: so nobody's run shares one with another's. It is
// safe for concurrent use.
type line struct {
	most  int
	count *semaphore.Weighted

	mu   sync.Mutex
	free []int
}

func newLine(cpus []int) *line {
	return &line{most: len(cpus), count: semaphore.NewWeighted(int64(len(cpus))), free: cpus}
}

// wait returns so many CPUs as soon as they are free, all if there are fewer, and at least one.
func (l *line) wait(ctx context.Context, width int) (cpus []int, leave func(), err error) {
	width = min(max(width, 1), l.most)
	if err := l.count.Acquire(ctx, int64(width)); err != nil {
		return nil, nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	cpus, l.free = l.free[:width:width], l.free[width:]
	return cpus, func() {
		l.mu.Lock()
		l.free = append(l.free, cpus...)
		l.mu.Unlock()
		l.count.Release(int64(width))
	}, nil
}
