package main

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// grid returns the puzzle with these rows of digits.
func grid(text string) *puzzle {
	rows := strings.Fields(text)
	p := &puzzle{rows: len(rows), cols: len(rows[0])}
	for _, row := range rows {
		var numbers []int
		for _, digit := range row {
			numbers = append(numbers, int(digit-'0'))
		}
		p.number = append(p.number, numbers)
	}
	return p
}

func TestByRules(t *testing.T) {
	for _, row := range []struct {
		why, grid string
		want      bool
	}{
		{"the first of the original's examples", "10112213 33332332 22011220 23110122 21231102 12222321 32131132 10023232", true},
		{"the second", "001100 022220 120021 120021 022220 001100", true},
		{"the third", "22 22", true},
		{"the fourth", "33323 12132 33222", true},
		{"one row", "32223", false},
		{"one column", "3 2 3", false},
		{"two 3s without an edge between them", "0110 1331 0110", false},
		{"two 3s without an edge between them, at the border", "33 11", false},
		{"the numbers fit two loops, too", "3113 2222 1221 3223", false},
		{"a spiral of 2s, in which the rules get stuck", "3222222 2222222 2223322 2222222 2222222 2222222", false},
		{"no solution: nothing is drawn", "00 00", false},
		{"no solution: the rules contradict each other", "33 33", false},
	} {
		if got := grid(row.grid).byRules(); got != row.want {
			t.Errorf("%s: %v, want %v", row.why, got, row.want)
		}
	}
}

// TestByRulesUnique makes sure that rules which solve a puzzle have found the only loop.
func TestByRulesUnique(t *testing.T) {
	c := chance{rand.NewChaCha8([32]byte{17})}
	o := &options{max: 6}
	solved := 0
	for range 2000 {
		if p, ok := o.random(c).numbers(); ok && p.byRules() {
			solved++
			if n := count(p); n.loops != 1 {
				t.Fatalf("%d loops fit what the rules solve:\n%s", n.loops, p.appendTo(nil))
			}
		}
	}
	if solved < 200 || solved > 1900 {
		t.Errorf("the rules solve %d of 2000 puzzles: this looks at one kind only", solved)
	}
	// Most random numbers do not belong to a loop.
	for range 20000 {
		p := &puzzle{rows: c.between(2, 4), cols: c.between(2, 4)}
		for range p.rows {
			row := make([]int, p.cols)
			for j := range row {
				row[j] = c.below(4)
			}
			p.number = append(p.number, row)
		}
		if p.byRules() && count(p).loops != 1 {
			t.Fatalf("not one loop fits what the rules solve:\n%s", p.appendTo(nil))
		}
	}
}

// TestOriginal makes sure that -original=1 yields only puzzles that the original admits.
func TestOriginal(t *testing.T) {
	for name, make := range map[string]func(*options, chance) ([]*puzzle, error){"all": makeAll, "random": makeRandom, "images": makeImages} {
		o := &options{n: 40, max: 5, original: 1}
		if name == "all" {
			o.rows, o.cols = 3, 3
		}
		puzzles, err := make(o, chance{rand.NewChaCha8([32]byte{18})})
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range puzzles {
			if !p.byRules() {
				t.Errorf("%s: the original does not admit\n%s", name, p.appendTo(nil))
			}
		}
	}
}
