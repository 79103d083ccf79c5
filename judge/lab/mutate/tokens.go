package mutate

import "strings"

// kind is the kind of a token.
type kind uint8

const (
	word    kind = iota // identifiers and keywords
	number              // literals of numbers
	literal             // literals of strings and characters
	sign                // operators and punctuation
	newline             // in Python, the end of a logical line; text is ""
)

// lexeme is a token of a source text. Comments and preprocessor lines are none.
type lexeme struct {
	kind       kind
	text       string
	start, end int // byte offsets
}

// is reports whether a token is one of the given words or signs.
func (t lexeme) is(texts ...string) bool {
	if t.kind != word && t.kind != sign {
		return false
	}
	for _, s := range texts {
		if t.text == s {
			return true
		}
	}
	return false
}

// scanner splits a text into tokens. A text that is not valid in its language gives some tokens, too.
type scanner struct {
	text   string
	at     int
	tokens []lexeme
	pairs  []int // for each token, the index of the bracket that belongs to it; -1 for none
}

// add adds the token that ends at end, and goes there.
func (s *scanner) add(k kind, end int) {
	s.tokens = append(s.tokens, lexeme{k, s.text[s.at:end], s.at, end})
	s.at = end
}

// rest returns the text from the current place on.
func (s *scanner) rest() string { return s.text[s.at:] }

