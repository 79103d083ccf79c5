package cli

import (
	"io"
	"os"

	"tribunal/judge/internal/tty"
)

// terminal says what the terminal behind an output can do. It is the zero value if there is no
// terminal.
type terminal struct {
	Live, Color bool // whether it can show a display that is redrawn, and colours
	Width       int  // in columns; 0 if unknown
}

// Terminal says what the terminal behind w can do. Environment variables restrict it: CI turns off
// live displays, NO_COLOR (https://no-color.org) turns off colours, and TERM=dumb turns off both.
// --color overrides them for standard output and standard error, even if they are no terminals.
func (s Stdio) Terminal(w io.Writer) terminal {
	var t terminal
	if tty.IsTerminal(w) {
		able := os.Getenv("TERM") != "dumb"
		t = terminal{Live: able && os.Getenv("CI") == "", Color: able && os.Getenv("NO_COLOR") == "", Width: tty.Width(w)}
	}
	if w == s.Out || w == s.Err {
		switch s.color {
		case colorAlways:
			t.Color = true
		case colorNever:
			t.Color = false
		}
	}
	return t
}

// colorWhen is the value of --color.
type colorWhen string

// The values of --color.
const (
	colorAuto   colorWhen = "auto"
	colorAlways colorWhen = "always"
	colorNever  colorWhen = "never"
)

func colors() []colorWhen { return []colorWhen{colorAuto, colorAlways, colorNever} }
