package run

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"tribunal/judge/internal/cache"
	"tribunal/judge/internal/cache/cachetest"
	"tribunal/judge/internal/content"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/runner"
	"tribunal/judge/internal/sandbox"
	"tribunal/judge/internal/sandbox/sandboxtest"
)

// memoLimits are the limits of the jobs below, whose pools have a grace of a second.
var memoLimits = limits.Limits{CPU: 10 * time.Second, Wall: 30 * time.Second, Memory: 100 * limits.MiB, Output: 4 * limits.MiB, Processes: 8, CPUs: 1}

func newMemo(t testing.TB, dir string) *Memo {
	t.Helper()
	c, err := cache.Open(dir, 0)
	if err != nil {
		t.Fatal(err)
	}
	return NewMemo(c, sandbox.Mechanisms{Mode: sandbox.Container})
}

// ask runs a job and returns its outcome with its output. With again it is run exclusively
// right after that, and the outcome is that run's.
func ask(t *testing.T, p *Pool, memo *Memo, job Job, again ...bool) (Outcome, string) {
	t.Helper()
	var output bytes.Buffer
	var outcome Outcome
	err := Each(t.Context(), p, 1, 1, func(ctx context.Context, w *Worker, _ int) (int, error) {
		job.Stdout = &output
		outcome = w.Run(ctx, job, memo)
		if len(again) > 0 {
			output.Reset()
			job.Exclusive = true
			outcome = w.Run(ctx, job, memo)
		}
		return 0, nil
	}, func(int, int) error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	return outcome, output.String()
}

// TestMemo checks that the memo returns a known result unchanged, without a box or a CPU.
func TestMemo(t *testing.T) {
	t.Parallel()
	want := sandbox.Result{
		Stop: sandbox.Signalled, Signal: sandbox.Signal(syscall.SIGSEGV), CPU: 3, Wall: 4, Memory: 5, Stdout: 6, Stderr: 7, StackOverflow: true, CPUWait: 8,
	}
	stderr, stdout := strings.Repeat("caf\xe9\n", 2000), "\x00\n\xff\n\n"
	host := sandboxtest.New(t, func(_ context.Context, r sandboxtest.Run) (sandbox.Result, error) {
		r.Print(stdout[:2])
		r.Print(stdout[2:])
		r.Stderr.Write([]byte(stderr))
		return want, nil
	})
	dir, program := t.TempDir(), programs(t, 1)[0]
	job := Job{Program: program, Limits: memoLimits, Input: content.Of([]byte("1\n"))}
	first, _ := ask(t, newPool(t, host, 1), newMemo(t, dir), job)
	if first.Cached || host.Runs() != 1 {
		t.Errorf("the first of %d runs is cached: %v", host.Runs(), first.Cached)
	}
	again := sandboxtest.New(t, func(context.Context, sandboxtest.Run) (sandbox.Result, error) {
		return sandbox.Result{}, errors.New("run again")
	})
	p := newPool(t, again, 1)
	if err := p.ReleaseCPUs(); err != nil {
		t.Fatal(err)
	}
	known, output := ask(t, p, newMemo(t, dir), job) // as in another process
	if !known.Cached || known.Result != want || string(known.Stderr) != string(first.Stderr) || !known.Truncated || known.Err != nil {
		t.Errorf("the second time: %+v, %d bytes of standard error, want %+v, %d", known.Result, len(known.Stderr), want, len(first.Stderr))
	}
	if output != stdout {
		t.Errorf("the second time the output is %q, want %q", output, stdout)
	}
	if again.Boxes() > 0 || p.cpus != nil {
		t.Error("a box was opened, or CPUs were claimed")
	}
}

// TestMemoIsAskedFirst checks that a job whose result is known does not wait for one that has to
// run. The first job fails from the memo while the second is prepared, so the second is cancelled
// before it runs: a submission that is judged up to its first failure must not run beyond it each
// time.
func TestMemoIsAskedFirst(t *testing.T) {
	t.Parallel()
	host := sandboxtest.New(t, func(context.Context, sandboxtest.Run) (sandbox.Result, error) {
		return sandbox.Result{ExitCode: 1}, nil
	})
	memo, program := newMemo(t, t.TempDir()), programs(t, 1)[0]
	job := func(i int) Job {
		return Job{Program: program, Limits: memoLimits, Input: content.Of([]byte(strconv.Itoa(i)))}
	}
	ask(t, newPool(t, host, 1), memo, job(0))
	second, cancel := context.WithCancel(t.Context())
	defer cancel()
	prepared := make(chan struct{})
	var got [2]Outcome
	err := Each(t.Context(), newPool(t, host, 2), 2, 1, func(ctx context.Context, w *Worker, i int) (int, error) {
		if i == 1 {
			ctx = second
			close(prepared)
		}
		<-prepared
		if got[i] = w.Run(ctx, job(i), memo); i == 0 {
			cancel()
		}
		return 0, nil
	}, func(int, int) error { return nil })
	if err != nil || !got[0].Cached || got[1].Stop != sandbox.Cancelled || host.Runs() != 1 {
		t.Errorf("%d runs, outcomes %+v, %v; want only the run whose outcome the memo returned", host.Runs(), got, err)
	}
}

func TestMemoKeeps(t *testing.T) {
	t.Parallel()
	program := programs(t, 1)[0]
	const s, mib = time.Second, int(limits.MiB)
	for _, tt := range []struct {
		why    string
		result sandbox.Result
		output int
		err    error
		again  []bool
		want   bool
	}{
		{"an end within the limits", sandbox.Result{CPU: 7 * s, Wall: 8 * s, Memory: 70 * limits.MiB}, 10, nil, nil, true},
		{"no output", sandbox.Result{}, 0, nil, nil, true},
		{"another status", sandbox.Result{ExitCode: 3}, 10, nil, nil, true},
		{"a crash", sandbox.Result{Stop: sandbox.Signalled, Signal: sandbox.Signal(syscall.SIGABRT)}, 10, nil, nil, true},
		{"an endless loop", sandbox.Result{Stop: sandbox.OverCPU, CPU: 11 * s, Wall: 12 * s}, 10, nil, nil, true},
		{"asleep, or on a busy host", sandbox.Result{Stop: sandbox.OverWall, Wall: 31 * s}, 10, nil, nil, false},
		{"asleep twice", sandbox.Result{Stop: sandbox.OverWall, Wall: 31 * s}, 10, nil, []bool{true}, true},
		{"a flood", sandbox.Result{Stop: sandbox.OverOutput}, mib, nil, nil, true},
		{"a denied call", sandbox.Result{Stop: sandbox.Forbidden}, 10, nil, nil, true},
		{"memory far beyond the limit, as polled", sandbox.Result{Stop: sandbox.OverMemory, Memory: 200 * limits.MiB}, 10, nil, nil, true},
		{"memory at the limit: how much more it wanted is unknown", sandbox.Result{Stop: sandbox.OverMemory, Memory: 100 * limits.MiB}, 10, nil, nil, false},
		{"memory a fifth below the limit", sandbox.Result{Memory: 80 * limits.MiB}, 10, nil, nil, false},
		{"CPU time near the limit", sandbox.Result{CPU: 9 * s}, 10, nil, nil, false},
		{"wall time near the limit is certain", sandbox.Result{Wall: 29 * s}, 10, nil, nil, true},
		{"waited for a CPU for too long", sandbox.Result{Stop: sandbox.OverWall, Wall: 31 * s, CPUWait: 20 * s}, 10, nil, nil, false},
		{"given up", sandbox.Result{Stop: sandbox.Cancelled}, 10, nil, nil, false},
		{"the judge failed", sandbox.Result{}, 10, errors.New("no cgroup"), nil, false},
		{"it could not be started", sandbox.Result{}, 0, &sandbox.StartError{Err: errors.New("no such file")}, nil, false},
		{"one byte more output than the memo records", sandbox.Result{}, mib + 1, nil, nil, false},
		{"several bytes more", sandbox.Result{}, mib + 2, nil, nil, false},
		{"an uncertain run, and a second one with the same outcome", sandbox.Result{CPU: 9 * s}, 10, nil, []bool{true}, true},
		{"two runs that waited for a CPU for too long", sandbox.Result{Stop: sandbox.OverWall, Wall: 31 * s, CPUWait: 20 * s}, 10, nil, []bool{true}, false},
	} {
		host := sandboxtest.New(t, func(_ context.Context, r sandboxtest.Run) (sandbox.Result, error) {
			text := strings.Repeat("x", tt.output)
			r.Print(text[:tt.output/2])
			r.Print(text[tt.output/2 : max(tt.output-1, 0)])
			r.Print(text[max(tt.output-1, 0):])
			return tt.result, tt.err
		})
		p := newPool(t, host, 1)
		job, memo := Job{Program: program, Limits: memoLimits}, newMemo(t, t.TempDir())
		_, first := ask(t, p, memo, job, tt.again...)
		runs := host.Runs()
		o, output := ask(t, p, memo, job)
		if kept := host.Runs() == runs; kept != tt.want || o.Cached != kept || output != first {
			t.Errorf("%s: recorded %v, cached %v with %d of %d bytes", tt.why, kept, o.Cached, len(output), len(first))
		}
	}
}

// TestMemoConfirms checks that an uncertain result counts as known only once two runs agree, made
// by one process or by several.
func TestMemoConfirms(t *testing.T) {
	t.Parallel()
	const s = time.Second
	near, over := sandbox.Result{CPU: 9 * s}, sandbox.Result{CPU: 10*s + 1}
	for _, tt := range []struct {
		why     string
		confirm bool
		results []sandbox.Result // of the runs in order; the last one repeats
		output  []string         // outputs of the runs, like results; nil means no output
		runs    []int            // how often the first, second, … process runs the job
	}{
		{"the second run agrees", false, []sandbox.Result{near}, nil, []int{1, 1, 0, 0}},
		{"both at once", true, []sandbox.Result{near}, nil, []int{2, 0, 0}},
		{"certain", true, []sandbox.Result{{CPU: s}}, nil, []int{1, 0}},
		{"the runs do not agree", false, []sandbox.Result{near, over, near, near}, nil, []int{1, 1, 1, 1, 0}},
		{"nor at once", true, []sandbox.Result{near, over}, nil, []int{2, 1, 0}},
		{"the same figures, another output", false, []sandbox.Result{near}, []string{"a", "b", "b"}, []int{1, 1, 1, 0}},
		{"certain the second time", false, []sandbox.Result{near, {CPU: s}}, nil, []int{1, 1, 0}},
		{"memory", true, []sandbox.Result{{Stop: sandbox.OverMemory, Memory: 100 * limits.MiB}}, nil, []int{2, 0}},
	} {
		ran := 0
		host := sandboxtest.New(t, func(_ context.Context, r sandboxtest.Run) (sandbox.Result, error) {
			if len(tt.output) > 0 {
				r.Print(tt.output[min(ran, len(tt.output)-1)])
			}
			ran++
			return tt.results[min(ran, len(tt.results))-1], nil
		})
		p := newPool(t, host, 1)
		dir, program := t.TempDir(), programs(t, 1)[0]
		for i, want := range tt.runs {
			before := ran
			memo := newMemo(t, dir)
			memo.Confirm = tt.confirm
			if o, _ := ask(t, p, memo, Job{Program: program, Limits: memoLimits, Starving: true}); ran-before != want || o.Cached != (want == 0) {
				t.Errorf("%s: process %d runs it %d times, cached %v, want %d", tt.why, i+1, ran-before, o.Cached, want)
			}
		}
	}
}

// TestMemoKey changes, one at a time, everything that can influence an outcome.
func TestMemoKey(t *testing.T) {
	t.Parallel()
	list := programs(t, 2)
	m := newMemo(t, t.TempDir())
	key := func(job Job) cache.Key {
		h := cache.NewHasher("both")
		h.Text(string(m.key(job, time.Second)), string(inputKey(job)))
		return h.Key()
	}
	cachetest.Fields(t, Job{Program: list[0]}, map[string]string{
		"the output is passed on, cached or not":            "Stdout",
		"a record says whether its run was exclusive":       "Exclusive",
		"it decides who may be answered, not what":          "Known",
		"outcomes that other load may have caused are Once": "Starving",
	}, key)
	cachetest.Fields(t, Interactor{Program: list[0]}, nil, func(p Interactor) cache.Key { return key(Job{Program: list[0], Interactor: &p}) })
	cachetest.Fields(t, limits.Limits{}, nil, func(l limits.Limits) cache.Key { return key(Job{Program: list[0], Limits: l}) })
	cachetest.Fields(t, sandbox.Mechanisms{}, nil, func(s sandbox.Mechanisms) cache.Key {
		return NewMemo(m.cache, s).key(Job{Program: list[0]}, time.Second)
	})

	base := Job{Program: list[0], Args: []string{"a", "b"}}
	talking := base
	talking.Interactor = &Interactor{Program: list[0]}
	seen := map[cache.Key]string{"": "no key"}
	for what, change := range map[string]func(*Job){
		"nothing":                   func(*Job) {},
		"the program":               func(j *Job) { j.Program = list[1] },
		"an interactor":             func(j *Job) { *j = talking },
		"the interactor's program":  func(j *Job) { *j = talking; j.Interactor = &Interactor{Program: list[1]} },
		"no arguments":              func(j *Job) { j.Args = nil },
		"an argument less":          func(j *Job) { j.Args = []string{"a"} },
		"arguments in one":          func(j *Job) { j.Args = []string{"ab"} },
		"an empty argument more":    func(j *Job) { j.Args = []string{"a", "b", ""} },
		"arguments as environment":  func(j *Job) { j.Args, j.Env = nil, []string{"a", "b"} },
		"an input":                  func(j *Job) { j.Input = content.Of([]byte("1")) },
		"a file":                    func(j *Job) { j.Files = map[string][]byte{"a": nil} },
		"a file with text":          func(j *Job) { j.Files = map[string][]byte{"a": []byte("b")} },
		"two files":                 func(j *Job) { j.Files = map[string][]byte{"a": nil, "b": nil} },
		"a file in the folder":      func(j *Job) { j.In = []runner.File{{Name: "a", Mode: 0o644}} },
		"one with other rights":     func(j *Job) { j.In = []runner.File{{Name: "a", Mode: 0o600}} },
		"a folder there":            func(j *Job) { j.In = []runner.File{{Name: "a", Mode: fs.ModeDir | 0o755}} },
		"one with text":             func(j *Job) { j.In = []runner.File{{Name: "a", Mode: 0o644, Content: content.Of([]byte("1"))}} },
		"a file for the interactor": func(j *Job) { *j = talking; j.Interactor.In = []runner.File{{Name: "a", Mode: 0o644}} },
	} {
		job := base
		talking.Interactor = &Interactor{Program: list[0]}
		change(&job)
		k := key(job)
		if same, ok := seen[k]; ok {
			t.Errorf("%s gives the same key as %s", what, same)
		}
		seen[k] = what
	}
	if m.key(base, time.Second) == m.key(base, 2*time.Second) {
		t.Error("the key does not have the grace")
	}
	other := base
	other.Env = []string{"A=1"}
	if m.key(base, time.Second) != m.key(other, time.Second) {
		t.Error("an environment has a batch of its own")
	}
}

// TestMemoShares checks that an output that many runs print is kept once, in memory and in the
// cache.
func TestMemoShares(t *testing.T) {
	t.Parallel()
	const size = 100 << 10
	text := strings.Repeat("x", size)
	host := sandboxtest.New(t, func(_ context.Context, r sandboxtest.Run) (sandbox.Result, error) { return r.Print(text), nil })
	p, dir := newPool(t, host, 1), t.TempDir()
	job, memo := Job{Program: programs(t, 1)[0], Limits: memoLimits}, newMemo(t, dir)
	err := Each(t.Context(), p, 20, 1, func(ctx context.Context, w *Worker, i int) (Outcome, error) {
		j := job
		j.Env = []string{fmt.Sprintf("VARIANT=%d", i)}
		return w.Run(ctx, j, memo), nil
	}, func(int, Outcome) error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(dir, "entries", "*", "files", segmentName))
	if err != nil || len(files) != 1 {
		t.Fatalf("%q are in the cache (%v)", files, err)
	}
	if info, err := os.Stat(files[0]); err != nil || info.Size() > 2*size {
		t.Errorf("20 runs take %d bytes (%v), although all print the same %d bytes", info.Size(), err, size)
	}
	memo = newMemo(t, dir)
	for _, env := range [][]string{{"VARIANT=0"}, {"VARIANT=19"}} {
		job.Env = env
		if o, output := ask(t, p, memo, job); !o.Cached || output != text {
			t.Errorf("%q: cached %v, with %d bytes of output", env, o.Cached, len(output))
		}
	}
}

// TestMemoFresh checks that a fresh memo runs everything and replaces the results that were kept.
func TestMemoFresh(t *testing.T) {
	t.Parallel()
	results := []sandbox.Result{{CPU: 1}, {CPU: 2}, {CPU: 9 * time.Second}, {CPU: 3}}
	var host *sandboxtest.Host
	host = sandboxtest.New(t, func(context.Context, sandboxtest.Run) (sandbox.Result, error) {
		return results[host.Runs()-1], nil
	})
	p := newPool(t, host, 1)
	dir := t.TempDir()
	job := Job{Program: programs(t, 1)[0], Limits: memoLimits}
	for _, tt := range []struct {
		why   string
		fresh bool
		run   int
	}{
		{"the first time", false, 1}, {"known", false, 1}, {"asked for afresh", true, 2}, {"the new outcome is known", false, 2},
		{"the newest run is doubtful", true, 3}, {"so the memo knows nothing", false, 4},
	} {
		memo := newMemo(t, dir)
		memo.Fresh = tt.fresh
		before := host.Runs()
		if o, _ := ask(t, p, memo, job); o.Result != results[tt.run-1] || host.Runs() != tt.run || o.Cached != (before == tt.run) {
			t.Errorf("%s: %+v after %d runs", tt.why, o, host.Runs())
		}
	}
}

func TestMachine(t *testing.T) {
	t.Parallel()
	if machine() == "" {
		t.Error("this machine is unknown")
	}
	// Executables with and without a build ID of the go command.
	ids := map[string]string{}
	for _, path := range []string{"/proc/self/exe", "/bin/sh", "/bin/ls"} {
		f, err := os.Open(path)
		if err != nil {
			t.Skip(err)
		}
		id, err := buildID(f)
		if err != nil || id == "" || ids[id] != "" {
			t.Errorf("%s is %q, as %s (%v)", path, id, ids[id], err)
		}
		ids[id] = path
		f.Close()
	}
}

// TestMemoEdges checks which uncertain results a memo reports that reports edges, and that another
// memo does not report them.
func TestMemoEdges(t *testing.T) {
	t.Parallel()
	const s = time.Second
	for _, tt := range []struct {
		why    string
		result sandbox.Result
		runs   int // until the memo reports the result
	}{
		{"CPU time a little below the limit", sandbox.Result{CPU: 9 * s}, 1},
		{"CPU time a little above the limit", sandbox.Result{CPU: 11 * s}, 1},
		{"it ended by itself after its wall limit", sandbox.Result{Wall: 31 * s}, 1},
		{"memory near the limit: run twice at once, because its verdict is not weighed", sandbox.Result{CPU: 9 * s, Memory: 90 * limits.MiB}, 2},
		{"waited for a CPU for too long", sandbox.Result{Stop: sandbox.OverWall, Wall: 31 * s, CPUWait: 20 * s}, 0},
		{"ended by itself after its wall limit, for lack of a CPU", sandbox.Result{Wall: 51 * s, CPUWait: 20 * s}, 0},
	} {
		host := sandboxtest.New(t, func(context.Context, sandboxtest.Run) (sandbox.Result, error) { return tt.result, nil })
		p := newPool(t, host, 1)
		job, dir := Job{Program: programs(t, 1)[0], Limits: memoLimits, Starving: true}, t.TempDir()
		edges := func() *Memo {
			m := newMemo(t, dir)
			m.Edges, m.Confirm = true, true
			return m
		}
		ask(t, p, edges(), job)
		if runs := host.Runs(); tt.runs > 0 && runs != tt.runs {
			t.Errorf("%s: %d runs at first, want %d", tt.why, runs, tt.runs)
		}
		if o, _ := ask(t, p, edges(), job); o.Cached != (tt.runs > 0) {
			t.Errorf("%s: cached %v", tt.why, o.Cached)
		}
		if o, _ := ask(t, p, newMemo(t, dir), job); o.Cached != (tt.runs == 2) {
			t.Errorf("%s: another memo: cached %v", tt.why, o.Cached)
		}
	}
}

// TestMemoStrict checks that a strict memo reports no run near a limit, even if two runs agreed.
func TestMemoStrict(t *testing.T) {
	t.Parallel()
	const s = time.Second
	for _, tt := range []struct {
		why    string
		result sandbox.Result
		cached bool
	}{
		{"far from all limits", sandbox.Result{CPU: 7 * s, Wall: 8 * s, Memory: 70 * limits.MiB}, true},
		{"an endless loop, stopped far beyond the limit", sandbox.Result{Stop: sandbox.OverCPU, CPU: 13 * s, Wall: 13 * s}, true},
		{"stopped where another machine may let it end", sandbox.Result{Stop: sandbox.OverCPU, CPU: 11 * s, Wall: 12 * s}, false},
		{"CPU time a little below the limit", sandbox.Result{CPU: 9 * s}, false},
		{"wall time a little below the limit", sandbox.Result{Wall: 29 * s}, false},
		{"asleep", sandbox.Result{Stop: sandbox.OverWall, Wall: 31 * s}, false},
		{"memory at the limit", sandbox.Result{Stop: sandbox.OverMemory, Memory: 100 * limits.MiB}, false},
	} {
		host := sandboxtest.New(t, func(context.Context, sandboxtest.Run) (sandbox.Result, error) { return tt.result, nil })
		p, dir := newPool(t, host, 1), t.TempDir()
		job := Job{Program: programs(t, 1)[0], Limits: memoLimits, Starving: true}
		ask(t, p, newMemo(t, dir), job)
		ask(t, p, newMemo(t, dir), job)
		if o, _ := ask(t, p, newMemo(t, dir), job); !o.Cached {
			t.Errorf("%s: not known although two runs agreed", tt.why)
		}
		strict := newMemo(t, dir)
		strict.Strict = true
		if o, _ := ask(t, p, strict, job); o.Cached != tt.cached {
			t.Errorf("%s: cached %v", tt.why, o.Cached)
		}
	}
}

// TestMemoIsBounded checks that runs of a program whose outputs are large in all are recorded up to a
// bound: others run again, and nothing is lost.
func TestMemoIsBounded(t *testing.T) {
	t.Parallel()
	const large = maxHeld/maxOutput + 4
	host := sandboxtest.New(t, func(_ context.Context, r sandboxtest.Run) (sandbox.Result, error) {
		r.Print(strings.Repeat(string(r.Input), maxOutput/len(r.Input)))
		return sandbox.Result{}, nil
	})
	p, dir, program := newPool(t, host, 1), t.TempDir(), programs(t, 1)[0]
	for range 2 {
		memo := newMemo(t, dir)
		for i := range large {
			input := fmt.Sprintf("%08d", i)
			job := Job{Program: program, Limits: memoLimits, Input: content.Of([]byte(input))}
			if _, output := ask(t, p, memo, job); output != strings.Repeat(input, maxOutput/len(input)) {
				t.Fatalf("run %d printed %d bytes, which begin with %.8q", i, len(output), output)
			}
		}
		if held := memo.batches[0].held; held > maxHeld {
			t.Errorf("%d bytes are in memory", held)
		}
	}
	if runs := host.Runs(); runs <= large || runs >= large+10 {
		t.Errorf("%d runs for twice %d jobs; want most of the second ones from the memo", runs, large)
	}
}
