package report

import (
	"fmt"
	"io"
	"time"

	"tribunal/judge/internal/document"
	"tribunal/judge/internal/mutate"
	"tribunal/judge/internal/verdict"
)

// MutantsSchema names the form of the documents that [MutantsJSON] writes; see
// docs/mutants.md. It changes as [Schema] does.
const MutantsSchema = "tribunal/mutants/1"

// MutantsEventsSchema names the form of the lines that [MutantsLine] writes.
const MutantsEventsSchema = "tribunal/mutants-events/1"

type mutantsDocument struct {
	Problem string              `json:"problem"`
	Whole   bool                `json:"whole"`
	Matrix  bool                `json:"matrix"`
	Patient bool                `json:"patient"`
	Trust   bool                `json:"trust"`
	Seed    uint64              `json:"seed"`
	Refuted []refutedObject     `json:"refuted"`
	Score   document.Number     `json:"score"`
	Tally   tallyObject         `json:"tally"`
	Cases   []mutantsCaseObject `json:"cases"`
	Mutants []mutantObject      `json:"mutants"`
	Rules   []ruleObject        `json:"rules"`
	Cover   *coverObject        `json:"cover"`
	Hunt    *huntObject         `json:"hunt"`
	Runs    int                 `json:"runs"`
	Cached  int                 `json:"cached"`
	Elapsed time.Duration       `json:"elapsed_ns"`
}

type tallyObject struct {
	All         int `json:"mutants"`
	Killed      int `json:"killed"`
	Wrong       int `json:"wrong"`
	Crashed     int `json:"crashed"`
	Late        int `json:"late"`
	Slow        int `json:"slow"`
	Over        int `json:"over"`
	Equivalent  int `json:"equivalent"`
	Survived    int `json:"survived"`
	Unreached   int `json:"unreached"`
	Unexplained int `json:"unexplained"`
	Failed      int `json:"failed"`
}

type mutantsCaseObject struct {
	Name  string        `json:"name"`
	CPU   time.Duration `json:"cpu_ns"`
	Limit time.Duration `json:"limit_ns"`
	Left  bool          `json:"left_out"`
	Sites int           `json:"sites"`
	Runs  int           `json:"runs"`
	First int           `json:"first_kills"`
	Kills int           `json:"kills"`
	Only  *int          `json:"only"`
}

type mutantObject struct {
	mutate.Mutant
	Diff    string      `json:"diff"`
	Fate    string      `json:"fate"`
	Slow    bool        `json:"slow"`
	Rule    *int        `json:"rule"`
	Trusted bool        `json:"trusted"`
	Probed  bool        `json:"probed"`
	Error   string      `json:"error"`
	Runs    []runObject `json:"runs"`
}

type runObject struct {
	Case    string          `json:"case"`
	Verdict verdict.Verdict `json:"verdict"`
	Cause   string          `json:"cause"`
}

type ruleObject struct {
	Equivalent bool   `json:"equivalent"`
	In         string `json:"in"`
	Line       string `json:"line"`
	Op         string `json:"operator"`
	Change     string `json:"change"`
	Reason     string `json:"reason"`
	Explains   int    `json:"explains"`
	Stale      bool   `json:"stale"`
}

// refutedObject is a mutant that contradicts a rule.
type refutedObject struct {
	Rule int `json:"rule"`
	ID   int `json:"id"`
}

type coverObject struct {
	Cases []string      `json:"cases"`
	CPU   time.Duration `json:"cpu_ns"`
	Exact bool          `json:"exact"`
}

type huntObject struct {
	Inputs int           `json:"inputs"`
	Found  []foundObject `json:"found"`
}

type foundObject struct {
	Generate []string     `json:"generate"`
	Seed     uint64       `json:"seed"`
	Bytes    int          `json:"input_bytes"`
	Kills    []killObject `json:"kills"`
}

type killObject struct {
	ID      int             `json:"id"`
	Verdict verdict.Verdict `json:"verdict"`
	Cause   string          `json:"cause"`
}

// MutantsJSON writes the report as one JSON document.
func MutantsJSON(w io.Writer, r *mutate.Report) error {
	return document.Write(w, struct {
		document.Head
		mutantsDocument
	}{document.NewHead(MutantsSchema), newMutants(r)})
}

