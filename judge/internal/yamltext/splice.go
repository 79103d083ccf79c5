package yamltext

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"gopkg.in/yaml.v3"
)

// Edit sets or removes one key of one mapping in block style.
type Edit struct {
	In    string  // the mapping: keys and list positions from 0, such as "/cases/3"; "" is the root
	Key   string  // a plain word
	Text  *string // the new value; nil removes the key, if it is there
	After string  // where to put Key if it is not there: after this key; "" is the end of the mapping
}

// Error says why [Splice] refused.
type Error struct {
	Line int // from 1; 0 if the error is not about one line
	Msg  string
	Err  error // the cause, if callers may test for it
}

func (e *Error) Unwrap() error { return e.Err }

// Error returns "line n: msg".
func (e *Error) Error() string {
	if e.Line == 0 {
		return e.Msg
	}
	return fmt.Sprintf("line %d: %s", e.Line, e.Msg)
}

func fail(n *yaml.Node, format string, args ...any) error {
	return &Error{Line: n.Line, Msg: fmt.Sprintf(format, args...)}
}

// Splice returns src with the edits made and every other byte unchanged: comments stay, even on the
// line of an edited value, and so do order, quotes and empty lines. The only other bytes that
// change are the empty lines right after an edited value, because after some literal blocks they
// would be part of the text: they are dropped after a new text that ends in empty lines, and one is
// left after a new text that replaces such a text. If the edit is at the end of src, a missing line
// end is added.
//
// Splice parses the result again. It returns an [*Error] unless the result has exactly the old
// values with the edits applied, and also if src is not one YAML document or an edit has no place.
// A text that is not UTF-8 gives an error that wraps [ErrInvalidUTF8]. src is not changed.
func Splice(src []byte, edits []Edit) ([]byte, error) {
	s, err := newSource(src)
	if err != nil {
		return nil, err
	}
	var patches []patch
	for _, e := range edits {
		m, err := s.find(e.In)
		if err != nil {
			return nil, err
		}
		p, err := s.patch(m, e)
		if err != nil {
			return nil, err
		}
		if p != nil {
			patches = append(patches, *p)
		}
	}
	slices.SortStableFunc(patches, func(a, b patch) int { return a.start - b.start })
	var out bytes.Buffer
	at := 0
	for _, p := range patches {
		if p.start < at {
			return nil, fail(p.key, "two edits overlap at key %s", p.key.Value)
		}
		out.Write(src[at:p.start])
		out.WriteString(p.text)
		at = p.end
	}
	out.Write(src[at:])
	if err := s.verify(out.Bytes(), edits); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// patch replaces src[start:end].
type patch struct {
	start, end int
	text       string
	key        *yaml.Node // for errors: the edited key, or the key after which it is inserted
}

var plainWord = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_-]*$`) })

// patch returns the patch that makes an edit of the mapping m, or nil if there is nothing to
// change.
func (s *source) patch(m *yaml.Node, e Edit) (*patch, error) {
	if m.Kind != yaml.MappingNode || m.Style&yaml.FlowStyle != 0 || len(m.Content) == 0 {
		return nil, fail(m, "%s is not a mapping in block style", orRoot(e.In))
	}
	if !plainWord().MatchString(e.Key) {
		return nil, fail(m, "key %q is not a plain word", e.Key)
	}
	i := indexOf(m, e.Key)
	switch {
	case i < 0 && e.Text == nil:
		return nil, nil
	case i < 0:
		return s.insert(m, e)
	case e.Text == nil:
		return s.remove(m, i)
	default:
		return s.replace(m, i, *e.Text)
	}
}

func (s *source) replace(m *yaml.Node, i int, text string) (*patch, error) {
	key, value := m.Content[i], m.Content[i+1]
	if value.Kind != yaml.ScalarNode {
		return nil, fail(value, "the value of %s is not a text", key.Value)
	}
	column := m.Column - 1
	start, err := s.afterColon(key)
	if err != nil {
		return nil, err
	}
	from := s.offset(value)
	if bytes.IndexByte(s.data[start:from], '#') >= 0 {
		return nil, fail(value, "a comment stands between %s and its value", key.Value)
	}
	x, err := s.extent(value, column)
	if err != nil {
		return nil, err
	}
	scalar, err := Scalar(text, column)
	if err != nil {
		return nil, &Error{Line: key.Line, Msg: key.Value + ": " + err.Error(), Err: err}
	}
	return &patch{start: start, end: x.blanksEnd, key: key,
		text: " " + withComment(scalar, x.comment) + s.blanks(x, x.keep, keeps(scalar))}, nil
}

func (s *source) insert(m *yaml.Node, e Edit) (*patch, error) {
	i := len(m.Content) - 2
	if e.After != "" {
		if i = indexOf(m, e.After); i < 0 {
			return nil, fail(m, "no key %s to put %s after", e.After, e.Key)
		}
	}
	key, value := m.Content[i], m.Content[i+1]
	column := m.Column - 1
	x, err := s.extent(value, column)
	if err != nil {
		return nil, err
	}
	scalar, err := Scalar(*e.Text, column)
	if err != nil {
		return nil, &Error{Line: key.Line, Msg: e.Key + ": " + err.Error(), Err: err}
	}
	start := x.end
	if x.keep {
		start = x.blanksEnd // the empty lines are part of the value before
	}
	text := strings.Repeat(" ", column) + e.Key + ": " + withComment(scalar, "") + s.blanks(x, x.keep, keeps(scalar))
	if start > 0 && s.data[start-1] != '\n' {
		text = "\n" + text
	}
	return &patch{start: start, end: x.blanksEnd, text: text, key: key}, nil
}

func (s *source) remove(m *yaml.Node, i int) (*patch, error) {
	key, value := m.Content[i], m.Content[i+1]
	start := s.lines[key.Line-1]
	if i == 0 && strings.Trim(string(s.data[start:s.offset(key)]), " ") != "" || len(m.Content) == 2 {
		return nil, fail(key, "%s is the first key of its mapping and cannot be removed", key.Value)
	}
	x, err := s.extent(value, m.Column-1)
	if err != nil {
		return nil, err
	}
	keepBefore := false
	if i > 0 {
		before, err := s.extent(m.Content[i-1], m.Column-1)
		if err != nil {
			return nil, err
		}
		keepBefore = before.keep
	}
	return &patch{start: start, end: x.blanksEnd, text: s.blanks(x, x.keep, keepBefore), key: key}, nil
}

// blanks returns the empty lines to leave after an edit, in place of those after x: none if they
// would become part of a text; one in place of any that were part of a text; otherwise those that
// were there.
func (s *source) blanks(x extent, wereText, wouldBeText bool) string {
	lines := s.data[x.end:x.blanksEnd]
	rest := s.data[x.blanksEnd:]
	switch {
	case wouldBeText:
		return ""
	case !wereText:
		return string(lines)
	case len(lines) == 0 || len(rest) == 0 || bytes.HasPrefix(rest, []byte("...")):
		return ""
	default:
		return "\n"
	}
}

// keeps reports whether empty lines after a scalar that Scalar has written would be part of its
// text.
func keeps(scalar string) bool {
	head, _, _ := strings.Cut(scalar, "\n")
	return head[0] == '|' && strings.HasSuffix(head, "+")
}

// withComment adds the final line end to a scalar, and a comment, which begins with its space, on a
// line where YAML allows it.
func withComment(scalar, comment string) string {
	if scalar[0] == '|' {
		head, body, _ := strings.Cut(scalar, "\n")
		return head + comment + "\n" + body + "\n"
	}
	return scalar + comment + "\n"
}

func indexOf(m *yaml.Node, key string) int {
	for i := 0; i < len(m.Content); i += 2 {
		if m.Content[i].Kind == yaml.ScalarNode && m.Content[i].Value == key {
			return i
		}
	}
	return -1
}

func orRoot(in string) string {
	if in == "" {
		return "the root"
	}
	return in
}

// find returns the node at a path of keys and list positions.
func (s *source) find(in string) (*yaml.Node, error) {
	n := s.root
	if in == "" {
		return n, nil
	}
	for step := range strings.SplitSeq(strings.TrimPrefix(in, "/"), "/") {
		i := -1
		switch n.Kind {
		case yaml.MappingNode:
			if i = indexOf(n, step); i >= 0 {
				i++
			}
		case yaml.SequenceNode:
			if k, err := strconv.Atoi(step); err == nil && k >= 0 && k < len(n.Content) {
				i = k
			}
		}
		if i < 0 {
			return nil, fail(n, "nothing at %s", in)
		}
		n = n.Content[i]
	}
	return n, nil
}

// verify parses the result and compares it with the old tree, to which it applies the edits.
func (s *source) verify(result []byte, edits []Edit) error {
	got, err := readNode(result)
	if err != nil {
		return &Error{Msg: "the edit would leave something else: " + err.Error(), Err: err}
	}
	for _, e := range edits {
		m, err := s.find(e.In)
		if err != nil {
			return err
		}
		i := indexOf(m, e.Key)
		if i >= 0 {
			m.Content = slices.Delete(m.Content, i, i+2)
		}
		if e.Text == nil {
			continue
		}
		if i < 0 {
			i = len(m.Content)
			if e.After != "" {
				i = indexOf(m, e.After) + 2
			}
		}
		m.Content = slices.Insert(m.Content, i,
			&yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: e.Key},
			&yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: *e.Text})
	}
	return same(s.root, got)
}

// same compares the values of two trees, not how they are written.
func same(want, got *yaml.Node) error {
	if want.Kind != got.Kind || want.Tag != got.Tag || want.Value != got.Value || want.Anchor != got.Anchor || len(want.Content) != len(got.Content) {
		return fail(got, "the edit would change another value")
	}
	for i := range want.Content {
		if err := same(want.Content[i], got.Content[i]); err != nil {
			return err
		}
	}
	return nil
}

// readNode parses the root of the one document in data. Its errors are of type [*Error], even when
// yaml.v3 panics, which it does on some malformed input.
func readNode(data []byte) (root *yaml.Node, err error) {
	defer func() {
		if p := recover(); p != nil {
			root, err = nil, &Error{Msg: fmt.Sprint(p)}
		}
	}()
	dec := yaml.NewDecoder(bytes.NewReader(data))
	var doc, more yaml.Node
	if err := dec.Decode(&doc); errors.Is(err, io.EOF) {
		return nil, &Error{Msg: "empty document"}
	} else if err != nil {
		return nil, &Error{Msg: "not YAML: " + strings.TrimPrefix(err.Error(), "yaml: "), Err: err}
	}
	if err := dec.Decode(&more); !errors.Is(err, io.EOF) {
		return nil, &Error{Line: more.Line, Msg: "more than one document"}
	}
	return doc.Content[0], nil
}
