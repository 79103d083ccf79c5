// verdict: CE
// why: a file of the host, embedded in the program
// says: pattern /etc/passwd: invalid pattern syntax
// never: root:

package main

import _ "embed"

//go:embed /etc/passwd
var text string

func main() { print(text) }
