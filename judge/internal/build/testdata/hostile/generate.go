// verdict: AC
// why: a go:generate command, which must not run
// says: ok
// never: generate-ran

package main

import "fmt"

//go:generate sh -c "echo generate-ran >&2; exit 1"

func main() { fmt.Println("ok") }
