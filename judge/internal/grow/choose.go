package grow

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"tribunal/judge/internal/casedata"
	"tribunal/judge/internal/yamlstrict"
)

const (
	leastSizes = 2 // sizes that show growth
	fitSizes   = 4 // sizes for a fit even if the smallest take no measurable time
)

// byFamily returns the ascending sizes of each family, and the names of the families in their
// order.
func byFamily(ladder []casedata.Size) (names []string, families map[string][]casedata.Size) {
	families = map[string][]casedata.Size{}
	for _, r := range ladder {
		f := families[r.Family()]
		if f == nil {
			names = append(names, r.Family())
		}
		if n := len(f); n == 0 || r.N > f[n-1].N {
			families[r.Family()] = append(f, r)
		}
	}
	return names, families
}

// ErrNoneGrows means that the generator has no family of several sizes.
var ErrNoneGrows = errors.New("no family of the generator has more than one size (hint: give --gen flags with {} for the size, and --sizes)")

// growing returns the families that have several sizes.
func growing(ladder []casedata.Size) (list [][]casedata.Size) {
	names, families := byFamily(ladder)
	for _, name := range names {
		if f := families[name]; len(f) >= leastSizes {
			list = append(list, f)
		}
	}
	return list
}

// Choose returns the ascending sizes of a family. Without a name it takes the first family with at
// least four sizes, or else the first with several, because generators list the most useful one
// first.
func Choose(ladder []casedata.Size, family string) ([]casedata.Size, error) {
	list := growing(ladder)
	if list == nil {
		return nil, ErrNoneGrows
	}
	if family == "" {
		i := slices.IndexFunc(list, func(f []casedata.Size) bool { return len(f) >= fitSizes })
		return list[max(i, 0)], nil
	}
	var grow []string
	for _, f := range list {
		if f[0].Family() == family {
			return f, nil
		}
		grow = append(grow, f[0].Family())
	}
	hint := "these grow: " + strings.Join(grow, ", ")
	if names, families := byFamily(ladder); families[family] != nil {
		return nil, fmt.Errorf("--gen: family %s has only one size (hint: %s)", family, hint)
	} else if near := yamlstrict.Nearest(family, names); near != "" {
		hint = "did you mean " + near + "?"
	}
	return nil, fmt.Errorf("--gen: no family %q has a ladder (hint: %s)", family, hint)
}

// hole is the placeholder for the size in a template.
const hole = "{}"

// Template returns the sizes of a list such as 10,20,40, from arguments of the generator with {} in
// place of the size.
func Template(text, sizes string) ([]casedata.Size, error) {
	switch {
	case !strings.Contains(text, hole):
		return nil, fmt.Errorf("--gen %q has no %s for the size (hint: FAMILY -n=%s, with --sizes 10,20,40)", text, hole, hole)
	case sizes == "":
		return nil, fmt.Errorf("--gen %q without sizes (hint: --sizes 10,20,40)", text)
	}
	var list []int
	for word := range strings.SplitSeq(sizes, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(word))
		if err != nil || n < 1 {
			return nil, fmt.Errorf("--sizes: %q is not a whole number above 0 (hint: --sizes 10,20,40)", word)
		}
		list = append(list, n)
	}
	slices.Sort(list)
	list = slices.Compact(list)
	if len(list) < leastSizes {
		return nil, errors.New("--sizes: one size alone does not grow (hint: --sizes 10,20,40)")
	}
	var all []casedata.Size
	for _, n := range list {
		all = append(all, casedata.Size{N: n, Generate: strings.Fields(strings.ReplaceAll(text, hole, strconv.Itoa(n)))})
	}
	return all, nil
}
