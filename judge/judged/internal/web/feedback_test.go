package web

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"tribunal/judge/internal/diff"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/journal"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/sandbox"
	"tribunal/judge/internal/verdict"
	"tribunal/judge/judged/internal/access"
	"tribunal/judge/judged/internal/ledger"
	"tribunal/judge/judged/internal/store"
	"tribunal/judge/judged/internal/task"
)

// family are tokens of one owner, of which all but ann are of the jury.
var family = tokens{
	"ann":   {Token: "f1", Owner: "ann", Scopes: []access.Scope{access.Submit}},
	"read":  {Token: "f2", Owner: "ann", Scopes: []access.Scope{access.Submit, access.Read}},
	"redo":  {Token: "f3", Owner: "ann", Scopes: []access.Scope{access.Submit, access.Rejudge}},
	"admin": {Token: "f4", Owner: "ann", Scopes: []access.Scope{access.Submit, access.Admin}},
}

// traces are what to look for in an answer, by the name of what it tells. The number of a case replaces #: case 1
// is a sample, 2 the first one that fails, and 3 another one.
var traces = map[string]string{
	"verdict": `"verdict":"WA"`, "passed": `"passed":1`, "total": `"total":3`, "findings": "a finding",
	"name#": "name#", "input#": "input#", "note#": "note#", "difference#": "difference#", "message#": "message#",
	"stderr#": "stderr#", "cause#": "cause#", "exit#": `"exit_code":20#`, "size#": `"stdout_bytes":30#`, "score#": `"score":0.60#`,
	"cpu#": `"cpu_ns":4000#`, "memory#": `"memory_bytes":5000#`, "kept#": "kept#",
}

// told lists the traces in a text, sorted.
func told(text string) string {
	found := map[string]bool{}
	for name, trace := range traces {
		for n := range 3 {
			of := func(text string) string { return strings.ReplaceAll(text, "#", fmt.Sprint(n+1)) }
			if strings.Contains(text, of(trace)) {
				found[of(name)] = true
			}
		}
	}
	return strings.Join(slices.Sorted(maps.Keys(found)), " ")
}

// leaky is a worker whose results have every trace of every case. The id of a problem is its feedback.
func leaky(w *world, t *task.Task) *task.Answer {
	if t.Part == task.Check {
		shown := &ledger.Shown{Feedback: strings.TrimPrefix(t.Problem, "usual"), Samples: []string{"sample/name1"}}
		return &task.Answer{Checked: &ledger.Checked{Usable: true, Cases: 3, Findings: []string{"a finding"}, Shown: shown}}
	}
	if t.Input != nil {
		return judge(w, t)
	}
	done := grade.Done{Verdict: verdict.WA, First: "edge/name2", Cause: "cause2", Judged: 3, Total: 3, Passed: 1, MaxUsage: grade.MaxUsage{CPU: 40002, Memory: 50002}}
	r := &task.Result{Begin: &grade.Begin{Problem: t.Problem, Cases: []string{"sample/name1", "edge/name2", "edge/name3"}}, Built: &grade.Built{}, Done: &done}
	for i, name := range r.Begin.Cases {
		n, score := fmt.Sprint(i+1), 0.601+float64(i)/1000
		r.Cases = append(r.Cases, journal.Case{Index: i, Case: grade.Case{
			Name: name, Verdict: verdict.WA, Cause: "cause" + n, Stderr: "stderr" + n, Message: "message" + n, Kept: "kept" + n, Score: &score,
			Result:   sandbox.Result{ExitCode: 201 + i, Stdout: int64(301 + i), CPU: time.Duration(40001 + i), Memory: limits.Bytes(50001 + i)},
			Mismatch: &diff.Mismatch{Lines: []diff.Line{{Op: "-", Text: "difference" + n}}},
			Shown:    grade.Shown{Note: "note" + n, Input: "input" + n},
		}})
	}
	data, err := json.Marshal(r)
	if err != nil {
		return &task.Answer{Error: err.Error()}
	}
	ref, err := store.Stow(context.Background(), w.store.Blobs, data)
	if err != nil {
		return &task.Answer{Error: err.Error()}
	}
	s := ledger.Summary{Verdict: done.Verdict, First: done.First, Cause: done.Cause, Judged: 3, Total: 3, Passed: 1, CPU: done.CPU, Memory: done.Memory}
	return &task.Answer{Result: ref, Summary: &s}
}

