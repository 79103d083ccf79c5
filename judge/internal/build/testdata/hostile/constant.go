// verdict: CE
// why: arithmetic with numbers of any size
// says: overflow

package main

const (
	a = 1 << 500
	b = a * a * a
	c = b * b * b * b
)

func main() { println(c / b) }
