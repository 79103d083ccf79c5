package main

import (
	"bytes"
	"math/rand/v2"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"
)

// benchmarkFamilies lists arguments of gen for inputs like those of the cases. The last three are
// as long as an input may be.
var benchmarkFamilies = []struct{ name, args string }{
	{"tiny", "tiny"},
	{"random-39x39", "random -mazes=32 -rows=39 -columns=39 -flips=0"},
	{"dead-39x39", "dead -mazes=20 -rows=39 -columns=39 -flips=900"},
	{"random-48480-flips", "random -mazes=1 -rows=39 -columns=39 -flips=48480"},
	{"first-48480-flips", "first -flips=48480"},
	{"live-48480-flips", "live -flips=48480"},
}

// BenchmarkSolve measures solve on whole inputs, from their bytes to those of the output.
// x-baseline is how many times as long brute takes for the same input, its start included.
func BenchmarkSolve(b *testing.B) {
	brute, gen := build(b, "brute"), build(b, "gen")
	for _, f := range benchmarkFamilies {
		b.Run(f.name, func(b *testing.B) {
			input, err := exec.Command(gen, append(strings.Fields(f.args), "-seed=1")...).Output()
			if err != nil {
				b.Fatal(err)
			}
			start := time.Now()
			_, want := filter(b, brute, input)
			baseline := float64(time.Since(start).Nanoseconds())

			for b.Loop() {
				if got, err := solve(bytes.NewReader(input)); err != nil || string(got) != want {
					b.Fatalf("error %v, or a picture that differs from brute's", err)
				}
			}
			each := float64(b.Elapsed().Nanoseconds()) / float64(b.N)
			puzzles := float64(strings.Count(want, "\n\n"))
			b.ReportMetric(each/puzzles, "ns/puzzle")
			b.ReportMetric(baseline/each, "x-baseline")
		})
	}
}

// BenchmarkFlip measures 50,000 flips of the longest list that an input can flip. x-baseline is how
// many times as long a plain reversal takes for the same flips.
func BenchmarkFlip(b *testing.B) {
	const length, flips = 1483, 50_000
	for _, f := range []struct {
		name     string
		position func(*rand.Rand) int
	}{
		{"random", func(random *rand.Rand) int { return 1 + random.IntN(length) }},
		{"first", func(*rand.Rand) int { return 1 }},
		{"near-the-end", func(random *rand.Rand) int { return length - random.IntN(40) }},
		{"near-the-start", func(random *rand.Rand) int { return 1 + random.IntN(40) }},
	} {
		b.Run(f.name, func(b *testing.B) {
			random := rand.New(rand.NewPCG(1, 2))
			positions := make([]int, flips)
			for i := range positions {
				positions[i] = f.position(random)
			}
			plain := make([]int, length)
			start := time.Now()
			for _, position := range positions {
				slices.Reverse(plain[position-1:])
			}
			baseline := float64(time.Since(start).Nanoseconds())

			var list pending
			for i := range length {
				list.add(i)
			}
			for b.Loop() {
				for _, position := range positions {
					list.flip(position)
				}
			}
			each := float64(b.Elapsed().Nanoseconds()) / float64(b.N)
			b.ReportMetric(each/flips, "ns/flip")
			b.ReportMetric(baseline/each, "x-baseline")
		})
	}
}
