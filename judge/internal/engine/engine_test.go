//go:build linux

package engine

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"tribunal/internal/tier"
	"tribunal/judge/internal/build"
	"tribunal/judge/internal/cache/cachetest"
	"tribunal/judge/internal/casedata"
	"tribunal/judge/internal/cases"
	"tribunal/judge/internal/config"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/repo"
	"tribunal/judge/internal/tty"
	"tribunal/judge/packages/checktestdata"
	"tribunal/judge/packages/parcel"
	"tribunal/judge/packages/pkgformat"
)

func TestMain(m *testing.M) {
	checktestdata.Main(build.Interpreter, build.ParseOnly)
	os.Exit(m.Run())
}

// repository is the folder of this repository.
var repository = filepath.Join("..", "..", "..")

// notes collects what an engine shows.
type notes struct {
	mu   sync.Mutex
	list []string
}

func (n *notes) add(format tty.Format, args ...any) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.list = append(n.list, tty.Sprintf(format, args...).String())
}

// start returns an engine with two slots, and the notes that it shows.
func start(t *testing.T) (*Engine, *notes) {
	t.Helper()
	shown := &notes{}
	return startIn(t, cachetest.Dir(t), 0, Hooks{Note: shown.add}), shown
}

// startIn returns an engine with two slots, and a cache of a size in a folder.
func startIn(t *testing.T, folder string, size limits.Bytes, hooks Hooks) *Engine {
	t.Helper()
	c, err := config.Load(repository)
	if err != nil {
		t.Fatal(err)
	}
	c.CacheDir, c.CacheSize = folder, size
	e, err := New(repository, c, hooks)
	if err == nil {
		err = e.Start(2)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	return e
}

// open opens a problem in an engine until the test ends.
func open(t *testing.T, e *Engine, path string) *Problem {
	t.Helper()
	p, err := e.Open(t.Context(), path, pkgformat.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	return p
}

// packed returns the path of the parcel of a problem of this repository.
func packed(t *testing.T, id string) string {
	t.Helper()
	f, err := os.Create(filepath.Join(t.TempDir(), id+".zip"))
	if err == nil {
		err = errors.Join(parcel.Pack(repository, id, f), f.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
	return f.Name()
}

// examples returns one accepted and one wrong example of a problem, both in C or C++.
func examples(t *testing.T, p *problem.Problem, languages map[string]build.Language) (list []grade.Submission) {
	t.Helper()
	for _, folder := range []string{"accepted", "wrong_answer"} {
		found, err := filepath.Glob(filepath.Join(p.Root, "reference", p.ID, "submissions", folder, "*.c*"))
		if err != nil || len(found) == 0 {
			t.Fatalf("%s: no example in %s, %v", p.ID, folder, err)
		}
		source, err := p.Contestant(found[0], "", languages)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, grade.Submission{Source: source})
	}
	return list
}

// results returns the verdicts of judged submissions and of their cases, one submission a line.
func results(t *testing.T, j *grade.Judge, task grade.Task) string {
	t.Helper()
	judged, err := j.Collect(t.Context(), task)
	if err != nil {
		t.Error(err)
	}
	var b strings.Builder
	for _, one := range judged {
		fmt.Fprintf(&b, "%s: %v", filepath.Base(one.Source.Name), one.Done.Verdict)
		for _, c := range one.Cases {
			fmt.Fprintf(&b, " %s %v", c.Name, c.Verdict)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// TestParcels packs two problems of this repository, in T3 each, opens the parcels in one engine, and
// judges two examples of each at the same time. The results must be those of the problems in the
// repository, judged one after the other.
func TestParcels(t *testing.T) {
	t.Parallel()
	tier.T2(t, "parcels of problems of this repository")
	e, _ := start(t)
	ids, err := repo.List(repository)
	if err != nil || len(ids) != 5 {
		t.Fatalf("problems: %v, %v", ids, err)
	}
	if !tier.All() {
		ids = []string{"game", "maze"}
	}
	want := map[string]string{}
	parcels := map[string]*Problem{}
	for _, id := range ids {
		p, err := repo.Load(repository, id)
		if err != nil {
			t.Fatal(err)
		}
		set, err := Cases(p)
		if err != nil {
			t.Fatal(err)
		}
		m, task := e.CaseData(p), Task(e.Config, p)
		task.Cases = cases.Required(set.Cases)
		if err := m.Prepare(t.Context(), task.Cases); err != nil {
			t.Fatal(err)
		}
		task.Submissions = examples(t, p, e.Builder.Languages())
		want[id] = results(t, e.Judge(m), task)

		parcels[id] = open(t, e, packed(t, id))
		same(t, m, parcels[id].CaseData, task.Cases)
	}
	var group sync.WaitGroup
	for _, id := range ids {
		group.Go(func() {
			p := parcels[id]
			task, err := p.Task(t.Context())
			if err != nil {
				t.Error(err)
				return
			}
			task.Submissions = examples(t, p.Problem, e.Builder.Languages())
			if got := results(t, p.Judge(), task); got != want[id] {
				t.Errorf("%s: got\n%s, want\n%s", id, got, want[id])
			}
			if !strings.Contains(want[id], ": AC ") || !strings.Contains(want[id], ": WA ") {
				t.Errorf("%s: the examples got\n%s", id, want[id])
			}
		})
	}
	group.Wait()
}

// same checks that two providers are of equal problems: their programs have equal keys, and their
// prepared cases the same fingerprint.
func same(t *testing.T, a, b *casedata.Provider, list []cases.Case) {
	t.Helper()
	of := a.Problem
	for _, program := range []string{of.Reference, of.Generator, of.Brute, of.Check, of.Draw} {
		if !build.HasSource(filepath.Join(of.Root, program), a.Builder.Languages()) {
			continue
		}
		x, err := a.Key(t.Context(), program)
		if err != nil {
			t.Fatal(err)
		}
		if y, err := b.Key(t.Context(), program); err != nil || x != y {
			t.Errorf("%s: key %s in the parcel, want %s, %v", program, y, x, err)
		}
	}
	x, err := a.Fingerprint(t.Context(), list)
	if err != nil {
		t.Fatal(err)
	}
	set, err := Cases(b.Problem)
	if err != nil {
		t.Fatal(err)
	}
	if y, err := b.Fingerprint(t.Context(), cases.Required(set.Cases)); err != nil || x != y {
		t.Errorf("%s: fingerprint %s of the parcel, want %s, %v", of.ID, y, x, err)
	}
}

// hello is a package without a time limit, in which a validator decides about each output.
var hello = map[string]string{
	"problem.yaml":               "name: Hello\nvalidation: custom\n",
	"data/secret/1.in":           "world\n",
	"data/secret/1.ans":          "hello world\n",
	"submissions/accepted/a.py":  "print('hello', input())\n",
	"output_validators/check.py": "import sys\nsys.exit(42 if sys.stdin.read().split() == open(sys.argv[2]).read().split() else 43)\n",
}

// folder writes a package to a new folder.
func folder(t *testing.T, files map[string]string, name, text string) string {
	t.Helper()
	dir := t.TempDir()
	write := func(name, text string) {
		file := filepath.Join(dir, "hello", name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range files {
		write(name, text)
	}
	write(name, text)
	return filepath.Join(dir, "hello")
}

// TestOneProblem judges several submissions on one package at the same time. Its task is made once.
func TestOneProblem(t *testing.T) {
	t.Parallel()
	tier.T2(t, "real programs")
	tier.Needs(t, "real programs", "python3")
	e, shown := start(t)
	p := open(t, e, folder(t, hello, "README", ""))
	var group sync.WaitGroup
	for _, tt := range []struct{ why, program, want string }{
		{"it is right", "print('hello', input())\n", "AC"},
		{"it is right, too", "print('hello ' + input())\n", "AC"},
		{"it prints something else", "print('hi')\n", "WA"},
		{"it fails", "print(1 / 0)\n", "RTE"},
		{"it does not compile", "print(\n", "CE"},
	} {
		group.Go(func() {
			task, err := p.Task(t.Context())
			if err != nil {
				t.Error(err)
				return
			}
			source, err := build.Read("a.py", "a.py", strings.NewReader(tt.program), "", e.Builder.Languages())
			if err == nil {
				source, err = p.Take(source, e.Builder.Languages())
			}
			if err != nil {
				t.Error(err)
				return
			}
			task.Submissions = []grade.Submission{{Source: source}}
			judged, err := p.Judge().Collect(t.Context(), task)
			if err != nil || judged[0].Done.Verdict.String() != tt.want {
				t.Errorf("%s: got %+v, %v, want %s", tt.why, judged, err, tt.want)
			}
		})
	}
	group.Wait()
	if len(shown.list) != 1 || !strings.HasPrefix(shown.list[0], "note: time limit ") {
		t.Errorf("the engine showed %q, want how it derived the time limit, once", shown.list)
	}
}

// TestPreparedTogether makes the tasks of several problems at the same time, with an empty cache:
// their generators and references run for the first time. When the engine has rested, which empties
// so small a cache, they run again.
func TestPreparedTogether(t *testing.T) {
	t.Parallel()
	tier.T2(t, "real programs")
	tier.Needs(t, "real programs", "python3")
	dir := t.TempDir()
	e := startIn(t, dir, 1, Hooks{})
	var problems []*Problem
	var group sync.WaitGroup
	for i := range 4 {
		lock := &cases.Lock{Cases: map[string]cases.LockCase{}}
		var list strings.Builder
		for k := range 5 {
			input, output := fmt.Sprintln(i, k), fmt.Sprintln(i+k)
			fmt.Fprintf(&list, "  - name: c%d\n    generate: [%q, %q]\n    seed: 1\n", k, fmt.Sprint(i), fmt.Sprint(k))
			lock.Cases[fmt.Sprintf("edge/c%d", k)] = cases.LockCase{Input: cases.Hash([]byte(input)), Output: cases.Hash([]byte(output)), Bytes: int64(len(output))}
		}
		p := open(t, e, folder(t, map[string]string{
			"problems/add.yaml":        "id: add\ntitle: Add\nsource: a contest\nlimits: {cpu: 10s, memory: 256MiB}\nstatement: |\n  Add.\ninput: |\n  Two.\noutput: |\n  One.\n",
			"cases/add/edge.yaml":      "cases:\n" + list.String() + "...\n",
			"reference/add/main.py":    "print(sum(map(int, input().split())))\n",
			"reference/add/gen/gen.py": "import sys\nprint(sys.argv[1], sys.argv[2])\n",
		}, "cases/add/lock.yaml", string(lock.Marshal())))
		problems = append(problems, p)
		group.Go(func() {
			task, err := p.Task(t.Context())
			if err != nil || len(task.Cases) != 5 {
				t.Errorf("problem %d: %d cases, %v", i, len(task.Cases), err)
			}
		})
	}
	group.Wait()
	made := func() int {
		list, _ := filepath.Glob(filepath.Join(dir, "entries", "*"))
		return len(list)
	}
	if err := e.Rest(); err != nil {
		t.Fatal(err)
	}
	kept := made()
	if _, err := problems[0].Task(t.Context()); err != nil {
		t.Error(err)
	}
	if n := made() - kept; n != 10 { // inputs and outputs of five cases
		t.Errorf("of the data of a problem, %d parts were made again, want 10", n)
	}
}

// TestTaskRefused checks that a problem which cannot be judged is an error of the user, and that
// its submissions could be judged later.
func TestTaskRefused(t *testing.T) {
	t.Parallel()
	tier.T2(t, "real programs")
	tier.Needs(t, "real programs", "python3")
	e, _ := start(t)
	for _, tt := range []struct{ why, name, text, want string }{
		{"the validator does not compile", "output_validators/check.py", "import sys\nprint(\n", "hello/output_validators/check.py: does not compile\n"},
		{"there is no accepted submission", "submissions/accepted/a.py", "print(\n", "hello: "},
	} {
		p := open(t, e, folder(t, hello, tt.name, tt.text))
		for range 2 {
			_, err := p.Task(t.Context())
			if _, ok := errors.AsType[UserError](err); !ok || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%s: got %v, want an error of the user with %q", tt.why, err, tt.want)
			}
		}
	}
}

// TestOpen opens problems of each kind, and some that cannot be opened. None leaves a file behind.
func TestOpen(t *testing.T) {
	t.Parallel()
	e, _ := start(t)
	before, err := os.ReadDir(e.Host.Temp())
	if err != nil {
		t.Fatal(err)
	}
	twice := folder(t, map[string]string{"problems/a.yaml": "id: a\n"}, "problems/b.yaml", "id: b\n")
	for _, tt := range []struct{ why, path, id, message string }{
		{"a parcel", packed(t, "game"), "game", ""},
		{"a package in a folder", folder(t, hello, "README", ""), "hello", ""},
		{"a folder of two problems", twice, "", "holds 2 problems"},
		{"an archive of nothing", filepath.Join(folder(t, hello, "x.zip", "PK"), "x.zip"), "", "not a readable zip archive"},
		{"nothing", filepath.Join(t.TempDir(), "gone"), "", "gone: no such file"},
		{"a package without cases", folder(t, nil, "problem.yaml", "name: Hello\n"), "", "no cases"},
	} {
		p, err := e.Open(t.Context(), tt.path, pkgformat.Options{})
		if tt.message != "" {
			if err == nil || !strings.Contains(err.Error(), tt.message) {
				t.Errorf("%s: got %v, want %q", tt.why, err, tt.message)
			}
			continue
		}
		if err != nil || p.ID != tt.id {
			t.Errorf("%s: %v", tt.why, err)
			continue
		}
		if err := p.Close(); err != nil {
			t.Errorf("%s: %v", tt.why, err)
		}
	}
	if after, err := os.ReadDir(e.Host.Temp()); err != nil || len(after) != len(before) {
		t.Errorf("files left: %v, %v, before %v", after, err, before)
	}
}
