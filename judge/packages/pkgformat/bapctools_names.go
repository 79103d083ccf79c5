package pkgformat

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"tribunal/judge/internal/quote"

	"gopkg.in/yaml.v3"
)

// isCase reports whether a value describes a case; otherwise it describes a folder.
func isCase(n node) bool {
	if n.kind() != yaml.MappingNode {
		return n.kind() != yaml.SequenceNode
	}
	for i := 0; i < len(n.n.Content); i += 2 {
		key := n.n.Content[i].Value
		if slices.Contains([]string{"generate", "copy", "count", "match"}, key) || slices.Contains(generatedExtensions, "."+key) {
			return true
		}
	}
	return false
}

// entries returns the keys and values of a value of the key data. Those of a list are numbered.
func entries(n node) (list [][]pair, numbered bool, err error) {
	if n.kind() != yaml.SequenceNode {
		one, err := n.pairs()
		return [][]pair{one}, false, err
	}
	for i := range n.n.Content {
		one, err := n.item(i).pairs()
		if err != nil {
			return nil, false, err
		}
		if len(one) != 1 {
			return nil, false, n.item(i).errorf("indent what belongs to the case by one more level", "an element of a numbered list needs one key, not %d", len(one))
		}
		list = append(list, one)
	}
	return list, true, nil
}

// count returns the number of numbered cases below a folder.
func (r *generatorReader) count(n node) (total int, err error) {
	list, err := n.pairs()
	for _, key := range list {
		if err != nil || key.key != "data" {
			continue
		}
		list, numbered, err := entries(key.value)
		if err != nil {
			return 0, err
		}
		for _, e := range slices.Concat(list...) {
			more := 0
			switch {
			case !isCase(e.value):
				more, err = r.count(e.value)
			case numbered:
				var counts []int
				counts, err = countsOf(e.value)
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
func countsOf(n node) ([]int, error) {
	if n.kind() != yaml.MappingNode {
		return nil, nil
	}
	list, err := n.pairs()
	i := slices.IndexFunc(list, func(k pair) bool { return k.key == "count" && k.value.n != nil })
	if i < 0 || err != nil {
		return nil, err
	}
	v := list[i].value
	words, err := v.texts()
	if err != nil {
		return nil, err
	}
	lo, hi, isRange := "1", "", false
	if v.kind() == yaml.ScalarNode {
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
			return nil, v.errorf("", "count: 1 to %d numbers such as 5, 3..=7 or [1, 4] are needed, not %s", most, quote.Name(words[0]))
		}
		for i := a; i <= b; i++ {
			counts = append(counts, int(i))
		}
		return counts, nil
	}
	for _, w := range words {
		i, err := strconv.Atoi(w)
		if err != nil || slices.Contains(counts, i) {
			return nil, v.errorf("", "count: a list of different integers is needed")
		}
		counts = append(counts, i)
	}
	if len(counts) == 0 || len(counts) > most {
		return nil, v.errorf("", "count: 1 to %d numbers are needed", most)
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
