package pkgformat

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"gopkg.in/yaml.v3"

	"tribunal/judge/internal/yamlstrict"
)

const (
	maxDocument = 4 << 20 // bytes of one YAML or INI file
	maxNesting  = 64
	maxNodes    = 1 << 20 // looked at in one document; aliases could make them many more
)

// document is a YAML file. Real packages are not as strict as our own documents:
// byte order marks and CRLF are passed over, anchors are followed, and what is a
// text, a number or a list is for whoever reads a value to say. Duplicate keys and
// other bytes than UTF-8 are refused, since readers disagree about what they mean.
type document struct {
	t     *tree
	rel   string
	left  int
	notes *notes
}

// node is a value in a document, or none.
type node struct {
	d *document
	n *yaml.Node // nil for none: absent, null or an empty document
}

// pair is one key of a mapping with its value.
type pair struct {
	key   string
	line  int
	value node
}

// yaml parses a document. Notes about it are added to the list.
func (t *tree) yaml(rel string, data []byte, into *notes) (node, error) {
	d := &document{t: t, rel: rel, left: maxNodes, notes: into}
	data, err := t.text(rel, data)
	if err != nil {
		return node{}, err
	}
	docs, err := decodeYAML(data)
	switch {
	case err != nil:
		return node{}, d.syntax(err)
	case len(docs) == 0 || len(docs[0].Content) == 0:
		return node{d: d}, nil
	case len(docs) > 1:
		return node{}, t.errorf(rel, docs[1].Line, "keep one document in a file", "a second document begins here")
	}
	if err := d.check(docs[0], 0); err != nil {
		return node{}, err
	}
	return d.node(docs[0].Content[0]), nil
}

// text returns a text file, without a byte order mark. Line ends are left to what
// reads it.
func (t *tree) text(rel string, data []byte) ([]byte, error) {
	for i := 0; i < len(data); {
		r, size := utf8.DecodeRune(data[i:])
		if r == utf8.RuneError && size == 1 || r == 0 {
			line := 1 + bytes.Count(data[:i], []byte{'\n'})
			return nil, t.errorf(rel, line, "save the file as UTF-8", "not UTF-8 text: byte 0x%02X at offset %d", data[i], i)
		}
		i += size
	}
	return bytes.TrimPrefix(data, []byte("\uFEFF")), nil
}

// decodeYAML reads up to two documents. Besides its errors, yaml.v3 panics on some
// malformed inputs; both mean that this is not YAML.
func decodeYAML(data []byte) (docs []*yaml.Node, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("yaml: %v", p)
		}
	}()
	dec := yaml.NewDecoder(bytes.NewReader(data))
	for len(docs) < 2 {
		n := new(yaml.Node)
		if err := dec.Decode(n); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, err
		}
		docs = append(docs, n)
	}
	return docs, nil
}

var yamlLine = regexp.MustCompile(`^line (\d+): `)

func (d *document) syntax(err error) error {
	msg, line := strings.TrimPrefix(err.Error(), "yaml: "), 1
	if m := yamlLine.FindStringSubmatch(msg); m != nil {
		line, _ = strconv.Atoi(m[1])
		msg = msg[len(m[0]):]
	}
	return d.t.errorf(d.rel, line, "", "not YAML: %s", strings.Join(strings.Fields(msg), " "))
}

// check refuses deep nesting, merge keys, and keys that are not texts or stand twice.
// Aliases are not followed.
func (d *document) check(n *yaml.Node, depth int) error {
	if depth > maxNesting {
		return d.t.errorf(d.rel, n.Line, "", "nested more than %d deep", maxNesting)
	}
	if n.Kind == yaml.MappingNode {
		seen := make(map[string]int, len(n.Content)/2)
		for i := 0; i+1 < len(n.Content); i += 2 {
			k := n.Content[i]
			switch first, twice := seen[k.Value]; {
			case k.Kind != yaml.ScalarNode:
				return d.t.errorf(d.rel, k.Line, "put a key with * or brackets in quotes", "a key that is not a text")
			case k.Tag == "!!merge":
				return d.t.errorf(d.rel, k.Line, "write the keys out", "merge key <<")
			case twice:
				return d.t.errorf(d.rel, k.Line, fmt.Sprintf("the first is on line %d", first), "the key %s stands twice", show(k.Value))
			}
			seen[k.Value] = k.Line
		}
	}
	for _, c := range n.Content {
		if err := d.check(c, depth+1); err != nil {
			return err
		}
	}
	return nil
}

