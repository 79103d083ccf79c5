// Gen prints two numbers that follow from the seed: gen -max=9 -seed=1.
package main

import (
	"flag"
	"fmt"
)

func main() {
	limit := flag.Uint64("max", 99, "numbers are below this")
	seed := flag.Uint64("seed", 0, "decides the numbers")
	flag.Parse()
	next := func() uint64 {
		*seed = *seed*6364136223846793005 + 1442695040888963407
		return *seed >> 33
	}
	fmt.Println(next()%*limit, next()%*limit)
}
