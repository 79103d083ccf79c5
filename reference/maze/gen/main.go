// Command gen writes valid inputs of the maze problem.
//
//	gen FAMILY [-flag=value …] -seed=N
//	gen -list
//
// A family tells how the mazes are carved and where their lists are flipped; the
// flags tell how many, how large and how often. The output depends on nothing but
// the arguments: the randomness is ChaCha8, seeded with the family and the seed.
package main

import (
	"bufio"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"slices"
)

const (
	maxSide     = 39
	maxMazes    = 1000
	maxCommands = 50_000
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

func run(args []string, stdout, stderr io.Writer) int {
	if len(args) == 1 && args[0] == "-list" {
		list(stdout)
		return 0
	}
	p, err := parse(args)
	if err != nil {
		fmt.Fprintf(stderr, "gen: %v (hint: gen -list shows the families and their flags)\n", err)
		return 2
	}
	out := bufio.NewWriter(stdout)
	p.write(out)
	if err := out.Flush(); err != nil {
		fmt.Fprintf(stderr, "gen: %v\n", err)
		return 1
	}
	return 0
}

// shape is what the flags set; every family has its own defaults.
type shape struct {
	mazes         int
	rows, columns int // 0 for a random number from 1 to most
	most          int
	flips         int // in each maze that has a command at all
	burst         int // flips that follow each other without a move
}

// A family chooses the position of every flip. The long families first carve one
// path through nearly the whole grid and do all their flips at its end, where the
// list is longest; the others move at random, with the flips strewn in.
type family struct {
	name, about string
	long        bool
	position    func(g *game, d dice) int
	defaults    shape
}

var families = []family{
	{"random", "flips at random positions", false, anywhere,
		shape{mazes: 10, most: maxSide, flips: 20, burst: 1}},
	{"tiny", "many small mazes, flips at random positions", false, anywhere,
		shape{mazes: maxMazes, most: 3, flips: 2, burst: 1}},
	{"bursts", "several flips in a row", false, anywhere,
		shape{mazes: 10, most: maxSide, flips: 40, burst: 5}},
	{"length", "flips of the last cell alone, which change nothing", false, lastCell,
		shape{mazes: 10, most: maxSide, flips: 40, burst: 1}},
	{"dead", "flips that uncover a cell without unvisited neighbours", false, deadCell,
		shape{mazes: 10, most: maxSide, flips: 40, burst: 1}},
	{"first", "F 1 again and again, on a list as long as the grid allows", true, firstCell,
		shape{mazes: 1, rows: maxSide, columns: maxSide, most: maxSide, flips: 48_000, burst: 1}},
	{"live", "flips all over a list as long as the grid allows, never uncovering a dead cell", true, liveCell,
		shape{mazes: 1, rows: maxSide, columns: maxSide, most: maxSide, flips: 48_000, burst: 1}},
}

func list(w io.Writer) {
	fmt.Fprintln(w, "gen FAMILY [-flag=value …] -seed=N")
	for _, f := range families {
		d := f.defaults
		fmt.Fprintf(w, "\n%s: %s\n\t-mazes=%d -rows=%d -columns=%d -most=%d -flips=%d -burst=%d\n",
			f.name, f.about, d.mazes, d.rows, d.columns, d.most, d.flips, d.burst)
	}
	fmt.Fprintln(w, `
The flags are shown with their defaults: the number of mazes; their rows and
columns, 0 for a random number from 1 to -most; the flips in each maze that is
larger than one cell; and how many of them follow each other without a move.`)
}

// A plan is an input about to be written: its randomness and the sizes of its mazes.
type plan struct {
	family family
	shape  shape
	dice   dice
	sizes  []cell // rows and columns
}

func parse(args []string) (*plan, error) {
	if len(args) == 0 {
		return nil, errors.New("no family given")
	}
	i := slices.IndexFunc(families, func(f family) bool { return f.name == args[0] })
	if i < 0 {
		return nil, fmt.Errorf("unknown family %q", args[0])
	}
	p := &plan{family: families[i], shape: families[i].defaults}
	s := &p.shape
	var seed uint64
	flags := flag.NewFlagSet(args[0], flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.Uint64Var(&seed, "seed", 1, "")
	ranges := []struct {
		name      string
		value     *int
		low, high int
	}{
		{"mazes", &s.mazes, 0, maxMazes},
		{"rows", &s.rows, 0, maxSide},
		{"columns", &s.columns, 0, maxSide},
		{"most", &s.most, 1, maxSide},
		{"flips", &s.flips, 0, maxCommands},
		{"burst", &s.burst, 1, maxCommands},
	}
	for _, r := range ranges {
		flags.IntVar(r.value, r.name, *r.value, "")
	}
	if err := flags.Parse(args[1:]); err != nil {
		return nil, err
	}
	if flags.NArg() > 0 {
		return nil, fmt.Errorf("unexpected argument %q", flags.Arg(0))
	}
	for _, r := range ranges {
		if *r.value < r.low || *r.value > r.high {
			return nil, fmt.Errorf("-%s=%d is not in %d to %d", r.name, *r.value, r.low, r.high)
		}
	}
	p.dice = newDice(p.family.name, seed)
	return p, p.choose()
}

// choose fixes the sizes of the mazes.
func (p *plan) choose() error {
	commands := 0
	for range p.shape.mazes {
		size := cell{p.shape.rows, p.shape.columns}
		if size.row == 0 {
			size.row = 1 + p.dice.below(p.shape.most)
		}
		if size.column == 0 {
			size.column = 1 + p.dice.below(p.shape.most)
		}
		p.sizes = append(p.sizes, size)
		if moves := size.row*size.column - 1; moves > 0 {
			commands += moves + p.shape.flips
		}
	}
	if commands > maxCommands {
		return fmt.Errorf("%d commands are more than %d, ask for less of something", commands, maxCommands)
	}
	return nil
}

func (p *plan) write(w io.Writer) {
	fmt.Fprintln(w, len(p.sizes))
	for _, size := range p.sizes {
		start := cell{1, 1}
		if !p.family.long {
			start = cell{1 + p.dice.below(size.row), 1 + p.dice.below(size.column)}
		}
		fmt.Fprintf(w, "%d %d\n%d %d\n", size.row, size.column, start.row, start.column)
		g := newGame(size, start, w)
		if p.family.long {
			g.wind()
		}
		p.play(g)
	}
}

// play finishes a maze: all its moves, at random, and all its flips.
func (p *plan) play(g *game) {
	flips := p.shape.flips
	for g.alive() {
		bursts := (flips + p.shape.burst - 1) / p.shape.burst
		lastChance := p.family.long || g.unvisited == 1
		if flips > 0 && (lastChance || p.dice.below(bursts+g.unvisited) < bursts) {
			for range min(p.shape.burst, flips) {
				g.flip(p.family.position(g, p.dice))
				flips--
				g.alive() // drops what the flip uncovered, as every reader of the input will
			}
			continue
		}
		moves := g.moves()
		g.move(moves[p.dice.below(len(moves))])
	}
}

// The positions that the families flip from.

func anywhere(g *game, d dice) int { return 1 + d.below(len(g.list)) }

func firstCell(*game, dice) int { return 1 }

func lastCell(g *game, _ dice) int { return len(g.list) }

func liveCell(g *game, d dice) int { return g.positionOf(true, d) }

func deadCell(g *game, d dice) int { return g.positionOf(false, d) }

// dice is a source of randomness that is the same on every platform.
type dice struct{ source *rand.ChaCha8 }

func newDice(family string, seed uint64) dice {
	var key [32]byte
	copy(key[8:], family)
	binary.LittleEndian.PutUint64(key[:8], seed)
	return dice{rand.NewChaCha8(key)}
}

// below returns a number from 0 to n-1; its bias is far too small to matter.
func (d dice) below(n int) int { return int(d.source.Uint64() % uint64(n)) }
