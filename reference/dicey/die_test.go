package main

import (
	"strings"
	"testing"
)

func TestDie(t *testing.T) {
	count := 0
	for top := 1; top <= 6; top++ {
		for front := 1; front <= 6; front++ {
			d, ok := newDie(top, front)
			if want := top != front && top+front != 7; ok != want {
				t.Errorf("newDie(%d, %d) possible: %t", top, front, ok)
			}
			if !ok {
				continue
			}
			count++
			for dir := range direction(directionCount) {
				rolled, ok := newDie(d.roll(dir))
				if !ok {
					t.Errorf("%v rolled %d lies as no die can", d, dir)
				}
				back := dir ^ 1 // the opposite direction: up and down, left and right are numbered 0, 1 and 2, 3
				if again, _ := newDie(rolled.roll(back)); again != d {
					t.Errorf("%v rolled %d and back is %v", d, dir, again)
				}
			}
		}
	}
	if count != 24 {
		t.Errorf("%d orientations, want 24", count)
	}
	if d, _ := newDie(1, 2); d != (die{1, 2, 3}) {
		t.Errorf("with 1 on top and 2 in front: %v", d)
	}
	d, _ := newDie(5, 1)
	if top, front := d.roll(left); top != 3 || front != 1 {
		t.Errorf("5 on top and 1 in front, rolled left, shows %d and %d", top, front)
	}
}

// TestDieTurns checks sequences of rolls whose effect is known for any die.
func TestDieTurns(t *testing.T) {
	for _, c := range []struct {
		why   string
		rolls []direction
		times int
	}{
		{"four rolls one way are a whole turn", []direction{up}, 4},
		{"four rolls to the right are a whole turn", []direction{right}, 4},
		{"four rolls in a circle turn the die by a third of a turn about a diagonal", []direction{up, right, down, left}, 3},
		{"four rolls in a circle the other way also turn the die by a third of a turn", []direction{left, down, right, up}, 3},
	} {
		for l := range lie(lieCount) {
			now := l
			for turn := 1; turn <= c.times; turn++ {
				for _, dir := range c.rolls {
					now = lies.rolled[now][dir]
				}
				if back := now == l; back != (turn == c.times) {
					t.Errorf("%s: lie %d after %d of %d turns is %d", c.why, l, turn, c.times, now)
				}
			}
		}
	}
}

// TestHalfOfTheLies checks the premise of mostVisits: every roll takes the die from one half of the
// lies to the other, as it changes the colour of the square.
func TestHalfOfTheLies(t *testing.T) {
	half := map[lie]int{0: 0}
	for queue := []lie{0}; len(queue) > 0; queue = queue[1:] {
		for dir, after := range lies.rolled[queue[0]] {
			want := 1 - half[queue[0]]
			if got, known := half[after]; !known {
				half[after] = want
				queue = append(queue, after)
			} else if got != want {
				t.Errorf("lie %d rolled %d stays in its half", queue[0], dir)
			}
		}
	}
	if len(half) != lieCount {
		t.Errorf("%d lies, want %d", len(half), lieCount)
	}
}

// TestSearchMeetsAllItCan searches a maze that fills the queue as far as any maze can.
func TestSearchMeetsAllItCan(t *testing.T) {
	empty := strings.Replace(wildField(1), "\n3 3 -1", "\n0 -1 -1", 1)
	for _, c := range []struct{ why, in string }{
		{"a square that lets the die out but never back", wildField(1)},
		{"an empty start in the corner", empty},
	} {
		if status, out, errs := outcome(c.in); status != 0 || out != "WILD\n  No Solution Possible\n" {
			t.Errorf("%s: status %d, stderr %q, got\n%s", c.why, status, errs, out)
		}
	}
}
