package watchmode

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/grade"
)

// startJudging starts a watch, and returns while it judges a submission that does not end.
func startJudging(t *testing.T, set func(*Options)) *testWatch {
	t.Helper()
	w := startSettled(t, map[string]string{"s.sh": capitals}, func(o *Options) {
		o.Problems, o.Submission = []string{"p"}, o.Root+"/s.sh"
		if set != nil {
			set(o)
		}
	})
	w.saveEndless()
	return w
}

// saveEndless saves a submission that does not end, and returns when the watch has built it.
func (w *testWatch) saveEndless() {
	w.t.Helper()
	w.save("s.sh", "sleep 1000\n")
	w.next("judging", func(e Event) bool {
		g, ok := e.(*Grading)
		if !ok {
			return false
		}
		_, ok = g.Event.(*grade.Built)
		return ok
	})
}

// TestSavedAndTakenBack checks that a round starts again if a file was changed and restored while
// it ran, because the round may have read the changed file.
func TestSavedAndTakenBack(t *testing.T) {
	t.Parallel()
	w := startJudging(t, nil)
	w.send(quiet, "s.sh")
	w.next("another round", func(e Event) bool { _, ok := e.(*Round); return ok })
}

// TestSavedElsewhere checks that saving a file of an unwatched problem does not stop a round.
func TestSavedElsewhere(t *testing.T) {
	t.Parallel()
	w := startJudging(t, nil)
	w.save("problems/q.yaml", "id: q\n")
	w.save("s.sh", capitals)
	if got := w.settled(); strings.Count(got, "round") != 1 || strings.Contains(got, "q.yaml") {
		t.Errorf("got\n%s", got)
	}
}

// TestSavedBeforeWriting saves a case file that the watch is about to write. It checks that the
// watch does not overwrite the save, and that the next round works on it even if its batch comes
// late.
func TestSavedBeforeWriting(t *testing.T) {
	t.Parallel()
	w := startSettled(t, nil, func(o *Options) { o.Ask = true })
	w.save("reference/p/main.sh", "tr a-z A-Z | sed s/ABC/abc/\n")
	w.settled()
	saved := strings.Replace(edgeFile, "def", "xyz", 1)
	w.write("cases/p/edge.yaml", saved)
	w.commands <- Write
	w.next("a refusal", func(e Event) bool {
		f, ok := e.(*Failed)
		return ok && strings.Contains(f.Err.Error(), "changed while")
	})
	if w.read("cases/p/edge.yaml") != saved {
		t.Fatal("the save is lost")
	}
	w.send(quiet, "cases/p/edge.yaml")
	check(t, w.settled(), `
		round save edge.yaml
		expectations checking edge/one,edge/two
		reference AC
		expectations pending edge/one,edge/two
		settled ok`)
}

// TestWriteMeanwhile checks that Write during a round writes the pending expected outputs, and that
// the round starts again.
func TestWriteMeanwhile(t *testing.T) {
	t.Parallel()
	w := startSettled(t, map[string]string{"s.sh": capitals}, func(o *Options) {
		o.Ask, o.Problems, o.Submission = true, []string{"p"}, o.Root+"/s.sh"
	})
	w.save("reference/p/main.sh", "tr a-z A-Z | sed s/ABC/abc/\n")
	w.settled()
	w.saveEndless()
	w.seen = nil
	w.commands <- Write
	w.next("another round", func(e Event) bool { _, ok := e.(*Round); return ok })
	check(t, describe(w.seen), `
		expectations written edge/one
		round save s.sh`)
}

// TestExplainWithoutEngine checks that Explain is answered while runner.yaml is broken.
func TestExplainWithoutEngine(t *testing.T) {
	t.Parallel()
	w := startSettled(t, map[string]string{"s.sh": "cat\n"}, func(o *Options) {
		o.Problems, o.Submission = []string{"p"}, o.Root+"/s.sh"
	})
	w.save("runner.yaml", "slots: none\n")
	w.settled()
	w.seen = nil
	w.commands <- Explain
	w.next("the answer", func(e Event) bool { _, ok := e.(*Difference); return ok })
	check(t, describe(w.seen), "difference")
}

// TestSharedPackageBroken checks that a file outside of a program's folder stays watched after a
// mistake in it, so that correcting it starts a round.
func TestSharedPackageBroken(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	write := func(name, text string) {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("go.mod", "module m\n\ngo 1.26\n")
	write("reference/a/main.go", "package main\n\nimport _ \"m/shared\"\n\nfunc main() {}\n")
	write("shared/shared.go", "package shared\n")
	l := &repositoryLayout{root: root}
	readSources := func() { l.readSources([]string{"a"}, build.Defaults()) }
	readSources()
	write("shared/shared.go", "packag shared\n")
	for range 2 {
		readSources()
		if got := l.outside(); !slices.Equal(got, []string{filepath.Join(root, "shared")}) || len(l.Affects(filepath.Join(root, "shared/shared.go"))) != 1 {
			t.Errorf("watched folders outside of reference/: %q", got)
		}
	}
}
