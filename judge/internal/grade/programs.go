package grade

import (
	"context"
	"errors"
	"slices"
	"sync"

	"tribunal/judge/internal/build"
)

// maxIdle is how many programs stay open while they are not running. It keeps the number of open
// descriptors independent of the number of submissions.
const maxIdle = 8

// programs holds the programs of submissions open, by index: those in use and a few idle ones.
// Others are opened again when they are needed. It is safe for concurrent use.
type programs struct {
	builder     *build.Builder
	submissions []Submission

	mu   sync.Mutex
	open map[int]*openProgram
}

// openProgram is a program that is open, or being opened.
type openProgram struct {
	users int
	open  func() (*build.Program, error) // opens the program at the first call
}

func (h *openProgram) close() error {
	p, err := h.open()
	if err != nil {
		return nil // acquire has reported it
	}
	return p.Close()
}

func newPrograms(b *build.Builder, list []Submission) *programs {
	return &programs{builder: b, submissions: list, open: map[int]*openProgram{}}
}

// add takes over a program that has just been built.
func (s *programs) add(i int, p *build.Program) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.open) >= maxIdle {
		p.Close()
		return
	}
	s.open[i] = &openProgram{open: func() (*build.Program, error) { return p, nil }}
}

// acquire returns the program of submission i, which was built as p. It opens the program again if
// necessary, and keeps it open until release.
func (s *programs) acquire(ctx context.Context, i int, p *build.Program) (*build.Program, error) {
	s.mu.Lock()
	h := s.open[i]
	if h == nil {
		h = &openProgram{open: sync.OnceValues(func() (*build.Program, error) {
			return s.builder.Reopen(ctx, s.submissions[i].Source, p)
		})}
		s.open[i] = h
	}
	h.users++
	s.mu.Unlock()
	program, err := h.open() // outside of the lock, because it may have to compile
	if err != nil {
		s.failed(i, h)
	}
	return program, err
}

// failed removes a program that could not be opened.
func (s *programs) failed(i int, h *openProgram) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.open[i] == h {
		delete(s.open, i)
	}
}

// release ends one use of a program. If more than maxIdle programs are idle, it closes those of the
// first submissions, which have been judged.
func (s *programs) release(i int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open[i].users--
	var idle []int
	for k, h := range s.open {
		if h.users == 0 {
			idle = append(idle, k)
		}
	}
	slices.Sort(idle)
	for len(idle) > maxIdle {
		s.open[idle[0]].close()
		delete(s.open, idle[0])
		idle = idle[1:]
	}
}

// close closes all programs, even those in use.
func (s *programs) close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	var errs []error
	for _, h := range s.open {
		errs = append(errs, h.close())
	}
	clear(s.open)
	return errors.Join(errs...)
}
