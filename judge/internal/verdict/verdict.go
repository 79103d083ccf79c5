// Package verdict names the closed set of outcomes and which one wins.
package verdict

import (
	"fmt"
	"strings"
)

// Verdict is one outcome of judging, named by the codes of the ICPC Contest
// Control System registry. The zero value, None, is no verdict yet: a case that
// has not been judged, for instance because an earlier one failed.
type Verdict uint8

// The outcomes, in no order that means anything: see [Worst] for precedence.
const (
	None Verdict = iota
	AC           // accepted
	PE           // presentation error: the same tokens, other white space
	WA           // wrong answer
	TLE          // time limit exceeded
	ILE          // idleness limit exceeded: over the wall limit without using the CPU
	MLE          // memory limit exceeded
	OLE          // output limit exceeded
	RTE          // run-time error: died of a signal or ended with a non-zero status
	SV           // security violation: made a call the sandbox denies
	CE           // compile error
	JE           // judging error: the judge failed, not the program
)

type name struct{ code, title, folder string }

var names = [...]name{
	None: {"", "not judged", ""},
	AC:   {"AC", "accepted", "accepted"},
	PE:   {"PE", "presentation error", "presentation_error"},
	WA:   {"WA", "wrong answer", "wrong_answer"},
	TLE:  {"TLE", "time limit exceeded", "time_limit_exceeded"},
	ILE:  {"ILE", "idleness limit exceeded", "idleness_limit_exceeded"},
	MLE:  {"MLE", "memory limit exceeded", "memory_limit_exceeded"},
	OLE:  {"OLE", "output limit exceeded", "output_limit_exceeded"},
	RTE:  {"RTE", "run-time error", "run_time_error"},
	SV:   {"SV", "security violation", "security_violation"},
	CE:   {"CE", "compile error", "compile_error"},
	JE:   {"JE", "judging error", ""},
}

// String returns the CCS code, such as "AC", or "" for None.
func (v Verdict) String() string { return names[v].code }

// Title returns the outcome in words, such as "accepted".
func (v Verdict) Title() string { return names[v].title }

// Folder returns the name of the folder whose submissions are expected to get v,
// such as "accepted", or "" where a folder cannot promise it (JE and None).
func (v Verdict) Folder() string { return names[v].folder }

// MarshalText writes the CCS code.
func (v Verdict) MarshalText() ([]byte, error) { return []byte(v.String()), nil }

// UnmarshalText reads a CCS code, or the empty text as None.
func (v *Verdict) UnmarshalText(text []byte) error {
	for i, n := range names {
		if n.code == string(text) {
			*v = Verdict(i)
			return nil
		}
	}
	return fmt.Errorf("unknown verdict %q", text)
}

// OfFolder returns the verdict that submissions in a folder of that name are
// expected to get, and false if no verdict has that folder.
func OfFolder(folder string) (Verdict, bool) {
	for i, n := range names {
		if n.folder != "" && n.folder == folder {
			return Verdict(i), true
		}
	}
	return None, false
}

// Folders returns the verdict folders, for messages.
func Folders() string {
	var list []string
	for _, n := range names {
		if n.folder != "" {
			list = append(list, n.folder)
		}
	}
	return strings.Join(list, ", ")
}

// First returns the verdict of a whole submission: that of its first case, in
// case order, that is not accepted. Cases after the first failure do not count,
// whether or not they were run. It returns None if no case was judged, or if the
// cases judged before the first None do not settle the answer.
func First(cases []Verdict) Verdict {
	if len(cases) == 0 {
		return None
	}
	for _, v := range cases {
		if v != AC {
			return v
		}
	}
	return AC
}

// precedence orders the causes that can meet in one run; see Worst.
var precedence = [...]uint8{JE: 9, CE: 8, OLE: 7, MLE: 6, TLE: 5, ILE: 5, SV: 4, RTE: 3, WA: 2, PE: 1, AC: 0, None: 0}

// Worst returns the one that wins when several outcomes meet in one run: JE, CE,
// OLE, MLE, TLE or ILE, SV, RTE, and then what the comparison said. Of two that
// rank alike it returns a.
func Worst(a, b Verdict) Verdict {
	if a == None || precedence[b] > precedence[a] && b != None {
		return b
	}
	return a
}
