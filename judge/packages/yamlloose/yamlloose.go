// Package yamlloose reads YAML as the tools of other judges do: what package yamlstrict refuses in our own documents.
package yamlloose

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
	"tribunal/judge/packages/tree"
)

const (
	MaxNesting = 64
	MaxNodes   = 1 << 20 // values read from one document; aliases can multiply them
)

// Document is a YAML file of a package. Real packages contain what our own documents may not: byte
// order marks, CRLF and aliases. The method that reads a value decides whether it is a text, a
// number or a list. Of a key that occurs twice the last one counts, as for PyYAML; tools that do
// not read it so refuse the document. Bytes that are not UTF-8 are errors, because readers disagree
// about their meaning.
type Document struct {
	Tree  *tree.Tree
	Rel   string
	Left  int // values that may still be read
	notes *tree.Notes
	// spare reports whether judging can do without the value of a key: if it cannot be read, it is
	// ignored with a note. nil if judging needs all values.
	Spare func(key string) bool
}

// Node is a value in a document, or the lack of one.
type Node struct {
	Doc *Document
	Raw *yaml.Node // nil if there is no value: null or an empty document
	Key string     // the keys and indices that lead to the value, such as limits.memory or groups[0].name; "" if none does
}

// Pair is a key of a mapping with its value.
type Pair struct {
	Key   string
	Line  int
	Value Node
}

