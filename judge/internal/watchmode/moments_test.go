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

// working starts a watch of a submission that runs until it is stopped.
func working(t *testing.T, set func(*Options)) *watching {
	t.Helper()
	w := begun(t, map[string]string{"s.sh": capitals}, func(o *Options) {
		o.Problems, o.Submission = []string{"p"}, o.Root+"/s.sh"
		if set != nil {
			set(o)
		}
	})
	w.runs()
	return w
}

// runs saves a submission that does not end, and returns when it has been built.
func (w *watching) runs() {
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

// TestSavedAndTakenBack checks that a round starts again if a file was saved during it and
// restored, because the round may have read it in between.
func TestSavedAndTakenBack(t *testing.T) {
	t.Parallel()
	w := working(t, nil)
	w.tell(quiet, "s.sh")
	w.next("another round", func(e Event) bool { _, ok := e.(*Round); return ok })
}

// TestSavedElsewhere checks that a round goes on if a file of a problem is saved that is not
// watched.
func TestSavedElsewhere(t *testing.T) {
	t.Parallel()
	w := working(t, nil)
	w.save("problems/q.yaml", "id: q\n")
	w.save("s.sh", capitals)
	if got := w.settled(); strings.Count(got, "round") != 1 || strings.Contains(got, "q.yaml") {
		t.Errorf("got\n%s", got)
	}
}

// TestSavedBeforeWriting saves a case file that the watch is about to write to: the
// save stays, and is what the next round is about, whenever it is told.
func TestSavedBeforeWriting(t *testing.T) {
	t.Parallel()
	w := begun(t, nil, func(o *Options) { o.Ask = true })
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
	w.tell(quiet, "cases/p/edge.yaml")
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
	w := begun(t, map[string]string{"s.sh": capitals}, func(o *Options) {
		o.Ask, o.Problems, o.Submission = true, []string{"p"}, o.Root+"/s.sh"
	})
	w.save("reference/p/main.sh", "tr a-z A-Z | sed s/ABC/abc/\n")
	w.settled()
	w.runs()
	w.seen = nil
	w.commands <- Write
	w.next("another round", func(e Event) bool { _, ok := e.(*Round); return ok })
	check(t, describe(w.seen), `
		expectations written edge/one
		round save s.sh`)
}

// TestExplainWithoutEngine asks for a difference while nothing can be judged.
func TestExplainWithoutEngine(t *testing.T) {
	t.Parallel()
	w := begun(t, map[string]string{"s.sh": "cat\n"}, func(o *Options) {
		o.Problems, o.Submission = []string{"p"}, o.Root+"/s.sh"
	})
	w.save("runner.yaml", "slots: none\n")
	w.settled()
	w.seen = nil
	w.commands <- Explain
	w.next("the answer", func(e Event) bool { _, ok := e.(*Difference); return ok })
	check(t, describe(w.seen), "difference")
}

// TestLentPackageBroken checks that a file outside of a program's folder that broke the program
// stays watched, so that correcting it starts a round.
func TestLentPackageBroken(t *testing.T) {
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
	learn := func() { l.learn([]string{"a"}, build.Defaults()) }
	learn()
	write("shared/shared.go", "packag shared\n")
	for range 2 {
		learn()
		if got := l.outside(); !slices.Equal(got, []string{filepath.Join(root, "shared")}) || len(l.Affects(filepath.Join(root, "shared/shared.go"))) != 1 {
			t.Errorf("outside of reference/ are watched: %q", got)
		}
	}
}
