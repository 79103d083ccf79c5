package rime

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"tribunal/judge/internal/quote"
	"tribunal/judge/packages/draft"
	"tribunal/judge/packages/tree"
)

// pyCall is a call in a file of Python that consists of calls with literals.
type pyCall struct {
	name  string
	line  int
	args  []pyArg // those without a name
	named []pyArg // in the order of the file
}

// pyArg is an argument of a call.
type pyArg struct {
	name  string // "" if it has none
	line  int
	value any // string, float64, bool, []any, pyDict, pyName, *pyCall, or nil for None
}

// pyDict is a mapping or a set: its keys and values in turn, or its items.
type pyDict []any

// pyName is a name that the file does not define, such as testlib_judge_runner.
type pyName string

// maxPyDepth bounds the nesting of calls and lists.
const maxPyDepth = 100

// python reads the calls of a file of the package. Besides calls it may assign literals to names,
// and join texts or lists by +. Everything else is an error, because it would have to be run.
func python(p *draft.Draft, rel string) ([]pyCall, error) {
	data, err := p.Tree.Read(rel, tree.MaxDocument)
	if err != nil {
		return nil, err
	}
	if !utf8.Valid(data) {
		return nil, p.Tree.Errorf(rel, 0, "", "not UTF-8")
	}
	r := &pyReader{
		rest: strings.ReplaceAll(strings.TrimPrefix(string(data), "\ufeff"), "\r\n", "\n"), line: 1, names: map[string]any{},
		fail: func(line int, format string, args ...any) error {
			return p.Tree.Errorf(rel, line, "write calls with texts, numbers, lists and mappings; the file is read, not run", format, args...)
		},
	}
	return r.file()
}

// pyReader reads a file token by token.
type pyReader struct {
	rest  string // not read yet
	line  int
	open  int // brackets around the next token, in which newlines are blanks
	names map[string]any
	fail  func(line int, format string, args ...any) error

	kind rune   // of the current token: 'n' a name, 's' a text, '0' a number, 'e' the end, '\n', or the sign itself
	text string // of the current token; the value of a text
	at   int    // its line
}

func (r *pyReader) file() (calls []pyCall, err error) {
	if err := r.next(); err != nil {
		return nil, err
	}
	for r.kind != 'e' {
		if r.kind == '\n' || r.kind == ';' {
			if err := r.next(); err != nil {
				return nil, err
			}
			continue
		}
		name, line := r.text, r.at
		if r.kind != 'n' {
			return nil, r.unexpected("a call")
		}
		if err := r.next(); err != nil {
			return nil, err
		}
		switch r.kind {
		case '=':
			if err := r.next(); err != nil {
				return nil, err
			}
			if r.names[name], err = r.value(0); err != nil {
				return nil, err
			}
		case '(':
			c, err := r.call(name, line, 0)
			if err != nil {
				return nil, err
			}
			calls = append(calls, *c)
		default:
			return nil, r.fail(line, "%s is neither a call nor an assignment", quote.Name(name))
		}
		if !strings.ContainsRune("\n;e", r.kind) {
			return nil, r.unexpected("the end of the line")
		}
	}
	return calls, nil
}

// call reads the arguments of a call, whose opening bracket is the current token.
func (r *pyReader) call(name string, line, depth int) (*pyCall, error) {
	c := &pyCall{name: name, line: line}
	err := r.list(')', func() error {
		a := pyArg{line: r.at}
		if r.kind == 'n' && strings.HasPrefix(strings.TrimLeft(r.rest, " \t\n"), "=") && !strings.HasPrefix(strings.TrimLeft(r.rest, " \t\n"), "==") {
			a.name = r.text
			for range 2 {
				if err := r.next(); err != nil {
					return err
				}
			}
		}
		var err error
		if a.value, err = r.value(depth + 1); err != nil {
			return err
		}
		if a.name == "" {
			c.args = append(c.args, a)
		} else {
			c.named = append(c.named, a)
		}
		return nil
	})
	return c, err
}

// list reads items, separated by commas, up to the closing bracket. The current token is the opening
// bracket.
func (r *pyReader) list(end rune, item func() error) error {
	r.open++
	if err := r.next(); err != nil {
		return err
	}
	for r.kind != end {
		if err := item(); err != nil {
			return err
		}
		if r.kind == ',' {
			if err := r.next(); err != nil {
				return err
			}
		} else if r.kind != end {
			return r.unexpected(fmt.Sprintf("a comma or %c", end))
		}
	}
	r.open--
	return r.next()
}

// value reads a value: items that are joined by +.
func (r *pyReader) value(depth int) (any, error) {
	v, err := r.item(depth)
	for err == nil && r.kind == '+' {
		line := r.at
		if err := r.next(); err != nil {
			return nil, err
		}
		var w any
		if w, err = r.item(depth); err != nil {
			return nil, err
		}
		switch left := v.(type) {
		case string:
			if right, ok := w.(string); ok {
				v = left + right
				continue
			}
		case []any:
			if right, ok := w.([]any); ok {
				v = append(left[:len(left):len(left)], right...)
				continue
			}
		}
		return nil, r.fail(line, "only two texts or two lists are joined by +")
	}
	return v, err
}

