package pkgformat

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/yamlstrict"
	"tribunal/judge/packages/archive"
	"tribunal/judge/packages/draft"
)

// fuzzPackage opens a package in which the file at rel has the given content. Open must return a
// valid package or a located error.
func fuzzPackage(t *testing.T, rel string, data []byte) {
	dir := unpack(t, legacyCases+"-- submissions/accepted/a.py --\n-- output_validators/v.py --\n")
	name := filepath.Join(dir, rel)
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, data, 0o644); err != nil {
		t.Fatal(err)
	}
	p := fuzzOpen(t, dir)
	if p != nil && len(p.Cases) != 2 {
		t.Errorf("%d cases, want 2", len(p.Cases))
	}
}

// fuzzOpen opens the package in dir and closes it at the end of the test. It checks that the package
// is valid, or that the error is located; then it returns nil.
func fuzzOpen(t *testing.T, dir string) *draft.Draft {
	p, err := openDraft(t.Context(), dir, Options{Scratch: In(t.TempDir())})
	if err != nil {
		e, ok := err.(*yamlstrict.Error)
		if !ok || !strings.HasPrefix(e.File, dir) || e.Msg == "" || strings.ContainsAny(e.Error(), "\n\x00") {
			t.Fatalf("not a located error of one line: %q", err)
		}
		return nil
	}
	t.Cleanup(func() { p.Close() })
	if p.Validation.Passes < 1 || p.Limits.Memory <= 0 || p.Limits.Output <= 0 || p.Limits.CPU < 0 || p.Time.Limit < 0 || p.Time.Resolution <= 0 || !(p.Time.ACToLimit >= 1) {
		t.Errorf("an impossible package: %+v", p)
	}
	for _, s := range p.Submissions {
		for _, r := range s.Expect.Rules {
			if r.Permitted == 0 || r.Required == 0 {
				t.Errorf("a rule that no submission can follow: %+v", r)
			}
		}
		if strings.ContainsAny(s.Expect.String(), "\n") {
			t.Errorf("an expectation of several lines: %q", s.Expect.String())
		}
	}
	for _, n := range p.Notes {
		if strings.ContainsAny(n, "\n\x00") || !utf8.ValidString(n) {
			t.Errorf("a note that is not one line: %q", n)
		}
	}
	return p
}

