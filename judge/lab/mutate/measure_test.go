package mutate

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/cache"
	"tribunal/judge/internal/cache/cachetest"
	"tribunal/judge/internal/casedata"
	"tribunal/judge/internal/cases"
	"tribunal/judge/internal/event"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/repo"
	"tribunal/judge/internal/run"
	"tribunal/judge/internal/runner"
	"tribunal/judge/internal/sandbox"
	"tribunal/judge/internal/sandbox/sandboxtest"
	"tribunal/judge/internal/verdict"
)

// A play is a problem whose reference prints the number in its input. A script plays the schema of
// the reference.
type play struct {
	judge  *grade.Judge
	host   *sandboxtest.Host
	schema *Schema
	task   grade.Task
	cache  *cache.Cache
}

// sites returns the line in which the schema reports the reached sites for the input n: 0 always, 1
// if n is odd, 2 never.
func sites(n int) string { return fmt.Sprintf("%s%02x\n", SitesMark, 1|n%2<<1) }

// played lists the mutants by ID. Each has a site, and deviates from the reference on some numbers.
var played = []struct {
	why  string
	site int
	on   func(n int) bool // reports whether the mutant deviates on n
	does func(r sandboxtest.Run) (sandbox.Result, error)
	want Fate
}{
	{"wrong from 3 on", 0, func(n int) bool { return n >= 3 }, prints("no idea\n"), Killed},
	{"a crash", 1, func(n int) bool { return n == 1 }, ends(sandbox.Result{ExitCode: 2}), Killed},
	{"equivalent", 1, func(int) bool { return false }, nil, Survived},
	{"never reached", 2, func(int) bool { return true }, prints("no idea\n"), Unreached},
	{"an endless loop", 0, func(n int) bool { return n == 2 }, ends(sandbox.Result{Stop: sandbox.OverCPU, CPU: time.Hour}), Killed},
	{"cannot be started", 0, func(int) bool { return true }, func(sandboxtest.Run) (sandbox.Result, error) {
		return sandbox.Result{}, errors.New("no more processes")
	}, Failed},
	{"wrong once", 0, func(n int) bool { return n == 4 }, prints("5\n"), Killed},
	{"too much memory", 0, func(n int) bool { return n == 0 }, ends(sandbox.Result{Stop: sandbox.OverMemory, Memory: limits.GiB}), Killed},
	{"deviates only where its site is not reached", 1, func(n int) bool { return n%2 == 0 }, prints("no idea\n"), Survived},
}

func prints(text string) func(sandboxtest.Run) (sandbox.Result, error) {
	return func(r sandboxtest.Run) (sandbox.Result, error) { return r.Print(text), nil }
}

func ends(result sandbox.Result) func(sandboxtest.Run) (sandbox.Result, error) {
	return func(sandboxtest.Run) (sandbox.Result, error) { return result, nil }
}

// script plays the part of the schema and, in a hunt, of the generator.
func script(_ context.Context, r sandboxtest.Run) (sandbox.Result, error) {
	if last := r.Args[len(r.Args)-1]; last == "-ladder" {
		return r.Print("1 low -n=3\n2 low -n=5\n"), nil
	} else if seed, ok := strings.CutPrefix(last, "-seed="); ok {
		return r.Print(strings.TrimPrefix(r.Args[len(r.Args)-2], "-n=") + seed[len(seed)-1:] + "\n"), nil
	}
	n, err := strconv.Atoi(strings.TrimSpace(string(r.Input)))
	if err != nil {
		return sandbox.Result{ExitCode: 3}, nil
	}
	which := ""
	for _, kv := range r.Env {
		if value, ok := strings.CutPrefix(kv, Variable+"="); ok {
			which = value
		}
	}
	if id, err := strconv.Atoi(which); err == nil && played[id-1].on(n) {
		return played[id-1].does(r)
	}
	if which == Sites {
		fmt.Fprint(r.Stderr, "some words\n", sites(n))
	}
	result := r.Print(fmt.Sprintln(n))
	result.CPU = time.Duration(n+1) * time.Millisecond
	return result, nil
}