// Parse parses a document, the file rel of t. The methods that read its values add their notes to into.
func Parse(t *tree.Tree, rel string, data []byte, into *tree.Notes) (Node, error) {
	d := &Document{Tree: t, Rel: rel, Left: MaxNodes, notes: into}
	data, err := t.Text(rel, data)
	if err != nil {
		return Node{}, err
	}
	docs, err := decodeYAML(data)
	switch {
	case err != nil:
		return Node{}, d.syntax(err)
	case len(docs) == 0 || len(docs[0].Content) == 0:
		return Node{Doc: d}, nil
	case len(docs) > 1:
		return Node{}, t.Errorf(rel, docs[1].Line, "keep one document in a file", "a second document begins here")
	}
	if err := d.check(docs[0], 0); err != nil {
		return Node{}, err
	}
	return d.Node(docs[0].Content[0]), nil
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

func (d *Document) syntax(err error) error {
	msg, line := strings.TrimPrefix(err.Error(), "yaml: "), 1
	if m := yamlLine().FindStringSubmatch(msg); m != nil {
		line, _ = strconv.Atoi(m[1])
		msg = msg[len(m[0]):]
	}
	return d.Tree.Errorf(d.Rel, line, "", "not YAML: %s", strings.Join(strings.Fields(msg), " "))
}

// check rejects deep nesting, merge keys, and keys that are not texts, and notes keys that do not
// count because the same key follows. It does not follow aliases.
func (d *Document) check(n *yaml.Node, depth int) error {
	if depth > MaxNesting {
		return d.Tree.Errorf(d.Rel, n.Line, "", "nested more than %d deep", MaxNesting)
	}
	if n.Kind == yaml.MappingNode {
		seen := make(map[string]int, len(n.Content)/2)
		for i := 0; i+1 < len(n.Content); i += 2 {
			k := n.Content[i]
			switch {
			case k.Kind != yaml.ScalarNode:
				return d.Tree.Errorf(d.Rel, k.Line, "put a key with * or brackets in quotes", "a key that is not a text")
			case k.Tag == "!!merge":
				return d.Tree.Errorf(d.Rel, k.Line, "write the keys out", "merge key <<")
			}
			if before, duplicate := seen[k.Value]; duplicate {
				d.Notef(before, Repeated, quote.Name(k.Value), k.Line)
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

// Node returns n as a value of the document. An alias becomes the value that it refers to.
func (d *Document) Node(n *yaml.Node) Node {
	for range MaxNesting {
		if n.Kind != yaml.AliasNode {
			break
		}
		n = n.Alias
	}
	if n.Kind == yaml.ScalarNode && n.Tag == "!!null" {
		n = nil
	}
	return Node{Doc: d, Raw: n}
}

// Item returns the element of the list n at an index. Messages about it name the key of the list, and
// the index.
func (n Node) Item(i int) Node {
	made := n.Doc.Node(n.Raw.Content[i])
	made.Key = n.Key + "[" + strconv.Itoa(i) + "]"
	return made
}

// Spend counts values that are read. It fails if more than maxNodes values of the document have
// been read.
func (n Node) Spend(count int) error {
	if n.Doc.Left -= count; n.Doc.Left < 0 {
		return n.Errorf("", "its aliases expand to more than %d values", MaxNodes)
	}
	return nil
}

func (n Node) Line() int {
	if n.Raw == nil {
		return 0
	}
	return n.Raw.Line
}

func (n Node) Errorf(hint, format string, args ...any) error {
	return n.Doc.Tree.Errorf(n.Doc.Rel, n.Line(), hint, format, args...)
}

// Wrong returns an error about a value that cannot be read. The message names its key.
func (n Node) Wrong(hint, format string, args ...any) error {
	if n.Key == "" {
		return n.Errorf(hint, format, args...)
	}
	return n.Errorf(hint, "%s: %s", quote.Name(n.Key), fmt.Sprintf(format, args...))
}

// Repeated is the note about a key that occurs again.
const Repeated = "this %s is ignored: line %d has the same key, and the last one counts"

// Notef adds a note about a line of the document.
func (d *Document) Notef(line int, format string, args ...any) {
	d.notes.Add(d.Tree.Errorf(d.Rel, line, "", format, args...))
}

func (n Node) Kind() yaml.Kind {
	if n.Raw == nil {
		return 0
	}
	return n.Raw.Kind
}

// Text returns a scalar as it is written; "" if there is no value.
func (n Node) Text() (string, error) {
	switch n.Kind() {
	case 0:
		return "", nil
	case yaml.ScalarNode:
		return n.Raw.Value, n.Spend(1)
	}
	return "", n.Wrong("", "a list or a mapping instead of a text")
}

// Texts returns a list of scalars; one scalar is a list of one.
func (n Node) Texts() ([]string, error) {
	if n.Kind() != yaml.SequenceNode {
		s, err := n.Text()
		if err != nil || n.Raw == nil {
			return nil, err
		}
		return []string{s}, nil
	}
	list := make([]string, 0, min(len(n.Raw.Content), MaxNodes))
	if err := n.Spend(len(n.Raw.Content)); err != nil {
		return nil, err
	}
	for i := range n.Raw.Content {
		s, err := n.Item(i).Text()
		if err != nil {
			return nil, err
		}
		list = append(list, s)
	}
	return list, nil
}

// Items returns the elements of a list; nil for anything else.
func (n Node) Items() (list []*Node) {
	if n.Kind() == yaml.SequenceNode {
		list = []*Node{}
		for i := range n.Raw.Content {
			one := n.Item(i)
			list = append(list, &one)
		}
	}
	return list
}

// IsMapping reports whether a value is a mapping.
func (n Node) IsMapping() bool { return n.Kind() == yaml.MappingNode }

// Words returns a list of scalars, or the words of one scalar, split at white space.
func (n Node) Words() ([]string, error) {
	list, err := n.Texts()
	if n.Kind() == yaml.ScalarNode && err == nil {
		return strings.Fields(list[0]), nil
	}
	return list, err
}

// Pairs returns the keys and values of a mapping in their order; nil if there is no value. A key
// that occurs twice stands where it is first and has the last value.
func (n Node) Pairs() ([]Pair, error) {
	switch n.Kind() {
	case 0:
		return nil, nil
	case yaml.MappingNode:
	default:
		return nil, n.Wrong("", "a text or a list instead of a mapping")
	}
	if err := n.Spend(len(n.Raw.Content)); err != nil {
		return nil, err
	}
	var list []Pair
	at := make(map[string]int, len(n.Raw.Content)/2)
	for i := 0; i+1 < len(n.Raw.Content); i += 2 {
		k := n.Raw.Content[i]
		p := Pair{k.Value, k.Line, n.Doc.Node(n.Raw.Content[i+1])}
		if first, duplicate := at[p.Key]; duplicate {
			list[first] = p
			continue
		}
		at[p.Key] = len(list)
		list = append(list, p)
	}
	return list, nil
}

// Each reads a mapping. For each key it reads the value with the key's function in known. It adds a
// note for a key that is not in known.
func (n Node) Each(known map[string]func(Node) error) error {
	list, err := n.Pairs()
	if err != nil {
		return err
	}
	for _, p := range list {
		if read, ok := known[p.Key]; !ok {
			n.Doc.Unknown(p, known)
		} else if err := n.Read(p, read); err != nil {
			return err
		}
	}
	return nil
}

// Read calls read with the value of a key of n, unless read is nil or the value is null. An error
// becomes a note if judging can do without the value.
func (n Node) Read(p Pair, read func(Node) error) error {
	if read == nil || p.Value.Raw == nil {
		return nil
	}
	p.Value.Key = strings.TrimPrefix(n.Key+"."+p.Key, ".")
	err := read(p.Value)
	if err == nil || n.Doc.Spare == nil || !n.Doc.Spare(p.Value.Key) {
		return err
	}
	e, ok := errors.AsType[*yamlstrict.Error](err)
	if ok {
		e.Msg += "; it is ignored"
		n.Doc.notes.Add(e)
		return nil
	}
	return err
}

func (d *Document) Unknown(p Pair, known map[string]func(Node) error) {
	names := slices.Sorted(maps.Keys(known))
	if near := yamlstrict.Nearest(p.Key, names); near != "" {
		d.Notef(p.Line, "unknown key %s (did you mean %s?)", quote.Name(p.Key), near)
		return
	}
	d.Notef(p.Line, "unknown key %s", quote.Name(p.Key))
}
