//go:build linux

// Package played_test runs sessions of importing, verifying and exporting packages whose programs are played: what
// becomes of the parts of a package, and the notes about them, without processes. The sessions in judge/scripts/exchange
// prove that the real commands do the same with real programs.
package played_test

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/cache"
	"tribunal/judge/internal/cache/cachetest"
	"tribunal/judge/internal/casedata"
	"tribunal/judge/internal/cases"
	"tribunal/judge/internal/config"
	"tribunal/judge/internal/engine"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/played"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/regen"
	"tribunal/judge/internal/repo"
	"tribunal/judge/internal/run"
	"tribunal/judge/internal/runner"
	"tribunal/judge/internal/sandbox/sandboxtest"
	"tribunal/judge/lab/verify"
	"tribunal/judge/packages/pkgexport"
	"tribunal/judge/packages/pkgformat"
	"tribunal/judge/packages/pkgimport"
)

var update = flag.Bool("update", false, "rewrite the files that sessions compare with cmp")

// TestPlayed runs the sessions in testdata. A name without a slash is a problem of the repository in the session's
// folder, one with a slash a package. A command that fails prints its error to standard error.
func TestPlayed(t *testing.T) {
	t.Parallel()
	testscript.Run(t, testscript.Params{
		Dir: "testdata", RequireExplicitExec: true, RequireUniqueNames: true, UpdateScripts: *update,
		Setup: func(env *testscript.Env) error {
			for _, dir := range []string{"problems", "cases", "reference"} {
				if err := os.MkdirAll(env.Cd+"/"+dir, 0o755); err != nil {
					return err
				}
			}
			env.Values[machineKey{}] = newMachine(env.T().(testing.TB), env.Cd)
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"import": command(importPackage), "export": command(export), "verify": command(verifyProblem), "grade": command(gradeOn), "regen": command(regenerate),
			"edit": edit, "same": same, "write": write,
		},
	})
}

type machineKey struct{}

// command makes a command of sessions: its error, without the path of the session's folder, goes to standard error.
func command(do func(m *machine, args []string) (string, error)) func(*testscript.TestScript, bool, []string) {
	return func(ts *testscript.TestScript, neg bool, args []string) {
		m := ts.Value(machineKey{}).(*machine)
		m.notes = nil
		text, err := do(m, args)
		for _, note := range m.notes {
			fmt.Fprintln(ts.Stderr(), m.shown(note))
		}
		fmt.Fprint(ts.Stdout(), m.shown(text))
		if err != nil {
			fmt.Fprintln(ts.Stderr(), m.shown(err.Error()))
		}
		if failed := err != nil; failed != neg {
			ts.Fatalf("failed: %v", err)
		}
	}
}

// machine judges with played programs.
type machine struct {
	root   string
	config *config.Config
	cache  *cache.Cache
	pool   *run.Pool
	build  *build.Builder
	temp   string
	notes  []string
	t      testing.TB
}

func newMachine(t testing.TB, root string) *machine {
	c, err := config.Load(root)
	if err != nil {
		t.Fatal(err)
	}
	m := &machine{t: t, root: root, config: c, cache: cachetest.Fresh(t), temp: t.TempDir()}
	const slots = 2
	local := runner.NewLocal(sandboxtest.New(t, played.Play), slots)
	m.pool = run.NewPool(local, slots, c.Grace)
	t.Cleanup(func() { m.pool.Close() })
	m.config.Build.Languages = languages()
	settings := m.config.Build
	settings.Cache, settings.Runner, settings.Temp = m.cache, m.pool.Sharing(local), m.temp
	m.build = build.New(settings)
	return m
}

// languages holds languages whose compiler and programs are played.
func languages() map[string]build.Language {
	l := map[string]build.Language{}
	for name, ext := range map[string]string{"c": ".c", "cpp": ".cc", "python3": ".py", "bash": ".sh"} {
		l[name] = build.Language{
			Match: []string{ext}, Build: []string{"sh", played.Compile, "{main}"}, Run: []string{"sh", "{dir}/{main}"},
			Keep: []string{}, Mounts: []string{}, Version: nil,
		}
	}
	return l
}

// shown returns text without the path of the session's folder.
func (m *machine) shown(text string) string {
	return strings.ReplaceAll(strings.ReplaceAll(text, m.root+"/", ""), m.root, "")
}

