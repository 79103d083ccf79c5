// Gen writes inputs for problem dicey; package family is its command line. Every maze
// written has one solution or none.
package main

import "tribunal/reference/internal/family"

// maxMazes is how many mazes an input may have.
const maxMazes = 1000

func main() { family.Main(families) }
