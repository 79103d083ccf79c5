package library

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"tribunal/judge/internal/quote"
	"tribunal/judge/packages/tree"
)

// tomlTable is a table of a TOML file: one [name], one element of [[name]], or the keys before all
// of them, whose name is "".
type tomlTable struct {
	name string
	line int
	keys []tomlKey // in the order of the file
}

// tomlKey is a key with its value, which is a string, an int64, a float64 or a bool.
type tomlKey struct {
	name, text string // text is the value as written, without comment and underscores
	line       int
	value      any
}

// tomlLines holds the expressions that match the lines of the part of TOML that is read: tables,
// bare keys, and strings of one line, decimal numbers and booleans as values.
var tomlLines = sync.OnceValue(func() (re struct{ blank, table, key, text, raw, whole, float *regexp.Regexp }) {
	const rest = `[ \t]*(?:#.*)?$`
	re.blank = regexp.MustCompile(`^` + rest)
	re.table = regexp.MustCompile(`^[ \t]*(\[\[?)[ \t]*([A-Za-z0-9_-]+)[ \t]*(\]\]?)` + rest)
	re.key = regexp.MustCompile(`^[ \t]*([A-Za-z0-9_-]+)[ \t]*=[ \t]*("(?:[^"\\]|\\.)*"|'[^']*'|[^"'\[{# \t]+)` + rest)
	re.text = regexp.MustCompile(`^"(?:[^"\\\x00-\x08\x0a-\x1f]|\\(?:["\\bfnrt]|u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}))*"$`)
	re.raw = regexp.MustCompile(`^'[^'\x00-\x08\x0a-\x1f]*'$`)
	re.whole = regexp.MustCompile(`^[+-]?(?:0|[1-9](?:_?[0-9])*)$`)
	re.float = regexp.MustCompile(`^[+-]?(?:0|[1-9](?:_?[0-9])*)(?:\.[0-9](?:_?[0-9])*)?(?:[eE][+-]?[0-9]+)?$`)
	return re
})

// toml reads a file of the package as TOML. Everything that TOML allows beyond the part that is read
// is an error.
func (p *reader) toml(rel string) ([]tomlTable, error) {
	data, err := p.Tree.Read(rel, tree.MaxDocument)
	if err != nil {
		return nil, err
	}
	re := tomlLines()
	list := []tomlTable{{line: 1}}
	once := map[string]bool{"": true} // by name: whether the table is a single one
	text := strings.TrimPrefix(string(data), "\ufeff")
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSuffix(line, "\r")
		bad := func(format string, args ...any) error { return p.Tree.Errorf(rel, i+1, "", format, args...) }
		table, key := re.table.FindStringSubmatch(line), re.key.FindStringSubmatch(line)
		switch {
		case re.blank.MatchString(line):
		case table != nil && len(table[1]) == len(table[3]):
			name, single := table[2], len(table[1]) == 1
			if before, known := once[name]; known && (before || single) {
				return nil, bad("a second table %s", name)
			}
			once[name] = single
			list = append(list, tomlTable{name: name, line: i + 1})
		case key != nil:
			at := &list[len(list)-1]
			for _, k := range at.keys {
				if k.name == key[1] {
					return nil, bad("a second key %s, after line %d", k.name, k.line)
				}
			}
			k := tomlKey{name: key[1], line: i + 1}
			if !k.set(key[2]) {
				return nil, bad("no string, number or boolean: %s", quote.Name(key[2]))
			}
			at.keys = append(at.keys, k)
		default:
			return nil, p.Tree.Errorf(rel, i+1, "judge reads tables, and keys whose values are strings, numbers or booleans", "unsupported or invalid TOML: %s", quote.Name(line))
		}
	}
	return list, nil
}

// set sets the value from the text of a file. It returns false if the text is no value.
func (k *tomlKey) set(text string) bool {
	re := tomlLines()
	k.text = strings.ReplaceAll(text, "_", "")
	var err error
	switch {
	case re.text.MatchString(text):
		k.text = text
		k.value, err = strconv.Unquote(text)
	case re.raw.MatchString(text):
		k.text, k.value = text, text[1:len(text)-1]
	case re.whole.MatchString(text):
		k.value, err = strconv.ParseInt(k.text, 10, 64)
	case re.float.MatchString(text):
		var f float64
		f, err = strconv.ParseFloat(k.text, 64)
		k.value = f
		return err == nil && !math.IsInf(f, 0)
	case text == "true" || text == "false":
		k.value = text == "true"
	default:
		return false
	}
	return err == nil
}
