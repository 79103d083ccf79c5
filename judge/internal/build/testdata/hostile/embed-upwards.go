// verdict: CE
// why: a file outside of the build folder, embedded in the program
// says: invalid pattern syntax
// never: root:

package main

import _ "embed"

//go:embed ../etc/passwd
var text string

func main() { print(text) }
