// verdict: AC
// why: a command in a comment is not run
// says: ok
// never: generate-ran

package main

import "fmt"

//go:generate sh -c "echo generate-ran >&2; exit 1"

func main() { fmt.Println("ok") }
