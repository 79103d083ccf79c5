package pages

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	"tribunal/judge/judged/internal/course"
	"tribunal/judge/judged/internal/ledger"
	"tribunal/judge/judged/internal/service"
)

// board keeps the standings of a course, for those who look at them: they are made once for all, and again after
// changes, at most once in boardPause, and so rarely that all lookers together read at most boardRate.
type board struct {
	mu      sync.Mutex
	made    [2]piece      // for participants, and for teachers and observers
	changed chan struct{} // closed and replaced when they are made again
	lookers int
	last    time.Time // when the last looker left

	first sync.Once // makes them for the first time
	err   error     // of that
}

const (
	boardPause = 500 * time.Millisecond
	boardRate  = 16 << 20        // bytes a second
	boardLook  = 5 * time.Second // between two looks at what only time changes
	boardRest  = time.Minute     // after which a board that nobody looks at is given up
)

// look returns the board of a course, which is made if there is none. The caller calls leave.
func (p *Pages) look(id string) (b *board, leave func(), err error) {
	p.mu.Lock()
	b = p.boards[id]
	if b == nil {
		b = &board{changed: make(chan struct{})}
		p.boards[id] = b
	}
	b.mu.Lock()
	b.lookers++
	b.mu.Unlock()
	p.mu.Unlock()
	leave = func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.lookers--
		b.last = time.Now()
	}
	b.first.Do(func() {
		watch := p.o.Service.WatchCourse(id)
		if b.err = p.draw(id, b); b.err != nil {
			watch.Close()
			p.forget(id, b)
			return
		}
		go p.keep(id, b, watch)
	})
	if b.err != nil {
		leave()
		return nil, nil, b.err
	}
	return b, leave, nil
}

// forget gives a board up.
func (p *Pages) forget(id string, b *board) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.boards[id] == b {
		delete(p.boards, id)
	}
}

// idle gives a board up if nobody has looked at it for a while.
func (p *Pages) idle(id string, b *board) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.lookers > 0 || time.Since(b.last) <= boardRest {
		return false
	}
	delete(p.boards, id)
	return true
}

// keep makes the standings of a course again whenever something changes.
func (p *Pages) keep(id string, b *board, watch *service.Watch) {
	defer func() { watch.Close() }()
	for p.wait(watch) {
		select {
		case <-time.After(b.pause()): // more may happen meanwhile
		case <-p.ending.Done():
			return
		}
		watch.Close()
		watch = p.o.Service.WatchCourse(id)
		if err := p.draw(id, b); err != nil {
			p.o.Log.Warn("the standings cannot be made", "object", id, "error", err)
		}
		if p.idle(id, b) {
			return
		}
	}
}

// pause returns how long standings stay as they are.
func (b *board) pause() time.Duration {
	b.mu.Lock()
	defer b.mu.Unlock()
	return max(boardPause, time.Duration(b.lookers*len(b.made[0].zipped))*time.Second/boardRate)
}

// wait waits until something happens in a course, or may have by time alone. It returns false if the pages end.
func (p *Pages) wait(watch *service.Watch) bool {
	timer := time.NewTimer(boardLook)
	defer timer.Stop()
	select {
	case <-watch.C:
	case <-timer.C:
	case <-p.ending.Done():
		return false
	}
	return true
}

