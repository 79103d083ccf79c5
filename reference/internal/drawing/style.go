package drawing

import (
	"fmt"
	"strings"
)

// palette holds the colours of a picture on a light or a dark page.
type palette struct {
	page, floor, faint, mute, ink, accent, wrong string
	series                                       [Colours]string
}

// Colours is the number of colours that distinguish things; their classes are c0, c1 and so on.
const Colours = 6

var (
	light = palette{"#ffffff", "#e9edf1", "#d0d7de", "#656d76", "#1f2328", "#0969da", "#d1242f",
		[Colours]string{"#0969da", "#bc4c00", "#1a7f37", "#8250df", "#bf3989", "#57606a"}}
	dark = palette{"#0d1117", "#1f2833", "#3d444d", "#9198a1", "#f0f6fc", "#4493f8", "#ff6a69",
		[Colours]string{"#58a6ff", "#f0883e", "#3fb950", "#b78aff", "#f778ba", "#b1bac4"}}
)

// rules returns a palette as CSS, without variables, which not all viewers know.
func (p palette) rules() string {
	var b strings.Builder
	fmt.Fprintf(&b, "svg{background:%s}.page{fill:%s}.floor{fill:%s}.dark{fill:%s}.mark{fill:%s}.faint{fill:%s}\n", p.page, p.page, p.floor, p.ink, p.accent, p.faint)
	fmt.Fprintf(&b, "text{fill:%s}text.mute{fill:%s}text.wrong{fill:%s}text.on{fill:%s}\n", p.ink, p.mute, p.wrong, p.page)
	fmt.Fprintf(&b, ".grid{stroke:%s}.wall{stroke:%s}.way{stroke:%s}.bad{stroke:%s}.badfill{fill:%s}.tip{fill:%s}\n", p.faint, p.ink, p.accent, p.wrong, p.wrong, p.accent)
	for i, c := range p.series {
		fmt.Fprintf(&b, ".c%d{fill:%s}.r%d{stroke:%s}", i, c, i, c)
	}
	b.WriteString("\n")
	return b.String()
}

// style returns the style sheet of every picture.
//
//   - fills: page, floor (of a board), dark, mark (under a symbol), faint, badfill, tip, c0 to c5;
//     black and white on any page
//   - lines: grid, wall, way (a solution), bad (something wrong), r0 to r5; gone is dashed
//   - texts: head, title, mute, wrong, on (on a filled shape)
//
// Replays stop while the pointer is on them, and never start for readers who want no motion.
func style() string {
	return fmt.Sprintf(`<style>
svg{font:%dpx sans-serif}.title{font-weight:bold;font-size:15px}.head{font-weight:bold}
.grid,.wall,.way,.bad,.ring{fill:none;stroke-linecap:round;stroke-linejoin:round}
.grid{stroke-width:1}.wall{stroke-width:2}.way{stroke-width:3}.bad{stroke-width:3}.ring{stroke-width:2}.gone{stroke-dasharray:2 5}
.black{fill:#000000;stroke:#808080}.white{fill:#ffffff;stroke:#808080}
.mark{opacity:.3}.off{opacity:0}.replay:hover *{animation-play-state:paused}
%s@media (prefers-color-scheme:dark){
%s}
@media (prefers-reduced-motion:reduce){*{animation:none!important}}
</style>
`, fontSize, light.rules(), dark.rules())
}