// FuzzFolder opens folders of any files. An entry "a -> b" of the txtar archive is a symbolic link.
// Nothing outside of the folder is read, and whatever can be opened can be judged or is refused with
// a located error.
func FuzzFolder(f *testing.F) {
	f.Add([]byte(legacyCases))
	f.Add([]byte(polygonTests("1", "tests/%d", "tests/%d.a")))
	f.Add([]byte("-- problem.yaml --\nproblem_format_version: 2025-09\ntype: scoring\n-- data/secret/a/1.in --\n-- data/secret/a/1.ans --\n-- data/secret/a/test_group.yaml --\nmax_score: 5\n-- output_validator/v.py --\n"))
	f.Add([]byte("-- x/a.in --\n-- x/a.out --\n-- x/b.in -> a.in --\n-- x/b.out -> ../../secret --\n-- checker.cpp --\n"))
	f.Add([]byte("-- tests/01 --\n-- tests/01.a --\n-- solutions/a.cpp --\n-- solutions/a.cpp.desc --\nTag: MAIN\n"))
	f.Add([]byte(cmsTask(": GEN g gen/a.py N\n: VAL v gen/v.py\n: CONSTRAINT 1 <= $N\n: SUBTASK 100 a\n: STDEP *\n: COPY gen/x.txt\n: RUN g 'a' b\n", 2) + "-- check/manager.py --\n-- sol/b.py --\n# @check-zero: *\n"))
	f.Add([]byte(pisekTask("[task]\nsolutions=solve slow_3b\n[tests]\nout_check=judge\nout_judge=judge\nchecker=check\n[test01]\npoints=1\nin_globs=0*.in\n[run_solution_slow]\nsubdir=sol\n")))
	f.Add([]byte(pisekTask("[task]\nversion=v3\nuse=@cms\ntask_type=interactive\n[tests]\nout_check=judge\nout_judge=judge\njudge_type=cms-communication\n[test01]\npoints=1\n[solution_solve]\nprimary=y\n[solutions]\nstub=sol/slow\n")))
	f.Add([]byte("-- problem.rbx.yml --\ntimeLimit: 1000\ntestcases:\n  - {name: main, generatorScript: {path: plan.txt}}\n  - {name: more, vars: {n: 'py`2**3`'}, testcaseGlob: '**/*.in'}\nunitTests: {validator: [{glob: x/*, outcome: valid}]}\nsolutions: [{path: '*.c', outcome: wa}]\n-- plan.txt --\n@copy x/a.in\n-- x/a.in -> ../../secret --\n-- x/a.ans --\n-- a.c --\n"))
	f.Add([]byte("-- config.yml --\nsinol_task_id: a\nnum_processes: 1\ntime_limits: {1: 5, 1a: 1e9}\noverride_limits: {py: {memory_limits: {0: 3}, time_limit: 7}}\n-- prog/asoc.c --\n-- prog/a.c --\n-- in/a1a.in --\n-- in/a0.in -> ../../secret --\n"))
	f.Add([]byte("-- problem.rbx.yml --\nmodifiers: {py: {timeMultiplier: 1e-3, time: 5}, kt: {memory: 1}}\ntimeLimit: 1000\ntestcases: [{name: main, testcaseGlob: '*.in'}]\n-- 1.in --\n-- 1.ans --\n"))
	f.Add([]byte("-- tribunal.yaml --\ntitle: a\nlimits: {cpu: 1s, memory: 64MiB}\ncompare: float:1e-6\npairs: ['{}.in:{}.gold']\nsamples: [a/*]\nscoring: {groups: [{name: a, max_score: 10, score_aggregation: sum}, {name: b, max_score: 5, require_pass: a}]}\nnotes: {a/1: x}\nstatements: [{file: ../secret}]\n-- a/1.in --\n-- a/1.gold --\n-- b/2.in --\n-- b/2.gold --\n"))
	f.Add([]byte("-- tribunal.yaml --\npoints: cases:10\nspaces: 1\ntolerance: {absolute: 0}\n-- 1.in --\n-- 1.ans --\n"))
	const secret = "kept from all packages"
	f.Fuzz(func(t *testing.T, data []byte) {
		top := t.TempDir()
		dir := filepath.Join(top, "hello")
		if err := errors.Join(os.Mkdir(dir, 0o755), os.WriteFile(filepath.Join(top, "secret"), []byte(secret), 0o644)); err != nil {
			t.Fatal(err)
		}
		root, err := os.OpenRoot(dir)
		if err != nil {
			t.Fatal(err)
		}
		defer root.Close()
		// txtar.Parse panics on some inputs.
		for _, file := range strings.Split("\n"+string(data), "\n-- ")[1:] {
			name, text, ok := strings.Cut(file, " --\n")
			if !ok || strings.Contains(name, "\n") {
				continue
			}
			name, to, isLink := strings.Cut(name, " -> ")
			// A name that cannot be created, because another file is in the way, is left out.
			if root.MkdirAll(path.Dir(name), 0o755) != nil {
				continue
			}
			if isLink {
				root.Symlink(to, name)
			} else {
				root.WriteFile(name, []byte(text), 0o644)
			}
		}
		p := fuzzOpen(t, dir)
		if p == nil {
			return
		}
		made, err := p.Problem()
		if err != nil {
			if _, ok := err.(*yamlstrict.Error); !ok || strings.Contains(err.Error(), "\n") {
				t.Errorf("not a located error of one line: %q", err)
			}
			return
		}
		tests, err := made.Tests()
		if err != nil {
			t.Error(err)
		}
		for _, c := range slices.Concat(p.Cases, p.ValidInput, p.InvalidInput, p.InvalidAnswer, p.InvalidOutput, p.ValidOutput) {
			for _, rel := range []string{c.Input, c.Answer, c.Output} {
				if text, err := p.Bytes(rel); err != nil || strings.Contains(string(text), secret) {
					t.Errorf("case %s: %s holds %q, %v", c.Name, rel, text, err)
				}
			}
		}
		if n := len(p.ValidInput) + len(p.InvalidInput) + len(p.InvalidAnswer) + len(p.InvalidOutput) + len(p.ValidOutput); len(tests) != n {
			t.Errorf("%d tests of %d cases", len(tests), n)
		}
		for _, s := range p.Submissions {
			if source, err := p.Own(&s, build.Defaults()); err == nil && strings.Contains(fmt.Sprintf("%q", source.Texts()), secret) {
				t.Errorf("%s holds the secret", s.Path)
			}
		}
	})
}

