package stress

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/cache/cachetest"
	"tribunal/judge/internal/casedata"
	"tribunal/judge/internal/event"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/repo"
	"tribunal/judge/internal/run"
	"tribunal/judge/internal/runner"
	"tribunal/judge/internal/sandbox"
	"tribunal/judge/internal/sandbox/sandboxtest"
	"tribunal/judge/internal/verdict"
)

// script defines the behaviour of a problem's programs. A nil function means good behaviour: the
// generator prints its arguments, every input is valid, and all other programs print the same
// answer.
type script struct {
	generate                 func(args string) (string, int)
	validate                 func(input string) (words string, status int)
	reduce                   func(input string) string
	reference, a, b          func(input string) sandbox.Result
	referenceOut, aOut, bOut func(input string) string

	wait func(ctx context.Context, input string) // called before A answers; may be nil
	runs atomic.Int64                            // number of runs of A
}

// play runs a program of the script; the text of main.sh names it.
func (s *script) play(ctx context.Context, r sandboxtest.Run) (sandbox.Result, error) {
	text, err := os.ReadFile(filepath.Join(r.Spec.Mounts[0].Source, "main.sh"))
	if err != nil {
		return sandbox.Result{}, err
	}
	input, args := string(r.Input), strings.Join(r.Args[2:], " ")
	answer := func(result func(string) sandbox.Result, output func(string) string) (sandbox.Result, error) {
		var made sandbox.Result
		if result != nil {
			made = result(input)
		}
		out := "answer\n"
		if output != nil {
			out = output(input)
		}
		made.Stdout = r.Print(out).Stdout
		return made, nil
	}
	switch strings.TrimSpace(string(text)) {
	case "gen":
		out, status := args+"\n", 0
		if s.generate != nil {
			out, status = s.generate(args)
		}
		if status != 0 {
			r.Stderr.Write([]byte(out))
			return sandbox.Result{ExitCode: status}, nil
		}
		result := r.Print(out)
		result.ExitCode = status
		return result, nil
	case "check":
		if args == "-reduce" {
			if s.reduce == nil {
				return sandbox.Result{ExitCode: 2}, nil
			}
			return r.Print(s.reduce(input)), nil
		}
		words, status := "", 42
		if s.validate != nil {
			words, status = s.validate(input)
		}
		r.Stderr.Write([]byte(words))
		return sandbox.Result{ExitCode: status}, nil
	case "reference":
		return answer(s.reference, s.referenceOut)
	case "b":
		return answer(s.b, s.bOut)
	}
	s.runs.Add(1)
	if s.wait != nil {
		s.wait(ctx, input)
	}
	return answer(s.a, s.aOut)
}

var testLimits = limits.Limits{CPU: time.Second, Wall: 3 * time.Second, Memory: limits.GiB, Output: limits.MiB}

// search returns a search on a problem whose programs behave as the script defines; withB adds B.
func (s *script) search(t testing.TB, slots int, withB bool) *Search {
	t.Helper()
	root := t.TempDir()
	for folder, text := range map[string]string{"reference/p": "reference", "reference/p/gen": "gen", "reference/p/check": "check", "a": "a", "b": "b"} {
		dir := filepath.Join(root, folder)
		if err := errors.Join(os.MkdirAll(dir, 0o755), os.WriteFile(filepath.Join(dir, "main.sh"), []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	c := cachetest.Fresh(t)
	host, err := sandbox.Open(sandbox.Rlimit) // runs nothing: sandboxtest does
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { host.Close() })
	pool := run.NewPool(runner.NewLocal(sandboxtest.New(t, s.play), slots), slots, time.Second)
	t.Cleanup(func() { pool.Close() })
	languages := map[string]build.Language{"sh": {Match: []string{".sh"}, Run: []string{"sh", "{dir}/{main}"}}}
	builder := build.New(build.Options{Languages: languages, Cache: c, Runner: runner.NewLocal(host, 1), Temp: host.Temp()})
	m := &casedata.Provider{Problem: repo.Bare(root, "p"), Limits: testLimits, Builder: builder, Pool: pool, Cache: c}
	t.Cleanup(func() { m.Close() })
	side := func(name string) Side {
		source, err := build.Open(filepath.Join(root, name), "", languages)
		if err != nil {
			t.Fatal(err)
		}
		program, err := builder.Build(t.Context(), source)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { program.Close() })
		return Side{Name: name, Program: program, Limits: testLimits}
	}
	search := &Search{
		Judge: &grade.Judge{Temp: host.Temp(), Pool: pool, Builder: builder, CaseData: m},
		Task:  grade.Task{Problem: repo.Bare(root, "p"), Limits: testLimits},
		A:     side("a"),
	}
	if withB {
		b := side("b")
		search.B = &b
	}
	return search
}

// find runs a search over one family of one size: the inputs are "f -seed=1", "f -seed=2" and so
// on.
func find(t testing.TB, s *Search, count int) (*Finding, error) {
	t.Helper()
	climb := NewClimb([]casedata.Size{{N: 1, Generate: []string{"f"}}}, 1)
	return s.Find(t.Context(), t.Context(), climb, count)
}

// wrongFrom returns a program that answers wrongly if the seed of its input is at least seed.
func wrongFrom(seed int) func(string) string {
	return func(input string) string {
		if seedOf(input) >= seed {
			return "wrong\n"
		}
		return "answer\n"
	}
}

func seedOf(input string) (seed int) {
	_, text, _ := strings.Cut(input, "-seed=")
	fmt.Sscan(text, &seed)
	return seed
}

// TestFindFirst checks that Find returns the first faulty input of the sequence, however many
// inputs it tries at a time and whichever run ends first.
func TestFindFirst(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		slots int
		later bool // input 31, which is faulty too, ends before input 30
	}{{1, false}, {2, true}, {2, false}, {8, true}, {8, false}} {
		ended := make(chan struct{})
		slots := test.slots
		s := &script{aOut: wrongFrom(30), wait: func(ctx context.Context, input string) {
			switch seed := seedOf(input); {
			case seed == 30 && slots > 1:
				<-ended
			case seed == 31:
				close(ended)
				if !test.later {
					<-ctx.Done() // the pipeline cancels input 31 when it has input 30
				}
			}
		}}
		search := s.search(t, slots, false)
		f, err := find(t, search, 0)
		if err != nil || f == nil {
			t.Fatalf("%d slots: found %v, %v", slots, f, err)
		}
		if f.Number != 30 || f.Source.String() != "f -seed=30" || string(f.Input) != "f -seed=30\n" || f.A.Verdict != verdict.WA || f.A.Mismatch == nil {
			t.Errorf("%d slots: found number %d, %s: %s", slots, f.Number, f.Source, f.A.Verdict)
		}
		if got := search.Counts(); got != (Counts{Inputs: 30}) {
			t.Errorf("%d slots: counts %+v, want 30 inputs", slots, got)
		}
	}
}

