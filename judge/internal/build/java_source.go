package build

import (
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// javaFile holds those parts of a Java source's top level that are needed to name the file and to
// guess the class to start. The scanner splits the text into the same tokens as the compiler, and
// leaves errors to the compiler.
type javaFile struct {
	pack    string // name of its package; "" for none
	types   []javaType
	compact bool // a compact source file: it has methods or fields outside of all classes
}

// javaType is a class, interface, enum, record or annotation at the top level.
type javaType struct {
	name   string
	public bool
	main   bool // its body declares a void method main
}

// public returns the name of the first public type, after which the file must be named; "" if there
// is none. In a compact source file, types are members, after which no file need be named.
func (f javaFile) public() string {
	for _, t := range f.types {
		if t.public && !f.compact {
			return t.name
		}
	}
	return ""
}

// readJava reads the top level of a Java source.
func readJava(text []byte) javaFile {
	var f javaFile
	s := &javaScanner{text: unescapeJava(text)}
	public := false // the word public has been read since the last declaration
	for last := ""; ; {
		token := s.next()
		switch {
		case token == "":
			return f
		case token == "@":
			if s.next() != "interface" {
				s.annotation()
			} else if s.beginsName() {
				f.types = append(f.types, s.declaration(public))
				public = false
			}
		case token == "package" && f.pack == "" && len(f.types) == 0:
			f.pack = s.until(";")
		case token == "import":
			s.until(";")
		case token == "public":
			public = true
		case last != "." && (token == "class" || token == "interface" || token == "enum" || token == "record" && s.beginsRecord()) && s.beginsName():
			f.types = append(f.types, s.declaration(public))
			public = false
		case token == "{":
			s.body()
			public = false
		case token == "(":
			s.closing("(", ")")
			f.compact = true // the parameters of a method or the value of a field, outside of all types
		case token == "=":
			f.compact = true
		case token == ";":
			public = false
		}
		last = token
	}
}

// javaScanner splits a Java text into tokens: names, keywords and numbers, and every other
// character by itself. It skips white space, comments and literals.
type javaScanner struct {
	text   string // the source with its Unicode escapes replaced
	at     int
	peeked []string
}

// next returns the next token, "" at the end.
func (s *javaScanner) next() string {
	if len(s.peeked) > 0 {
		token := s.peeked[0]
		s.peeked = s.peeked[1:]
		return token
	}
	return s.scan()
}

// peek returns the token n places after the next one, without consuming it.
func (s *javaScanner) peek(n int) string {
	for len(s.peeked) <= n {
		s.peeked = append(s.peeked, s.scan())
	}
	return s.peeked[n]
}

func (s *javaScanner) scan() string {
	for s.at < len(s.text) {
		rest := s.text[s.at:]
		r, size := utf8.DecodeRuneInString(rest)
		switch {
		case strings.HasPrefix(rest, "//"):
			s.skip(2, strings.IndexAny(rest[2:], "\r\n"), 0)
		case strings.HasPrefix(rest, "/*"):
			s.skip(2, strings.Index(rest[2:], "*/"), 2)
		case strings.HasPrefix(rest, `"""`):
			s.quoted(`"""`)
		case r == '"' || r == '\'':
			s.quoted(rest[:1])
		case javaLetter(r) || unicode.IsDigit(r):
			end := strings.IndexFunc(rest, func(r rune) bool { return !javaLetter(r) && !javaNamePart(r) })
			if end < 0 {
				end = len(rest)
			}
			s.at += end
			return strings.Map(func(r rune) rune {
				if javaIgnored(r) {
					return -1
				}
				return r
			}, rest[:end])
		case unicode.IsSpace(r) || javaIgnored(r): // including control characters, such as one at the end of the file
			s.at += size
		default:
			s.at += size
			return rest[:size]
		}
	}
	return ""
}

// skip skips a comment. begin and end are the lengths of its delimiters; found is the length of the
// text between them, or -1 if the comment does not end.
func (s *javaScanner) skip(begin, found, end int) {
	if found < 0 {
		s.at = len(s.text)
		return
	}
	s.at += begin + found + end
}

// quoted skips a literal that begins with mark. If mark is one character, the literal ends at the
// end of its line at the latest.
func (s *javaScanner) quoted(mark string) {
	for s.at += len(mark); s.at < len(s.text); {
		switch rest := s.text[s.at:]; {
		case strings.HasPrefix(rest, mark):
			s.at += len(mark)
			return
		case rest[0] == '\\' && len(rest) > 1:
			s.at += 2
		case len(mark) == 1 && (rest[0] == '\n' || rest[0] == '\r'):
			return
		default:
			s.at++
		}
	}
	s.at = min(s.at, len(s.text))
}

// until consumes the tokens up to and including end, and returns those before it, joined.
func (s *javaScanner) until(end string) string {
	var b strings.Builder
	for token := s.next(); token != "" && token != end; token = s.next() {
		b.WriteString(token)
	}
	return b.String()
}

// annotation skips the rest of an annotation after the first word of its name.
func (s *javaScanner) annotation() {
	for s.peek(0) == "." {
		s.next()
		s.next()
	}
	if s.peek(0) == "(" {
		s.next()
		s.closing("(", ")")
	}
}

// closing skips the tokens up to and including the bracket that closes one already read.
func (s *javaScanner) closing(open, end string) {
	for depth := 1; depth > 0; {
		switch s.next() {
		case open:
			depth++
		case end:
			depth--
		case "":
			return
		}
	}
}

// beginsRecord reports whether the word record, just read, begins a declaration. It may also be a
// name.
func (s *javaScanner) beginsRecord() bool {
	return s.beginsName() && (s.peek(1) == "(" || s.peek(1) == "<")
}

// beginsName reports whether the next token is a name.
func (s *javaScanner) beginsName() bool {
	r, _ := utf8.DecodeRuneInString(s.peek(0))
	return javaLetter(r)
}

// declaration reads the declaration of a type, from its name on.
func (s *javaScanner) declaration(public bool) javaType {
	t := javaType{name: s.next(), public: public}
	for token := s.next(); token != "" && token != "{"; token = s.next() {
		if token == "(" { // the parameters of a record, or of an annotation, which may contain braces
			s.closing("(", ")")
		}
	}
	t.main = s.body()
	return t
}

// body skips the body of a type, whose opening brace has been read, and reports whether a method
// main is declared directly in it.
func (s *javaScanner) body() (main bool) {
	last := ""
	for depth := 1; depth > 0; {
		token := s.next()
		switch token {
		case "{":
			depth++
		case "}":
			depth--
		case "main":
			main = main || depth == 1 && last == "void" && s.peek(0) == "("
		case "":
			return main
		}
		last = token
	}
	return main
}

// javaLetter reports whether a name may begin with r.
func javaLetter(r rune) bool {
	return unicode.IsLetter(r) || unicode.In(r, unicode.Nl, unicode.Sc, unicode.Pc)
}

// javaNamePart reports whether a name may contain r after its first letter, in addition to the
// letters of javaLetter.
func javaNamePart(r rune) bool {
	return unicode.In(r, unicode.Nd, unicode.Mn, unicode.Mc) || javaIgnored(r)
}

// javaIgnored reports whether Java ignores r within a name.
func javaIgnored(r rune) bool {
	return unicode.Is(unicode.Cf, r) || r <= 8 || 0xe <= r && r <= 0x1b || 0x7f <= r && r <= 0x9f
}

// unescapeJava replaces Unicode escapes, such as \u0041 for A. Java replaces them before it splits
// the text into tokens, so an escape may begin a comment.
func unescapeJava(text []byte) string {
	in := strings.ToValidUTF8(string(text), "\uFFFD")
	if !strings.Contains(in, `\u`) {
		return in
	}
	var b strings.Builder
	for i := 0; i < len(in); {
		r, n := javaEscape(in[i:])
		switch {
		case n == 0 && in[i] == '\\' && i+1 < len(in): // a backslash escapes the next character
			_, size := utf8.DecodeRuneInString(in[i+1:])
			b.WriteString(in[i : i+1+size])
			i += 1 + size
			continue
		case n == 0:
			b.WriteByte(in[i])
			i++
			continue
		case utf16.IsSurrogate(r):
			if low, m := javaEscape(in[i+n:]); m > 0 && utf16.DecodeRune(r, low) != utf8.RuneError {
				r, n = utf16.DecodeRune(r, low), n+m
			}
		}
		b.WriteRune(r)
		i += n
	}
	return b.String()
}

// javaEscape returns the value and the length of the Unicode escape at the beginning of a text; the
// length is 0 if there is none.
func javaEscape(text string) (r rune, length int) {
	rest, ok := strings.CutPrefix(text, `\u`)
	rest = strings.TrimLeft(rest, "u")
	if !ok || len(rest) < 4 {
		return 0, 0
	}
	for _, c := range []byte(rest[:4]) {
		digit := strings.IndexByte("0123456789abcdef", c|0x20)
		if digit < 0 || c < '0' {
			return 0, 0
		}
		r = r<<4 | rune(digit)
	}
	return r, len(text) - len(rest) + 4
}
