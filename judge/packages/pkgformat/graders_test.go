package pkgformat_test

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"tribunal/judge/internal/points"
	"tribunal/judge/internal/verdict"
	"tribunal/judge/packages/pkgformat"
)

var answers = flag.String("answers", "testdata/graders.txt", "file with the answers of another grader, for TestGraders")

// graded is a group of a legacy package with its settings, cases and inner groups, and the results
// that a submission gets on the cases. Its text form is
//
//	(continue first_error,min accept=3 AC WA (break AC=5) RTE)
//
// with on_reject, grader_flags (none for an empty list), accept_score and reject_score, if they are
// given, and then the items in order: verdicts of cases, with the score that the output validator
// gives, and groups. The root holds the groups sample and secret.
type graded struct {
	settings []string
	items    []gradedItem
}

type gradedItem struct {
	group   *graded // nil for a case
	verdict verdict.Verdict
	score   *float64
}

func (g *graded) String() string {
	words := slices.Clone(g.settings)
	for _, it := range g.items {
		switch {
		case it.group != nil:
			words = append(words, it.group.String())
		case it.score != nil:
			words = append(words, it.verdict.String()+"="+strconv.FormatFloat(*it.score, 'g', -1, 64))
		default:
			words = append(words, it.verdict.String())
		}
	}
	return "(" + strings.Join(words, " ") + ")"
}

// parseGraded reads a tree from its text form.
func parseGraded(text string) (*graded, error) {
	stack := []*graded{{}}
	for _, word := range strings.Fields(strings.NewReplacer("(", " ( ", ")", " ) ").Replace(text)) {
		top := stack[len(stack)-1]
		var v verdict.Verdict
		name, number, scored := strings.Cut(word, "=")
		switch isCase := v.UnmarshalText([]byte(name)) == nil; {
		case word == "(":
			in := &graded{}
			top.items, stack = append(top.items, gradedItem{group: in}), append(stack, in)
		case word == ")":
			stack = stack[:len(stack)-1]
		case isCase:
			it := gradedItem{verdict: v}
			if scored {
				f, err := strconv.ParseFloat(number, 64)
				if err != nil {
					return nil, err
				}
				it.score = &f
			}
			top.items = append(top.items, it)
		default:
			top.settings = append(top.settings, word)
		}
	}
	if len(stack) != 1 || len(stack[0].items) != 1 || len(stack[0].items[0].group.items) != 2 {
		return nil, fmt.Errorf("%q is not a tree with two groups", text)
	}
	return stack[0].items[0].group, nil
}

// yaml returns the settings as those of testdata.yaml.
func (g *graded) yaml() string {
	var b strings.Builder
	for _, word := range g.settings {
		switch key, value, number := strings.Cut(word, "="); {
		case word == "continue" || word == "break":
			fmt.Fprintf(&b, "on_reject: %s\n", word)
		case number:
			fmt.Fprintf(&b, "%s_score: %s\n", key, value)
		default:
			fmt.Fprintf(&b, "grader_flags: %q\n", strings.ReplaceAll(strings.TrimPrefix(word, "none"), ",", " "))
		}
	}
	return b.String()
}

// files adds the files of the group in a folder to all, and returns the results of its cases in case
// order.
func (g *graded) files(dir string, all map[string]string) (results []points.Result) {
	if len(g.settings) > 0 {
		all[dir+"/testdata.yaml"] = g.yaml()
	}
	for i, it := range g.items {
		name := fmt.Sprintf("%s/%02d", dir, i)
		if dir == "data" {
			name = []string{"data/sample", "data/secret"}[i]
		}
		if it.group != nil {
			all[name+"/"] = ""
			results = append(results, it.group.files(name, all)...)
			continue
		}
		all[name+".in"], all[name+".ans"] = "", ""
		results = append(results, points.Result{Verdict: it.verdict, Score: it.score})
	}
	return results
}

// kind holds the keys of problem.yaml about points.
type kind string

const (
	passFail kind = "pass-fail"
	scoring  kind = "scoring"
)

// write writes a package with the groups of a tree into a folder, and returns the results of its
// cases in case order.
func (g *graded) write(t *testing.T, dir string, k kind) []points.Result {
	t.Helper()
	all := map[string]string{"problem.yaml": "type: " + string(k) + "\nlimits: {time_limit: 1}\n"}
	if k == scoring {
		all["problem.yaml"] += "validation: custom score\n"
		all["output_validators/v.py"] = "\n"
	}
	results := g.files("data", all)
	for name, text := range all {
		at := filepath.Join(dir, filepath.FromSlash(name))
		if strings.HasSuffix(name, "/") {
			if err := os.MkdirAll(at, 0o755); err != nil {
				t.Fatal(err)
			}
		} else if err := put(dir, name, text); err != nil {
			t.Fatal(err)
		}
	}
	return results
}

