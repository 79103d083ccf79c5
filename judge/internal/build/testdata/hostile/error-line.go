// verdict: CE
// why: a line directive that places an error in another file
// says: error|undefined

package main

func main() {
//line @CASES@:1
	x()
}
