package chart

import (
	"math"
	"strconv"
	"strings"
)

// Duration formats a time in ns with three digits, such as 1.35 ms.
func Duration(ns float64) string { return scaled(ns, []string{"ns", "µs", "ms", "s"}) }

// Count formats a number with three digits, such as 22.9 M.
func Count(n float64) string { return strings.TrimSpace(scaled(n, []string{"", "k", "M", "G"})) }

// scaled formats a value in the largest unit in which it is at least 1. Each unit is a thousand
// times the unit before.
func scaled(v float64, units []string) string {
	i := 0
	for i < len(units)-1 && v >= 999.5 {
		v /= 1000
		i++
	}
	return Digits(v) + " " + units[i]
}

// Digits formats a value with three significant digits, but keeps all digits before the point if it
// is below a million.
func Digits(v float64) string {
	if v >= 1e6 {
		return strconv.FormatFloat(v, 'g', 3, 64)
	}
	if v == math.Trunc(v) {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	places := 0
	for limit := 99.95; places < 3 && v < limit; limit /= 10 {
		places++
	}
	return strconv.FormatFloat(v, 'f', places, 64)
}

// Tick formats the value of a tick, without the noise of floating-point numbers.
func Tick(v float64) string { return strconv.FormatFloat(v, 'g', 6, 64) }
