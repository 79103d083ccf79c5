package pkgformat

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

// set returns a reader, for a table of keys, that stores a value in v. It leaves v as it is if read
// fails.
func set[T any](v *T, read func(node) (T, error)) func(node) error {
	return func(n node) error {
		got, err := read(n)
		if err == nil {
			*v = got
		}
		return err
	}
}

// into returns a reader of a string.
func into(s *string) func(node) error { return set(s, node.text) }

// wordsInto returns a reader of a list of words, or of one string that it splits at white space.
func wordsInto(s *[]string) func(node) error { return set(s, node.words) }

// shellWords reads a list of strings, or one string that it splits into words as a shell would: at
// blanks that are neither quoted nor after a backslash.
func (n node) shellWords() ([]string, error) {
	list, err := n.texts()
	if n.kind() != yaml.ScalarNode || err != nil {
		return list, err
	}
	words, ok := splitShell(list[0])
	if !ok {
		return nil, n.wrong("", "unclosed quote: %s", quote.Name(list[0]))
	}
	return words, nil
}

// splitShell splits a text into words like a shell, but interprets only quotes and backslashes. It
// reports false if a quote is not closed.
func splitShell(text string) (words []string, ok bool) {
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

// flag reads a boolean in any spelling of YAML 1.1 or 1.2, or as 0 or 1.
func (n node) flag() (bool, error) {
	s, err := n.text()
	if err != nil {
		return false, err
	}
	switch strings.ToLower(s) {
	case "true", "yes", "on", "y", "1":
		return true, nil
	case "false", "no", "off", "n", "0":
		return false, nil
	}
	return false, n.wrong("write true or false", "%s is neither true nor false", quote.Name(s))
}

// number reads a finite number that is not less than least.
func (n node) number(least float64) (float64, error) {
	s, err := n.text()
	if err != nil {
		return 0, err
	}
	f, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
	if err != nil || math.IsNaN(f) || math.IsInf(f, 0) {
		return 0, n.wrong("", "%s is not a number", quote.Name(s))
	}
	if f < least {
		return 0, n.wrong("", "%s is less than %v", quote.Name(s), least)
	}
	return f, nil
}

// numberInto returns a reader of a number that is not less than least.
func numberInto(f *float64, least float64) func(node) error {
	return set(f, func(n node) (float64, error) { return n.number(least) })
}

// quantity reads a number above 0 and its unit, in lower case; "" if it has none.
func (n node) quantity() (float64, string, error) {
	s, err := n.text()
	if err != nil {
		return 0, "", err
	}
	f, unit, err := quantity(s)
	if err != nil {
		return 0, "", n.wrong("", "%v", err)
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

// longest is the longest time that a package may give; multiples of it do not overflow.
const longest = 1000 * time.Hour

// seconds parses a duration; without a unit it is in seconds.
func seconds(s string) (time.Duration, error) {
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
	case d > float64(longest):
		return 0, fmt.Errorf("%s is more than %v", quote.Name(s), longest)
	case d < float64(time.Millisecond):
		return 0, fmt.Errorf("%s is less than 1ms", quote.Name(s))
	}
	return time.Duration(math.Round(d)), nil
}

// secondsInto returns a reader of a duration; a number without a unit is in seconds.
func secondsInto(d *time.Duration) func(node) error {
	return set(d, func(n node) (time.Duration, error) {
		s, err := n.text()
		if err != nil {
			return 0, err
		}
		read, err := seconds(s)
		if err != nil {
			return 0, n.wrong("", "%v", err)
		}
		return read, nil
	})
}

// memoryInto returns a reader of a memory limit; a number without a unit is in MiB.
func memoryInto(b *limits.Bytes) func(node) error {
	return set(b, func(n node) (limits.Bytes, error) {
		size, err := n.bytes(limits.MiB)
		if err == nil && size < limits.MiB {
			err = n.wrong("", "%v of memory: no program starts with less than 1MiB", size)
		}
		return size, err
	})
}

// bytesInto returns a reader of a size; a number without a unit is in multiples of unit.
func bytesInto(b *limits.Bytes, unit limits.Bytes) func(node) error {
	return set(b, func(n node) (limits.Bytes, error) { return n.bytes(unit) })
}

// bytes reads a size; a number without a unit is in multiples of unit.
func (n node) bytes(unit limits.Bytes) (limits.Bytes, error) {
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
		return 0, n.wrong("", "unknown unit %s", quote.Name(name))
	case size > 1<<50:
		return 0, n.wrong("", "more than 1024 TiB")
	case size < 1:
		return 0, n.wrong("", "less than a byte")
	}
	return limits.Bytes(size), nil
}

// marshal writes a value as a document of its own.
func (n node) marshal() ([]byte, error) {
	plain, err := n.plain(n.n, 0)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	enc := yaml.NewEncoder(&out)
	if err := enc.Encode(plain); err != nil {
		return nil, n.errorf("", "%v", err)
	}
	return out.Bytes(), enc.Close()
}

// plain returns a copy of a value in which what aliases refer to replaces them.
func (n node) plain(of *yaml.Node, depth int) (*yaml.Node, error) {
	if depth > maxNesting {
		return nil, n.errorf("", "nested more than %d deep", maxNesting)
	}
	if of.Kind == yaml.AliasNode {
		return n.plain(of.Alias, depth+1)
	}
	if err := n.spend(1); err != nil {
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
