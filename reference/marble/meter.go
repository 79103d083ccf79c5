package main

import (
	"errors"
	"fmt"
	"io"
	"sync/atomic"
	"time"
)

// A meter counts what a search has done so far, and ends it if it exceeds its memory.
type meter struct {
	limit      int64        // most bytes that the search may use
	scratch    string       // folder for files if these do not suffice, or "" for none
	disk       atomic.Int64 // bytes of files
	bytes      atomic.Int64 // bytes of sets and lists
	room       atomic.Int64 // bytes of found positions that are not in a set yet
	positions  atomic.Int64
	fore, back atomic.Int64 // depths from the start and from home
	waits      atomic.Int64 // number of times that all threads have waited for each other

	tried []int64 // positions tried, by thread; to be read after the search
}

// full reports whether the memory is used up.
func (m *meter) full() bool { return m.bytes.Load()+m.room.Load() > m.limit }

// errMemory is returned by a search that runs out of memory.
var errMemory = errors.New("out of memory")

// report writes a line about the progress on a board at every tick of the clock, until the function
// that it returns is called.
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
				fmt.Fprintf(w, "board %d: depth %d from the start, %d from home; %d positions, %d more a second; %v",
					board, m.fore.Load(), m.back.Load(), now, max(0, now-before), size(m.bytes.Load()+m.room.Load()))
				if disk := m.disk.Load(); disk > 0 {
					fmt.Fprintf(w, ", %v on disk", size(disk))
				}
				fmt.Fprintln(w)
				before = now
			}
		}
	}()
	return func() {
		close(done)
		<-ended
	}
}
