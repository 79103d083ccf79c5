package scale

import (
	"time"

	"tribunal/judge/internal/limits"
)

// Numbers of package service: judgings that a leader hands out at a time, answers that a service takes at a time,
// tasks that a worker performs at a time beyond its slots, and how many of all these places are kept for others.
const (
	handOuts  = 16
	answerers = 32
	spare     = 3
	kept      = 2
)

// domain is a JetStream domain with its service and its workers.
type domain struct {
	*run
	costs *Costs

	clients *station // those that hand in at a time
	cpu     *station // the cores of the servers and of the service
	link    *station // what the leading server sends
	ledger  *station
	fold    *station // the service as it follows the ledger
	leader  *station
	work    *station // the queue of tasks
	results *station
	answers *station // as many results as a service takes at a time
	blobs   *station
	workers []*machine

	waiting   line[*submission] // for the leader
	handing   bool              // the leader hands out some
	out, most int               // tasks that are out, and how many may be
	tasks     line[*submission]
	receivers line[*machine] // that wait for a task
	done      int            // judgings since the measurement began
}

// submission is a submission on its way.
type submission struct {
	born time.Duration
	hot  bool
	each time.Duration // what one of its cases takes
}

func newDomain(r *run, machines int) *domain {
	d := &domain{run: r, costs: &r.Constants.Single, most: max(2, machines*(r.Slots+spare)-kept)}
	if r.Servers > 1 {
		d.costs = &r.Constants.Cluster
	}
	for _, s := range []struct {
		to      **station
		servers int
	}{
		{&d.clients, r.Clients}, {&d.cpu, r.Servers * r.Cores}, {&d.link, 1}, {&d.ledger, 1}, {&d.fold, 1}, {&d.leader, handOuts}, {&d.work, 1},
		{&d.results, 1}, {&d.answers, answerers}, {&d.blobs, 1},
	} {
		*s.to = newStation(&r.clock, s.servers)
	}
	for range machines {
		m := &machine{domain: d, slots: newStation(&r.clock, r.Slots), free: r.Slots + spare}
		d.workers = append(d.workers, m)
		m.ask()
	}
	return d
}

// step lets a station do a step, with a record or message of this size, and then calls done.
func (d *domain) step(at *station, s Step, size limits.Bytes, done func()) {
	at.serve(d.around(s.Each+time.Duration(float64(s.PerKiB)*float64(size)/1024), s.Spread), func() {
		d.after(d.around(s.Delay, s.Spread), done)
	})
}

// send lets the leading server send a number of bytes, and then calls done.
func (d *domain) send(size limits.Bytes, done func()) {
	d.link.serve(time.Duration(float64(size)*8/d.Link*float64(time.Second)), done)
}

// store lets a station store a message on all servers. The leading server has it when the others have it, and the
// service when a server has told it, unless both are in the same process.
func (d *domain) store(at *station, s Step, size limits.Bytes, done func()) {
	d.send(size*limits.Bytes(d.Servers-1), func() {
		d.step(at, s, size, func() { d.after(d.far(2), done) })
	})
}

// far returns the time of some round trips between the servers: 0 if there is only one server.
func (d *domain) far(ways int) time.Duration {
	if d.Servers == 1 {
		return 0
	}
	return time.Duration(ways) * d.RTT
}

// submit takes a submission. It is acknowledged when it is in the ledger.
func (d *domain) submit(s *submission) {
	d.clients.acquire(func() {
		d.step(d.cpu, d.costs.Submit, d.Source, func() {
			d.store(d.ledger, d.costs.Append, text(d.Source), func() {
				d.clients.release()
				d.acknowledged(s)
				d.follow(text(d.Source), func() {
					d.waiting.add(s)
					d.lead()
				})
			})
		})
	})
}

// follow brings a record of the ledger to the service.
func (d *domain) follow(size limits.Bytes, done func()) {
	d.send(size, func() { d.step(d.fold, d.costs.Fold, size, done) })
}

// lead hands out what waits, as long as the workers need more: some at a time, and the next when all of them are in
// the queue.
func (d *domain) lead() {
	n := min(handOuts, d.most-d.out, d.waiting.len())
	if d.handing || n <= 0 {
		return
	}
	d.handing = true
	d.out += n
	left := n
	for range n {
		s, _ := d.waiting.take()
		d.leader.acquire(func() {
			d.handOut(s, func() {
				d.leader.release()
				if left--; left == 0 {
					d.handing = false
					d.lead()
				}
			})
		})
	}
}

// handOut reads what was handed in, and puts a task into the queue.
func (d *domain) handOut(s *submission, done func()) {
	d.step(d.cpu, half(d.costs.Judge), d.Source, func() {
		d.after(d.far(1)+d.around(d.costs.Read.Delay, d.costs.Read.Spread), func() {
			d.store(d.work, d.costs.Push, text(d.Source), func() {
				done()
				d.tasks.add(s)
				d.deliver()
			})
		})
	})
}

// text returns the size of so many bytes in JSON.
func text(size limits.Bytes) limits.Bytes { return size * 4 / 3 }

func half(s Step) Step {
	s.Each, s.PerKiB, s.Delay = s.Each/2, s.PerKiB/2, s.Delay/2
	return s
}

// deliver brings tasks to workers that wait for one. When the queue is empty, the server looks at all that go on
// waiting.
func (d *domain) deliver() {
	for d.tasks.len() > 0 && d.receivers.len() > 0 {
		s, _ := d.tasks.take()
		m, _ := d.receivers.take()
		cost := d.costs.Deliver
		if d.tasks.len() == 0 {
			cost.Each += time.Duration(d.receivers.len()) * d.costs.Waiting.Each
		}
		d.step(d.work, cost, text(d.Source), func() {
			d.send(text(d.Source), func() { d.after(d.RTT/2, func() { m.receive(s) }) })
		})
	}
}

// answer takes the result of a judging.
func (d *domain) answer(s *submission) {
	d.answers.acquire(func() {
		d.step(d.results, d.costs.Deliver, text(d.Result), func() {
			d.after(d.far(1), func() { d.record(s) })
		})
	})
}

// record writes a result into the ledger. The service waits until it follows.
func (d *domain) record(s *submission) {
	d.step(d.cpu, half(d.costs.Judge), d.Result, func() {
		d.store(d.ledger, d.costs.Append, text(d.Result), func() {
			d.follow(text(d.Result), func() {
				d.answers.release()
				d.out--
				d.ended(s)
				d.lead()
			})
		})
	})
}