func FuzzMetadata(f *testing.F) {
	for _, s := range []string{
		"name: {en: a, sv: b}\nlimits: {memory: 1, time_limit: 0.5}\n", "problem_format_version: 2025-09\ntype: [interactive, multi-pass]\nlimits: {validation_passes: 3}\n",
		"validation: custom score\ngrading: {objective: min, range: -inf +inf}\n", "name: &a [*a]\n", "\xef\xbb\xbfname: x\r\n", "constants: {a: b}\nvalidator_flags: '{{a}}'", "? [a]\n: b", "a: b: c", "%", "!!binary x", "limits: {memory: 0x10, output: 1_000}", "grading: {accept_score: 1e999}",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) { fuzzPackage(t, "problem.yaml", data) })
}

func FuzzSubmissionsYAML(f *testing.F) {
	for _, s := range []string{
		"accepted: {permitted: [AC], required: AC}\n", "'*/*.{py,c}': {secret: {permitted: [AC, TLE], required: [TLE], score: [1, 2]}}\n", "a: &a {b: *a}\n", "accepted/a.py: {use_for_time_limit: lower, message: x, authors: [{name: x}]}\n", "'{,}{,}{,}': {}\n",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) { fuzzPackage(t, "submissions/submissions.yaml", data) })
}

func FuzzTestdata(f *testing.F) {
	f.Add([]byte("on_reject: break\nrange: 0 100\noutput_validator_flags: {name: a, flags: b}\n"))
	f.Add([]byte("scoring: {score: 5, aggregation: sum}\ninput_validator_args: {a: [b]}\nstatic_validation: {score: 5}\nmax_score: unbounded\n"))
	f.Fuzz(func(t *testing.T, data []byte) { fuzzPackage(t, "data/secret/testdata.yaml", data) })
}

func FuzzINI(f *testing.F) {
	f.Add([]byte("name = 'a'\ntimelimit=1.5 ; x\n[s]\n#\n"))
	f.Add([]byte("timelimit='1\n\"=\"\"\n=\n"))
	f.Fuzz(func(t *testing.T, data []byte) { fuzzPackage(t, draft.IniFile, data) })
}

func FuzzDetails(f *testing.F) {
	f.Add([]byte(`{"submissions/accepted/a.py/": {"entry_point": "x", "langid": "y"}, "": {}}`))
	f.Fuzz(func(t *testing.T, data []byte) { fuzzPackage(t, "submissions.json", data) })
}

func FuzzPolygon(f *testing.F) {
	f.Add([]byte(polygonTests("1", "tests/%d", "tests/%d.a")))
	f.Add([]byte("<problem><assets><checker><source path='../x'/></checker></assets></problem>"))
	f.Fuzz(func(t *testing.T, data []byte) {
		dir := unpack(t, "-- tests/1 --\n-- tests/1.a --\n")
		if err := os.WriteFile(filepath.Join(dir, "problem.xml"), data, 0o644); err != nil {
			t.Fatal(err)
		}
		if p, err := openDraft(t.Context(), dir, Options{Scratch: In(t.TempDir())}); err == nil {
			p.Close()
		} else if e, ok := err.(*yamlstrict.Error); !ok || strings.Contains(e.Error(), "\n") {
			t.Errorf("not a located error of one line: %q", err)
		}
	})
}

// FuzzZip checks that no archive makes Open write outside of scratch.
func FuzzZip(f *testing.F) {
	seed := func(files ...zipped) {
		data, err := os.ReadFile(pack(f, files...))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	seed(someCase...)
	seed(zipped{name: "../x", text: "y"})
	seed(zipped{name: "a", text: "..", mode: 0o777 | os.ModeSymlink}, zipped{name: "a/b", text: "y"})
	bounds := archive.Bounds{Entries: 100, Total: 1 << 20, Free: 1 << 20, Ratio: 10, Link: 100}
	f.Fuzz(func(t *testing.T, data []byte) {
		top := t.TempDir()
		file, scratch := filepath.Join(top, "hello.zip"), filepath.Join(top, "scratch")
		if err := os.WriteFile(file, data, 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.Mkdir(scratch, 0o755); err != nil {
			t.Fatal(err)
		}
		p, err := open(t.Context(), file, Options{Scratch: In(scratch)}, bounds)
		if err == nil {
			p.Close()
		} else if e, ok := err.(*yamlstrict.Error); !ok || strings.Contains(e.Error(), "\n") {
			t.Errorf("not a located error of one line: %q", err)
		}
		if list, _ := os.ReadDir(top); len(list) != 2 {
			t.Errorf("written outside of scratch: %v", list)
		}
		if _, err := zip.NewReader(bytes.NewReader(data), int64(len(data))); err != nil && p != nil {
			t.Errorf("opened an invalid archive: %v", err)
		}
	})
}
