package yamlstrict

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"gopkg.in/yaml.v3"
)

const (
	second     = "a second document begins here"
	secondHint = "keep one document in a file and nothing after its ..."
)

// parse returns the root node of the one document in data. It refuses everything that no document
// may contain, such as anchors.
func parse(file string, data []byte) (*yaml.Node, error) {
	if err := checkSize(file, data); err != nil {
		return nil, err
	}
	if err := checkBytes(file, data); err != nil {
		return nil, err
	}
	docs, err := readNodes(data, 2)
	switch {
	case err != nil:
		return nil, syntaxError(file, data, err)
	case len(docs) == 2:
		return nil, &Error{File: file, Line: docs[1].Line, Msg: second, Hint: secondHint}
	case len(docs) == 0 || len(docs[0].Content) == 0 || isNull(docs[0].Content[0]):
		return nil, &Error{File: file, Line: 1, Msg: "empty document"}
	}
	root := docs[0].Content[0]
	if err := checkTree(file, root, 1); err != nil {
		return nil, err
	}
	return root, nil
}

// Nodes returns the roots of the documents in data, at most limit, for a format with other rules than [Decode]: null
// is a value, and every scalar keeps its text. What no document may contain is refused, with an [*Error].
func Nodes(file string, data []byte, limit int) ([]*yaml.Node, error) {
	if err := errors.Join(checkSize(file, data), checkBytes(file, data)); err != nil {
		return nil, err
	}
	docs, err := readNodes(data, limit)
	if err != nil {
		return nil, syntaxError(file, data, err)
	}
	var roots []*yaml.Node
	for _, d := range docs {
		for _, root := range d.Content {
			if err := checkTree(file, root, 1); err != nil {
				return nil, err
			}
			roots = append(roots, root)
		}
	}
	return roots, nil
}

// readNodes parses up to limit documents. On some malformed input yaml.v3 panics instead of
// returning an error; readNodes returns an error in both cases.
func readNodes(data []byte, limit int) (docs []*yaml.Node, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("yaml: %v", p)
		}
	}()
	dec := yaml.NewDecoder(bytes.NewReader(data))
	for len(docs) < limit {
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

// lineEnds is the hint for CRLF line ends. Git for Windows makes them by default.
const lineEnds = `save the file with LF line ends, or, if git made them, write "* -text" to .gitattributes and check the files out again`

// checkBytes refuses bytes that a YAML reader would reject without a line number, change silently,
// or count as a line end that editors do not show.
func checkBytes(file string, data []byte) error {
	fail := func(at int, msg, hint string) error {
		return &Error{File: file, Line: 1 + bytes.Count(data[:at], []byte{'\n'}), Msg: msg, Hint: hint}
	}
	for i := 0; i < len(data); {
		c := data[i]
		if c >= ' ' && c < 0x7f || c == '\n' || c == '\t' {
			i++
			continue
		}
		r, size := utf8.DecodeRune(data[i:])
		escape := fmt.Sprintf(`"\u%04X"`, r)
		switch {
		case r == utf8.RuneError && size == 1:
			return fail(i, fmt.Sprintf("invalid UTF-8: byte 0x%02X", c), "save the file as UTF-8")
		case r == '\r' && i+1 < len(data) && data[i+1] == '\n':
			return fail(i, "CRLF line ends; expected outputs would be wrong", lineEnds)
		case r == '\r':
			return fail(i, "carriage return within a line", `write it as "\r" in a double-quoted text`)
		case r == 0:
			return fail(i, "NUL byte", "this is not a text file")
		case r == 0xFEFF && i == 0:
			return fail(i, "byte order mark", "save the file as UTF-8 without a byte order mark")
		case r == 0xFEFF:
			return fail(i, "byte order mark within the text", "write it as "+escape+" in a double-quoted text")
		case r == 0x85 || r == 0x2028 || r == 0x2029:
			return fail(i, fmt.Sprintf("U+%04X counts as a line end in YAML", r), "write it as "+escape+" in a double-quoted text")
		case r < 0xA0 || r == 0xFFFE || r == 0xFFFF:
			return fail(i, fmt.Sprintf("control character U+%04X", r), "write it as "+escape+" in a double-quoted text")
		}
		i += size
	}
	return nil
}

// checkTree refuses anchors, aliases, merge keys, tags and deep nesting. It does not follow
// aliases, so it takes linear time whatever the document contains.
func checkTree(file string, n *yaml.Node, depth int) error {
	fail := func(msg, hint string) error {
		return &Error{File: file, Line: n.Line, Msg: msg, Hint: hint}
	}
	switch {
	case n.Kind == yaml.AliasNode:
		return fail("alias *"+n.Value, "write the value out")
	case n.Anchor != "":
		return fail("anchor &"+n.Anchor, "write the value out where it is needed")
	case n.Tag == "!!merge":
		return fail("merge key <<", "write the keys out")
	case n.Style&yaml.TaggedStyle != 0:
		return fail("tag "+quote(n.Tag), "leave the tag out; every field has one type")
	case depth > maxDepth:
		return fail(fmt.Sprintf("nested more than %d deep", maxDepth), "")
	}
	for _, c := range n.Content {
		if err := checkTree(file, c, depth+1); err != nil {
			return err
		}
	}
	return nil
}

func isNull(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.Tag == "!!null" }

// conflictMark matches the lines that version control leaves in a file with a merge conflict.
var conflictMark = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(<<<<<<<|=======|>>>>>>>)( |$)`) })

var yamlLine = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^line (\d+): `) })

