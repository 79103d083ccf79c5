package main

import (
	"errors"
	"fmt"
	"io"
	"sync/atomic"
	"time"
)

// A meter tells, while a search goes on, how far it is, and ends it when it needs
// more memory than it may.
type meter struct {
	limit      int64        // bytes
	bytes      atomic.Int64 // of sets and lists
	room       atomic.Int64 // bytes of what is held until it can be sorted in, which is bounded
	positions  atomic.Int64
	fore, back atomic.Int64 // depths
	waits      atomic.Int64 // how often all threads have waited for each other

	tried []int64 // by thread, how many positions; to be read when the search has ended
}

// full tells that there is no memory left.
func (m *meter) full() bool { return m.bytes.Load()+m.room.Load() > m.limit }

// errMemory is the end of a search for want of memory.
var errMemory = errors.New("out of memory")

// report writes a line on how far the search of a board is whenever the clock
// ticks, until the function that it returns is called.
func report(w io.Writer, board int, m *meter, clock <-chan time.Time) (stop func()) {
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for before := int64(0); ; {
			select {
			case <-done:
				return
			case <-clock:
				now := m.positions.Load()
				fmt.Fprintf(w, "board %d: depth %d from the start, %d from home; %d positions, %d more a second; %v\n",
					board, m.fore.Load(), m.back.Load(), now, now-before, size(m.bytes.Load()+m.room.Load()))
				before = now
			}
		}
	}()
	return func() {
		close(done)
		<-ended
	}
}
