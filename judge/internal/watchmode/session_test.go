package watchmode

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"tribunal/internal/tier"
	"tribunal/judge/internal/grade"
)

// startSettled starts a watch and waits until its first round has settled.
func startSettled(t *testing.T, files map[string]string, set func(*Options)) *testWatch {
	t.Helper()
	w := newTestWatch(t, files, set)
	w.settled()
	return w
}

func check(t *testing.T, got, want string) {
	t.Helper()
	if want = strings.ReplaceAll(strings.TrimSpace(want), "\t", "") + "\n"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestStart checks that a watch begins by judging everything and writing a missing lock.
func TestStart(t *testing.T) {
	t.Parallel()
	w := newTestWatch(t, nil, nil)
	check(t, w.settled(), `
		watching p
		round start
		expectations checking
		reference AC
		expectations written
		settled ok`)
	if !strings.Contains(w.read("cases/p/lock.yaml"), "edge/one") {
		t.Error("no lock was written")
	}
	// The files that the watch itself has written do not count as changed.
	w.send(quiet, "cases/p/lock.yaml", "cases/p/edge.yaml")
	// Where no output changes, the lock is written with the next change, or when the user says so.
	before := w.read("cases/p/lock.yaml")
	w.save("reference/p/main.sh", "tr a-z A-Z # faster\n")
	check(t, w.settled(), `
		round save main.sh
		expectations fresh
		reference AC
		expectations outdated
		settled ok`)
	if w.read("cases/p/lock.yaml") != before {
		t.Error("the lock was written although no output changed")
	}
	w.commands <- Write
	w.next("writing", func(e Event) bool {
		x, ok := e.(*Expectations)
		return ok && x.State == Written
	})
	if w.read("cases/p/lock.yaml") == before {
		t.Error("the command Write did not renew the lock")
	}
	w.save("reference/p/main.sh", "tr a-z A-Z # still faster\n")
	w.settled()
	before = w.read("cases/p/lock.yaml")
	w.save("cases/p/edge.yaml", strings.Replace(edgeFile, "abc", "abd", 1))
	if w.settled(); w.read("cases/p/lock.yaml") == before {
		t.Error("a change of an output did not renew the lock")
	}
}

func TestReferenceChanges(t *testing.T) {
	t.Parallel()
	w := startSettled(t, nil, nil)
	w.save("reference/p/main.sh", "tr a-z A-Z | sed s/ABC/abc/\n")
	check(t, w.settled(), `
		round save main.sh
		expectations checking edge/one
		reference AC
		expectations written edge/one
		settled ok`)
	if got := w.read("cases/p/edge.yaml"); got != strings.Replace(edgeFile, "ABC", "abc", 1) {
		t.Errorf("the case file is\n%s", got)
	}
	w.save("reference/p/main.sh", "cat\n")
	got := w.settled()
	if !strings.Contains(got, "failed p") || !strings.Contains(got, "pinned") || !strings.Contains(got, "reference WA") || !strings.HasSuffix(got, "settled not ok\n") {
		t.Errorf("a reference that fails a pinned case:\n%s", got)
	}
	if got := w.read("cases/p/edge.yaml"); got != strings.Replace(edgeFile, "ABC", "abc", 1) {
		t.Errorf("written in spite of a pinned case:\n%s", got)
	}
	w.save("reference/p/main.sh", capitals)
	if got := w.settled(); !strings.HasSuffix(got, "expectations written edge/one\nsettled ok\n") || w.read("cases/p/edge.yaml") != edgeFile {
		t.Errorf("after the correction:\n%s", got)
	}
}

// TestCancel checks that a save while a submission runs stops the run, and starts a round that
// judges the new submission.
func TestCancel(t *testing.T) {
	t.Parallel()
	w := startSettled(t, map[string]string{"s.sh": capitals}, func(o *Options) {
		o.Problems, o.Submission = []string{"p"}, o.Root+"/s.sh"
	})
	w.save("s.sh", "sleep 1000\n")
	w.next("judging", func(e Event) bool {
		g, ok := e.(*Grading)
		if !ok {
			return false
		}
		_, ok = g.Event.(*grade.Built)
		return ok
	})
	w.save("s.sh", "cat\n")
	check(t, w.settled(), `
		round save s.sh
		submission sample/statement WA
		submission edge/one WA
		submission edge/two WA
		submission WA
		settled not ok`)
}

// TestFailedFirst checks that the cases that failed last time are judged first, then the samples.
func TestFailedFirst(t *testing.T) {
	t.Parallel()
	w := startSettled(t, map[string]string{"s.sh": "tr a-z A-Z | sed s/DEF/def/\n"}, func(o *Options) {
		o.Problems, o.Submission = []string{"p"}, o.Root+"/s.sh"
	})
	w.save("s.sh", "cat\n")
	check(t, w.settled(), `
		round save s.sh
		submission edge/two WA
		submission sample/statement WA
		submission edge/one WA
		submission WA
		settled not ok`)
}

func TestBrokenFiles(t *testing.T) {
	t.Parallel()
	w := startSettled(t, nil, nil)
	w.save("cases/p/edge.yaml", strings.Replace(edgeFile, "output:", "ouput:", 1))
	if got := w.settled(); !strings.Contains(got, "edge.yaml:5") || strings.Count(got, "failed") != 1 {
		t.Errorf("a misspelled key:\n%s", got)
	}
	w.save("cases/p/edge.yaml", edgeFile)
	if got := w.settled(); !strings.HasSuffix(got, "settled ok\n") {
		t.Errorf("after the correction:\n%s", got)
	}
	w.save("runner.yaml", "slots: none\n")
	check(t, w.settled(), `
		round save runner.yaml
		failed  runner.yaml:1: broken
		settled not ok`)
	w.save("runner.yaml", "")
	if got := w.settled(); !strings.HasSuffix(got, "reference AC\nsettled ok\n") || w.opened != 2 {
		t.Errorf("after the correction (%d engines):\n%s", w.opened, got)
	}
}

// TestInvalidInput checks that an input that the validator refuses is reported.
func TestInvalidInput(t *testing.T) {
	t.Parallel()
	w := startSettled(t, map[string]string{"reference/p/check/main.sh": "grep -q '^[a-z]*$' && exit 42; echo letters only >&2; exit 43\n"}, nil)
	w.save("cases/p/edge.yaml", strings.Replace(edgeFile, "abc", "a1c", 1))
	if got := w.settled(); !strings.Contains(got, "edge.yaml:3: case one: the input is not valid: letters only\n") || !strings.HasSuffix(got, "settled not ok\n") {
		t.Errorf("got\n%s", got)
	}
	w.save("reference/p/check/main.sh", "exit 42\n")
	if got := w.settled(); !strings.HasSuffix(got, "settled ok\n") {
		t.Errorf("got\n%s", got)
	}
}

// TestNoNews checks that no round starts for files that have not changed, or that no problem uses.
func TestNoNews(t *testing.T) {
	t.Parallel()
	w := startSettled(t, map[string]string{"reference/p/README.md": "x\n", "problems/q.txt": "x\n"}, nil)
	w.send(quiet, "reference/p/main.sh", "reference", "cases/p") // same content
	w.save("problems/q.txt", "y\n")                              // not a problem
	w.save("cases/p/mutants.yaml", "y\n")
	w.save("cases/p/edge.yaml", strings.Replace(edgeFile, "abc", "abd", 1))
	if got := w.settled(); !strings.HasPrefix(got, "round save edge.yaml,") && !strings.HasPrefix(got, "round save edge.yaml\n") {
		t.Errorf("got\n%s", got)
	}
}

// TestHalfASave checks that an error is not reported if it is corrected before the files are quiet.
func TestHalfASave(t *testing.T) {
	t.Parallel()
	w := startSettled(t, nil, nil)
	w.write("cases/p/edge.yaml", "cases:\n")
	w.send(make(chan struct{}), "cases/p/edge.yaml")
	w.next("the round", func(e Event) bool { _, ok := e.(*Round); return ok })
	w.save("cases/p/edge.yaml", strings.Replace(edgeFile, "abc", "xyz", 1))
	w.next("the end", func(e Event) bool { _, ok := e.(*Settled); return ok })
	if got := describe(w.seen); strings.Contains(got, "failed") || !strings.Contains(got, "expectations written edge/one") {
		t.Errorf("got\n%s", got)
	}
}

// TestAsk checks that new expected outputs wait for the command Write, and that programs are judged
// by them before that.
func TestAsk(t *testing.T) {
	t.Parallel()
	w := newTestWatch(t, map[string]string{"s.sh": capitals}, func(o *Options) {
		o.Ask, o.Problems, o.Submission = true, []string{"p"}, o.Root+"/s.sh"
	})
	w.settled()
	w.save("reference/p/main.sh", "tr a-z A-Z | sed s/ABC/abc/\n")
	if got := w.settled(); !strings.Contains(got, "expectations pending edge/one\n") || !strings.Contains(got, "submission edge/one WA") {
		t.Errorf("got\n%s", got)
	}
	if w.read("cases/p/edge.yaml") != edgeFile {
		t.Error("written without being asked")
	}
	w.save("s.sh", "tr a-z A-Z | sed s/ABC/abc/\n")
	if got := w.settled(); !strings.Contains(got, "submission AC") {
		t.Errorf("the pending expectations are not judged by:\n%s", got)
	}
	w.commands <- Write
	w.next("writing", func(e Event) bool {
		x, ok := e.(*Expectations)
		return ok && x.State == Written
	})
	if w.read("cases/p/edge.yaml") == edgeFile {
		t.Error("not written")
	}
}

func TestCommands(t *testing.T) {
	t.Parallel()
	w := startSettled(t, map[string]string{"s.sh": "sed s/abc/ABC/\n"}, func(o *Options) {
		o.Problems, o.Submission = []string{"p"}, o.Root+"/s.sh"
	})
	w.seen = nil
	w.commands <- OnlyFails
	w.next("the end of the round", func(e Event) bool { _, ok := e.(*Settled); return ok })
	for _, e := range w.seen {
		if stage, ok := e.(*Stage); ok && strings.Contains(stage.What, "reference") {
			t.Errorf("OnlyFails ran the reference: %s", stage.What)
		}
	}
	check(t, describe(w.seen), `
		round fails
		submission sample/statement WA
		submission edge/two WA
		submission WA
		settled not ok`)
	w.seen = nil
	w.commands <- Explain
	w.next("the difference", func(e Event) bool { _, ok := e.(*Difference); return ok })
	check(t, describe(w.seen), `difference sample/statement differs from line 1, column 1`)
	w.commands <- Repeat
	if got := w.settled(); !strings.HasPrefix(got, "round again\n") {
		t.Errorf("got\n%s", got)
	}
	w.commands <- Everything
	if got := w.settled(); !strings.HasPrefix(got, "round all\n") || strings.Count(got, "WA") != 3 {
		t.Errorf("got\n%s", got)
	}
}

// TestOnlyFails checks that only programs with an unexpected verdict are judged again, on the cases
// that they failed.
func TestOnlyFails(t *testing.T) {
	t.Parallel()
	example, brute := "reference/p/submissions/wrong_answer/cat.sh", "reference/p/brute/main.sh"
	w := startSettled(t, nil, nil)
	w.save(example, "cat\n")
	w.settled()
	w.commands <- OnlyFails // nothing to do: the example gets its expected verdict
	w.save(brute, "tr a-z A-Z | sed s/DEF/def/\n")
	if got := w.settled(); !strings.HasPrefix(got, "round save") || strings.Contains(got, "fails") {
		t.Errorf("got\n%s", got)
	}
	w.commands <- OnlyFails
	check(t, w.settled(), `
		round fails
		brute edge/two WA
		brute WA
		settled not ok`)
	w.save(brute, capitals)
	w.settled()
	w.save("cases/p/edge.yaml", "cases:\n")
	w.settled()
	w.write("cases/p/edge.yaml", edgeFile)
	w.commands <- OnlyFails // reads the broken file again
	check(t, w.settled(), `
		round fails
		expectations fresh
		reference AC
		settled ok`)
	w.write(example, capitals)
	w.send(quiet, example)
	w.settled()
	w.remove(example)
	w.settled()
	w.commands <- OnlyFails // nothing to do: the example with a wrong verdict is removed
	w.save(brute, "tr a-z A-Z # faster\n")
	if got := w.settled(); !strings.HasPrefix(got, "round save") {
		t.Errorf("got\n%s", got)
	}
}

func TestExamples(t *testing.T) {
	t.Parallel()
	w := startSettled(t, map[string]string{"reference/p/submissions/wrong_answer/cat.sh": "cat\n"}, nil)
	w.save("reference/p/submissions/wrong_answer/cat.sh", "cat # still\n")
	if got := w.settled(); !strings.HasSuffix(got, "example WA\nsettled ok\n") || strings.Contains(got, "reference") {
		t.Errorf("got\n%s", got)
	}
	w.save("reference/p/brute/main.sh", "cat # wrong\n")
	if got := w.settled(); !strings.HasSuffix(got, "brute WA\nsettled not ok\n") {
		t.Errorf("got\n%s", got)
	}
}

// TestNoSaveIsLost saves at random moments, and checks that the last round judges the final content
// of the files.
func TestNoSaveIsLost(t *testing.T) {
	t.Parallel()
	tier.T2(t, "saves at random moments")
	rounds := 10
	if tier.All() {
		rounds = 40
	}
	w := startSettled(t, map[string]string{"s.sh": capitals}, func(o *Options) {
		o.Problems, o.Submission = []string{"p"}, o.Root+"/s.sh"
	})
	random := rand.New(rand.NewPCG(1, 2))
	programs := []string{capitals, "tr a-z A-Z | sed s/ABC/abc/\n", "cat\n", "exit 1\n"}
	for n := range rounds {
		var program, reference int
		for range 1 + random.IntN(6) {
			program, reference = random.IntN(len(programs)), random.IntN(2)
			w.write("s.sh", fmt.Sprintf("%s# %d\n", programs[program], n))
			w.write("reference/p/main.sh", programs[reference])
			w.send(quiet, "s.sh", "reference/p/main.sh")
			if random.IntN(2) == 0 { // let the watch proceed
				w.commands <- Explain
				w.next("an answer", func(Event) bool { return len(w.events) == 0 || random.IntN(3) == 0 })
			}
		}
		// Explain is answered when there is nothing else to do.
		w.seen = nil
		w.next("a lull", func(Event) bool { return len(w.events) == 0 })
		w.commands <- Explain
		w.next("the answer", func(e Event) bool { _, ok := e.(*Difference); return ok && len(w.events) == 0 })
		w.seen = nil
		w.save("s.sh", fmt.Sprintf("%s# %d at last\n", programs[program], n))
		w.next("the round", func(e Event) bool { _, ok := e.(*Round); return ok })
		got := w.settled()
		if right := program == reference; right != strings.Contains(got, "submission AC") {
			t.Errorf("program %d by reference %d:\n%s", program, reference, got)
		}
		if inFile := strings.Contains(w.read("cases/p/edge.yaml"), "      ABC\n"); inFile != (reference == 0) {
			t.Errorf("reference %d left\n%s", reference, w.read("cases/p/edge.yaml"))
		}
	}
}
