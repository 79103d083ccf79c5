//go:build linux

package perform

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"tribunal/internal/tier"
	"tribunal/judge/internal/build"
	"tribunal/judge/internal/cache/cachetest"
	"tribunal/judge/internal/config"
	"tribunal/judge/internal/engine"
	"tribunal/judge/internal/verdict"
	"tribunal/judge/judged/internal/ledger"
	"tribunal/judge/judged/internal/store"
	"tribunal/judge/judged/internal/store/simstore"
	"tribunal/judge/judged/internal/task"
	"tribunal/judge/lab/doctor"
	"tribunal/judge/packages/checktestdata"
)

func TestMain(m *testing.M) {
	doctor.Attack()
	checktestdata.Main(build.Interpreter, build.ParseOnly)
	os.Exit(m.Run())
}

// start returns a performer with two slots.
func start(t *testing.T) *Performer {
	t.Helper()
	t.Setenv(config.CacheVariable, cachetest.Dir(t))
	c, err := config.Load("../../../..")
	if err != nil {
		t.Fatal(err)
	}
	eng, err := engine.New("../../../..", c, engine.Hooks{})
	if err != nil {
		t.Fatal(err)
	}
	if err := eng.Start(2); err != nil {
		t.Fatal(err)
	}
	p := New(eng, simstore.Blocking(time.Minute, time.Minute)().Blobs, "w", Health{})
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
		if err := eng.Close(); err != nil {
			t.Error(err)
		}
	})
	return p
}

// packed returns an archive of files.
func packed(t *testing.T, files map[string]string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		w, err := z.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(files[name])); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// stowed returns a reference to a content that the performer can fetch.
func stowed(t *testing.T, p *Performer, text []byte) store.Ref {
	t.Helper()
	ref, err := p.blobs.Put(t.Context(), text)
	if err != nil {
		t.Fatal(err)
	}
	return ref
}

var double = map[string]string{
	"double/problem.yaml":                     "problem_format_version: 2023-07-draft\nname: Double\nuuid: 5ca6ba5b-36d5-4eff-8aa7-d967cbc4375e\nlimits: {time_limit: 1}\n",
	"double/problem_statement/problem.en.tex": "Read a number and double it.\n",
	"double/data/sample/1.in":                 "1\n", "double/data/sample/1.ans": "2\n",
	"double/data/secret/2.in": "21\n", "double/data/secret/2.ans": "42\n",
	"double/data/secret/3.in": "-3\n", "double/data/secret/3.ans": "-6\n",
	"double/submissions/accepted/a.py": "print(2 * int(input()))\n",
}

// with returns a copy of files with changes; "" removes one.
func with(files map[string]string, changes map[string]string) map[string]string {
	files = maps.Clone(files)
	maps.Copy(files, changes)
	maps.DeleteFunc(files, func(_, text string) bool { return text == "" })
	return files
}

