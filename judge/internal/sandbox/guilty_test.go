//go:build linux

package sandbox_test

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"tribunal/internal/tier"
	"tribunal/judge/internal/build"
	"tribunal/judge/internal/cache/cachetest"
	"tribunal/judge/internal/diff"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/run"
	"tribunal/judge/internal/runner"
	"tribunal/judge/internal/sandbox"
	"tribunal/judge/internal/verdict"
)

var (
	repeat = flag.Int("repeat", 0, "how often TestGuiltyStable runs the corpus")
	update = flag.Bool("update", false, "rewrite what is generated from the corpus")
	every  = flag.Bool("every", false, "run all guilty programs in all modes, even if the mode makes no difference")
)

// court builds the programs of the corpus, each once, and runs them.
type court struct {
	builder *build.Builder
	cpus    chan int // the CPUs that no run is using

	mu       sync.Mutex
	programs map[string]func() (*build.Program, error)
}

func newCourt(t *testing.T) *court {
	t.Helper()
	host, err := sandbox.Open(sandbox.Auto)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { host.Close() })
	// A shell ignores these signals in what it starts in the background, and so would the programs of a
	// judge that ignores them.
	for _, s := range []os.Signal{os.Interrupt, syscall.SIGQUIT} {
		if signal.Ignored(s) {
			taken := make(chan os.Signal, 1)
			signal.Notify(taken, s)
			t.Cleanup(func() { signal.Stop(taken) })
		}
	}
	kept := cachetest.Shared(t)
	cpus := sandbox.AllowedCPUs()
	c := &court{
		builder: build.New(build.Options{
			Languages: build.Defaults(), Cache: kept, Runner: runner.NewLocal(host, 1), Temp: host.Temp(),
			Timeout: build.DefaultTimeout, Memory: build.DefaultMemory, Output: build.DefaultOutput,
		}),
		cpus:     make(chan int, len(cpus)),
		programs: map[string]func() (*build.Program, error){},
	}
	for _, cpu := range cpus {
		c.cpus <- cpu
	}
	t.Cleanup(func() {
		for _, build := range c.programs {
			if p, _ := build(); p != nil {
				p.Close()
			}
		}
	})
	return c
}