// answer holds the results of a grader for a tree: the verdict, the points if that is AC and there are points,
// and the number of cases that are judged one after the other. After a failure of the judge, JE, it does
// not matter how many follow.
type answer struct {
	verdict verdict.Verdict
	points  float64
	judged  int
}

// is reports whether two answers are the same. Other graders write few decimals of each average.
func (a answer) is(b answer) bool {
	return a.verdict == b.verdict && a.judged == b.judged && math.Abs(a.points-b.points) < 1e-4
}

// ours returns the answer of the judge for a package with the groups of the tree.
func (g *graded) ours(t *testing.T, k kind) answer {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "p")
	results := g.write(t, dir, k)
	p, err := pkgformat.Open(t.Context(), dir, pkgformat.Options{Scratch: pkgformat.In(t.TempDir())})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	q, err := p.Problem()
	if err != nil {
		t.Fatal(err)
	}
	if q.Scoring != (k == scoring) || q.Scoring && q.Groups == nil {
		t.Fatalf("%v: points: %v, groups: %v", k, q.Scoring, q.Groups)
	}
	var a answer
	if q.Groups == nil { // the first failing case decides
		for _, r := range results {
			if a.judged++; r.Verdict == verdict.JE {
				return answer{verdict: verdict.JE}
			} else if r.Verdict != verdict.AC {
				return answer{r.Verdict, 0, a.judged}
			}
		}
		a.verdict = verdict.AC
		return a
	}
	known := q.Groups.Count()
	for i, r := range results {
		if known.Needed(i) {
			a.judged++
			known.Set(i, r.Verdict)
		}
		if k == passFail {
			results[i].Score = nil
		}
	}
	total, err := q.Groups.Add(results, nil)
	if err != nil {
		t.Fatalf("%v: %v", g, err)
	}
	if a.verdict = total.Verdict; a.verdict == verdict.JE {
		a.judged = 0
	}
	if k == scoring && a.verdict == verdict.AC {
		a.points = total.Points
	}
	return a
}

// model returns the answer that the specification gives, read word for word: judge the cases and
// groups of a group in order, until one is rejected unless on_reject is continue, and grade these.
// A group takes the settings that it does not give from the group around it.
func (g *graded) model(k kind, outer []string, root bool) answer {
	settings := slices.Concat(outer, g.settings)
	last := func(is func(string) bool) string {
		for _, word := range slices.Backward(settings) {
			if is(word) {
				return word
			}
		}
		return ""
	}
	number := func(key string, otherwise float64) float64 {
		word := last(func(w string) bool { return strings.HasPrefix(w, key+"=") })
		if f, err := strconv.ParseFloat(strings.TrimPrefix(word, key+"="), 64); err == nil {
			return f
		}
		return otherwise
	}
	onReject := last(func(w string) bool { return w == "break" || w == "continue" })
	flags := strings.Split(last(func(w string) bool { return w != "break" && w != "continue" && !strings.Contains(w, "=") }), ",")

	var a answer
	var verdicts []verdict.Verdict
	var scores []float64
	for _, it := range g.items {
		one := answer{it.verdict, number("reject", 0), 1}
		switch {
		case it.group != nil:
			if one = it.group.model(k, settings, false); one.judged == 0 {
				continue // a group without cases
			}
		case it.verdict == verdict.AC && it.score != nil:
			one.points = *it.score
		case it.verdict == verdict.AC:
			one.points = number("accept", 1)
		}
		a.judged += one.judged
		verdicts, scores = append(verdicts, one.verdict), append(scores, one.points)
		if one.verdict != verdict.AC && onReject != "continue" {
			break
		}
	}
	if a.verdict = verdict.AC; len(verdicts) == 0 {
		return a
	}
	if slices.Contains(verdicts, verdict.JE) {
		a.verdict = verdict.JE
		return a
	}
	if root && slices.Contains(flags, "ignore_sample") {
		verdicts, scores = verdicts[len(verdicts)-1:], scores[len(scores)-1:]
	}
	switch {
	case slices.Contains(flags, "always_accept"), slices.Contains(flags, "accept_if_any_accepted") && slices.Contains(verdicts, verdict.AC):
	case slices.Contains(flags, "first_error"):
		a.verdict = verdict.First(verdicts)
	default:
		for _, bad := range []verdict.Verdict{verdict.WA, verdict.OLE, verdict.TLE, verdict.MLE, verdict.RTE} { // the worst is the last
			if slices.Contains(verdicts, bad) {
				a.verdict = bad
			}
		}
	}
	for _, s := range scores {
		a.points += s
	}
	switch {
	case slices.Contains(flags, "min"):
		a.points = slices.Min(scores)
	case slices.Contains(flags, "max"):
		a.points = slices.Max(scores)
	case slices.Contains(flags, "avg"):
		a.points /= float64(len(scores))
	}
	if root && (k == passFail || a.verdict != verdict.AC) {
		a.points = 0
	}
	return a
}

