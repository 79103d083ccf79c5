// Package verdict lists the verdicts and their properties.
package verdict

import (
	"fmt"
	"slices"
	"strings"
)

// Verdict is one outcome of judging, named by the codes of the ICPC Contest Control System (CCS)
// registry. The zero value, None, means not judged, for instance because an earlier case failed.
type Verdict uint8

// The outcomes, in the order of [All]. See [Worst] for precedence.
const (
	None Verdict = iota
	AC           // accepted
	PE           // presentation error: the same tokens, other white space
	WA           // wrong answer
	NO           // no output: nothing at all although something is expected
	TLE          // time limit exceeded
	ILE          // idleness limit exceeded: over the wall limit without using the CPU
	MLE          // memory limit exceeded
	OLE          // output limit exceeded
	RTE          // run-time error: killed by a signal, or a non-zero exit status
	SV           // security violation: made a system call that the sandbox denies
	CE           // compile error
	JE           // judging error: the judge failed, not the program
)

// Kind classifies verdicts by their cause.
type Kind uint8

// The kinds. Every verdict has one; only None has NotJudged.
const (
	NotJudged   Kind = iota
	Accepted         // the output is right
	WrongOutput      // the program exited normally within its limits, and its output is not right
	TooSlow          // exceeded a time limit
	TooMuch          // exceeded a limit of memory or output
	Crashed          // crashed, or did what the sandbox denies
	NotBuilt         // there is no program to run
	JudgeFailed      // nothing is known about the program
)

// row holds the properties of a verdict.
type row struct {
	code, title string // as in the CCS registry, but the title in lower case
	folder      string // name of the folder for submissions that should get it; "" if there is none
	kind        Kind
	rank        uint8     // see [Worst]; the higher rank wins
	icpc        []Verdict // what a judge that knows only the big five may call it, the likeliest first
	domjudge    string    // what DOMjudge may call it, see [Verdict.DOMjudge]
	names       []string  // what packages call it besides code and title
}

var table = [...]row{
	None: {title: "not judged"},
	AC:   {"AC", "accepted", "accepted", Accepted, 1, []Verdict{AC}, "CORRECT", []string{"correct"}},
	PE:   {"PE", "presentation error", "presentation_error", WrongOutput, 2, []Verdict{WA}, "WRONG-ANSWER", nil},
	WA:   {"WA", "wrong answer", "wrong_answer", WrongOutput, 3, []Verdict{WA}, "WRONG-ANSWER", nil},
	NO:   {"NO", "no output", "no_output", WrongOutput, 3, []Verdict{WA}, "NO-OUTPUT, WRONG-ANSWER", nil},
	TLE:  {"TLE", "time limit exceeded", "time_limit_exceeded", TooSlow, 6, []Verdict{TLE}, "TIMELIMIT", []string{"timelimit", "time limit"}},
	ILE:  {"ILE", "idleness limit exceeded", "idleness_limit_exceeded", TooSlow, 6, []Verdict{TLE}, "TIMELIMIT", []string{"idleness limit"}},
	MLE:  {"MLE", "memory limit exceeded", "memory_limit_exceeded", TooMuch, 7, []Verdict{RTE}, "MEMORY-LIMIT, RUN-ERROR", []string{"memory limit"}},
	// Some judges kill a program that writes too much; others discard the rest and let it run.
	OLE: {"OLE", "output limit exceeded", "output_limit_exceeded", TooMuch, 8, []Verdict{RTE, TLE}, "OUTPUT-LIMIT", []string{"output limit"}},
	RTE: {"RTE", "run-time error", "run_time_error", Crashed, 4, []Verdict{RTE}, "RUN-ERROR", []string{"run error", "runtime error"}},
	SV:  {"SV", "security violation", "security_violation", Crashed, 5, []Verdict{RTE}, "RUN-ERROR", nil},
	CE:  {"CE", "compile error", "compile_error", NotBuilt, 9, []Verdict{CE}, "COMPILER-ERROR", []string{"compiler error", "compilation error"}},
	JE:  {"JE", "judging error", "", JudgeFailed, 10, nil, "", []string{"check failed", "compare error", "internal error"}},
}

// All returns every verdict but None.
func All() []Verdict {
	list := make([]Verdict, len(table)-1)
	for i := range list {
		list[i] = Verdict(i + 1)
	}
	return list
}

// String returns the CCS code, such as "AC", or "" for None.
func (v Verdict) String() string { return table[v].code }

// Title returns the name of the verdict, such as "accepted".
func (v Verdict) Title() string { return table[v].title }

// Folder returns the folder of submissions that are expected to get v, such as "accepted", or "" if
// there is none (JE and None).
func (v Verdict) Folder() string { return table[v].folder }

func (v Verdict) Kind() Kind { return table[v].kind }

// Is reports whether v is of one of the kinds.
func (v Verdict) Is(kinds ...Kind) bool { return slices.Contains(kinds, v.Kind()) }

// OverLimit reports whether the program exceeded a limit, so that its answer does not matter.
func (v Verdict) OverLimit() bool { return v.Is(TooSlow, TooMuch) }

// MarshalText writes the CCS code.
func (v Verdict) MarshalText() ([]byte, error) { return []byte(v.String()), nil }

// UnmarshalText reads a CCS code; the empty text is None.
func (v *Verdict) UnmarshalText(text []byte) error {
	i := slices.IndexFunc(table[:], func(r row) bool { return r.code == string(text) })
	if i < 0 {
		return fmt.Errorf("unknown verdict %q", text)
	}
	*v = Verdict(i)
	return nil
}

// OfFolder returns the verdict that submissions in a folder are expected to get, or false if no
// verdict has that folder.
func OfFolder(folder string) (Verdict, bool) {
	i := slices.IndexFunc(table[:], func(r row) bool { return r.folder != "" && r.folder == folder })
	return Verdict(max(i, 0)), i >= 0
}

// Folders returns the list of verdict folders, for messages.
func Folders() string {
	var list []string
	for _, r := range table {
		if r.folder != "" {
			list = append(list, r.folder)
		}
	}
	return strings.Join(list, ", ")
}

// First returns the verdict of a whole submission: that of its first case, in case order, that is
// not accepted. Cases after the first failure do not count, whether or not they were run. It
// returns None if no case was judged, or if an unjudged case comes before the first failure.
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

// Worst returns the verdict that wins when several causes meet in one run: JE, CE, OLE, MLE, TLE or
// ILE, SV, RTE, and then the result of the comparison. It returns a if they rank alike.
func Worst(a, b Verdict) Verdict {
	if table[b].rank > table[a].rank {
		return b
	}
	return a
}
