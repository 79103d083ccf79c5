package report

import (
	"io"
	"time"

	"tribunal/judge/internal/mutate"
	"tribunal/judge/internal/verdict"
	"tribunal/judge/internal/version"
)

// MutantsSchema names the form of the documents that [MutantsJSON] writes; see
// docs/mutants.md. It changes as [Schema] does.
const MutantsSchema = "tribunal/mutants/1"

type mutantsDocument struct {
	Schema  string              `json:"schema"`
	Judge   string              `json:"judge"`
	Problem string              `json:"problem"`
	Whole   bool                `json:"whole"`
	Matrix  bool                `json:"matrix"`
	Patient bool                `json:"patient"`
	Trust   bool                `json:"trust"`
	Seed    uint64              `json:"seed"`
	Refuted []refutedObject     `json:"refuted"`
	Score   figure              `json:"score"`
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
	ID      int         `json:"id"`
	File    string      `json:"file"`
	Line    int         `json:"line"`
	Column  int         `json:"column"`
	Func    string      `json:"function"`
	Op      string      `json:"operator"`
	Before  string      `json:"before"`
	After   string      `json:"after"`
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
	Bytes    bytesNumber  `json:"input_bytes"`
	Kills    []killObject `json:"kills"`
}

type killObject struct {
	ID      int             `json:"id"`
	Verdict verdict.Verdict `json:"verdict"`
	Cause   string          `json:"cause"`
}

// MutantsJSON writes the report as one JSON document.
func MutantsJSON(w io.Writer, r *mutate.Report) error {
	t := r.Tally()
	d := mutantsDocument{
		Schema: MutantsSchema, Judge: version.Build(), Problem: r.Problem, Whole: r.Whole, Matrix: r.Matrix, Patient: r.Patient, Trust: r.Trust, Seed: r.Seed,
		Refuted: []refutedObject{}, Score: figure(t.Score()),
		Tally: tallyObject{
			t.All, t.Killed(), t.Wrong, t.Crashed, t.Late, t.Slow, t.Over, t.Equivalent, t.Survived, t.Unreached, t.Unexplained, t.Failed,
		},
		Cases: []mutantsCaseObject{}, Mutants: []mutantObject{}, Rules: []ruleObject{}, Runs: r.Runs, Cached: r.Cached, Elapsed: r.Elapsed,
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
		d.Cover = &coverObject{[]string{}, r.Cover.Time, r.Cover.Exact}
		for _, c := range r.Cover.Cases {
			d.Cover.Cases = append(d.Cover.Cases, r.Cases[c].Name)
		}
	}
	d.Hunt = newHunt(r.Remaining)
	text, err := encode(d, "  ")
	if err != nil {
		return err
	}
	_, err = w.Write(text)
	return err
}

func newMutant(r *mutate.Report, m *mutate.Result, rules map[*mutate.Rule]int) mutantObject {
	o := mutantObject{
		ID: m.ID, File: m.File, Line: m.Line, Column: m.Column, Func: m.Func, Op: m.Op, Before: m.Before, After: m.After,
		Diff: firstPart(m.Diff), Fate: m.Fate.String(), Slow: m.Slow, Trusted: m.Trusted, Probed: m.Probed, Runs: []runObject{},
	}
	if m.Rule != nil {
		o.Rule = new(rules[m.Rule])
	}
	if m.Err != nil {
		o.Error = firstPart(m.Err.Error())
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
	o := &huntObject{h.Inputs, []foundObject{}}
	for _, f := range h.Found {
		found := foundObject{copied(f.Generate), f.Seed, bytesNumber(f.Bytes), []killObject{}}
		for _, k := range f.Kills {
			found.Kills = append(found.Kills, killObject{k.Mutant.ID, k.Verdict, k.Cause})
		}
		o.Found = append(o.Found, found)
	}
	return o
}
