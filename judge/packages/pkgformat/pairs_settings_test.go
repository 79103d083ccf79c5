package pkgformat

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tribunal/judge/internal/points"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/verdict"
	"tribunal/judge/packages/pairs"
)

// grouped is a folder of pairs with three groups.
const grouped = "-- easy/1.in --\n1\n-- easy/1.ans --\n2\n-- easy/2.in --\n1\n-- easy/2.ans --\n2\n-- hard/1.in --\n1\n-- hard/1.ans --\n2\n-- sample/1.in --\n1\n-- sample/1.ans --\n2\n"

// settled describes what a problem has from tribunal.yaml: its points are those of a submission that fails on easy/2.
func settled(t *testing.T, p *problem.Problem) string {
	t.Helper()
	set, err := p.Read()
	if err != nil {
		t.Fatal(err)
	}
	l := p.Limits
	text := fmt.Sprintf("%s; %v %v %v %v; %+v; samples %v; open %v; feedback %q", p.Title, l.CPU, l.Wall, l.Memory, l.Output, p.Compare, p.Samples, p.Open, p.Feedback)
	for _, c := range set.Cases {
		text += "; " + c.Name
	}
	if p.Groups == nil {
		return text
	}
	var results []points.Result
	for _, c := range set.Cases {
		v := verdict.AC
		if c.Name == "easy/2" {
			v = verdict.WA
		}
		results = append(results, points.Result{Verdict: v})
	}
	score, err := p.Groups.Add(results, nil)
	if err != nil {
		t.Fatal(err)
	}
	text += fmt.Sprintf("; %v of %v points, %v", score.Points, score.Best, score.Verdict)
	for _, o := range score.Groups[1:] {
		text += fmt.Sprintf(", %s %v of %v", o.Group.Name, o.Points, o.Best)
	}
	return text
}

