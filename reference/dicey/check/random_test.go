package main

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"tribunal/reference/internal/programs"
)

// For a longer test than by default:
//
//	go test ./reference/dicey/check -run Random -count 1 -mazes 200000 -seed 7 -v
var (
	mazes = flag.Int("mazes", 5000, "how many random mazes are counted")
	seed  = flag.Uint64("seed", 1, "seed of the random tests")
)

// randomMaze returns the lines of a small maze.
func randomMaze(rng *rand.Rand) string {
	rows, cols := 1+rng.IntN(5), 1+rng.IntN(5)
	top, front := 1+rng.IntN(6), 1+rng.IntN(6)
	for top == front || top+front == 7 {
		front = 1 + rng.IntN(6)
	}
	var text strings.Builder
	fmt.Fprintf(&text, "M\n%d %d %d %d %d %d\n", rows, cols, 1+rng.IntN(rows), 1+rng.IntN(cols), top, front)
	wilds := rng.IntN(60)
	for range rows {
		for col := range cols {
			need := rng.IntN(7)
			if rng.IntN(100) < wilds {
				need = wild
			}
			fmt.Fprint(&text, need, map[bool]string{true: "\n", false: " "}[col == cols-1])
		}
	}
	return text.String()
}

// TestRandomAgainstBrute compares the counts of walks, which rest on the proof in unique.go, with
// those of brute, which tries every walk.
func TestRandomAgainstBrute(t *testing.T) {
	p := programs.Build(t, "../brute")
	rng := rand.New(rand.NewPCG(810, *seed))
	var counted [several + 1]int
	beyond := 0
	for left := *mazes; left > 0; {
		texts := make([]string, min(left, maxMazes))
		left -= len(texts)
		for i := range texts {
			texts[i] = randomMaze(rng)
		}
		out, errs, status := p.Run(t, []byte(strings.Join(texts, "")+"END\n"), "brute", "-count")
		if status != 0 {
			t.Fatalf("brute: status %d, %s", status, errs)
		}
		said := strings.Fields(out)
		if len(said) != len(texts) {
			t.Fatalf("%d answers to %d mazes", len(said), len(texts))
		}
		for i, text := range texts {
			s := &scanner{rest: []byte(text), line: 1, column: 1}
			if _, err := s.name(); err != nil {
				t.Fatal(err)
			}
			m, err := s.maze()
			if err != nil {
				t.Fatal(err)
			}
			if said[i] == "?" {
				beyond++
				continue
			}
			walks := m.walks()
			counted[walks]++
			if got := fmt.Sprint(int(walks)); got != said[i] {
				t.Fatalf("%s solutions, want %s, of\n%s", got, said[i], text)
			}
		}
	}
	for n, times := range counted {
		if times < *mazes/20 {
			t.Errorf("only %d of %d mazes have count %d, too few to tell", times, *mazes, n)
		}
	}
	t.Logf("without, with one and with several solutions: %d; too long for brute: %d", counted, beyond)
}
