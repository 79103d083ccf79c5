// verdict: CE
// why: an error at a line of another file
// says: error|undefined

package main

func main() {
//line @CASES@:1
	x()
}