// randomGraded returns a random tree. Only the root may have the flag ignore_sample, which the groups
// within must not inherit.
func randomGraded(r *rand.Rand, k kind) *graded {
	of := func(percent int) bool { return r.IntN(100) < percent }
	failing := []int{10, 30, 60}[r.IntN(3)]
	var fill func(g *graded, depth int, ignoring bool)
	settle := func(g *graded, ignoring bool) {
		if of(60) {
			g.settings = append(g.settings, []string{"continue", "continue", "break"}[r.IntN(3)])
		}
		var flags []string
		if of(50) {
			flags = append(flags, []string{"worst_error", "first_error", "always_accept", "no_errors"}[r.IntN(4)])
		}
		if of(25) {
			flags = append(flags, "accept_if_any_accepted")
		}
		if k == scoring && of(40) {
			flags = append(flags, []string{"sum", "min", "max", "avg"}[r.IntN(4)])
		}
		if ignoring {
			flags = append(flags, "ignore_sample")
		}
		if len(flags) > 0 || of(10) {
			g.settings = append(g.settings, cmp.Or(strings.Join(flags, ","), "none"))
		}
		if k == scoring && of(30) {
			g.settings = append(g.settings, fmt.Sprintf("accept=%d", r.IntN(10)))
		}
		if k == scoring && of(20) {
			g.settings = append(g.settings, fmt.Sprintf("reject=%d", r.IntN(4)))
		}
	}
	fill = func(g *graded, depth int, ignoring bool) {
		if settle(g, false); ignoring && !slices.ContainsFunc(g.settings, func(w string) bool { return w != "continue" && w != "break" && !strings.Contains(w, "=") }) {
			g.settings = append(g.settings, "none")
		}
		for range r.IntN(5) {
			it := gradedItem{verdict: verdict.AC}
			switch {
			case depth > 0 && of(35):
				it.group = &graded{}
				fill(it.group, depth-1, false)
			case of(2):
				it.verdict = verdict.JE
			case of(failing):
				it.verdict = []verdict.Verdict{verdict.WA, verdict.TLE, verdict.RTE, verdict.OLE, verdict.MLE}[r.IntN(5)]
			case k == scoring && of(30):
				score := float64(r.IntN(20))
				it.score = &score
			}
			g.items = append(g.items, it)
		}
	}
	for {
		ignoring := of(25)
		root, sample, secret := &graded{}, &graded{}, &graded{}
		settle(root, ignoring)
		fill(sample, 0, ignoring)
		fill(secret, 3, ignoring)
		root.items = []gradedItem{{group: sample}, {group: secret}}
		if root.files("data", map[string]string{}) != nil {
			return root
		}
	}
}

// TestGradersModel compares verdicts, points and numbers of judged cases of random packages with those
// of the model.
func TestGradersModel(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(7, 8))
	ruled := 0
	for i := range 300 {
		k := []kind{passFail, scoring}[i%2]
		g := randomGraded(r, k)
		got, want := g.ours(t, k), g.model(k, nil, true)
		if want.verdict == verdict.JE {
			want = answer{verdict: verdict.JE}
		}
		if !got.is(want) {
			t.Errorf("%s %v: got %v, want %v", k, g, got, want)
		}
		var list []verdict.Verdict
		for _, res := range g.files("data", map[string]string{}) {
			list = append(list, res.Verdict)
		}
		if k == passFail && want.verdict != verdict.First(list) {
			ruled++
		}
	}
	if ruled < 40 {
		t.Errorf("only %d verdicts are not that of the first failing case: too few to test anything", ruled)
	}
}

// TestGraders compares with recorded answers of problemtools, version 1.20260620 and the 58 commits
// after it (a185fe97): its reader of testdata.yaml, its judge of groups and its default grader were
// given packages of randomGraded and the results of their cases. Each line holds the type of a
// problem, the answer and the tree. 0 points of a submission that is not accepted are our convention.
func TestGraders(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(*answers)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		words := strings.SplitN(strings.TrimSpace(line), " ", 5)
		want := answer{}
		_, err := fmt.Sscan(words[2]+" "+words[3], &want.points, &want.judged)
		if err := errors.Join(err, want.verdict.UnmarshalText([]byte(words[1]))); err != nil {
			t.Fatal(err)
		}
		g, err := parseGraded(words[4])
		if err != nil {
			t.Fatal(err)
		}
		k := kind(words[0])
		if got := g.ours(t, k); !got.is(want) {
			t.Errorf("%s %v: got %v, want %v", k, g, got, want)
		}
	}
}