// TestFeedback asks for every route in every role, of judgings by problems with every feedback. What the answers
// tell a submitter is in a file. The jury sees everything that the answer to an open problem has.
func TestFeedback(t *testing.T) {
	t.Parallel()
	w := start(t, leaky, func(o *Options) { o.Tokens = family })
	var table strings.Builder
	of := map[string]map[string]string{} // what a submitter is told, by feedback and route
	kinds := []string{"usual"}
	for _, f := range problem.Feedbacks() {
		kinds = append(kinds, string(f))
	}
	all := map[string]map[string]string{}
	for _, kind := range kinds {
		w.problem(kind)
		of[kind], all[kind] = w.answers("ann", kind), map[string]string{}
		for _, role := range []string{"read", "redo", "admin"} {
			for route, text := range w.answers(role, kind) {
				if before, known := all[kind][route]; known && before != text {
					t.Errorf("%s as %s: %s, and others of the jury: %s", route, role, text, before)
				}
				all[kind][route] = text
			}
		}
	}
	for _, row := range w.web.routes() {
		for _, kind := range kinds {
			got, whole := of[kind][row.id], all[kind][row.id]
			if want := of["all"][row.id]; strings.TrimPrefix(whole, "findings") != strings.TrimPrefix(want, "findings") {
				t.Errorf("%s, %s: the jury is told %q, of an open problem %q", row.pattern(), kind, whole, want)
			}
			if got != "" {
				fmt.Fprintf(&table, "%-6s %-24s %-8s %s\n", row.method, row.path, kind, got)
			}
		}
	}
	golden(t, filepath.Join("testdata", "feedback.txt"), []byte(table.String()))
}

// answers returns what the answers of all routes tell, by the id of the route. It hands in for a problem first.
func (w *world) answers(token, id string) map[string]string {
	w.t.Helper()
	s := Submission{Problem: id, Name: "a.py", Language: "python3", Source: text(token)}
	created := w.do(token, "POST", "/v1/judgings?wait=60s", s)
	var j Judging
	created.decode(w.t, http.StatusCreated, &j)
	got := map[string]string{"createJudging": told(created.text)}
	line, err := json.Marshal(BatchLine{Key: "k", Submission: s})
	if err != nil {
		w.t.Fatal(err)
	}
	for _, row := range w.web.routes() {
		path := strings.NewReplacer("{id}", j.ID, "{token}", j.ID, "{batch}", "x", "{sha256}", "x", "{name}", "x").Replace(row.path)
		var body any
		switch row.id {
		case "createJudging":
			continue
		case "eraseJudging", "eraseSubmitter", "listTokens", "createToken", "revokeToken": // tell nothing of a judging
			continue
		case "watchAll":
			got[row.id] = told(w.firstEvent(token, path+"?problem="+id))
			continue
		case "getProblem", "listProblems":
			path = strings.Replace(path, j.ID, id, 1)
		case "listJudgings":
			path += "?problem=" + id
		case "createBatch":
			body = string(line)
		case "judge0GetBatch":
			path += "?tokens=" + j.ID
		default:
			if row.body > 0 {
				body = "{}"
			}
		}
		got[row.id] = told(w.do(token, row.method, path, body, "Idempotency-Key", token+id+row.id).text)
	}
	return got
}

// firstEvent returns the first event of a stream that does not end, for a client that was away.
func (w *world) firstEvent(token, path string) (data string) {
	w.t.Helper()
	ctx, stop := context.WithCancel(w.t.Context())
	defer stop()
	resp, err := w.ask(ctx, token, "GET", path, nil, "Last-Event-ID", "1")
	if err != nil {
		w.t.Fatal(err)
	}
	defer resp.Body.Close()
	_ = readEvents(resp.Body, func(e sse) { // until the test stops it
		data = e.data
		stop()
	})
	return data
}

// TestHiddenFilter checks that nobody finds out a verdict by filtering for it.
func TestHiddenFilter(t *testing.T) {
	t.Parallel()
	w := start(t, leaky, func(o *Options) { o.Tokens = family })
	for _, id := range []string{"none", "verdict"} {
		w.problem(id)
		w.judged("ann", Submission{Problem: id, Language: "cpp", Source: text("x")})
	}
	for token, want := range map[string]int{"ann": 1, "read": 2} {
		var list JudgingList
		w.do(token, "GET", "/v1/judgings?verdict=WA", nil).decode(t, http.StatusOK, &list)
		if len(list.Judgings) != want {
			t.Errorf("%s: %+v", token, list.Judgings)
		}
	}
}

// TestOlderVersion checks that nobody sees more by naming a version that showed more.
func TestOlderVersion(t *testing.T) {
	t.Parallel()
	open := true
	w := start(t, func(w *world, k *task.Task) *task.Answer {
		a := leaky(w, k)
		if k.Part == task.Check && open {
			a.Checked.Shown.Feedback, open = string(problem.FeedbackAll), false
		}
		return a
	}, func(o *Options) { o.Tokens = family })
	older := w.problem("usual")
	hand := func() string {
		j := w.judged("ann", Submission{Problem: "usual@" + older.ID, Language: "cpp", Source: text("x")})
		return told(w.do("ann", "GET", j.Links.Result, nil).text)
	}
	if seen := hand(); !strings.Contains(seen, "input3") {
		t.Fatal(seen)
	}
	w.version("usual", "a newer one")
	if seen := hand(); strings.Contains(seen, "input3") {
		t.Error(seen)
	}
}
