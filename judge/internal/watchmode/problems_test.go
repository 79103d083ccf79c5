package watchmode

import (
	"os"
	"strings"
	"testing"
)

// take removes a file and tells the watch.
func (w *watching) take(name string) {
	w.t.Helper()
	if err := os.Remove(w.path(name)); err != nil {
		w.t.Fatal(err)
	}
	w.tell(quiet, name)
}

// TestProblemsComeAndGo checks that problems are judged as soon as they have a statement, and that
// problems that no longer exist count as no failure.
func TestProblemsComeAndGo(t *testing.T) {
	t.Parallel()
	w := begun(t, nil, nil)
	w.save("reference/q/main.sh", capitals) // not yet
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
	w.take("problems/q.yaml")
	check(t, w.settled(), `
		round save q.yaml, gone q
		settled ok`)
	w.save("cases/q/sample.yaml", "left behind\n")
	w.save("cases/p/edge.yaml", edgeFile+"\n")
	if got := w.settled(); strings.Contains(got, "failed") || strings.Contains(got, "sample.yaml") {
		t.Errorf("got\n%s", got)
	}
}

// TestBadlyNamedProblem checks that the error is reported and the others stay watched.
func TestBadlyNamedProblem(t *testing.T) {
	t.Parallel()
	w := begun(t, nil, nil)
	w.save("problems/q.yml", problemFile)
	if got := w.settled(); !strings.Contains(got, "q.yml: not read as a problem") {
		t.Errorf("got\n%s", got)
	}
	w.save("reference/p/main.sh", "tr a-z A-Z # faster\n")
	if got := w.settled(); !strings.HasPrefix(got, "round save main.sh") || !strings.HasSuffix(got, "settled ok\n") {
		t.Errorf("got\n%s", got)
	}
	w.take("problems/q.yml")
	check(t, w.settled(), `
		round save q.yml, gone q.yml
		settled ok`)
}

// TestBruteTakenAway checks that a removed brute is not judged.
func TestBruteTakenAway(t *testing.T) {
	t.Parallel()
	w := begun(t, map[string]string{"reference/p/brute/main.sh": capitals}, nil)
	w.take("reference/p/brute/main.sh")
	check(t, w.settled(), `
		round save main.sh
		settled ok`)
}

// TestToldOnce wants an edited pinned output told once, by who knows best.
func TestToldOnce(t *testing.T) {
	t.Parallel()
	w := begun(t, nil, nil)
	w.save("cases/p/sample.yaml", strings.Replace(sampleFile, "HELLO", "HALLO", 1))
	if got := w.settled(); strings.Count(got, "failed") != 1 || !strings.Contains(got, "pinned") {
		t.Errorf("got\n%s", got)
	}
}
