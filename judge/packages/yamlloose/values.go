package yamlloose

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode"

	"gopkg.in/yaml.v3"

	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/quote"
)

// Set returns a reader, for a table of keys, that stores a value in v. It leaves v as it is if read
// fails.
func Set[T any](v *T, read func(Node) (T, error)) func(Node) error {
	return func(n Node) error {
		got, err := read(n)
		if err == nil {
			*v = got
		}
		return err
	}
}

// Into returns a reader of a string.
func Into(s *string) func(Node) error { return Set(s, Node.Text) }

// WordsInto returns a reader of a list of words, or of one string that it splits at white space.
func WordsInto(s *[]string) func(Node) error { return Set(s, Node.Words) }

// ShellWords reads a list of strings, or one string that it splits into words as a shell would: at
// blanks that are neither quoted nor after a backslash.
func (n Node) ShellWords() ([]string, error) {
	list, err := n.Texts()
	if n.Kind() != yaml.ScalarNode || err != nil {
		return list, err
	}
	words, ok := SplitShell(list[0])
	if !ok {
		return nil, n.Wrong("", "unclosed quote: %s", quote.Name(list[0]))
	}
	return words, nil
}

// SplitShell splits a text into words like a shell, but interprets only quotes and backslashes. It
// reports false if a quote is not closed.
func SplitShell(text string) (words []string, ok bool) {
	var word strings.Builder
	quote, began := rune(0), false // the open quote or 0; whether a word has begun
	escaped := false
	for _, r := range text {
		switch {
		case escaped:
			if quote == '"' && r != '"' && r != '\\' {
				word.WriteByte('\\')
			}
			word.WriteRune(r)
			escaped = false
		case r == '\\' && quote != '\'':
			escaped, began = true, true
		case quote != 0 && r == quote:
			quote = 0
		case quote == 0 && (r == '"' || r == '\''):
			quote, began = r, true
		case quote == 0 && unicode.IsSpace(r):
			if began {
				words = append(words, word.String())
				word.Reset()
				began = false
			}
		default:
			word.WriteRune(r)
			began = true
		}
	}
	if escaped {
		word.WriteByte('\\')
	}
	if began {
		words = append(words, word.String())
	}
	return words, quote == 0
}

// Flag reads a boolean in any spelling of YAML 1.1 or 1.2, or as 0 or 1.
func (n Node) Flag() (bool, error) {
	s, err := n.Text()
	if err != nil {
		return false, err
	}
	switch strings.ToLower(s) {
	case "true", "yes", "on", "y", "1":
		return true, nil
	case "false", "no", "off", "n", "0":
		return false, nil
	}
	return false, n.Wrong("write true or false", "%s is neither true nor false", quote.Name(s))
}

// Number reads a finite number that is not less than least.
func (n Node) Number(least float64) (float64, error) {
	s, err := n.Text()
	if err != nil {
		return 0, err
	}
	f, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
	if err != nil || math.IsNaN(f) || math.IsInf(f, 0) {
		return 0, n.Wrong("", "%s is not a number", quote.Name(s))
	}
	if f < least {
		return 0, n.Wrong("", "%s is less than %v", quote.Name(s), least)
	}
	return f, nil
}

// NumberInto returns a reader of a number that is not less than least.
func NumberInto(f *float64, least float64) func(Node) error {
	return Set(f, func(n Node) (float64, error) { return n.Number(least) })
}

// quantity reads a number above 0 and its unit, in lower case; "" if it has none.
func (n Node) quantity() (float64, string, error) {
	s, err := n.Text()
	if err != nil {
		return 0, "", err
	}
	f, unit, err := quantity(s)
	if err != nil {
		return 0, "", n.Wrong("", "%v", err)
	}
	return f, unit, nil
}

func quantity(s string) (float64, string, error) {
	s = strings.TrimSpace(s)
	end := strings.LastIndexAny(s, "0123456789.") + 1
	f, err := strconv.ParseFloat(s[:end], 64)
	if err != nil || !(f > 0) || math.IsInf(f, 0) {
		return 0, "", fmt.Errorf("%s is not a number above 0", quote.Name(s))
	}
	return f, strings.ToLower(strings.TrimSpace(s[end:])), nil
}

