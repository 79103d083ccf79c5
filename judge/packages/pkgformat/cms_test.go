package pkgformat

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// cmsTask returns a task of task-maker with that gen/cases.gen, and n inputs with their outputs.
func cmsTask(cases string, n int) string {
	task := "-- task.yaml --\nname: hello\n-- gen/a.py --\n-- gen/b.py --\n-- gen/v.py --\n-- gen/w.py --\n-- gen/x.txt --\n-- sol/solution.py --\n-- gen/cases.gen --\n" + cases
	for i := range n {
		task += fmt.Sprintf("-- input/input%d.txt --\n-- output/output%d.txt --\n", i, i)
	}
	return task
}

func TestCasesGen(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why, cases string
		tests      int
		want       []string // a line for each case: its name and the validators with their arguments
		points     []float64
	}{
		{
			"the first generator and validator are the default, the name of a subtask has no blanks",
			"# all\n: GEN g gen/a.py N\n:VAL v gen/v.py\n: SUBTASK 100 a b # c\n1 # x\n: COPY gen/x.txt\n", 2,
			[]string{"secret/1/000 v.py /dev/stdin 0", "secret/1/001 v.py /dev/stdin 0"}, []float64{100},
		},
		{
			"a subtask of no points holds samples, and others choose programs of their own",
			": GEN default gen/a.py N\n: GEN b gen/b.py\n: VAL default gen/v.py\n: VAL w gen/w.py $ST_NAME x$INPUT\n", 0, nil, nil,
		},
		{
			"generators and validators of single subtasks",
			": GEN default gen/a.py N\n: GEN b gen/b.py\n: VAL default gen/v.py\n: VAL w gen/w.py $ST_NAME $INPUT\n" +
				": SUBTASK 0\n1\n: SUBTASK 40 line\n: VAL w\n: GEN b\n2\n: SUBTASK 60 all\n3\n: RUN b 'a b' c\n", 4,
			[]string{"sample/000 v.py /dev/stdin 0", "secret/2/001 w.py line /dev/stdin", "secret/3/002 v.py /dev/stdin 2", "secret/3/003 v.py /dev/stdin 2"},
			[]float64{40, 60},
		},
		{
			"tests of other subtasks keep their validators",
			": GEN g gen/a.py\n: VAL v gen/v.py\n: SUBTASK 30 a\n1\n: SUBTASK 30 b\n: STDEP a\n2\n: SUBTASK 40 c\n: STDEP *\n", 2,
			[]string{"secret/1/000 v.py /dev/stdin 0", "secret/2/000 v.py /dev/stdin 0", "secret/2/001 v.py /dev/stdin 1", "secret/3/000 v.py /dev/stdin 0", "secret/3/001 v.py /dev/stdin 1"},
			[]float64{30, 30, 40},
		},
		{
			"constraints that hold, or whose variables are unknown",
			": GEN g gen/a.py N M\n: CONSTRAINT 1 <= $N < $M <= 10\n: CONSTRAINT $X = 3\n: SUBTASK 100\n: CONSTRAINT $N > $ST_NUM >= 0\n1 2\n2 x\n", 2,
			[]string{"secret/1/000", "secret/1/001"}, []float64{100},
		},
	} {
		t.Run(tt.why, func(t *testing.T) {
			t.Parallel()
			dir := unpack(t, cmsTask(tt.cases, tt.tests))
			if tt.want == nil {
				if got := openError(t, dir); !strings.HasPrefix(got, "hello/task.yaml: no tests") {
					t.Errorf("got %s", got)
				}
				return
			}
			p := readPackage(t, dir)
			var got []string
			for _, c := range p.Cases {
				line := c.Name
				for _, rel := range p.InputPrograms {
					if args := c.InputArgs.Of(rel); args != nil {
						line += " " + strings.Join(append([]string{strings.TrimPrefix(rel, "gen/")}, args...), " ")
					}
				}
				got = append(got, line)
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("got %q\nwant %q", got, tt.want)
			}
			var points []float64
			for _, g := range p.Data.Groups[len(p.Data.Groups)-1].Groups {
				points = append(points, *g.Settings.MaxScore)
			}
			if !slices.Equal(points, tt.points) {
				t.Errorf("points %v, want %v", points, tt.points)
			}
		})
	}
}