// MutantsLine writes an event of measuring as an object on a line of its own.
func MutantsLine(w io.Writer, e mutate.Event) error {
	switch e := e.(type) {
	case *mutate.Stage:
		return document.Line(w, kindObject{"stage"}, document.NewHead(MutantsEventsSchema), e)
	case *mutate.Progress:
		return document.Line(w, kindObject{"progress"}, e)
	case *mutate.Found:
		return document.Line(w, kindObject{"found"}, newFound(e))
	case *mutate.Done:
		return document.Line(w, kindObject{"end"}, newMutants(e.Report))
	}
	panic(fmt.Sprintf("report: an event of measuring of no kind: %T", e))
}

// newMutants is what documents and streams say about the end of a measurement.
func newMutants(r *mutate.Report) mutantsDocument {
	t := r.Tally()
	d := mutantsDocument{
		Problem: r.Problem, Whole: r.Whole, Matrix: r.Matrix, Patient: r.Patient, Trust: r.Trust, Seed: r.Seed,
		Score: document.Number(t.Score()),
		Tally: tallyObject{
			t.All, t.Killed(), t.Wrong, t.Crashed, t.Late, t.Slow, t.Over, t.Equivalent, t.Survived, t.Unreached, t.Unexplained, t.Failed,
		},
		Runs: r.Runs, Cached: r.Cached, Elapsed: r.Elapsed,
	}
	for _, c := range r.Cases {
		o := mutantsCaseObject{c.Name, c.Time, c.Limit, c.Left, c.Sites, c.Runs, c.First, c.Kills, nil}
		if r.Matrix {
			o.Only = &c.Only
		}
		d.Cases = append(d.Cases, o)
	}
	indices := map[*mutate.Rule]int{}
	for _, list := range [][]*mutate.Rule{r.Equal, r.Survive} {
		for _, rule := range list {
			indices[rule] = len(d.Rules)
			d.Rules = append(d.Rules, ruleObject{
				rule.Equivalent, rule.In, rule.Text, rule.Op, rule.Change, rule.Reason, rule.Explains, r.Whole && rule.Explains == 0,
			})
		}
	}
	for _, f := range r.Refuted() {
		d.Refuted = append(d.Refuted, refutedObject{indices[f.Rule], f.Mutant.ID})
	}
	for i := range r.Mutants {
		d.Mutants = append(d.Mutants, newMutant(r, &r.Mutants[i], indices))
	}
	if r.Cover != nil {
		d.Cover = &coverObject{CPU: r.Cover.Time, Exact: r.Cover.Exact}
		for _, c := range r.Cover.Cases {
			d.Cover.Cases = append(d.Cover.Cases, r.Cases[c].Name)
		}
	}
	d.Hunt = newHunt(r.Remaining)
	return d
}

func newMutant(r *mutate.Report, m *mutate.Result, rules map[*mutate.Rule]int) mutantObject {
	o := mutantObject{
		Mutant: m.Mutant, Diff: document.First(m.Diff), Fate: m.Fate.String(), Slow: m.Slow, Trusted: m.Trusted, Probed: m.Probed,
	}
	if m.Rule != nil {
		o.Rule = new(rules[m.Rule])
	}
	if m.Err != nil {
		o.Error = document.First(m.Err.Error())
	}
	for _, run := range m.Runs {
		o.Runs = append(o.Runs, runObject{r.Cases[run.Case].Name, run.Verdict, run.Cause})
	}
	return o
}

func newHunt(h *mutate.Hunt) *huntObject {
	if h == nil {
		return nil
	}
	o := &huntObject{Inputs: h.Inputs}
	for _, f := range h.Found {
		o.Found = append(o.Found, newFound(f))
	}
	return o
}

func newFound(f *mutate.Found) foundObject {
	o := foundObject{Generate: f.Generate, Seed: f.Seed, Bytes: f.Bytes}
	for _, k := range f.Kills {
		o.Kills = append(o.Kills, killObject{k.Mutant.ID, k.Verdict, k.Cause})
	}
	return o
}
