//go:build linux

package sandbox

import (
	"cmp"
	"errors"
	"io"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

var buffers = sync.Pool{New: func() any { b := make([]byte, pipeSize); return &b }}

// drain copies r to w until its end. It keeps count up to date with the bytes read.
func drain(r *pipeReader, w io.Writer, count *atomic.Int64, limit int64, full func()) {
	defer r.close()
	buf := buffers.Get().(*[]byte)
	defer buffers.Put(buf)
	for total := int64(0); ; {
		n, err := r.read(*buf)
		if n > 0 && w != nil {
			keep := int64(n)
			if limit > 0 {
				keep = min(keep, max(limit-total, 0))
			}
			if keep > 0 {
				if _, err := w.Write((*buf)[:keep]); err != nil {
					w = nil
				}
			}
		}
		before := total
		total += int64(n)
		count.Store(total)
		if limit > 0 && total > limit && before <= limit {
			full()
		}
		if err != nil {
			return
		}
	}
}

// pipeReader reads an output of a program that is pinned to CPUs. One goroutine uses it.
//
// While much data comes, it reads in bulk: in a thread of its own that runs on the CPUs of the program
// and does not interrupt the program ([unix.SCHED_BATCH]). So the program fills the pipe, the thread
// empties it, and the data stays in the cache of one CPU. If the two ran on different CPUs, the data
// would move between their caches, both would contend for the lock of the pipe, and the thread would
// be woken for every small write. Then a program that writes 20 MiB in pieces of 64 KiB takes twice
// the time, together with the reader, and three times the CPU time; in pieces of 4 KiB, half as much
// time again and twice the CPU time.
//
// But if another thread of the program runs all the time, such as one that waits in a loop until the
// output is written, then the thread that reads waits for the CPU with the pipe full, and the program
// would pay for that with its CPU time. Therefore a slow read ends reading in bulk, and the program
// must write twice as much as before until it begins again.
type pipeReader struct {
	file  *os.File      // polled by the runtime
	cpus  []int         // none: do not read in bulk
	after int           // bytes after which it reads in bulk
	slow  time.Duration // a read in bulk that takes longer ends it
	idle  time.Duration // how long a thread waits for the program

	got    int // bytes read since it last read in bulk
	bulk   bool
	raw    syscall.RawConn // of file; set once it has read in bulk
	thread threadPlace     // where the thread ran before, if bulk
}

const (
	bulkAfter = 256 << 10 // bytes after which reading in bulk takes less time than to prepare it
	bulkIdle  = 10 * time.Millisecond

	// bulkSlow is less than a kernel lets a thread run while another waits for its CPU. A program that
	// takes that long to fill a pipe gains little from being read in bulk.
	bulkSlow = 2 * time.Millisecond
)

func newPipeReader(file *os.File, cpus []int) *pipeReader {
	return &pipeReader{file: file, cpus: cpus, after: bulkAfter, slow: bulkSlow, idle: bulkIdle}
}

// read reads at least one byte, like [os.File.Read]. The deadline of the file takes effect within
// bulkIdle.
func (r *pipeReader) read(buf []byte) (n int, err error) {
	if !r.bulk {
		n, err = r.file.Read(buf)
		if r.got += n; r.got >= r.after && len(r.cpus) > 0 && err == nil {
			r.beginBulk()
		}
		return n, err
	}
	start := time.Now()
	late := r.raw.Read(func(fd uintptr) (done bool) {
		for {
			n, err = unix.Read(int(fd), buf)
			switch {
			case errors.Is(err, unix.EINTR):
			case !errors.Is(err, unix.EAGAIN):
				return true
			case !r.bulk:
				return false // the goroutine waits without a thread
			case !waitReadable(int(fd), r.idle):
				r.endBulk()
			}
		}
	})
	if r.bulk && time.Since(start) > r.slow {
		r.endBulk()
		r.after *= 2
	}
	if err = cmp.Or(late, err); err == nil && n == 0 {
		err = io.EOF
	}
	return max(n, 0), err
}

// waitReadable reports whether there is something to read, perhaps the end, within a time.
func waitReadable(fd int, most time.Duration) bool {
	polls := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}
	n, err := unix.Poll(polls, int(most.Milliseconds()))
	return n > 0 || errors.Is(err, unix.EINTR)
}

func (r *pipeReader) close() {
	r.endBulk()
	r.file.Close()
}

func (r *pipeReader) beginBulk() {
	raw, err := r.file.SyscallConn()
	if err != nil {
		return
	}
	r.bulk, r.raw, r.thread = true, raw, joinCPUs(r.cpus)
}

func (r *pipeReader) endBulk() {
	r.got = 0
	if !r.bulk {
		return
	}
	r.bulk = false
	r.thread.leaveCPUs()
}

// threadPlace says where and how a thread runs.
type threadPlace struct {
	cpus  *unix.CPUSet    // nil if not changed
	sched *unix.SchedAttr // nil if not changed
}

// joinCPUs gives this goroutine a thread of its own and moves that to CPUs, where it will not
// interrupt other programs. It returns the thread's place before. What the host does not allow does
// not change.
func joinCPUs(cpus []int) (before threadPlace) {
	runtime.LockOSThread()
	var were unix.CPUSet
	if unix.SchedGetaffinity(0, &were) == nil && pin(0, cpus) == nil {
		before.cpus = &were
	}
	sched, err := unix.SchedGetAttr(0, 0)
	if err != nil || sched.Policy != unix.SCHED_NORMAL {
		return before
	}
	batch := *sched
	batch.Policy = unix.SCHED_BATCH
	if unix.SchedSetAttr(0, &batch, 0) == nil {
		before.sched = sched
	}
	return before
}

// leaveCPUs moves this thread back to its place before joinCPUs. If that fails, the thread ends with
// its goroutine.
func (p threadPlace) leaveCPUs() {
	var err error
	if p.cpus != nil {
		err = unix.SchedSetaffinity(0, p.cpus)
	}
	if p.sched != nil {
		err = errors.Join(err, unix.SchedSetAttr(0, p.sched, 0))
	}
	if err == nil {
		runtime.UnlockOSThread()
	}
}
