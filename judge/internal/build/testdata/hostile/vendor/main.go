// verdict: CE
// why: a vendor folder that says it is another module
// says: GOPROXY=off|disabled

package main

import "golang.org/x/text/width"

func main() { println(width.Fold) }
