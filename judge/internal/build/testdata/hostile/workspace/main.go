// verdict: AC
// why: a workspace that contains a folder of the host, which must be ignored
// says: ok

package main

import "fmt"

func main() { fmt.Println("ok") }
