// verdict: CE
// why: a name of the runtime's own
// says: linkname|invalid reference

package main

import _ "unsafe"

//go:linkname newcoro runtime.newcoro
func newcoro(f func(*int)) *int

func main() { println(newcoro(nil)) }
