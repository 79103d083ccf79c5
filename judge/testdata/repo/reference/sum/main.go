// Sum reads two integers and prints their sum.
package main

import (
	"fmt"
	"os"
)

func main() {
	var a, b int64
	if _, err := fmt.Scan(&a, &b); err != nil {
		fmt.Fprintln(os.Stderr, "line 1:", err)
		os.Exit(3)
	}
	fmt.Println(a + b)
}