func TestCMSErrors(t *testing.T) {
	t.Parallel()
	const gen = ": GEN g gen/a.py N\n"
	cases := func(text string) string { return cmsTask(text, 1) }
	for _, tt := range []struct{ why, task, want string }{
		{"an unknown command", cases(": SUBTASKS 3\n"), "gen/cases.gen:1: unknown command SUBTASKS (hint: they are GEN, VAL, CONSTRAINT, SUBTASK, STDEP, COPY and RUN)"},
		{"a test outside of a subtask", cases(gen + "1\n"), "gen/cases.gen:2: a test outside of a subtask (hint: write : SUBTASK 30 above it)"},
		{"a copy outside of a subtask", cases(": COPY gen/x.txt\n"), "gen/cases.gen:1: COPY outside of a subtask (hint: write : SUBTASK 30 above it)"},
		{"no generator", cases(": SUBTASK 100\n1\n"), "gen/cases.gen:2: no generator (hint: write : GEN default gen/generator.py above it)"},
		{"an unknown generator", cases(gen + ": SUBTASK 100\n: RUN h 1\n"), "gen/cases.gen:3: there is no generator h (hint: define it above)"},
		{"a generator that is missing", cases(": GEN g gen/none.py\n"), "gen/cases.gen:1: the generator g is gen/none.py, which is not in the package (hint: add it)"},
		{"two generators of one name", cases(gen + gen), "gen/cases.gen:2: two generators are called g"},
		{"an unknown validator", cases(": SUBTASK 100\n: VAL v\n"), "gen/cases.gen:2: there is no validator v (hint: define it above)"},
		{"a validator after the tests", cases(gen + ": VAL v gen/v.py\n: SUBTASK 100\n1\n: VAL v\n"), "gen/cases.gen:5: VAL does not follow the beginning of a subtask (hint: move it below the beginning of the subtask)"},
		{"an unknown variable", cases(": VAL v gen/v.py $N\n: SUBTASK 100\n"), "gen/cases.gen:2: there is no variable $N for the validator v (hint: they are $INPUT, $ST_NUM and, in a subtask with a name, $ST_NAME)"},
		{"no points", cases(": SUBTASK\n"), `gen/cases.gen:1: "" is no number of points (hint: write : SUBTASK 30 name)`},
		{"two subtasks of one name", cases(gen + ": SUBTASK 50 a b\n1\n: SUBTASK 50 ab\n"), "gen/cases.gen:4: two subtasks are called ab"},
		{"a subtask without tests", cases(gen + ": SUBTASK 50 a\n: SUBTASK 50 b\n1\n"), "gen/cases.gen:2: subtask 1 has no tests"},
		{"an unknown dependency", cases(gen + ": SUBTASK 100 a\n: STDEP b\n1\n"), "gen/cases.gen:2: depends on b, but no subtask has this name (hint: a subtask gets its name by STNAME)"},
		{"a constraint that is violated", cases(gen + ": CONSTRAINT $N <= 9\n: SUBTASK 100\n10\n"), "gen/cases.gen:4: the test violates the constraint $N <= 9 (hint: change the arguments of the test)"},
		{"a constraint of the subtask that is violated before a variable is unknown", cases(gen + ": SUBTASK 100\n: CONSTRAINT 1 <= $N < $M\n0\n"), "gen/cases.gen:4: the test violates the constraint 1 <= $N < $M (hint: change the arguments of the test)"},
		{"a constraint in both directions", cases(": CONSTRAINT 1 < $N > 3\n"), "gen/cases.gen:1: the constraint 1 < $N > 3 has < and > (hint: write : CONSTRAINT 1 <= $N <= 1000)"},
		{"a constraint of one operand", cases(": CONSTRAINT 1\n"), "gen/cases.gen:1: the constraint 1 compares nothing (hint: write : CONSTRAINT 1 <= $N <= 1000)"},
		{"a constraint without an operand", cases(": CONSTRAINT 1 <= N\n"), "gen/cases.gen:1: the constraint 1 <= N has no number or variable where one belongs (hint: write : CONSTRAINT 1 <= $N <= 1000)"},
		{"a constraint without an operator", cases(": CONSTRAINT 1 <= 2 3\n"), "gen/cases.gen:1: the constraint 1 <= 2 3 has no operator where one belongs (hint: write : CONSTRAINT 1 <= $N <= 1000)"},
		{"an open quote", cases(gen + ": SUBTASK 100\n'1\n"), "gen/cases.gen:3: a quote that is not closed, or more than 256 arguments"},
		{"a name of a subtask after its tests", "-- task.yaml --\n-- gen/GEN --\n#ST: 100\n1\n#STNAME: a\n", "gen/GEN:3: STNAME does not follow the beginning of a subtask (hint: move it below the beginning of the subtask)"},
		{"two names of a subtask", "-- task.yaml --\n-- gen/GEN --\n#ST: 100\n#STNAME: a\n#STNAME: b\n", "gen/GEN:3: a second name of a subtask"},
		{"several processes", "-- task.yaml --\nname: a\nnum_processes: 2\n-- check/manager.cpp --\n-- input/input0.txt --\n", "task.yaml:2: num_processes: a manager that talks to several processes of a submission is not supported (hint: judge runs one)"},
		{"an unknown way to talk", "-- task.yaml --\nuser_io: pipes\n-- check/manager.cpp --\n-- input/input0.txt --\n", "task.yaml:1: user_io: pipes is no way to talk to a manager (hint: write std_io or fifo_io)"},
		{"a manager in Java", "-- task.yaml --\n-- check/manager.java --\n-- input/input0.txt --\n", "check/manager.java: in a language in which such a program is not supported (hint: write it in C, C++ or Python)"},
		{"a controller", "-- task.yaml.orig --\ntitle: a\n-- check/controller.cpp --\n-- input/input0.txt --\n", "check/controller.cpp: tasks whose controller starts submissions (Interactive) are not supported"},
	} {
		t.Run(tt.why, func(t *testing.T) {
			t.Parallel()
			if got := openError(t, unpack(t, tt.task)); got != "hello/"+tt.want {
				t.Errorf("got  %s\nwant hello/%s", got, tt.want)
			}
		})
	}
}