// node follows an alias.
func (d *document) node(n *yaml.Node) node {
	for range maxNesting {
		if n.Kind != yaml.AliasNode {
			break
		}
		n = n.Alias
	}
	if n.Kind == yaml.ScalarNode && n.Tag == "!!null" {
		n = nil
	}
	return node{d, n}
}

// spend counts n nodes that are looked at.
func (n node) spend(count int) error {
	if n.d.left -= count; n.d.left < 0 {
		return n.errorf("", "its aliases stand for more than %d values", maxNodes)
	}
	return nil
}

func (n node) line() int {
	if n.n == nil {
		return 0
	}
	return n.n.Line
}

func (n node) errorf(hint, format string, args ...any) error {
	return n.d.t.errorf(n.d.rel, n.line(), hint, format, args...)
}

// notef tells something about a line of the document.
func (d *document) notef(line int, format string, args ...any) {
	d.notes.add(d.t.errorf(d.rel, line, "", format, args...))
}

func (n node) kind() yaml.Kind {
	if n.n == nil {
		return 0
	}
	return n.n.Kind
}

// text returns a scalar as it is written; none is "".
func (n node) text() (string, error) {
	switch n.kind() {
	case 0:
		return "", nil
	case yaml.ScalarNode:
		return n.n.Value, n.spend(1)
	}
	return "", n.errorf("", "a list or a mapping where a text belongs")
}

// texts returns a list of scalars, or one scalar as a list of one.
func (n node) texts() ([]string, error) {
	if n.kind() != yaml.SequenceNode {
		s, err := n.text()
		if err != nil || n.n == nil {
			return nil, err
		}
		return []string{s}, nil
	}
	list := make([]string, 0, min(len(n.n.Content), maxNodes))
	if err := n.spend(len(n.n.Content)); err != nil {
		return nil, err
	}
	for _, c := range n.n.Content {
		s, err := n.d.node(c).text()
		if err != nil {
			return nil, err
		}
		list = append(list, s)
	}
	return list, nil
}

// words returns a list of scalars, or the words of one.
func (n node) words() ([]string, error) {
	list, err := n.texts()
	if n.kind() == yaml.ScalarNode && err == nil {
		return strings.Fields(list[0]), nil
	}
	return list, err
}

// pairs returns the keys of a mapping in their order; none has no keys.
func (n node) pairs() ([]pair, error) {
	switch n.kind() {
	case 0:
		return nil, nil
	case yaml.MappingNode:
	default:
		return nil, n.errorf("", "a text or a list where a mapping belongs")
	}
	if err := n.spend(len(n.n.Content)); err != nil {
		return nil, err
	}
	var list []pair
	for i := 0; i+1 < len(n.n.Content); i += 2 {
		k := n.n.Content[i]
		list = append(list, pair{k.Value, k.Line, n.d.node(n.n.Content[i+1])})
	}
	return list, nil
}

// each reads a mapping by a table of what to do with the values of its keys. An
// unknown key is noted.
func (n node) each(known map[string]func(node) error) error {
	list, err := n.pairs()
	if err != nil {
		return err
	}
	for _, p := range list {
		read, ok := known[p.key]
		switch {
		case !ok:
			n.d.unknown(p, known)
		case read != nil && p.value.n != nil:
			if err := read(p.value); err != nil {
				return err
			}
		}
	}
	return nil
}

func (d *document) unknown(p pair, known map[string]func(node) error) {
	names := sortedKeys(known)
	if near := yamlstrict.Nearest(p.key, names); near != "" {
		d.notef(p.line, "unknown key %s (did you mean %s?)", show(p.key), near)
		return
	}
	d.notef(p.line, "unknown key %s", show(p.key))
}
