//go:build linux

package remote

import (
	"context"
	"sync"

	"golang.org/x/sync/semaphore"
)

// cpuQueue hands out CPUs to the runs of all users, first come, first served. Runs never share a
// CPU: the service uses only the number of CPUs in a request, not which ones. It is safe for
// concurrent use.
type cpuQueue struct {
	most  int
	count *semaphore.Weighted

	mu   sync.Mutex
	free []int
}

func newCPUQueue(cpus []int) *cpuQueue {
	return &cpuQueue{most: len(cpus), count: semaphore.NewWeighted(int64(len(cpus))), free: cpus}
}

// acquire returns width CPUs as soon as they are free: at least one, and no more than there are.
func (l *cpuQueue) acquire(ctx context.Context, width int) (cpus []int, release func(), err error) {
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
