package limits

import "time"

// The rule for limits has the factors that Kattis uses by default (time_multipliers of
// the problem package format): what is accepted is accepted on a machine half as fast,
// and what is too slow is stopped on one that is half as fast again.

// Least returns the smallest limit that leaves what accepted programs need room enough:
// twice as much.
func Least[T ~int64](need T) T { return 2 * need }

// Tight reports whether a limit, if there is one, is less than the least.
func Tight[T ~int64](limit, need T) bool { return limit > 0 && Least(need) > limit }

// Beyond returns how long a program has to take for a time limit to stop it for sure:
// one and a half times as long.
func Beyond(limit time.Duration) time.Duration { return limit + limit/2 }

// Most returns the largest time limit that stops for sure what takes so long.
func Most(slow time.Duration) time.Duration { return slow - (slow+2)/3 }
