package grow

import (
	"fmt"
	"strings"
	"testing"

	"tribunal/judge/internal/casedata"
)

// ladder parses sizes such as "1 dense -n=1", separated by commas.
func ladder(text string) (list []casedata.Size) {
	for line := range strings.SplitSeq(text, ",") {
		words := strings.Fields(line)
		size := 0
		if _, err := fmt.Sscan(words[0], &size); err != nil {
			panic(err)
		}
		list = append(list, casedata.Size{N: size, Generate: words[1:]})
	}
	return list
}

func text(list []casedata.Size) string {
	var lines []string
	for _, r := range list {
		lines = append(lines, fmt.Sprintf("%d %s", r.N, strings.Join(r.Generate, " ")))
	}
	return strings.Join(lines, ",")
}

func TestChoose(t *testing.T) {
	t.Parallel()
	const three = "1 one -n=1,1 a -n=1,2 a -n=2,3 a -n=3,1 b -n=1,10 b -n=10,1 c -n=1,5 c -n=5,6 c -n=6"
	for _, tt := range []struct{ why, ladder, family, want, err string }{
		{"by name", three, "b", "1 b -n=1,10 b -n=10", ""},
		{"a repeated size counts once", "1 a -n=1,1 a -m=1,2 a -n=2", "a", "1 a -n=1,2 a -n=2", ""},
		{"unknown", three, "dense", "", `--gen: the generator has no family "dense" (hint: families with several sizes: a, b, c)`},
		{"misspelled", "1 dense -n=1,2 dense -n=2", "dens", "", `--gen: the generator has no family "dens" (hint: did you mean dense?)`},
		{"one size", three, "one", "", "--gen: family one has only one size (hint: families with several sizes: a, b, c)"},
		{"the first family with four sizes", three + ",1 d -n=1,2 d -n=2,3 d -n=3,4 d -n=4,1 e -n=1,2 e -n=2,3 e -n=3,4 e -n=4", "", "1 d -n=1,2 d -n=2,3 d -n=3,4 d -n=4", ""},
		{"no family with four sizes", three, "", "1 a -n=1,2 a -n=2,3 a -n=3", ""},
		{"no family with several sizes", "1 a -n=1", "", "", "no family of the generator has more than one size (hint: give --gen flags with {} for the size, and --sizes)"},
		{"no family with several sizes, by name", "1 a -n=1", "a", "", "no family of the generator has more than one size (hint: give --gen flags with {} for the size, and --sizes)"},
	} {
		got, err := Choose(ladder(tt.ladder), tt.family)
		if message(err) != tt.err || text(got) != tt.want {
			t.Errorf("%s: %s, %v", tt.why, text(got), err)
		}
	}
}

func TestTemplate(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ why, text, sizes, want, err string }{
		{"sorted, without repeats", "dense -n={} -m=3", "20,10, 20", "10 dense -n=10 -m=3,20 dense -n=20 -m=3", ""},
		{"two placeholders", "dense -n={} -m={}", "1,2", "1 dense -n=1 -m=1,2 dense -n=2 -m=2", ""},
		{"no placeholder", "dense -n=3", "1,2", "", `--gen "dense -n=3" has no {} for the size (hint: FAMILY -n={}, with --sizes 10,20,40)`},
		{"no sizes", "dense -n={}", "", "", `--gen "dense -n={}" without sizes (hint: --sizes 10,20,40)`},
		{"not a number", "dense -n={}", "1,x", "", `--sizes: "x" is not a whole number above 0 (hint: --sizes 10,20,40)`},
		{"zero", "dense -n={}", "0,1", "", `--sizes: "0" is not a whole number above 0 (hint: --sizes 10,20,40)`},
		{"one size", "dense -n={}", "7,7", "", "--sizes: a single size shows no growth (hint: --sizes 10,20,40)"},
	} {
		got, err := Template(tt.text, tt.sizes)
		if message(err) != tt.err || text(got) != tt.want {
			t.Errorf("%s: %s, %v", tt.why, text(got), err)
		}
	}
}

func message(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