// TestCheck checks versions of a problem.
func TestCheck(t *testing.T) {
	tier.T2(t, "the check of a package in the jail")
	tier.Needs(t, "the check of a package in the jail", "python3")
	p := start(t)
	for _, tt := range []struct {
		why     string
		files   map[string]string
		quick   bool
		usable  bool
		finding string // part of one; "" for none
	}{
		{"a good package", double, true, true, ""},
		{"a wrong answer, which only verifying finds", with(double, map[string]string{"double/data/secret/3.ans": "6\n"}), false, true, "double/submissions/accepted/a.py"},
		{"but a quick check does not verify", with(double, map[string]string{"double/data/secret/3.ans": "6\n"}), true, true, ""},
		{"no cases", with(double, map[string]string{"double/data/sample/1.in": "", "double/data/sample/1.ans": "", "double/data/secret/2.in": "", "double/data/secret/2.ans": "", "double/data/secret/3.in": "", "double/data/secret/3.ans": ""}), true, false, "no"},
		{"not YAML", with(double, map[string]string{"double/problem.yaml": "{"}), true, false, "problem.yaml"},
		{"a validator that does not compile", with(double, map[string]string{"double/output_validators/v/v.cpp": "int main( {"}), true, false, "does not compile"},
		{"a file outside of the archive", with(double, map[string]string{"../x": "x"}), true, false, "x"},
	} {
		archive := packed(t, tt.files)
		a, err := p.Perform(t.Context(), &task.Task{Part: task.Check, Problem: "double", Archive: stowed(t, p, archive), Quick: tt.quick}, nil)
		if err != nil {
			t.Errorf("%s: %v", tt.why, err)
			continue
		}
		found := strings.Join(a.Checked.Findings, "\n")
		if a.Checked.Usable != tt.usable || !strings.Contains(found, tt.finding) || tt.finding == "" && tt.quick && found != "" {
			t.Errorf("%s: usable %v, findings %q; want %v, %q", tt.why, a.Checked.Usable, found, tt.usable, tt.finding)
		}
		if strings.Contains(found, p.engine.Cache.Dir()) {
			t.Errorf("%s: findings name places of this host: %q", tt.why, found)
		}
		if tt.usable && (a.Checked.Cases != 3 || a.Checked.Title != "Double") {
			t.Errorf("%s: %+v", tt.why, a.Checked)
		}
	}
	long := packed(t, with(double, map[string]string{"double/problem.yaml": strings.Replace(double["double/problem.yaml"], "Double", strings.Repeat("Double", 1000), 1)}))
	a, err := p.Perform(t.Context(), &task.Task{Part: task.Check, Problem: "double", Archive: stowed(t, p, long), Quick: true}, nil)
	if err != nil || !a.Checked.Usable || len(a.Checked.Title) > 2*maxCause {
		t.Errorf("a long title: %+v, %v", a, err)
	}
	if _, err := p.Perform(t.Context(), &task.Task{Part: task.Check, Problem: "x", Archive: store.RefOf([]byte("nowhere"))}, nil); err == nil {
		t.Error("an archive that is not there is the problem's fault")
	}
}

// TestCheckRepository checks a problem that comes as part of a repository.
func TestCheckRepository(t *testing.T) {
	tier.T2(t, "the check of a repository in the jail")
	tier.Needs(t, "the check of a repository in the jail", "python3")
	p := start(t)
	archive := packed(t, map[string]string{
		"problems/double.yaml":                       "id: double\ntitle: Double\nsource: x\nstatement: Double it.\ninput: A number.\noutput: Its double.\nsamples: [a/one]\nlimits: {cpu: 1s, wall: 3s, memory: 128MiB, output: 64KiB}\ncompare: exact\n",
		"cases/double/a.yaml":                        "cases:\n  - name: one\n    input: |\n      1\n    output: |\n      2\n  - name: two\n    input: |\n      2\n    output: |\n      5\n...\n",
		"reference/double/submissions/accepted/a.py": "print(2 * int(input()))\n",
		"reference/double/notes.txt":                 "which nothing uses",
	})
	a, err := p.Perform(t.Context(), &task.Task{Part: task.Check, Problem: "double", Archive: stowed(t, p, archive)}, nil)
	if err != nil {
		t.Fatal(err)
	}
	found := strings.Join(a.Checked.Findings, "\n")
	for _, want := range []string{"reference/double/submissions/accepted/a.py: ", "reference/double/notes.txt: "} {
		if !strings.Contains(found, want) {
			t.Errorf("no %s in %s", want, found)
		}
	}
	if !a.Checked.Usable {
		t.Errorf("not usable: %s", found)
	}
}

