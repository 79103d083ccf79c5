package report

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"math"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"tribunal/judge/cli/layout"
	"tribunal/judge/internal/account"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/system"
	"tribunal/judge/internal/verdict"
)

// SheetPages writes pages in the form of [SheetHTML] into a folder that exists: index.html for the teacher, with a link
// to the page of each student, called as Moodle takes it if all is from one of its downloads. A student's page has
// nothing of others, and what the feedback of each problem allows: by default the first failure. Other files stay.
func SheetPages(dir string, s *account.Sheet) error {
	pages, moodle := map[string]string{}, moodlePages(s)
	for i := range s.Students {
		one := s.Students[i]
		own := *s
		own.Students, own.Notes = []account.Student{handedOut(s.Problems, one)}, nil
		var b bytes.Buffer
		if err := sheetHTML(&b, &own, one.Name, nil); err != nil {
			return err
		}
		pages[one.Name] = cmp.Or(moodle[one.Name], pageName(one.Name))
		if err := system.WriteFile(filepath.Join(dir, pages[one.Name]), b.Bytes(), 0o644); err != nil {
			return err
		}
	}
	var b bytes.Buffer
	if err := sheetHTML(&b, s, "", pages); err != nil {
		return err
	}
	return system.WriteFile(filepath.Join(dir, "index.html"), b.Bytes(), 0o644)
}

// pageName returns the name of the file with a student's page: the letters and digits of the name, and digits that
// distinguish names with the same letters.
func pageName(student string) string {
	letters := []rune(strings.Trim(strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r) {
			return r
		}
		return '-'
	}, student), "-"))
	sum := sha256.Sum256([]byte(student))
	return cmp.Or(string(letters[:min(len(letters), 40)]), "student") + "-" + hex.EncodeToString(sum[:5]) + ".html"
}

// moodleFolder matches the path of what a student handed in, with the download and the name of the folder there.
var moodleFolder = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(|.*?/)([^/]+_\d+_assignsubmission_[a-z0-9]+)(?:[_/]|$)`)
})

// moodlePages returns the names under which Moodle takes the pages as feedback, in an archive with all of them: those of
// the folders of its download, by student (mod/assign/feedback/file/importziplib.php in Moodle). It is nil unless all
// was handed in for one assignment, because the numbers in the names are of other students in another one.
func moodlePages(s *account.Sheet) map[string]string {
	names, from := map[string]string{}, ""
	for _, one := range s.Students {
		for _, c := range one.Cells {
			if c.Submission == "" || c.Shared != "" {
				continue
			}
			m := moodleFolder().FindStringSubmatch(c.Submission)
			if m == nil || len(names) > 0 && m[1] != from {
				return nil
			}
			if names[one.Name], from = m[2]+"_feedback.html", m[1]; len(names[one.Name]) > 255 {
				return nil
			}
		}
	}
	return names
}

// handedOut returns a student's row with what the student may see.
func handedOut(problems []account.SheetProblem, one account.Student) account.Student {
	one.Cells = slices.Clone(one.Cells)
	one.Points, one.Best, one.Accepted = 0, 0, 0
	for i := range one.Cells {
		c, p := &one.Cells[i], &problems[i]
		feedback := cmp.Or(p.Feedback, problem.FeedbackFirst)
		hidden := c.Details != nil && !feedback.Shows(problem.FeedbackVerdict)
		if !hidden && !c.Dropped {
			one.Points, one.Best = one.Points+c.Points, one.Best+p.Best
		}
		if !hidden && c.Verdict == verdict.AC {
			one.Accepted++
		}
		if c.Wrong != "" {
			c.Wrong = "it is not clear which files are the program" // the reason may name files of others
		}
		if c.Details == nil {
			continue
		}
		switch {
		case hidden:
			*c = account.Cell{Submission: c.Submission, Late: c.Late, Wrong: "its result is not shown"}
		case len(c.Details.Cases) == 0 && c.Verdict == verdict.CE: // what the compiler says
		case !feedback.Shows(problem.FeedbackSamples),
			!feedback.Shows(problem.FeedbackFirst) && slices.ContainsFunc(c.Details.Cases, func(one account.Case) bool { return !slices.Contains(p.Samples, one.Name) }):
			c.Details = nil
		}
		if c.Details != nil {
			details := *c.Details
			details.Name = p.ID + filepath.Ext(details.Name) // the file and its folders may be called like others of the group
			c.Details = &details
		}
	}
	one.Points = math.Round(one.Points*1e6) / 1e6
	return one
}

// ownPoints returns the points of a student, with what they could be unless there is no maximum.
func ownPoints(n, best float64) string {
	if best > 0 {
		return layout.Points(n) + " of " + layout.Points(best)
	}
	return layout.Points(n)
}
