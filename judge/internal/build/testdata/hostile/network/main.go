// verdict: CE
// why: a module that the go command would have to fetch
// says: GOPROXY=off|disabled

package main

import "golang.org/x/text/width"

func main() { println(width.Fold) }
