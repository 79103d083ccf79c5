package chart

import (
	"math"
	"slices"
)

// Axis maps values to coordinates of a picture. It extends from its first to its last tick.
type Axis struct {
	Title    string
	Ticks    []float64            // at least two values, in increasing order
	Show     func(float64) string // formats the value of a tick
	Log      bool                 // whether the scale is logarithmic
	From, To float64              // the coordinates of the first and the last tick
}

// At returns the coordinate of a value.
func (a Axis) At(v float64) float64 {
	low, high := a.Ticks[0], a.Ticks[len(a.Ticks)-1]
	if a.Log {
		v, low, high = math.Log(v), math.Log(low), math.Log(high)
	}
	return a.From + (a.To-a.From)*(v-low)/(high-low)
}

// Room returns the width that the labels of a vertical axis need to its left.
func (a Axis) Room() float64 {
	widest := 0.0
	for _, v := range a.Ticks {
		widest = max(widest, WidthOf(a.Show(v)))
	}
	return widest + 14
}

const mostTicks = 9 // the largest number of ticks of an axis

// LogTicks returns ticks for a logarithmic axis that cover low to high, which must be positive: 1,
// 2 and 5 times the powers of ten or, if these are too many, every first, second, fourth … power of
// ten.
func LogTicks(low, high float64) []float64 {
	steps := []func(i int) float64{
		func(i int) float64 { return []float64{1, 2, 5}[(i%3+3)%3] * math.Pow10((i-(i%3+3)%3)/3) },
	}
	for powers := 1; powers <= 308; powers *= 2 {
		steps = append(steps, func(i int) float64 { return math.Pow10(i * powers) })
	}
	var ticks []float64
	for _, step := range steps {
		if ticks = between(step, low, high); len(ticks) <= mostTicks {
			break
		}
	}
	return ticks
}

// LinearTicks returns ticks for a linear axis: round numbers from 0 to at least high, which must be
// positive.
func LinearTicks(high float64) []float64 {
	var ticks []float64
	for i := -30; ; i++ {
		size := []float64{1, 2, 5}[(i%3+3)%3] * math.Pow10((i-(i%3+3)%3)/3)
		if ticks = between(func(i int) float64 { return float64(i) * size }, 0, high); len(ticks) <= mostTicks {
			return ticks
		}
	}
}

// between returns successive values of number, an increasing function, that enclose low to high: at
// least two values. It stops early if there are more than mostTicks.
func between(number func(i int) float64, low, high float64) []float64 {
	i := 0
	for number(i) <= low {
		i++
	}
	for number(i) > low {
		i--
	}
	ticks := []float64{number(i)}
	for len(ticks) < 2 || ticks[len(ticks)-1] < high && len(ticks) <= mostTicks {
		i++
		ticks = append(ticks, number(i))
	}
	return ticks
}

// Range returns the smallest and the largest of the positive values in vs, because a logarithmic
// axis shows only these. ok is false if there are none.
func Range(vs []float64) (low, high float64, ok bool) {
	vs = slices.DeleteFunc(slices.Clone(vs), func(v float64) bool { return v <= 0 })
	if len(vs) == 0 {
		return 0, 0, false
	}
	return slices.Min(vs), slices.Max(vs), true
}
