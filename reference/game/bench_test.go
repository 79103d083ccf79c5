package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// firstGame is an environment variable. If it is set, the test binary solves the game on standard
// input and writes the nanoseconds that this took to standard error; see BenchmarkFirstGame.
const firstGame = "TRIBUNAL_FIRST_GAME"

func TestMain(m *testing.M) {
	if os.Getenv(firstGame) == "" {
		os.Exit(m.Run())
	}
	start := time.Now()
	status := run(os.Stdin, os.Stdout, os.Stderr)
	fmt.Fprint(os.Stderr, time.Since(start).Nanoseconds())
	os.Exit(status)
}

// benchmarkFamilies lists arguments of gen for games like those of the cases.
var benchmarkFamilies = []struct{ name, args string }{
	{"random", "random"},
	{"cross-far", "far -pattern=010111010"},
	{"ones-14-moves", "exact -moves=14 -pattern=111111111"},
	{"rank-9", "far -pattern=100000000"},
	{"impossible", "impossible"},
	{"zero", "zero"},
}

// generated returns inputs of a family, each with one game.
func generated(b *testing.B, gen tool, args string, count int) []string {
	b.Helper()
	inputs := make([]string, count)
	for i := range inputs {
		var status int
		if inputs[i], status = gen.run(b, "", append(strings.Fields(args), fmt.Sprint("-seed=", i+1))...); status != 0 {
			b.Fatalf("gen %s: status %d", args, status)
		}
	}
	return inputs
}

// BenchmarkSolve measures solve, from the bytes of the input to those of the output, on 20 games in
// turn. x-baseline is how many times as long brute takes for the same games, its start and its
// output included.
func BenchmarkSolve(b *testing.B) {
	gen, brute := buildTool(b, "gen"), buildTool(b, "brute")
	for _, f := range benchmarkFamilies {
		b.Run(f.name, func(b *testing.B) {
			inputs := generated(b, gen, f.args, 20)
			const rounds = 20 // makes the time that brute takes to start negligible
			many := strings.Repeat(strings.Join(inputs, ""), rounds)
			start := time.Now()
			brute.run(b, many)
			baseline := float64(time.Since(start).Nanoseconds()) / float64(rounds*len(inputs))

			worst := time.Duration(0)
			for _, input := range inputs {
				best := time.Hour
				for range 100 {
					start := time.Now()
					if _, err := solve(strings.NewReader(input)); err != nil {
						b.Fatal(err)
					}
					best = min(best, time.Since(start))
				}
				worst = max(worst, best)
			}
			i := 0
			for b.Loop() {
				if _, err := solve(strings.NewReader(inputs[i%len(inputs)])); err != nil {
					b.Fatal(err)
				}
				i++
			}
			each := float64(b.Elapsed().Nanoseconds()) / float64(b.N)
			b.ReportMetric(each, "ns/puzzle")
			b.ReportMetric(float64(worst.Nanoseconds()), "worst-ns/puzzle")
			b.ReportMetric(baseline/each, "x-baseline")
		})
	}
}

// BenchmarkFirstGame measures the only game of a fresh process: all of run, from reading standard
// input to writing standard output, with cold caches. ns/op is the wall-clock time of the whole
// process. Other processes may disturb a start, so ns/puzzle is the median of all starts, and
// worst-ns/puzzle the time of the slowest game, each at its fastest start.
func BenchmarkFirstGame(b *testing.B) {
	gen := buildTool(b, "gen")
	for _, f := range benchmarkFamilies {
		b.Run(f.name, func(b *testing.B) {
			inputs := generated(b, gen, f.args, 20)
			var all []int
			best := make([]int, len(inputs))
			for b.Loop() {
				i := len(all) % len(inputs)
				command := exec.Command(os.Args[0])
				command.Env = append(os.Environ(), firstGame+"=1")
				command.Stdin = strings.NewReader(inputs[i])
				var stderr bytes.Buffer
				command.Stderr = &stderr
				if err := command.Run(); err != nil {
					b.Fatal(err, &stderr)
				}
				ns, err := strconv.Atoi(stderr.String())
				if err != nil {
					b.Fatal(err)
				}
				all = append(all, ns)
				if best[i] == 0 || ns < best[i] {
					best[i] = ns
				}
			}
			slices.Sort(all)
			b.ReportMetric(float64(all[len(all)/2]), "ns/puzzle")
			b.ReportMetric(float64(slices.Max(best)), "worst-ns/puzzle")
		})
	}
}

// BenchmarkAlgebra measures games without their input and output: all patterns, many boards.
func BenchmarkAlgebra(b *testing.B) {
	n := 0
	for b.Loop() {
		newGame(patternOf(n % 512)).fewest(cellSet(n * 40503))
		n++
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N), "ns/puzzle")
}
