package pkgformat

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// pisekTask returns a task of pisek with that config, two static inputs and some programs.
func pisekTask(config string) string {
	return "-- config --\n" + config + "-- sample.in --\n-- sample.out --\n-- 01a.in --\n-- 01a.out --\n-- 02a.in --\n-- 02a.out --\n-- solve.py --\n-- sol/slow.cpp --\n-- judge.py --\n-- check.py --\n"
}

func TestParsePisek(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ why, text, want string }{
		{"nothing", "\n# a\n ; b\n", ""},
		{"settings, with both signs, and a comment that belongs to the value", "[a]\nB = c # d\ne:f=g\n", `[a] b="c # d" e="f=g"`},
		{"a value that goes on", "[a]\nb=c\n  d\n\n e\nf=\n", `[a] b="c\nd\ne" f=""`},
		{"sections", "[a]\nx=1\n[b c]\nx=2\n", `[a] x="1" [b c] x="2"`},
		{"no section", "a=b\n", "config:1: a is in no section (hint: write [task] above it)"},
		{"a section twice", "[a]\n[b]\n[a]\n", "config:3: the section [a] occurs twice"},
		{"a key twice", "[a]\nb=1\nB=2\n", "config:3: b occurs twice in [a]"},
		{"an open section", "[a\n", "config:1: [a is no name of a section (hint: write [task])"},
		{"no sign", "[a]\nb\n", "config:2: b is no setting (hint: write key=value)"},
	} {
		c, err := parsePisek("config", tt.text, func(line int, hint, format string, args ...any) error {
			text := fmt.Sprintf("config:%d: %s", line, fmt.Sprintf(format, args...))
			if hint != "" {
				text += " (hint: " + hint + ")"
			}
			return fmt.Errorf("%s", text)
		})
		var parts []string
		switch {
		case err != nil:
			parts = []string{err.Error()}
		default:
			for _, s := range c.sections {
				parts = append(parts, "["+s+"]")
				for _, key := range sortedKeys(c.values[s]) {
					parts = append(parts, fmt.Sprintf("%s=%q", key, c.text(s, key)))
				}
			}
		}
		if got := strings.Join(parts, " "); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.why, got, tt.want)
		}
	}
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
		p := read(t, unpack(t, pisekTask(tt.config)))
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

func TestListedInputs(t *testing.T) {
	t.Parallel()
	r := &pisekReader{p: read(t, unpack(t, oneCase))}
	got, err := r.listed("gen.py", "01_a\n02_b repeat=10\r\n02_c seeded=false")
	if want := []listedInput{{"01_a", 1, true}, {"02_b", 10, true}, {"02_c", 1, false}}; err != nil || !slices.Equal(got, want) {
		t.Errorf("got %v, %v, want %v", got, err, want)
	}
	for _, tt := range []struct{ why, text, want string }{
		{"an empty line", "\n", `line 1 of the list of its inputs, "", has no name of an input`},
		{"a path", "a\n../b\n", "line 2 of the list of its inputs, ../b, has no name of an input"},
		{"twice", "a\na\n", "line 2 of the list of its inputs, a, is listed twice"},
		{"no number", "a repeat=x\n", "line 1 of the list of its inputs, a repeat=x, does not say how often"},
		{"too many", "a repeat=100000\nb\n", "line 2 of the list of its inputs, b, is one of more than 100000"},
		{"an unknown key", "a x=y\n", "line 1 of the list of its inputs, a x=y, says x=y"},
		{"repeated without a seed", "a repeat=2 seeded=false\n", "line 1 of the list of its inputs, a repeat=2 seeded=false, repeats an input without a seed"},
	} {
		if _, err := r.listed("gen.py", tt.text); err == nil || !strings.Contains(err.Error(), "gen.py: "+tt.want+" (hint: ") {
			t.Errorf("%s: %v, want %s", tt.why, err, tt.want)
		}
	}
}

