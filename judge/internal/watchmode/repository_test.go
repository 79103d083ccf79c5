package watchmode

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"tribunal/internal/tier"
	"tribunal/judge/internal/build"
	"tribunal/judge/internal/cache"
	"tribunal/judge/internal/cache/cachetest"
	"tribunal/judge/internal/casedata"
	"tribunal/judge/internal/diff"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/run"
	"tribunal/judge/internal/runner"
	"tribunal/judge/internal/sandbox"
	"tribunal/judge/internal/watch"
)

const problemFile = `id: p
title: Capitals
source: Test
limits: {cpu: 10s, wall: 60s, memory: 256MiB, output: 1MiB}
samples: [sample/statement]
statement: Print the input in capitals.
input: A word.
output: The word.
`

const sampleFile = `cases:
  - name: statement
    input: |
      hello
    pinned: true
    output: |
      HELLO
...
`

const edgeFile = `cases:
  - name: one
    input: |
      abc
    output: |
      ABC
  - name: two
    input: |
      def
    output: |
      DEF
...
`

// capitals is the source of a correct program.
const capitals = "tr a-z A-Z\n"

// testWatch runs a watch on a repository with problem p, in which the test saves files. It is the
// watch's Watcher: the test sends the batches.
type testWatch struct {
	t        testing.TB
	root     string
	batches  chan watch.Batch
	commands chan Command
	events   chan Event
	opened   int     // number of engines opened
	seen     []Event // events received by next
}

func (w *testWatch) Batches() <-chan watch.Batch { return w.batches }
func (w *testWatch) Notes() []string             { return nil }
func (w *testWatch) Set([]string) error          { return nil }

// newWatching starts a watch. files are added to the repository first, or replace its files. set
// may change the options.
func newTestWatch(t *testing.T, files map[string]string, set func(*Options)) *testWatch {
	t.Helper()
	w := &testWatch{
		t: t, root: t.TempDir(),
		batches: make(chan watch.Batch), commands: make(chan Command), events: make(chan Event, 10000),
	}
	for name, text := range map[string]string{
		"problems/p.yaml": problemFile, "cases/p/sample.yaml": sampleFile, "cases/p/edge.yaml": edgeFile,
		"reference/p/main.sh": capitals, "runner.yaml": "",
	} {
		w.write(name, text)
	}
	for name, text := range files {
		w.write(name, text)
	}
	store := cachetest.Fresh(t)
	o := Options{Root: w.root, Watcher: w, Open: func() (Engine, error) {
		text, err := os.ReadFile(filepath.Join(w.root, "runner.yaml"))
		if err != nil || len(text) > 0 {
			return nil, errors.Join(err, errors.New("runner.yaml:1: broken"))
		}
		w.opened++
		return newTestEngine(w.root, store)
	}}
	if set != nil {
		set(&o)
	}
	ended := make(chan struct{})
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		defer close(ended)
		if err := Run(ctx, o, w.commands, func(e Event) { w.events <- e }); err != nil && !errors.Is(err, context.Canceled) {
			t.Errorf("the watch ended: %v", err)
		}
	}()
	t.Cleanup(func() {
		cancel()
		<-ended
	})
	return w
}

func (w *testWatch) path(name string) string { return filepath.Join(w.root, name) }

func (w *testWatch) write(name, text string) {
	w.t.Helper()
	path := w.path(name)
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
		w.t.Fatal(err)
	}
}

func (w *testWatch) read(name string) string {
	w.t.Helper()
	text, err := os.ReadFile(w.path(name))
	if err != nil {
		w.t.Fatal(err)
	}
	return string(text)
}

// quiet is the Settled channel of a batch after which the files are quiet.
var quiet = func() chan struct{} {
	c := make(chan struct{})
	close(c)
	return c
}()

// save writes a file and sends a batch with it, after which the files are quiet.
func (w *testWatch) save(name, text string) {
	w.t.Helper()
	w.write(name, text)
	w.send(quiet, name)
}

// send sends a batch of files to the watch.
func (w *testWatch) send(settled <-chan struct{}, names ...string) {
	w.t.Helper()
	var paths []string
	for _, name := range names {
		paths = append(paths, w.path(name))
	}
	select {
	case w.batches <- watch.Batch{Paths: paths, Settled: settled}:
	case <-tier.Late(w.t):
		w.t.Fatal("the watch does not receive the batch")
	}
}

