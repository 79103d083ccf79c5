package main

import (
	"archive/zip"
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/cache/cachetest"
	"tribunal/judge/internal/config"
	"tribunal/judge/internal/engine"
	"tribunal/judge/internal/grade"
	"tribunal/judge/judged/internal/ledger"
	"tribunal/judge/judged/internal/service"
	"tribunal/judge/packages/parcel"
	"tribunal/judge/packages/pkgformat"
)

// load is a submission of benchmarks: a program for a problem.
type load struct {
	problem string
	archive []byte // of the problem
	name    string // of the source
	code    []byte
}

// small is a program that judges each case of a real problem in a few milliseconds.
func small(b *testing.B) load {
	b.Helper()
	l := load{problem: "game", name: "gray.c"}
	var archive bytes.Buffer
	if err := parcel.Pack(repository, l.problem, &archive); err != nil {
		b.Fatal(err)
	}
	l.archive = archive.Bytes()
	var err error
	if l.code, err = os.ReadFile(filepath.Join(repository, "reference", l.problem, "submissions", "accepted", l.name)); err != nil {
		b.Fatal(err)
	}
	return l
}

// spinner takes 100 ms of CPU time for each case.
const spinner = `#include <stdio.h>
#include <time.h>

int main(void) {
	struct timespec t;
	do
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	while (t.tv_sec == 0 && t.tv_nsec < 100000000);
	int c;
	while ((c = getchar()) != EOF)
		putchar(c);
}
`

