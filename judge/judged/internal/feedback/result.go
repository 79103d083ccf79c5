package feedback

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	"tribunal/judge/internal/document"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/journal"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/points"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/verdict"
	"tribunal/judge/judged/internal/task"
)

// The following types have the names of [task.Result] and of the events in it.
type result struct {
	document.Head
	Feedback problem.Feedback `json:"feedback"`
	Host     host             `json:"host"`
	Version  string           `json:"version,omitempty"`
	Program  string           `json:"program,omitempty"`
	Begin    *begin           `json:"begin,omitempty"`
	Built    *built           `json:"built,omitempty"`
	Cases    []any            `json:"cases,omitempty"` // a journal.Case or an outline
	Done     *done            `json:"done,omitempty"`
	Drawing  *drawing         `json:"drawing,omitempty"`
}

type drawing struct {
	Case string `json:"case"`
	SVG  string `json:"svg"`
}

type host struct {
	Worker string `json:"worker"`
	Host   string `json:"host"`
}

type begin struct {
	Problem    string        `json:"problem"`
	Title      string        `json:"title"`
	Limits     limits.Limits `json:"limits"`
	Compare    string        `json:"compare"`
	Slots      int           `json:"slots"`
	CPUs       int           `json:"cpus"`
	WantedCPUs int           `json:"wanted_cpus"`
	Mechanisms any           `json:"mechanisms"`
	Notes      []string      `json:"notes"`
	Cases      []string      `json:"cases"`
}

type built struct {
	Language string `json:"language"`
	Build    build  `json:"build"`
}

type build struct {
	Cached bool          `json:"cached"`
	Time   time.Duration `json:"time_ns"`
	Error  string        `json:"error"`
}

// outline is a case of which the viewer sees no data.
type outline struct {
	Index    int             `json:"index"`
	Name     string          `json:"name"`
	Verdict  verdict.Verdict `json:"verdict"`
	CPU      time.Duration   `json:"cpu_ns"`
	Wall     time.Duration   `json:"wall_ns"`
	Memory   limits.Bytes    `json:"memory_bytes"`
	Limits   *limits.Limits  `json:"limits"`
	Withheld bool            `json:"withheld"`
}

type done struct {
	Verdict verdict.Verdict `json:"verdict"`
	First   string          `json:"first_failure"`
	Cause   string          `json:"cause"`
	Passed  int             `json:"passed"`
	Judged  int             `json:"judged"`
	Total   int             `json:"total"`
	Points  *score          `json:"points"`
	Worst   usage           `json:"worst"`
}

type usage struct {
	CPU    time.Duration `json:"cpu_ns"`
	Wall   time.Duration `json:"wall_ns"`
	Memory limits.Bytes  `json:"memory_bytes"`
}

type score struct {
	Points float64         `json:"points"`
	Best   document.Number `json:"best"`
	Groups []group         `json:"groups"`
}

type group struct {
	Name     string          `json:"name"`
	Points   float64         `json:"points"`
	Best     document.Number `json:"best"`
	Verdict  verdict.Verdict `json:"verdict"`
	LeftOut  bool            `json:"left_out"`
	Required string          `json:"required"`
}

// Result returns what the viewer may see of the whole result of a judging, a [task.Result] in JSON.
func (v View) Result(text []byte) ([]byte, error) {
	if v.shows(problem.FeedbackAll) {
		return text, nil
	}
	var r task.Result
	if err := json.Unmarshal(text, &r); err != nil {
		return nil, fmt.Errorf("a result: %w", err)
	}
	first := ""
	if r.Done != nil {
		first = r.Done.First
	}
	names := names{view: v, first: first, index: map[string]int{}}
	seen := result{Head: r.Head, Feedback: v.feedback, Host: host{r.Host.Worker, r.Host.Host}, Version: r.Version, Program: r.Program}
	if b := r.Begin; b != nil {
		for i, name := range b.Cases {
			names.index[name] = i
		}
		seen.Begin = &begin{
			Problem: b.Problem, Title: b.Title, Limits: b.Limits, Compare: b.Compare, Slots: b.Slots, CPUs: b.CPUs,
			WantedCPUs: b.WantedCPUs, Mechanisms: b.Mechanisms, Notes: b.Notes,
		}
		if v.shows(problem.FeedbackSamples) {
			for _, name := range b.Cases {
				seen.Begin.Cases = append(seen.Begin.Cases, names.of(name))
			}
		}
	}
	if b := r.Built; b != nil {
		seen.Built = &built{b.Language, build{b.Cached, b.Time, b.Error}}
	}
	if v.shows(problem.FeedbackSamples) {
		for i := range r.Cases {
			seen.Cases = append(seen.Cases, v.aCase(&r.Cases[i], names))
		}
	}
	if r.Done != nil {
		seen.Done = v.done(r.Done, names)
	}
	if d := r.Drawing; d != nil && d.SVG != "" && v.whole(d.Case, first) { // it shows the data of the case
		seen.Drawing = &drawing{names.of(d.Case), d.SVG}
	}
	var b bytes.Buffer
	err := document.Line(&b, &seen)
	return b.Bytes(), err
}

// names maps the names of cases to those that the viewer sees.
type names struct {
	view  View
	first string
	index map[string]int // by name
}

func (n names) of(name string) string {
	i, known := n.index[name]
	switch {
	case !n.view.numbered || n.view.sample(name):
		return name
	case !known:
		return ""
	}
	return strconv.Itoa(i + 1)
}

// aCase returns a case whole or its outline.
func (v View) aCase(c *journal.Case, n names) any {
	if v.whole(c.Name, n.first) {
		whole := *c
		whole.Name = n.of(c.Name)
		return whole
	}
	return outline{c.Index, n.of(c.Name), c.Verdict, coarse(c.CPU), coarse(c.Wall), roomy(c.Memory), c.Limits, true}
}

func (v View) done(d *grade.Done, n names) *done {
	seen := &done{}
	if d.Verdict == verdict.CE {
		seen.Verdict, seen.Cause, seen.Total = d.Verdict, d.Cause, v.count(d.Total)
	}
	if !v.shows(problem.FeedbackVerdict) {
		return seen
	}
	seen.Verdict, seen.Points = d.Verdict, v.score(d.Points)
	if !v.shows(problem.FeedbackSamples) {
		return seen
	}
	seen.First, seen.Passed, seen.Judged, seen.Total = n.of(d.First), d.Passed, d.Judged, d.Total
	seen.Worst = usage{coarse(d.CPU), coarse(d.Wall), roomy(d.Memory)}
	if v.whole(d.First, d.First) {
		seen.Cause = d.Cause
	}
	return seen
}

func (v View) score(s *points.Score) *score {
	if s == nil {
		return nil
	}
	seen := &score{Points: s.Points, Best: s.Best}
	if v.shows(problem.FeedbackSamples) {
		for _, g := range s.Groups {
			seen.Groups = append(seen.Groups, group{g.Group.Name, g.Points, g.Best, g.Verdict, g.LeftOut, g.Required})
		}
	}
	return seen
}