func TestCheckPromises(t *testing.T) {
	t.Parallel()
	task := cmsTask(": GEN g gen/a.py\n: SUBTASK 30 one\n1\n: SUBTASK 30 [two\n2\n: SUBTASK 40 three\n3\n", 3) +
		"-- check/checker.py --\n-- sol/a.py --\n# @check-accepted: one\n# @check-partial-score: [t*\n# @check-time-limit-exceeded: t??ee\n" +
		"-- sol/b.py --\n# @check-zero: four\n# @check-slow: one\n"
	p := readPackage(t, unpack(t, task))
	want := []string{
		"secret/1 every case of secret/1 AC [30 30] sol/a.py:1",
		"secret/2 every case of secret/2 AC [0 29.999999] sol/a.py:2",
		"secret/3 every case of secret/3 AC or WA or TLE or RTE, one TLE <nil> sol/a.py:3",
	}
	var got []string
	for _, s := range p.Submissions {
		for _, r := range s.Expect.Rules {
			score := "<nil>"
			if r.Score != nil {
				score = fmt.Sprint(*r.Score)
			}
			got = append(got, fmt.Sprint(r.Cases, " ", r, " ", score, " ", r.From))
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
	for _, note := range []string{
		"sol/b.py:1: no subtask is called four: write # STNAME: into gen/GEN, or the name after SUBTASK into gen/cases.gen",
		"sol/b.py:2: unknown check slow", "sol: submissions that promise nothing: sol/b.py",
	} {
		if !slices.ContainsFunc(p.Notes, func(n string) bool { return strings.HasSuffix(n, "/"+note) }) {
			t.Errorf("no note %q among %q", note, p.Notes)
		}
	}
}
