package checktestdata

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// pattern is a compiled regular expression: the program of a Thompson automaton. Package regexp
// cannot be used, because its syntax differs, and because it allows at most 1,000 repetitions,
// while expressions of this language have 100,000.
type pattern struct {
	insts []inst
	sets  []charset
}

type inst struct {
	op   instOp
	x, y int32 // next instructions, see instOp; for instChar, x is the index of a set
}

type instOp uint8

const (
	instChar  instOp = iota // read one byte of a set, continue with the next instruction
	instSplit               // continue with x or y, x preferred
	instJump                // continue with x
	instDone                // the text matches
)

// Limits of an expression, and of its pattern, which repetitions make longer.
const (
	maxRegex = 1 << 16 // bytes of an expression
	maxInsts = 1 << 22
)

// charset is a set of bytes.
type charset [256 / 32]uint32

func (s *charset) add(lo, hi byte) {
	for c := int(lo); c <= int(hi); c++ {
		s[c/32] |= 1 << (c % 32)
	}
}

func (s *charset) has(c byte) bool { return s[c/32]>>(c%32)&1 != 0 }

func (s *charset) invert() {
	for i := range s {
		s[i] = ^s[i]
	}
}

// regex is a parsed regular expression.
type regex struct {
	kind     regexKind
	set      int // index in sets, for regexSet
	subs     []*regex
	min, max int // bounds of regexRepeat; max < 0 means unlimited
}

type regexKind uint8

const (
	regexSet regexKind = iota
	regexSequence
	regexEither
	regexRepeat
)

// regexParser parses a regular expression in the syntax of Checktestdata. There are no anchors and
// no lazy repetitions, the first alternative that matches is taken, and a backslash is an ordinary
// character unless a special character follows.
type regexParser struct {
	rest  string
	sets  []charset
	depth int
}

// compile parses and compiles a regular expression. The error contains the expression.
func compile(text string) (*pattern, error) {
	if len(text) > maxRegex {
		return nil, fmt.Errorf("regular expression too long: %d bytes", len(text))
	}
	p := &regexParser{rest: text}
	r, err := p.either()
	if err == nil && p.rest != "" {
		err = errors.New("unmatched )")
	}
	out := &pattern{sets: p.sets}
	if err == nil && !(out.emit(r) && out.put(inst{op: instDone})) {
		err = errors.New("too many repetitions")
	}
	if err != nil {
		return nil, fmt.Errorf("regular expression %s: %w", brief(strconv.Quote(text)), err)
	}
	return out, nil
}

// either reads alternatives up to a closing parenthesis or the end.
func (p *regexParser) either() (*regex, error) {
	if p.depth++; p.depth > maxDepth {
		return nil, fmt.Errorf("nested deeper than %d", maxDepth)
	}
	defer func() { p.depth-- }()
	r := &regex{kind: regexEither}
	for {
		s, err := p.sequence()
		if err != nil {
			return nil, err
		}
		r.subs = append(r.subs, s)
		if !p.accept("|") {
			return r, nil
		}
	}
}

// accept consumes s if it comes next.
func (p *regexParser) accept(s string) (ok bool) {
	p.rest, ok = strings.CutPrefix(p.rest, s)
	return ok
}

// sequence reads parts that match one after another.
func (p *regexParser) sequence() (*regex, error) {
	r := &regex{kind: regexSequence}
	for p.rest != "" && p.rest[0] != ')' && p.rest[0] != '|' {
		s, err := p.atom()
		if err == nil {
			s, err = p.repeated(s)
		}
		if err != nil {
			return nil, err
		}
		r.subs = append(r.subs, s)
	}
	return r, nil
}

// atom reads a character, a set or a group.
func (p *regexParser) atom() (*regex, error) {
	switch p.rest[0] {
	case '(':
		p.rest = p.rest[1:]
		r, err := p.either()
		if err == nil && !p.accept(")") {
			err = errors.New("unmatched (")
		}
		return r, err
	case '*', '+', '?', '{':
		return nil, fmt.Errorf("%c has nothing to repeat", p.rest[0])
	case '[':
		p.rest = p.rest[1:]
		return p.set()
	case '.':
		p.rest = p.rest[1:]
		return p.byteRange(0, 255), nil
	}
	c, _ := p.char()
	return p.byteRange(c, c), nil
}

// byteRange returns the expression for one byte between lo and hi.
func (p *regexParser) byteRange(lo, hi byte) *regex {
	var s charset
	s.add(lo, hi)
	p.sets = append(p.sets, s)
	return &regex{kind: regexSet, set: len(p.sets) - 1}
}