func TestFindNothing(t *testing.T) {
	t.Parallel()
	search := (&script{aOut: wrongFrom(30)}).search(t, 2, false)
	if f, err := find(t, search, 29); f != nil || err != nil || search.Counts().Inputs != 29 {
		t.Errorf("found %v, %v after %+v", f, err, search.Counts())
	}
	bound, cancel := context.WithCancel(t.Context())
	climb := NewClimb([]casedata.Size{{N: 1, Generate: []string{"f"}}}, 1)
	search = (&script{}).search(t, 2, false)
	search.Emit = func(e event.Event) {
		if e.(*Progress).Inputs == 5 {
			cancel()
		}
	}
	if f, err := search.Find(t.Context(), bound, climb, 0); f != nil || err != nil {
		t.Errorf("Find after bound ended: %v, %v", f, err)
	}
	cancel()
}

// TestFindBlames checks that a failure of one of the problem's own programs is an error, and not a
// fault of the program under test.
func TestFindBlames(t *testing.T) {
	t.Parallel()
	at := func(seed, status int) func(string) sandbox.Result {
		return func(input string) sandbox.Result {
			if seedOf(input) == seed {
				return sandbox.Result{ExitCode: status}
			}
			return sandbox.Result{}
		}
	}
	for _, test := range []struct {
		why  string
		s    *script
		want string
	}{
		{"the generator fails", &script{generate: func(string) (string, int) { return "", 2 }}, "reference/p/gen: f -seed=1: exited with status 2"},
		{"the generator rejects its arguments", &script{generate: func(string) (string, int) { return "gen: no f (hint: gen -list shows more)\n", 2 }}, "reference/p/gen: f -seed=1: no f (hint: judge gen p lists the families)"},
		{"the generator prints an invalid input", &script{validate: func(string) (string, int) { return "line 1: no\n", 43 }}, "reference/p/check: -input: the input is not valid: line 1: no: f -seed=1"},
		{"the validator crashes", &script{validate: func(string) (string, int) { return "", 1 }}, "reference/p/check: -input: exited with status 1"},
		{"the reference crashes", &script{reference: at(3, 1)}, "reference/p: exited with status 1 (hint: judge gen p f -seed=3 prints its input)"},
	} {
		f, err := find(t, test.s.search(t, 2, false), 0)
		if f != nil || err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: found %v, %v, want %s", test.why, f, err, test.want)
		}
	}
}

// TestFindMute checks that an input is skipped if the reference or a Witness exceeds its limits.
func TestFindMute(t *testing.T) {
	t.Parallel()
	slow := func(string) sandbox.Result { return sandbox.Result{Stop: sandbox.OverCPU, CPU: time.Minute} }
	reference := (&script{reference: slow, aOut: wrongFrom(0)}).search(t, 2, false)
	witness := (&script{b: slow}).search(t, 2, true)
	witness.B.Witness = true
	for _, search := range []*Search{reference, witness} {
		if f, err := find(t, search, 10); f != nil || err != nil || search.Counts() != (Counts{Mute: 10}) {
			t.Errorf("found %v, %v after %+v, want nothing after 10 mute", f, err, search.Counts())
		}
	}
}

