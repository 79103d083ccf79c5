package pages

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"sync"
	"time"

	"tribunal/judge/judged/internal/course"
	"tribunal/judge/judged/internal/ledger"
	"tribunal/judge/judged/internal/service"
)

// board keeps the standings of a course, for those who look at them: they are made once for all, and again after
// changes, at most once in boardPause.
type board struct {
	mu      sync.Mutex
	made    [2]drawn      // for participants, and for teachers and observers
	changed chan struct{} // closed and replaced when they are made again
	lookers int
	last    time.Time // when the last looker left
}

// drawn is a table of standings as HTML.
type drawn struct {
	html   []byte
	frozen bool
}

const (
	boardPause = 500 * time.Millisecond
	boardLook  = 5 * time.Second // between two looks at what only time changes
	boardRest  = time.Minute     // after which a board that nobody looks at is given up
)

// look returns the board of a course, which is made if there is none. The caller calls leave.
func (p *Pages) look(id string) (b *board, leave func(), err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	b = p.boards[id]
	if b == nil {
		b = &board{changed: make(chan struct{})}
		watch := p.o.Service.WatchCourse(id)
		if err := p.draw(id, b); err != nil {
			watch.Close()
			return nil, nil, err
		}
		p.boards[id] = b
		go p.keep(id, b, watch)
	}
	b.mu.Lock()
	b.lookers++
	b.mu.Unlock()
	return b, func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.lookers--
		b.last = time.Now()
	}, nil
}

// keep makes the standings of a course again whenever something changes.
func (p *Pages) keep(id string, b *board, watch *service.Watch) {
	defer func() {
		watch.Close()
		p.mu.Lock()
		defer p.mu.Unlock()
		delete(p.boards, id)
	}()
	for p.wait(watch) {
		select {
		case <-time.After(boardPause): // more may happen meanwhile
		case <-p.ending.Done():
			return
		}
		watch.Close()
		watch = p.o.Service.WatchCourse(id)
		if err := p.draw(id, b); err != nil {
			p.o.Log.Warn("the standings cannot be made", "object", id, "error", err)
		}
		b.mu.Lock()
		over := b.lookers == 0 && time.Since(b.last) > boardRest
		b.mu.Unlock()
		if over {
			return
		}
	}
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
func (p *Pages) draw(id string, b *board) error {
	c, err := p.o.Service.Course(id)
	if err != nil {
		return err
	}
	people := p.o.Service.People(id)
	list := p.o.Service.List(func(s *ledger.Submission) bool { return ledger.OwnerOf(s.Submitter) == id && !s.Run }, "", 1<<30)
	var made [2]drawn
	for i, whole := range []bool{false, true} {
		s := course.StandingsOf(&c, people, list, whole, p.o.Now())
		var text bytes.Buffer
		if err := p.templates.ExecuteTemplate(&text, "board", map[string]any{"Course": &c, "Standings": s, "Jury": whole}); err != nil {
			return err
		}
		made[i] = drawn{text.Bytes(), s.Frozen}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if bytes.Equal(made[0].html, b.made[0].html) && bytes.Equal(made[1].html, b.made[1].html) {
		return nil
	}
	b.made = made
	close(b.changed)
	b.changed = make(chan struct{})
	return nil
}

// see returns the standings as a viewer may see them, and what is closed when they change.
func (b *board) see(whole bool) (drawn, <-chan struct{}) {
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
	return q.show("standings", "Standings", map[string]any{"Board": html(made.html), "Frozen": made.frozen})
}

// standingsEvents sends the standings whenever they change.
func (p *Pages) standingsEvents(q *request) error {
	return q.follow(func(b *board) (string, error) {
		if !q.seesStandings() {
			return "", errNoStandings
		}
		made, _ := b.see(q.jury())
		return string(made.html), nil
	})
}

// follow sends what draw makes of the standings, again whenever they change, until draw returns an error or the viewer
// may not see it any more. An error of the first time is the answer.
func (q *request) follow(draw func(b *board) (string, error)) error {
	b, leave, err := q.look(q.course.ID)
	if err != nil {
		return err
	}
	defer leave()
	_, changed := b.see(true)
	text, err := draw(b)
	if err != nil {
		return err
	}
	send, err := q.stream()
	if err != nil {
		return err
	}
	tick := time.NewTicker(beat)
	defer tick.Stop()
	for err == nil && send("board", text) == nil {
		for wait := true; wait; {
			select {
			case <-changed:
				wait = false
			case <-tick.C:
				if err := q.still(); err != nil || send("alive", "") != nil {
					return nil
				}
			case <-q.ctx.Done():
				return nil
			case <-q.ending.Done():
				return nil
			}
		}
		if q.person != nil { // whose role may have changed
			person, err := q.o.Service.Person(q.course.ID, q.viewer.Login)
			if err != nil {
				return nil
			}
			q.person = &person
		}
		_, changed = b.see(true)
		text, err = draw(b)
	}
	return nil
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
