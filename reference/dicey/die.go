package main

// A direction is a way to roll the die, as the player at the bottom edge of the
// maze sees it.
type direction int

// The directions stand in the order that settles ties.
const (
	up direction = iota
	down
	left
	right

	directionCount = 4
)

// A die is an orientation: the three faces that the player can see. The faces
// behind them follow, since opposite faces add up to seven. Top and front alone
// tell all 24 orientations apart.
type die struct{ top, front, right int }

// newDie returns the die with those faces, or false if no die can lie so: the
// two must be neither the same face nor opposite ones.
func newDie(top, front int) (die, bool) {
	if top == front || top+front == 7 {
		return die{}, false
	}
	return die{top, front, rightOf(top, front)}, true
}

// rightOf returns the face on the right of a die: 3 for a 1 on top and a 2 in
// front. A half turn about the axis through front and back exchanges top with
// bottom and left with right; one about the vertical axis exchanges front with
// back and left with right. So it is enough to know the corner where 1, 2 and 3
// meet, seen with each of these faces on top.
func rightOf(top, front int) int {
	if top > 3 {
		return 7 - rightOf(7-top, front)
	}
	if front > 3 {
		return 7 - rightOf(top, 7-front)
	}
	third := 6 - top - front
	if top%3+1 == front { // 1 before 2 before 3 before 1
		return third
	}
	return 7 - third
}

// roll returns the faces on top and in front after the die was tipped over its edge
// in that direction.
func (d die) roll(dir direction) (top, front int) {
	switch dir {
	case up: // the front comes up, the bottom comes to the front
		return d.front, 7 - d.top
	case down: // the back comes up, the top comes to the front
		return 7 - d.front, d.top
	case left: // the right side comes up
		return d.right, d.front
	default: // right: the left side comes up
		return 7 - d.right, d.front
	}
}

// A lie is the number of an orientation, from 0. The search deals with lies, which
// are small and tell in a table what a roll makes of them.
type lie uint8

const lieCount = 24

// A lieSet has bit n for lie n.
type lieSet uint32

const everyLie lieSet = 1<<lieCount - 1

// at returns bit l of the set. The mask changes nothing; it spares the processor the
// question whether the shift is longer than a word.
func (s lieSet) at(l lie) lieSet { return s >> (l & 31) & 1 }

// lies tells all about every lie.
var lies = numberLies()

type lieTable struct {
	number  [7][7]lie                     // by top and front
	rolled  [lieCount][directionCount]lie // by lie and direction: the lie after the roll
	showing [7]lieSet                     // by top: the lies that show it, none of them a 0
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
