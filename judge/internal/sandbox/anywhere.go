package sandbox

import "strings"

// Anywhere is a box to write commands for before it is known which box they run in. It runs
// nothing: its paths are marks, in whose place [Locate] puts the paths of a box.
var Anywhere Box = anywhere{}

type anywhere struct{ Box }

func (anywhere) Path(inside string) string { return mark + inside + mark }

// mark stands on both sides of a path. No argument holds it: it is where the kernel ends one.
const mark = "\x00"

// Locate returns arguments, or settings of an environment, that were written for [Anywhere]
// as they are in a box.
func Locate(box Box, texts []string) []string {
	located := make([]string, len(texts))
	for i, text := range texts {
		parts := strings.Split(text, mark)
		for k := 1; k < len(parts)-1; k += 2 {
			parts[k] = box.Path(parts[k])
		}
		located[i] = strings.Join(parts, "")
	}
	return located
}