// Longest is the longest time that a package may give; multiples of it do not overflow.
const Longest = 1000 * time.Hour

// Seconds parses a duration; without a unit it is in seconds.
func Seconds(s string) (time.Duration, error) {
	f, unit, err := quantity(s)
	if err != nil {
		return 0, err
	}
	scale, ok := map[string]time.Duration{
		"": time.Second, "s": time.Second, "sec": time.Second, "second": time.Second, "seconds": time.Second,
		"ms": time.Millisecond, "m": time.Minute, "min": time.Minute,
	}[unit]
	d := f * float64(scale)
	switch {
	case !ok:
		return 0, fmt.Errorf("%s has an unknown unit of time", quote.Name(s))
	case d > float64(Longest):
		return 0, fmt.Errorf("%s is more than %v", quote.Name(s), Longest)
	case d < float64(time.Millisecond):
		return 0, fmt.Errorf("%s is less than 1ms", quote.Name(s))
	}
	return time.Duration(math.Round(d)), nil
}

// SecondsInto returns a reader of a duration; a number without a unit is in seconds.
func SecondsInto(d *time.Duration) func(Node) error {
	return Set(d, func(n Node) (time.Duration, error) {
		s, err := n.Text()
		if err != nil {
			return 0, err
		}
		read, err := Seconds(s)
		if err != nil {
			return 0, n.Wrong("", "%v", err)
		}
		return read, nil
	})
}

// MemoryInto returns a reader of a memory limit; a number without a unit is in MiB.
func MemoryInto(b *limits.Bytes) func(Node) error {
	return Set(b, func(n Node) (limits.Bytes, error) {
		size, err := n.Bytes(limits.MiB)
		if err == nil && size < limits.MiB {
			err = n.Wrong("", "%v of memory: no program starts with less than 1MiB", size)
		}
		return size, err
	})
}

// BytesInto returns a reader of a size; a number without a unit is in multiples of unit.
func BytesInto(b *limits.Bytes, unit limits.Bytes) func(Node) error {
	return Set(b, func(n Node) (limits.Bytes, error) { return n.Bytes(unit) })
}

// Bytes reads a size; a number without a unit is in multiples of unit.
func (n Node) Bytes(unit limits.Bytes) (limits.Bytes, error) {
	f, name, err := n.quantity()
	if err != nil {
		return 0, err
	}
	scale, ok := map[string]limits.Bytes{
		"": unit, "b": 1, "k": limits.KiB, "kb": limits.KiB, "kib": limits.KiB,
		"m": limits.MiB, "mb": limits.MiB, "mib": limits.MiB, "g": limits.GiB, "gb": limits.GiB, "gib": limits.GiB,
	}[name]
	size := f * float64(scale)
	switch {
	case !ok:
		return 0, n.Wrong("", "unknown unit %s", quote.Name(name))
	case size > 1<<50:
		return 0, n.Wrong("", "more than 1024 TiB")
	case size < 1:
		return 0, n.Wrong("", "less than a byte")
	}
	return limits.Bytes(size), nil
}

// Marshal writes a value as a document of its own.
func (n Node) Marshal() ([]byte, error) {
	plain, err := n.plain(n.Raw, 0)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	enc := yaml.NewEncoder(&out)
	if err := enc.Encode(plain); err != nil {
		return nil, n.Errorf("", "%v", err)
	}
	return out.Bytes(), enc.Close()
}

// plain returns a copy of a value in which what aliases refer to replaces them.
func (n Node) plain(of *yaml.Node, depth int) (*yaml.Node, error) {
	if depth > MaxNesting {
		return nil, n.Errorf("", "nested more than %d deep", MaxNesting)
	}
	if of.Kind == yaml.AliasNode {
		return n.plain(of.Alias, depth+1)
	}
	if err := n.Spend(1); err != nil {
		return nil, err
	}
	one := &yaml.Node{Kind: of.Kind, Tag: of.Tag, Value: of.Value, Style: of.Style}
	for _, c := range of.Content {
		inner, err := n.plain(c, depth+1)
		if err != nil {
			return nil, err
		}
		one.Content = append(one.Content, inner)
	}
	return one, nil
}
