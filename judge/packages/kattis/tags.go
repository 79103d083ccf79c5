package kattis

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/quote"
	"tribunal/judge/internal/verdict"
	"tribunal/judge/packages/draft"
)

// tag holds the annotations in a source, as DOMjudge reads them.
type tag struct {
	file          string      // path of the source
	line          int         // of the first annotation that DOMjudge knows; 0 if there is none
	final         verdict.Set // verdicts to expect
	score         *float64    // score to expect
	decimals      int         // number of decimals of score as written
	bad           string      // why the annotations are invalid; "" if they are valid
	grades        []verdict.Set
	gradesLine    int  // of the annotation with grades, or of one that is not read; 0 if there is none
	unsubmittable bool // whether the submission is not judged, because it cannot be submitted
}

// tagStart matches the beginning of an annotation. DOMjudge wants the colon and the blank, so that a
// comment can mention the name.
var tagStart = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?i)@EXPECTED_(RESULTS|SCORE)@: `) })

// scoreText matches the numbers that DOMjudge accepts as a score.
var scoreText = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[+-]?(?:\d+(?:\.(\d*))?|\.(\d+))(?:[eE][+-]?\d+)?$`)
})

// refused are the results in DOMjudge's own packages for a submission that DOMjudge does not accept
// because of its size or the name of a file.
var refused = []string{"NONE-SUBMIT-FAILS", "NONE-INVALID-SUBMISSION"}

// gradesText matches the annotation of testdata_tools, which has no colon: the verdicts of
// secret/group1, secret/group2 and so on.
var gradesText = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`@EXPECTED_GRADES@(?: ((?:(?:WA|AC|TLE|RTE|MLE)[ \t]*)+))?`)
})

// readGrades reads the first annotation with the verdicts of groups.
func (t *tag) readGrades(source []byte) {
	for _, place := range gradesText().FindAllSubmatchIndex(source, -1) {
		t.gradesLine = 1 + strings.Count(string(source[:place[0]]), "\n")
		if place[2] < 0 {
			continue // perhaps a later one is valid
		}
		text := string(source[place[2]:place[3]])
		for text = strings.TrimSpace(text); text != ""; text = strings.TrimSpace(text) {
			for _, name := range []string{"WA", "AC", "TLE", "RTE", "MLE"} {
				if rest, ok := strings.CutPrefix(text, name); ok {
					s, _ := draft.ParseResult(name)
					t.grades, text = append(t.grades, s), rest
					break
				}
			}
		}
		return
	}
}

// promiseGrades sets the verdicts of groups that an annotation in a source promises.
func (p *reader) promiseGrades(e *problem.Expect, t *tag, folder string) {
	if t == nil || t.gradesLine == 0 {
		return
	}
	ignored := func(why string, args ...any) {
		p.Note(t.file, t.gradesLine, "EXPECTED_GRADES is ignored: "+why, args...)
	}
	switch {
	case t.grades == nil:
		ignored("after a blank, not a colon, it wants the verdicts of the groups, such as WA AC")
	case folder == "accepted":
		ignored("an accepted submission is accepted in all groups")
	case !p.Scoring:
		ignored("the problem gives no points")
	default:
		for i, set := range t.grades {
			name := fmt.Sprintf("secret/group%d", i+1)
			if !slices.ContainsFunc(p.Cases, func(c *draft.Case) bool { return strings.HasPrefix(c.Name, name+"/") }) {
				ignored("it has a verdict for %s, which has no cases", name)
				e.Grades = nil
				return
			}
			e.Grades = append(e.Grades, problem.Grade{Group: name, Verdicts: set, From: fmt.Sprintf("%s:%d", t.file, t.gradesLine)})
		}
	}
}

// findTag returns the annotations of a source, or nil if it has none. EXPECTED_RESULTS is followed
// by a list of results separated by commas, EXPECTED_SCORE by a number or, as an older name of the
// other, by such a list. If there are several lists or several scores, all are ignored.
func findTag(source []byte) *tag {
	places := tagStart().FindAllSubmatchIndex(source, -1)
	t := &tag{}
	t.readGrades(source)
	switch {
	case places != nil:
		t.line = 1 + strings.Count(string(source[:places[0][0]]), "\n")
	case t.gradesLine == 0:
		return nil
	}
	lists, scores := 0, 0
	for _, place := range places {
		text, _, _ := strings.Cut(string(source[place[1]:]), "\n")
		for _, c := range draft.Closers {
			text, _, _ = strings.Cut(text, c)
		}
		text = strings.TrimSpace(text)
		kind := strings.ToUpper(string(source[place[2]:place[3]]))
		if number := scoreText().FindStringSubmatch(text); number != nil && kind == "SCORE" {
			scores++
			if f, err := strconv.ParseFloat(text, 64); err == nil {
				t.score, t.decimals = &f, len(number[1]+number[2])
			}
			continue
		}
		lists++
		t.readResults(text)
	}
	switch {
	case lists > 1:
		t.bad = "several lists of results"
	case scores > 1:
		t.bad = "several scores"
	}
	if t.bad != "" {
		t.final, t.score, t.decimals, t.unsubmittable = 0, nil, 0, false
	}
	return t
}

// readResults reads a list of results.
func (t *tag) readResults(text string) {
	if slices.ContainsFunc(refused, func(name string) bool { return strings.EqualFold(text, name) }) {
		t.unsubmittable = true
		return
	}
	for name := range strings.SplitSeq(strings.Trim(text, ", "), ",") {
		s, ok := draft.ParseResult(name)
		if !ok {
			t.bad = fmt.Sprintf("unknown result %s", quote.Name(strings.TrimSpace(name)))
			return
		}
		t.final |= s
	}
}
