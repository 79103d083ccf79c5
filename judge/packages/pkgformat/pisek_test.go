package pkgformat

import (
	"fmt"
	"slices"
	"testing"
)

// pisekTask returns a task of pisek with that config, two static inputs and some programs.
func pisekTask(config string) string {
	return "-- config --\n" + config + "-- sample.in --\n-- sample.out --\n-- 01a.in --\n-- 01a.out --\n-- 02a.in --\n-- 02a.out --\n-- solve.py --\n-- sol/slow.cpp --\n-- judge.py --\n-- check.py --\n"
}

func TestPisekVersions(t *testing.T) {
	t.Parallel()
	cases := []string{"sample/sample", "secret/1/01a", "secret/2/02a"}
	for _, tt := range []struct {
		why, config string
		cases       []string
		want        []string // a line for each solution
	}{
		{
			"version 3",
			"[task]\nversion=v3\n[tests]\ngen_type=pisek-v1\nout_check=tokens\npoints=5\n[test01]\n[test02]\npoints=3\n" +
				"[solution_a]\nrun=solve\nprimary=yes\n[solution_slow]\ntests=11T\npoints_max=5\n[run_solution]\ntime_limit=2\n[run_solution_slow]\nsubdir=sol\n",
			cases,
			[]string{
				"solve.py AC; every case of sample AC; every case of secret/1 AC; every case of secret/2 AC <nil>",
				"sol/slow.cpp every case of sample AC; every case of secret/1 AC; every case of secret/2 AC or WA or TLE or RTE, one TLE &[0 5]",
			},
		},
		{
			"version 2 for CMS, where a test has the inputs of the one before",
			"[task]\nversion=v2\ncontest_type=cms\nname=x\n[tests]\nin_gen=\nout_check=judge\nout_judge=judge\nchecker=check\n[test01]\npoints=5\n[test02]\npoints=3\n" +
				"[solution_a]\nsource=solve\nprimary=yes\n[limits]\nsolve_time_limit=1\n",
			[]string{"sample/sample", "secret/1/01a", "secret/2/01a", "secret/2/02a"},
			[]string{"solve.py AC; every case of sample AC; every case of secret/1 AC; every case of secret/2 AC <nil>"},
		},
		{
			"version 1, whose solutions say their points, and whose globs are complete",
			"[task]\nsolutions=solve slow_5b\nsolutions_subdir=.\n[tests]\nin_gen=\nout_check=diff\n[test01]\npoints=5\n[test02]\npoints=3\nin_globs=0*.in\n" +
				"[run_x]\n[run_solution_slow]\nsubdir=sol\n",
			[]string{"sample/sample", "secret/1/01a", "secret/2/01a", "secret/2/02a"},
			[]string{
				"solve.py AC; every case of sample AC; every case of secret/1 AC; every case of secret/2 AC <nil>",
				"sol/slow.cpp  &[5 5]",
			},
		},
	} {
		p := readPackage(t, unpack(t, pisekTask(tt.config)))
		var names []string
		for _, c := range p.Cases {
			names = append(names, c.Name)
		}
		if !slices.Equal(names, tt.cases) {
			t.Errorf("%s: cases %q, want %q", tt.why, names, tt.cases)
		}
		var got []string
		for _, s := range p.Submissions {
			got = append(got, fmt.Sprint(s.Path, " ", s.Expect, " ", s.Expect.Score))
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: got %q\nwant %q", tt.why, got, tt.want)
		}
	}
}

