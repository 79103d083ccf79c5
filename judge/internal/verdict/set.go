package verdict

import "strings"

// Set is a set of verdicts, such as those that an expectation permits. The zero value is empty; a |
// b is the union of two sets and a & b their intersection.
type Set uint16

func SetOf(list ...Verdict) Set {
	var s Set
	for _, v := range list {
		s |= 1 << v
	}
	return s
}

// OfCase returns the verdicts that a case can get if the program was built and the judge does not
// fail.
func OfCase() Set {
	var s Set
	for _, v := range All() {
		if !v.Is(NotBuilt, JudgeFailed) {
			s |= SetOf(v)
		}
	}
	return s
}

func (s Set) Has(v Verdict) bool { return s&(1<<v) != 0 }

// List returns the verdicts of the set in the order of [All].
func (s Set) List() []Verdict {
	var list []Verdict
	for v := range table {
		if s.Has(Verdict(v)) {
			list = append(list, Verdict(v))
		}
	}
	return list
}

// String returns the CCS codes, such as "AC, WA", or "" for the empty set.
func (s Set) String() string {
	var codes []string
	for _, v := range s.List() {
		codes = append(codes, v.String())
	}
	return strings.Join(codes, ", ")
}