func TestFindBetween(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		why    string
		s      *script
		number int
		a, b   verdict.Verdict
	}{
		{"only B is wrong", &script{bOut: wrongFrom(7)}, 7, verdict.AC, verdict.WA},
		{"both are wrong, but on input 9 in different ways", &script{aOut: wrongFrom(0), bOut: func(in string) string {
			if seedOf(in) == 9 {
				return "else\n"
			}
			return "wrong\n"
		}}, 9, verdict.WA, verdict.WA},
	} {
		f, err := find(t, test.s.search(t, 2, true), 0)
		if err != nil || f.Number != test.number || f.A.Verdict != test.a || f.B.Verdict != test.b {
			t.Errorf("%s: found %+v, %v", test.why, f, err)
		}
	}
}

// TestFindDoubts checks that a program that exceeds its time limit beside other runs, but not
// alone, is not at fault.
func TestFindDoubts(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	times := map[string]int{}
	s := &script{a: func(input string) sandbox.Result {
		mu.Lock()
		defer mu.Unlock()
		times[input]++
		if seed := seedOf(input); seed == 3 && times[input] == 1 || seed == 5 {
			return sandbox.Result{Stop: sandbox.OverCPU, CPU: time.Minute}
		}
		return sandbox.Result{}
	}}
	f, err := find(t, s.search(t, 2, false), 0)
	if err != nil || f.Number != 5 || f.A.Verdict != verdict.TLE {
		t.Fatalf("found %+v, %v, want the fifth", f, err)
	}
	if times["f -seed=3\n"] != 2 || times["f -seed=5\n"] < 2 {
		t.Errorf("runs by input: %v, want inputs 3 and 5 to be run twice", times)
	}
}

// TestFindCancelled checks that a cancelled search returns the error of its context and no fault.
func TestFindCancelled(t *testing.T) {
	t.Parallel()
	s := &script{}
	search := s.search(t, 2, false)
	ctx, cancel := context.WithCancel(t.Context())
	search.Emit = func(event.Event) { cancel() }
	if f, err := search.Find(ctx, ctx, NewClimb([]casedata.Size{{N: 1, Generate: []string{"f"}}}, 1), 0); f != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("found %v, %v, want context.Canceled", f, err)
	}
}

// TestSlowest checks that Slowest tries more inputs of the slowest size, and stops when A exceeds
// its limit.
func TestSlowest(t *testing.T) {
	t.Parallel()
	ladder := []casedata.Size{{N: 1, Generate: []string{"a", "-n=1"}}, {N: 9, Generate: []string{"a", "-n=9"}}, {N: 1, Generate: []string{"b", "-n=1"}}}
	for _, test := range []struct {
		why    string
		factor time.Duration
		v      verdict.Verdict
		family string
	}{
		{"within the limit", time.Millisecond, verdict.AC, "a -n=9"},
		{"over the limit", time.Second, verdict.TLE, "a -n=9"},
	} {
		s := &script{a: func(input string) sandbox.Result {
			if strings.HasPrefix(input, "a -n=9") {
				return sandbox.Result{CPU: 2 * test.factor}
			}
			return sandbox.Result{CPU: time.Millisecond}
		}}
		search := s.search(t, 2, false)
		slow, err := search.Slowest(t.Context(), t.Context(), ladder, 1, 40)
		if err != nil || slow.Verdict != test.v || slow.CPU != 2*test.factor || slow.Size != 9 || strings.Join(slow.Source.Generate, " ") != test.family {
			t.Errorf("%s: %+v, %v", test.why, slow, err)
		}
		if tried := search.Counts().Inputs; (tried == 40) != (test.v == verdict.AC) {
			t.Errorf("%s: tried %d", test.why, tried)
		}
	}
}

func TestMake(t *testing.T) {
	t.Parallel()
	s := &script{validate: func(input string) (string, int) {
		if seedOf(input) == 2 {
			return "line 1: two\n", 43
		}
		return "", 42
	}}
	search := s.search(t, 2, false)
	if input, err := search.Make(t.Context(), Source{[]string{"f", "-n=1"}, 1}); err != nil || string(input) != "f -n=1 -seed=1\n" {
		t.Errorf("made %q, %v", input, err)
	}
	if _, err := search.Make(t.Context(), Source{[]string{"f"}, 2}); !errors.Is(err, ErrRefused) || !strings.Contains(err.Error(), "line 1: two") {
		t.Errorf("Make of an invalid input: %v", err)
	}
	if s.runs.Load() != 0 {
		t.Error("Make ran the submission")
	}
}
