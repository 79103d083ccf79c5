package pkgformat

import (
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"strings"

	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/quote"
	"tribunal/judge/internal/verdict"
)

const (
	submissionsDir  = "submissions"
	submissionsFile = "submissions/submissions.yaml"
	submissionsJSON = "submissions.json"
	ownModel        = "submissions/accepted/reference" // of exports: the legacy format has no key for the model solution
	maxSubmissions  = 10_000
	maxTagged       = 1 << 20 // bytes of a source to search for an annotation
)

// readSubmissions reads submissions/. Each folder in it is named for the verdict that its
// submissions promise.
func (p *kattisReader) readSubmissions() error {
	rules, err := p.readRules()
	if err != nil {
		return err
	}
	details, err := p.readDetails()
	if err != nil {
		return err
	}
	folders, err := p.listSkipping(submissionsDir)
	if err != nil {
		return err
	}
	for _, folder := range folders {
		dir := path.Join(submissionsDir, folder.name)
		if !folder.dir {
			if dir != submissionsFile && !companion(folder.name) {
				p.note(dir, 0, "not read: a submission belongs in a folder named for the expected verdict")
			}
			continue
		}
		list, err := p.listSkipping(dir)
		if err != nil {
			return err
		}
		for _, e := range list {
			if companion(e.name) {
				continue
			}
			if len(p.Submissions) == maxSubmissions {
				return p.files.errorf(dir, 0, "", "more than %d submissions", maxSubmissions)
			}
			s := problem.Submission{Path: path.Join(dir, e.name)}
			s.Language, s.Entrypoint = details[s.Path].Language, details[s.Path].Entrypoint
			t, err := p.tagOf(s.Path)
			if err != nil {
				p.noteSkipped(err, s.Path)
				continue
			}
			if t != nil && t.unsubmittable {
				p.note(t.file, t.line, "not judged: the annotation says that it cannot be submitted")
				continue
			}
			if err := p.promise(&s, t, folder.name, rules); err != nil {
				return err
			}
			s.Model = s.Model || s.Path == ownModel && len(rules) == 0
			p.Submissions = append(p.Submissions, s)
		}
	}
	for _, r := range rules {
		if !r.used && r.folder == "" {
			p.note(submissionsFile, r.line, "%s matches no submission", quote.Name(r.pattern))
		}
	}
	return nil
}

// details is an entry of DOMjudge's submissions.json.
type details struct {
	Language   string `json:"langid"`
	Entrypoint string `json:"entry_point"`
}

// readDetails reads DOMjudge's submissions.json. Its keys are the paths of submissions in the
// package.
func (p *kattisReader) readDetails() (map[string]details, error) {
	const file = submissionsJSON
	data, err := p.files.read(file, maxDocument)
	if data == nil || err != nil {
		return nil, err
	}
	var found map[string]details
	if err := json.Unmarshal(data, &found); err != nil {
		if typed, ok := errors.AsType[*json.UnmarshalTypeError](err); ok { // its text would name our Go types
			return nil, p.files.errorf(file, 0, "", "invalid JSON: %s instead of an object or a string", typed.Value)
		}
		return nil, p.files.errorf(file, 0, "", "invalid JSON: %v", err)
	}
	clean := make(map[string]details, len(found))
	for name, d := range found {
		clean[path.Clean(name)] = d
	}
	return clean, nil
}

// promise sets s.Expect to what a submission promises. The first of these that exists counts:
//   - the entry of submissions.yaml that replaces the default of the folder,
//   - the default of the folder, if it is a single verdict,
//   - the annotation in the source,
//   - the default of the folder, if it leaves several verdicts open.
//
// The rules of the other entries of submissions.yaml that match the submission are added.
func (p *kattisReader) promise(s *problem.Submission, t *tag, folder string, rules []submissionRule) error {
	base, known, narrow := p.folderPromise(folder)
	var added problem.Expect
	for i := range rules {
		r := &rules[i]
		if !problem.MatchPath(r.pattern, strings.TrimPrefix(s.Path, submissionsDir+"/")) {
			continue
		}
		r.used = true
		r.describe(s)
		if !r.promises() {
			continue
		}
		if r.folder != "" {
			base, known, narrow = problem.Expect{From: r.from()}, true, true
		}
		added.Rules = append(added.Rules, r.rules...)
		if err := p.countRules(submissionsFile, r.line, len(r.rules)); err != nil {
			return err
		}
		added.From = r.from()
		if r.score != nil {
			added.Score = r.score
		}
	}
	if t != nil {
		from := fmt.Sprintf("%s:%d", t.file, t.line)
		switch {
		case t.bad != "":
			p.note(t.file, t.line, "the annotation is ignored: %s", t.bad)
		case !narrow && t.final != 0:
			base, known = problem.Expect{Final: p.outcomes(t.final), From: from}, true
		case t.final != 0 && t.final&promisedBy(base) == 0:
			p.note(t.file, t.line, "the annotation is ignored: it contradicts the folder %s", folder)
		}
		switch {
		case t.score == nil:
		case !p.Scoring:
			p.note(t.file, t.line, "the annotation of a score is ignored: the problem gives no points")
		default:
			base.Score, base.Decimals = &[2]float64{*t.score, *t.score}, t.decimals
			if !known {
				base.From, known = from, true
			}
		}
	}
	if !known && added.Rules == nil {
		p.note(s.Path, 0, "nothing says which verdict to expect")
	}
	base.Rules = append(base.Rules, added.Rules...)
	if added.Score != nil {
		base.Score, base.Decimals = added.Score, 0
	}
	if base.From == "" {
		base.From = added.From
	}
	s.Expect = base
	p.promiseGrades(&s.Expect, t, folder)
	return nil
}

