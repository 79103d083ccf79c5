// verdict: CE
// why: a vendor folder that claims to be another module
// says: GOPROXY=off|disabled

package main

import "golang.org/x/text/width"

func main() { println(width.Fold) }
