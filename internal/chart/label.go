package chart

import "slices"

// Around returns the box of a point.
func Around(x, y float64) Box { return Box{x - Radius, y - Radius, x + Radius, y + Radius} }

// Label writes a name beside a point, inside field and without overlapping the boxes in taken. If
// there is no such place, it writes nothing; callers must list the names elsewhere as well. Label
// returns taken with the box of the name added.
func (c *Canvas) Label(x, y float64, name string, field Box, taken []Box) []Box {
	for _, l := range []struct {
		anchor string
		x, y   float64
	}{
		{"start", x + 8, y + 4}, {"end", x - 8, y + 4}, {"middle", x, y + 18}, {"middle", x, y - 9},
		{"start", x + 6, y + 16}, {"end", x - 6, y + 16}, {"start", x + 6, y - 8}, {"end", x - 6, y - 8},
	} {
		b := TextBox(l.anchor, l.x, l.y, name)
		b = Box{b.Left - 1, b.Top - 1, b.Right + 1, b.Bottom + 1}
		if field.Holds(b) && !slices.ContainsFunc(taken, b.Meets) {
			c.Text(l.anchor, l.x, l.y, name)
			return append(taken, b)
		}
	}
	return taken
}