// char reads one byte, and reports whether a backslash escaped it.
func (p *regexParser) char() (c byte, escaped bool) {
	if len(p.rest) > 1 && p.rest[0] == '\\' && strings.IndexByte(`(){}[]*+?|\^.-`, p.rest[1]) >= 0 {
		c, p.rest = p.rest[1], p.rest[2:]
		return c, true
	}
	c, p.rest = p.rest[0], p.rest[1:]
	return c, false
}

// classes are the named character classes, as pairs of bounds. The specification has dropped them,
// but older programs use them, and they have no other meaning.
var classes = map[string]string{
	"alpha": "azAZ", "digit": "09", "alnum": "azAZ09", "upper": "AZ", "lower": "az",
	"space": " \x20\t\r", "blank": " \x20\t\t", "xdigit": "09afAF", "punct": "!/:@[`{~", "print": " ~", "graph": "!~",
}

// setChar is a character of a set, which may turn out to begin a range.
type setChar struct {
	c      byte
	hyphen bool // an unescaped -, which makes a range between two characters
}

// set reads a set of characters after its opening bracket.
func (p *regexParser) set() (*regex, error) {
	var s charset
	inverted := p.accept("^")
	var pending []setChar // characters since the last range
	flush := func(n int) {
		for _, l := range pending[:n] {
			s.add(l.c, l.c)
		}
		pending = nil
	}
	empty := true
	for p.rest != "" && p.rest[0] != ']' {
		empty = false
		if p.rest[0] == '[' {
			name, after, ok := strings.Cut(strings.TrimPrefix(p.rest, "[:"), ":]")
			class := classes[name]
			if !ok || class == "" {
				return nil, errors.New("[ within [ ] needs a backslash")
			}
			for i := 0; i < len(class); i += 2 {
				s.add(class[i], class[i+1])
			}
			p.rest = after
			flush(len(pending))
			continue
		}
		c, escaped := p.char()
		pending = append(pending, setChar{c, c == '-' && !escaped})
		if n := len(pending); n >= 3 && pending[n-2].hyphen {
			lo := pending[n-3].c
			if lo > c {
				return nil, fmt.Errorf("the range %c-%c is empty", lo, c)
			}
			flush(n - 3)
			s.add(lo, c)
		}
	}
	flush(len(pending))
	if !p.accept("]") {
		return nil, errors.New("unmatched [")
	}
	if empty {
		return nil, errors.New("empty set; ] within [ ] needs a backslash")
	}
	if inverted {
		s.invert()
	}
	p.sets = append(p.sets, s)
	return &regex{kind: regexSet, set: len(p.sets) - 1}, nil
}

// repeated reads the repetition of r, if one follows.
func (p *regexParser) repeated(r *regex) (*regex, error) {
	out := &regex{kind: regexRepeat, subs: []*regex{r}, max: -1}
	switch {
	case p.accept("*"):
	case p.accept("+"):
		out.min = 1
	case p.accept("?"):
		out.max = 1
	case p.accept("{"):
		lo, err := p.bound()
		if err != nil {
			return nil, err
		}
		hi := lo
		if p.accept(",") {
			if hi, err = p.bound(); err != nil {
				return nil, err
			}
		} else if lo < 0 {
			return nil, errors.New("{ without a number")
		}
		if !p.accept("}") {
			return nil, errors.New("unmatched {")
		}
		out.min, out.max = max(lo, 0), hi
		if hi >= 0 && out.min > hi {
			return nil, fmt.Errorf("{%d,%d} is empty", lo, hi)
		}
	default:
		return r, nil
	}
	if p.rest != "" && strings.IndexByte("*+?{", p.rest[0]) >= 0 {
		return nil, errors.New("a repetition of a repetition needs parentheses")
	}
	return out, nil
}

// bound reads a bound of a repetition, and returns -1 if there is none.
func (p *regexParser) bound() (int, error) {
	n := span(p.rest, digits)
	if n == 0 {
		return -1, nil
	}
	s := p.rest[:n]
	p.rest = p.rest[n:]
	if len(s) > 1 && s[0] == '0' {
		return 0, fmt.Errorf("%s begins with zero", s)
	}
	i, err := strconv.Atoi(s)
	if err != nil || i > maxInsts {
		return 0, fmt.Errorf("%s is too large", s)
	}
	return i, nil
}
