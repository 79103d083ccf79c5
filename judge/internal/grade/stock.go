package grade

import (
	"context"
	"errors"
	"slices"
	"sync"

	"tribunal/judge/internal/build"
)

// maxIdle is how many programs stay open that are not running, so that descriptors do not
// grow with the number of submissions.
const maxIdle = 8

// stock holds programs of submissions open, by their indices: those that run, and a few
// besides. Others are opened again when they are needed. It is safe for concurrent use.
type stock struct {
	builder     *build.Builder
	submissions []Submission

	mu   sync.Mutex
	held map[int]*holding
}

// holding is a program that is open, or being opened.
type holding struct {
	users int
	open  func() (*build.Program, error) // does so the first time
}

// close closes the program, of which there are no users.
func (h *holding) close() error {
	p, err := h.open()
	if err != nil {
		return nil // it is not open
	}
	return p.Close()
}

func newStock(b *build.Builder, list []Submission) *stock {
	return &stock{builder: b, submissions: list, held: map[int]*holding{}}
}

// keep takes over a program that has just been built.
func (s *stock) keep(i int, p *build.Program) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.held) >= maxIdle {
		p.Close()
		return
	}
	s.held[i] = &holding{open: func() (*build.Program, error) { return p, nil }}
}

// take returns a program that was built as p, open until it is given back.
func (s *stock) take(ctx context.Context, i int, p *build.Program) (*build.Program, error) {
	s.mu.Lock()
	h := s.held[i]
	if h == nil {
		h = &holding{open: sync.OnceValues(func() (*build.Program, error) {
			return s.builder.Reopen(ctx, s.submissions[i].Source, p)
		})}
		s.held[i] = h
	}
	h.users++
	s.mu.Unlock()
	program, err := h.open() // which may have to compile it: others need not wait for that
	if err != nil {
		s.failed(i, h)
	}
	return program, err
}

// failed forgets a program that could not be opened.
func (s *stock) failed(i int, h *holding) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.held[i] == h {
		delete(s.held, i)
	}
}

// give gives a program back. Of those that are idle then, the first submissions' go first:
// they have been judged.
func (s *stock) give(i int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.held[i].users--
	var idle []int
	for k, h := range s.held {
		if h.users == 0 {
			idle = append(idle, k)
		}
	}
	slices.Sort(idle)
	for len(idle) > maxIdle {
		s.held[idle[0]].close()
		delete(s.held, idle[0])
		idle = idle[1:]
	}
}

// close closes all programs, those in use as well.
func (s *stock) close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	var errs []error
	for _, h := range s.held {
		errs = append(errs, h.close())
	}
	clear(s.held)
	return errors.Join(errs...)
}
