package build

import (
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// javaFile is what a Java source says at its top level: as much as is needed to name its
// file, and to guess where it starts. It is read as the compiler's scanner reads it, and
// what does not parse is left to the compiler to tell.
type javaFile struct {
	pack  string // its package; "" for none
	types []javaType
	loose bool // methods or fields stand outside of all classes: a compact source file
}

// javaType is a class, interface, enum, record or annotation at the top level.
type javaType struct {
	name   string
	public bool
	main   bool // its text has a method main, whatever it takes and returns
}

// public returns the first public type, after which the file must be named; "" for none. In
// a compact source file types are members, whose names do not matter.
func (f javaFile) public() string {
	for _, t := range f.types {
		if t.public && !f.loose {
			return t.name
		}
	}
	return ""
}

// readJava reads the top level of a Java source.
func readJava(text []byte) javaFile {
	var f javaFile
	s := &javaScanner{text: unescapeJava(text)}
	public := false // a modifier since the last declaration
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
			f.loose = true // of a method, or of a field's value
		case token == "=":
			f.loose = true
		case token == ";":
			public = false
		}
		last = token
	}
}

// javaScanner splits a Java text into tokens: names, keywords and numbers as they are, one
// for each other sign, and none for white space, comments, and quoted text.
type javaScanner struct {
	text   string // without Unicode escapes
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

// peek returns the nth token from here, 0 for the next, and leaves it there.
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
			end := strings.IndexFunc(rest, func(r rune) bool { return !javaLetter(r) && !javaPart(r) })
			if end < 0 {
				end = len(rest)
			}
			s.at += end
			return strings.Map(func(r rune) rune {
				if javaIgnores(r) {
					return -1
				}
				return r
			}, rest[:end])
		case unicode.IsSpace(r) || javaIgnores(r): // the last character of a file may be one
			s.at += size
		default:
			s.at += size
			return rest[:size]
		}
	}
	return ""
}

// skip goes on behind what begins with so many bytes and ends, with as many bytes as it
// takes, where found says; -1 for not at all.
func (s *javaScanner) skip(begin, found, end int) {
	if found < 0 {
		s.at = len(s.text)
		return
	}
	s.at += begin + found + end
}

// quoted goes on behind quoted text. That of one quotation mark ends with its line, too.
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

// until returns the tokens before one, together, and goes on behind that.
func (s *javaScanner) until(end string) string {
	var b strings.Builder
	for token := s.next(); token != "" && token != end; token = s.next() {
		b.WriteString(token)
	}
	return b.String()
}

// annotation goes on behind an annotation, whose name has begun.
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

// closing goes on behind the sign that closes one which has been read.
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

// beginsRecord reports whether the word record, which may be a name as well, begins one.
func (s *javaScanner) beginsRecord() bool {
	return s.beginsName() && (s.peek(1) == "(" || s.peek(1) == "<")
}

// beginsName reports whether a name comes next.
func (s *javaScanner) beginsName() bool {
	r, _ := utf8.DecodeRuneInString(s.peek(0))
	return javaLetter(r)
}

// declaration goes on behind a type, whose name comes next.
func (s *javaScanner) declaration(public bool) javaType {
	t := javaType{name: s.next(), public: public}
	for token := s.next(); token != "" && token != "{"; token = s.next() {
		if token == "(" { // of a record, or an annotation with a list in braces
			s.closing("(", ")")
		}
	}
	t.main = s.body()
	return t
}

// body goes on behind the closing brace of an opened one, and reports whether a method main
// is declared right in it.
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

// javaLetter reports whether a name may begin with r, and javaPart whether it may go on
// with it.
func javaLetter(r rune) bool {
	return unicode.IsLetter(r) || unicode.In(r, unicode.Nl, unicode.Sc, unicode.Pc)
}

func javaPart(r rune) bool {
	return unicode.In(r, unicode.Nd, unicode.Mn, unicode.Mc) || javaIgnores(r)
}

// javaIgnores reports whether r may stand in a name and is not a part of it.
func javaIgnores(r rune) bool {
	return unicode.Is(unicode.Cf, r) || r <= 8 || 0xe <= r && r <= 0x1b || 0x7f <= r && r <= 0x9f
}

// unescapeJava replaces the escapes of Java that stand for a sign wherever it stands, such
// as \u0041 for A. They come before everything else: one may begin a comment.
func unescapeJava(text []byte) string {
	in := strings.ToValidUTF8(string(text), "\uFFFD")
	if !strings.Contains(in, `\u`) {
		return in
	}
	var b strings.Builder
	for i := 0; i < len(in); {
		r, n := javaEscape(in[i:])
		switch {
		case n == 0 && in[i] == '\\' && i+1 < len(in): // a backslash takes the next sign with it
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

// javaEscape returns what an escape at the beginning of a text stands for, and its length,
// which is 0 if there is none.
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
