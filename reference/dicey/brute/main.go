// Command brute is a slow, independent solver of the dice mazes.
//
//	brute [-count] < input
//
// It first counts solutions by their definition (enumerate.go): it follows every walk that repeats
// no place, a square with the orientation of the die on it, until it has found two that come home.
// If it finds only one, that is the answer. If this takes too long, or if there are several
// solutions, it computes the distance of every place from home by relaxation, and follows a
// shortest walk (relax.go). The die is a string of its six faces, and a roll rearranges them.
//
// With -count it prints the number of solutions of each maze instead: 0, 1, 2 for more than one, or
// ? if counting takes too long.
//
// It expects valid input, except that a maze may have several walks.
package main

import (
	"bufio"
	"flag"
	"fmt"
	"io"
	"os"
)

// A die is the string of its faces: top, bottom, front, back, left, right.
type die string

// standard is the die of the statement.
const standard die = "162543"

// A roll moves the die to a neighbouring square. The face at place i of the die's string after the
// roll was at place faces[i] before it.
type roll struct {
	rows, cols int
	faces      [6]int
}

// rolls are up, down, left and right, in the order that breaks ties.
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

// lies returns every orientation of a die.
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

// A place is a square with the die on it.
type place struct {
	row, col int
	die      die
}

func (p place) after(r roll) place {
	return place{p.row + r.rows, p.col + r.cols, p.die.tip(r)}
}

// A maze is one maze of the input.
type maze struct {
	needs map[[2]int]int // the numbers of its squares, by row and column; any other square is 0
	start place
}

// home reports whether a place is on the start square.
func (m *maze) home(p place) bool { return p.row == m.start.row && p.col == m.start.col }

// admits reports whether a die may be rolled from one place to another.
func (m *maze) admits(from, to place) bool {
	need := m.needs[[2]int{to.row, to.col}]
	return need == -1 || need == int(from.die[0]-'0')
}

func main() {
	count := flag.Bool("count", false, "print how many walks there are")
	flag.Parse()
	in, out := bufio.NewReader(os.Stdin), bufio.NewWriter(os.Stdout)
	defer out.Flush()
	for {
		var name string
		read(in, &name)
		if name == "END" {
			return
		}
		m := readMaze(in)
		walks, walk, finished := m.enumerate()
		switch {
		case *count && finished:
			fmt.Fprintln(out, walks)
		case *count:
			fmt.Fprintln(out, "?")
		default:
			if !finished || walks > 1 {
				walk = m.relax()
			}
			fmt.Fprintln(out, name)
			printWalk(out, walk)
		}
	}
}

// readMaze reads a maze whose name has been read.
func readMaze(in io.Reader) *maze {
	var rows, cols, row, col int
	var top, front byte
	read(in, &rows, &cols, &row, &col)
	fmt.Fscanf(in, " %c %c", &top, &front)
	m := &maze{needs: make(map[[2]int]int)}
	for r := 1; r <= rows; r++ {
		for c := 1; c <= cols; c++ {
			var need int
			read(in, &need)
			m.needs[[2]int{r, c}] = need
		}
	}
	for _, d := range lies() {
		if d[0] == top && d[2] == front {
			m.start = place{row, col, d}
		}
	}
	return m
}

// printWalk writes the lines below a maze's name.
func printWalk(out io.Writer, walk []place) {
	if walk == nil {
		fmt.Fprintln(out, "  No Solution Possible")
		return
	}
	for i, p := range walk {
		switch {
		case i == 0:
			fmt.Fprint(out, "  ")
		case i%9 == 0:
			fmt.Fprint(out, ",\n  ")
		default:
			fmt.Fprint(out, ",")
		}
		fmt.Fprintf(out, "(%d,%d)", p.row, p.col)
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