// open opens a problem of the repository or a package.
func (m *machine) open(name string) (*problem.Problem, *pkgformat.Package, error) {
	if !strings.Contains(name, "/") {
		p, err := repo.Load(m.root, name)
		return p, nil, err
	}
	k, err := pkgformat.Open(m.t.Context(), filepath.Join(m.root, name), pkgformat.Options{Scratch: pkgformat.In(m.temp)})
	if err != nil {
		return nil, nil, err
	}
	m.t.Cleanup(func() { k.Close() })
	p, err := k.Problem()
	return p, k, err
}

func (m *machine) caseData(p *problem.Problem) *casedata.Provider {
	d := &casedata.Provider{Problem: p, Limits: m.config.Complete(p.Limits), Builder: m.build, Pool: m.pool, Cache: m.cache}
	m.t.Cleanup(func() { d.Close() })
	return d
}

func (m *machine) judge(d *casedata.Provider) *grade.Judge {
	return &grade.Judge{Temp: m.temp, Pool: m.pool, Builder: m.build, CaseData: d}
}

// importPackage is import PACKAGE ID [REFERENCE]: prints a summary, and the notes to standard error.
func importPackage(m *machine, args []string) (string, error) {
	p, k, err := m.open(args[0] + "/")
	if err != nil {
		return "", err
	}
	job := pkgimport.Job{
		Package: k.Draft(), Problem: p, Root: m.root, ID: args[1],
		Judging: pkgimport.Judging{
			Languages: m.config.Build.Languages, CaseData: m.caseData, Judge: m.judge,
			Task: func(p *problem.Problem) grade.Task { return engine.Task(m.config, p) },
		},
	}
	if len(args) > 2 {
		job.Reference = filepath.Join(m.root, args[2])
	}
	if err := job.Check(); err != nil {
		return "", err
	}
	l := p.Limits
	l.CPU = cmp.Or(l.CPU, 10*time.Second) // the command would derive one
	job.Limits = p.Loosest(m.config.Complete(l))
	job.Limits.Wall = 0
	done, err := job.Write(m.t.Context())
	if err != nil {
		return "", err
	}
	m.notes = slices.Concat(p.Notes, done.Notes)
	return fmt.Sprintf("%s\n%d cases, %d examples, reference %s\n", strings.Join(done.Places, "\n"), done.Cases, done.Examples, done.Reference), nil
}

// export is export PROBLEM FORMAT TARGET.
func export(m *machine, args []string) (string, error) {
	p, _, err := m.open(args[0])
	if err != nil {
		return "", err
	}
	set, err := engine.Cases(p)
	if err != nil {
		return "", err
	}
	format, err := pkgexport.ParseFormat(args[1])
	if err != nil {
		return "", err
	}
	d := m.caseData(p)
	if err := d.Prepare(m.t.Context(), set.Cases); err != nil {
		return "", err
	}
	done, err := (&pkgexport.Job{Problem: p, Cases: set.Cases, CaseData: d, Format: format}).Write(m.t.Context(), filepath.Join(m.root, args[2]))
	if err != nil {
		return "", err
	}
	m.notes = done.Notes
	return fmt.Sprintf("%s: %d cases, %d submissions\n", args[2], done.Cases, done.Submissions), nil
}

// verifyProblem is verify PROBLEM… [--only CHECK]: prints the findings, and the notes to standard error. It fails if
// there are findings.
func verifyProblem(m *machine, args []string) (string, error) {
	var o verify.Options
	if i := slices.Index(args, "--only"); i >= 0 {
		o.Only, args = []string{args[i+1]}, args[:i]
	}
	known, _ := repo.List(m.root) // none beside packages
	r, err := verify.Run(m.t.Context(), &verify.Environment{
		Root: m.root, Known: known, Show: m.config.Diff,
		Load: func(_ context.Context, name string) (*problem.Problem, func() error, error) {
			p, _, err := m.open(name)
			return p, func() error { return nil }, err
		},
		Judge: func(p *problem.Problem) *grade.Judge { return m.judge(m.caseData(p)) },
		Limits: func(_ context.Context, _ *grade.Judge, t grade.Task) (limits.Limits, string, error) {
			return m.config.Complete(t.Problem.Limits), "", nil
		},
	}, args, o)
	if err != nil {
		return "", err
	}
	for _, note := range r.Notes {
		m.notes = append(m.notes, note.String())
	}
	var b strings.Builder
	for _, f := range r.Findings {
		fmt.Fprintln(&b, f)
	}
	for _, s := range r.Problems {
		m.notes = append(m.notes, fmt.Sprintf("%s: %d cases, %d examples", s.Problem, s.Cases, s.Examples))
	}
	if len(r.Findings) > 0 {
		err = fmt.Errorf("%d findings", len(r.Findings))
	}
	return b.String(), err
}

