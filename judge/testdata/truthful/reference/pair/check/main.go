// Check accepts two numbers on a line: check -input < input.
package main

import (
	"fmt"
	"io"
	"os"
)

func main() {
	text, _ := io.ReadAll(os.Stdin)
	var a, b int
	fmt.Sscan(string(text), &a, &b)
	if string(text) != fmt.Sprintln(a, b) {
		fmt.Fprintln(os.Stderr, "line 1: not two numbers")
		os.Exit(43)
	}
	fmt.Println("a", a, a)
	fmt.Println("b", b, b)
	os.Exit(42)
}