// TestPage checks what people get to read of a problem: never its secret cases, nor a script.
func TestPage(t *testing.T) {
	tier.T2(t, "the statement of a package")
	p := start(t)
	for _, tt := range []struct {
		why, file, text string
		want            string // in the page; "" for no page
	}{
		{"LaTeX", "double/problem_statement/problem.en.tex", "Double $x^2$ it.\n", "<msup>"},
		{"no statement", "double/problem_statement/problem.en.tex", "", ""},
		{"a script", "double/problem_statement/problem.en.md", "Double *it*.\n\n<script>alert(1)</script><img src=x onerror=alert(1)>\n", "<em>it</em>"},
	} {
		files := with(double, map[string]string{"double/problem_statement/problem.en.tex": ""})
		files = with(files, map[string]string{tt.file: tt.text})
		a, err := p.Perform(t.Context(), &task.Task{Part: task.Check, Problem: "double", Archive: stowed(t, p, packed(t, files)), Quick: true}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if a.Checked.Page == nil {
			if tt.want != "" {
				t.Errorf("%s: no page; %+v", tt.why, a.Checked)
			}
			continue
		}
		text, err := p.blobs.Get(t.Context(), *a.Checked.Page)
		if err != nil {
			t.Fatal(err)
		}
		var page task.Page
		if err := json.Unmarshal(text, &page); err != nil {
			t.Fatal(err)
		}
		if page.Title != "Double" || !strings.Contains(page.Body, tt.want) || tt.want == "" {
			t.Errorf("%s: %+v, want %q", tt.why, page, tt.want)
		}
		if len(page.Samples) != 1 || page.Samples[0].Input != "1\n" || page.Samples[0].Output != "2\n" {
			t.Errorf("%s: samples %q", tt.why, page.Samples)
		}
		for _, bad := range []string{"<script", "onerror", "21\n", "42\n"} {
			if strings.Contains(page.Body, bad) {
				t.Errorf("%s: the page has %q:\n%s", tt.why, bad, page.Body)
			}
		}
	}
}

// TestLongCheck checks versions within a bound of time. A check that takes longer ends with what it has
// found.
func TestLongCheck(t *testing.T) {
	tier.T2(t, "a check that takes too long")
	tier.Needs(t, "a check that takes too long", "python3")
	p := start(t)
	slow := with(double, map[string]string{"double/submissions/accepted/slow.py": "while True: pass\n"}) // until its second of CPU time is over
	for _, tt := range []struct {
		why    string
		files  map[string]string
		quick  bool
		within time.Duration
		usable bool
		long   bool
	}{
		{"there is time", double, false, time.Hour, true, false},
		{"a slow submission", slow, false, 500 * time.Millisecond, false, true},
		{"that a quick check does not judge", slow, true, time.Hour, true, false},
		{"even reading it takes too long", double, true, time.Nanosecond, false, true},
	} {
		a, err := p.Perform(t.Context(), &task.Task{Part: task.Check, Problem: "double", Archive: stowed(t, p, packed(t, tt.files)), Quick: tt.quick, Within: tt.within}, nil)
		if err != nil {
			t.Errorf("%s: %v", tt.why, err)
			continue
		}
		found := strings.Join(a.Checked.Findings, "\n")
		if long := strings.Contains(found, "the check takes longer than "+tt.within.String()); a.Checked.Usable != tt.usable || long != tt.long {
			t.Errorf("%s: usable %v, findings %q", tt.why, a.Checked.Usable, found)
		}
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if a, err := p.Perform(ctx, &task.Task{Part: task.Check, Problem: "double", Archive: stowed(t, p, packed(t, double)), Within: time.Nanosecond}, nil); err == nil {
		t.Errorf("a check that the worker ended: %+v", a)
	}
}

// TestSources judges sources of several kinds.
func TestSources(t *testing.T) {
	tier.T2(t, "sources that are judged in the jail")
	tier.Needs(t, "sources that are judged in the jail", "python3")
	p := start(t)
	archive := stowed(t, p, packed(t, double))
	right := "print(2 * int(input()))\n"
	for _, tt := range []struct {
		why, name, language string
		code                []byte
		limits              string
		verdict             verdict.Verdict
		cause               string
	}{
		{"one file", "a.py", "", []byte(right), "", verdict.AC, ""},
		{"a language that its name does not say", "a", "python3", []byte(right), "", verdict.AC, ""},
		{"a name with a folder above", "../../a.py", "", []byte(right), "", verdict.AC, ""},
		{"an archive of a folder", "sub.zip", "", packed(t, map[string]string{"sub/main.py": "import other\nother.run()\n", "sub/other.py": "def run(): print(2 * int(input()))\n"}), "", verdict.AC, ""},
		{"an archive of one file", "sub.ZIP", "", packed(t, map[string]string{"a.py": right}), "", verdict.AC, ""},
		{"an archive that leads outside", "sub.zip", "", packed(t, map[string]string{"../../../a.py": right}), "", verdict.CE, "a.py"},
		{"an archive without a name", ".zip", "", packed(t, map[string]string{"sub/main.py": right, "sub/other.py": ""}), "", verdict.AC, ""},
		{"not an archive", "sub.zip", "", []byte("PK"), "", verdict.CE, "archive"},
		{"an empty archive", "sub.zip", "", packed(t, nil), "", verdict.CE, ""},
		{"a wrong program", "a.py", "", []byte("print(input() * 2)\n"), "", verdict.WA, ""},
		{"a syntax error", "a.c", "", []byte("int main( {\n"), "", verdict.CE, ""},
		{"limits of its own", "a.py", "", []byte("while True: pass\n"), "cpu=200ms", verdict.TLE, ""},
		{"an empty source", "a.py", "", nil, "", verdict.WA, ""},
	} {
		a, err := p.Perform(t.Context(), &task.Task{Part: task.Whole, Problem: "double", Archive: archive, Name: tt.name, Language: tt.language, Source: stowed(t, p, tt.code), Limits: tt.limits}, func(any) {})
		if err != nil {
			t.Errorf("%s: %v", tt.why, err)
			continue
		}
		if a.Summary.Verdict != tt.verdict && !(len(tt.code) == 0 && a.Summary.Verdict != verdict.AC) || !strings.Contains(a.Summary.Cause, tt.cause) {
			t.Errorf("%s: %s %q, want %s %q", tt.why, a.Summary.Verdict, a.Summary.Cause, tt.verdict, tt.cause)
		}
	}
	for _, wrong := range []*task.Task{
		{Part: task.Whole, Problem: "double", Archive: archive, Name: "a.py", Source: store.RefOf([]byte("not there"))},
		{Part: task.Whole, Problem: "double", Archive: archive, Name: "a.py", Source: stowed(t, p, []byte(right)), Limits: "cpu=fast"},
		{Part: 1, Problem: "double", Archive: archive, Name: "a.py", Source: stowed(t, p, []byte(right))},
	} {
		if a, err := p.Perform(t.Context(), wrong, func(any) {}); err == nil {
			t.Errorf("%+v: %+v, want an error", wrong, a)
		}
	}
}

// TestGroups judges in one go and in parts on a package whose groups, which give no points, decide
// otherwise than by the first failing case.
func TestGroups(t *testing.T) {
	tier.T2(t, "a judging in parts, in the jail")
	tier.Needs(t, "a judging in parts, in the jail", "python3")
	p := start(t)
	archive := stowed(t, p, packed(t, with(double, map[string]string{
		"double/problem.yaml":              "problem_format_version: legacy\nname: Double\nlimits: {time_limit: 1}\n",
		"double/data/testdata.yaml":        "on_reject: continue\ngrader_flags: ignore_sample\n",
		"double/data/secret/testdata.yaml": "grader_flags: accept_if_any_accepted\n",
	})))
	for _, tt := range []struct {
		why, code string
		want      verdict.Verdict
	}{
		{"only the last case is right", "n = int(input())\nprint(2 * n if n < 0 else n)\n", verdict.AC},
		{"the worst of two", "n = int(input())\nprint(n if n > 0 else 1 // 0)\n", verdict.RTE},
	} {
		perform := func(t0 task.Task) *task.Answer {
			t0.Problem, t0.Archive, t0.Name, t0.Source = "double", archive, "a.py", stowed(t, p, []byte(tt.code))
			a, err := p.Perform(t.Context(), &t0, func(any) {})
			if err != nil {
				t.Fatalf("%s: %v", tt.why, err)
			}
			return a
		}
		var parts []store.Ref
		for i, r := range []ledger.Range{{From: 0, To: 2}, {From: 2, To: 3}} {
			a := perform(task.Task{Part: i, Cases: r})
			if a.Decides {
				t.Errorf("%s: part %d decides before the groups do", tt.why, i)
			}
			parts = append(parts, a.Result)
		}
		for what, a := range map[string]*task.Answer{"whole": perform(task.Task{Part: task.Whole}), "parts": perform(task.Task{Part: task.Join, Parts: parts})} {
			if s := a.Summary; s.Verdict != tt.want || s.Points != nil || s.Judged != 3 {
				t.Errorf("%s: %s: %+v, want %s of 3 cases without points", tt.why, what, s, tt.want)
			}
		}
	}
}

// TestRun runs programs without a problem.
func TestRun(t *testing.T) {
	tier.T2(t, "runs in the jail")
	tier.Needs(t, "runs in the jail", "python3")
	p := start(t)
	for _, tt := range []struct {
		why, name, code, input string
		args                   []string
		limits                 string
		outcome, output, err   string
		options                []string
	}{
		{"input and output", "a.py", "print(input()[::-1])", "abc\n", nil, "", "OK", "cba\n", "", nil},
		{"arguments", "a.py", "import sys; print(sys.argv[1:])", "", []string{"x y", "*"}, "", "OK", "['x y', '*']\n", "", nil},
		{"standard error and a status", "a.py", "import sys; print('o'); sys.exit('wrong')", "", nil, "", "RTE", "o\n", "wrong\n", nil},
		{"a limit", "a.py", "while True: pass", "", nil, "cpu=200ms", "TLE", "", "", nil},
		{"a syntax error", "a.c", "int main( {", "", nil, "", "CE", "", "", nil},
		{"an option of the compiler", "a.c", "#include <stdio.h>\nint main(void) { puts(X); }", "", nil, "", "OK", "x\n", "", []string{"-DX=\"x\""}},
		{"one that is not allowed", "a.c", "int main(void) {}", "", nil, "", "CE", "", "", []string{"-B."}},
	} {
		input := stowed(t, p, []byte(tt.input))
		a, err := p.Perform(t.Context(), &task.Task{Part: task.Whole, Name: tt.name, Source: stowed(t, p, []byte(tt.code)), Input: &input, Args: tt.args, Options: tt.options, Limits: tt.limits}, func(any) {})
		if err != nil {
			t.Errorf("%s: %v", tt.why, err)
			continue
		}
		text, err := store.Fetch(t.Context(), p.blobs, a.Result)
		if err != nil {
			t.Fatal(err)
		}
		var r task.Result
		if err := json.Unmarshal(text, &r); err != nil {
			t.Fatal(err)
		}
		if r.Run.Outcome != tt.outcome || string(r.Run.Text) != tt.output || string(r.Run.Errors) != tt.err {
			t.Errorf("%s: %s, %q, %q; want %s, %q, %q", tt.why, r.Run.Outcome, r.Run.Text, r.Run.Errors, tt.outcome, tt.output, tt.err)
		}
		if r.Host.Worker != "w" || r.Host.Slots != 2 || r.Program == "" && tt.outcome != "CE" {
			t.Errorf("%s: does not say who ran what: %+v, %q", tt.why, r.Host, r.Program)
		}
	}
}

// TestExamine measures a host twice, and then lets it have become slower. Only the first examination
// attacks the jail.
func TestExamine(t *testing.T) {
	tier.T2(t, "the examination of a host")
	p := start(t)
	ended, stop := context.WithCancel(t.Context())
	stop()
	p.health.Doctor = true
	if err := p.Examine(ended); !errors.Is(err, context.Canceled) || !strings.HasPrefix(err.Error(), "the doctor: ") || p.health.first != 0 {
		t.Errorf("attacks that cannot be made: %v", err)
	}
	if p.health.Doctor = tier.All(); !p.health.Doctor {
		t.Logf("not checked: tasks of a worker whose jail was attacked (%s=all checks them)", tier.Variable)
	}
	for range 2 {
		if err := p.Examine(t.Context()); err != nil {
			t.Fatal(err)
		}
		p.health.Doctor = true
	}
	if err := p.Examine(ended); !errors.Is(err, context.Canceled) || !strings.HasPrefix(err.Error(), "the reference runs: ") {
		t.Errorf("a further examination that is ended: %v", err)
	}
	if f := p.Host().Factor; f != 1 {
		t.Errorf("the factor of the first worker is %v", f)
	}
	p.health.first /= 1000
	if err := p.Examine(t.Context()); err != nil {
		t.Errorf("one slow examination: %v", err)
	}
	if err := p.Examine(t.Context()); err == nil || !strings.Contains(err.Error(), "has become slower") {
		t.Errorf("two slow examinations: %v", err)
	}
}
