// Package gradetest plays the programs of a problem, for tests of what judges and measures them.
//
// A program is a file with the extension .play. Each line says what it does on some inputs, and the first line that
// applies counts:
//
//	99 99: cpu 130ms, print 198
//	again *: exit 5 out of time
//	*: add
//
// The part before the colon is an input, whose words are separated by single blanks, or the arguments of a program that
// gets no input; * stands for any. After again, it only counts when the program runs again in another environment, and
// after first only in the first run of the program on that input. A program does in turn
//
//	add, multiply     prints the sum or the product of the two numbers of the input
//	echo              prints the input
//	print TEXT        prints TEXT, in which \n stands for a newline, and a newline
//	fill N            prints N bytes
//	pair              refuses inputs that are not two numbers in a line, and prints their extents as a and b
//	exit N WORDS      exits with status N, and prints the words to standard error
//	loops, sleeps     never ends
//	size              prints the number N of an argument -n=N
//	cpu T, wall T, memory B: takes so much
//	grows T P         takes a CPU time of 1 ms + T·n^P, where n is the first number of the input
package gradetest

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/cache"
	"tribunal/judge/internal/casedata"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/run"
	"tribunal/judge/internal/runner"
	"tribunal/judge/internal/sandbox"
	"tribunal/judge/internal/sandbox/sandboxtest"
)

// Grace is how far programs run beyond their limits.
const Grace = 100 * time.Millisecond

// Repository is a repository in a temporary folder whose programs are played. Close is called at the end of the test.
type Repository struct {
	Root    string
	Builder *build.Builder
	Pool    *run.Pool

	t     testing.TB
	cache *cache.Cache
	temp  string

	mu  sync.Mutex
	ran map[string]bool // programs with the inputs on which they have run
}

// New returns a repository with the files of an archive. Beside played programs, there are files *.absent, whose compiler
// is not installed, files *.typo, which do not compile, and Go, with which a problem's sources can be found.
func New(t testing.TB, files *txtar.Archive) *Repository {
	t.Helper()
	r := &Repository{t: t, Root: t.TempDir(), ran: map[string]bool{}}
	for _, f := range files.Files {
		r.Write(f.Name, string(f.Data))
	}
	var err error
	if r.cache, err = cache.Open(t.TempDir(), 0); err != nil {
		t.Fatal(err)
	}
	host, err := sandbox.Open(sandbox.Rlimit) // for the builder, which compiles nothing
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { host.Close() })
	r.temp = host.Temp()
	r.Pool = run.NewPool(runner.NewLocal(sandboxtest.New(t, r.play), 2), 2, Grace)
	t.Cleanup(func() { r.Pool.Close() })
	r.Builder = build.New(build.Options{
		Languages: map[string]build.Language{
			"play":   {Match: []string{".play"}, Run: []string{"sh", "{dir}/{main}"}},
			"absent": {Match: []string{".absent"}, Build: []string{"compiler-of-old", "{src}"}, Version: []string{"compiler-of-old"}},
			"typo":   {Match: []string{".typo"}, Build: []string{"false"}, Version: []string{"true"}},
			"go":     build.Defaults()["go"],
		},
		Cache: r.cache, Runner: runner.NewLocal(host, 1), Temp: r.temp,
	})
	return r
}

// Write writes a file, given its slash path below the root.
func (r *Repository) Write(name, text string) {
	r.t.Helper()
	path := filepath.Join(r.Root, filepath.FromSlash(name))
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
		r.t.Fatal(err)
	}
}

// Edit replaces the only occurrence of a text in a file. If the text is "", it removes the file or folder.
func (r *Repository) Edit(name, from, to string) {
	r.t.Helper()
	path := filepath.Join(r.Root, filepath.FromSlash(name))
	if from == "" {
		if _, err := os.Stat(path); err != nil {
			r.t.Fatal(err)
		}
		if err := os.RemoveAll(path); err != nil {
			r.t.Fatal(err)
		}
		return
	}
	text, err := os.ReadFile(path)
	if err != nil {
		r.t.Fatal(err)
	}
	if n := strings.Count(string(text), from); n != 1 {
		r.t.Fatalf("%s contains %q %d times", name, from, n)
	}
	r.Write(name, strings.Replace(string(text), from, to, 1))
}

// Judge returns a new judge for a problem, as a new process would make it.
func (r *Repository) Judge(p *problem.Problem) *grade.Judge {
	m := &casedata.Provider{
		Problem: p, Limits: p.Limits, Builder: r.Builder, Pool: r.Pool, Cache: r.cache,
		Wait: func(context.Context, time.Duration) error { return nil },
	}
	r.t.Cleanup(func() { m.Close() })
	return &grade.Judge{Temp: r.temp, Pool: r.Pool, Builder: r.Builder, CaseData: m}
}

