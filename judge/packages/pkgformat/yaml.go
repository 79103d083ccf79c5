package pkgformat

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"gopkg.in/yaml.v3"

	"tribunal/judge/internal/quote"
	"tribunal/judge/internal/yamlstrict"
)

const (
	maxNesting = 64
	maxNodes   = 1 << 20 // values read from one document; aliases can multiply them
)

// document is a YAML file of a package. Real packages contain what our own documents may not: byte
// order marks, CRLF and aliases. The method that reads a value decides whether it is a text, a
// number or a list. Of a key that occurs twice the last one counts, as for PyYAML; tools that do
// not read it so refuse the document. Bytes that are not UTF-8 are errors, because readers disagree
// about their meaning.
type document struct {
	t     *tree
	rel   string
	left  int // values that may still be read
	notes *notes
	// spare reports whether judging can do without the value of a key: if it cannot be read, it is
	// ignored with a note. nil if judging needs all values.
	spare func(key string) bool
}

// node is a value in a document, or the lack of one.
type node struct {
	d   *document
	n   *yaml.Node // nil if there is no value: null or an empty document
	key string     // the keys and indices that lead to the value, such as limits.memory or groups[0].name; "" if none does
}

// pair is a key of a mapping with its value.
type pair struct {
	key   string
	line  int
	value node
}

