// verdict: CE
// why: access to a private name of the runtime
// says: linkname|invalid reference

package main

import _ "unsafe"

//go:linkname newcoro runtime.newcoro
func newcoro(f func(*int)) *int

func main() { println(newcoro(nil)) }
