// Command marble solves the Marble Game: it reads boards until 0 0 0 and
// prints for each the alphabetically first of the shortest sequences of lifts
// that bring every marble home, or that there is none.
//
// # Idea
//
// A position is the tuple of the marbles' squares. The answer is a shortest
// path in the graph of positions, of which there may be a hundred million; so
// almost everything here is about meeting few of them, and about handling each
// in some dozens of nanoseconds and in few bytes.
//
//   - useful.go works out on which squares each marble is of any use. Other
//     positions are dropped, and a board on which a marble is walled in needs
//     no search.
//   - roll.go makes a move. Marbles that have nothing to do with each other are
//     moved by a table, others by bit masks per line; none goes square by square.
//   - untilt.go makes a move backwards, exactly, and alone.go the same for marbles
//     that have nothing to do with each other. So the search runs from the
//     start and from home at once and meets in the middle, which on hard
//     boards means a tenth of the positions or less.
//   - keys.go packs a position into as many words as the board needs; sets.go
//     keeps sets of them, in 4 or 8 bytes each where a word is enough.
//   - layers.go and search.go share the work among threads, a layer at a time.
//     Sets are cut into parts by the square of one marble, the lead. Where a
//     lead rolls to depends, nearly always, on nothing but where it was. So a
//     thread can fill its own parts from those that lead there, straight
//     away: nothing is handed from thread to thread but the few exceptions.
//   - route.go finds the first of the shortest ways in layers that are sets,
//     so the number of threads cannot show.
//
// # Why it is right
//
// Layer d from the start holds exactly the positions whose distance from it is
// d, and layer e from home those that are the outcome of a move, whose distance
// from home is e, and that may lie on a shortest way. When the depths are d and e,
// every shortest way of length d+e passes, after d moves, through a position of
// both layers; a common position gives a way of that length. So ways are found at
// their length and not before. The tilt treats a stretch between two walls as a row
// of marbles taken front first, which is how they come to each hole and to rest.
//
// After a move that drops no marble, neither the same nor the opposite move is
// worth a try. The same changes nothing. The opposite takes every marble back
// over squares without open holes, and then on as if it had been made at once,
// instead of the move before it: what it leads to is known from there.
//
// # Complexity
//
// Time and memory are linear in the positions met: in memory some 8 to 18 bytes
// each when they fit in a word and are many, lists and gaps counted. There is no
// useful bound in N and M; the worst boards have 4 to 12 marbles and walls near
// 0.3 N².
//
// # Sources
//
// Searching from both ends, and closing a layer before the next is begun, are
// common knowledge. That duplicates are best looked for where parts of the
// graph meet, so that no two threads need the same part, is structured duplicate
// detection (Zhou and Hansen, AAAI 2004 and 2007). Storing of a key only what its
// place in the table does not tell is due to Cleary (1984). Keeping a table in
// the order of hashes is linear probing as Amble and Knuth (1974) order it.
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"time"
)

func main() { os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }

// run is the program. It returns 0, 3 if the input is malformed, 2 if the program
// was called wrongly, or 1 if a board needs more memory than there is or the answers
// could not be written. What it prints it prints when all boards are done.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("marble", flag.ContinueOnError)
	flags.SetOutput(stderr)
	memory := size(availableMemory())
	flags.Var(&memory, "mem", "how much memory to use, as in 512MiB; by default most of what is free here")
	verbose := flags.Bool("v", false, "tell once a second how far the search is")
	if err := flags.Parse(args); err != nil {
		return 2
	}
	if flags.NArg() > 0 {
		fmt.Fprintf(stderr, "unexpected argument %q (hint: the boards are read from standard input)\n", flags.Arg(0))
		return 2
	}
	// What is in use is counted. Beside it there is what the collector has not
	// collected yet, which must not be much, and the program itself.
	debug.SetMemoryLimit(int64(memory))
	debug.SetGCPercent(muchGarbage)
	boards, err := readBoards(stdin)
	if err != nil {
		fmt.Fprintln(stderr, err)
		return 3
	}
	var clock <-chan time.Time
	if *verbose {
		ticker := time.NewTicker(time.Second)
		defer ticker.Stop()
		clock = ticker.C
	}
	var out bytes.Buffer
	for i, b := range boards {
		m := &meter{limit: int64(memory) / 4 * 3}
		stop := func() {}
		if *verbose {
			stop = report(stderr, i+1, m, clock)
		}
		moves, ok, err := solve(b, m)
		stop()
		switch {
		case errors.Is(err, errMemory):
			fmt.Fprintf(stderr, "board %d: %v for more than %d positions (hint: -mem=SIZE allows more than %v)\n",
				i+1, err, m.positions.Load(), memory)
			return 1
		case !ok:
			fmt.Fprintf(&out, "Case %d: impossible\n\n", i+1)
		case moves == "":
			fmt.Fprintf(&out, "Case %d: 0 moves\n\n", i+1)
		default:
			fmt.Fprintf(&out, "Case %d: %d moves %s\n\n", i+1, len(moves), moves)
		}
	}
	if _, err := out.WriteTo(stdout); err != nil {
		fmt.Fprintln(stderr, err)
		return 1
	}
	return 0
}

// solve returns the first of the shortest ways to bring all marbles home, or
// false if there is none. The meter may be read meanwhile. If it does not allow
// enough memory the error is errMemory. It picks the narrowest key that holds a
// position.
func solve(b *board, m *meter) (moves string, ok bool, err error) {
	f, ok := newField(b)
	if !ok {
		return "", false, nil
	}
	switch words := int(f.slots[len(f.slots)-1].word) + 1; {
	case words <= 1:
		return shortest[[1]uint64](f, m)
	case words <= 2:
		return shortest[[2]uint64](f, m)
	case words <= 4:
		return shortest[[4]uint64](f, m)
	case words <= 8:
		return shortest[[8]uint64](f, m)
	case words <= 32:
		return shortest[[32]uint64](f, m)
	default:
		return shortest[[320]uint64](f, m)
	}
}
