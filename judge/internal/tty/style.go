package tty

// Style is a way to highlight text. The zero value is Plain.
type Style uint8

const (
	Plain Style = iota
	Bold
	Faint
	Red
	Green
	Cyan
	BoldMagenta
)

// sequences switch the styles on.
var sequences = [...]string{
	Bold: "\x1b[1m", Faint: "\x1b[2m", Red: "\x1b[31m", Green: "\x1b[32m", Cyan: "\x1b[36m", BoldMagenta: "\x1b[35;1m",
}

// reset switches all styles off.
const reset = "\x1b[0m"

// Paint returns text, cleaned, in a style.
func Paint(s Style, text string) Text {
	text = Clean(text)
	if s == Plain || text == "" {
		return Text{text}
	}
	return Text{sequences[s] + text + reset}
}

// Sequences that move the cursor and clear the screen. A screen is the terminal's alternate screen,
// without a cursor. A frame is drawn at once, from the top left, without wrapping lines.
var (
	OpenScreen  = Text{"\x1b[?1049h\x1b[?25l"}
	CloseScreen = Text{"\x1b[?25h\x1b[?1049l"}
	BeginFrame  = Text{"\x1b[?2026h\x1b[?7l\x1b[H"}
	EndFrame    = Text{"\x1b[J\x1b[?7h\x1b[?2026l"}
	EndLine     = Text{"\x1b[K\r\n"} // clears the rest of the line; works on terminals in raw mode too
	Newline     = Text{"\r\n"}       // works on terminals in raw mode too
)