func TestPisekSeed(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why        string
		repetition int
		name, want string
	}{
		{"hashlib.blake2b of Python, with a digest of 8 bytes", 0, "01", "b0f3769b96f4a99a"},
		{"two blocks", 3, strings.Repeat("x", 200), "79dfc98797e3f69b"},
	} {
		if got := pisekSeed(tt.repetition, tt.name); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.why, got, tt.want)
		}
	}
}

// shuffles judges a list of answers, outputs, modes and whether case is ignored, in one process.
const shuffles = `import io, json, sys
from shuffle import differ
got = []
for answer, output, mode, fold in json.load(sys.stdin):
    answer, output = (io.BytesIO(text.encode("latin-1")) for text in (answer, output))
    got.append(differ(answer, output, mode, fold) or "")
json.dump(got, sys.stdout)
`

// TestShuffle runs the judge of out_check=shuffle.
func TestShuffle(t *testing.T) {
	t.Parallel()
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("not checked: out_check=shuffle (no python3)")
	}
	modes := []string{"lines", "words", "lines_words", "tokens"}
	var list [][]any
	var whys, want []string
	for _, tt := range []struct {
		why, answer, output string // the texts in Latin-1
		fold                bool
		want                [4]string // by mode
	}{
		{"equal but for white space", "a b\nc\n", "\n  a \tb\r\n\n\nc", false, [4]string{}},
		{"lines in another order", "a b\nc\n", "c\na b\n", false, [4]string{"", "line 1 is not the expected one", "", ""}},
		{"words in another order", "a b\nc\n", "b a\nc\n", false, [4]string{"line 1: not expected, or too often: b a", "", "", ""}},
		{"both", "a b\nc\n", "c\n\nb a\n", false, [4]string{"line 3: not expected, or too often: b a", "line 1 is not the expected one", "", ""}},
		{"other lines", "a b\nc\n", "a\nb c\n", false, [4]string{"line 1: not expected, or too often: a", "line 1 is not the expected one", "line 1: not expected, or too often: a", ""}},
		{"a word too often", "a b\n", "a b\na\n", false, [4]string{"line 2: not expected, or too often: a", "line 2 is not the expected one", "line 2: not expected, or too often: a", "line 2: not expected, or too often: a"}},
		{"a line twice instead of two", "a\na\nb\n", "a\nb\nb\n", false, [4]string{"line 3: not expected, or too often: b", "line 2 is not the expected one", "line 3: not expected, or too often: b", "line 3: not expected, or too often: b"}},
		{"too few", "a\nb\n", "b\n", false, [4]string{"missing: a", "line 1 is not the expected one", "missing: a", "missing: a"}},
		{"an end too early", "a\nb\n", "a\n", false, [4]string{"missing: b", "ends before line 2 of the answer", "missing: b", "missing: b"}},
		{"a long line", "a a\n", "a a a\n", false, [4]string{"line 1 is longer than any expected one", "line 1 is not the expected one", "line 1 is longer than any expected one", "line 1: not expected, or too often: a"}},
		{"nothing", "", "\n \n", false, [4]string{}},
		{"another case, which matters", "a\n", "A\n", false, [4]string{"line 1: not expected, or too often: A", "line 1 is not the expected one", "line 1: not expected, or too often: A", "line 1: not expected, or too often: A"}},
		{"another case, which does not", "a Z\n", "A z\n", true, [4]string{}},
		{"bytes that are no text, and other white space in a word", "a\u00ff\fb\n", "a\u00ff\fb\n", true, [4]string{}},
	} {
		for i, mode := range modes {
			list = append(list, []any{tt.answer, tt.output, mode, tt.fold})
			whys, want = append(whys, tt.why+", "+mode), append(want, tt.want[i])
		}
	}
	input, err := json.Marshal(list)
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(python, "-B", "-c", shuffles)
	c.Stdin, c.Dir = bytes.NewReader(input), "pisek"
	output, err := c.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, err.(*exec.ExitError).Stderr)
	}
	var got []string
	if err := json.Unmarshal(output, &got); err != nil || len(got) != len(want) {
		t.Fatalf("%v: %s", err, output)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("%s: got %q, want %q", whys[i], got[i], want[i])
		}
	}
}
