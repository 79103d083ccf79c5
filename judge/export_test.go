package main

import (
	"bytes"
	"flag"
	"path/filepath"
	"testing"

	"tribunal/internal/tier"
	"tribunal/judge/cli"
	"tribunal/judge/internal/cache/cachetest"
	"tribunal/judge/internal/config"
	"tribunal/judge/internal/repo"
	"tribunal/judge/packages/pkgformat"
)

var everyExport = flag.Bool("every-export", false, "run judge verify on all exported packages, which takes half an hour")

// TestExports exports all problems in all formats and reads the packages back. The reader must know
// everything in them, and find every case and the expected result of every submission. With
// -every-export it also runs judge verify on the packages, as the script export does with a small
// problem.
func TestExports(t *testing.T) {
	if !*everyExport {
		tier.T3(t, "exports of the problems of this repository")
	}
	t.Setenv(config.CacheVariable, cachetest.Dir(t))
	ids, err := repo.List(repository)
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range ids {
		for _, format := range []string{"kattis", "domjudge", "polygon-files"} {
			target := filepath.Join(t.TempDir(), id+".zip")
			run := func(args ...string) (out, errors string) {
				var stdout, stderr bytes.Buffer
				code := execute(t.Context(), append(args, "--root", repository), cli.Stdio{In: bytes.NewReader(nil), Out: &stdout, Err: &stderr})
				if code != cli.ExitOK {
					t.Errorf("judge %v: status %d\n%s%s", args, code, &stdout, &stderr)
				}
				return stdout.String(), stderr.String()
			}
			run("export", id, "--format", format, "-o", target)
			checkExport(t, id, format, target)
			if *everyExport {
				out, notes := run("verify", target)
				t.Logf("%s\n%s", out, notes)
			}
		}
	}
}

// checkExport reads the exported package target and compares it with the problem id.
func checkExport(t *testing.T, id, format, target string) {
	t.Helper()
	pack, err := pkgformat.Open(t.Context(), target, pkgformat.Options{Scratch: pkgformat.In(t.TempDir())})
	if err != nil {
		t.Error(err)
		return
	}
	defer pack.Close()
	p := pack.Draft()
	for _, note := range p.Notes {
		t.Errorf("%s for %s: %s", id, format, note)
	}
	q, err := repo.Load(repository, id)
	if err != nil {
		t.Fatal(err)
	}
	shown := 0
	for shown < len(p.Cases) && p.Cases[shown].Group == "sample" {
		shown++
	}
	if shown != len(q.Samples) || len(p.Cases) < 40 || p.Time.Limit != q.Limits.CPU || p.Limits.Memory != q.Limits.Memory {
		t.Errorf("%s for %s: %d of %d cases shown, limits %v and %v", id, format, shown, len(p.Cases), p.Time.Limit, p.Limits.Memory)
	}
	hasChecker := q.Checker() || format == "polygon-files" // this format always has a checker, even to compare bytes
	if hasChecker != (len(p.Validation.Programs) == 1) || len(p.InputPrograms) != 1 {
		t.Errorf("%s for %s: validators %v and %v", id, format, p.Validation.Programs, p.InputPrograms)
	}
	for _, s := range p.Submissions {
		if s.Expect.Final == 0 && len(s.Expect.Rules) == 0 {
			t.Errorf("%s for %s: %s has no expected result", id, format, s.Path)
		}
	}
}