// promisedBy returns the verdicts that e promises for the submission or for any of its cases.
func promisedBy(e problem.Expect) verdict.Set {
	all := e.Final
	for _, r := range e.Rules {
		all |= r.Required
	}
	return all
}

// folderPromise returns what the name of a folder promises. known is false if it promises nothing;
// narrow is true if an annotation in the source does not replace the promise.
//
// In the legacy format a folder promises the verdict of the submission, in the later formats the
// verdicts of its cases. Folders named for tribunal's finer verdicts or for DOMjudge's results
// promise the verdict of the submission in all formats.
func (p *kattisReader) folderPromise(folder string) (e problem.Expect, known, narrow bool) {
	e.From = "its folder"
	r, isRule := defaultRules[folder]
	v, isVerdict := verdict.OfFolder(folder)
	result, isResult := parseResult(folder)
	switch {
	case isRule && p.Format != Legacy:
		e.Rules = []problem.Rule{r}
		return e, true, isVerdict
	case isVerdict:
		e.Final = p.outcomes(v.Class())
		return e, true, true
	case isRule:
		e.Final = r.Required
		return e, true, false
	case isResult:
		e.Final = result
		return e, true, true
	case folder == "slow_accepted": // problemtools does not derive the time limit from it
		e.Final = accepted | slow
		return e, true, true
	case folder == "partially_accepted":
		e.Partial = true
		if p.legacyPoints() && !p.groupScores() { // otherwise a case that is not accepted decides the verdict
			e.Final = accepted
		}
		return e, true, false
	}
	return problem.Expect{}, false, false
}

// outcomes adds to promised verdicts those that tribunal gives instead: for an empty output that an
// output validator rejects, DOMjudge gives "no output" and tribunal WA.
func (p *kattisReader) outcomes(s verdict.Set) verdict.Set {
	if s.Has(verdict.NO) && len(p.Validation.Programs) > 0 {
		s |= verdict.WA.Class()
	}
	return s
}

// defaultRules are the promises of the folders of the later formats.
var defaultRules = map[string]problem.Rule{
	"accepted":            {Permitted: accepted, Required: anyCase, From: "its folder"},
	"rejected":            {Permitted: anyCase | failed, Required: rejected | failed, From: "its folder"},
	"wrong_answer":        {Permitted: accepted | wrong, Required: wrong, From: "its folder"},
	"time_limit_exceeded": {Permitted: accepted | slow, Required: slow, From: "its folder"},
	"run_time_error":      {Permitted: accepted | crashed, Required: crashed, From: "its folder"},
	"brute_force":         {Permitted: accepted | crashed | slow, Required: crashed | slow, From: "its folder"},
}

// taggedSource is the result of reading the annotations of a submission.
type taggedSource struct {
	tag *tag // nil if there is none
	err error
}

// tagOf returns the annotations in the first file of a submission that has any, or nil if there are
// none. A symbolic link that leaves the package is an error. tagOf reads a submission only once.
func (p *kattisReader) tagOf(submission string) (*tag, error) {
	read, done := p.tags[submission]
	if !done {
		read.tag, read.err = p.readTag(submission)
		if p.tags == nil {
			p.tags = map[string]taggedSource{}
		}
		p.tags[submission] = read
	}
	return read.tag, read.err
}

func (p *kattisReader) readTag(submission string) (*tag, error) {
	var found *tag
	err := p.visitProgram(submission, func(file string) error {
		if found != nil {
			return nil
		}
		data, err := p.files.head(file, maxTagged)
		if found = findTag(data); found != nil {
			found.file = file
		}
		return err
	})
	return found, err
}
