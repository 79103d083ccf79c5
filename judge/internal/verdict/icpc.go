package verdict

import (
	"slices"
	"strings"
)

// BigFive returns the verdicts that every contest system and package format knows: AC, WA, TLE, RTE
// and CE.
func BigFive() []Verdict {
	return slices.DeleteFunc(All(), func(v Verdict) bool { return v.ICPC() != v || v == JE })
}

// ICPC returns what a judge that knows only the big five calls v. JE and None stay as they are.
func (v Verdict) ICPC() Verdict {
	if of := table[v].icpc; len(of) > 0 {
		return of[0]
	}
	return v
}

// Class returns v and, if v is one of the big five, the finer verdicts that a judge that knows only
// these may report as v. OLE is in the classes of both RTE and TLE.
func (v Verdict) Class() Set {
	class := SetOf(v)
	for w, r := range table {
		if slices.Contains(r.icpc, v) {
			class |= SetOf(Verdict(w))
		}
	}
	return class
}

// DOMjudge returns the results that DOMjudge may give for v, as its annotation @EXPECTED_RESULTS@
// lists them, such as "MEMORY-LIMIT, RUN-ERROR"; "" for JE and None.
func (v Verdict) DOMjudge() string { return table[v].domjudge }

// Named returns the verdict that packages call by name: its code, its title, or a word of DOMjudge,
// Kattis or Polygon for it. Case is ignored, and spaces, dashes and underscores are alike.
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