// problemAt opens a folder and returns its problem.
func problemAt(t *testing.T, dir string) *problem.Problem {
	t.Helper()
	p, err := readPackage(t, dir).Problem()
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestPairsSettings checks what each key of tribunal.yaml sets.
func TestPairsSettings(t *testing.T) {
	t.Parallel()
	const cases = "sample/1; easy/1; easy/2; hard/1"
	const exact = "{Mode:exact FoldCase:false Spaces:false Abs:0 Rel:0 Lines:0 Bytes:0}"
	const usual = "hello; 0s 0s 2GiB 64MiB; " + exact + "; samples [sample/1]; open [sample/1]; feedback \"\"; " + cases
	for _, tt := range []struct{ why, text, want string }{
		{"a title", "title: Sums\n", strings.Replace(usual, "hello", "Sums", 1)},
		{"with line ends of Windows and a byte order mark", "\uFEFFtitle: Sums\r\nlimits: {cpu: 2s}\r\n", strings.Replace(usual, "hello; 0s", "Sums; 2s", 1)},
		{"limits", "limits: {cpu: 2s, wall: 5s, memory: 64MiB, output: 1KiB}\n", strings.Replace(usual, "0s 0s 2GiB 64MiB", "2s 5s 64MiB 1KiB", 1)},
		{"a comparison, as --compare has it", "compare: float:1e-3\n", strings.Replace(usual, "exact FoldCase:false Spaces:false Abs:0 Rel:0", "float FoldCase:false Spaces:false Abs:0.001 Rel:0.001", 1)},
		{"only comments", "# title: x\n\n  # compare: float\n", usual},
		{"a comparison, as problems have it", "compare: float\ntolerance: {abs: 0.5, rel: 0}\nfold_case: true\n", strings.Replace(usual, "exact FoldCase:false Spaces:false Abs:0 Rel:0", "float FoldCase:true Spaces:false Abs:0.5 Rel:0", 1)},
		{"a comparison by lines", "compare: lines\n", strings.Replace(usual, "exact", "lines", 1)},
		{"samples", "samples: [hard/1, easy/2]\n", strings.Replace(usual, "samples [sample/1]; open [sample/1]", "samples [hard/1 easy/2]; open [easy/2 hard/1]", 1)},
		{"feedback", "feedback: verdict\n", strings.Replace(usual, `""`, `"verdict"`, 1)},
		{"points by cases", "points: cases\n", usual + "; 0.75 of 1 points, WA, sample 0.25 of 0.25, easy 0.25 of 0.5, hard 0.25 of 0.25"},
		{"points by groups", "points: groups:30\n", usual + "; 20 of 30 points, WA, sample 10 of 10, easy 0 of 10, hard 10 of 10"},
		{"points for all cases", "points: 10\n", usual + "; 0 of 10 points, WA"},
		{"points of groups", "scoring: {groups: [{name: easy, max_score: 30, score_aggregation: sum}, {name: hard, max_score: 70, require_pass: [easy]}]}\n",
			usual + "; 15 of 100 points, WA, sample 0 of 0, easy 15 of 30, hard 0 of 70"},
		{"points of groups for all of their cases", "scoring: {groups: [{name: hard, max_score: 70}, {name: easy, max_score: 30}]}\n", usual + "; 70 of 100 points, WA, sample 0 of 0, easy 0 of 30, hard 70 of 70"},
	} {
		dir := unpack(t, grouped)
		if err := os.WriteFile(filepath.Join(dir, pairs.File), []byte(tt.text), 0o644); err != nil {
			t.Fatal(err)
		}
		p := problemAt(t, dir)
		if got := settled(t, p); got != tt.want {
			t.Errorf("%s:\ngot  %s\nwant %s", tt.why, got, tt.want)
		}
		if p.Scoring || p.Feedback != "" {
			continue
		}
		written := pairs.Text(p, strings.Split(cases, "; "))
		if err := os.WriteFile(filepath.Join(dir, pairs.File), []byte(written), 0o644); err != nil {
			t.Fatal(err)
		}
		if got := settled(t, problemAt(t, dir)); got != tt.want {
			t.Errorf("%s: written as\n%sit is\n%s\nwant %s", tt.why, written, got, tt.want)
		}
	}
}

// TestPairsSettingsOfFiles checks keys of tribunal.yaml about names and other files of the folder.
func TestPairsSettingsOfFiles(t *testing.T) {
	t.Parallel()
	p := readPackage(t, unpack(t, "-- tribunal.yaml --\npairs: '{}.frage:{}.antwort'\nnotes: {tests/a: the smallest}\nstatements: [{file: task.md}, {file: de/aufgabe.md, language: de}]\n"+
		"-- a.frage --\n1\n-- a.antwort --\n2\n-- x.in --\n1\n-- task.md --\nAdd.\n-- de/aufgabe.md --\nAddiere.\n"))
	wantFacts(t, p, "statement de/aufgabe.md in de\ncase tests/a in tests: a.frage a.antwort\ncase tests/a has the smallest\n")
	wantNotes(t, p, "hello: files that are not read: x.in\n")
}

// TestPairsSettingsErrors checks the errors of tribunal.yaml.
func TestPairsSettingsErrors(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ why, text, more, want string }{
		{"no YAML", "title: [", "", "1: "},
		{"nothing", "\n", "", "1: empty document"},
		{"an unknown key", "title: a\nlimit: {cpu: 1s}\n", "", `2: unknown field "limit" (hint: did you mean "limits"?)`},
		{"a limit of 0", "limits:\n  cpu: 0s\n", "", "2: cpu: want at least 1ms, found 0s"},
		{"a limit without a unit", "limits: {memory: 64}\n", "", "1: memory: 64 has no unit (hint: did you mean 64MiB?)"},
		{"a unit that is none", "limits: {cpu: 1 parsec}\n", "", `1: cpu: time "1 parsec" is not a positive number with a unit (hint: write it like 1s, 300ms or 2m)`},
		{"an unknown comparison", "compare: fuzzy\n", "", `1: compare: unknown way to compare "fuzzy" (hint: exact, lines, tokens or float:1e-6)`},
		{"float without a tolerance", "compare: float\n", "", "1: compare: float without a tolerance (hint: add tolerance: {abs: 1e-6, rel: 1e-6})"},
		{"two tolerances", "compare: float:0.5\ntolerance: {abs: 1, rel: 0}\n", "", "2: tolerance with compare: float:0.5 (hint: keep one of them)"},
		{"a tolerance of nothing", "tolerance: {abs: 1, rel: 0}\n", "", "1: tolerance with compare: exact (hint: write compare: float, or leave the tolerance out)"},
		{"a comparison beside a checker", "compare: tokens\n", "-- check.py --\n", "1: check.py decides which outputs are right (hint: keep one of them)"},
		{"names of one side", "pairs: '{}.in'\n", "", "1: want the names of inputs and answers, each with one {} (hint: pairs: '{}.in:{}.gold')"},
		{"names that no file has", "title: a\npairs: '{}.q:{}.r'\n", "", "2: no files are called {}.q:{}.r among easy/1.ans, easy/1.in, easy/2.ans, easy/2.in, … (hint: it has the names of inputs and answers)"},
		{"a sample that does not exist", "samples: [easy/1, easy/3]\n", "", "1: samples: there is no case easy/3 (hint: did you mean easy/1?)"},
		{"a sample twice", "samples: [easy/1, easy/1]\n", "", "1: samples: easy/1 is listed twice"},
		{"a note of nothing", "notes:\n  nowhere: x\n", "", "2: notes: there is no case nowhere (hint: they are sample/1, easy/1, easy/2, hard/1)"},
		{"points that are none", "points: many\n", "", `1: points: "many" says no points (hint: write cases, groups or a number, or both as in cases:10)`},
		{"points of both kinds", "points: 10\nscoring: {groups: [{name: easy, max_score: 1}]}\n", "", "2: both points and scoring (hint: keep one of them)"},
		{"a group that does not exist", "scoring:\n  groups:\n    - {name: esay, max_score: 1}\n", "", "3: there is no group esay (hint: did you mean easy?)"},
		{"a group without points", "scoring: {groups: [{name: easy, max_score: 1}]}\n", "", "1: the cases of hard have no points (hint: add - {name: hard, max_score: 10})"},
		{"a group twice", "scoring: {groups: [{name: easy, max_score: 1}, {name: easy, max_score: 1}, {name: hard, max_score: 2}]}\n", "", "1: two groups are called easy (hint: merge them)"},
		{"a group that requires a later one", "scoring: {groups: [{name: hard, max_score: 1}, {name: easy, max_score: 2, require_pass: [hard]}]}\n", "", "1: hard is no group before easy (hint: they are sample)"},
		{"no points at all", "scoring: {groups: [{name: easy, max_score: 0}, {name: hard, max_score: 0}]}\n", "", "1: no group has points"},
		{"a statement that is not there", "statements: [{file: task.md}]\n", "", "1: no file task.md (hint: name it by its path in the folder)"},
		{"a statement elsewhere", "statements: [{file: ../../etc/passwd}]\n", "", "1: no file ../../etc/passwd (hint: name it by its path in the folder)"},
		{"a package of another format", "title: a\n", "-- problem.yaml --\nname: a\n", " it is for a plain folder of pairs, but this folder is also a package of "},
		{"another ending", "", "-- tribunal.yml --\ntitle: a\n", "not read (hint: rename it to tribunal.yaml)"},
		{"a folder", "", "-- tribunal.yaml/x --\n", " "},
	} {
		files := grouped + tt.more
		if tt.text != "" {
			files += "-- tribunal.yaml --\n" + tt.text
		}
		p, err := openDraft(t.Context(), unpack(t, files), Options{})
		if err == nil {
			_, err = p.Problem()
		}
		if err == nil {
			t.Errorf("%s: no error", tt.why)
			continue
		}
		_, got, _ := strings.Cut(strings.Replace(err.Error(), "tribunal.yml: ", "tribunal.yaml:", 1), "hello/tribunal.yaml:")
		if got != tt.want && (strings.Contains(tt.want, "(hint") || !strings.HasPrefix(got, tt.want)) {
			t.Errorf("%s:\ngot  %s\nwant %s", tt.why, err, tt.want)
		}
	}
}

