// Command gen writes an input of game to standard output.
//
//	gen FAMILY [-flag=value …] -seed=N
//	gen -list
//
// The output is a function of the arguments alone, on every platform and with
// every Go release: all randomness is drawn from the ChaCha8 generator, whose
// output is specified, seeded with the family and N. Wrong arguments: one line on
// standard error, exit status 2.
package main

import (
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/bits"
	"math/rand/v2"
	"os"
	"strings"
	"text/tabwriter"
)

const exitUsage = 2

// A family draws one game. Its flags are registered before its draw is called.
type family struct {
	name, about string
	flags       string // names of the flags that it takes besides -seed
	draw        func(s *source, o options) (game, error)
}

func (f *family) flagNames() []string { return append(strings.Fields(f.flags), "seed") }

// options are the values of all flags; a family looks only at its own.
type options struct {
	seed    uint64
	pattern pattern // anyPattern when it is left to chance
	goal    goal
	moves   int
}

var families = []family{
	{"random", "any pattern, any board", "pattern", drawRandom},
	{"exact", "a board that takes exactly -moves moves", "moves pattern goal", drawExact},
	{"far", "one of the boards that take the most moves their pattern ever asks for", "pattern goal", drawFar},
	{"deepest", "a game of 14 moves, the most there are", "goal", drawDeepest},
	{"impossible", "a pattern that cannot do everything, a board that it cannot do", "pattern", drawImpossible},
	{"ones", "the pattern of ones, any board", "", drawOnes},
	{"centre", "the pattern that flips the chosen chip alone, any board", "", drawCentre},
	{"zero", "the pattern of zeros; a board of one colour if -goal names one, else of two", "goal", drawZero},
}

func drawRandom(s *source, o options) (game, error) {
	return game{board(s.below(boards)), s.pattern(o.pattern)}, nil
}

func drawExact(s *source, o options) (game, error) {
	return s.search(o.pattern, fmt.Sprintf("takes exactly %d moves to %s", o.moves, o.goal), func(t *table) func(board) bool {
		return func(b board) bool { return t.answer(b) == o.moves && t.leadsTo(b, o.goal) }
	})
}

func drawFar(s *source, o options) (game, error) {
	return s.search(o.pattern, "takes the most moves and leads to "+string(o.goal), func(t *table) func(board) bool {
		most := 0
		for b := range boards {
			most = max(most, t.answer(board(b)))
		}
		return func(b board) bool { return t.answer(b) == most && t.leadsTo(b, o.goal) }
	})
}

func drawDeepest(s *source, o options) (game, error) {
	o.moves, o.pattern = mostMoves, anyPattern
	return drawExact(s, o)
}

func drawImpossible(s *source, o options) (game, error) {
	return s.search(o.pattern, "is impossible", func(t *table) func(board) bool {
		return func(b board) bool { return t.answer(b) == never }
	})
}

func drawOnes(s *source, _ options) (game, error) {
	return game{board(s.below(boards)), 0b111_111_111}, nil
}

func drawCentre(s *source, _ options) (game, error) {
	return game{board(s.below(boards)), 0b000_010_000}, nil
}

func drawZero(s *source, o options) (game, error) {
	switch o.goal {
	case white:
		return game{allWhite, 0}, nil
	case black:
		return game{allBlack, 0}, nil
	default:
		return game{1 + board(s.below(boards-2)), 0}, nil
	}
}

// search draws patterns, or takes the fixed one, until there are boards of the
// wanted kind, and then draws one of those.
func (s *source) search(fixed pattern, kind string, wantedWith func(*table) func(board) bool) (game, error) {
	for {
		p := s.pattern(fixed)
		wanted := wantedWith(newTable(p))
		var found []board
		for b := range boards {
			if wanted(board(b)) {
				found = append(found, board(b))
			}
		}
		switch {
		case len(found) > 0:
			return game{found[s.below(uint64(len(found)))], p}, nil
		case fixed != anyPattern:
			return game{}, fmt.Errorf("no board %s with pattern %s (hint: without -pattern a fitting one is drawn)", kind, fixed.digits())
		}
	}
}

// A source is a stream of choices.
type source struct{ stream *rand.ChaCha8 }

func newSource(family string, seed uint64) *source {
	return &source{rand.NewChaCha8(sha256.Sum256(fmt.Appendf(nil, "game %s %d", family, seed)))}
}

// below returns a number from 0 to n-1; n is far too small for the bias of the
// multiplication to matter.
func (s *source) below(n uint64) uint64 {
	high, _ := bits.Mul64(s.stream.Uint64(), n)
	return high
}

// pattern returns the fixed pattern, or draws one.
func (s *source) pattern(fixed pattern) pattern {
	if fixed != anyPattern {
		return fixed
	}
	return pattern(s.below(patterns))
}

// parse returns the family and the options that the arguments name.
func parse(args []string) (*family, options, error) {
	o := options{pattern: anyPattern, goal: anyGoal}
	if len(args) == 0 {
		return nil, o, errors.New("no family (hint: gen -list)")
	}
	for i := range families {
		f := &families[i]
		if f.name != args[0] {
			continue
		}
		set := flag.NewFlagSet(f.name, flag.ContinueOnError)
		set.SetOutput(io.Discard)
		for _, name := range f.flagNames() {
			switch name {
			case "pattern":
				set.Var(&o.pattern, name, "")
			case "goal":
				set.Var(&o.goal, name, "")
			case "moves":
				set.IntVar(&o.moves, name, 1, "")
			case "seed":
				set.Uint64Var(&o.seed, name, 1, "")
			}
		}
		err := set.Parse(args[1:])
		switch {
		case err != nil:
			return nil, o, fmt.Errorf("family %s: %w (hint: its flags are: %s)", f.name, err, strings.Join(f.flagNames(), " "))
		case set.NArg() > 0:
			return nil, o, fmt.Errorf("family %s: unexpected argument %q (hint: flags are written -name=value)", f.name, set.Arg(0))
		case o.moves < 0 || o.moves > mostMoves:
			return nil, o, fmt.Errorf("family %s: -moves=%d is out of range (hint: 0 to %d)", f.name, o.moves, mostMoves)
		}
		return f, o, nil
	}
	return nil, o, fmt.Errorf("unknown family %q (hint: gen -list)", args[0])
}

func list(w io.Writer) {
	columns := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, f := range families {
		fmt.Fprintf(columns, "%s\t%s\tflags: %s\n", f.name, f.about, strings.Join(f.flagNames(), " "))
	}
	columns.Flush()
	fmt.Fprintln(w, "-pattern=010111010 (row by row)  -goal=any|white|black (the colour that is nearest)  -moves=0..14  -seed=N")
}

func run(args []string, stdout, stderr io.Writer) int {
	if len(args) == 1 && args[0] == "-list" {
		list(stdout)
		return 0
	}
	f, o, err := parse(args)
	var g game
	if err == nil {
		g, err = f.draw(newSource(f.name, o.seed), o)
	}
	if err == nil {
		_, err = io.WriteString(stdout, g.String())
	}
	if err != nil {
		fmt.Fprintf(stderr, "gen: %v\n", err)
		return exitUsage
	}
	return 0
}

func main() {
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}
