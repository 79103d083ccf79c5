package build

import "strings"

// syntax describes the comments and string literals of a language.
type syntax struct {
	line   string      // begins a comment that ends with the line; "" for none
	blocks [][2]string // begin and end of block comments
	nested bool        // block comments may be nested
	quotes []string    // delimiters of string literals, longer ones first
	escape bool        // a backslash in a literal escapes the next character
}

// syntaxes holds the syntax of the languages in whose sources the judge searches for the main
// function or for names of modules. Python's short literals count as code, because the search is
// for one: "__main__".
var syntaxes = map[string]syntax{
	"haskell": {line: "--", blocks: [][2]string{{"{-", "-}"}}, nested: true, quotes: []string{`"`}, escape: true},
	"ocaml":   {blocks: [][2]string{{"(*", "*)"}}, nested: true, quotes: []string{`"`}, escape: true},
	"pascal":  {line: "//", blocks: [][2]string{{"{", "}"}, {"(*", "*)"}}, quotes: []string{"'"}},
	"pypy3":   {line: "#", quotes: []string{`"""`, "'''"}, escape: true},
	"python3": {line: "#", quotes: []string{`"""`, "'''"}, escape: true},
	"rust":    {line: "//", blocks: [][2]string{{"/*", "*/"}}, nested: true, quotes: []string{`"`}, escape: true},
}

// codeOnly returns a source with a blank in place of each comment and string literal. If syntaxes
// does not have the language, it returns the whole source.
func codeOnly(language string, text []byte) string {
	x, known := syntaxes[language]
	if !known {
		return string(text)
	}
	return x.code(text)
}

// braces is the syntax that C and the languages after it have in common.
var braces = syntax{line: "//", blocks: [][2]string{{"/*", "*/"}}, quotes: []string{`"`}, escape: true}

// code returns a source with a blank in place of each comment and string literal.
func (x syntax) code(text []byte) string {
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

// skip returns the length of the comment or literal at the beginning of a text; 0 if there is none.
func (x syntax) skip(text string) int {
	if strings.HasPrefix(text, `'"'`) || strings.HasPrefix(text, `'\"'`) { // a quotation mark as a character literal
		return strings.IndexByte(text[1:], '\'') + 2
	}
	if x.line != "" && strings.HasPrefix(text, x.line) {
		if n := strings.IndexByte(text, '\n'); n >= 0 {
			return n // the newline is not part of the comment or literal
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
