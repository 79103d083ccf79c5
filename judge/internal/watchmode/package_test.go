package watchmode

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"tribunal/judge/internal/diff"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/problem"
	"tribunal/judge/packages/pkgformat"
)

// packageFiles holds the files of a package, in a folder of the repository. Its programs are shell
// scripts.
var packageFiles = map[string]string{
	"pack/problem.yaml":                       "problem_format_version: 2025-09\nname: Capitals\nuuid: 5d0a9ee8-0000-4000-8000-000000000031\nlimits:\n  time_limit: 5\n",
	"pack/data/sample/1.in":                   "hello\n",
	"pack/data/sample/1.ans":                  "HELLO\n",
	"pack/data/secret/a.in":                   "abc\n",
	"pack/data/secret/a.ans":                  "ABC\n",
	"pack/submissions/accepted/right.sh":      capitals,
	"pack/submissions/wrong_answer/same.sh":   "echo no\n",
	"pack/submissions/run_time_error/fall.sh": "exit 3\n",
}

// readPackage is the [Reader] of judge watch.
func readPackage(ctx context.Context, folder string) (*problem.Problem, func() error, error) {
	return pkgformat.Read(ctx, folder, pkgformat.Options{})
}

// TestPackage checks which programs of a watched package are judged after a save, and against which
// promises.
func TestPackage(t *testing.T) {
	t.Parallel()
	w := newTestWatch(t, packageFiles, func(o *Options) {
		o.Package, o.Read, o.Problems, o.Submission = filepath.Join(o.Root, "pack"), readPackage, []string{"pack"}, filepath.Join(o.Root, "mine.sh")
		o.Adapt = func(task *grade.Task) error {
			task.CompareAll(diff.Options{Mode: diff.Exact}) // the package ignores white space and case
			return nil
		}
	})
	check(t, w.settled(), `
		watching pack `+w.path("mine.sh")+`
		round start
		failed pack `+w.path("mine.sh")+`: no such file or directory (hint: a submission is a source file, a folder of sources or an executable)
		settled not ok`)
	w.save("mine.sh", "echo no\n")
	check(t, w.settled(), `
		round save mine.sh
		submission sample/1 WA
		submission secret/a WA
		submission WA
		settled not ok`)
	w.save("mine.sh", capitals)
	check(t, w.settled(), `
		round save mine.sh
		submission AC
		settled ok`)
	w.save("mine.sh", capitals+"echo\n")
	check(t, w.settled(), `
		round save mine.sh
		submission sample/1 PE
		submission secret/a PE
		submission PE
		settled not ok`)
	w.save("mine.sh", capitals)
	w.settled()
	for _, tt := range []struct{ why, file, text, want string }{
		{"an example keeps its promise", "submissions/wrong_answer/same.sh", "echo no # still\n", `
			round save same.sh
			example sample/1 WA
			example secret/a WA
			example WA
			settled ok`},
		{"an example breaks its promise", "submissions/wrong_answer/same.sh", capitals, `
			round save same.sh
			example AC
			settled not ok`},
		{"a new example", "submissions/run_time_error/stop.sh", "exit 1\n", `
			round save stop.sh
			example sample/1 RTE
			example secret/a RTE
			example RTE
			settled ok`},
		{"the first accepted submission, which is the reference", "submissions/accepted/right.sh", "echo no\n", `
			round save right.sh
			submission AC
			reference sample/1 WA
			reference secret/a WA
			reference WA
			settled not ok`},
		{"the reference is corrected", "submissions/accepted/right.sh", capitals, `
			round save right.sh
			submission AC
			reference AC
			settled ok`},
		{"an answer", "data/secret/a.ans", "no\n", `
			round save a.ans
			submission secret/a WA
			submission WA
			reference secret/a WA
			reference WA
			settled not ok`},
		{"a file that cannot be read", "problem.yaml", "name: [\n", ``},
	} {
		w.save("pack/"+tt.file, tt.text)
		got := w.settled()
		if tt.want == "" {
			if !strings.Contains(got, "failed pack "+w.path("pack/problem.yaml")+":1") || !strings.HasSuffix(got, "settled not ok\n") {
				t.Errorf("%s: got\n%s", tt.why, got)
			}
			continue
		}
		if want := strings.ReplaceAll(strings.TrimSpace(tt.want), "\t", "") + "\n"; got != want {
			t.Errorf("%s: got\n%s\nwant\n%s", tt.why, got, want)
		}
	}
	// Correcting it triggers all work again.
	w.write("pack/data/secret/a.ans", "ABC\n")
	w.write("pack/problem.yaml", packageFiles["pack/problem.yaml"])
	w.send(quiet, "pack/problem.yaml", "pack/data/secret/a.ans")
	check(t, w.settled(), `
		round save a.ans,problem.yaml
		submission AC
		reference AC
		settled ok`)
}