// program returns the built program of an attack. It skips the test if its language is not
// installed.
func (c *court) program(t *testing.T, a *attack) *build.Program {
	t.Helper()
	c.mu.Lock()
	made := c.programs[a.file]
	if made == nil {
		made = sync.OnceValues(func() (*build.Program, error) {
			source, err := build.Read(a.file, filepath.Base(a.file), strings.NewReader(a.text(t)), "", c.builder.Languages())
			if err != nil {
				return nil, err
			}
			return c.builder.Build(context.Background(), source)
		})
		c.programs[a.file] = made
	}
	c.mu.Unlock()
	p, err := made()
	if missing := (*build.MissingError)(nil); errors.As(err, &missing) {
		t.Skipf("not checked: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// trial is the result of one run.
type trial struct {
	verdict verdict.Verdict
	cause   string
	result  sandbox.Result
	stdout  []byte
	stderr  []byte
}

func (r trial) String() string {
	return fmt.Sprintf("%v (%s)\n%+v\nstandard output %.200q\nstandard error %.400q", r.verdict, r.cause, r.result, r.stdout, r.stderr)
}

// grace is how far over its limits an attack may go.
const grace = 100 * time.Millisecond

// run runs an attack in a box. It repeats the run, as for a test case, if other processes on this
// machine may have caused the result.
func (a *attack) run(t *testing.T, b sandbox.Box, p *build.Program, cpu int) trial {
	t.Helper()
	r := a.once(t, b, p, cpu)
	for again := 0; again < 3 && a.runs == "" && run.Doubtful(a.limits, grace, r.result); again++ {
		r = a.once(t, b, p, cpu)
	}
	return r
}

// once runs an attack once and judges it like a test case.
func (a *attack) once(t *testing.T, b sandbox.Box, p *build.Program, cpu int) trial {
	t.Helper()
	stdin, err := a.input()
	if err != nil {
		t.Fatal(err)
	}
	if stdin != nil {
		defer stdin.Close()
	}
	var stdout bytes.Buffer
	stderr := &sandbox.Tail{Size: 4 << 10}
	cmd, err := p.Command(b, a.limits)
	if err != nil {
		t.Fatal(err)
	}
	cmd.Args = append(cmd.Args, a.args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = stdin, &stdout, stderr
	cmd.CPUs, cmd.Grace = []int{cpu}, grace
	r := trial{}
	if r.result, err = b.Run(t.Context(), cmd); err != nil {
		t.Errorf("%s: the judge failed: %v", a.file, err)
		return trial{verdict: verdict.JE, cause: err.Error()}
	}
	r.stdout, r.stderr = stdout.Bytes(), stderr.Bytes()
	mismatch := diff.Compare(a.output, r.stdout, diff.Options{})
	r.verdict, r.cause = grade.Classify(a.limits, r.result, grade.Comparison{Mismatch: mismatch})
	return r
}

// trials runs an attack as its header demands, in boxes of its own.
func (c *court) trials(t *testing.T, h *sandbox.Host, a *attack) []trial {
	t.Helper()
	p := c.program(t, a)
	cpu := <-c.cpus
	defer func() { c.cpus <- cpu }()
	boxes := make([]sandbox.Box, 1)
	if a.runs == "together" {
		boxes = make([]sandbox.Box, 2)
	}
	for i := range boxes {
		b, err := h.NewBox(p.Spec())
		if err != nil {
			t.Fatal(err)
		}
		defer b.Close()
		boxes[i] = b
	}
	list := make([]trial, 2)
	switch a.runs {
	case "together":
		var both sync.WaitGroup
		for i, b := range boxes {
			both.Go(func() { list[i] = a.run(t, b, p, cpu) })
		}
		both.Wait()
	case "twice":
		for i := range list {
			list[i] = a.run(t, boxes[0], p, cpu)
		}
	default:
		list = []trial{a.run(t, boxes[0], p, cpu)}
	}
	for _, b := range boxes {
		clean(t, a.file, b)
	}
	return list
}

// seen returns the first trial with another verdict than the attack's, or the first of all.
func (a *attack) seen(list []trial) trial {
	for _, r := range list {
		if r.verdict != a.want {
			return r
		}
	}
	return list[0]
}

// check compares the trials of an attack with its header.
func (a *attack) check(t *testing.T, mode string, list []trial) {
	t.Helper()
	r := a.seen(list)
	escaped, escapes := a.escapes(mode)
	switch {
	case escapes && r.verdict == a.want:
		t.Errorf("%s: mode %s stops it after all: remove it from the header's gaps", a.why, mode)
	case escapes && escaped != verdict.None && r.verdict != escaped:
		t.Errorf("%s: want %v in a mode that does not stop it, got %v", a.why, escaped, r)
	case !escapes && r.verdict != a.want:
		t.Errorf("%s: want %v, got %v", a.why, a.want, r)
	case !escapes && !strings.Contains(r.cause, a.message) && !bytes.Contains(r.stderr, []byte(a.message)):
		t.Errorf("%s: want the message %q, got %v", a.why, a.message, r)
	}
}

// eachMode runs test in every mode that this machine has.
func eachMode(t *testing.T, test func(t *testing.T, mode string, h *sandbox.Host)) {
	for _, mode := range sandbox.ModeNames {
		t.Run(mode, func(t *testing.T) {
			h, why := sandbox.OpenMode(mode)
			if why != "" {
				t.Skipf("not checked: %s", why)
			}
			t.Cleanup(func() { h.Close() })
			test(t, mode, h)
		})
	}
}

// apart reports whether attacks in a mode would disturb each other if they ran at the same time:
// for an ordinary user RLIMIT_NPROC counts the processes of all runs.
func apart(mode string) bool { return mode == "rlimit" && sandbox.Account() == "user" }

// first returns the first program in C of each topic that a mode stops, or else the first of all. One that
// runs once goes before those that run twice or together.
func first(list []*attack, mode string) map[string]*attack {
	rank := func(a *attack) (n int) {
		if _, escapes := a.escapes(mode); escapes {
			n += 2
		}
		if a.runs != "" {
			n++
		}
		return n
	}
	found := map[string]*attack{}
	for _, a := range list {
		if had := found[a.topic]; filepath.Ext(a.file) == ".c" && (had == nil || rank(a) < rank(had)) {
			found[a.topic] = a
		}
	}
	return found
}

// paged are the programs whose memory the modes that poll count page by page or mapping by mapping, because
// their processes share it or map files, or because it is the kernel's. The strongest of these modes runs
// them all.
var paged = []string{
	"memory-child.c", "memory-cow.c", "memory-mapped.c", "memory-mappings.c", "memory-memfd.c", "memory-shared.c",
	"memory-stacks.c", "memory-tables.c", "memory-vfork.c",
}

// TestGuilty runs every guilty program in the strongest mode, one of each topic in the others, and in T3
// every program in every mode; with -short, it runs one of each topic in the strongest mode. The verdict
// must be that of its header or, in a mode that does not stop it, that of the header's gaps. A program
// in another language than C tests that language; it runs only in the strongest mode, unless it exceeds
// the memory limit, because each mode measures memory in its own way.
func TestGuilty(t *testing.T) {
	c := newCourt(t)
	list := attacks(t)
	strongest := ""
	eachMode(t, func(t *testing.T, mode string, h *sandbox.Host) {
		if strongest == "" {
			strongest = mode
		}
		again, few := mode != strongest, first(list, mode)
		if again && !*every {
			tier.T2(t, "other modes than the strongest")
		}
		for _, a := range list {
			language := filepath.Ext(a.file) != ".c"
			t.Run(a.name(), func(t *testing.T) {
				if language {
					tier.T2(t, "attacks in languages that are slow to build or start")
				}
				switch {
				case *every:
				case again && language && !strings.HasPrefix(filepath.Base(a.file), "heap-over"):
					t.Skip("not checked: what is about a language in other modes than the strongest (hint: -args -every)")
				case few[a.topic] == a:
				case again && mode == "polling" && slices.Contains(paged, filepath.Base(a.file)):
					tier.T2(t, "memory that is counted page by page")
				case again:
					tier.T3(t, "more than one attack of a topic in other modes than the strongest")
				case len(a.args) > 0:
					tier.T3(t, "more than one way to call a program")
				default:
					tier.T2(t, "more than one attack of a topic")
				}
				if !apart(mode) {
					t.Parallel() // court.cpus bounds how many run at a time
				}
				a.check(t, mode, c.trials(t, h, a))
				if (*every || tier.All() || slices.Contains(sharing, a.topic)) && a.runs != "together" && !apart(mode) {
					c.beside(t, h, a)
				}
			})
		}
	})
}

// sharing are the topics of attacks on what runs share.
var sharing = []string{"core", "exec", "host", "leave", "whisper"}

// beside runs an attack beside itself: whatever a program does, the judge fails neither for it nor for the program in
// the other box.
func (c *court) beside(t *testing.T, h *sandbox.Host, a *attack) {
	t.Helper()
	together := *a
	together.runs = "together"
	c.trials(t, h, &together) // which reports a failure of the judge
}

// TestGuiltyStable runs the corpus again and again. A single changed verdict is an error.
func TestGuiltyStable(t *testing.T) {
	if *repeat == 0 {
		t.Skip("not checked: that verdicts are stable (hint: -args -repeat 100)")
	}
	c := newCourt(t)
	list := attacks(t)
	eachMode(t, func(t *testing.T, mode string, h *sandbox.Host) {
		for _, a := range list {
			t.Run(a.name(), func(t *testing.T) {
				if !apart(mode) {
					t.Parallel()
				}
				counts := map[verdict.Verdict]int{}
				for range *repeat {
					r := a.seen(c.trials(t, h, a))
					if counts[r.verdict]++; counts[r.verdict] == 1 && len(counts) > 1 {
						t.Errorf("%s: the verdict changed to %v", a.why, r)
					}
				}
				if len(counts) > 1 {
					t.Errorf("%s: %d runs gave %v", a.why, *repeat, counts)
				}
			})
		}
	})
}
