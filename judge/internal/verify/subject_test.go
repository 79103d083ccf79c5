package verify

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/cache/cachetest"
	"tribunal/judge/internal/casedata"
	"tribunal/judge/internal/cases"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/pkgformat"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/repo"
	"tribunal/judge/internal/run"
	"tribunal/judge/internal/runner"
	"tribunal/judge/internal/sandbox"
	"tribunal/judge/internal/sandbox/sandboxtest"
)

// openPackage opens a package with one case and an executable as its input validator. Its judge
// runs programs on host.
func openPackage(t *testing.T, host runner.Host) *subject {
	t.Helper()
	dir := t.TempDir()
	executable, err := os.ReadFile("/bin/true")
	if err != nil {
		t.Skipf("not checked: packages with an executable: %v", err)
	}
	for file, text := range map[string]string{
		"problem.yaml": "name: P\n", "data/secret/1.in": "1\n", "data/secret/1.ans": "1\n", "input_validators/check": string(executable),
	} {
		name := filepath.Join(dir, file)
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, []byte(text), 0o755)); err != nil {
			t.Fatal(err)
		}
	}
	p, err := pkgformat.Open(t.Context(), dir, pkgformat.Options{Scratch: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	kept := cachetest.Fresh(t)
	b := build.New(build.Options{Cache: kept})
	of, err := p.Problem()
	if err != nil {
		t.Fatal(err)
	}
	pool := run.NewPool(runner.NewLocal(host, 1), 1, run.DefaultGrace)
	t.Cleanup(func() { pool.Close() })
	m := &casedata.Provider{Problem: of, Builder: b, Pool: pool, Cache: kept}
	t.Cleanup(func() { m.Close() })
	set, err := of.Read()
	if err != nil {
		t.Fatal(err)
	}
	return &subject{set: set, judge: &grade.Judge{Pool: pool, Builder: b, CaseData: m}, verification: &verification{p: of, report: &Report{}}}
}

// TestBoxDiesUnderValidator checks that an input validator runs once more if its sandbox dies, and
// that a second death is an error of the judge, not a finding about the case.
func TestBoxDiesUnderValidator(t *testing.T) {
	t.Parallel()
	for deaths, want := range []error{nil, nil, sandbox.ErrDied} {
		runs := 0
		s := openPackage(t, sandboxtest.New(t, func(_ context.Context, r sandboxtest.Run) (sandbox.Result, error) {
			if runs++; runs <= deaths {
				return sandbox.Result{}, fmt.Errorf("container: %w", sandbox.ErrDied)
			}
			return sandbox.Result{ExitCode: problem.ExitAccepts}, nil
		}))
		if err := checkInputs(t.Context(), s); !errors.Is(err, want) || len(s.report.Findings) > 0 {
			t.Errorf("the sandbox dies %d times: %v, %v, want %v", deaths, err, s.report.Findings, want)
		}
	}
}

// TestSkips checks which checks are skipped because a problem has nothing for them to check.
func TestSkips(t *testing.T) {
	t.Parallel()
	given := openPackage(t, sandboxtest.New(t, nil))
	derived := &subject{set: &cases.Set{Files: []string{"cases/p/edge.yaml"}}, verification: &verification{p: repo.Bare("", "p")}}
	derived.p.Statement = "Add."
	for _, tt := range []struct {
		why  string
		s    *subject
		want string // names of the skipped checks
	}{
		{"a package without a statement", given, "samples orphans lock generators bounds reference brute"},
		{"a problem of the repository", derived, "outputs"},
	} {
		var skipped []string
		for _, c := range checks {
			if c.skip != nil && c.skip(tt.s) != "" {
				skipped = append(skipped, c.Name)
			}
		}
		if got := strings.Join(skipped, " "); got != tt.want {
			t.Errorf("%s: skipped %s, want %s", tt.why, got, tt.want)
		}
	}
}
