package checktestdata

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// pattern is a compiled regular expression: a program for a machine that is in several
// places at once. Go's regexp has another syntax, and repeats at most 1,000 times, where
// these repeat a hundred thousand times.
type pattern struct {
	insts []inst
	sets  []charset
}

// inst is one instruction.
type inst struct {
	op   instOp
	x, y int32 // where to go on; of instSplit x before y, of instChar x is a set
}

type instOp uint8

const (
	instChar  instOp = iota // one byte of a set, and on with the next instruction
	instSplit               // rather x than y
	instJump                // x
	instDone                // the end
)

// What an expression may be, and what repetitions may make of it.
const (
	maxRegex = 1 << 16 // bytes
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

// regex is a regular expression that was read, and not yet compiled.
type regex struct {
	kind     regexKind
	set      int // index
	subs     []*regex
	min, max int // max < 0: without end
}

type regexKind uint8

const (
	regexSet regexKind = iota
	regexSequence
	regexEither
	regexRepeat
)

// regexParser reads a regular expression of the language's own kind: without classes,
// anchors and lazy repetitions, the first alternative that matches counts, and a backslash
// stands for itself unless a special character follows.
type regexParser struct {
	rest  string
	sets  []charset
	depth int
}

// compile returns a pattern. The error says what is wrong, and with what.
func compile(text string) (*pattern, error) {
	if len(text) > maxRegex {
		return nil, fmt.Errorf("a regular expression of %d bytes", len(text))
	}
	p := &regexParser{rest: text}
	r, err := p.either()
	if err == nil && p.rest != "" {
		err = errors.New("unmatched )")
	}
	out := &pattern{sets: p.sets}
	if err == nil && !(out.emit(r) && out.put(inst{op: instDone})) {
		err = errors.New("repeats too much")
	}
	if err != nil {
		return nil, fmt.Errorf("regular expression %s: %w", brief(strconv.Quote(text)), err)
	}
	return out, nil
}

// either reads alternatives up to a parenthesis or the end.
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

func (p *regexParser) accept(s string) (ok bool) {
	p.rest, ok = strings.CutPrefix(p.rest, s)
	return ok
}

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

// atom reads what can be repeated.
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
		return nil, fmt.Errorf("nothing that %c could repeat", p.rest[0])
	case '[':
		p.rest = p.rest[1:]
		return p.set()
	case '.':
		p.rest = p.rest[1:]
		return p.add(0, 255), nil
	}
	c, _ := p.char()
	return p.add(c, c), nil
}

func (p *regexParser) add(lo, hi byte) *regex {
	var s charset
	s.add(lo, hi)
	p.sets = append(p.sets, s)
	return &regex{kind: regexSet, set: len(p.sets) - 1}
}

// char reads one character, and reports whether a backslash stood before it.
func (p *regexParser) char() (c byte, escaped bool) {
	if len(p.rest) > 1 && p.rest[0] == '\\' && strings.IndexByte(`(){}[]*+?|\^.-`, p.rest[1]) >= 0 {
		c, p.rest = p.rest[1], p.rest[2:]
		return c, true
	}
	c, p.rest = p.rest[0], p.rest[1:]
	return c, false
}

// classes are sets that have a name. The specification has dropped them; they are still
// met in older programs, where they can mean nothing else.
var classes = map[string]string{
	"alpha": "azAZ", "digit": "09", "alnum": "azAZ09", "upper": "AZ", "lower": "az",
	"space": " \x20\t\r", "blank": " \x20\t\t", "xdigit": "09afAF", "punct": "!/:@[`{~", "print": " ~", "graph": "!~",
}

// setChar is a character of a set that may yet be the beginning of a range.
type setChar struct {
	c      byte
	hyphen bool // that makes a range, if it stands between two characters
}

// set reads a set of characters after its bracket.
func (p *regexParser) set() (*regex, error) {
	var s charset
	inverted := p.accept("^")
	var loose []setChar // since the last range
	flush := func(n int) {
		for _, l := range loose[:n] {
			s.add(l.c, l.c)
		}
		loose = nil
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
			flush(len(loose))
			continue
		}
		c, escaped := p.char()
		loose = append(loose, setChar{c, c == '-' && !escaped})
		if n := len(loose); n >= 3 && loose[n-2].hyphen {
			lo := loose[n-3].c
			if lo > c {
				return nil, fmt.Errorf("the range %c-%c is empty", lo, c)
			}
			flush(n - 3)
			s.add(lo, c)
		}
	}
	flush(len(loose))
	if !p.accept("]") {
		return nil, errors.New("unmatched [")
	}
	if empty {
		return nil, errors.New("a set without characters; ] within [ ] needs a backslash")
	}
	if inverted {
		s.invert()
	}
	p.sets = append(p.sets, s)
	return &regex{kind: regexSet, set: len(p.sets) - 1}, nil
}

// repeated reads how often r is to be there.
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
		return nil, errors.New("repeats what is repeated; put it in parentheses")
	}
	return out, nil
}

// bound reads a number, -1 if there is none.
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
