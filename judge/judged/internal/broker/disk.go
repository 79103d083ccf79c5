package broker

import (
	"fmt"
	"strings"
	"syscall"
	"time"

	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/system"
	"tribunal/judge/judged/internal/store"
)

// usualReserve is how much of a disk stays free.
const usualReserve = 256 * limits.MiB

// Room returns an error that wraps [store.ErrFull] while the disk has less room than the reserve. If new work is
// refused then, the reserve is left for work that was taken before.
func (s *Server) Room() error {
	if s.running.Load().log.full.Load() {
		return fmt.Errorf("%w: the disk of %s was full when the NATS server wrote to it", store.ErrFull, s.e.Dir)
	}
	free, err := system.Free(s.e.Dir)
	if err == nil && free < int64(s.e.Reserve) {
		err = fmt.Errorf("%w: the disk of %s has %v left, and %v are kept in reserve", store.ErrFull, s.e.Dir, limits.Bytes(free), s.e.Reserve)
	}
	return err
}

// look is how often a server whose disk was full checks whether there is room again.
const look = time.Second

// watch restarts the server when its disk was full and has room again: a stream that could not be written once
// refuses all messages from then on. Clients reconnect by themselves.
func (s *Server) watch() {
	tick := time.NewTicker(look)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
		case <-s.ending:
			return
		}
		old := s.running.Load()
		if free, err := system.Free(s.e.Dir); !old.log.full.Load() || err != nil || free < int64(s.e.Reserve) {
			continue
		}
		old.log.Warnf("the disk was full and has room again: starting again")
		s.restarting.Lock()
		old.shutdown()
		next, err := s.run()
		if err == nil {
			s.running.Store(next)
		}
		s.restarting.Unlock()
		if err != nil {
			old.log.Errorf("%v", err)
		}
	}
}

// notice checks whether a message of the server means that the disk is full. Such a message ends with the error;
// elsewhere it may quote what a client has sent, such as the name of a user.
func (l *logger) notice(text string) {
	for _, err := range []error{syscall.ENOSPC, syscall.EDQUOT} {
		if strings.HasSuffix(text, err.Error()) {
			l.full.Store(true)
		}
	}
}
