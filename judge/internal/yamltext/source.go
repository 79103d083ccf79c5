package yamltext

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"gopkg.in/yaml.v3"
)

// source is a document as bytes and as a tree of nodes. It finds the bytes of a node: yaml.v3
// reports where a node begins, but not where it ends.
type source struct {
	data  []byte
	lines []int // offsets of the beginnings of the lines
	root  *yaml.Node
}

func newSource(data []byte) (*source, error) {
	if i := bytes.IndexAny(data, "\r\u0085\u2028\u2029\uFEFF"); i >= 0 || !utf8.Valid(data) {
		// The reader counts these as line ends or skips them, so its line numbers would be wrong
		// here.
		return nil, &Error{Line: 1 + bytes.Count(data[:max(i, 0)], []byte{'\n'}), Msg: "line ends other than LF, a byte order mark or invalid UTF-8"}
	}
	root, err := readNode(data)
	if err != nil {
		return nil, err
	}
	s := &source{data: data, root: root, lines: []int{0}}
	for i, c := range data {
		if c == '\n' {
			s.lines = append(s.lines, i+1)
		}
	}
	return s, nil
}

// offset returns where a node begins. The node's column counts characters.
func (s *source) offset(n *yaml.Node) int {
	if n.Line > len(s.lines) {
		return len(s.data)
	}
	at := s.lines[n.Line-1]
	for range n.Column - 1 {
		_, size := utf8.DecodeRune(s.data[at:])
		at += size
	}
	return at
}

// lineEnd returns the offset after the first line end at or after the offset at.
func (s *source) lineEnd(at int) int {
	if i := bytes.IndexByte(s.data[at:], '\n'); i >= 0 {
		return at + i + 1
	}
	return len(s.data)
}

// line returns the line from an offset on, without its line end.
func (s *source) line(at int) []byte {
	return bytes.TrimSuffix(s.data[at:s.lineEnd(at)], []byte{'\n'})
}

// extent describes where a value ends, and the empty lines and the comment after it.
type extent struct {
	end       int    // offset after the line end of the value's last non-empty line
	blanksEnd int    // offset after the empty lines that follow
	keep      bool   // these empty lines are part of the value
	comment   string // the comment on the line of the value, with the space before it
}

// extent finds the end of the value n in a block mapping. column is that of the mapping's keys,
// from 0.
func (s *source) extent(n *yaml.Node, column int) (extent, error) {
	n, column = lastOf(n, column)
	var x extent
	if n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0 {
		if n.Anchor != "" || n.Style&yaml.TaggedStyle != 0 {
			return x, fail(n, "a tag or an anchor")
		}
		x = s.block(n, column)
	} else {
		at, err := s.flowEnd(n)
		if err != nil {
			return x, err
		}
		rest := s.line(at)
		if text := bytes.TrimLeft(rest, " \t"); len(text) > 0 && text[0] != '#' {
			return x, fail(n, "cannot tell where the value ends")
		}
		x.comment = string(rest)
		x.end = s.lineEnd(at)
	}
	for x.blanksEnd = x.end; x.blanksEnd < len(s.data); x.blanksEnd = s.lineEnd(x.blanksEnd) {
		if len(bytes.Trim(s.line(x.blanksEnd), " ")) > 0 {
			break
		}
	}
	return x, nil
}

// lastOf returns the node that is written last in a block collection, and the column of the
// collection that contains it.
func lastOf(n *yaml.Node, column int) (*yaml.Node, int) {
	for n.Kind != yaml.ScalarNode && n.Style&yaml.FlowStyle == 0 && len(n.Content) > 0 {
		column = n.Column - 1
		n = n.Content[len(n.Content)-1]
	}
	return n, column
}

