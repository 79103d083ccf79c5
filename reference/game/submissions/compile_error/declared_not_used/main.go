// Verdict: compile error. A variable that is set and never used is no program in Go.
// Shown before any case.
package main

import "fmt"

func main() {
	var rows [7]string
	black := 0
	for i := range rows {
		n, err := fmt.Scan(&rows[i])
		for _, chip := range rows[i] {
			if chip == 'B' {
				black++
			}
		}
	}
	if black == 0 || black == 16 {
		fmt.Println(0)
	} else {
		fmt.Println("Impossible")
	}
}
