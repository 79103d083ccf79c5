// verdict: CE
// why: a workspace with a folder of the host
// says: go.work|workspace|no such file|mod

package main

import "fmt"

func main() { fmt.Println("ok") }
