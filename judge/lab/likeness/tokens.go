package likeness

import (
	"hash/fnv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// token is a token of a program. Tokens that differ only in a name or a literal have the same hash.
type token struct {
	hash uint64
	line int // from 1
}

// comments are the signs of comments in a language.
type comments struct {
	line       []string
	open, shut string
}

// cLike are the comments of C and of most languages after it.
var cLike = comments{[]string{"//"}, "/*", "*/"}

func commentsOf(language string) comments {
	switch language {
	case "python3", "pypy3", "ruby", "perl", "bash", "awk", "mawk":
		return comments{line: []string{"#"}}
	case "haskell":
		return comments{[]string{"--"}, "{-", "-}"}
	case "lua":
		return comments{[]string{"--"}, "--[[", "]]"}
	case "ocaml":
		return comments{open: "(*", shut: "*)"}
	case "pascal":
		return comments{[]string{"//"}, "{", "}"}
	}
	return cLike
}

// words are the keywords that tokens keep; all other names are the same.
var words = func() map[string]bool {
	list := map[string]bool{}
	for _, w := range strings.Fields(`if else elif for while do switch case default break continue return goto
		class struct enum union interface func fn def lambda new delete try catch except finally throw raise yield
		with import from in is not and or match when then begin end let where of impl trait loop defer go select range
		repeat until unless foreach elsif`) {
		list[w] = true
	}
	return list
}

// The hashes that stand for every name, number and string: programs that differ only in these are alike.
var name, number, text = hashOf("name"), hashOf("number"), hashOf("text")

func hashOf(s string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(s))
	return h.Sum64()
}

// scan returns the tokens of a program. It knows no grammar: text that is in no language is a sequence
// of tokens as well. Lines that only include or import something do not count, because all programs
// begin with the same.
func scan(p Program) (tokens []token) {
	c, keep, src, line := commentsOf(p.Language), words(), p.Text, 1
	begins := true // at the beginning of a line
	for len(src) > 0 {
		if begins {
			if n := preamble(src); n > 0 {
				src = src[n:]
				continue
			}
		}
		r, size := utf8.DecodeRuneInString(src)
		switch {
		case r == '\n':
			line++
			begins = true
			src = src[size:]
			continue
		case unicode.IsSpace(r):
			src = src[size:]
			continue
		}
		begins = false
		if n := comment(c, src); n > 0 {
			line += strings.Count(src[:n], "\n")
			src = src[n:]
			continue
		}
		n, hash := 0, uint64(0)
		switch {
		case r == '"' || r == '\'' || r == '`':
			n, hash = quoted(src), text
		case r == '_' || unicode.IsLetter(r):
			n = strings.IndexFunc(src, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) })
			if n < 0 {
				n = len(src)
			}
			if hash = name; keep[src[:n]] {
				hash = hashOf(src[:n])
			}
		case unicode.IsDigit(r):
			n = strings.IndexFunc(src, func(r rune) bool { return r != '_' && r != '.' && !unicode.IsLetter(r) && !unicode.IsDigit(r) })
			if n < 0 {
				n = len(src)
			}
			hash = number
		default:
			n, hash = size, hashOf(src[:size])
		}
		tokens = append(tokens, token{hash, line})
		line += strings.Count(src[:n], "\n")
		src = src[n:]
	}
	return tokens
}

// preamble returns the length of a line that only includes or imports something, without its end, or of the
// statement with which the line begins that does.
func preamble(src string) int {
	l, _, _ := strings.Cut(src, "\n")
	switch t := strings.TrimSpace(l); {
	case strings.HasPrefix(t, "#include"), strings.HasPrefix(t, "#define"), strings.HasPrefix(t, "#pragma"):
		return len(l)
	case strings.HasPrefix(t, "import "), strings.HasPrefix(t, "from "), strings.HasPrefix(t, "using "), strings.HasPrefix(t, "use "),
		strings.HasPrefix(t, "package "), strings.HasPrefix(t, "typedef "):
		before, _, more := strings.Cut(l, ";")
		if more {
			return len(before) + 1
		}
		return len(l)
	}
	return 0
}

// comment returns the length of the comment with which src begins, 0 for none.
func comment(c comments, src string) int {
	if c.open != "" && strings.HasPrefix(src, c.open) {
		if n := strings.Index(src[len(c.open):], c.shut); n >= 0 {
			return len(c.open) + n + len(c.shut)
		}
		return len(src)
	}
	for _, sign := range c.line {
		if strings.HasPrefix(src, sign) {
			if n := strings.IndexByte(src, '\n'); n >= 0 {
				return n
			}
			return len(src)
		}
	}
	return 0
}

// quoted returns the length of the literal with which src begins. One that is not closed ends with
// its line.
func quoted(src string) int {
	quote := src[:1]
	if triple := strings.Repeat(quote, 3); strings.HasPrefix(src, triple) {
		if n := strings.Index(src[3:], triple); n >= 0 {
			return n + 6
		}
	}
	for i := 1; i < len(src); i++ {
		switch {
		case src[i] == '\\':
			i++
		case src[i:i+1] == quote:
			return i + 1
		case src[i] == '\n' && quote != "`":
			return i
		}
	}
	return len(src)
}