// parse parses a document, the file rel of t. The methods that read its values add their notes to into.
func parse(t *tree, rel string, data []byte, into *notes) (node, error) {
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

// decodeYAML decodes up to two documents. yaml.v3 panics on some malformed inputs; decodeYAML
// returns an error for these too.
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

var yamlLine = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^line (\d+): `) })

func (d *document) syntax(err error) error {
	msg, line := strings.TrimPrefix(err.Error(), "yaml: "), 1
	if m := yamlLine().FindStringSubmatch(msg); m != nil {
		line, _ = strconv.Atoi(m[1])
		msg = msg[len(m[0]):]
	}
	return d.t.errorf(d.rel, line, "", "not YAML: %s", strings.Join(strings.Fields(msg), " "))
}

// check rejects deep nesting, merge keys, and keys that are not texts, and notes keys that do not
// count because the same key follows. It does not follow aliases.
func (d *document) check(n *yaml.Node, depth int) error {
	if depth > maxNesting {
		return d.t.errorf(d.rel, n.Line, "", "nested more than %d deep", maxNesting)
	}
	if n.Kind == yaml.MappingNode {
		seen := make(map[string]int, len(n.Content)/2)
		for i := 0; i+1 < len(n.Content); i += 2 {
			k := n.Content[i]
			switch {
			case k.Kind != yaml.ScalarNode:
				return d.t.errorf(d.rel, k.Line, "put a key with * or brackets in quotes", "a key that is not a text")
			case k.Tag == "!!merge":
				return d.t.errorf(d.rel, k.Line, "write the keys out", "merge key <<")
			}
			if before, duplicate := seen[k.Value]; duplicate {
				d.notef(before, repeated, quote.Name(k.Value), k.Line)
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

// node returns n as a value of the document. An alias becomes the value that it refers to.
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
	return node{d: d, n: n}
}

// item returns the element of the list n at an index. Messages about it name the key of the list, and
// the index.
func (n node) item(i int) node {
	made := n.d.node(n.n.Content[i])
	made.key = n.key + "[" + strconv.Itoa(i) + "]"
	return made
}

// spend counts values that are read. It fails if more than maxNodes values of the document have
// been read.
func (n node) spend(count int) error {
	if n.d.left -= count; n.d.left < 0 {
		return n.errorf("", "its aliases expand to more than %d values", maxNodes)
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

// wrong returns an error about a value that cannot be read. The message names its key.
func (n node) wrong(hint, format string, args ...any) error {
	if n.key == "" {
		return n.errorf(hint, format, args...)
	}
	return n.errorf(hint, "%s: %s", quote.Name(n.key), fmt.Sprintf(format, args...))
}

// repeated is the note about a key that occurs again.
const repeated = "this %s is ignored: line %d has the same key, and the last one counts"

// notef adds a note about a line of the document.
func (d *document) notef(line int, format string, args ...any) {
	d.notes.add(d.t.errorf(d.rel, line, "", format, args...))
}

func (n node) kind() yaml.Kind {
	if n.n == nil {
		return 0
	}
	return n.n.Kind
}

// text returns a scalar as it is written; "" if there is no value.
func (n node) text() (string, error) {
	switch n.kind() {
	case 0:
		return "", nil
	case yaml.ScalarNode:
		return n.n.Value, n.spend(1)
	}
	return "", n.wrong("", "a list or a mapping instead of a text")
}

// texts returns a list of scalars; one scalar is a list of one.
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
	for i := range n.n.Content {
		s, err := n.item(i).text()
		if err != nil {
			return nil, err
		}
		list = append(list, s)
	}
	return list, nil
}

// items returns the elements of a list; nil for anything else.
func (n node) items() (list []*node) {
	if n.kind() == yaml.SequenceNode {
		list = []*node{}
		for i := range n.n.Content {
			one := n.item(i)
			list = append(list, &one)
		}
	}
	return list
}

// isMapping reports whether a value is a mapping.
func (n node) isMapping() bool { return n.kind() == yaml.MappingNode }

// words returns a list of scalars, or the words of one scalar, split at white space.
func (n node) words() ([]string, error) {
	list, err := n.texts()
	if n.kind() == yaml.ScalarNode && err == nil {
		return strings.Fields(list[0]), nil
	}
	return list, err
}

// pairs returns the keys and values of a mapping in their order; nil if there is no value. A key
// that occurs twice stands where it is first and has the last value.
func (n node) pairs() ([]pair, error) {
	switch n.kind() {
	case 0:
		return nil, nil
	case yaml.MappingNode:
	default:
		return nil, n.wrong("", "a text or a list instead of a mapping")
	}
	if err := n.spend(len(n.n.Content)); err != nil {
		return nil, err
	}
	var list []pair
	at := make(map[string]int, len(n.n.Content)/2)
	for i := 0; i+1 < len(n.n.Content); i += 2 {
		k := n.n.Content[i]
		p := pair{k.Value, k.Line, n.d.node(n.n.Content[i+1])}
		if first, duplicate := at[p.key]; duplicate {
			list[first] = p
			continue
		}
		at[p.key] = len(list)
		list = append(list, p)
	}
	return list, nil
}

// each reads a mapping. For each key it reads the value with the key's function in known. It adds a
// note for a key that is not in known.
func (n node) each(known map[string]func(node) error) error {
	list, err := n.pairs()
	if err != nil {
		return err
	}
	for _, p := range list {
		if read, ok := known[p.key]; !ok {
			n.d.unknown(p, known)
		} else if err := n.read(p, read); err != nil {
			return err
		}
	}
	return nil
}

// read calls read with the value of a key of n, unless read is nil or the value is null. An error
// becomes a note if judging can do without the value.
func (n node) read(p pair, read func(node) error) error {
	if read == nil || p.value.n == nil {
		return nil
	}
	p.value.key = strings.TrimPrefix(n.key+"."+p.key, ".")
	err := read(p.value)
	if err == nil || n.d.spare == nil || !n.d.spare(p.value.key) {
		return err
	}
	e, ok := errors.AsType[*yamlstrict.Error](err)
	if ok {
		e.Msg += "; it is ignored"
		n.d.notes.add(e)
		return nil
	}
	return err
}

func (d *document) unknown(p pair, known map[string]func(node) error) {
	names := slices.Sorted(maps.Keys(known))
	if near := yamlstrict.Nearest(p.key, names); near != "" {
		d.notef(p.line, "unknown key %s (did you mean %s?)", quote.Name(p.key), near)
		return
	}
	d.notef(p.line, "unknown key %s", quote.Name(p.key))
}
