// Command gen writes inputs for the Marble Game.
//
//	gen FAMILY [-flag=value …] -seed=N
//	gen -list
//
// The same arguments give the same bytes on every machine and with every
// release of Go: all chance comes from ChaCha8, and is used here alone.
package main

import (
	"bufio"
	"crypto/sha256"
	"flag"
	"fmt"
	"io"
	"math/bits"
	"math/rand/v2"
	"os"
	"strings"
)

const misuse = 2

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

func run(args []string, stdout, stderr io.Writer) int {
	out := bufio.NewWriter(stdout)
	err := generate(args, out)
	if err == nil {
		err = out.Flush()
	}
	if err != nil {
		fmt.Fprintln(stderr, err)
		return misuse
	}
	return 0
}

func generate(args []string, out *bufio.Writer) error {
	if len(args) == 0 {
		return fmt.Errorf("no family (hint: gen -list)")
	}
	if args[0] == "-list" {
		list(out)
		return nil
	}
	for _, f := range families {
		if f.name != args[0] {
			continue
		}
		g := &gen{settings: make(map[string]int)}
		if err := g.parse(f, args[1:]); err != nil {
			return fmt.Errorf("%s: %w", f.name, err)
		}
		for range g.settings["boards"] {
			b, err := f.board(g)
			if err != nil {
				return fmt.Errorf("%s: %w", f.name, err)
			}
			b.write(out)
		}
		fmt.Fprintln(out, "0 0 0")
		return nil
	}
	return fmt.Errorf("unknown family %q (hint: gen -list)", args[0])
}

func list(out io.Writer) {
	for _, f := range families {
		fmt.Fprintf(out, "%s\t%s\n", f.name, f.about)
		for _, s := range f.settings {
			fmt.Fprintf(out, "\t-%s=%d\t%s, %d..%d\n", s.name, s.value, s.about, s.low, s.high)
		}
	}
	fmt.Fprintln(out, "every family:\n\t-seed=1\tof the chance, any number from 0")
}

// setting is a flag of a family with its default and bounds.
type setting struct {
	name             string
	value, low, high int
	about            string
}

// gen is what a family draws a board from.
type gen struct {
	settings map[string]int
	chance   *rand.ChaCha8
}

func (g *gen) parse(f family, args []string) error {
	flags := flag.NewFlagSet(f.name, flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	seed := flags.Uint64("seed", 1, "")
	values := make([]*int, len(f.settings))
	for i, s := range f.settings {
		values[i] = flags.Int(s.name, s.value, "")
	}
	if err := flags.Parse(args); err != nil {
		return fmt.Errorf("%s (hint: gen -list)", strings.ReplaceAll(err.Error(), "\n", " "))
	}
	if flags.NArg() > 0 {
		return fmt.Errorf("%q is no flag (hint: flags look like -n=4)", flags.Arg(0))
	}
	for i, s := range f.settings {
		if *values[i] < s.low || *values[i] > s.high {
			return fmt.Errorf("-%s=%d is outside %d..%d", s.name, *values[i], s.low, s.high)
		}
		g.settings[s.name] = *values[i]
	}
	g.chance = rand.NewChaCha8(sha256.Sum256(fmt.Appendf(nil, "marble %s %d", f.name, *seed)))
	return nil
}

// below draws a number from 0 to n-1.
func (g *gen) below(n int) int {
	high, _ := bits.Mul64(g.chance.Uint64(), uint64(n))
	return int(high)
}

// between draws a number from low to high.
func (g *gen) between(low, high int) int { return low + g.below(high-low+1) }

// shuffle puts a list in a random order.
func shuffle[T any](g *gen, list []T) {
	for i := len(list) - 1; i > 0; i-- {
		j := g.below(i + 1)
		list[i], list[j] = list[j], list[i]
	}
}
