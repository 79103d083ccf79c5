package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tribunal/internal/tier"
	"tribunal/judge/internal/build"
	"tribunal/judge/internal/cache/cachetest"
	"tribunal/judge/internal/config"
	"tribunal/judge/internal/engine"
	"tribunal/judge/internal/grade"
	"tribunal/judge/judged/internal/broker"
	"tribunal/judge/judged/internal/broker/brokertest"
	"tribunal/judge/judged/internal/ledger"
	"tribunal/judge/judged/internal/service"
	"tribunal/judge/judged/internal/store"
	"tribunal/judge/judged/internal/store/storetest"
	"tribunal/judge/judged/internal/task"
	"tribunal/judge/lab/doctor"
	"tribunal/judge/packages/checktestdata"
	"tribunal/judge/packages/parcel"
	"tribunal/judge/packages/pkgformat"
)

// TestMain makes the test binary act as the processes that the judge starts from its own binary.
func TestMain(m *testing.M) {
	doctor.Attack()
	checktestdata.Main(build.Interpreter, build.ParseOnly)
	os.Exit(m.Run())
}

const repository = "../.."

// openStore starts an embedded server, and returns its store.
func openStore(t testing.TB) *store.Store {
	t.Helper()
	return brokertest.Open(t, brokertest.Connect(t), broker.Options{})
}

// serve starts a service, and workers with this number of slots each.
func serve(t testing.TB, st *store.Store, o service.Options, slots ...int) *service.Service {
	t.Helper()
	log := slog.New(slog.NewTextHandler(t.Output(), nil))
	o.Log = log
	svc, err := service.New(t.Context(), st, o)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error)
	go func() { done <- svc.Run(ctx) }()
	for i, n := range slots {
		w := workerOptions{root: repository, slots: n, name: fmt.Sprint("worker-", i), noDoctor: true}
		go func() { done <- w.run(ctx, st, log) }()
	}
	t.Cleanup(func() {
		stop()
		for range 1 + len(slots) {
			if err := <-done; err != nil && !errors.Is(err, context.Canceled) {
				t.Error(err)
			}
		}
	})
	return svc
}

// TestSameVerdicts judges the examples of a problem as the command judge does, with a service, and with
// one that judges in parts. All must say the same of each, but for what is measured.
func TestSameVerdicts(t *testing.T) {
	tier.T2(t, "verdicts of a service that judges")
	t.Setenv(config.CacheVariable, cachetest.Dir(t))
	const id = "sum"
	root := filepath.Join("..", "testdata", "repo")
	var names []string
	for _, folder := range []string{"accepted", "wrong_answer", "presentation_error", "run_time_error", "compile_error"} { // the others take long
		found, err := filepath.Glob(filepath.Join(root, "zoo", folder, "*.c"))
		if err != nil || len(found) == 0 {
			t.Fatal(folder, err)
		}
		names = append(names, found[0])
	}
	var archive bytes.Buffer
	if err := parcel.Pack(root, id, &archive); err != nil {
		t.Fatal(err)
	}
	want := local(t, archive.Bytes(), id, names)
	for _, tt := range []struct {
		why     string
		parts   time.Duration
		workers []int
	}{
		{"one worker", 0, []int{2}},
		{"in parts, by two workers", time.Nanosecond, []int{2, 2}},
	} {
		t.Run(tt.why, func(t *testing.T) {
			st := openStore(t)
			svc := serve(t, st, service.Options{Parts: tt.parts}, tt.workers...)
			v, _, err := svc.Upload(t.Context(), service.Upload{ID: id, Archive: archive.Bytes(), Quick: true})
			if err != nil {
				t.Fatal(err)
			}
			if v, err = svc.AwaitCheck(t.Context(), id, v.ID); err != nil || !v.Usable {
				t.Fatal(v.Findings, err)
			}
			parted, patient := false, storetest.Patient(t)
			for i := 0; i < len(names) || parted != (tt.parts > 0) && patient.Err() == nil; i++ { // until the service knows both workers
				name := names[i%len(names)]
				code, err := os.ReadFile(name)
				if err != nil {
					t.Fatal(err)
				}
				sub, _, err := svc.Submit(t.Context(), service.Request{Code: code, Submitted: ledger.Submitted{Submitter: "s", Problem: id, Name: filepath.Base(name), Priority: ledger.Interactive}})
				if err != nil {
					t.Fatal(err)
				}
				r := result(t, svc, sub.ID)
				parted = parted || len(r.Parts) > 1
				got := &outcome{Done: *r.Done}
				for _, c := range r.Cases {
					got.Cases = append(got.Cases, c.Case)
					got.Cases[len(got.Cases)-1].Index = c.Index
				}
				if diff := cmp.Diff(want[name].bare(t), got.bare(t)); diff != "" {
					t.Errorf("%s: judge grade says -, the service +:\n%s", name, diff)
				}
			}
			if parted != (tt.parts > 0) {
				t.Errorf("judged in parts: %v", parted)
			}
		})
	}
}

