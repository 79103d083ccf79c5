// verdict: RTE
// why: the report of a panic in Go quotes its message
// message: panic: the sky is falling
package main

func main() { panic("the sky is falling") }
