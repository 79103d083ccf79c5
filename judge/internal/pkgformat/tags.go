package pkgformat

import (
	"fmt"
	"regexp"
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

// tag is an annotation in a source.
type tag struct {
	file          string // path of the source
	line          int
	final         verdict.Set // verdicts to expect
	score         *[2]float64 // least and greatest score to expect
	bad           string      // why the annotation is invalid; "" if it is valid
	unsubmittable bool        // whether the submission is not judged, because it cannot be submitted
}

var tagStart = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?i)@EXPECTED_(RESULTS?|SCORE)@[ \t]*:?[ \t]*`) })

// closers end the comment that contains an annotation.
var closers = []string{"*/", "-->", "*)", "-}", "#}", "|#", "=#", "]]", `"""`, "'''"}

// refused is the result in DOMjudge's own packages for a submission that DOMjudge does not accept
// because of its size or the name of a file.
const refused = "NONE-SUBMIT-FAILS"

// findTag returns the annotation of a source, or nil if it has none. An annotation is a marker and
// a list of results separated by commas. After EXPECTED_SCORE, DOMjudge's older name of the marker,
// there may be a number instead of the list: the expected score. If there are several annotations,
// all are ignored.
func findTag(source []byte) *tag {
	places := tagStart().FindAllIndex(source, -1)
	if places == nil {
		return nil
	}
	t := &tag{line: 1 + strings.Count(string(source[:places[0][0]]), "\n")}
	if len(places) > 1 {
		t.bad = "several annotations"
		return t
	}
	text, _, _ := strings.Cut(string(source[places[0][1]:]), "\n")
	for _, c := range closers {
		text, _, _ = strings.Cut(text, c)
	}
	text = strings.TrimSpace(text)
	isScore := strings.Contains(strings.ToUpper(string(source[places[0][0]:places[0][1]])), "SCORE")
	if f, err := strconv.ParseFloat(text, 64); err == nil && isScore {
		t.score = &[2]float64{f, f}
		return t
	}
	if strings.EqualFold(text, refused) {
		t.unsubmittable = true
		return t
	}
	for _, name := range strings.Split(strings.Trim(text, ", "), ",") {
		s, ok := parseResult(name)
		if !ok {
			t.final, t.bad = 0, fmt.Sprintf("unknown result %s", show(strings.TrimSpace(name)))
			return t
		}
		t.final |= s
	}
	return t
}