func (r *pyReader) item(depth int) (any, error) {
	if depth > maxPyDepth {
		return nil, r.fail(r.at, "nested more than %d deep", maxPyDepth)
	}
	text, line := r.text, r.at
	switch r.kind {
	case 's':
		err := r.next()
		for err == nil && r.kind == 's' { // texts side by side are one
			text += r.text
			err = r.next()
		}
		return text, err
	case '0', '-':
		sign := 1.0
		if r.kind == '-' {
			sign = -1
			if err := r.next(); err != nil {
				return nil, err
			}
		}
		f, err := strconv.ParseFloat(strings.ReplaceAll(r.text, "_", ""), 64)
		if r.kind != '0' || err != nil {
			return nil, r.unexpected("a number")
		}
		return sign * f, r.next()
	case 'n':
		if err := r.next(); err != nil {
			return nil, err
		}
		if r.kind == '(' {
			return r.call(text, line, depth)
		}
		switch known, ok := r.names[text]; {
		case ok:
			return known, nil
		case text == "None":
			return nil, nil
		case text == "True" || text == "False":
			return text == "True", nil
		}
		return pyName(text), nil
	case '{':
		var d pyDict
		err := r.list('}', func() error {
			for {
				v, err := r.value(depth + 1)
				if d = append(d, v); err != nil || r.kind != ':' {
					return err
				}
				if err := r.next(); err != nil {
					return err
				}
			}
		})
		return d, err
	case '[', '(':
		end := map[rune]rune{'[': ']', '(': ')'}[r.kind]
		items, commas := []any{}, 0
		err := r.list(end, func() error {
			v, err := r.value(depth + 1)
			items = append(items, v)
			if r.kind == ',' {
				commas++
			}
			return err
		})
		if end == ')' && len(items) == 1 && commas == 0 {
			return items[0], err
		}
		return items, err
	}
	return nil, r.unexpected("a text, a number, a list or a mapping")
}

func (r *pyReader) unexpected(want string) error {
	got := quote.Name(r.text)
	switch r.kind {
	case 'e':
		got = "the end of the file"
	case '\n':
		got = "the end of the line"
	}
	return r.fail(r.at, "%s instead of %s", got, want)
}

// next reads the next token.
func (r *pyReader) next() error {
	for r.rest != "" {
		switch c := r.rest[0]; {
		case c == '#':
			r.skip(strings.IndexByte(r.rest+"\n", '\n'))
		case c == '\\' && strings.HasPrefix(r.rest, "\\\n"):
			r.skip(2)
		case c == ' ' || c == '\t' || c == '\f' || c == '\n' && r.open > 0:
			r.skip(1)
		default:
			return r.token()
		}
	}
	r.kind, r.text, r.at = 'e', "", r.line
	return nil
}

// skip drops the next n bytes.
func (r *pyReader) skip(n int) {
	r.line += strings.Count(r.rest[:n], "\n")
	r.rest = r.rest[n:]
}

func (r *pyReader) token() error {
	r.at = r.line
	c, size := utf8.DecodeRuneInString(r.rest)
	isWord := func(c rune) bool { return c == '_' || unicode.IsLetter(c) || unicode.IsDigit(c) }
	switch {
	case c == '"' || c == '\'':
		return r.quoted(false)
	case unicode.IsDigit(c) || c == '.' && len(r.rest) > 1 && '0' <= r.rest[1] && r.rest[1] <= '9':
		size = strings.IndexFunc(r.rest, func(c rune) bool { return !isWord(c) && c != '.' })
		r.kind = '0'
	case isWord(c):
		size = strings.IndexFunc(r.rest, func(c rune) bool { return !isWord(c) })
		r.kind = 'n'
	default:
		r.kind = c
	}
	if size < 0 {
		size = len(r.rest)
	}
	r.text = r.rest[:size]
	r.skip(size)
	if prefix := strings.ToLower(r.text); r.kind == 'n' && r.rest != "" && strings.ContainsRune(`"'`, rune(r.rest[0])) {
		switch prefix {
		case "u", "b":
			return r.quoted(false)
		case "r", "br", "rb":
			return r.quoted(true)
		}
		return r.fail(r.at, "texts of the kind %s are not supported", quote.Name(r.text))
	}
	return nil
}

// quoted reads a text in quotes, which begins at the next byte. In a raw one backslashes stay.
func (r *pyReader) quoted(raw bool) error {
	quote := r.rest[:1]
	if long := strings.Repeat(quote, 3); strings.HasPrefix(r.rest, long) {
		quote = long
	}
	var text strings.Builder
	r.skip(len(quote))
	for {
		switch {
		case r.rest == "" || len(quote) == 1 && r.rest[0] == '\n':
			return r.fail(r.at, "a text without its closing quote")
		case strings.HasPrefix(r.rest, quote):
			r.skip(len(quote))
			r.kind, r.text = 's', text.String()
			return nil
		case r.rest[0] != '\\' || raw && len(r.rest) > 1:
			n := 1
			if r.rest[0] == '\\' {
				n = 2
			}
			text.WriteString(r.rest[:n])
			r.skip(n)
		default:
			plain, known := map[string]string{
				"\\n": "\n", "\\t": "\t", "\\r": "\r", "\\\\": "\\", "\\'": "'", "\\\"": "\"", "\\\n": "",
			}[r.rest[:min(2, len(r.rest))]]
			if !known {
				return r.fail(r.line, "this backslash in a text is not supported")
			}
			text.WriteString(plain)
			r.skip(2)
		}
	}
}
