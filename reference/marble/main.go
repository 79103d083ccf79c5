// Command marble solves the Marble Game. Lifting a side of the board rolls all marbles away from
// it, until something stops them or a hole takes them. The program reads boards until 0 0 0 and
// prints for each the alphabetically first of the shortest sequences of lifts that bring every
// marble home, into its own hole, or that there is none. The code calls such a move a tilt.
//
// # Idea
//
// A position is the tuple of the marbles' squares. The answer is a shortest path in the graph of
// positions, of which there may be a hundred million. So the program tries to meet few positions,
// and to handle each in some dozens of nanoseconds and in few bytes:
//
//   - It searches from the start and from home at once, and meets in the middle. That needs moves
//     backwards, which it computes exactly. On hard boards it meets a tenth of the positions or less.
//   - It drops positions with a marble on a square from which that marble cannot come home.
//   - If the search is long, it finds all shapes that can be reached. A shape says where marbles
//     lie, but not which marble is where, so there are far fewer shapes than positions. If home's
//     shape is not among them, the board is impossible. Otherwise the search from home drops all
//     positions with other shapes, which are nearly all that it finds.
//   - It moves marbles by tables and by bit masks of a line, never square by square.
//   - It packs a position into few words, and stores it in 4 or 8 bytes if one word is enough.
//   - Threads share each layer of the search. Sets of positions are cut into parts by the square of
//     one marble, the lead. Nearly always, only the lead's square before a move decides where it
//     rolls to. So a thread can fill its own parts from the few parts that lead there, and threads
//     hand each other only the exceptions.
//
// If memory does not suffice and there is a folder for files, the search begins again with its
// positions in sorted streams on disk. That takes a few bytes of disk for a position, memory for
// buffers only, and a few times as long.
//
// # Why it is right
//
// Layer d from the start holds the positions at distance d from it. Layer e from home holds the
// positions at distance e from home that are the outcome of a move and may lie on a shortest way.
// When the depths are d and e, every shortest way of length d+e passes, after d moves, through a
// position of both layers, and a common position gives a way of that length. Depths grow by one at
// a time, so the first common position belongs to a shortest way.
//
// A tilt handles the marbles between two walls from the front backwards, because in this order they
// reach each hole and come to rest.
//
// A move that turns one position into another turns the shape of the one into the shape of the
// other, so no position that can be reached is dropped because of its shape. See shapes.go.
//
// After a move that drops no marble, neither the same nor the opposite move needs to be tried. The
// same move changes nothing. The opposite takes every marble back over squares without open holes,
// and on to where it would have taken the marble before the first move: that position is known
// already.
//
// The layers are sets, and the answer is read out of them in alphabetical order, so it does not
// depend on the number of threads.
//
// # Complexity
//
// Time and memory are linear in the positions and shapes met. If there are many, and a word holds a
// position, each takes some 8 to 18 bytes, lists and gaps included. No useful bound of the positions
// in N and M is known; the worst boards have 4 to 12 marbles and about 0.3 N² walls. Of r marbles
// that have not dropped, up to r! positions have the same shape, and on hard impossible boards
// nearly as many can be reached.
//
// # Files, in reading order
//
//   - input.go: a board, and reading and checking the input
//   - field.go: the tables about a board that are made before the search
//   - roll.go: a move
//   - untilt.go: a move backwards; alone.go: the same for marbles that cannot influence each other
//   - useful.go: the squares from which each marble can come home
//   - keys.go: positions packed into words; sets.go: sets of them
//   - layers.go: the positions met from one end
//   - search.go: the search from both ends; team.go: its threads; queue.go: what they share
//   - shapes.go: the search for shapes
//   - route.go: the answer from the layers
//   - memory.go and meter.go: how much memory there is, and how much is in use
//   - external.go: the search with files
//
// Here the idea ends. Package disk keeps the files of that search, and does not know the game.
//
// Beside them brute rolls marbles square by square, check validates inputs and outputs, and gen
// makes inputs.
//
// # Sources
//
// Searching from both ends, and completing a layer before the next is begun, are common knowledge.
// Cutting the graph into parts, so that a thread looks for duplicates only in a part that no other
// thread needs, is structured duplicate detection (Zhou and Hansen, AAAI 2004 and 2007). Storing
// only the part of a key that its place in the table does not determine is due to Cleary (1984).
// Keeping a table in the order of hashes is linear probing with the order of Amble and Knuth
// (1974). Sorting new positions on disk and merging them with those met before is delayed duplicate
// detection (Korf, AAAI 2004).
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

	"tribunal/reference/marble/disk"
)

func main() { os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }

// run solves all boards. It returns 0, 3 if the input is malformed, 2 for wrong arguments, or 1 if
// a board needs more memory or disk than there is or the output could not be written. It writes the output
// after the last board.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("marble", flag.ContinueOnError)
	flags.SetOutput(stderr)
	memory := size(availableMemory())
	flags.Var(&memory, "mem", "how much memory to use, as in 512MiB; by default most of the free memory")
	folder := flags.String("scratch", "", "a folder for temporary files; boards that need more memory are searched with files there")
	verbose := flags.Bool("v", false, "report the progress once a second")
	if err := flags.Parse(args); err != nil {
		return 2
	}
	if flags.NArg() > 0 {
		fmt.Fprintf(stderr, "unexpected argument %q (hint: the boards are read from standard input)\n", flags.Arg(0))
		return 2
	}
	if *folder != "" {
		if err := disk.Check(*folder); err != nil {
			fmt.Fprintf(stderr, "%v (hint: -scratch=DIR names a folder in which files can be made)\n", err)
			return 2
		}
	}
	// The meter counts the memory of sets and lists, and may use three quarters of the whole. The
	// rest is for the program itself, and for garbage that is not collected yet, which must be
	// little.
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
		m := &meter{limit: int64(memory) / 4 * 3, scratch: *folder}
		stop := func() {}
		if *verbose {
			stop = report(stderr, i+1, m, clock)
		}
		moves, ok, err := solve(b, m)
		stop()
		switch {
		case err != nil:
			hint := fmt.Sprintf("-mem=SIZE allows more than %v", memory)
			if *folder == "" {
				hint += ", -scratch=DIR allows files"
			} else if !errors.Is(err, errMemory) {
				hint = "-scratch=DIR may name a folder with more room"
			}
			fmt.Fprintf(stderr, "board %d: %v after %d positions (hint: %s)\n", i+1, err, m.positions.Load(), hint)
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

// solve returns the alphabetically first of the shortest ways to bring all marbles home, or false
// if there is none. The error is errMemory if the meter does not allow enough memory. Other
// goroutines may read the meter meanwhile. solve uses the narrowest key that holds a position.
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
