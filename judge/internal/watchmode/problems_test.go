package watchmode

import (
	"os"
	"strings"
	"testing"
)

// remove removes a file and sends a batch with it.
func (w *testWatch) remove(name string) {
	w.t.Helper()
	if err := os.Remove(w.path(name)); err != nil {
		w.t.Fatal(err)
	}
	w.send(quiet, name)
}

// TestProblemsComeAndGo checks that a new problem is judged as soon as it has a statement, and that
// removing a problem does not count as a failure.
func TestProblemsComeAndGo(t *testing.T) {
	t.Parallel()
	w := startSettled(t, nil, nil)
	w.save("reference/q/main.sh", capitals) // without a statement, q is not a problem yet
	w.commands <- Explain
	w.next("nothing to do", func(e Event) bool { _, ok := e.(*Difference); return ok })
	w.write("cases/q/sample.yaml", sampleFile)
	w.save("problems/q.yaml", strings.Replace(problemFile, "id: p", "id: q", 1))
	check(t, w.settled(), `
		round save q.yaml
		expectations checking
		reference AC
		expectations written
		settled ok`)
	w.remove("problems/q.yaml")
	check(t, w.settled(), `
		round save q.yaml, gone q
		settled ok`)
	w.save("cases/q/sample.yaml", "left behind\n")
	w.save("cases/p/edge.yaml", edgeFile+"\n")
	if got := w.settled(); strings.Contains(got, "failed") || strings.Contains(got, "sample.yaml") {
		t.Errorf("got\n%s", got)
	}
}

// TestBadlyNamedProblem checks that a wrong file name of a problem is reported, and that the other
// problems stay watched.
func TestBadlyNamedProblem(t *testing.T) {
	t.Parallel()
	w := startSettled(t, nil, nil)
	w.save("problems/q.yml", problemFile)
	if got := w.settled(); !strings.Contains(got, "q.yml: not read as a problem") {
		t.Errorf("got\n%s", got)
	}
	w.save("reference/p/main.sh", "tr a-z A-Z # faster\n")
	if got := w.settled(); !strings.HasPrefix(got, "round save main.sh") || !strings.HasSuffix(got, "settled ok\n") {
		t.Errorf("got\n%s", got)
	}
	w.remove("problems/q.yml")
	check(t, w.settled(), `
		round save q.yml, gone q.yml
		settled ok`)
}

// TestBruteRemoved checks that a removed brute is not judged.
func TestBruteRemoved(t *testing.T) {
	t.Parallel()
	w := startSettled(t, map[string]string{"reference/p/brute/main.sh": capitals}, nil)
	w.remove("reference/p/brute/main.sh")
	check(t, w.settled(), `
		round save main.sh
		settled ok`)
}

// TestReportedOnce checks that a wrong pinned output is reported only once, as a pinned output that
// disagrees with the reference.
func TestReportedOnce(t *testing.T) {
	t.Parallel()
	w := startSettled(t, nil, nil)
	w.save("cases/p/sample.yaml", strings.Replace(sampleFile, "HELLO", "HALLO", 1))
	if got := w.settled(); strings.Count(got, "failed") != 1 || !strings.Contains(got, "pinned") {
		t.Errorf("got\n%s", got)
	}
}
