package report

import (
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"tribunal/judge/cli/format"

	"tribunal/judge/class/compare"
	"tribunal/judge/cli/layout/layouttest"
	"tribunal/judge/internal/account"
	"tribunal/judge/internal/cases"
	"tribunal/judge/internal/event"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/sandbox"
	"tribunal/judge/internal/verdict"
	"tribunal/judge/lab/calibrate"
	"tribunal/judge/lab/eval"
	"tribunal/judge/lab/likeness"
	"tribunal/judge/lab/mutate"
	"tribunal/judge/lab/stress"
	"tribunal/judge/lab/verify"
)

// TestHostileTexts tries every function that writes.
func TestHostileTexts(t *testing.T) {
	t.Parallel()
	layouttest.Try(t, renderers())
}

// renderers returns a renderer for each exported function of this package that writes, by name.
// Formats without a function of their own have names like "StressFormats, JSON".
func renderers() map[string]layouttest.Renderer {
	terminal := func(w io.Writer, spoil func(any)) {
		for _, tt := range scenarios() {
			spoil(&tt.events)
			for _, o := range []TerminalOptions{{Color: true}, {Quiet: true}, {Verbose: true}} {
				t := onTerminal(w, o)
				for _, e := range tt.events {
					t.Event(e)
				}
				t.Close()
			}
		}
	}
	graded := func(format string) layouttest.Renderer {
		return func(w io.Writer, spoil func(any)) {
			for _, tt := range scenarios() {
				spoil(&tt.events)
				inGradeFormat(w, format, tt.events)
			}
		}
	}
	watch := func(render func(w io.Writer, tt watchScenario)) layouttest.Renderer {
		return func(w io.Writer, spoil func(any)) {
			for _, tt := range watchScenarios() {
				tt.events = after(tt.before, tt.events)
				spoil(&tt.events)
				render(w, tt)
			}
		}
	}
	searched := func(render func(w io.Writer, r *stress.Report)) layouttest.Renderer {
		return func(w io.Writer, spoil func(any)) {
			for _, r := range searches() {
				spoil(&r)
				render(w, r)
			}
		}
	}
	sheets := func(render func(w io.Writer, s *account.Sheet)) layouttest.Renderer {
		return func(w io.Writer, spoil func(any)) {
			for _, tt := range scenarios() {
				s := sheetOf(tt.events)
				spoil(&s)
				render(w, s)
			}
		}
	}
	mutants := func(render func(w io.Writer, r *mutate.Report)) layouttest.Renderer {
		return func(w io.Writer, spoil func(any)) {
			r := oneOfEach()
			spoil(&r)
			render(w, r)
		}
	}
	growths := func(render func(w io.Writer, seed uint64, spoil func(any))) layouttest.Renderer {
		return func(w io.Writer, spoil func(any)) {
			for seed := range uint64(20) {
				render(w, seed, spoil)
			}
		}
	}
	const ms = time.Millisecond
	calibrated := func() *calibrate.Report {
		return &calibrate.Report{
			Problem: "maze", Title: "Maze", Cases: 3, Notes: []string{"a note"}, Findings: []string{"a finding"},
			Programs: []calibrate.Program{
				{Name: "reference/maze", Language: "go", Reference: true, Want: verdict.AC, Got: verdict.AC, CPU: 3 * ms, Low: ms, High: 4 * ms, Case: "edge/one", MemoryAt: "edge/one"},
				{Name: "slow.c", Language: "c", Want: verdict.TLE, Got: verdict.WA, Cause: "differs from line 1", Case: "edge/two"},
			},
			Languages: []calibrate.Language{{Name: "c"}}, Limits: []calibrate.Proposal{{Limit: "cpu"}},
		}
	}
	messages := func() []sandbox.Piece {
		return []sandbox.Piece{{Text: []byte("one\ntwo")}, {From: sandbox.Left, Text: []byte("three\n"), Lost: 3}, {Text: []byte("four")}}
	}
	return map[string]layouttest.Renderer{
		"NewTerminal": terminal,
		"NewJSON": func(w io.Writer, spoil func(any)) {
			for _, tt := range scenarios() {
				spoil(&tt.events)
				j := inJSON(w)
				for _, e := range tt.events {
					j.Event(e)
				}
				j.Close()
			}
		},
		"NewNDJSON": func(w io.Writer, spoil func(any)) {
			for _, tt := range scenarios() {
				spoil(&tt.events)
				j := NewNDJSON(w)
				for _, e := range tt.events {
					j.Event(e)
				}
				j.Close()
			}
		},
		"GradeHTML":     graded(format.Page),
		"GradeJUnit":    graded(format.JUnit),
		"GradeMarkdown": graded(format.Markdown),
		"GradeCSV":      graded(format.Sheet),
		"NewWatchLines": watch(func(w io.Writer, tt watchScenario) {
			l := NewWatchLines(w)
			for _, e := range tt.events {
				l.Event(e)
			}
			l.Close()
		}),
		"NewWatchScreen": watch(func(w io.Writer, tt watchScenario) {
			s := NewWatchScreen(w, func() (int, int) { return tt.cols, tt.rows }, true)
			for _, e := range tt.events {
				s.Event(e)
			}
			s.Redraw()
			s.Close()
		}),
		"NewWatchJSON": watch(func(w io.Writer, tt watchScenario) {
			j := NewWatchJSON(w)
			for _, e := range tt.events {
				j.Event(e)
			}
			j.Close()
		}),
		"Stress":              searched(func(w io.Writer, r *stress.Report) { Stress(w, r, true) }),
		"StressFormats, JSON": searched(func(w io.Writer, r *stress.Report) { inFormats(w, StressFormats(), &r.Begin, r) }),
		"NewStressLive": func(w io.Writer, spoil func(any)) {
			e := &stress.Progress{Source: stress.Source{Generate: []string{"pair", "-max=99"}}}
			spoil(&e)
			l := NewStressLive(w, true, 80, time.Second)
			l.Event(e)
			l.Close()
		},
		"NewMutants": mutants(func(w io.Writer, r *mutate.Report) {
			for _, each := range []bool{false, true} {
				m := NewMutants(w, MutantsOptions{Problem: r.Problem, Color: true, Each: each, Least: 100})
				m.Event(&event.Stage{What: r.Problem})
				m.Event(&mutate.Progress{Done: 1, Total: 2, Killed: 1, Mutants: 2})
				m.Event(r.Hunt.Found[0])
				m.Event(r)
				m.Close()
			}
		}),
		"MutantsFormats, JSON": mutants(func(w io.Writer, r *mutate.Report) {
			inFormats(w, MutantsFormats(MutantsOptions{}), &event.Stage{What: r.Problem}, &mutate.Progress{}, r.Hunt.Found[0], r)
		}),
		"MutantsHTML":  mutants(func(w io.Writer, r *mutate.Report) { MutantsHTML(w, r) }),
		"MutantsRules": mutants(func(w io.Writer, r *mutate.Report) { MutantsRules(w, r) }),
		"Growth": growths(func(w io.Writer, seed uint64, spoil func(any)) {
			r, _ := grown(rand.New(rand.NewPCG(seed, 12)))
			spoil(&r)
			Growth(w, r, GrowOptions{Color: true})
		}),
		"GrowFormats, JSON": growths(func(w io.Writer, seed uint64, spoil func(any)) {
			r, _ := grown(rand.New(rand.NewPCG(seed, 12)))
			spoil(&r)
			inFormats(w, GrowFormats(), r)
		}),
		"Calibration": func(w io.Writer, spoil func(any)) {
			r := calibrated()
			spoil(&r)
			Calibration(w, r, CalibrateOptions{Color: true})
		},
		"CalibrateFormats, JSON": func(w io.Writer, spoil func(any)) {
			r := calibrated()
			spoil(&r)
			inFormats(w, CalibrateFormats(), &r.Programs[0], r)
		},
		"Language": func(w io.Writer, spoil func(any)) {
			l := languageResults()
			spoil(&l)
			for _, r := range l.Results {
				Language(w, r, PageOptions{Color: true})
			}
		},
		"Languages.Summary": func(w io.Writer, spoil func(any)) { l := languageResults(); spoil(&l); l.Summary(w) },
		"Languages.JSON":    func(w io.Writer, spoil func(any)) { l := languageResults(); spoil(&l); l.JSON(w) },
		"Regenerated": func(w io.Writer, spoil func(any)) {
			l := regenerations(Check)
			spoil(&l)
			for _, r := range l.Problems {
				Regenerated(w, Usual, r)
			}
		},
		"Regenerations.JSON": func(w io.Writer, spoil func(any)) { l := regenerations(Check); spoil(&l); l.JSON(w) },
		"Statement": func(w io.Writer, spoil func(any)) {
			d := maze()
			spoil(&d)
			// Markdown may have several lines, so a forged line in it is no error.
			for _, text := range []*string{&d.Statement, &d.Input, &d.Output} {
				*text = strings.ReplaceAll(*text, layouttest.Forged, "")
			}
			for i := range d.Rulings {
				d.Rulings[i] = strings.ReplaceAll(d.Rulings[i], layouttest.Forged, "")
			}
			Statement(w, d, PageOptions{Color: true})
		},
		"Problems": func(w io.Writer, spoil func(any)) {
			rows := []ProblemRow{{ID: "maze", Title: "Maze", Cases: 3}}
			spoil(&rows)
			Problems(w, rows, PageOptions{Color: true})
		},
		"Case": func(w io.Writer, spoil func(any)) {
			d := CaseData{Case: &cases.Case{Name: "edge/one", Note: "small", File: "cases/maze/edge.yaml", Line: 3, Args: []string{"-x"}}, In: "1 2\n", Out: "3\n"}
			spoil(&d)
			Case(w, d, PageOptions{Color: true})
		},
		"Cases": func(w io.Writer, spoil func(any)) {
			list := []cases.Case{{Name: "edge/one", Note: "small", Optional: true}}
			spoil(&list)
			Cases(w, list, PageOptions{Color: true})
		},
		"Run": func(w io.Writer, spoil func(any)) {
			cause := "killed by SIGSEGV"
			spoil(&cause)
			Run(w, ran(1), limits.Limits{CPU: time.Second}, verdict.RTE, cause)
		},
		"SheetText":     sheets(func(w io.Writer, s *account.Sheet) { SheetText(w, s, TerminalOptions{Color: true, Verbose: true}) }),
		"SheetCSV":      sheets(func(w io.Writer, s *account.Sheet) { SheetCSV(w, s) }),
		"SheetHTML":     sheets(func(w io.Writer, s *account.Sheet) { SheetHTML(w, s) }),
		"SheetJUnit":    sheets(func(w io.Writer, s *account.Sheet) { SheetJUnit(w, s) }),
		"SheetMarkdown": sheets(func(w io.Writer, s *account.Sheet) { SheetMarkdown(w, s) }),
		"Compare": func(w io.Writer, spoil func(any)) {
			old := compare.Result{Verdict: verdict.AC, Points: new(1.0), First: "edge/one"}
			c := compare.Change{Name: compare.Name{Problem: "maze", Submission: "a.c"}, Old: old, New: compare.Result{Verdict: verdict.WA, Points: new(0.5), First: "edge/one"}}
			r := compare.Report{Verdicts: []compare.Change{c}, Slower: []compare.Change{c}, Faster: []compare.Change{c}, Added: []compare.Name{c.Name}, Gone: []compare.Name{c.Name}}
			spoil(&r)
			Compare(w, &r, PageOptions{Color: true})
		},
		"Eval": func(w io.Writer, spoil func(any)) {
			sum := eval.Summary{
				Tasks: []eval.TaskSummary{{Task: "sum", N: 2, C: 1, PassAt: map[string]float64{"1": 0.5}}}, PassAt: []eval.MeanPassAt{{K: 1, Mean: 0.5, Tasks: 1, LeftOut: 1}},
				Verdicts: map[verdict.Verdict]int{verdict.AC: 1, verdict.WA: 1}, Programs: 2, Same: 1, Known: 1, NotJudged: 1, Skipped: 1,
			}
			spoil(&sum)
			Eval(w, &sum, PageOptions{Color: true})
		},
		"Likenesses": func(w io.Writer, spoil func(any)) {
			list := []Likeness{{
				Group: "maze", Programs: []likeness.Program{{Name: "a.c", Text: "int a;"}, {Name: "b.c", Text: "int b;"}},
				Pairs: []likeness.Pair{{A: 0, B: 1, Shared: 0.9, Tokens: 3, Parts: []likeness.Part{{A: [2]int{1, 1}, B: [2]int{1, 1}, Tokens: 3}}}},
				Same:  [][]int{{0, 1}},
			}}
			spoil(&list)
			for i := range list[0].Programs { // a text may have several lines, so a forged line in it is no error
				list[0].Programs[i].Text = strings.ReplaceAll(list[0].Programs[i].Text, layouttest.Forged, "")
			}
			Likenesses(w, list, true, PageOptions{Color: true})
		},
		"NewVerify": func(w io.Writer, spoil func(any)) {
			r := verified()
			r.Stopped = &verify.Progress{Problem: "maze", Check: "examples"}
			spoil(&r)
			verifyText(w, r)
		},
		"VerifyFormats, JSON": func(w io.Writer, spoil func(any)) {
			r := verified()
			spoil(&r)
			inFormats(w, VerifyFormats(format.Output{Writer: io.Discard}), &r.Findings[0], &r.Notes[0], r)
		},
		"Transcript": func(w io.Writer, spoil func(any)) {
			pieces := messages()
			spoil(&pieces)
			Transcript(w, pieces)
		},
		"Interaction": func(w io.Writer, spoil func(any)) {
			c := grade.Case{Name: "secret/1", Verdict: verdict.WA, Cause: "the validator says no", Message: "no", Stderr: "trace", Transcript: messages()}
			spoil(&c)
			Interaction(w, c, limits.Limits{CPU: time.Second})
		},
	}
}

// inFormats writes events as documents and as streams.
func inFormats(w io.Writer, formats []format.Format, events ...event.Event) {
	for _, f := range formats {
		if !slices.Contains([]string{format.Object, format.Lines, format.SARIF, format.GitLab}, f.Name) {
			continue
		}
		sink := f.New(format.Output{Writer: w})
		for _, e := range events {
			sink.Event(e)
		}
		sink.Close()
	}
}
