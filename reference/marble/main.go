// Command marble solves the Marble Game: it reads boards until 0 0 0 and
// prints for each the alphabetically first of the shortest sequences of lifts
// that bring every marble home, or that there is none.
//
// # Idea
//
// A position is the tuple of the marbles' squares. The answer is a shortest
// path in the graph of positions, of which there may be tens of millions; so
// almost everything here is about meeting few of them and handling each in
// some dozens of nanoseconds.
//
//   - roll.go makes a move with bit masks per line: no marble is moved square
//     by square, and none is touched that stays.
//   - untilt.go makes a move backwards, exactly. So the search runs from the
//     start and from home at once and meets in the middle, which on hard
//     boards means a tenth of the positions or less.
//   - field.go works out on which squares each marble is of any use. Other
//     positions are dropped from both ends, and a board on which a marble is
//     walled in needs no search.
//   - positions.go packs a position into as many words as the board needs and
//     keeps the sets of them in shards; search.go lets each thread fill its
//     own shards, a layer at a time.
//   - route.go finds the first of the shortest ways in layers that are sets,
//     so the number of threads cannot show.
//
// # Why it is right
//
// Layer d from the start holds exactly the positions whose distance from it is
// d, and layer e from home those that are the outcome of a move and whose
// distance from home is e. When the depths are d and e, every way of length
// d+e passes, after d moves, through a position of both layers; a common
// position gives a way of that length. So ways are found at their length and
// not before. The tilt treats a stretch between two walls as a row of marbles
// taken front first, which is how they come to each hole and to rest.
//
// # Complexity
//
// Time and memory are linear in the positions met: some 16 bytes each when
// they fit in a word. There is no useful bound in N and M; the worst boards
// have 4 to 12 marbles and walls near 0.3 N².
package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"runtime/debug"
)

func main() { os.Exit(run(os.Stdin, os.Stdout, os.Stderr)) }

// softMemory is where the collector begins to prefer memory to time. The
// large sets double when they grow, and without it as much garbage again
// would be allowed to gather.
const softMemory = 600 << 20

// run is the program: it returns 0, 3 if the input is malformed, or 1 if the
// answers could not be written.
func run(stdin io.Reader, stdout, stderr io.Writer) int {
	debug.SetMemoryLimit(softMemory)
	boards, err := readBoards(stdin)
	if err != nil {
		fmt.Fprintln(stderr, err)
		return 3
	}
	out := bufio.NewWriter(stdout)
	for i, b := range boards {
		moves, ok := solve(b)
		switch {
		case !ok:
			fmt.Fprintf(out, "Case %d: impossible\n\n", i+1)
		case moves == "":
			fmt.Fprintf(out, "Case %d: 0 moves\n\n", i+1)
		default:
			fmt.Fprintf(out, "Case %d: %d moves %s\n\n", i+1, len(moves), moves)
		}
	}
	if err := out.Flush(); err != nil {
		fmt.Fprintln(stderr, err)
		return 1
	}
	return 0
}

// solve returns the first of the shortest ways to bring all marbles home, or
// false if there is none. It picks the narrowest key that holds a position.
func solve(b *board) (string, bool) {
	f, ok := newField(b)
	if !ok {
		return "", false
	}
	switch words := int(f.slots[len(f.slots)-1].word) + 1; {
	case words <= 1:
		return shortest[[1]uint64](f)
	case words <= 2:
		return shortest[[2]uint64](f)
	case words <= 4:
		return shortest[[4]uint64](f)
	case words <= 8:
		return shortest[[8]uint64](f)
	case words <= 32:
		return shortest[[32]uint64](f)
	default:
		return shortest[[320]uint64](f)
	}
}
