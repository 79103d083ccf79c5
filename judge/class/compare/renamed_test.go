package compare

import (
	"fmt"
	"strings"
	"testing"

	"tribunal/judge/cli/layout"
	"tribunal/judge/internal/verdict"
)

// student is a submission of a student for the problem p, with the fields of the roster.
type student struct {
	name, path string
	fields     []string
}

func resultsOf(list ...student) *Results {
	r := &Results{by: map[Name]Result{}, field: map[Name][]string{}, path: map[Name]string{}}
	for _, s := range list {
		n := Name{"p", s.name}
		r.add(n, Result{Verdict: verdict.AC})
		r.field[n], r.path[n] = s.fields, s.path
	}
	return r
}

// TestRenamed pairs submissions whose names differ in two judgings.
func TestRenamed(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why          string
		older, newer []student
		want         string // old names and new ones
	}{
		{"the same names", []student{{name: "ann"}, {name: "ben"}}, []student{{name: "ben"}, {name: "ann"}}, ""},
		{"capitals and blanks", []student{{name: "Ann  Lee"}, {name: "ben"}}, []student{{name: "ann lee"}, {name: "cleo"}}, "Ann  Lee=ann lee"},
		{"a roster now, with the number", []student{{name: "s1001"}, {name: "s1002"}}, []student{{"Ann Lee", "", []string{"Ann Lee", "S1001", "A"}}, {"Ben", "", []string{"Ben", "s1002", "A"}}}, "s1001=Ann Lee s1002=Ben"},
		{"a roster then", []student{{"Ann Lee", "", []string{"Ann Lee", "s1001"}}, {name: "x"}}, []student{{name: "s1001"}, {name: "y"}}, "Ann Lee=s1001"},
		{"only a group in common", []student{{"ann", "", []string{"ann", "G1"}}, {name: "x"}}, []student{{"ben", "", []string{"ben", "G1"}}, {name: "y"}}, ""},
		{"two that may be it", []student{{name: "ann"}, {name: "x"}}, []student{{"Ann Lee", "", []string{"ann"}}, {"Ann Li", "", []string{"ann"}}}, ""},
		{"two that it may be", []student{{name: "ann"}, {name: "s1"}}, []student{{"Ann Lee", "", []string{"ann", "s1"}}, {name: "y"}}, ""},
		{"another folder", []student{{name: "monday/ann/a.py"}, {name: "monday/ben/a.py"}}, []student{{name: "tuesday/x/ann/a.py"}, {name: "tuesday/x/cleo/a.py"}}, "monday/ann/a.py=tuesday/x/ann/a.py"},
		{"files of one folder", []student{{name: "v1/a.py"}, {name: "v1/b.py"}}, []student{{name: "a.py"}, {name: "c.py"}}, "v1/a.py=a.py"},
		{"a sheet and its journal", []student{{"ann", "class/ann/a.py", nil}, {"ben", "class/ben/a.py", nil}}, []student{{name: "class/ann/a.py"}, {name: "class/ben/a.py"}}, "ann=class/ann/a.py ben=class/ben/a.py"},
		{"one is there under its name", []student{{name: "a/x.py"}, {name: "b/x.py"}}, []student{{name: "b/x.py"}, {name: "b/y.py"}}, ""},
		{"one each", []student{{name: "v1.py"}}, []student{{name: "v2.py"}}, "v1.py=v2.py"},
	} {
		older, newer := resultsOf(tt.older...), resultsOf(tt.newer...)
		for n := range newer.by {
			newer.by[n] = Result{Verdict: verdict.WA}
		}
		r := Compare(older, newer)
		var got []string
		for _, c := range r.Verdicts {
			if c.Was != "" {
				got = append(got, c.Was+"="+c.Submission)
			}
		}
		if g := strings.Join(got, " "); g != tt.want || r.Renamed != len(got) || len(r.Added) != len(tt.newer)-len(r.Verdicts) || len(r.Gone) != len(tt.older)-len(r.Verdicts) {
			t.Errorf("%s: %q, want %q: %+v", tt.why, g, tt.want, r)
		}
	}
}

// TestTwo compares the two submissions of a document.
func TestTwo(t *testing.T) {
	t.Parallel()
	r := resultsOf(student{name: "v1.py"}, student{name: "v2.py"})
	r.by[Name{"p", "v2.py"}] = Result{Verdict: verdict.WA, First: "edge"}
	a, b, err := r.Two()
	if err != nil {
		t.Fatal(err)
	}
	if c := Compare(a, b); len(c.Verdicts) != 1 || c.Verdicts[0].Was != "v1.py" || c.Verdicts[0].Submission != "v2.py" || c.Verdicts[0].Old.Verdict != verdict.AC {
		t.Errorf("%+v", c)
	}
	r.add(Name{"q", "v2.py"}, Result{})
	if _, _, err := r.Two(); err == nil || !strings.Contains(err.Error(), "holds 3 results, not two for one problem (hint: name another document") {
		t.Errorf("three: %v", err)
	}
}

// TestText shows both names, what changed in cases if only the points did, why a submission was not judged,
// and a problem that only one judging has on one line.
func TestText(t *testing.T) {
	t.Parallel()
	of := func(points float64, v verdict.Verdict, cases ...verdict.Verdict) Result {
		r := Result{Verdict: v, Points: &points, First: "0", cases: map[string]ofCase{}}
		for i, c := range cases {
			r.cases[fmt.Sprint(i)] = ofCase{verdict: c}
		}
		return r
	}
	older, newer := &Results{by: map[Name]Result{}}, &Results{by: map[Name]Result{}}
	older.add(Name{"p", "Ann"}, of(3, verdict.WA, verdict.WA, verdict.AC, verdict.WA))
	newer.add(Name{"p", "ann"}, of(4, verdict.WA, verdict.WA, verdict.WA, verdict.AC))
	older.add(Name{"p", "ben"}, of(9, verdict.AC))
	newer.add(Name{"p", "ben"}, Result{Wrong: "several files: a.c and b.c"})
	for _, name := range []string{"ann", "ben", "cleo"} {
		newer.add(Name{"q", name}, Result{})
	}
	older.add(Name{"r", "ann"}, Result{})
	var b strings.Builder
	if err := Text(&b, Compare(older, newer), layout.Options{}); err != nil {
		t.Fatal(err)
	}
	const want = `Ann → ann  p  WA → WA, 3 → 4 points  1 AC → WA, 2 WA → AC
ben        p  AC → not judged        several files: a.c and b.c
all 3      q  new
ann        r  gone

2 verdicts changed, 0 in cases only, 0 slower, 0 faster, 3 new, 1 gone, 0 as before, 1 under another name
`
	if b.String() != want {
		t.Errorf("%s\nwant\n%s", b.String(), want)
	}
}
