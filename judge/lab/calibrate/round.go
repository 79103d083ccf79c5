package calibrate

import (
	"math"
	"time"

	"tribunal/judge/internal/limits"
)

// A scale is a set of round numbers. up returns the smallest number of the set that is at least v.
// down returns the largest that is at most v, or 0 if there is none.
type scale struct {
	up, down func(v int64) int64
}

// multiples returns the scale of the positive multiples of a number.
func multiples(of int64) scale {
	return scale{
		func(v int64) int64 { return max((v+of-1)/of, 1) * of },
		func(v int64) int64 { return v / of * of },
	}
}

// digits returns the scale of the numbers with at most n significant digits.
func digits(n int) scale {
	unit := func(v int64) int64 {
		u := int64(1)
		for v/u >= int64(math.Pow10(n)) {
			u *= 10
		}
		return u
	}
	return scale{
		func(v int64) int64 { return multiples(unit(v)).up(v) },
		func(v int64) int64 { return multiples(unit(v)).down(v) },
	}
}

// steps returns the scale of the numbers f·unit·base^k with f from firsts and k ≥ 0. firsts must be
// ascending and less than base.
func steps(unit, base int64, firsts ...int64) scale {
	all := func(until int64) (list []int64) {
		for u := unit; ; u *= base {
			for _, f := range firsts {
				list = append(list, f*u)
				if f*u > until {
					return list
				}
			}
		}
	}
	return scale{
		func(v int64) int64 { list := all(v - 1); return list[len(list)-1] },
		func(v int64) int64 {
			list := all(v)
			if len(list) < 2 {
				return 0
			}
			return list[len(list)-2]
		},
	}
}

// either returns the union of scales.
func either(scales ...scale) scale {
	return scale{
		func(v int64) int64 {
			least := int64(math.MaxInt64)
			for _, s := range scales {
				least = min(least, s.up(v))
			}
			return least
		},
		func(v int64) int64 {
			most := int64(0)
			for _, s := range scales {
				most = max(most, s.down(v))
			}
			return most
		},
	}
}

// The scales of limits, the roundest numbers first.
var (
	times = []scale{
		either(steps(int64(time.Millisecond), 10, 1, 2, 5), multiples(int64(time.Second))),
		digits(1), digits(2), digits(3), multiples(int64(time.Millisecond)),
	}
	sizes = []scale{
		steps(int64(limits.MiB), 2, 1), multiples(64 * int64(limits.MiB)), multiples(int64(limits.MiB)),
	}
)

// nearest returns the present number if it is between least and most, and otherwise the nearest
// number between them of the first scale that has one. If no scale has one, it returns least; if
// least exceeds most, it returns 0.
func nearest(scales []scale, present, least, most int64) int64 {
	switch {
	case least > most:
		return 0
	case least <= present && present <= most:
		return present
	}
	for _, s := range scales {
		v := s.up(least)
		if present > most {
			v = s.down(most)
		}
		if least <= v && v <= most && v > 0 {
			return v
		}
	}
	return least
}
