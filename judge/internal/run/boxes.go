package run

import (
	"errors"
	"fmt"

	"tribunal/judge/internal/sandbox"
)

// boxCache holds the boxes of one slot, which are open for the next runs of the same programs.
type boxCache struct {
	boxes map[string]sandbox.Box
	order []string
}

// cacheSize is how many boxes of different programs a slot keeps open.
const cacheSize = 4

// boxKey is the same for specs that can share a box.
func boxKey(spec sandbox.Spec) string { return fmt.Sprintf("%#v", spec) }

// box returns a box for the spec, opening one when there is none.
func (s *boxCache) box(host Host, spec sandbox.Spec) (sandbox.Box, string, error) {
	key := boxKey(spec)
	if b := s.boxes[key]; b != nil {
		return b, key, nil
	}
	if len(s.order) >= cacheSize {
		s.drop(s.order[0])
	}
	b, err := host.NewBox(spec)
	if err != nil {
		return nil, "", err
	}
	if s.boxes == nil {
		s.boxes = map[string]sandbox.Box{}
	}
	s.boxes[key] = b
	s.order = append(s.order, key)
	return b, key, nil
}

// failed throws a box away whose run failed, unless only the program did not start.
func (s *boxCache) failed(key string, err error) {
	if start := (*sandbox.StartError)(nil); !errors.As(err, &start) {
		s.drop(key)
	}
}

func (s *boxCache) drop(key string) {
	if b := s.boxes[key]; b != nil {
		b.Close()
		delete(s.boxes, key)
	}
	for i, k := range s.order {
		if k == key {
			s.order = append(s.order[:i], s.order[i+1:]...)
			return
		}
	}
}

func (s *boxCache) close() error {
	var errs []error
	for _, b := range s.boxes {
		errs = append(errs, b.Close())
	}
	*s = boxCache{}
	return errors.Join(errs...)
}