// TestPairsTemplate checks that the tribunal.yaml which judge init --here writes is accepted, and changes nothing.
func TestPairsTemplate(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ why, archive, pairs, has string }{
		{"groups and samples", grouped, "", "\nsamples: [sample/1]\n"},
		{"samples by their names", "-- sample1.in --\n1\n-- sample1.out --\n1\n-- 2.in --\n1\n-- 2.out --\n1\n", "", "\n# samples: [tests/sample1]\n"},
		{"a time limit", grouped + "-- .timelimit --\n2\n", "", "\n  cpu: 2s\n"},
		{"a time limit that the submissions decide", grouped + "-- submissions/accepted/a.py --\n", "", "\n  # cpu: "},
		{"a checker", grouped + "-- check.py --\n", "", "\n# \"check.py\" decides which outputs are right.\n"},
		{"names that the user says", "-- a.q --\n1\n-- a.r --\n2\n", "{}.q:{}.r", "\npairs: \"{}.q:{}.r\"\n"},
		{"odd names", "-- a: b #/[1], \"x\"é\t.in --\n1\n-- a: b #/[1], \"x\"é\t.ans --\n2\n-- sample/x: y.in --\n-- sample/x: y.ans --\n", "", "\nsamples: [\"sample/x: y\"]\n"},
	} {
		dir := unpack(t, tt.archive)
		p, err := openDraft(t.Context(), dir, Options{Pairs: tt.pairs})
		if err != nil {
			t.Fatalf("%s: %v", tt.why, err)
		}
		before, err := p.Problem()
		if err != nil {
			t.Fatalf("%s: %v", tt.why, err)
		}
		text := string(pairs.Template(p))
		if !strings.Contains(text, tt.has) {
			t.Errorf("%s: no %q in\n%s", tt.why, tt.has, text)
		}
		if err := os.WriteFile(filepath.Join(dir, pairs.File), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		after := problemAt(t, dir)
		if before.Limits.CPU == 0 && len(before.Submissions) == 0 {
			before.Limits.CPU = before.Time.Fallback // which the file names
		}
		if d := cmp.Diff(settled(t, before), settled(t, after)); d != "" {
			t.Errorf("%s: (-before +after)\n%s", tt.why, d)
		}
		uncommented := strings.NewReplacer("# points:", "points:", "  # wall:", "  wall:").Replace(text)
		if err := os.WriteFile(filepath.Join(dir, pairs.File), []byte(uncommented), 0o644); err != nil {
			t.Fatal(err)
		}
		if after := problemAt(t, dir); !after.Scoring || after.Limits.Wall == 0 {
			t.Errorf("%s: without the signs of comments, it has no points or wall time", tt.why)
		}
	}
}

// TestPairsDocument checks that the tribunal.yaml of the documents is accepted.
func TestPairsDocument(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile(filepath.Join("..", "..", "..", "docs", "packages.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(string(page), "```yaml\ntitle: ")
	text, _, _ = strings.Cut("title: "+text, "```")
	for _, other := range []string{"points: ", "scoring: "} {
		var kept []string
		for line := range strings.Lines(text) {
			if !strings.HasPrefix(line, other) {
				kept = append(kept, line)
			}
		}
		dir := unpack(t, "-- task.md --\n-- easy/1.frage --\n-- easy/1.antwort --\n-- easy/2.frage --\n-- easy/2.antwort --\n-- hard/1.frage --\n-- hard/1.antwort --\n-- tribunal.yaml --\n"+strings.Join(kept, ""))
		if p := problemAt(t, dir); !p.Scoring || p.Groups.Best() != 10 || len(kept) != strings.Count(text, "\n")-1 {
			t.Errorf("without %s: %+v", other, p)
		}
	}
}
