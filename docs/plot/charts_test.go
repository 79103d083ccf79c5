package main

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"tribunal/internal/chart/charttest"
)

var pictures = flag.Int("pictures", 200, "how many random pictures are drawn")

// TestPictures checks pictures of random measurements, tiny and huge, with and without baselines.
func TestPictures(t *testing.T) {
	t.Parallel()
	for seed := range uint64(*pictures) {
		rnd := rand.New(rand.NewPCG(seed, 6))
		widest := rnd.Float64() * 9 // up to 10 s
		value := func() float64 { return math.Pow(10, 1+rnd.Float64()*widest) }
		name := func(i int) string { return fmt.Sprintf("%s-%d", strings.Repeat("n", 1+rnd.IntN(30)), i) }
		p := &subject{id: "marble", solver: true, procs: 1 + rnd.IntN(8)}
		puzzlePoints, boardPoints, threadPoints := 0, 0, 0
		for i := range 2 + rnd.IntN(11) {
			r := &result{bench: "Solve", family: name(i)}
			for range 1 + rnd.IntN(3) {
				r.add("ns/puzzle", value())
			}
			puzzlePoints++
			if rnd.IntN(2) == 0 {
				r.add("worst-ns/puzzle", value())
				puzzlePoints++
			}
			if rnd.IntN(2) == 0 {
				r.add("x-baseline", math.Pow(10, rnd.Float64()*5-1))
				puzzlePoints++
			}
			b := &result{bench: "Boards", family: name(i)}
			b.add("ns/op", value())
			b.add("positions", math.Ceil(value()))
			boardPoints++
			if rnd.IntN(2) == 0 {
				b.add("x-baseline", math.Pow(10, rnd.Float64()*5-1))
				boardPoints++
			}
			p.results = append(p.results, r, b)
		}
		for i := range 1 + rnd.IntN(8) {
			board := name(i)
			for n := 1; n <= 64; n *= 2 {
				if n > 1 && rnd.IntN(3) == 0 {
					continue
				}
				r := &result{bench: "Threads", family: fmt.Sprintf("%s/%d", board, n)}
				r.add("ns/op", 1e9+rnd.Float64()*1e9)
				if rnd.IntN(2) == 0 {
					r.add("speed-up", rnd.Float64()*8)
				}
				p.results = append(p.results, r)
				threadPoints++
			}
		}
		points := []int{puzzlePoints, boardPoints, threadPoints}
		for i, c := range charts(p) {
			charttest.Check(t, c.svg, fmt.Sprintf("%s of seed %d", c.name, seed), points[i])
			if again := charts(p)[i]; string(again.svg) != string(c.svg) {
				t.Errorf("%s of seed %d is another one the second time", c.name, seed)
			}
		}
		if t.Failed() {
			return
		}
	}
}
