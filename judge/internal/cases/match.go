package cases

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"tribunal/judge/internal/yamlstrict"
)

// Match returns the cases that a pattern selects, in their order. The pattern has the syntax of
// [path.Match]. With a slash it is matched against group/name. Without one it selects each case
// whose group or short name matches, so that "sample" selects a whole group and "flips-*" a family
// in any group. A malformed pattern and one that selects nothing are errors with a hint.
func Match(pattern string, list []Case) ([]Case, error) {
	var out []Case
	for _, c := range list {
		names := []string{c.Group, c.Short()}
		if strings.Contains(pattern, "/") {
			names = []string{c.Name}
		}
		for _, name := range names {
			ok, err := path.Match(pattern, name)
			if err != nil {
				return nil, badPattern(pattern)
			}
			if ok {
				out = append(out, c)
				break
			}
		}
	}
	if len(out) > 0 {
		return out, nil
	}
	if _, err := path.Match(pattern, ""); err != nil {
		return nil, badPattern(pattern)
	}
	return nil, fmt.Errorf("no case matches %q (hint: %s)", pattern, near(pattern, list))
}

func badPattern(pattern string) error {
	return fmt.Errorf("bad case pattern %q (hint: * and ? stand for letters, [a-z] for one of them; a bracket must be closed)", pattern)
}

// near returns a hint for a pattern that selects nothing: the most similar names, or the groups.
func near(pattern string, list []Case) string {
	var full, short, groups []string
	for _, c := range list {
		full = append(full, c.Name)
		short = append(short, c.Short())
		if !slices.Contains(groups, c.Group) {
			groups = append(groups, c.Group)
		}
	}
	// The most likely mistake is the right name in the wrong group.
	word := strings.Trim(path.Base(pattern), "*?")
	var found []string
	for i, s := range short {
		if word != "" && strings.Contains(s, word) {
			found = append(found, full[i])
		}
	}
	if len(found) == 0 {
		alike := full[:0] // in the name, too: a long group makes any two names near
		for i, s := range short {
			if yamlstrict.Nearest(word, []string{s}) != "" {
				alike = append(alike, full[i])
			}
		}
		full = alike
		for _, names := range [][]string{full, groups, short} {
			if n := yamlstrict.Nearest(pattern, names); n != "" {
				found = append(found, n)
			}
		}
	}
	const most = 3
	if len(found) > 0 {
		return "did you mean " + strings.Join(found[:min(most, len(found))], " or ") + "?"
	}
	return "the groups are " + strings.Join(groups, ", ")
}
