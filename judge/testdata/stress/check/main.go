// Check looks at a pair of numbers, or offers others without their last digits:
// check -input < input, check -reduce < input.
package main

import (
	"fmt"
	"io"
	"os"
)

func main() {
	text, err := io.ReadAll(os.Stdin)
	if err != nil {
		panic(err)
	}
	var a, b int64
	fmt.Sscanf(string(text), "%d %d\n", &a, &b)
	if written(a, b) != string(text) || max(a, -a, b, -b) > 1_000_000_000 {
		fmt.Fprintln(os.Stderr, "line 1, column 1: not two numbers")
		os.Exit(43)
	}
	if os.Args[1] == "-reduce" {
		for _, offer := range []string{written(a/10, b), written(a, b/10), "not a pair"} {
			fmt.Printf("%d:%s,", len(offer), offer)
		}
		return
	}
	fmt.Println("a", a, a)
	fmt.Println("b", b, b)
	os.Exit(42)
}

func written(a, b int64) string { return fmt.Sprintf("%d %d\n", a, b) }