// syntaxHints holds hints for unclear messages of yaml.v3.
var syntaxHints = []struct{ msg, hint string }{
	{"did not find expected key", "this line does not fit the lines above it; check its indentation and quotes"},
	{"did not find expected '-' indicator", "this line does not fit the list above it; check its indentation"},
	{"did not find expected comment or line break", "indent each line of a block deeper than its key, and none less than the first"},
	{"block sequence entries are not allowed", "begin a list on a line of its own, below its key"},
	{"tab character", "indent with spaces"},
	{"cannot start any token", "put the text in quotes"},
	{"mapping values are not allowed", `put a text with ": " in quotes, and check the indentation`},
	{"could not find expected ':'", "a key is followed by a colon and a blank"},
	{"unexpected end of stream", "a quote is not closed"},
	{"expected ',' or", "a bracket is not closed, or a comma is missing"},
	{"unknown escape character", `write a backslash as \\ in double quotes`},
	{"unknown anchor", "anchors are not used here; put a text with * in quotes"},
}

// syntaxError turns an error of yaml.v3 into an [*Error].
func syntaxError(file string, data []byte, err error) *Error {
	msg := strings.TrimPrefix(err.Error(), "yaml: ")
	line := 0
	if m := yamlLine().FindStringSubmatch(msg); m != nil {
		line, _ = strconv.Atoi(m[1])
		msg = msg[len(m[0]):]
	}
	e := &Error{File: file, Line: max(line, 1), Msg: "not YAML: " + oneLine(msg)}
	if at := failingLine(data, msg); at > 0 {
		e.Line = at
	}
	for _, h := range syntaxHints {
		if strings.Contains(msg, h.msg) {
			e.Hint = h.hint
			break
		}
	}
	lines := bytes.SplitN(data, []byte{'\n'}, e.Line+1)
	text := lines[min(e.Line, len(lines))-1]
	switch {
	case strings.Contains(msg, "expected <document start>"):
		e.Msg, e.Hint = second, secondHint // without a --- before it
	case bytes.HasPrefix(bytes.TrimLeft(text, " "), []byte{'\t'}):
		e.Hint = "indent with spaces, not tabs"
	case conflictMark().Match(text):
		e.Msg, e.Hint = "merge conflict", "resolve it"
	}
	return e
}

// failingLine returns the first line with which the error appears, or 0 if that is not known.
// yaml.v3 names the line where the enclosing list or mapping began, often the first of the file and
// often one too low. failingLine parses ever shorter beginnings of the file to find the line to
// edit. Each step of the search parses the file again, so errors in large files keep the line of
// yaml.v3. So do unclosed quotes and brackets: for them the line where the text begins is more
// useful than the end of the file.
func failingLine(data []byte, msg string) int {
	const maxSearch = 1 << 20
	if len(data) > maxSearch || strings.Contains(msg, "unexpected end of stream") {
		return 0
	}
	ends := []int{0}
	for i, c := range data {
		if c == '\n' || i == len(data)-1 {
			ends = append(ends, i+1)
		}
	}
	low, high := 0, len(ends)-1 // parsing the first low lines does not give the error, parsing the first high lines does
	for high-low > 1 {
		mid := (low + high) / 2
		if _, err := readNodes(data[:ends[mid]], 2); err != nil && strings.HasSuffix(err.Error(), msg) {
			high = mid
		} else {
			low = mid
		}
	}
	return high
}

// oneLine puts a message that quotes the document on one line.
func oneLine(s string) string {
	return strings.Join(strings.Fields(s), " ")
}
