// verdict: CE
// why: two gigabytes of data
// says: memory limit|File size limit|file size limit|too large|no space left

package main

var a = [1 << 28]int{1<<28 - 1: 1}

func main() { println(a[len(a)-1]) }
