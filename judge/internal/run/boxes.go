package run

import (
	"errors"
	"fmt"
	"slices"

	"tribunal/judge/internal/sandbox"
)

// boxCache holds the boxes of one slot, which are open for the next runs of the same programs.
type boxCache struct {
	boxes map[string]sandbox.Box
	order []string
}

// cacheSize is how many boxes of different programs a slot keeps open.
const cacheSize = 4

// boxKey is the same for specs that can share a box, unless one is of a partner, which runs at
// the same time.
func boxKey(spec sandbox.Spec, partner bool) string { return fmt.Sprintf("%v %#v", partner, spec) }

// box returns the box of a key that [boxKey] has made of the spec, opening one when there is
// none. The one that was used the longest ago makes room.
func (s *boxCache) box(host Host, key string, spec sandbox.Spec) (sandbox.Box, error) {
	if b := s.boxes[key]; b != nil {
		s.order = append(slices.DeleteFunc(s.order, func(k string) bool { return k == key }), key)
		return b, nil
	}
	if len(s.order) >= cacheSize {
		s.drop(s.order[0])
	}
	b, err := host.NewBox(spec)
	if err != nil {
		return nil, err
	}
	if s.boxes == nil {
		s.boxes = map[string]sandbox.Box{}
	}
	s.boxes[key] = b
	s.order = append(s.order, key)
	return b, nil
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
	s.order = slices.DeleteFunc(s.order, func(k string) bool { return k == key })
}

func (s *boxCache) close() error {
	var errs []error
	for _, b := range s.boxes {
		errs = append(errs, b.Close())
	}
	*s = boxCache{}
	return errors.Join(errs...)
}
