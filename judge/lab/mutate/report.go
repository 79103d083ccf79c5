package mutate

import (
	"time"

	"tribunal/judge/internal/document"
	"tribunal/judge/internal/event"
	"tribunal/judge/internal/verdict"
)

// Fate is the result of a mutant.
type Fate uint8

const (
	Survived  Fate = iota // every case on which the mutant ran accepts it
	Unreached             // no case reaches the mutant's site, so none can kill it
	Killed                // some case rejects the mutant
	Failed                // the judge could not run the mutant
)

// String returns the fate in one word.
func (f Fate) String() string {
	return [...]string{Survived: "survived", Unreached: "unreached", Killed: "killed", Failed: "failed"}[f]
}

// MarshalText returns the fate in one word.
func (f Fate) MarshalText() ([]byte, error) { return []byte(f.String()), nil }

// The schema names of a [Report] in JSON, and of the events before it; see docs/mutants.md.
const (
	ReportSchema = "tribunal/mutants/1"
	EventsSchema = "tribunal/mutants-events/1"
)

// Report is the result of a measurement.
type Report struct {
	document.Head
	Problem string          `json:"problem"`
	Whole   bool            `json:"whole"`   // all mutants were run, on all cases
	Matrix  bool            `json:"matrix"`  // each mutant ran on every case that reaches its site, until it ran out of time
	Patient bool            `json:"patient"` // mutants ran under the problem's own limits
	Trust   bool            `json:"trust"`   // mutants that an exact rule (with Op or Change) calls equivalent were not run, except a sample
	Seed    uint64          `json:"seed"`    // seed of the sample
	Refuted []Refutation    `json:"refuted"` // killed mutants that an exact rule (with Op or Change) calls equivalent, in the order of the mutants
	Score   document.Number `json:"score"`   // the score of Tally
	Tally   Tally           `json:"tally"`
	Left    int             `json:"not_compiled"`    // mutants that were left out because they do not compile
	Same    int             `json:"same_executable"` // mutants that were left out because they are the reference after compilation
	Cases   []Case          `json:"cases"`           // results of the cases, in case order
	Mutants []Result        `json:"mutants"`         // results of the chosen mutants, in source order
	Rules   []*Rule         `json:"rules"`           // all rules, those for equivalent mutants first
	Cover   *Cover          `json:"cover"`           // nil without Matrix
	Hunt    *Hunt           `json:"hunt"`            // the hunt for survivors; nil without one
	Runs    int             `json:"runs"`            // number of runs of mutants
	Cached  int             `json:"cached"`          // number of these runs whose results come from the memo
	Elapsed time.Duration   `json:"elapsed_ns"`

	Reference string `json:"-"` // the name of the mutated program in messages
	Lines     Lines  `json:"-"`
}

func (*Report) Kind() string { return event.End }

// Case is the result of one case.
type Case struct {
	Name  string        `json:"name"`
	Time  time.Duration `json:"cpu_ns"`      // CPU time of the unmutated schema
	Limit time.Duration `json:"limit_ns"`    // CPU time limit of a mutant
	Left  bool          `json:"left_out"`    // too slow: no mutant was run on it
	Sites int           `json:"sites"`       // sites that it reaches
	Runs  int           `json:"runs"`        // mutants that were run on it
	First int           `json:"first_kills"` // mutants that it killed first
	Kills int           `json:"kills"`       // mutants that it killed; with Matrix, all that it can kill
	Only  *int          `json:"only"`        // mutants that no other case is known to kill; nil without Matrix
}

// Run is one run of a mutant.
type Run struct {
	Case    string          `json:"case"`
	Verdict verdict.Verdict `json:"verdict"`
	Cause   string          `json:"cause"` // why the mutant was rejected, one line; "" if it was accepted

	on int // index of the case in Report.Cases
}

// Result is the result of one mutant.
type Result struct {
	Mutant
	Diff    string `json:"diff"` // the change, as Schema.Diff returns it
	Fate    Fate   `json:"fate"`
	Slow    bool   `json:"slow"`    // killed by a time limit that is tighter than the problem's
	Index   *int   `json:"rule"`    // index of Rule in Report.Rules; nil if there is no rule
	Trusted bool   `json:"trusted"` // with Trust, an exact rule calls it equivalent
	Probed  bool   `json:"probed"`  // Trusted, but run on cheap cases as part of the sample
	Error   string `json:"error"`   // for Failed, why the judge could not run it
	Runs    []Run  `json:"runs"`    // the runs, in order; the first whose verdict is not AC killed the mutant

	Rule *Rule `json:"-"` // the rule that explains why the mutant survives; nil if there is none
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
	All         int `json:"mutants"`
	Killed      int `json:"killed"`
	Wrong       int `json:"wrong"`   // killed by WA, PE or NO
	Crashed     int `json:"crashed"` // killed by a crash, another exit status, or a denied system call
	Late        int `json:"late"`    // killed by a time limit
	Slow        int `json:"slow"`    // mutants in Late that the problem's own limits might accept
	Over        int `json:"over"`    // killed by the memory limit or the output limit
	Equivalent  int `json:"equivalent"`
	Survived    int `json:"survived"` // not killed, and not explained as equivalent; includes Unreached
	Unreached   int `json:"unreached"`
	Unexplained int `json:"unexplained"` // mutants in Survived that no rule explains
	Failed      int `json:"failed"`
}

// Score returns the percentage of mutants killed, of those that can be killed and were run. It is
// 100 if there are none.
func (t Tally) Score() float64 {
	all := t.All - t.Equivalent - t.Failed
	if all == 0 {
		return 100
	}
	return 100 * float64(t.Killed) / float64(all)
}

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
	t.Killed++
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

// Summarize sets the figures that follow from the results of the mutants and the rules that explain
// them: the tally and the score, the refutations, and which rules are stale.
func (r *Report) Summarize() {
	index := map[*Rule]*int{}
	for i, rule := range r.Rules {
		index[rule] = &i
		rule.Stale = r.Whole && rule.Explains == 0
	}
	r.Tally, r.Refuted = Tally{}, nil
	for i := range r.Mutants {
		m := &r.Mutants[i]
		r.Tally.add(m)
		m.Index = index[m.Rule]
		for _, rule := range r.refutes(m) {
			r.Refuted = append(r.Refuted, Refutation{*index[rule], m.ID, rule, m})
		}
	}
	r.Score = document.Number(r.Tally.Score())
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
	for _, rule := range r.Rules {
		if rule.Stale {
			list = append(list, rule)
		}
	}
	return list
}
