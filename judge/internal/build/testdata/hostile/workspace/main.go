// verdict: AC
// why: a workspace with a folder of the host is not looked at
// says: ok

package main

import "fmt"

func main() { fmt.Println("ok") }
