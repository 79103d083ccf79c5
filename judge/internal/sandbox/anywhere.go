package sandbox

import "strings"

// Anywhere stands for a box that is not chosen yet, in commands that are written beforehand. It
// runs nothing: its Path marks a path, and [Locate] replaces the marks with the paths of a real
// box.
var Anywhere Box = anywhere{}

type anywhere struct{ Box }

func (anywhere) Path(inside string) string { return mark + inside + mark }

// mark encloses a path. No argument can contain it: the kernel ends arguments there.
const mark = "\x00"

// Locate returns arguments, or environment settings, that were written for [Anywhere], with the
// paths of box.
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
