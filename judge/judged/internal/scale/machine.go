package scale

import "time"

// machine is a worker on a host of its own.
type machine struct {
	*domain
	slots   *station
	free    int  // tasks that it can take besides those that it has
	asking  bool // it waits for a task: one at a time
	fetched bool // it has the package of the hot problem
	fetches []func()
}

func (m *machine) ask() {
	if m.asking || m.free == 0 {
		return
	}
	m.asking = true
	m.after(m.RTT/2, func() {
		m.receivers.add(m)
		m.deliver()
	})
}

func (m *machine) receive(s *submission) {
	m.asking = false
	m.free--
	m.ask()
	if s.hot && !m.fetched {
		m.fetch(func() { m.judge(s) })
		return
	}
	m.judge(s)
}

// judge compiles a submission and runs its cases, each in a slot.
func (m *machine) judge(s *submission) {
	m.slots.serve(m.Compile, func() {
		left := m.Cases
		for range m.Cases {
			m.slots.serve(s.each, func() {
				if left--; left == 0 {
					m.finish(s)
				}
			})
		}
	})
}

// finish brings the result to the service. The task is done when the result is stored.
func (m *machine) finish(s *submission) {
	m.after(m.RTT/2, func() {
		m.store(m.results, m.costs.Push, text(m.Result), func() {
			m.answer(s)
			m.after(m.RTT/2, func() {
				m.free++
				m.ask()
			})
		})
	})
}

// fetch fetches the package of the hot problem, piece by piece, and opens it. Tasks that come meanwhile wait for
// it, too.
func (m *machine) fetch(then func()) {
	m.fetches = append(m.fetches, then)
	if len(m.fetches) > 1 {
		return
	}
	begun := m.now
	m.fetching++
	m.pieces(int((m.Package+PieceSize-1)/PieceSize), func() {
		m.after(m.Open, func() {
			m.fetched = true
			m.took(m.now - begun)
			for _, then := range m.fetches {
				then()
			}
		})
	})
}

// pieces fetches n pieces of a package, one after the other. A server with more cores serves more at a time.
func (m *machine) pieces(n int, done func()) {
	if n == 0 {
		done()
		return
	}
	cost := m.costs.Piece
	cost.Each = cost.Each * time.Duration(m.Constants.Cores) / time.Duration(m.Cores)
	m.after(m.RTT/2, func() {
		m.step(m.blobs, cost, 0, func() {
			m.send(text(PieceSize), func() {
				m.after(m.RTT/2, func() { m.pieces(n-1, done) })
			})
		})
	})
}
