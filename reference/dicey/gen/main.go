// Gen writes inputs for problem dicey.
//
//	gen FAMILY [-flag=value …] -seed=N
//	gen -list
//
// The output depends on the arguments only: all chance comes from ChaCha8, keyed
// by the family's name and the seed. Every maze written has one solution or
// none.
package main

import (
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strings"
)

// The exit statuses.
const (
	exitFailure = 1
	exitUsage   = 2
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// run writes the input that args ask for and returns the exit status.
func run(args []string, out, errs io.Writer) int {
	if len(args) == 1 && args[0] == "-list" {
		list(out)
		return 0
	}
	g, f, err := parse(args)
	if err != nil {
		fmt.Fprintln(errs, err)
		return exitUsage
	}
	if err := f.fill(g); err != nil {
		fmt.Fprintf(errs, "%s: %v\n", f.name, err)
		return exitFailure
	}
	if _, err := out.Write(append(g.text, "END\n"...)); err != nil {
		fmt.Fprintln(errs, err)
		return exitFailure
	}
	return 0
}

// A family is a kind of input.
type family struct {
	name, about string
	options     []option
	fill        func(*generator) error // adds the mazes
}

// An option is a flag of a family, a whole number between low and high.
type option struct {
	name              string
	low, high, preset int
	odd               bool // whether the number must be odd
	about             string
}

// parse finds the family and reads its flags.
func parse(args []string) (*generator, *family, error) {
	if len(args) == 0 {
		return nil, nil, errors.New("no family named (hint: gen -list)")
	}
	var f *family
	for i := range families {
		if families[i].name == args[0] {
			f = &families[i]
		}
	}
	if f == nil {
		return nil, nil, fmt.Errorf("unknown family %q (hint: gen -list)", args[0])
	}
	flags := flag.NewFlagSet(f.name, flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	seed := flags.Uint64("seed", 1, "")
	values := make(map[string]*int)
	for _, o := range f.options {
		values[o.name] = flags.Int(o.name, o.preset, "")
	}
	if err := flags.Parse(args[1:]); err != nil {
		return nil, nil, fmt.Errorf("%s: %s (hint: gen -list)", f.name, strings.ReplaceAll(err.Error(), "\n", " "))
	}
	if flags.NArg() > 0 {
		return nil, nil, fmt.Errorf("%s: unexpected %q (hint: flags are written -name=value)", f.name, flags.Arg(0))
	}
	g := &generator{option: make(map[string]int), prefix: strings.ToUpper(f.name)}
	for _, o := range f.options {
		n := *values[o.name]
		if n < o.low || n > o.high {
			return nil, nil, fmt.Errorf("%s: -%s=%d is out of range (hint: %d to %d)", f.name, o.name, n, o.low, o.high)
		}
		if o.odd && n%2 == 0 {
			return nil, nil, fmt.Errorf("%s: -%s=%d is even (hint: a walk back has an odd number of positions)", f.name, o.name, n)
		}
		g.option[o.name] = n
	}
	g.rng = rand.New(rand.NewChaCha8(sha256.Sum256(fmt.Appendf(nil, "dicey %s %d", f.name, *seed))))
	return g, f, nil
}

// list describes the families and their flags.
func list(out io.Writer) {
	for _, f := range families {
		fmt.Fprintf(out, "%-8s %s\n", f.name, f.about)
		for _, o := range f.options {
			fmt.Fprintf(out, "         -%s=%d…%d (%d): %s\n", o.name, o.low, o.high, o.preset, o.about)
		}
	}
}
