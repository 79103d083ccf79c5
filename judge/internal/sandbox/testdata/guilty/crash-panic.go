// verdict: RTE
// why: a panic in Go is told in its own words
// says: panic: the sky is falling
package main

func main() { panic("the sky is falling") }
