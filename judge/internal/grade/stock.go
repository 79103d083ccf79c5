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

// holding is a program that is open.
type holding struct {
	program *build.Program
	users   int
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
	s.held[i] = &holding{program: p}
}

// take returns a program that was built as p, open until it is given back.
func (s *stock) take(ctx context.Context, i int, p *build.Program) (*build.Program, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	h := s.held[i]
	if h == nil {
		again, err := s.builder.Reopen(ctx, s.submissions[i].Source, p)
		if err != nil {
			return nil, err
		}
		h = &holding{program: again}
		s.held[i] = h
	}
	h.users++
	return h.program, nil
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
		s.held[idle[0]].program.Close()
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
		errs = append(errs, h.program.Close())
	}
	clear(s.held)
	return errors.Join(errs...)
}