func isWord(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// number returns the end of the number at the current place, or the current place if there is none.
// mark is the character that may separate digits.
func (s *scanner) number(mark byte) int {
	if !isDigit(s.text[s.at]) && !(s.text[s.at] == '.' && s.at+1 < len(s.text) && isDigit(s.text[s.at+1])) {
		return s.at
	}
	i := s.at
	for ; i < len(s.text); i++ {
		c := s.text[i]
		exponent := (c == '+' || c == '-') && strings.IndexByte("eEpP", s.text[i-1]) >= 0 && !strings.HasPrefix(strings.ToLower(s.text[s.at:]), "0x")
		separates := c == mark && i+1 < len(s.text) && isWord(s.text[i+1])
		if !isWord(c) && c != '.' && !exponent && !separates {
			break
		}
	}
	return i
}

// quoted returns the end of a literal that begins with a quote at the place from. Backslashes escape,
// unless raw is set. A literal in one line that does not end there ends with the line.
func (s *scanner) quoted(from int, quote string, raw bool) int {
	for i := from + len(quote); i < len(s.text); i++ {
		switch {
		case s.text[i] == '\\' && !raw:
			i++
		case s.text[i] == '\\' && i+1 < len(s.text): // in a raw string of Python, too, a quote after it does not end the string
			i++
		case strings.HasPrefix(s.text[i:], quote):
			return i + len(quote)
		case s.text[i] == '\n' && len(quote) == 1:
			return i
		}
	}
	return len(s.text)
}

// sign adds the longest of the signs at the current place, or a single character.
func (s *scanner) sign(signs []string) {
	for _, text := range signs {
		if strings.HasPrefix(s.rest(), text) {
			s.add(sign, s.at+len(text))
			return
		}
	}
	s.add(sign, s.at+1)
}

// match sets pairs.
func (s *scanner) match() {
	s.pairs = make([]int, len(s.tokens))
	var open []int
	for i, t := range s.tokens {
		s.pairs[i] = -1
		switch {
		case t.kind != sign:
		case strings.Contains("([{", t.text):
			open = append(open, i)
		case strings.Contains(")]}", t.text) && len(open) > 0:
			from := open[len(open)-1]
			open = open[:len(open)-1]
			s.pairs[i], s.pairs[from] = from, i
		}
	}
}

// before returns the token before the given one, and after the one after it; the zero token, an
// empty word, if there is none.
func (s *scanner) before(i int) lexeme { return s.get(i - 1) }
func (s *scanner) after(i int) lexeme  { return s.get(i + 1) }

func (s *scanner) get(i int) lexeme {
	if i < 0 || i >= len(s.tokens) {
		return lexeme{}
	}
	return s.tokens[i]
}

// between returns the text between two tokens, without those.
func (s *scanner) between(i, j int) string {
	return strings.TrimSpace(s.text[s.tokens[i].end:s.tokens[j].start])
}

// cppSigns lists the signs of C++ that are longer than one character, longer ones first.
var cppSigns = []string{"<=>", "<<=", ">>=", "...", "->*", "::", "->", ".*", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^="}

// scanCPP splits a source in C++ into tokens.
func scanCPP(text string) *scanner {
	s := &scanner{text: text}
	fresh := true // only white space precedes in this line
	for s.at < len(text) {
		c, rest := text[s.at], s.rest()
		switch {
		case c == '\n':
			s.at++
			fresh = true
			continue
		case c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v' || strings.HasPrefix(rest, "\\\n"):
			s.at++
			continue
		case strings.HasPrefix(rest, "//"):
			s.at = endOfLine(text, s.at)
			continue
		case strings.HasPrefix(rest, "/*"):
			end := strings.Index(rest[2:], "*/")
			if end < 0 {
				s.at = len(text)
			} else {
				s.at += end + 4
			}
			continue
		case c == '#' && fresh:
			s.at = endOfLine(text, s.at)
			continue
		}
		fresh = false
		switch end := s.number('\''); {
		case end > s.at:
			s.add(number, end)
		case s.cppLiteral():
		case isWord(c):
			for end = s.at; end < len(text) && isWord(text[end]); end++ {
			}
			s.add(word, end)
		default:
			s.sign(cppSigns)
		}
	}
	s.match()
	return s
}

// endOfLine returns the end of the line at a place, which a backslash continues.
func endOfLine(text string, at int) int {
	for at < len(text) && text[at] != '\n' {
		if text[at] == '\\' {
			at++
		}
		at++
	}
	return min(at, len(text))
}

// cppLiteral adds the literal of a string or a character at the current place, if there is one.
func (s *scanner) cppLiteral() bool {
	rest := s.rest()
	for _, prefix := range []string{"", "u8", "u", "U", "L"} {
		after, found := strings.CutPrefix(rest, prefix)
		switch {
		case !found:
		case strings.HasPrefix(after, `R"`):
			delimiter, _, open := strings.Cut(after[2:], "(")
			if !open || len(delimiter) > 16 {
				continue
			}
			end := strings.Index(rest, ")"+delimiter+`"`)
			if end < 0 {
				s.add(literal, len(s.text))
			} else {
				s.add(literal, s.at+end+len(delimiter)+2)
			}
			return true
		case strings.HasPrefix(after, `"`), strings.HasPrefix(after, "'"):
			s.add(literal, s.quoted(s.at+len(prefix), after[:1], false))
			return true
		}
	}
	return false
}

// pythonSigns lists the signs of Python that are longer than one character, longer ones first.
var pythonSigns = []string{"**=", "//=", ">>=", "<<=", "...", "**", "//", "<<", ">>", "<=", ">=", "==", "!=", "->", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "@=", ":="}

// scanPython splits a source in Python into tokens. The start of the first token of a line shows its
// indentation.
func scanPython(text string) *scanner {
	s := &scanner{text: text}
	depth := 0
	for s.at < len(text) {
		c, rest := text[s.at], s.rest()
		switch {
		case c == '\n':
			if depth == 0 && len(s.tokens) > 0 && s.tokens[len(s.tokens)-1].kind != newline {
				s.tokens = append(s.tokens, lexeme{newline, "", s.at, s.at})
			}
			s.at++
			continue
		case c == ' ' || c == '\t' || c == '\r' || c == '\f':
			s.at++
			continue
		case strings.HasPrefix(rest, "\\\n"):
			s.at += 2
			continue
		case c == '#':
			if end := strings.IndexByte(rest, '\n'); end >= 0 {
				s.at += end
			} else {
				s.at = len(text)
			}
			continue
		}
		switch end := s.number('_'); {
		case end > s.at:
			s.add(number, end)
		case s.pythonLiteral():
		case isWord(c):
			for end = s.at; end < len(text) && isWord(text[end]); end++ {
			}
			s.add(word, end)
		default:
			if strings.IndexByte("([{", c) >= 0 {
				depth++
			} else if strings.IndexByte(")]}", c) >= 0 {
				depth = max(0, depth-1)
			}
			s.sign(pythonSigns)
		}
	}
	s.tokens = append(s.tokens, lexeme{newline, "", len(text), len(text)})
	s.match()
	return s
}

// pythonLiteral adds the literal of a string at the current place, if there is one. What an f-string
// contains is part of it.
func (s *scanner) pythonLiteral() bool {
	i := s.at
	for i < len(s.text) && i < s.at+2 && strings.IndexByte("rRbBuUfF", s.text[i]) >= 0 {
		i++
	}
	raw := strings.ContainsAny(s.text[s.at:i], "rR")
	for _, quote := range []string{`"""`, "'''", `"`, "'"} {
		if strings.HasPrefix(s.text[i:], quote) {
			s.add(literal, s.quoted(i, quote, raw))
			return true
		}
	}
	return false
}
