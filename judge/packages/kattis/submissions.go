package kattis

import (
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"strings"

	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/quote"
	"tribunal/judge/internal/verdict"
	"tribunal/judge/packages/draft"
	"tribunal/judge/packages/tree"
)

const (
	SubmissionsDir  = "submissions"
	submissionsFile = "submissions/submissions.yaml"
	submissionsJSON = "submissions.json"
	ownModel        = "submissions/accepted/reference" // of exports: the legacy format has no key for the model solution
	maxSubmissions  = 10_000
	maxTagged       = 1 << 20 // bytes of a source to search for an annotation
)

// readSubmissions reads submissions/. Each folder in it is named for the verdict that its
// submissions promise.
func (p *reader) readSubmissions() error {
	rules, err := p.readRules()
	if err != nil {
		return err
	}
	details, err := p.readDetails()
	if err != nil {
		return err
	}
	folders, err := p.ListSkipping(SubmissionsDir)
	if err != nil {
		return err
	}
	for _, folder := range folders {
		dir := path.Join(SubmissionsDir, folder.Name)
		if !folder.Dir {
			if dir != submissionsFile && !draft.Companion(folder.Name) {
				p.Note(dir, 0, "not read: a submission belongs in a folder named for the expected verdict")
			}
			continue
		}
		list, err := p.ListSkipping(dir)
		if err != nil {
			return err
		}
		for _, e := range list {
			if draft.Companion(e.Name) {
				continue
			}
			if len(p.Submissions) == maxSubmissions {
				return p.Tree.Errorf(dir, 0, "", "more than %d submissions", maxSubmissions)
			}
			s := problem.Submission{Path: path.Join(dir, e.Name)}
			s.Language, s.Entrypoint = details[s.Path].Language, details[s.Path].Entrypoint
			t, err := p.tagOf(s.Path)
			if err != nil {
				p.NoteSkipped(err, s.Path)
				continue
			}
			if t != nil && t.unsubmittable {
				p.Note(t.file, t.line, "not judged: the annotation says that it cannot be submitted")
				continue
			}
			if err := p.promise(&s, t, folder.Name, rules); err != nil {
				return err
			}
			s.Model = s.Model || s.Path == ownModel && len(rules) == 0
			p.Submissions = append(p.Submissions, s)
		}
	}
	for _, r := range rules {
		if !r.used && r.folder == "" {
			p.Note(submissionsFile, r.line, "%s matches no submission", quote.Name(r.pattern))
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
func (p *reader) readDetails() (map[string]details, error) {
	const file = submissionsJSON
	data, err := p.Tree.Read(file, tree.MaxDocument)
	if data == nil || err != nil {
		return nil, err
	}
	var found map[string]details
	if err := json.Unmarshal(data, &found); err != nil {
		if typed, ok := errors.AsType[*json.UnmarshalTypeError](err); ok { // its text would name our Go types
			return nil, p.Tree.Errorf(file, 0, "", "invalid JSON: %s instead of an object or a string", typed.Value)
		}
		return nil, p.Tree.Errorf(file, 0, "", "invalid JSON: %v", err)
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
func (p *reader) promise(s *problem.Submission, t *tag, folder string, rules []submissionRule) error {
	base, known, narrow := p.folderPromise(folder)
	var added problem.Expect
	for i := range rules {
		r := &rules[i]
		if !problem.MatchPath(r.pattern, strings.TrimPrefix(s.Path, SubmissionsDir+"/")) {
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
		if err := p.CountRules(submissionsFile, r.line, len(r.rules)); err != nil {
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
			p.Note(t.file, t.line, "the annotation is ignored: %s", t.bad)
		case !narrow && t.final != 0:
			base, known = problem.Expect{Final: p.outcomes(t.final), From: from}, true
		case t.final != 0 && t.final&promisedBy(base) == 0:
			p.Note(t.file, t.line, "the annotation is ignored: it contradicts the folder %s", folder)
		}
		switch {
		case t.score == nil:
		case !p.Scoring:
			p.Note(t.file, t.line, "the annotation of a score is ignored: the problem gives no points")
		default:
			base.Score, base.Decimals = &[2]float64{*t.score, *t.score}, t.decimals
			if !known {
				base.From, known = from, true
			}
		}
	}
	if !known && added.Rules == nil {
		p.Note(s.Path, 0, "nothing says which verdict to expect")
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
func (p *reader) folderPromise(folder string) (e problem.Expect, known, narrow bool) {
	e.From = "its folder"
	r, isRule := defaultRules[folder]
	v, isVerdict := verdict.OfFolder(folder)
	result, isResult := draft.ParseResult(folder)
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
		e.Final = draft.Accepted | draft.Slow
		return e, true, true
	case folder == "partially_accepted":
		e.Partial = true
		if p.legacyPoints() && !p.groupScores() { // otherwise a case that is not accepted decides the verdict
			e.Final = draft.Accepted
		}
		return e, true, false
	}
	return problem.Expect{}, false, false
}

// outcomes adds to promised verdicts those that tribunal gives instead: for an empty output that an
// output validator rejects, DOMjudge gives "no output" and tribunal WA.
func (p *reader) outcomes(s verdict.Set) verdict.Set {
	if s.Has(verdict.NO) && len(p.Validation.Programs) > 0 {
		s |= verdict.WA.Class()
	}
	return s
}

// defaultRules are the promises of the folders of the later formats.
var defaultRules = map[string]problem.Rule{
	"accepted":            {Permitted: draft.Accepted, Required: draft.AnyCase, From: "its folder"},
	"rejected":            {Permitted: draft.AnyCase | draft.Failed, Required: draft.Rejected | draft.Failed, From: "its folder"},
	"wrong_answer":        {Permitted: draft.Accepted | draft.Wrong, Required: draft.Wrong, From: "its folder"},
	"time_limit_exceeded": {Permitted: draft.Accepted | draft.Slow, Required: draft.Slow, From: "its folder"},
	"run_time_error":      {Permitted: draft.Accepted | draft.Crashed, Required: draft.Crashed, From: "its folder"},
	"brute_force":         {Permitted: draft.Accepted | draft.Crashed | draft.Slow, Required: draft.Crashed | draft.Slow, From: "its folder"},
}

// taggedSource is the result of reading the annotations of a submission.
type taggedSource struct {
	tag *tag // nil if there is none
	err error
}

// tagOf returns the annotations in the first file of a submission that has any, or nil if there are
// none. A symbolic link that leaves the package is an error. tagOf reads a submission only once.
func (p *reader) tagOf(submission string) (*tag, error) {
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

func (p *reader) readTag(submission string) (*tag, error) {
	var found *tag
	err := p.VisitProgram(submission, func(file string) error {
		if found != nil {
			return nil
		}
		data, err := p.Tree.Head(file, maxTagged)
		if found = findTag(data); found != nil {
			found.file = file
		}
		return err
	})
	return found, err
}
