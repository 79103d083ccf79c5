// verdict: CE
// why: an array larger than the address space
// says: larger than address space

package main

var a [1 << 60]byte

func main() { println(len(a), a[5]) }
