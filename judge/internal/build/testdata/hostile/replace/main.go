// verdict: CE
// why: a module that lies elsewhere on the host
// says: replacement directory|no such file

package main

import "example.com/x"

func main() { x.X() }
