package pkgformat

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"tribunal/judge/internal/verdict"
)

// results maps the names for several verdicts at once, in upper case with dashes, to those
// verdicts.
var results = map[string]verdict.Set{"REJECTED": rejected | failed, "CHECK-MANUALLY": anyCase | failed}

// parseResult returns the verdicts that a name means, such as wrong-answer; false if it is unknown.
// Upper and lower case are the same, and so are dashes, underscores and blanks.
func parseResult(name string) (verdict.Set, bool) {
	if v, ok := verdict.Named(name); ok {
		return v.Class(), true
	}
	s, ok := results[strings.NewReplacer("_", "-", " ", "-").Replace(strings.ToUpper(strings.TrimSpace(name)))]
	return s, ok
}

// tag holds the annotations in a source, as DOMjudge reads them.
type tag struct {
	file          string      // path of the source
	line          int         // of the first annotation
	final         verdict.Set // verdicts to expect
	score         *float64    // score to expect
	decimals      int         // number of decimals of score as written
	bad           string      // why the annotations are invalid; "" if they are valid
	unsubmittable bool        // whether the submission is not judged, because it cannot be submitted
}

// tagStart matches the beginning of an annotation. DOMjudge wants the colon and the blank, so that a
// comment can mention the name.
var tagStart = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?i)@EXPECTED_(RESULTS|SCORE)@: `) })

// scoreText matches the numbers that DOMjudge accepts as a score.
var scoreText = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[+-]?(?:\d+(?:\.(\d*))?|\.(\d+))(?:[eE][+-]?\d+)?$`)
})

// closers end the comment that contains an annotation.
var closers = []string{"*/", "-->", "*)", "-}", "#}", "|#", "=#", "]]", `"""`, "'''"}

// refused are the results in DOMjudge's own packages for a submission that DOMjudge does not accept
// because of its size or the name of a file.
var refused = []string{"NONE-SUBMIT-FAILS", "NONE-INVALID-SUBMISSION"}

// findTag returns the annotations of a source, or nil if it has none. EXPECTED_RESULTS is followed
// by a list of results separated by commas, EXPECTED_SCORE by a number or, as an older name of the
// other, by such a list. If there are several lists or several scores, all are ignored.
func findTag(source []byte) *tag {
	places := tagStart().FindAllSubmatchIndex(source, -1)
	if places == nil {
		return nil
	}
	t := &tag{line: 1 + strings.Count(string(source[:places[0][0]]), "\n")}
	lists, scores := 0, 0
	for _, place := range places {
		text, _, _ := strings.Cut(string(source[place[1]:]), "\n")
		for _, c := range closers {
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
		s, ok := parseResult(name)
		if !ok {
			t.bad = fmt.Sprintf("unknown result %s", show(strings.TrimSpace(name)))
			return
		}
		t.final |= s
	}
}
