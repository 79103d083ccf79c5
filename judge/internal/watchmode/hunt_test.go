package watchmode

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tribunal/internal/tier"
	"tribunal/judge/internal/verdict"
	"tribunal/judge/lab/stress"
)

// words is a generator of words: of one letter, and longer ones with z in them.
const words = `case "$1" in
-list) echo "word: a word" ;;
-ladder) echo "1 word -length=1"; echo "4 word -length=4" ;;
word) case "$2" in -length=1) echo a ;; *) echo bzzb ;; esac ;;
*) echo "unknown family" >&2; exit 2 ;;
esac
`

// lower is a validator of words in lower case. It offers no smaller ones.
const lower = `[ "$1" = -reduce ] && exit
grep -qx '[a-z]*' && exit 42
echo "want a word" >&2
exit 43
`

// hunted starts a watch of a submission that looks for counterexamples for a long time.
func hunted(t *testing.T, submission string, files map[string]string) *testWatch {
	t.Helper()
	all := map[string]string{"s.sh": submission, "reference/p/check/main.sh": lower, "reference/p/gen/main.sh": words}
	for name, text := range files {
		all[name] = text
	}
	for name, text := range all {
		if text == "" {
			delete(all, name)
		}
	}
	return newTestWatch(t, all, func(o *Options) {
		o.Problems, o.Submission, o.Hunt, o.Search = []string{"p"}, filepath.Join(o.Root, "s.sh"), time.Hour, smallest
	})
}

// smallest searches as judge watch does.
func smallest(ctx context.Context, h Hunting) (*Found, error) {
	s := &stress.Search{Judge: h.Judge, Task: h.Task, A: stress.Side{Name: h.Name, Program: h.Program, Limits: h.Task.Limits}, Given: h.Given}
	found, err := s.Smallest(ctx, h.CaseData, h.Seed, h.Failed, h.Slow, h.Time/2)
	if found == nil || err != nil {
		return nil, err
	}
	return &Found{found.Number, found.Input, found.Want, Answer(found.A)}, nil
}

func (w *testWatch) counterexample() *Counterexample {
	w.t.Helper()
	return w.next("a counterexample", func(e Event) bool { _, ok := e.(*Counterexample); return ok }).(*Counterexample)
}

// TestHunt checks that a watch finds the smallest input on which a submission fails, and that nothing
// else than the failure of a submission makes it look.
func TestHunt(t *testing.T) {
	t.Parallel()
	w := hunted(t, "cat\n", nil)
	w.settled()
	if c := w.counterexample(); string(c.Input) != "a\n" || string(c.Want) != "A\n" || c.Answer.Verdict != verdict.WA || c.Inputs != 1 || c.Role != Submission || c.Case != "sample/statement" {
		t.Errorf("%+v", c)
	}
	w.save("s.sh", capitals)
	w.settled()
	w.commands <- Quit
	for _, e := range w.seen {
		if _, found := e.(*Counterexample); found {
			t.Errorf("found one for a right program:\n%s", describe(w.seen))
		}
	}
}

// TestHuntShrinksTheCase checks that the failed case is made smaller if the generator's inputs show
// nothing, or if there is no generator.
func TestHuntShrinksTheCase(t *testing.T) {
	t.Parallel()
	for why, generator := range map[string]string{"no generator": "", "a broken generator": "exit 3\n"} {
		w := hunted(t, "tr a-z A-Z | sed s/B.*//\n", map[string]string{"reference/p/gen/main.sh": generator, "cases/p/edge.yaml": `cases:
  - name: one
    input: |
      a

      abc

      d
    output: |
      A

      ABC

      D
...
`, "reference/p/check/main.sh": strings.Replace(lower, "grep -qx '[a-z]*'", "! grep -qvx '[a-z]*'", 1)})
		if got := w.settled(); !strings.Contains(got, "submission edge/one WA") {
			t.Fatalf("%s:\n%s", why, got)
		}
		if c := w.counterexample(); string(c.Input) != "abc\n" || c.Inputs != 0 || c.Case != "edge/one" {
			t.Errorf("%s: %+v", why, c)
		}
	}
}

// TestHuntIsSilent checks that a watch says nothing if it can find nothing smaller, and that a save
// stops the search at once.
func TestHuntIsSilent(t *testing.T) {
	t.Parallel()
	tier.T2(t, "searches that find nothing")
	for why, files := range map[string]map[string]string{
		"no validator":                 {"reference/p/check/main.sh": ""},
		"a validator that fails":       {"reference/p/check/main.sh": "exit 1\n"},
		"a generator that never ends":  {"reference/p/gen/main.sh": "case $1 in -ladder|-list) ;; *) while :; do :; done; esac; " + words},
		"nothing smaller than a case":  {"reference/p/gen/main.sh": "", "cases/p/sample.yaml": strings.NewReplacer("hello", "a", "HELLO", "A").Replace(sampleFile)},
		"a program that fails nowhere": {"s.sh": capitals},
	} {
		w := hunted(t, "cat\n", files)
		for i := range 2 {
			w.seen = nil
			w.next("the end of a round", func(e Event) bool { _, ok := e.(*Settled); return ok })
			for _, e := range w.seen {
				if _, found := e.(*Counterexample); found {
					t.Errorf("%s:\n%s", why, describe(w.seen))
				}
			}
			w.save("s.sh", "cat #"+strings.Repeat("x", i)+"\n")
		}
	}
}

// TestHuntGivesWay checks that the whole difference is shown while a watch looks for a counterexample.
func TestHuntGivesWay(t *testing.T) {
	t.Parallel()
	w := hunted(t, "cat\n", map[string]string{"reference/p/gen/main.sh": "case $1 in -ladder) ;; *) while :; do :; done; esac; " + words})
	w.settled()
	w.commands <- Explain
	if d := w.next("a difference", func(e Event) bool { _, ok := e.(*Difference); return ok }).(*Difference); d.Case != "sample/statement" {
		t.Errorf("%+v", d)
	}
}

// TestHuntIgnoresUnchangedFiles checks that files with their old contents, such as those that the watch
// has just written itself, neither stop the search nor begin a round.
func TestHuntIgnoresUnchangedFiles(t *testing.T) {
	t.Parallel()
	w := hunted(t, "cat\n", map[string]string{"reference/p/gen/main.sh": "case $1 in word) while :; do :; done; esac; " + words})
	w.settled()
	w.send(quiet, "cases/p/lock.yaml", "s.sh")
	w.save("s.sh", "cat # changed\n")
	if got := w.settled(); !strings.HasPrefix(got, "round save s.sh\n") {
		t.Errorf("the next round is\n%s", got)
	}
}

// TestHuntForEndlessLoops checks that a watch finds a small input on which a program does not end.
func TestHuntForEndlessLoops(t *testing.T) {
	t.Parallel()
	tier.T2(t, "a search among programs that do not end")
	w := hunted(t, "while :; do :; done\n", map[string]string{"problems/p.yaml": strings.Replace(problemFile, "cpu: 10s", "cpu: 200ms", 1)})
	if got := w.settled(); !strings.Contains(got, "submission TLE") {
		t.Fatal(got)
	}
	if c := w.counterexample(); c.Answer.Verdict != verdict.TLE || len(c.Input) > len("a\n") || c.Inputs == 0 {
		t.Errorf("%+v", c)
	}
}
