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
	leastSizes = 2 // the least number of sizes that can show growth
	fitSizes   = 4 // enough sizes for a fit, even if the smallest takes no measurable time
)

// byFamily groups the sizes of a ladder by family, ascending, and returns the names of the families
// in the order of the ladder.
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

// ErrNoneGrows means that no family of the generator has several sizes.
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

// Choose returns the ascending sizes of a family. If family is "", it takes the first one with at
// least four sizes, or the first with several if none has four: generators list the most useful
// family first.
func Choose(ladder []casedata.Size, family string) ([]casedata.Size, error) {
	list := growing(ladder)
	if list == nil {
		return nil, ErrNoneGrows
	}
	if family == "" {
		i := slices.IndexFunc(list, func(f []casedata.Size) bool { return len(f) >= fitSizes })
		return list[max(i, 0)], nil
	}
	var names []string
	for _, f := range list {
		if f[0].Family() == family {
			return f, nil
		}
		names = append(names, f[0].Family())
	}
	hint := "families with several sizes: " + strings.Join(names, ", ")
	if all, families := byFamily(ladder); families[family] != nil {
		return nil, fmt.Errorf("--gen: family %s has only one size (hint: %s)", family, hint)
	} else if near := yamlstrict.Nearest(family, all); near != "" {
		hint = "did you mean " + near + "?"
	}
	return nil, fmt.Errorf("--gen: the generator has no family %q (hint: %s)", family, hint)
}

// placeholder stands in the place of the size in a template.
const placeholder = "{}"

// Template returns the sizes in the list sizes, such as 10,20,40. Its text holds the generator's
// arguments, with {} in the place of the size.
func Template(text, sizes string) ([]casedata.Size, error) {
	switch {
	case !strings.Contains(text, placeholder):
		return nil, fmt.Errorf("--gen %q has no %s for the size (hint: FAMILY -n=%s, with --sizes 10,20,40)", text, placeholder, placeholder)
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
		return nil, errors.New("--sizes: a single size shows no growth (hint: --sizes 10,20,40)")
	}
	var all []casedata.Size
	for _, n := range list {
		all = append(all, casedata.Size{N: n, Generate: strings.Fields(strings.ReplaceAll(text, placeholder, strconv.Itoa(n)))})
	}
	return all, nil
}