// outcome holds the fields of a judging that tests compare.
type outcome struct {
	Cases []grade.Case
	Done  grade.Done
}

// bare returns an outcome in JSON, without what is measured.
func (o *outcome) bare(t *testing.T) string {
	t.Helper()
	text, err := json.Marshal(o)
	if err != nil {
		t.Fatal(err)
	}
	var v any
	if err := json.Unmarshal(text, &v); err != nil {
		t.Fatal(err)
	}
	strip(v)
	if text, err = json.MarshalIndent(v, "", " "); err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// measured are the names of fields with measurements, and of those that depend on them.
var measured = map[string]bool{
	"cpu_ns": true, "wall_ns": true, "memory_bytes": true, "waited_ns": true, "attempts": true, "worst": true, "stdout_bytes": true,
}

func strip(v any) {
	switch v := v.(type) {
	case map[string]any:
		for key, inner := range v {
			if measured[key] {
				delete(v, key)
			} else {
				strip(inner)
			}
		}
	case []any:
		for _, inner := range v {
			strip(inner)
		}
	}
}

// local judges submissions as the command judge does.
func local(t *testing.T, archive []byte, id string, names []string) map[string]*outcome {
	t.Helper()
	c, err := config.Load(repository)
	if err != nil {
		t.Fatal(err)
	}
	eng, err := engine.New(repository, c, engine.Hooks{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := eng.Close(); err != nil {
			t.Error(err)
		}
	}()
	if err := eng.Start(2); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), id+".zip")
	if err := os.WriteFile(file, archive, 0o600); err != nil {
		t.Fatal(err)
	}
	p, err := eng.Open(t.Context(), file, pkgformat.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	job, err := p.Task(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		source, err := build.Submission(name, "", "", c.Build.Languages)
		if err != nil {
			t.Fatal(err)
		}
		job.Submissions = append(job.Submissions, grade.Submission{Source: source})
	}
	judged, err := p.Judge().Collect(t.Context(), job)
	if err != nil {
		t.Fatal(err)
	}
	outcomes := map[string]*outcome{}
	for i, j := range judged {
		outcomes[names[i]] = &outcome{Cases: j.Cases, Done: j.Done}
	}
	return outcomes
}

// result waits for the result of a submission.
func result(t *testing.T, svc *service.Service, id string) *task.Result {
	t.Helper()
	if err := svc.CatchUp(t.Context()); err != nil {
		t.Fatal(err)
	}
	sub, w, err := svc.Watch(id)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	for sub == nil || sub.Counts().Status == ledger.Waiting {
		select {
		case u := <-w.C:
			sub = u.Submission
		case <-t.Context().Done():
			t.Fatal(t.Context().Err())
		}
	}
	if j := sub.Counts(); j.Status != ledger.Done {
		t.Fatalf("%s: %s: %s", id, j.Status, j.Error)
	}
	text, err := svc.Result(t.Context(), id, 1)
	if err != nil {
		t.Fatal(err)
	}
	r := &task.Result{}
	if err := json.Unmarshal(text, r); err != nil {
		t.Fatal(err)
	}
	return r
}
