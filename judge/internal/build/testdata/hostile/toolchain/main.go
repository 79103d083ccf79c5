// verdict: CE
// why: a toolchain that would have to be fetched
// says: go.mod requires go >= 1.99

package main

import "fmt"

func main() { fmt.Println("ok") }