// block finds the end of a literal or folded scalar: its lines are those that are empty or indented
// at least as deep as the first.
func (s *source) block(n *yaml.Node, column int) extent {
	at := s.offset(n)
	head := s.line(at)
	mark := head[:1+len(head[1:])-len(bytes.TrimLeft(head[1:], "+-0123456789"))]
	x := extent{keep: bytes.IndexByte(mark, '+') >= 0, comment: string(head[len(mark):]), end: s.lineEnd(at)}
	indent := 0
	if i := bytes.IndexAny(mark, "123456789"); i >= 0 {
		indent = column + int(mark[i]-'0')
	}
	for at = x.end; at < len(s.data); at = s.lineEnd(at) {
		line := s.line(at)
		depth := len(line) - len(bytes.TrimLeft(line, " "))
		if depth == len(line) {
			if indent > 0 && depth > indent {
				x.end = s.lineEnd(at) // spaces beyond the indentation are part of the text
			}
			continue
		}
		if indent == 0 {
			indent = max(depth, column+1)
		}
		if depth < indent {
			break
		}
		x.end = s.lineEnd(at)
	}
	return x
}

// flowEnd returns the offset after a node that is not a block: a plain or quoted scalar, or a list
// or mapping in brackets.
func (s *source) flowEnd(n *yaml.Node) (int, error) {
	if n.Kind == yaml.AliasNode || n.Anchor != "" || n.Style&yaml.TaggedStyle != 0 {
		return 0, fail(n, "a tag, an anchor or an alias")
	}
	at := s.offset(n)
	rest := s.data[at:]
	end := -1
	switch {
	case n.Kind != yaml.ScalarNode:
		return s.bracketEnd(n, at)
	case n.Style&yaml.DoubleQuotedStyle != 0:
		end = quoteEnd(rest, '"', '\\')
	case n.Style&yaml.SingleQuotedStyle != 0:
		end = quoteEnd(rest, '\'', '\'')
	default:
		end = plainEnd(rest, n.Value)
	}
	if end < 0 {
		return 0, fail(n, "cannot tell where the value ends")
	}
	return at + end, nil
}

// bracketEnd skips the children and finds the closing bracket.
func (s *source) bracketEnd(n *yaml.Node, at int) (int, error) {
	open := at
	at++
	if len(n.Content) > 0 {
		end, err := s.flowEnd(n.Content[len(n.Content)-1])
		if err != nil {
			return 0, err
		}
		at = max(at, end)
	}
	closing := byte(']')
	if s.data[open] == '{' {
		closing = '}'
	}
	for at < len(s.data) {
		switch c := s.data[at]; {
		case c == closing:
			return at + 1, nil
		case c == '#':
			at = s.lineEnd(at)
		case strings.IndexByte(" \t\n,:", c) >= 0:
			at++
		default:
			return 0, fail(n, "cannot tell where the value ends")
		}
	}
	return 0, fail(n, "cannot tell where the value ends")
}

// quoteEnd returns the length of the quoted scalar at the start of text, or -1. The escape
// character makes the next one literal; if the quote is its own escape, only if the next one is a
// quote too.
func quoteEnd(text []byte, quote, escape byte) int {
	if len(text) == 0 || text[0] != quote {
		return -1
	}
	for i := 1; i < len(text); i++ {
		switch {
		case text[i] == escape && i+1 < len(text) && (escape != quote || text[i+1] == quote):
			i++
		case text[i] == quote:
			return i + 1
		}
	}
	return -1
}

// plainEnd returns the length of the plain scalar at the start of text, or -1. A plain scalar
// differs from its value only in spaces, tabs and line ends.
func plainEnd(text []byte, value string) int {
	at := 0
	for i := range len(value) {
		c := value[i]
		if c == ' ' || c == '\t' || c == '\n' {
			continue
		}
		for at < len(text) && (text[at] == ' ' || text[at] == '\t' || text[at] == '\n') {
			at++
		}
		if at == len(text) || text[at] != c {
			return -1
		}
		at++
	}
	return at
}

// afterColon returns the offset after the colon of a key.
func (s *source) afterColon(key *yaml.Node) (int, error) {
	at, err := s.flowEnd(key)
	if err != nil {
		return 0, err
	}
	for at < len(s.data) && (s.data[at] == ' ' || s.data[at] == '\t') {
		at++
	}
	if at == len(s.data) || s.data[at] != ':' {
		return 0, fail(key, "cannot tell where the value of %s begins", key.Value)
	}
	return at + 1, nil
}
