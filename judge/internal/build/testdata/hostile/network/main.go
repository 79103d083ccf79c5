// verdict: CE
// why: a module that would have to be fetched
// says: GOPROXY=off|disabled

package main

import "golang.org/x/text/width"

func main() { println(width.Fold) }
