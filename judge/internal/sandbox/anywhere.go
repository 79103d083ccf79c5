package sandbox

import "strings"

// Anywhere is a placeholder for a box that is not chosen yet, for commands that are prepared in
// advance. It runs nothing: its Path marks a path, and [Locate] replaces marked paths with those of
// a real box.
var Anywhere Box = anywhere{}

type anywhere struct{ Box }

func (anywhere) Path(inside string) string { return mark + inside + mark }

// mark encloses a path. No argument can contain it, because the kernel ends arguments there.
const mark = "\x00"

// Locate returns arguments or environment settings that were written for [Anywhere], with every
// marked path replaced by that of box.
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
