// verdict: CE
// why: a module in another folder of the host
// says: replacement directory|no such file

package main

import "example.com/x"

func main() { x.X() }
