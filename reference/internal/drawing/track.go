package drawing

import (
	"fmt"
	"strings"
)

// Track is the course of an animation: the values of a property at times, in increasing order.
type Track struct {
	frames strings.Builder
	total  float64
	Frames int // number of values so far
}

// NewTrack returns a track for an animation that takes a number of seconds and then begins again.
func NewTrack(seconds float64) *Track { return &Track{total: seconds} }

// At adds a value, in CSS such as opacity:1, at a time in seconds.
func (t *Track) At(seconds float64, css string) {
	t.Frames++
	fmt.Fprintf(&t.frames, "%s%%{%s}", Number(100*seconds/t.total), css)
}

// Move adds a translation to a point at a time in seconds.
func (t *Track) Move(seconds, x, y float64) {
	t.At(seconds, "transform:translate("+Number(x)+"px,"+Number(y)+"px)")
}

// Play adds a track to the picture and returns the style of an element that follows it: smoothly, or
// in jumps.
func (p *Panel) Play(t *Track, jumps bool) string {
	name, timing := p.part.name(), "linear"
	if jumps {
		timing = "step-end"
	}
	fmt.Fprintf(&p.body, "<style>@keyframes %s{%s}</style>\n", name, t.frames.String())
	return fmt.Sprintf("animation:%s %ss %s infinite", name, Number(t.total), timing)
}
