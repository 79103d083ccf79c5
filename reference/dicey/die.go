package main

// A direction is a way to roll the die, as seen by a player at the bottom edge of the maze.
type direction int

// The directions, in the order that breaks ties.
const (
	up direction = iota
	down
	left
	right

	directionCount = 4
)

// A die is an orientation: the three faces that the player sees. The faces behind them follow,
// because opposite faces add up to seven. Top and front alone distinguish all 24 orientations.
type die struct{ top, front, right int }

// newDie returns the die with those faces, or false if there is none because the faces are equal or
// opposite.
func newDie(top, front int) (die, bool) {
	if top == front || top+front == 7 {
		return die{}, false
	}
	return die{top, front, rightOf(top, front)}, true
}

// rightOf returns the right face of a die: 3 for 1 on top and 2 in front. A half turn about the
// axis through front and back exchanges top with bottom and left with right; one about the vertical
// axis exchanges front with back and left with right. So rightOf reduces every die to one with top
// and front among 1, 2 and 3, the faces that meet in one corner.
func rightOf(top, front int) int {
	if top > 3 {
		return 7 - rightOf(7-top, front)
	}
	if front > 3 {
		return 7 - rightOf(top, 7-front)
	}
	third := 6 - top - front
	if top%3+1 == front { // the front follows the top in the cycle 1, 2, 3
		return third
	}
	return 7 - third
}

// roll returns the top and the front after tipping the die over its edge in a direction.
func (d die) roll(dir direction) (top, front int) {
	switch dir {
	case up: // the front moves to the top, the bottom to the front
		return d.front, 7 - d.top
	case down: // the back moves to the top, the top to the front
		return 7 - d.front, d.top
	case left: // the right side moves to the top
		return d.right, d.front
	default: // right: the left side moves to the top
		return 7 - d.right, d.front
	}
}

// A lie is an orientation as a number from 0 to 23. The search uses lies because they index a table
// with the result of every roll.
type lie uint8

const lieCount = 24

// A lieSet is a bit set of lies.
type lieSet uint32

const everyLie lieSet = 1<<lieCount - 1

// at returns bit l of the set. The mask changes nothing, but lets the compiler omit the test for
// shifts by more than the width of a word.
func (s lieSet) at(l lie) lieSet { return s >> (l & 31) & 1 }

// lies is the table of all lies.
var lies = numberLies()

type lieTable struct {
	number  [7][7]lie                     // the lie with this top and front
	rolled  [lieCount][directionCount]lie // the lie after a roll in this direction
	showing [7]lieSet                     // the lies with this number on top; empty for 0
}

func numberLies() *lieTable {
	t := new(lieTable)
	var dice []die
	for top := 1; top <= 6; top++ {
		for front := 1; front <= 6; front++ {
			if d, ok := newDie(top, front); ok {
				t.number[top][front] = lie(len(dice))
				t.showing[top] |= 1 << len(dice)
				dice = append(dice, d)
			}
		}
	}
	for l, d := range dice {
		for dir := range direction(directionCount) {
			top, front := d.roll(dir)
			t.rolled[l][dir] = t.number[top][front]
		}
	}
	return t
}