// next waits for the next event for which want returns true. what names the event in messages.
func (w *testWatch) next(what string, want func(Event) bool) Event {
	w.t.Helper()
	timeout := tier.Late(w.t)
	for {
		select {
		case e := <-w.events:
			w.seen = append(w.seen, e)
			if want(e) {
				return e
			}
		case <-timeout:
			w.t.Fatalf("%s did not come; the events were\n%s", what, describe(w.seen))
		}
	}
}

// settled waits until the next round has settled, and describes the events until then.
func (w *testWatch) settled() string {
	w.t.Helper()
	w.seen = nil
	w.next("the end of a round", func(e Event) bool { _, ok := e.(*Settled); return ok })
	return describe(w.seen)
}

// describe renders events, one a line. It leaves out those that differ from run to run.
func describe(list []Event) string {
	var b strings.Builder
	line := func(words ...string) { b.WriteString(strings.TrimSpace(strings.Join(words, " ")) + "\n") }
	for _, e := range list {
		switch e := e.(type) {
		case *Watching:
			line("watching", strings.Join(e.Problems, ","), e.Submission)
		case *Round:
			var names []string
			for _, path := range e.Paths {
				names = append(names, filepath.Base(path))
			}
			text := strings.Join(names, ",")
			if e.Gone != nil {
				text += ", gone " + strings.Join(e.Gone, ",")
			}
			line("round", string(e.Reason), text)
		case *Failed:
			text, _, _ := strings.Cut(e.Err.Error(), "\n")
			line("failed", e.Problem, text)
		case *Expectations:
			var names []string
			for _, c := range e.Plan.Changes {
				names = append(names, c.Case)
			}
			line("expectations", string(e.State), strings.Join(names, ","))
		case *Grading:
			switch g := e.Event.(type) {
			case *grade.Case:
				if g.Verdict.String() != "AC" {
					line(string(e.Role), g.Name, g.Verdict.String())
				}
			case *grade.Done:
				line(string(e.Role), g.Verdict.String())
			}
		case *Difference:
			line("difference", e.Case, e.Cause)
		case *Counterexample:
			line("counterexample", e.Submission, strconv.Quote(string(e.Input)), e.Answer.Verdict.String(), strconv.Itoa(e.Inputs))
		case *Submitted:
			line("submitted", string(e.State), e.Why)
		case *Settled:
			ok := "not ok"
			if e.OK {
				ok = "ok"
			}
			line("settled", ok)
		}
	}
	return b.String()
}

// testEngine runs shell scripts in the real sandbox.
type testEngine struct {
	host    *sandbox.Host
	pool    *run.Pool
	builder *build.Builder
	cache   *cache.Cache
	root    string
}

func newTestEngine(root string, store *cache.Cache) (*testEngine, error) {
	host, err := sandbox.Open(sandbox.Auto)
	if err != nil {
		return nil, err
	}
	return &testEngine{
		host: host, pool: run.NewPool(runner.NewLocal(host, 2), 2, 50*time.Millisecond), cache: store, root: root,
		builder: build.New(build.Options{
			Languages: map[string]build.Language{"sh": {Match: []string{".sh"}, Run: []string{"sh", "{dir}/{main}"}}},
			Cache:     store, Runner: runner.NewLocal(host, 1), Temp: host.Temp(),
		}),
	}, nil
}

func (b *testEngine) limits(p *problem.Problem) limits.Limits {
	l := p.Limits
	l.Processes = 64
	return l
}

func (b *testEngine) Languages() map[string]build.Language { return b.builder.Languages() }
func (b *testEngine) Show() diff.Options                   { return diff.Options{Lines: 4} }
func (b *testEngine) Rest() error                          { return b.pool.ReleaseCPUs() }
func (b *testEngine) Close() error                         { return errors.Join(b.pool.Close(), b.host.Close()) }

func (b *testEngine) Task(_ context.Context, m *casedata.Provider) (grade.Task, error) {
	return grade.Task{Problem: m.Problem, Limits: b.limits(m.Problem), Show: b.Show()}, nil
}

func (b *testEngine) CaseData(p *problem.Problem) *casedata.Provider {
	return &casedata.Provider{
		Problem: p, Limits: b.limits(p), Builder: b.builder, Pool: b.pool, Cache: b.cache,
		Wait: func(context.Context, time.Duration) error { return nil },
	}
}

func (b *testEngine) Judge(m *casedata.Provider, _ bool) *grade.Judge {
	return &grade.Judge{Temp: b.host.Temp(), Pool: b.pool, Builder: b.builder, CaseData: m}
}
