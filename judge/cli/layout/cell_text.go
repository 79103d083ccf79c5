package layout

import "strings"

// CellText returns a text for a cell. An apostrophe before it keeps a spreadsheet from evaluating a
// formula; these begin with one of the signs below, or with one of their wide forms.
func CellText(text string) string {
	text = Word(text)
	if strings.HasPrefix(strings.TrimLeft(text, " "), "'") || strings.IndexAny(strings.TrimLeft(text, " "), "=+-@＝＋－＠") == 0 {
		return "'" + text
	}
	return text
}