func TestPisekErrors(t *testing.T) {
	t.Parallel()
	const start = "[task]\nversion=v3\n[tests]\ngen_type=pisek-v1\n"
	const tests = start + "out_check=tokens\n[test01]\npoints=5\n"
	const solve = tests + "[solution_solve]\nprimary=yes\n"
	for _, tt := range []struct{ why, config, want string }{
		{"an unknown version", "[task]\nversion=v9\n[tests]\n", "config:2: unknown version v9 (hint: the versions are v1, v2 and v3)"},
		{"an unknown contest", "[task]\nversion=v2\ncontest_type=icpc\n[tests]\n", "config:3: unknown contest_type icpc (hint: write kasiopea or cms)"},
		{"unknown defaults", "[task]\nversion=v3\nuse=@x\n[tests]\n", "config:3: pisek has no defaults @x (hint: they are @kasiopea and @cms)"},
		{"defaults outside", "[task]\nversion=v3\nuse=x\n[tests]\n", "config:3: uses x, which is not in the package (hint: add --root-of-package FOLDER, the folder around the package with pisek/configs/)"},
		{"shuffled outputs without a mode", start + "out_check=shuffle\n", `config:5: unknown shuffle_mode "" (hint: write lines, words, lines_words or tokens)`},
		{"an unknown mode", start + "out_check=shuffle\nshuffle_mode=all\n", "config:6: unknown shuffle_mode all (hint: write lines, words, lines_words or tokens)"},
		{"an unknown check", start + "out_check=x\n", "config:5: unknown out_check x (hint: write diff, tokens, shuffle or judge)"},
		{"no check", start, `config: unknown out_check "" (hint: write diff, tokens, shuffle or judge)`},
		{"a judge without a type", start + "out_check=judge\nout_judge=judge\n", `config: judge_type="" is none for such a task (hint: write cms-batch or opendata-v1)`},
		{"a judge that is missing", start + "out_check=judge\nout_judge=none\n", "config:6: there is no program none (hint: add none.py, or in another language)"},
		{"an interactive task without a judge", "[task]\nversion=v3\ntask_type=interactive\n[tests]\nout_check=tokens\n", "config:5: an interactive task needs a judge (hint: write out_check=judge)"},
		{"a limit that is no number", tests + "[run]\ntime_limit=fast\n", "config:9: time_limit=fast in [run_secondary_solution] is no number"},
		{"no points", start + "out_check=tokens\n[test01]\n", `config: points="" in [test01] is no number`},
		{"a gap among the tests", tests + "[test03]\npoints=1\n", "config: there is no section [test02], but [test03] (hint: number the tests from 01)"},
		{"an unknown predecessor", tests + "predecessors=7\n", "config:7: [test01] depends on test 7, which does not exist"},
		{"predecessors in a circle", tests + "predecessors=2\n[test02]\npoints=1\npredecessors=1\n", "config:7: [test01] depends on itself"},
		{"a glob of other files", tests + "in_globs=a*\n", "config:8: the pattern a* does not end in .in (hint: write a*.in)"},
		{"a test without inputs", tests + "in_globs=x.in\n", "config:7: no inputs for [test01] (hint: in_globs=x.in match none)"},
		{"results of other tests", solve + "[solution_slow]\nrun=sol/slow\ntests=1\n", "config:12: [solution_slow] has results of 1 tests, but there are 2 (hint: give the result of each test, such as 11W)"},
		{"an unknown result", solve + "[solution_slow]\nrun=sol/slow\ntests=1Y\n", "config:12: unknown result Y (hint: they are 1, 0, P, W, !, T and X)"},
		{"a primary solution that fails", solve + "tests=1X\n", "config:10: the primary solution does not promise all tests (hint: write tests=@all)"},
		{"two primary solutions", solve + "[solution_slow]\nrun=sol/slow\nprimary=on\n", "config:11: two solutions have primary=yes (hint: leave it out at one of them)"},
		{"points and bounds", solve + "points=5\npoints_min=3\n", "config: [solution_solve] has points and their bounds (hint: give one of them)"},
		{"arguments of a solution", solve + "[run_solution]\nargs=-v\n", "config: arguments of the solution solve are not supported"},
		{"headers elsewhere", solve + "[solutions]\nstub=sol/slow\nheaders=judge.h\n", "config:12: headers in another folder than the stub are not supported (hint: put them into one folder)"},
		{"a solution without a name", solve + "[solution_slow]\nrun=\ntests=1\n", "config:11: no program is named (hint: write its name without the extension)"},
		{"an unknown generator", start + "in_gen=none\nout_check=diff\n", "config:5: there is no program none (hint: add none.py, or in another language)"},
		{"an unknown type of generators", "[task]\nversion=v3\n[tests]\nin_gen=judge\ngen_type=x\nout_check=diff\n", "config:5: unknown gen_type x (hint: write pisek-v1, opendata-v1 or cms-old)"},
	} {
		if got := openError(t, unpack(t, pisekTask(tt.config))); got != "hello/"+tt.want {
			t.Errorf("%s: got  %s\nwant hello/%s", tt.why, got, tt.want)
		}
	}
}
