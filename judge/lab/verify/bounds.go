package verify

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"tribunal/judge/internal/cases"
	"tribunal/judge/internal/problem"
)

// extent holds the smallest and the largest value of one quantity in an input.
type extent struct {
	name   string // of the quantity, such as N
	lo, hi int64
}

// parseExtents parses a validator's output, which has lines of the form NAME LO HI.
func parseExtents(text []byte) ([]extent, error) {
	var list []extent
	for line := range strings.Lines(string(text)) {
		words := strings.Fields(line)
		if len(words) != 3 {
			return nil, fmt.Errorf("%.60q is not NAME LO HI", line)
		}
		lo, err := strconv.ParseInt(words[1], 10, 64)
		hi, err2 := strconv.ParseInt(words[2], 10, 64)
		if err != nil || err2 != nil || lo > hi {
			return nil, fmt.Errorf("%.60q is not NAME LO HI", line)
		}
		list = append(list, extent{words[0], lo, hi})
	}
	return list, nil
}

// checkBounds finds bounds that no case reaches, and values that exceed them.
func checkBounds(ctx context.Context, s *subject) error {
	all, err := s.validate(ctx)
	if err != nil {
		return err
	}
	union := map[string]*extent{}
	valid := 0
	for _, v := range all {
		if v.valid {
			valid++
		}
		for _, e := range v.extents {
			s.checkWithin(v.c, e)
			if u := union[e.name]; u == nil {
				union[e.name] = &e
			} else {
				u.lo, u.hi = min(u.lo, e.lo), max(u.hi, e.hi)
			}
		}
	}
	if len(s.p.Bounds) == 0 && (s.p.Foreign() || !s.usesCheck()) {
		return nil
	}
	if valid < len(s.set.Cases) {
		s.note("not checked: whether some case reaches each bound, because only %d of %s could be validated", valid, plural(len(s.set.Cases), "case"))
		return nil
	}
	for _, b := range s.p.Bounds {
		missed := func(hint, format string, args ...any) {
			e := s.p.Errorf("bounds", hint, "%s: %s", b.Name, fmt.Sprintf(format, args...))
			e.Line = b.Line
			s.find(e)
		}
		const hint = "add a case, or correct the bound"
		u := union[b.Name]
		switch {
		case u == nil:
			missed("it must print a line NAME LO HI for each quantity in bounds", "check -input never prints it")
			continue
		case u.lo > b.Lo:
			missed(hint, "no case reaches %d, the smallest value is %d", b.Lo, u.lo)
		}
		if u.hi < b.Hi {
			missed(hint, "no case reaches %d, the largest value is %d", b.Hi, u.hi)
		}
	}
	return nil
}

// checkWithin finds a quantity of one input that has no bound, or that exceeds its bounds.
func (s *subject) checkWithin(c *cases.Case, e extent) {
	i := slices.IndexFunc(s.p.Bounds, func(b problem.Bound) bool { return b.Name == e.name })
	if i < 0 {
		s.find(s.p.Errorf("bounds", fmt.Sprintf("write %s: [smallest, largest]", e.name), "%s: check -input prints it, but it has no bound", e.name))
		return
	}
	if b := s.p.Bounds[i]; e.lo < b.Lo || e.hi > b.Hi {
		s.find(located(c.Errorf("input", "correct the case or the bound", "%s is %d to %d, beyond its bounds %d to %d", e.name, e.lo, e.hi, b.Lo, b.Hi)))
	}
}
