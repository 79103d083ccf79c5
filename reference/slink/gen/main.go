// Command gen writes inputs of the Slink problem, all of them in the domain.
//
//	gen FAMILY [-flag=value ...] -seed=N
//	gen -list
//
// The same arguments give the same bytes on every machine and with every Go
// release: all chance comes from ChaCha8 (see chance.go).
//
// A puzzle is made from its solution. We draw a region whose border is one loop,
// read off the numbers, and keep the puzzle if the census (see colour.go) finds
// no second loop with these numbers.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
)

// The domain of the problem.
const (
	maxSide    = 20
	maxPuzzles = 1000
	maxCells   = 40_000
)

func main() {
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

// run executes the command and returns its exit status: 2 for wrong arguments,
// and then nothing is written to stdout.
func run(args []string, stdout, stderr io.Writer) int {
	text, err := generate(args)
	if err != nil {
		fmt.Fprintln(stderr, "gen:", err)
		return 2
	}
	if _, err := stdout.Write(text); err != nil {
		fmt.Fprintln(stderr, "gen:", err)
		return 1
	}
	return 0
}

// options are the values of all flags.
type options struct {
	n, rows, cols, max, fill, steps int
	goal                            string
	seed                            uint64
}

// A setting is a flag with a number and its range.
type setting struct {
	name             string
	value            func(*options) *int
	low, high, usual int
	about            string
}

var settings = map[string]setting{
	"n":     {"n", func(o *options) *int { return &o.n }, 1, maxPuzzles, 1, "puzzles"},
	"rows":  {"rows", func(o *options) *int { return &o.rows }, 0, maxSide, 0, "rows, 0 for any number (family all wants one)"},
	"cols":  {"cols", func(o *options) *int { return &o.cols }, 0, maxSide, 0, "columns, likewise"},
	"max":   {"max", func(o *options) *int { return &o.max }, 2, maxSide, maxSide, "largest side where any is allowed"},
	"fill":  {"fill", func(o *options) *int { return &o.fill }, 0, 100, 0, "percentage of inside cells to aim at, 0 for any"},
	"steps": {"steps", func(o *options) *int { return &o.steps }, 0, 1_000_000, 10_000, "changes to try on a puzzle"},
}

// generate returns the input that the arguments ask for, or the list of
// families.
func generate(args []string) ([]byte, error) {
	if len(args) == 0 {
		return nil, errors.New("no family given (hint: gen FAMILY -seed=N; gen -list names the families)")
	}
	if args[0] == "-list" && len(args) == 1 {
		return list(), nil
	}
	for _, f := range families {
		if f.name == args[0] {
			o, err := f.parse(args[1:])
			if err != nil {
				return nil, fmt.Errorf("%s: %w", f.name, err)
			}
			puzzles, err := f.make(o, newChance(f.name, o.seed))
			if err != nil {
				return nil, fmt.Errorf("%s: %w", f.name, err)
			}
			return input(puzzles)
		}
	}
	return nil, fmt.Errorf("unknown family %q (hint: gen -list names the families)", args[0])
}

// parse reads the flags of the family.
func (f *family) parse(args []string) (*options, error) {
	o := new(options)
	flags := flag.NewFlagSet(f.name, flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.Uint64Var(&o.seed, "seed", 0, "")
	names := []string{"-seed"}
	for _, name := range f.flags {
		names = append(names, "-"+name)
		if name == "goal" {
			flags.StringVar(&o.goal, name, goals[0].name, "")
			continue
		}
		s := settings[name]
		flags.IntVar(s.value(o), name, s.usual, "")
	}
	hint := "(hint: the flags are " + strings.Join(names, " ") + ")"
	if err := flags.Parse(args); err != nil {
		return nil, fmt.Errorf("%w %s", err, hint)
	}
	if flags.NArg() > 0 {
		return nil, fmt.Errorf("unexpected argument %q %s", flags.Arg(0), hint)
	}
	for _, name := range f.flags {
		if s, ok := settings[name]; ok {
			if v := *s.value(o); v < s.low || v > s.high {
				return nil, fmt.Errorf("-%s=%d is out of range (hint: from %d to %d)", name, v, s.low, s.high)
			}
		}
	}
	return o, nil
}

// list describes the families and their flags.
func list() []byte {
	var text []byte
	for _, f := range families {
		text = fmt.Appendf(text, "%s: %s\n", f.name, f.about)
		for _, name := range f.flags {
			if s, ok := settings[name]; ok {
				text = fmt.Appendf(text, "    -%s=%d..%d  %s (usually %d)\n", name, s.low, s.high, s.about, s.usual)
				continue
			}
			for _, g := range goals {
				text = fmt.Appendf(text, "    -%s=%s  %s\n", name, g.name, g.about)
			}
		}
	}
	return append(text, "every family takes -seed=N\n"...)
}

// input joins puzzles to an input, unless they are too many for one.
func input(puzzles []*puzzle) ([]byte, error) {
	cells := 0
	var text []byte
	for _, p := range puzzles {
		cells += p.rows * p.cols
		text = p.appendTo(text)
	}
	if len(puzzles) > maxPuzzles || cells > maxCells {
		return nil, fmt.Errorf("%d puzzles with %d cells are too many (hint: at most %d and %d)", len(puzzles), cells, maxPuzzles, maxCells)
	}
	return append(text, "0 0\n"...), nil
}
