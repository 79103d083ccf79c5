package main

// A loop is determined by the cells inside it: the number of a cell is how many of its four
// neighbours, in the grid or around it, are on the other side. In an array with a ring of outside
// cells we colour (0, 0), (0, 1) and so on, each in both ways. Once (0, d) is coloured, number (0,
// d-1) determines the cell below it, then number (1, d-2) the next one, and so on down to the left
// edge; beyond the last column the chain begins at the ring. So each colouring that obeys the
// numbers is made once, and nearly all others are cut off early.

// The colours of cells. The ring is outside.
const (
	outside = 0
	inside  = 1
)

// A counter colours the cells of one puzzle. Cell (i, j) of the puzzle is colour[i+1][j+1].
type counter struct {
	rows, cols int
	numbers    [][]int
	colour     colours
	loops      int
	first      colours // the first loop found
}

type colours [maxSide + 2][maxSide + 2]int8

// countLoops returns how many loops agree with all numbers of the puzzle: 0, 1, or 2 for more.
func countLoops(numbers [][]int) int {
	loops, _ := solve(numbers)
	return loops
}

// solve returns the same number as countLoops, and the colours of one of the loops, if any.
func solve(numbers [][]int) (int, colours) {
	c := counter{rows: len(numbers), cols: len(numbers[0]), numbers: numbers}
	c.begin(0)
	return c.loops, c.first
}

// begin colours diagonal d, the cells (i, j) with i+j = d, and the following ones.
func (c *counter) begin(d int) {
	switch {
	case c.loops > 1:
	case d == c.rows+c.cols:
		if c.isLoop() {
			if c.loops == 0 {
				c.first = c.colour
			}
			c.loops++
		}
	case d < c.cols:
		for colour := int8(outside); colour <= inside; colour++ {
			c.colour[1][d+1] = colour
			c.chain(0, d)
		}
	default:
		c.chain(d-c.cols, c.cols)
	}
}

// chain follows diagonal d = i+j downwards from the coloured cell (i, j), and continues with the
// next diagonal if all numbers on the way agree.
func (c *counter) chain(i, j int) {
	d := i + j
	for ; i < c.rows && j > 0; i, j = i+1, j-1 {
		// The number is in row i and column j-1, which is j in the array.
		here := c.colour[i+1][j]
		missing := c.numbers[i][j-1]
		for _, next := range [...]int8{c.colour[i][j], c.colour[i+1][j-1], c.colour[i+1][j+1]} {
			if next != here {
				missing--
			}
		}
		below := here
		switch missing {
		case 0:
		case 1:
			below = inside - here
		default:
			return
		}
		if i+1 == c.rows && below != outside {
			return
		}
		c.colour[i+2][j] = below
	}
	c.begin(d + 1)
}

// isLoop reports whether the border of the inside is one closed loop: the inside is not empty, and
// both it and the outside with the ring are connected.
func (c *counter) isLoop() bool {
	rest := c.colour
	c.flood(&rest, 0, 0, outside)
	pieces := 0
	for i := range c.rows + 2 {
		for j := range c.cols + 2 {
			switch rest[i][j] {
			case outside:
				return false
			case inside:
				pieces++
				c.flood(&rest, i, j, inside)
			}
		}
	}
	return pieces == 1
}

// flood erases the connected piece of the given colour that contains cell [i][j].
func (c *counter) flood(rest *colours, i, j int, colour int8) {
	const wiped = -1
	if i < 0 || i > c.rows+1 || j < 0 || j > c.cols+1 || rest[i][j] != colour {
		return
	}
	rest[i][j] = wiped
	c.flood(rest, i-1, j, colour)
	c.flood(rest, i, j-1, colour)
	c.flood(rest, i, j+1, colour)
	c.flood(rest, i+1, j, colour)
}
