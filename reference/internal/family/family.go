// Package family gives the generators of all problems the same command line.
//
//	gen FAMILY [-flag=value …] [-seed=N]    writes an input to standard output
//	gen -list                               describes the families and their flags
//	gen -ladder                             lists inputs of growing size
//
// docs/generators.md describes this protocol.
package family

import (
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
)

// A Family is one kind of input.
type Family struct {
	Name, About string // one word, and a short description
	Options     []Option

	// Ladder lists inputs of growing size. Each family counts its size in a unit of its own. judge
	// stress climbs the ladder, and judge grow measures how the time grows along it. The first
	// input is small enough to check by hand, the last as large as the statement allows.
	Ladder []Rung

	// Make returns the input, which depends on the arguments alone. An error made by Misuse blames
	// the arguments; any other means that there is no such input.
	Make func(*Args) ([]byte, error)
}

// A Rung is an input of a family with its Size, made with Flags.
type Rung struct {
	Size  int
	Flags string // separated by single spaces, as in "-n=4 -m=2"; without a seed
}

// An Option is a flag of a family.
type Option struct {
	name, preset, about string
	values              string             // the possible values, for -list
	check               func(string) error // returns what is wrong with a value, or nil
}

// Int returns a flag for a whole number from low to high.
func Int(name string, low, high, preset int, about string) Option {
	return Option{name, strconv.Itoa(preset), about, fmt.Sprintf("%d…%d", low, high), func(value string) error {
		n, err := strconv.Atoi(value)
		if err != nil || n < low || n > high {
			return fmt.Errorf("want a number from %d to %d", low, high)
		}
		return nil
	}}
}

// Choice returns a flag for one of several words, by default the first.
func Choice(name, about string, words ...string) Option {
	list := strings.Join(words, "|")
	return Option{name, words[0], about, list, func(value string) error {
		if !slices.Contains(words, value) {
			return fmt.Errorf("want %s", list)
		}
		return nil
	}}
}

// Text returns a flag for any text that check accepts. values describes these briefly, for -list.
func Text(name, values, preset, about string, check func(string) error) Option {
	return Option{name, preset, about, values, check}
}

// Args are the arguments of a family.
type Args struct {
	Family string
	Seed   uint64
	values map[string]string
}

// Int returns the value of an Int flag.
func (a *Args) Int(name string) int {
	n, err := strconv.Atoi(a.Text(name))
	if err != nil {
		panic("family: -" + name + " is not a number")
	}
	return n
}

// Text returns the value of a flag.
func (a *Args) Text(name string) string {
	value, ok := a.values[name]
	if !ok {
		panic("family: no flag -" + name)
	}
	return value
}

// Chance returns the source of all randomness: ChaCha8, whose bytes are the same on every platform
// and in every release of Go, keyed by problem, family and seed.
func (a *Args) Chance(problem string) *rand.ChaCha8 {
	return rand.NewChaCha8(sha256.Sum256(fmt.Appendf(nil, "%s %s %d", problem, a.Family, a.Seed)))
}

// misuse is an error that blames the arguments.
type misuse struct{ error }

// Misuse returns an error that blames the arguments, such as flags that contradict each other.
func Misuse(format string, args ...any) error { return misuse{fmt.Errorf(format, args...)} }

// The exit statuses besides 0.
const (
	exitFailure = 1 // there is no such input, or it could not be written
	exitUsage   = 2
)

// Main is the main function of a generator.
func Main(families []Family) { os.Exit(Run(families, os.Args[1:], os.Stdout, os.Stderr)) }

// Run executes the command line args and returns the exit status. An error is one line on errs.
func Run(families []Family, args []string, out, errs io.Writer) int {
	text, err := answer(families, args)
	if err == nil {
		_, err = out.Write(text)
	}
	if err == nil {
		return 0
	}
	fmt.Fprintln(errs, "gen:", err)
	if _, ok := errors.AsType[misuse](err); ok {
		return exitUsage
	}
	return exitFailure
}

// answer returns what the command line args prints.
func answer(families []Family, args []string) ([]byte, error) {
	switch {
	case len(args) == 1 && args[0] == "-list":
		return list(families), nil
	case len(args) == 1 && args[0] == "-ladder":
		return ladder(families), nil
	case len(args) == 0:
		return nil, Misuse("no family named (hint: gen -list shows them)")
	}
	i := slices.IndexFunc(families, func(f Family) bool { return f.Name == args[0] })
	if i < 0 {
		return nil, Misuse("unknown family %q (hint: gen -list shows them)", args[0])
	}
	f := &families[i]
	a, err := f.parse(args[1:])
	if err != nil {
		return nil, Misuse("%s: %w (hint: gen -list shows its flags)", f.Name, err)
	}
	text, err := f.Make(a)
	if _, ok := errors.AsType[misuse](err); ok {
		return nil, Misuse("%s: %w", f.Name, err)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.Name, err)
	}
	return text, nil
}

// parse reads the flags of a family.
func (f *Family) parse(args []string) (*Args, error) {
	flags := flag.NewFlagSet(f.Name, flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	a := &Args{Family: f.Name, values: map[string]string{}}
	flags.Uint64Var(&a.Seed, "seed", 1, "")
	for _, o := range f.Options {
		a.values[o.name] = o.preset
		flags.Func(o.name, "", func(value string) error {
			a.values[o.name] = value
			return o.check(value)
		})
	}
	if err := flags.Parse(args); err != nil {
		return nil, errors.New(strings.ReplaceAll(err.Error(), "\n", " "))
	}
	if flags.NArg() > 0 {
		return nil, fmt.Errorf("unexpected %q, flags are written -name=value", flags.Arg(0))
	}
	return a, nil
}

func list(families []Family) []byte {
	var text []byte
	for _, f := range families {
		text = fmt.Appendf(text, "%s: %s\n", f.Name, f.About)
		for _, o := range f.Options {
			text = fmt.Appendf(text, "  -%s=%s (%s)  %s\n", o.name, o.values, o.preset, o.about)
		}
	}
	return append(text, "every family:\n  -seed=N (1)  another input of the same kind\n"...)
}

func ladder(families []Family) []byte {
	var text []byte
	for _, f := range families {
		for _, r := range f.Ladder {
			text = fmt.Appendf(text, "%d %s\n", r.Size, strings.TrimSpace(f.Name+" "+r.Flags))
		}
	}
	return text
}
