package main

import (
	"bytes"
	"fmt"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// benchmarkFamilies lists arguments of gen for inputs like those of the cases. The field makes the
// search meet the most states that it can meet.
var benchmarkFamilies = []struct{ name, args string }{
	{"random-10x10", "random -side=10 -mazes=1000"},
	{"none-10x10", "none -side=10 -mazes=1000"},
	{"wide-10x10", "wide -mazes=40"},
	{"wide-solved-10x10", "wide -solved=1 -mazes=10"},
	{"length-101", "length -positions=101 -mazes=5"},
	{"wild-10x10", ""},
}

// wildField returns mazes of wild squares around a start square. The only way to the others is a
// square with number n: a die with n on top can roll onto it, but none can come back, because a die
// on that square has n on its side.
func wildField(count int) string {
	const n = 3
	rows := make([][]string, 10)
	for i := range rows {
		rows[i] = strings.Fields(strings.Repeat("-1 ", 10))
	}
	rows[0][0], rows[0][1], rows[1][0] = fmt.Sprint(n), fmt.Sprint(n), "0"
	var maze strings.Builder
	fmt.Fprintf(&maze, "WILD\n10 10 1 1 %d 1\n", n)
	for _, row := range rows {
		fmt.Fprintln(&maze, strings.Join(row, " "))
	}
	return strings.Repeat(maze.String(), count) + "END\n"
}

// alone splits an input into inputs of one maze each.
func alone(in string) []string {
	var inputs []string
	lines := strings.SplitAfter(in, "\n")
	for lines[0] != "END\n" {
		var rows int
		fmt.Sscan(lines[1], &rows)
		inputs = append(inputs, strings.Join(lines[:2+rows], "")+"END\n")
		lines = lines[2+rows:]
	}
	return inputs
}

// BenchmarkSolve measures solve, from the bytes of the input to those of the output, with all mazes
// of a family in one input. worst-ns/puzzle is the fastest time of the maze that takes longest
// alone. x-baseline is how many times as long brute takes for the same input, its start included.
func BenchmarkSolve(b *testing.B) {
	brute, gen := program(b, "brute"), program(b, "gen")
	for _, f := range benchmarkFamilies {
		b.Run(f.name, func(b *testing.B) {
			in := wildField(20)
			if f.args != "" {
				out, err := exec.Command(gen, append(strings.Fields(f.args), "-seed=1")...).Output()
				if err != nil {
					b.Fatal(err)
				}
				in = string(out)
			}
			inputs := alone(in)

			cmd := exec.Command(brute)
			cmd.Stdin = strings.NewReader(in)
			start := time.Now()
			want, err := cmd.Output()
			if err != nil {
				b.Fatal(err)
			}
			baseline := float64(time.Since(start).Nanoseconds()) / float64(len(inputs))

			worst := time.Duration(0)
			for _, in := range inputs {
				best := time.Hour
				for range 100 {
					start := time.Now()
					if _, err := solve(strings.NewReader(in)); err != nil {
						b.Fatal(err)
					}
					best = min(best, time.Since(start))
				}
				worst = max(worst, best)
			}
			for b.Loop() {
				if got, err := solve(strings.NewReader(in)); err != nil || !bytes.Equal(got, want) {
					b.Fatalf("error %v, or another answer than that of brute", err)
				}
			}
			each := float64(b.Elapsed().Nanoseconds()) / float64(b.N) / float64(len(inputs))
			b.ReportMetric(each, "ns/puzzle")
			b.ReportMetric(float64(worst.Nanoseconds()), "worst-ns/puzzle")
			b.ReportMetric(baseline/each, "x-baseline")
		})
	}
}

// BenchmarkWalk measures the search alone, on the field that makes it meet the most states.
func BenchmarkWalk(b *testing.B) {
	mazes, err := readMazes(strings.NewReader(wildField(1)))
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if walk := mazes[0].walk(); walk != nil {
			b.Fatal(walk)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N), "ns/puzzle")
}