// spinning is a problem of ten cases, and a program that takes 100 ms of CPU time for each.
func spinning(b *testing.B) load {
	b.Helper()
	files := map[string]string{"problem.yaml": "name: Copy\n", ".timelimit": "2\n"}
	for i := range 10 {
		files[fmt.Sprintf("data/secret/%d.in", i)] = fmt.Sprintln(i)
		files[fmt.Sprintf("data/secret/%d.ans", i)] = fmt.Sprintln(i)
	}
	var archive bytes.Buffer
	z := zip.NewWriter(&archive)
	for name, text := range files {
		w, err := z.Create("copy/" + name)
		if err == nil {
			_, err = w.Write([]byte(text))
		}
		if err != nil {
			b.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		b.Fatal(err)
	}
	return load{problem: "copy", archive: archive.Bytes(), name: "spin.c", code: []byte(spinner)}
}

// publish uploads the problem of a load, and waits until it can be judged.
func (l *load) publish(b *testing.B, svc *service.Service) {
	b.Helper()
	v, _, err := svc.Upload(b.Context(), service.Upload{ID: l.problem, Archive: l.archive, Quick: true})
	if err != nil {
		b.Fatal(err)
	}
	if v, err = svc.AwaitCheck(b.Context(), l.problem, v.ID); err != nil || !v.Usable {
		b.Fatal(v.Findings, err)
	}
}

// request hands the program in, for one of seven submitters.
func (l *load) request(n int) service.Request {
	return service.Request{Code: l.code, Submitted: ledger.Submitted{
		Submitter: fmt.Sprint(n % 7), Problem: l.problem, Name: l.name, Priority: ledger.Batch,
	}}
}

// BenchmarkThroughput judges the same submissions with one engine and with the service, each from
// sources to verdicts with compiled programs in the cache, and reports the median of the ratios of the
// times: 1 means that the service costs nothing.
func BenchmarkThroughput(b *testing.B) {
	b.Run("small cases", func(b *testing.B) { throughput(b, small(b), 50) })
	b.Run("cases of 100 ms", func(b *testing.B) { throughput(b, spinning(b), 10) })
}

func throughput(b *testing.B, l load, submissions int) {
	const slots = 2
	b.Setenv(config.CacheVariable, cachetest.Dir(b))
	svc := serve(b, openStore(b), service.Options{}, slots)
	l.publish(b, svc)
	direct := alone(b, l, slots, submissions)
	n := 0
	served := func() time.Duration {
		start := time.Now()
		w := svc.WatchAll(func(sub *ledger.Submission) bool { return sub.Counts().Status == ledger.Done })
		defer w.Close()
		for range submissions {
			n++
			if _, _, err := svc.Submit(b.Context(), l.request(n)); err != nil {
				b.Fatal(err)
			}
		}
		for range submissions {
			<-w.C
		}
		return time.Since(start)
	}
	direct()
	served()
	var one, other quantiles
	var ratios []float64
	for b.Loop() { // in turns, because this host is not always as fast
		before, with, after := direct(), served(), direct()
		one, other = append(one, (before+after)/2), append(other, with)
		ratios = append(ratios, float64(before+after)/2/float64(with))
	}
	slices.Sort(ratios)
	each := float64(submissions)
	b.ReportMetric(0, "ns/op") // of both
	b.ReportMetric(float64(one.at(50).Nanoseconds())/each, "ns/direct")
	b.ReportMetric(float64(other.at(50).Nanoseconds())/each, "ns/served")
	b.ReportMetric(ratios[len(ratios)/2], "throughput")
}

// alone returns a function that judges a load as judge grade does, and returns how long it takes.
func alone(b *testing.B, l load, slots, submissions int) func() time.Duration {
	b.Helper()
	c, err := config.Load(repository)
	if err != nil {
		b.Fatal(err)
	}
	eng, err := engine.New(repository, c, engine.Hooks{})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = eng.Close() })
	if err := eng.Start(slots); err != nil {
		b.Fatal(err)
	}
	file := filepath.Join(b.TempDir(), l.problem+".zip")
	if err := os.WriteFile(file, l.archive, 0o600); err != nil {
		b.Fatal(err)
	}
	p, err := eng.Open(b.Context(), file, pkgformat.Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = p.Close() })
	job, err := p.Task(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	source, err := build.Read(l.name, l.name, bytes.NewReader(l.code), "", c.Build.Languages)
	if err != nil {
		b.Fatal(err)
	}
	for range submissions {
		job.Submissions = append(job.Submissions, grade.Submission{Source: source})
	}
	return func() time.Duration {
		start := time.Now()
		judged, err := p.Judge().Collect(b.Context(), job)
		if err != nil {
			b.Fatal(err)
		}
		for _, j := range judged {
			if j.Done.Passed != len(job.Cases) {
				b.Fatalf("%d of %d cases passed: %s", j.Done.Passed, len(job.Cases), j.Done.Cause)
			}
		}
		return time.Since(start)
	}
}

// quantiles are the times of many calls.
type quantiles []time.Duration

// report reports the median, and the time within which 95 and 99 of 100 calls were done.
func (q quantiles) report(b *testing.B) {
	for _, p := range []int{50, 95, 99} {
		b.ReportMetric(float64(q.at(p).Nanoseconds()), fmt.Sprintf("ns-p%d", p))
	}
}

// at returns the time within which p of 100 calls were done.
func (q quantiles) at(p int) time.Duration {
	slices.Sort(q)
	return q[int(math.Ceil(float64(len(q)*p)/100))-1]
}

// open calls do at a fixed rate, for each iteration of a benchmark once, and does not wait for the
// calls before. It returns how long the calls took, each from the time at which it was due.
func open(b *testing.B, perSecond int, do func(n int) error) (q quantiles) {
	b.Helper()
	var (
		calls sync.WaitGroup
		mu    sync.Mutex
		fault error
	)
	start := time.Now()
	for n := 0; b.Loop(); n++ {
		due := start.Add(time.Duration(n) * time.Second / time.Duration(perSecond))
		time.Sleep(time.Until(due))
		calls.Go(func() {
			err := do(n)
			took := time.Since(due)
			mu.Lock()
			defer mu.Unlock()
			q = append(q, took)
			if err != nil {
				fault = err
			}
		})
	}
	calls.Wait()
	if fault != nil {
		b.Fatal(fault)
	}
	return q
}
