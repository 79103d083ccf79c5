// Package extents collects the range of each quantity in an input that the statement bounds.
package extents

import (
	"fmt"
	"io"
)

// List holds, for each quantity, the smallest and the largest value in an input, in the order in
// which the quantities were first noted. From it judge verify finds out whether a case reaches each
// bound. The zero List is empty and ready.
type List []extent

type extent struct {
	name      string // as in bounds of problems/<id>.yaml
	low, high int
}

// Note extends the range of a quantity to a value.
func (l *List) Note(name string, value int) {
	for i := range *l {
		if e := &(*l)[i]; e.name == name {
			e.low, e.high = min(e.low, value), max(e.high, value)
			return
		}
	}
	*l = append(*l, extent{name, value, value})
}

// Write prints a line "NAME LOW HIGH" for each quantity.
func (l List) Write(w io.Writer) {
	for _, e := range l {
		fmt.Fprintln(w, e.name, e.low, e.high)
	}
}
