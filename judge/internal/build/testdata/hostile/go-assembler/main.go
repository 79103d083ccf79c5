// verdict: CE
// why: Go's assembler can include files, too
// says: passwd
// never: root:

package main

func f()

func main() { f() }
