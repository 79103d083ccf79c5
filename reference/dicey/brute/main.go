// Brute answers mazes of problem dicey, a second opinion on the reference solver.
//
// It counts walks as they are defined: it follows every walk that repeats no square
// with the die lying the same way, until it has seen two that come home. A single
// one is the answer (enumerate.go). Where that would take too long, or where there
// are several walks, it works out for every place how far from home it is, by
// relaxation, and reads a shortest walk off these numbers (relax.go). The die is a
// string of its six faces, tipped over by rearranging them.
//
// With -count it prints no walks but, one line a maze, how many there are: 0, 1, 2
// for more than one, or ? where it would take too long to tell.
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

func (p place) after(r roll) place {
	return place{p.row + r.rows, p.col + r.cols, p.die.tip(r)}
}

// A maze knows what its squares ask for, by row and column; the others ask for 0.
type maze struct {
	needs map[[2]int]int
	start place
}

// home tells whether a place is on the start square.
func (m *maze) home(p place) bool { return p.row == m.start.row && p.col == m.start.col }

// admits tells whether a die may be rolled from one place to another.
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

// readMaze reads the rest of a maze after its name.
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
