// Brute counts.
package main

import "fmt"

func main() {
	var a, b int
	fmt.Scan(&a, &b)
	for ; b > 0; b-- {
		a++
	}
	fmt.Println(a)
}
