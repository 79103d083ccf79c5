// Command gen writes inputs for the dice mazes. Every maze has one solution or none.
//
//	gen FAMILY [-flag=value …] [-seed=N]
//	gen -list
//	gen -ladder
//
// Package family implements the command line, which docs/generators.md describes. The flags of a
// family set the number and the size of the mazes, and the length of their solutions: gen -list
// explains each.
//
// Read maze.go first, which counts the solutions of a maze, then generator.go, which draws mazes,
// and families.go, which holds the families. known.go holds mazes that took a long search to find.
package main

import "tribunal/reference/internal/family"

// maxMazes is the maximum number of mazes in an input.
const maxMazes = 1000

func main() { family.Main(families) }