// gradeOn is grade PROBLEM SUBMISSION [--all]: prints the verdict and points, and each failed case. It fails unless
// the submission is accepted.
func gradeOn(m *machine, args []string) (string, error) {
	p, _, err := m.open(args[0])
	if err != nil {
		return "", err
	}
	t := engine.Task(m.config, p)
	set, err := engine.Cases(p)
	if err != nil {
		return "", err
	}
	t.Cases, t.LeftOut = cases.Required(set.Cases), set.Optional()
	t.All = slices.Contains(args, "--all")
	path := filepath.Join(m.root, args[1])
	source, err := p.Files.Contestant(path, "", m.config.Build.Languages)
	if err != nil {
		return "", err
	}
	d := m.caseData(p)
	if err := d.Prepare(m.t.Context(), t.Cases); err != nil {
		return "", err
	}
	t.Submissions = []grade.Submission{{Source: source}}
	list, err := m.judge(d).Collect(m.t.Context(), t)
	if err != nil {
		return "", err
	}
	done := list[0].Done
	var b strings.Builder
	fmt.Fprintf(&b, "%v %d/%d", done.Verdict, done.Passed, len(t.Cases))
	if done.Cause != "" {
		fmt.Fprintf(&b, " %s", done.Cause)
	}
	fmt.Fprintln(&b)
	if s := done.Points; s != nil {
		fmt.Fprintf(&b, "points %v of %v\n", s.Points, s.Best)
		for _, g := range s.Groups {
			fmt.Fprintf(&b, "  %s %v of %v\n", g.Group.Name, g.Points, g.Best)
		}
	}
	for _, c := range list[0].Cases {
		fmt.Fprintf(&b, "%s %v %s\n", c.Name, c.Verdict, c.Cause)
	}
	if done.Verdict.String() != "AC" {
		err = errors.New(done.Verdict.String())
	}
	return b.String(), err
}

// regenerate is regen PROBLEM: prints the cases that change.
func regenerate(m *machine, args []string) (string, error) {
	p, _, err := m.open(args[0])
	if err != nil {
		return "", err
	}
	d := m.caseData(p)
	judge := m.judge(d)
	plan, err := regen.Make(m.t.Context(), d, regen.Options{Judge: judge})
	if err == nil {
		err = plan.Confirm(m.t.Context(), judge)
	}
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%d changes\n", len(plan.Changes)), plan.Apply()
}

// edit is edit FILE OLD NEW: replaces a text, which must be in the file. Both are as in Go's quotes.
func edit(ts *testscript.TestScript, neg bool, args []string) {
	text, before, after := ts.ReadFile(args[0]), unquoted(ts, args[1]), unquoted(ts, args[2])
	if neg || !strings.Contains(text, before) {
		ts.Fatalf("%s has no %q:\n%s", args[0], before, text)
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(strings.ReplaceAll(text, before, after)), 0o644))
}

func unquoted(ts *testscript.TestScript, text string) string {
	text, err := strconv.Unquote(`"` + text + `"`)
	ts.Check(err)
	return text
}

// write is write FILE [TIMES*]TEXT…: writes texts as in Go's quotes, for bytes that are no text and long files.
func write(ts *testscript.TestScript, neg bool, args []string) {
	var text []byte
	for _, part := range args[1:] {
		times := 1
		if count, rest, found := strings.Cut(part, "*"); found {
			n, err := strconv.Atoi(count)
			ts.Check(err)
			times, part = n, rest
		}
		text = append(text, strings.Repeat(unquoted(ts, part), times)...)
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), text, 0o644))
}

// same is same PACKAGE PACKAGE: they must have the same inputs and answers, whatever their names.
func same(ts *testscript.TestScript, neg bool, args []string) {
	m := ts.Value(machineKey{}).(*machine)
	var found [2][]string
	for i := range found {
		p, _, err := m.open(args[i] + "/")
		ts.Check(err)
		set, err := engine.Cases(p)
		ts.Check(err)
		d := m.caseData(p)
		ts.Check(d.Prepare(m.t.Context(), set.Cases))
		for j := range set.Cases {
			data, err := d.Load(m.t.Context(), &set.Cases[j])
			ts.Check(err)
			input, err := io.ReadAll(data.Input.Reader())
			ts.Check(err)
			want, err := io.ReadAll(data.Want.Reader())
			ts.Check(err)
			found[i] = append(found[i], string(input)+"\x00"+string(want))
		}
		slices.Sort(found[i])
	}
	if neg || len(found[0]) == 0 || !slices.Equal(found[0], found[1]) {
		ts.Fatalf("other cases: %q", found)
	}
}
