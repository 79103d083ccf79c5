package verdict

import (
	"slices"
	"strings"
)

// BigFive returns the verdicts that every contest system and package format knows: AC,
// WA, TLE, RTE and CE.
func BigFive() []Verdict {
	return slices.DeleteFunc(All(), func(v Verdict) bool { return v.ICPC() != v || v == JE })
}

// ICPC returns the one of the big five that v is for a judge that knows no others. JE and
// None are themselves.
func (v Verdict) ICPC() Verdict {
	if of := table[v].icpc; len(of) > 0 {
		return of[0]
	}
	return v
}

// Class returns the verdicts that are v for a judge that knows only the big five. Of a
// verdict that such a judge does not know it has v alone. OLE is in two: such a judge may
// call it RTE or TLE.
func (v Verdict) Class() Set {
	class := SetOf(v)
	for w, r := range table {
		if slices.Contains(r.icpc, v) {
			class |= SetOf(Verdict(w))
		}
	}
	return class
}

// DOMjudge returns the results that DOMjudge may give for v, as its annotation
// @EXPECTED_RESULTS@ lists them, such as "MEMORY-LIMIT, RUN-ERROR"; "" for JE and None.
func (v Verdict) DOMjudge() string { return table[v].domjudge }

// Named returns the verdict that packages call by that name: its code, its title, or one of
// DOMjudge's, Kattis' or Polygon's words for it, in upper or lower case, with blanks,
// dashes or underscores.
func Named(name string) (Verdict, bool) {
	name = strings.NewReplacer("_", " ", "-", " ").Replace(strings.ToLower(strings.TrimSpace(name)))
	for _, v := range All() {
		r := table[v]
		if name == strings.ToLower(r.code) || name == strings.ReplaceAll(r.title, "-", " ") || slices.Contains(r.names, name) {
			return v, true
		}
	}
	return None, false
}
