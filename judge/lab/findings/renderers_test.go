package findings

import (
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"tribunal/judge/cli/format"
	"tribunal/judge/cli/layout"
	"tribunal/judge/cli/layout/layouttest"
	"tribunal/judge/internal/event"
	"tribunal/judge/internal/verdict"
	"tribunal/judge/lab/calibrate"
	"tribunal/judge/lab/eval"
	"tribunal/judge/lab/likeness"
	"tribunal/judge/lab/mutate"
	"tribunal/judge/lab/stress"
	"tribunal/judge/lab/verify"
)

// TestHostileFindings tries every function that writes.
func TestHostileFindings(t *testing.T) {
	t.Parallel()
	layouttest.Try(t, labRenderers())
}

// labRenderers returns a renderer for each exported function of this package that writes, by name.
// Formats without a function of their own have names like "StressFormats, JSON".
func labRenderers() map[string]layouttest.Renderer {
	searched := func(render func(w io.Writer, r *stress.Report)) layouttest.Renderer {
		return func(w io.Writer, spoil func(any)) {
			for _, r := range searches() {
				spoil(&r)
				render(w, r)
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
	return map[string]layouttest.Renderer{
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
				Language(w, r, layout.Options{Color: true})
			}
		},
		"Languages.Summary": func(w io.Writer, spoil func(any)) { l := languageResults(); spoil(&l); l.Summary(w) },
		"Languages.JSON":    func(w io.Writer, spoil func(any)) { l := languageResults(); spoil(&l); l.JSON(w) },
		"Eval": func(w io.Writer, spoil func(any)) {
			sum := eval.Summary{
				Tasks: []eval.TaskSummary{{Task: "sum", N: 2, C: 1, PassAt: map[string]float64{"1": 0.5}}}, PassAt: []eval.MeanPassAt{{K: 1, Mean: 0.5, Tasks: 1, LeftOut: 1}},
				Verdicts: map[verdict.Verdict]int{verdict.AC: 1, verdict.WA: 1}, Programs: 2, Same: 1, Known: 1, NotJudged: 1, Skipped: 1, Extracted: 1, Fenced: 1,
			}
			spoil(&sum)
			Eval(w, &sum, layout.Options{Color: true})
		},
		"Likenesses": func(w io.Writer, spoil func(any)) {
			list := []Likeness{{
				Group: "maze", Programs: []likeness.Program{{Name: "a.c", Text: "int a;"}, {Name: "b.c", Text: "int b;"}},
				Pairs: []likeness.Pair{{A: 0, B: 1, Shared: 0.9, Tokens: 3, Parts: []likeness.Part{{A: [2]int{1, 1}, B: [2]int{1, 1}, Tokens: 3}}}},
				Same:  [][]int{{0, 1}}, Common: []int{0},
			}}
			spoil(&list)
			for i := range list[0].Programs { // a text may have several lines, so a forged line in it is no error
				list[0].Programs[i].Text = strings.ReplaceAll(list[0].Programs[i].Text, layouttest.Forged, "")
			}
			Likenesses(w, list, true, layout.Options{Color: true})
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
	}
}

// inFormats writes events as documents and as streams.
func inFormats(w io.Writer, formats []format.Format, events ...event.Event) {
	for _, f := range formats {
		if !slices.Contains([]string{format.JSON, format.NDJSON, format.SARIF, format.GitLab}, f.Name) {
			continue
		}
		sink := f.New(format.Output{Writer: w})
		for _, e := range events {
			sink.Event(e)
		}
		sink.Close()
	}
}
