// verdict: CE
// why: Go's assembler includes files as well
// says: passwd
// never: root:

package main

func f()

func main() { f() }