// TestPromises checks an example that promises verdicts on groups of cases, not only a final
// verdict.
func TestPromises(t *testing.T) {
	t.Parallel()
	files := map[string]string{
		"pack/submissions/submissions.yaml": "mixed/some.sh:\n  permitted: [AC, WA]\n  required: [WA]\n  sample:\n    permitted: [AC]\n",
		"pack/submissions/mixed/some.sh":    capitals,
	}
	for name, text := range packageFiles {
		files[name] = text
	}
	w := startSettled(t, files, func(o *Options) {
		o.Package, o.Read, o.Problems = filepath.Join(o.Root, "pack"), readPackage, []string{"pack"}
	})
	w.save("pack/submissions/mixed/some.sh", "sed s/abc/no/\n")
	check(t, w.settled(), `
		round save some.sh
		example secret/a WA
		example WA
		settled ok`)
	w.save("pack/submissions/mixed/some.sh", "cat\n")
	check(t, w.settled(), `
		round save some.sh
		example AC
		settled not ok`) // the required verdict is WA
	w.save("pack/submissions/mixed/some.sh", "echo no\n")
	if got := w.settled(); !strings.Contains(got, "failed pack "+w.path("pack/submissions/mixed/some.sh")+": gets WA on sample/1") || !strings.HasSuffix(got, "settled not ok\n") {
		t.Errorf("got\n%s", got)
	}
	w.commands <- OnlyFails
	if got := w.settled(); !strings.HasPrefix(got, "round fails") {
		t.Errorf("got\n%s", got)
	}
}

// TestAffectsPackage checks that a path in a package affects exactly the parts that read it.
func TestAffectsPackage(t *testing.T) {
	t.Parallel()
	l := &packageLayout{
		folder: "/w/p", root: "/w/p/inner", id: "p", machine: "/w/runner.yaml", submission: watchedSubmission{"/w/p/inner/submissions/accepted/mine", "p"},
		own:       []string{"submissions/accepted/ref.c", "submissions/wrong_answer/x", "submissions/accepted/mine"},
		reference: "submissions/accepted/ref.c",
	}
	for _, tt := range []struct{ why, path, want string }{
		{"the configuration", "/w/runner.yaml", "machine"},
		{"metadata", "/w/p/inner/problem.yaml", "p statement"},
		{"a time limit in a file", "/w/p/inner/.timelimit", "p statement"},
		{"another hidden file", "/w/p/inner/.x.swp", ""},
		{"a hidden folder", "/w/p/inner/.git/index", ""},
		{"a validator", "/w/p/inner/output_validators/check/main.cpp", "p statement"},
		{"data", "/w/p/inner/data/secret/1.in", "p statement"},
		{"the reference", "/w/p/inner/submissions/accepted/ref.c", "p reference"},
		{"a folder that is an example", "/w/p/inner/submissions/wrong_answer/x/a.h", "p example submissions/wrong_answer/x"},
		{"a submission that the package did not have when it was read", "/w/p/inner/submissions/accepted/other.c", ""},
		{"the watched submission, which is an example as well", "/w/p/inner/submissions/accepted/mine/a.c", "p submission, p example submissions/accepted/mine"},
		{"above the package", "/w/p/readme", ""},
		{"elsewhere", "/w/q/inner/problem.yaml", ""},
	} {
		var got []string
		for _, e := range l.Affects(tt.path) {
			got = append(got, strings.Join(strings.Fields(strings.Join([]string{e.Problem, string(e.Part), e.Name}, " ")), " "))
		}
		if got := strings.Join(got, ", "); got != tt.want {
			t.Errorf("%s: %s concerns %q, want %q", tt.why, tt.path, got, tt.want)
		}
	}
}
