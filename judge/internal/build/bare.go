package build

import "strings"

// syntax is what stands in the texts of a language besides its words.
type syntax struct {
	line   string      // begins a comment that ends with its line; "" for none
	blocks [][2]string // begin and end comments
	nested bool        // comments may stand in such comments
	quotes []string    // begin and end text that is left out, a longer one before a shorter
	escape bool        // a backslash in such text takes the next sign with it
}

// syntaxes are those of the languages whose texts are asked where a program starts, or what
// a file needs. Python's short texts stay: the name of a module stands in one.
var syntaxes = map[string]syntax{
	"haskell": {line: "--", blocks: [][2]string{{"{-", "-}"}}, nested: true, quotes: []string{`"`}, escape: true},
	"ocaml":   {blocks: [][2]string{{"(*", "*)"}}, nested: true, quotes: []string{`"`}, escape: true},
	"pascal":  {line: "//", blocks: [][2]string{{"{", "}"}, {"(*", "*)"}}, quotes: []string{"'"}},
	"pypy3":   {line: "#", quotes: []string{`"""`, "'''"}, escape: true},
	"python3": {line: "#", quotes: []string{`"""`, "'''"}, escape: true},
	"rust":    {line: "//", blocks: [][2]string{{"/*", "*/"}}, nested: true, quotes: []string{`"`}, escape: true},
}

// bare returns a text without comments and quoted text, in place of which stands a blank. Of
// a language that is not known it is the text itself.
func bare(language string, text []byte) string {
	x, known := syntaxes[language]
	if !known {
		return string(text)
	}
	var b strings.Builder
	for rest := string(text); rest != ""; {
		if n := x.skip(rest); n > 0 {
			b.WriteByte(' ')
			rest = rest[n:]
			continue
		}
		b.WriteByte(rest[0])
		rest = rest[1:]
	}
	return b.String()
}

// skip returns how long the comment or quoted text is that a text begins with; 0 for none.
func (x syntax) skip(text string) int {
	if strings.HasPrefix(text, `'"'`) || strings.HasPrefix(text, `'\"'`) { // a sign, where texts are in such marks
		return strings.IndexByte(text[1:], '\'') + 2
	}
	if x.line != "" && strings.HasPrefix(text, x.line) {
		if n := strings.IndexByte(text, '\n'); n >= 0 {
			return n // the end of the line stays
		}
		return len(text)
	}
	for _, block := range x.blocks {
		if strings.HasPrefix(text, block[0]) {
			return x.block(text, block)
		}
	}
	for _, quote := range x.quotes {
		if strings.HasPrefix(text, quote) {
			return x.quoted(text, quote)
		}
	}
	return 0
}

func (x syntax) block(text string, block [2]string) int {
	depth, i := 1, len(block[0])
	for i < len(text) && depth > 0 {
		switch {
		case strings.HasPrefix(text[i:], block[1]):
			depth, i = depth-1, i+len(block[1])
		case x.nested && strings.HasPrefix(text[i:], block[0]):
			depth, i = depth+1, i+len(block[0])
		default:
			i++
		}
	}
	return i
}

func (x syntax) quoted(text, quote string) int {
	for i := len(quote); i < len(text); i++ {
		switch {
		case strings.HasPrefix(text[i:], quote):
			return i + len(quote)
		case x.escape && text[i] == '\\':
			i++
		}
	}
	return len(text)
}
