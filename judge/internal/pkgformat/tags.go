package pkgformat

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"tribunal/judge/internal/verdict"
)

// results are the names that packages have for several verdicts at once, in upper case
// with dashes.
var results = map[string]verdict.Set{"REJECTED": rejected | failed, "CHECK-MANUALLY": anyCase | failed}

// parseResult returns the verdicts that a name of a result stands for, in any case,
// with dashes, underscores or blanks; false if it is not known.
func parseResult(name string) (verdict.Set, bool) {
	if v, ok := verdict.Named(name); ok {
		return v.Class(), true
	}
	s, ok := results[strings.NewReplacer("_", "-", " ", "-").Replace(strings.ToUpper(strings.TrimSpace(name)))]
	return s, ok
}

// tag is what an annotation in a source says.
type tag struct {
	in    string // the file that has it
	line  int
	final verdict.Set
	score *[2]float64
	bad   string // why it says nothing; "" if it does
	never bool   // the submission cannot be handed in, and so there is nothing to judge
}

var tagStart = regexp.MustCompile(`(?i)@EXPECTED_(RESULTS?|SCORE)@[ \t]*:?[ \t]*`)

// closers end the comment that a tag stands in.
var closers = []string{"*/", "-->", "*)", "-}", "#}", "|#", "=#", "]]", `"""`, "'''"}

// refused is what DOMjudge's own packages write where the result is that it takes no such
// submission, because of the name of a file or its size.
const refused = "NONE-SUBMIT-FAILS"

// findTag returns the annotation of a source, or nil if it has none: the marker,
// followed by results with commas between them. DOMjudge's older name for the same
// marker, EXPECTED_SCORE, may have a number instead, which is a score. Of several
// annotations none counts.
func findTag(source []byte) *tag {
	places := tagStart.FindAllIndex(source, -1)
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
		t.never = true
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
