// Gen prints a pair of numbers of a family: gen pair -max=9 -seed=1.
package main

import (
	"flag"
	"fmt"
	"os"
)

func main() {
	const families = "pair: two numbers below -max\nequal: the same number twice, below -max\n"
	switch os.Args[1] {
	case "-list":
		fmt.Print(families)
		return
	case "-ladder":
		for _, family := range []string{"pair", "equal"} {
			for max := 10; max <= 1_000_000_000; max *= 10 {
				fmt.Printf("%d %s -max=%d\n", max, family, max)
			}
		}
		return
	case "pair", "equal":
	default:
		fmt.Fprintf(os.Stderr, "gen: unknown family %q\n", os.Args[1])
		os.Exit(2)
	}
	flags := flag.NewFlagSet(os.Args[1], flag.ExitOnError)
	limit := flags.Uint64("max", 1000, "numbers are below this")
	seed := flags.Uint64("seed", 1, "decides the numbers")
	flags.Parse(os.Args[2:])
	next := func() uint64 {
		*seed = *seed*6364136223846793005 + 1442695040888963407
		return *seed >> 33 % *limit
	}
	a, b := next(), next()
	if os.Args[1] == "equal" {
		b = a
	}
	fmt.Println(a, b)
}