const reference = "read n\nif odd; then\nnever\nfi\necho n\n"

// newPlay returns a play with a case for each number below n.
func newPlay(t *testing.T, n int, script sandboxtest.Script) *play {
	t.Helper()
	root := t.TempDir()
	for _, name := range []string{"", "gen"} {
		dir := filepath.Join(root, "reference", "p", name)
		if err := errors.Join(os.MkdirAll(dir, 0o755), os.WriteFile(filepath.Join(dir, "main.sh"), []byte(reference), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	store := cachetest.Fresh(t)
	host, err := sandbox.Open(sandbox.Rlimit) // costs nothing to open
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { host.Close() })
	p := &play{host: sandboxtest.New(t, script), cache: store}
	pool := run.NewPool(runner.NewLocal(p.host, 2), 2, 100*time.Millisecond)
	t.Cleanup(func() { pool.Close() })
	shell := map[string]build.Language{"sh": {Match: []string{".sh"}, Run: []string{"sh", "{dir}/{main}"}}}
	p.judge = &grade.Judge{Temp: host.Temp(), Pool: pool, Memo: run.NewMemo(store, host.Mechanisms()), Builder: build.New(build.Options{
		Languages: shell, Cache: store, Runner: runner.NewLocal(host, 1), Temp: host.Temp(),
		Timeout: build.DefaultTimeout, Memory: build.DefaultMemory, Output: build.DefaultOutput,
	})}
	p.judge.CaseData = &casedata.Provider{Problem: repo.Bare(root, "p"), Builder: p.judge.Builder, Pool: pool, Cache: store}
	t.Cleanup(func() { p.judge.CaseData.Close() })
	source, err := p.judge.CaseData.Source("reference/p")
	if err != nil {
		t.Fatal(err)
	}
	p.schema = &Schema{Source: source, Sites: 3}
	for i, m := range played {
		p.schema.edits = append(p.schema.edits, edit{original: reference, end: 1, text: "w"})
		p.schema.Mutants = append(p.schema.Mutants, Mutant{
			ID: i + 1, Site: m.site, File: "reference/p/main.sh", Line: m.site + 1, Column: 1, Op: Operators()[i%2].Name, Before: "n", After: m.why,
		})
	}
	p.task = grade.Task{Problem: repo.Bare(root, "p"), Limits: limits.Limits{CPU: 10 * time.Second, Wall: 20 * time.Second, Memory: 256 * limits.MiB, Output: limits.MiB, Processes: 8}}
	for i := range n {
		input, output := fmt.Sprintln(i), fmt.Sprintln(i)
		p.task.Cases = append(p.task.Cases, cases.Case{Name: fmt.Sprint("edge/", i), Group: "edge", Input: &input, Output: &output})
	}
	return p
}

// measure measures all mutants of the schema.
func (p *play) measure(t *testing.T, o Options) *Report {
	t.Helper()
	o.Task, o.Mutants, o.Whole = p.task, p.schema.Mutants, true
	r, err := Measure(t.Context(), p.judge, p.schema, o, nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestMeasure(t *testing.T) {
	t.Parallel()
	for _, matrix := range []bool{false, true} {
		p := newPlay(t, 5, script)
		r := p.measure(t, Options{Matrix: matrix})
		for i, m := range r.Mutants {
			want := played[i]
			if m.Fate != want.want {
				t.Errorf("%s: fate %v, want %v", want.why, m.Fate, want.want)
			}
			for at, run := range m.Runs {
				n, _ := strconv.Atoi(strings.TrimPrefix(run.Case, "edge/"))
				if got := run.Verdict != verdict.AC; got != want.on(n) || want.site == 1 && n%2 == 0 {
					t.Errorf("%s: %v on %d", want.why, run.Verdict, n)
				}
				if stop := run.Verdict != verdict.AC && (!matrix || late(run.Verdict)); stop != (at == len(m.Runs)-1) && (stop || m.Fate == Killed && !matrix) {
					t.Errorf("%s: goes on after %v, or stops before", want.why, run.Verdict)
				}
			}
		}
		got := r.Tally
		want := Tally{All: 9, Killed: 5, Wrong: 2, Crashed: 1, Late: 1, Over: 1, Survived: 3, Unreached: 1, Unexplained: 3, Failed: 1, Slow: 1}
		if got != want || got.Score() != 100*5./8 {
			t.Errorf("counted %+v, score %v; want %+v", got, got.Score(), want)
		}
		if matrix {
			// Case 0 is needed for the memory, 1 for the crash, 2 for the loop, and 4, which makes
			// 3 superfluous.
			if got := strings.Join(r.Cover.Cases, " "); got != "edge/0 edge/1 edge/2 edge/4" || !r.Cover.Exact {
				t.Errorf("covered by %s, exact is %v", got, r.Cover.Exact)
			}
		}
		if r.Cases[1].Sites != 2 || r.Cases[2].Sites != 1 {
			t.Errorf("sites of the cases: %+v", r.Cases)
		}
	}
}

// TestMeasureSlow checks that a mutant whose cases are all too slow counts as survived, not as
// unreached.
func TestMeasureSlow(t *testing.T) {
	t.Parallel()
	r := newPlay(t, 5, script).measure(t, Options{Slow: time.Microsecond}) // the fastest case takes a millisecond
	if got := r.Tally; got.Survived != got.All || got.Unreached != 1 || r.Runs != 0 || r.Whole {
		t.Errorf("counted %+v in %d runs, whole is %v", got, r.Runs, r.Whole)
	}
}

// TestMeasureTrust checks that a mutant that a rule calls equivalent is skipped if the rules are
// trusted, even if a case would kill it, and refutes the rule otherwise.
func TestMeasureTrust(t *testing.T) {
	t.Parallel()
	for _, trust := range []bool{false, true} {
		rules := &Rules{Equal: []*Rule{{Equivalent: true, file: "main.sh", Change: "n → " + played[0].why}}}
		r := newPlay(t, 5, script).measure(t, Options{Rules: rules, Trust: trust})
		m := r.Mutants[0]
		if m.Equivalent() != trust || (len(m.Runs) == 0) != trust || (len(r.Stale()) == 0) != trust || r.Trust != trust {
			t.Errorf("trusted is %v: equivalent is %v, %d runs, stale: %v", trust, m.Equivalent(), len(m.Runs), r.Stale())
		}
		if r.Mutants[1].Fate != Killed {
			t.Errorf("trusted is %v: another mutant %v", trust, r.Mutants[1].Fate)
		}
	}
}

// TestMeasureAgain checks that a second measurement takes runs from the memo and gives the same
// report, and that an additional case costs little more than its own runs.
func TestMeasureAgain(t *testing.T) {
	t.Parallel()
	p := newPlay(t, 5, script)
	first := p.measure(t, Options{})
	runs := p.host.Runs()
	again := p.measure(t, Options{})
	// A failure of the judge is not remembered, so both its runs are made again.
	if more := p.host.Runs() - runs; more != 2 || again.Runs-again.Cached != 1 {
		t.Errorf("%d runs the second time, %d of %d remembered", more, again.Cached, again.Runs)
	}
	if a, b := lines(first), lines(again); a != b {
		t.Errorf("the second report differs:\n%s\nfrom\n%s", b, a)
	}
	p.judge.Memo.Fresh = true
	p.measure(t, Options{})
	if more := p.host.Runs() - runs - 2; more != runs {
		t.Errorf("%d runs afresh, want %d", more, runs)
	}
}

// lines returns the fate of each mutant.
func lines(r *Report) string {
	var b strings.Builder
	for _, m := range r.Mutants {
		fmt.Fprintln(&b, m.ID, m.Fate, m.Runs)
	}
	return b.String()
}

func TestMeasureRefuses(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why, want string
		script    sandboxtest.Script
	}{
		{"the schema answers something else", "the unmutated schema does not behave like the reference: WA", func(_ context.Context, r sandboxtest.Run) (sandbox.Result, error) {
			return r.Print("no idea\n"), nil
		}},
		{"it does not report its sites", "did not report its sites", func(_ context.Context, r sandboxtest.Run) (sandbox.Result, error) {
			return r.Print(string(r.Input)), nil
		}},
		{"it reports too few sites", "did not report its sites", func(_ context.Context, r sandboxtest.Run) (sandbox.Result, error) {
			fmt.Fprint(r.Stderr, SitesMark+"\n")
			return r.Print(string(r.Input)), nil
		}},
		{"it cannot be run", "no more processes", func(context.Context, sandboxtest.Run) (sandbox.Result, error) {
			return sandbox.Result{}, errors.New("no more processes")
		}},
	} {
		p := newPlay(t, 2, tt.script)
		_, err := Measure(t.Context(), p.judge, p.schema, Options{Task: p.task, Mutants: p.schema.Mutants}, nil)
		if err == nil || !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), "edge/0") {
			t.Errorf("%s: %v", tt.why, err)
		}
	}
}

// TestHunt checks that a hunt finds and reports an input that kills a survivor.
func TestHunt(t *testing.T) {
	t.Parallel()
	p := newPlay(t, 3, script) // cases 0, 1 and 2, so that the mutant that is wrong from 3 on survives
	var emitted []*Found
	r, err := Measure(t.Context(), p.judge, p.schema, Options{
		Task: p.task, Mutants: p.schema.Mutants, Hunt: time.Minute, // the hunt ends earlier, with all inputs tried
	}, func(e event.Event) {
		if f, ok := e.(*Found); ok {
			emitted = append(emitted, f)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(emitted, r.Hunt.Found) || len(emitted) != 1 {
		t.Fatalf("emitted %v, reported %v", emitted, r.Hunt.Found)
	}
	f := emitted[0]
	if got := f.Command("p"); got != "gen p low -n=3 -seed=1" {
		t.Errorf("found %s", got)
	}
	if len(f.Kills) != 1 || f.Kills[0].Mutant.After != "wrong from 3 on" || f.Kills[0].Verdict != verdict.WA {
		t.Errorf("it kills %+v", f.Kills)
	}
	if r.Hunt.Inputs != 20 {
		t.Errorf("%d inputs, want all 20 that there are", r.Hunt.Inputs)
	}
	if tally := r.Tally; tally.Survived != 5 {
		t.Errorf("a hunt changes the score: %+v", tally)
	}
}

func TestBound(t *testing.T) {
	t.Parallel()
	const ms, s = time.Millisecond, time.Second
	l := limits.Limits{CPU: 10 * s, Wall: 15 * s}
	for _, tt := range []struct {
		why       string
		took      time.Duration
		patient   bool
		cpu, wall time.Duration
	}{
		{"at least a quarter of a second", ms, false, 250 * ms, 5 * s},
		{"ten times the schema's time", 25 * ms, false, 250 * ms, 5 * s},
		{"rounded up", 26 * ms, false, 500 * ms, 5 * s},
		{"rounded up to a doubling", 790 * ms, false, 8 * s, 15 * s},
		{"at most the problem's limit", 2 * s, false, 10 * s, 15 * s},
		{"more than the problem's limit: at least twice the schema's time", 6 * s, false, 16 * s, 64 * s},
		{"patient: the problem's limit", ms, true, 10 * s, 15 * s},
		{"patient: at least twice the schema's time", 6 * s, true, 16 * s, 64 * s},
	} {
		if got := bound(l, tt.took, tt.patient); got.CPU != tt.cpu || got.Wall != tt.wall {
			t.Errorf("%s: %v, %v", tt.why, got.CPU, got.Wall)
		}
	}
}
