// verdict: AC
// why: settings of the go command in files of the submission
// says: ok
// never: tool-ran

package main

import "fmt"

func main() { fmt.Println("ok") }
