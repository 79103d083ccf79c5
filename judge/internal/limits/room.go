package limits

import "time"

// This file derives limits from measurements, by the default factors of Kattis (time_multipliers of
// the problem package format): a program that is accepted is also accepted on a machine half as
// fast, and one that is too slow is still stopped on a machine one and a half times as fast.

// Least returns the smallest limit that leaves accepted programs enough room: twice their largest
// need.
func Least[T ~int64](need T) T { return 2 * need }

// Tight reports whether a limit is set and smaller than Least.
func Tight[T ~int64](limit, need T) bool { return limit > 0 && Least(need) > limit }

// Near reports whether an amount is within a fifth of a limit, if there is one. A program that needs
// so much may exceed the limit on one machine and not on another, or in one run and not in the next.
func Near[T ~int64](limit, used T) bool {
	return limit > 0 && 5*max(limit-used, used-limit) <= limit
}

// Past returns the largest time that is [Near] a limit.
func Past(limit time.Duration) time.Duration { return limit + limit/5 }

// Beyond returns the least running time with which a program certainly exceeds a time limit: one
// and a half times the limit.
func Beyond(limit time.Duration) time.Duration { return limit + limit/2 }

// Most returns the largest time limit that a program of this running time certainly exceeds.
func Most(slow time.Duration) time.Duration { return slow - (slow+2)/3 }
