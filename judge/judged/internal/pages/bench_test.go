package pages

import (
	"fmt"
	"net/http"
	"slices"
	"testing"
	"time"

	"tribunal/judge/judged/internal/ledger"
	"tribunal/judge/judged/internal/store"
)

// BenchmarkPages measures pages of a course with 500 participants and 5,000 submissions, asked for by one browser at a
// time: the median, and as p95-ms the time that 19 of 20 need at most. x-static is the median divided by that of the
// style sheet, which only copies memory.
func BenchmarkPages(b *testing.B) {
	w := start(b)
	const people, each = 500, 10
	w.problem("a")
	w.problem("b")
	w.contest("c")
	for i := range people {
		login := fmt.Sprintf("p%d", i)
		if err := w.service.SetPerson(b.Context(), "c", ledger.Person{Login: login, Name: "Participant " + login, Role: ledger.Participant}, 0, "root"); err != nil {
			b.Fatal(err)
		}
	}
	v, err := w.service.Version("a", "")
	if err != nil {
		b.Fatal(err)
	}
	source := store.RefOf([]byte("x"))
	source.Inline = []byte("x")
	for i := range people * each {
		w.set(i * 50 / (people * each))
		e := ledger.Event{At: w.now, Submitted: &ledger.Submitted{
			Submitter: fmt.Sprintf("/c/p%d", i%people), Problem: "a", Version: v.ID, Name: "a.cpp", Source: source, Priority: ledger.Batch,
		}}
		if _, err := w.store.Log.Append(b.Context(), ledger.SubmissionSubject(fmt.Sprint("s", i)), 0, ledger.Encode(e)); err != nil {
			b.Fatal(err)
		}
	}
	for watch := w.service.WatchCourse("c"); ; {
		if err := w.service.CatchUp(b.Context()); err != nil {
			b.Fatal(err)
		}
		if w.service.Stats().Waiting == 0 {
			break
		}
		if _, open := <-watch.C; !open {
			watch = w.service.WatchCourse("c")
		}
	}
	if err := w.tokens.SetPassword(b.Context(), "p0", password("p0")); err != nil {
		b.Fatal(err)
	}
	w.set(55)
	one := w.browser("p0")
	static, err := assetPath("judged.css")
	if err != nil {
		b.Fatal(err)
	}
	spend := func(path string) time.Duration {
		begun := time.Now()
		if got := one.get(path); got.StatusCode != http.StatusOK {
			b.Fatalf("%s: %s", path, got.Status)
		}
		return time.Since(begun)
	}
	for _, page := range []struct{ name, path string }{
		{"course", "/c/c"}, {"problem", "/c/c/p/a"}, {"submissions", "/c/c/s"}, {"standings", "/c/c/standings"},
	} {
		b.Run(page.name, func(b *testing.B) {
			var times, floors []time.Duration
			spend(page.path)
			for b.Loop() {
				times, floors = append(times, spend(page.path)), append(floors, spend(static))
			}
			slices.Sort(times)
			slices.Sort(floors)
			b.ReportMetric(float64(times[len(times)*95/100])/1e6, "p95-ms")
			b.ReportMetric(float64(times[len(times)/2])/1e6, "median-ms")
			b.ReportMetric(float64(times[len(times)/2])/float64(floors[len(floors)/2]), "x-static")
		})
	}
}
