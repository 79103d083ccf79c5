package kattis

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"gopkg.in/yaml.v3"

	"tribunal/judge/internal/quote"
	"tribunal/judge/packages/yamlloose"
)

// isCase reports whether a value describes a case; otherwise it describes a folder.
func isCase(n yamlloose.Node) bool {
	if n.Kind() != yaml.MappingNode {
		return n.Kind() != yaml.SequenceNode
	}
	for i := 0; i < len(n.Raw.Content); i += 2 {
		key := n.Raw.Content[i].Value
		if slices.Contains([]string{"generate", "copy", "count", "match"}, key) || slices.Contains(generatedExtensions, "."+key) {
			return true
		}
	}
	return false
}

// entries returns the keys and values of a value of the key data. Those of a list are numbered.
func entries(n yamlloose.Node) (list [][]yamlloose.Pair, numbered bool, err error) {
	if n.Kind() != yaml.SequenceNode {
		one, err := n.Pairs()
		return [][]yamlloose.Pair{one}, false, err
	}
	for i := range n.Raw.Content {
		one, err := n.Item(i).Pairs()
		if err != nil {
			return nil, false, err
		}
		if len(one) != 1 {
			return nil, false, n.Item(i).Errorf("indent what belongs to the case by one more level", "an element of a numbered list needs one key, not %d", len(one))
		}
		list = append(list, one)
	}
	return list, true, nil
}

// count returns the number of numbered cases below a folder.
func (r *generatorReader) count(n yamlloose.Node) (total int, err error) {
	list, err := n.Pairs()
	for _, key := range list {
		if err != nil || key.Key != "data" {
			continue
		}
		list, numbered, err := entries(key.Value)
		if err != nil {
			return 0, err
		}
		for _, e := range slices.Concat(list...) {
			more := 0
			switch {
			case !isCase(e.Value):
				more, err = r.count(e.Value)
			case numbered:
				var counts []int
				counts, err = countsOf(e.Value)
				more = max(1, len(counts))
			}
			if total += more; err != nil {
				return 0, err
			}
		}
	}
	return total, err
}

// countsOf returns the numbers of the cases that one entry describes; nil for one case without a
// number.
func countsOf(n yamlloose.Node) ([]int, error) {
	if n.Kind() != yaml.MappingNode {
		return nil, nil
	}
	list, err := n.Pairs()
	i := slices.IndexFunc(list, func(k yamlloose.Pair) bool { return k.Key == "count" && k.Value.Raw != nil })
	if i < 0 || err != nil {
		return nil, err
	}
	v := list[i].Value
	words, err := v.Texts()
	if err != nil {
		return nil, err
	}
	lo, hi, isRange := "1", "", false
	if v.Kind() == yaml.ScalarNode {
		hi, isRange = words[0], true
		if a, b, ok := strings.Cut(words[0], "..="); ok {
			lo, hi = a, b
		}
	}
	const most = 100
	var counts []int
	if isRange {
		a, err1 := strconv.ParseInt(lo, 10, 32)
		b, err2 := strconv.ParseInt(hi, 10, 32)
		if err1 != nil || err2 != nil || a > b || b-a >= most {
			return nil, v.Errorf("", "count: 1 to %d numbers such as 5, 3..=7 or [1, 4] are needed, not %s", most, quote.Name(words[0]))
		}
		for i := a; i <= b; i++ {
			counts = append(counts, int(i))
		}
		return counts, nil
	}
	for _, w := range words {
		i, err := strconv.Atoi(w)
		if err != nil || slices.Contains(counts, i) {
			return nil, v.Errorf("", "count: a list of different integers is needed")
		}
		counts = append(counts, i)
	}
	if len(counts) == 0 || len(counts) > most {
		return nil, v.Errorf("", "count: 1 to %d numbers are needed", most)
	}
	return counts, nil
}

func numberedName(i, of int, key string) string {
	digits := strconv.Itoa(i)
	name := strings.Repeat("0", max(0, len(strconv.Itoa(of))-len(digits))) + digits
	if key != "" {
		name += "-" + key
	}
	return name
}

var caseName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9_.-]{0,200}$`) })

func validName(name string) bool {
	return caseName().MatchString(name) && !strings.HasSuffix(name, ".in")
}

// padded writes a number with zeros after its sign, so that it has the width.
func padded(i, width int) string {
	text := strconv.Itoa(i)
	sign := len(text) - len(strings.TrimPrefix(text, "-"))
	return text[:sign] + strings.Repeat("0", max(0, width-len(text))) + text[sign:]
}