func (r *Repository) play(_ context.Context, run sandboxtest.Run) (sandbox.Result, error) {
	folder := slices.IndexFunc(run.Spec.Mounts, func(m sandbox.Mount) bool { return strings.HasPrefix(run.Args[1], m.Target+"/") })
	if folder < 0 {
		return sandbox.Result{}, fmt.Errorf("no program at %s", run.Args[1])
	}
	program, err := os.ReadFile(filepath.Join(run.Spec.Mounts[folder].Source, filepath.Base(run.Args[1])))
	if err != nil {
		return sandbox.Result{}, err
	}
	input := strings.Join(strings.Fields(string(run.Input)), " ")
	if input == "" {
		input = strings.Join(run.Args[2:], " ")
	}
	again := slices.ContainsFunc(run.Env, func(kv string) bool { return strings.HasPrefix(kv, "PADDING=") || strings.HasPrefix(kv, "TZ=Pacific") })
	r.mu.Lock()
	first := !r.ran[run.Args[1]+string(program)+"\x00"+input]
	r.ran[run.Args[1]+string(program)+"\x00"+input] = true
	r.mu.Unlock()
	for line := range strings.Lines(string(program)) {
		on, does, ok := strings.Cut(strings.TrimSpace(line), ": ")
		if !ok {
			return sandbox.Result{}, fmt.Errorf("no colon in %q", line)
		}
		on, onlyAgain := strings.CutPrefix(on, "again ")
		on, onlyFirst := strings.CutPrefix(on, "first ")
		if (on == "*" || on == input) && (again || !onlyAgain) && (first || !onlyFirst) {
			return perform(run, strings.Split(does, ", "))
		}
	}
	return sandbox.Result{}, fmt.Errorf("the program does not say what it does on %q:\n%s", input, program)
}

func perform(r sandboxtest.Run, actions []string) (result sandbox.Result, err error) {
	var out strings.Builder
	var a, b int
	fmt.Sscan(string(r.Input), &a, &b)
	result.CPU, result.Memory = time.Millisecond, limits.MiB
	for _, action := range actions {
		what, arg, _ := strings.Cut(action, " ")
		switch what {
		case "add":
			fmt.Fprintln(&out, a+b)
		case "multiply":
			fmt.Fprintln(&out, a*b)
		case "echo":
			out.Write(r.Input)
		case "print":
			fmt.Fprintln(&out, strings.ReplaceAll(arg, `\n`, "\n"))
		case "fill":
			var n int
			if n, err = strconv.Atoi(arg); err == nil {
				out.WriteString(strings.Repeat("9", n))
			}
		case "pair":
			if string(r.Input) != fmt.Sprintln(a, b) {
				fmt.Fprintln(r.Stderr, "line 1: not two numbers")
				result.ExitCode = problem.ExitRefuses
				break
			}
			fmt.Fprintf(&out, "a %d %d\nb %d %d\n", a, a, b, b)
			result.ExitCode = problem.ExitAccepts
		case "exit":
			status, words, _ := strings.Cut(arg, " ")
			result.ExitCode, err = strconv.Atoi(status)
			fmt.Fprintln(r.Stderr, words)
		case "loops":
			result.CPU = 1 << 62
		case "sleeps":
			result.Wall = 1 << 62
		case "size":
			for _, arg := range r.Args[2:] {
				if n, ok := strings.CutPrefix(arg, "-n="); ok {
					fmt.Fprintln(&out, n)
				}
			}
		case "grows":
			unit, power, _ := strings.Cut(arg, " ")
			each, err1 := time.ParseDuration(unit)
			p, err2 := strconv.ParseFloat(power, 64)
			err = errors.Join(err1, err2)
			result.CPU += time.Duration(float64(each) * math.Pow(float64(a), p))
		case "cpu":
			result.CPU, err = time.ParseDuration(arg)
		case "wall":
			result.Wall, err = time.ParseDuration(arg)
		case "memory":
			result.Memory, err = limits.ParseBytes(arg)
		default:
			err = errors.New("no such action")
		}
		if err != nil {
			return result, fmt.Errorf("%s: %w", action, err)
		}
	}
	return stop(r, result, out.String()), nil
}

// stop prints the output of a run, unless a limit stops it.
func stop(r sandboxtest.Run, result sandbox.Result, out string) sandbox.Result {
	result.Wall = max(result.Wall, result.CPU)
	l := r.Limits
	switch {
	case l.Output > 0 && limits.Bytes(len(out)) > l.Output:
		result.Stop, result.Stdout = sandbox.OverOutput, int64(l.Output)+1
	case l.Memory > 0 && result.Memory > l.Memory:
		result.Stop, result.Memory = sandbox.OverMemory, l.Memory
	case l.CPU > 0 && result.CPU > l.CPU+r.Grace:
		result.Stop, result.CPU = sandbox.OverCPU, l.CPU+r.Grace
		result.Wall = result.CPU
	case l.Wall > 0 && result.Wall > l.Wall+r.Grace:
		result.Stop, result.Wall = sandbox.OverWall, l.Wall+r.Grace
	default:
		result.Stdout = r.Print(out).Stdout
	}
	return result
}
