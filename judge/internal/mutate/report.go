package mutate

import (
	"time"

	"tribunal/judge/internal/verdict"
)

// Fate is the result of a mutant.
type Fate uint8

const (
	Survived  Fate = iota // every case that it ran on accepts it
	Unreached             // no case passes its site, so none can kill it
	Killed                // some case rejects it
	Failed                // the judge could not run it
)

// String returns the fate in one word.
func (f Fate) String() string {
	return [...]string{Survived: "survived", Unreached: "unreached", Killed: "killed", Failed: "failed"}[f]
}

// Report is the result of a measurement.
type Report struct {
	Problem   string
	Reference string   // the name of the mutated program in messages
	Whole     bool     // all mutants were run, on all cases
	Matrix    bool     // each mutant ran on every case that passes its site, until it ran out of time
	Patient   bool     // mutants ran under the problem's own limits
	Trust     bool     // mutants that exact rules call equivalent were not run, except a sample
	Seed      uint64   // of the sample
	Cases     []Case   // in case order
	Mutants   []Result // the chosen ones, in source order
	Equal     []*Rule  // rules for mutants that no valid input can distinguish from the reference
	Survive   []*Rule  // rules for wrong mutants that no case kills
	Cover     *Cover   // nil without Matrix
	Lines     Lines
	Runs      int // of mutants
	Cached    int // those of them that were answered from the memo
	Elapsed   time.Duration
	Remaining *Hunt // the hunt for survivors; nil without one
}

// Case is the result of one case.
type Case struct {
	Name  string
	Time  time.Duration // CPU time of the unmutated schema
	Limit time.Duration // CPU time limit of a mutant
	Left  bool          // too slow: no mutant was run on it
	Sites int           // sites that it passes
	Runs  int           // mutants that were run on it
	First int           // mutants that it killed first
	Kills int           // mutants that it killed; with Matrix, all that it can kill
	Only  int           // with Matrix, mutants that no other case is known to kill
}

// Run is one run of a mutant.
type Run struct {
	Case    int // index into Report.Cases
	Verdict verdict.Verdict
	Cause   string // one line; "" if accepted
}

// Result is the result of one mutant.
type Result struct {
	Mutant
	Diff string // as Schema.Diff
	Fate Fate
	Runs []Run // in the order in which they ran; the first that is not AC killed it
	Slow bool  // killed by a time limit that is tighter than the problem's
	Rule *Rule // the one that explains why it survives; nil if there is none
	Err  error // for Failed

	Trusted bool // with Trust, an exact rule calls it equivalent
	Probed  bool // Trusted, but run on cheap cases as part of the sample
}

// Killer returns the run that killed the mutant, or nil.
func (r *Result) Killer() *Run {
	for i := range r.Runs {
		if r.Runs[i].Verdict != verdict.AC {
			return &r.Runs[i]
		}
	}
	return nil
}

// Equivalent reports whether a rule says that no valid input can distinguish the mutant from the
// reference.
func (r *Result) Equivalent() bool { return r.Rule != nil && r.Rule.Equivalent }

// survives reports whether no case kills the mutant.
func (r *Result) survives() bool { return r.Fate == Survived || r.Fate == Unreached }

// Tally counts mutants.
type Tally struct {
	All         int
	Wrong       int // killed by WA, PE or NO
	Crashed     int // killed by a crash, another exit status, or a denied system call
	Late        int // killed by time
	Over        int // killed by memory or output
	Survived    int // not killed, and not explained as equivalent; Unreached among them
	Unreached   int
	Unexplained int // those of Survived that no rule explains
	Equivalent  int
	Failed      int
	Slow        int // those of Late that the problem's limits might have let pass
}

// Killed returns the number of killed mutants.
func (t Tally) Killed() int { return t.Wrong + t.Crashed + t.Late + t.Over }

// Score returns the percentage of mutants killed, of those that can be killed and were run. It is
// 100 if there are none.
func (t Tally) Score() float64 {
	all := t.All - t.Equivalent - t.Failed
	if all == 0 {
		return 100
	}
	return 100 * float64(t.Killed()) / float64(all)
}

// add counts one mutant.
func (t *Tally) add(r *Result) {
	t.All++
	switch {
	case r.Fate == Failed:
		t.Failed++
	case r.Equivalent():
		t.Equivalent++
	case r.Fate == Unreached:
		t.Unreached++
		fallthrough
	case r.Fate == Survived:
		t.Survived++
		if r.Rule == nil {
			t.Unexplained++
		}
	default:
		t.kill(r)
	}
}

func (t *Tally) kill(r *Result) {
	switch r.Killer().Verdict.Kind() {
	case verdict.WrongOutput:
		t.Wrong++
	case verdict.TooSlow:
		t.Late++
		if r.Slow {
			t.Slow++
		}
	case verdict.TooMuch:
		t.Over++
	default:
		t.Crashed++
	}
}

// Tally returns the counts of all mutants.
func (r *Report) Tally() (t Tally) {
	for i := range r.Mutants {
		t.add(&r.Mutants[i])
	}
	return t
}

// ByOperator returns the counts of each operator that has mutants, in the order of [Operators].
func (r *Report) ByOperator() (names []string, tallies []Tally) {
	for _, o := range Operators() {
		var t Tally
		for i := range r.Mutants {
			if r.Mutants[i].Op == o.Name {
				t.add(&r.Mutants[i])
			}
		}
		if t.All > 0 {
			names, tallies = append(names, o.Name), append(tallies, t)
		}
	}
	return names, tallies
}

// Stale returns the rules that explain no survivor, or nil if only a part was measured.
func (r *Report) Stale() (list []*Rule) {
	if !r.Whole {
		return nil
	}
	for _, rules := range [][]*Rule{r.Equal, r.Survive} {
		for _, rule := range rules {
			if rule.Explains == 0 {
				list = append(list, rule)
			}
		}
	}
	return list
}
