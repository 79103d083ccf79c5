// verdict: CE
// why: a toolchain that the go command would have to fetch
// says: go.mod requires go >= 1.99

package main

import "fmt"

func main() { fmt.Println("ok") }
