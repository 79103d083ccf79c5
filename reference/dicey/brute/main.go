// Brute answers mazes of problem dicey by relaxation, a second opinion on the
// reference solver.
//
// Instead of searching forward from the start it works out, for every square
// and every way the die may lie there, how many rolls are still needed to get
// home: unknown at first, then improved from the neighbours over and over until
// nothing changes any more. The walk is read off these numbers by always taking
// the first roll (up, down, left, right) that brings home one nearer. The die is
// a string of its six faces, tipped over by rearranging them.
//
// It takes time quadratic in the states of a maze and expects valid input.
package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
)

// A die lists its faces: top, bottom, front, back, left, right.
type die string

// standard is the die that the statement describes.
const standard die = "162543"

// A roll goes from a square to its neighbour: the face on top afterwards is the
// one that stands at faces[0] before, and so on.
type roll struct {
	rows, cols int
	faces      [6]int
}

// rolls are up, down, left and right, in the order that settles ties.
var rolls = [4]roll{
	{-1, 0, [6]int{2, 3, 1, 0, 4, 5}},
	{+1, 0, [6]int{3, 2, 0, 1, 4, 5}},
	{0, -1, [6]int{5, 4, 2, 3, 0, 1}},
	{0, +1, [6]int{4, 5, 2, 3, 1, 0}},
}

func (d die) tip(r roll) die {
	var after [6]byte
	for i, from := range r.faces {
		after[i] = d[from]
	}
	return die(after[:])
}

// lies returns every way a die can lie.
func lies() []die {
	all := []die{standard}
	known := map[die]bool{standard: true}
	for i := 0; i < len(all); i++ {
		for _, r := range rolls {
			if d := all[i].tip(r); !known[d] {
				known[d] = true
				all = append(all, d)
			}
		}
	}
	return all
}

// A place is a square and the die on it.
type place struct {
	row, col int
	die      die
}

func main() {
	in, out := bufio.NewReader(os.Stdin), bufio.NewWriter(os.Stdout)
	defer out.Flush()
	for {
		var name string
		read(in, &name)
		if name == "END" {
			return
		}
		fmt.Fprintln(out, name)
		answer(in, out)
	}
}

// answer reads the rest of a maze and writes the lines below its name.
func answer(in io.Reader, out io.Writer) {
	var rows, cols, row, col int
	var top, front byte
	read(in, &rows, &cols, &row, &col)
	fmt.Fscanf(in, " %c %c", &top, &front)
	maze := make(map[[2]int]int)
	for r := 1; r <= rows; r++ {
		for c := 1; c <= cols; c++ {
			var need int
			read(in, &need)
			maze[[2]int{r, c}] = need
		}
	}
	all := lies()
	start := place{row, col, all[0]}
	for _, d := range all {
		if d[0] == top && d[2] == front {
			start.die = d
		}
	}

	// left is how many rolls a place is away from home, as far as known.
	left := make(map[place]int)
	// nearest returns the roll that brings home nearest, and how near.
	nearest := func(p place) (best roll, rollsLeft int, ok bool) {
		for _, r := range rolls {
			to := place{p.row + r.rows, p.col + r.cols, p.die.tip(r)}
			need := maze[[2]int{to.row, to.col}] // 0 outside
			if need != -1 && need != int(p.die[0]-'0') {
				continue
			}
			after, known := left[to]
			if to.row == row && to.col == col {
				after, known = 0, true
			}
			if known && (!ok || after+1 < rollsLeft) {
				best, rollsLeft, ok = r, after+1, true
			}
		}
		return best, rollsLeft, ok
	}
	for changed := true; changed; {
		changed = false
		for square := range maze {
			for _, d := range all {
				p := place{square[0], square[1], d}
				_, n, ok := nearest(p)
				if old, known := left[p]; ok && (!known || n < old) {
					left[p] = n
					changed = true
				}
			}
		}
	}

	if _, _, ok := nearest(start); !ok {
		fmt.Fprintln(out, "  No Solution Possible")
		return
	}
	fmt.Fprintf(out, "  (%d,%d)", row, col)
	p := start
	for count := 1; count == 1 || p.row != row || p.col != col; count++ {
		r, _, _ := nearest(p)
		p = place{p.row + r.rows, p.col + r.cols, p.die.tip(r)}
		comma := ","
		if count%9 == 0 {
			comma = ",\n  "
		}
		fmt.Fprintf(out, "%s(%d,%d)", comma, p.row, p.col)
	}
	fmt.Fprintln(out)
}

// read reads values separated by blanks or line ends.
func read(in io.Reader, values ...any) {
	if _, err := fmt.Fscan(in, values...); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(3)
	}
}
