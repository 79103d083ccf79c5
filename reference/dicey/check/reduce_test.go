package main

import (
	"math/rand/v2"
	"strings"
	"testing"

	"tribunal/reference/internal/reduce/reducetest"
)

// randomInput returns an input with this number of mazes, each with one solution or none.
func randomInput(rng *rand.Rand, mazes int) string {
	var text strings.Builder
	for mazes > 0 {
		m := randomMaze(rng)
		if _, _, err := checkInput([]byte(m + "END\n")); err == nil {
			text.WriteString(m)
			mazes--
		}
	}
	return text.String() + "END\n"
}

func TestOffers(t *testing.T) {
	rng := rand.New(rand.NewPCG(810, 1))
	offered, valid := 0, 0
	for range 60 {
		input := randomInput(rng, 1+rng.IntN(3))
		list := reducetest.Run(run).Offers(t, []byte(input))
		for _, offer := range list {
			if !less(offer, []byte(input)) {
				t.Errorf("%q: offers %q, which is not smaller", input, offer)
			}
			_, _, err := checkInput(offer)
			if err == nil {
				valid++
			} else if !strings.Contains(err.Error(), "more than one solution") {
				t.Errorf("%q: offers %q: %v", input, offer, err)
			}
		}
		offered += len(list)
	}
	if valid < offered/2 {
		t.Errorf("%d of %d offers are valid, too few to be of use", valid, offered)
	}
	for _, input := range []string{"END\n", "", "END", statement + "\n", strings.ReplaceAll(statement, "\n", "\r\n")} {
		if list := reducetest.Run(run).Offers(t, []byte(input)); len(list) > 0 {
			t.Errorf("%q: offers %q", input, list)
		}
	}
}

// TestOffersAreBounded reduces the largest inputs.
func TestOffersAreBounded(t *testing.T) {
	row := strings.Repeat(" -1", 10)[1:] + "\n"
	m := strings.Repeat("N", 20) + "\n10 10 10 10 6 5\n" + strings.Repeat(row, 9) + strings.Replace(row, " -1\n", " 0\n", 1)
	for _, mazes := range []int{1, 1000} {
		total := 0
		list := reducetest.Run(run).Offers(t, []byte(strings.Repeat(m, mazes)+"END\n"))
		for _, offer := range list {
			total += len(offer)
		}
		if len(list) == 0 || len(list) > 3000 || total > 32<<20 {
			t.Errorf("%d mazes: %d offers of %d bytes", mazes, len(list), total)
		}
	}
}

// solutions returns the number of positions of each maze's solution.
func solutions(input string) []int {
	mazes, _, err := checkInput([]byte(input))
	if err != nil {
		return nil
	}
	var lengths []int
	for _, m := range mazes {
		lengths = append(lengths, len(m.path()))
	}
	return lengths
}

// TestTurned turns a maze by quarters all the way round and compares the solutions.
func TestTurned(t *testing.T) {
	rng := rand.New(rand.NewPCG(810, 4))
	for range 200 {
		mazes, _, err := checkInput([]byte(randomInput(rng, 1)))
		if err != nil {
			t.Fatal(err)
		}
		m := mazes[0]
		for turned := range m.turned() {
			if turned.walks() != m.walks() || len(turned.path()) != len(m.path()) {
				t.Errorf("%s turned is another puzzle:\n%s", m.text(), turned.text())
			}
		}
		for lies := range m.turnedDie() {
			lies.needs = m.die.renumbered(lies.die, m.needs)
			if lies.walks() != m.walks() || len(lies.path()) != len(m.path()) {
				t.Errorf("%s with other numbers is another puzzle:\n%s", m.text(), lies.text())
			}
		}
	}
}

// TestShrinking shrinks as the judge does: it takes the first valid offer for which a condition
// still holds, until there is none.
func TestShrinking(t *testing.T) {
	start := randomInput(rand.New(rand.NewPCG(1872, 2)), 100)
	for _, test := range []struct {
		why   string
		holds func(lengths []int) bool
		want  string
	}{
		{"anything", func(lengths []int) bool { return true }, "END\n"},
		{"at least 50 mazes", func(lengths []int) bool { return len(lengths) >= 50 }, strings.Repeat(string(smallest), 50) + "END\n"},
		{"a solution", func(lengths []int) bool { return countLong(lengths, 3) >= 1 }, "A\n1 2 1 1 1 2\n4 1\nEND\n"},
		{"two solutions", func(lengths []int) bool { return countLong(lengths, 3) >= 2 },
			"A\n1 2 1 1 1 2\n4 1\nA\n1 2 1 1 1 2\n4 1\nEND\n"},
		{"a long solution", func(lengths []int) bool { return countLong(lengths, 11) >= 1 }, "A\n2 4 1 2 1 2\n1 4 3 6\n3 -1 -1 2\nEND\n"},
	} {
		input := reducetest.Run(run).Least(t, start, func(input string) bool {
			_, _, err := checkInput([]byte(input))
			return err == nil && test.holds(solutions(input))
		})
		if input != test.want {
			t.Errorf("%s: ends with\n%swant\n%s", test.why, input, test.want)
		}
	}
}

// countLong returns how many lengths are at least least.
func countLong(lengths []int, least int) int {
	n := 0
	for _, length := range lengths {
		if length >= least {
			n++
		}
	}
	return n
}