// draw makes the standings of a course, and wakes those who look at them if they differ.
func (p *Pages) draw(id string, b *board) (err error) {
	defer func() {
		if v := recover(); v != nil { // it must not end the service
			err = fmt.Errorf("a panic: %v", v)
		}
	}()
	c, err := p.o.Service.Course(id)
	if err != nil {
		return err
	}
	people := p.o.Service.People(id)
	list := p.o.Service.List(func(s *ledger.Submission) bool { return ledger.CourseOf(s.Submitter) == id && !s.Run }, "", 1<<30)
	shown := make([]ledger.Submission, len(list))
	for i := range list {
		shown[i] = reduced(&list[i], p.participantView(&c, list[i].Problem, list[i].Counts().Version))
	}
	b.mu.Lock()
	made := b.made
	b.mu.Unlock()
	changed := false
	for i, whole := range []bool{false, true} {
		list := list
		if !whole {
			list = shown
		}
		s := course.StandingsOf(&c, people, list, whole, p.o.Now())
		var text bytes.Buffer
		if err := p.templates.ExecuteTemplate(&text, "board", map[string]any{"Course": &c, "Standings": s, "Jury": whole}); err != nil {
			return err
		}
		if bytes.Equal(text.Bytes(), made[i].html) {
			continue
		}
		changed = true
		if made[i], err = newPiece("board", text.Bytes()); err != nil {
			return err
		}
	}
	if !changed {
		return nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.made = made
	close(b.changed)
	b.changed = make(chan struct{})
	return nil
}

// see returns the standings as a viewer may see them, and what is closed when they change.
func (b *board) see(whole bool) (piece, <-chan struct{}) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if whole {
		return b.made[1], b.changed
	}
	return b.made[0], b.changed
}

var errNoStandings = fail(http.StatusForbidden, "the standings of this course are for its teachers")

func (p *Pages) standingsPage(q *request) error {
	if !q.seesStandings() {
		return errNoStandings
	}
	b, leave, err := p.look(q.course.ID)
	if err != nil {
		return err
	}
	defer leave()
	made, _ := b.see(q.jury())
	return q.show("standings", "Standings", map[string]any{"Board": html(made.html)})
}

// standingsEvents sends the standings whenever they change.
func (p *Pages) standingsEvents(q *request) error {
	return q.follow(func(b *board) (piece, error) {
		if !q.seesStandings() {
			return piece{}, errNoStandings
		}
		made, _ := b.see(q.jury())
		return made, nil
	})
}

// follow sends what draw makes of the standings, again whenever they change, until draw returns an error or the viewer
// may not see it any more. An error of the first time is the answer.
func (q *request) follow(draw func(b *board) (piece, error)) error {
	b, leave, err := q.look(q.course.ID)
	if err != nil {
		return err
	}
	defer leave()
	_, changed := b.see(true)
	now, err := draw(b)
	if err != nil {
		return err
	}
	events, err := q.stream(true)
	if err != nil {
		return err
	}
	tick := time.NewTicker(q.beat)
	defer tick.Stop()
	var last []byte
	for err == nil {
		if !bytes.Equal(now.html, last) { // else when it comes says that something happened in a freeze
			if events.sendPiece("board", now) != nil {
				return nil
			}
			last = now.html
		}
		for wait := true; wait; {
			select {
			case <-changed:
				wait = false
			case <-tick.C:
				if q.still() != nil || !q.again() || events.send("alive", "") != nil {
					return nil
				}
			case <-q.ctx.Done():
				return nil
			case <-q.ending.Done():
				return nil
			}
		}
		if !q.again() {
			return nil
		}
		_, changed = b.see(true)
		now, err = draw(b)
	}
	return nil
}

// again looks again at the course and the viewer's role, and reports whether the viewer may still see standings.
func (q *request) again() bool {
	c, err := q.o.Service.Course(q.course.ID)
	if err != nil {
		return false
	}
	q.course = &c
	if q.person != nil {
		person, err := q.o.Service.Person(c.ID, q.viewer.Login)
		if err != nil {
			return false
		}
		q.person = &person
	}
	q.phase = course.PhaseOf(&c.Course, q.group(), q.o.Now())
	return q.jury() || !c.Archived && (q.person != nil || c.Standings == ledger.Public)
}

// still returns an error unless the viewer of a stream still may see it.
func (q *request) still() error {
	was := q.viewer
	q.viewer = viewer{}
	if err := q.recognize(); err != nil && !errors.Is(err, context.Canceled) {
		return nil // what cannot be verified now was valid before
	}
	if q.viewer != was {
		return errNoPage
	}
	return nil
}
