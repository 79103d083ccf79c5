package main

// A direction is a way to roll the die, as the player at the bottom edge of the
// maze sees it.
type direction int

const (
	up direction = iota
	down
	left
	right
)

// directions holds all four in the order that settles ties.
var directions = [...]direction{up, down, left, right}

// next returns the neighbour of a square in that direction.
func (dir direction) next(at square) square {
	switch dir {
	case up:
		at.row--
	case down:
		at.row++
	case left:
		at.col--
	case right:
		at.col++
	}
	return at
}

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

// roll returns the die after it was tipped over its edge in that direction.
func (d die) roll(dir direction) die {
	switch dir {
	case up: // the front comes up, the bottom comes to the front
		return die{top: d.front, front: 7 - d.top, right: d.right}
	case down: // the back comes up, the top comes to the front
		return die{top: 7 - d.front, front: d.top, right: d.right}
	case left: // the right side comes up, the bottom comes to the right
		return die{top: d.right, front: d.front, right: 7 - d.top}
	default: // right: the left side comes up, the top goes to the right
		return die{top: 7 - d.right, front: d.front, right: d.top}
	}
}
