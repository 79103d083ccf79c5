package kattis

import (
	"fmt"
	"path"
	"slices"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/diff"
	"tribunal/judge/internal/points"
	"tribunal/judge/internal/quote"
	"tribunal/judge/packages/draft"
)

// Dialect is a judging system whose reading of a package counts where systems differ.
type Dialect = string

// The dialects of the Kattis formats. docs/packages.md lists where they differ.
const (
	Kattis    Dialect = "kattis" // problemtools, and the specifications
	DOMjudge  Dialect = "domjudge"
	BAPCtools Dialect = "bapctools"
)

// Dialects returns all dialects.
func Dialects() []Dialect { return []Dialect{Kattis, DOMjudge, BAPCtools} }

// dialects holds what is peculiar to each dialect.
var dialects = map[Dialect]struct {
	groupScores   bool // scoring is [points.DOMjudge] instead of the legacy rules, which have no effect without points
	oldDraft      bool // the settings of the legacy format make the points in 2023-07 too, unless there are newer ones
	anyValidators bool // output validators judge whenever they exist, in any format
}{
	Kattis:    {oldDraft: true},
	DOMjudge:  {groupScores: true, oldDraft: true, anyValidators: true},
	BAPCtools: {},
}

// readDialect sets the dialect to the given one or, if it is "", to the one that the package's files
// show.
func (p *reader) readDialect(given Dialect, m *metadata) error {
	if given != "" {
		p.Dialect, p.Because = given, "--dialect asks for it"
		return nil
	}
	for _, s := range []struct {
		dialect Dialect
		file    string
	}{{DOMjudge, draft.IniFile}, {DOMjudge, submissionsJSON}, {BAPCtools, "generators/generators.yaml"}} {
		file, _, err := p.Tree.Kind(s.file)
		if err != nil {
			return err
		}
		if file && !(p.Scoring && s.dialect == BAPCtools) { // BAPCtools has no scoring
			p.Dialect, p.Because = s.dialect, "it has "+s.file
			return nil
		}
	}
	// Only Kattis wants the word score.
	if !slices.Contains(m.validation, "score") {
		if t := p.annotated(); t != nil {
			p.Dialect, p.Because = DOMjudge, fmt.Sprintf("of the annotation in %s:%d", t.file, t.line)
			return nil
		}
	}
	p.Dialect, p.Because = Kattis, "nothing in it is of another system"
	return nil
}

// annotated returns an annotation in one of the submissions, or nil if there is none. It skips
// folders that cannot be read, which readSubmissions notes.
func (p *reader) annotated() *tag {
	skip := func(error) error { return nil }
	folders, _ := p.Tree.ListOr(SubmissionsDir, skip)
	for _, folder := range folders {
		if !folder.Dir {
			continue
		}
		dir := path.Join(SubmissionsDir, folder.Name)
		list, _ := p.Tree.ListOr(dir, skip)
		for _, e := range list {
			if draft.Companion(e.Name) {
				continue
			}
			if t, err := p.tagOf(path.Join(dir, e.Name)); err == nil && t != nil && t.line > 0 && t.bad == "" {
				return t
			}
		}
	}
	return nil
}

// pointKey is a key about points in the settings of a group.
type pointKey struct {
	name, file string
	line       int
	legacy     bool // of the legacy format, not of the later ones
}

// legacyPoints reports whether the settings of the legacy format make verdicts and points.
func (p *reader) legacyPoints() bool {
	switch p.Format {
	case Legacy:
		return true
	case Draft:
		return dialects[p.Dialect].oldDraft && len(p.pointKeys) > 0 && !p.newerKeys
	}
	return false
}

// groupVerdicts reports whether the graders of the legacy format make the verdict, of a problem without
// points too.
func (p *reader) groupVerdicts() bool {
	return p.legacyPoints() && !dialects[p.Dialect].groupScores
}

// noEffect returns what to say of a key about points that has no effect; "" if it has one.
func (p *reader) noEffect(k pointKey) string {
	switch {
	case k.name == "scoring": // the keys in scoring are recorded too
		return ""
	case p.Scoring && k.legacy != p.legacyPoints():
		return "does not affect points in the format " + p.Format
	case p.groupScores() && slices.Contains([]string{"grading", "reject_score"}, k.name):
		return "does not affect points in DOMjudge"
	case p.Scoring:
		return ""
	case !slices.Contains([]string{"on_reject", "grading", "grader_flags"}, k.name):
		return "has no effect in a problem without points"
	case !p.legacyPoints():
		return "does not affect verdicts in the format " + p.Format
	case !p.groupVerdicts():
		return "does not affect verdicts in DOMjudge"
	}
	return ""
}

// noteForeignPoints notes keys about points that have no effect, a grader that is not used, and
// groups that give no points in DOMjudge.
func (p *reader) noteForeignPoints() {
	flags := map[string]pointKey{}
	for _, k := range p.pointKeys {
		if why := p.noEffect(k); why != "" {
			p.NoteFile("data", k.name+" "+why, k.file)
		} else if k.name == "grader_flags" {
			flags[path.Dir(k.file)] = k
		}
	}
	if !p.groupVerdicts() || !p.Data.Custom() {
		for _, rel := range p.graders {
			p.NoteFile("graders", "not used, because no group is graded by it", rel)
		}
	}
	p.noteIgnoredSample(p.Data, flags)
	if !p.groupScores() {
		return
	}
	if !p.Data.Own {
		p.Note("data", 0, "without %s here DOMjudge gives no points at all", settingsFiles[0])
	}
	var walk func(g *draft.Group)
	walk = func(g *draft.Group) {
		for _, flag := range g.Settings.GraderFlags {
			if _, known := groupFlags[flag]; !known && flag != ignoreSample {
				p.Note(path.Join("data", g.Name), 0, "DOMjudge ignores the grader flag %s", quote.Name(flag))
			}
		}
		for _, in := range g.Groups {
			if in.Own && !g.Own && g != p.Data {
				p.Note(path.Join("data", in.Name), 0, "gives no points in DOMjudge, because %s has no %s", path.Join("data", g.Name), settingsFiles[0])
			}
			walk(in)
		}
	}
	walk(p.Data)
}

// noteIgnoredSample notes groups in g that ignore a sample which they do not hold. flags holds the keys
// grader_flags that have an effect, by folder.
func (p *reader) noteIgnoredSample(g *draft.Group, flags map[string]pointKey) {
	for _, in := range g.Groups {
		k, own := flags[path.Join("data", in.Name)]
		if own && in.Settings.Grading != "custom" && slices.Contains(in.Settings.GraderFlags, ignoreSample) {
			p.Note(k.file, k.line, "%s has no effect here, only in data/%s", ignoreSample, settingsFiles[0])
		}
		p.noteIgnoredSample(in, flags)
	}
}

// groupScores reports whether DOMjudge's rules make the points.
func (p *reader) groupScores() bool {
	return p.Scoring && p.legacyPoints() && dialects[p.Dialect].groupScores
}

// rule returns how the score of a group is computed.
func (p *reader) rule(_ *draft.Draft, g *draft.Group, depth int, index map[*draft.Case]int) (points.Rule, error) {
	s := g.Settings
	if p.groupScores() {
		return p.groupRule(g, depth), nil
	}
	if p.legacyPoints() {
		r := points.Legacy{Continue: s.OnReject == "continue"}
		if p.Scoring {
			r.AcceptScore, r.RejectScore, r.Range, r.Minimize = s.AcceptScore, s.RejectScore, s.Range, p.minimize
			r.Scored = p.Validation.Score || p.Format == Draft && len(p.Validation.Programs) > 0 // the draft has no word for validators that give scores
		}
		switch {
		case s.Grading != "custom":
			if err := r.Flags(s.GraderFlags); err != nil {
				return nil, p.badPoints(g, "grader_flags", "", "%v", err)
			}
			r.IgnoreSample = r.IgnoreSample && depth == 0
		case !p.Scoring:
			return nil, p.badPoints(g, "grading", "add type: scoring to problem.yaml, or leave it out", "grading: custom, but only scoring problems can have a grader")
		case len(p.graders) != 1:
			return nil, p.badPoints(g, "grading", "put a grader into graders/", "grading: custom needs one grader, but there are %d", len(p.graders))
		default:
			r.Custom, r.CustomFlags = true, s.GraderFlags
		}
		return r, nil
	}
	return draft.ByGroups(p.Draft, g, depth, index)
}

// badPoints returns an error about a key in the settings of a group, or in its folder if it inherits
// the key.
func (p *reader) badPoints(g *draft.Group, key, hint, format string, args ...any) error {
	dir := path.Join("data", g.Name)
	for _, k := range p.pointKeys {
		if k.name == key && path.Dir(k.file) == dir {
			return p.Tree.Errorf(k.file, k.line, hint, format, args...)
		}
	}
	return p.Tree.Errorf(dir, 0, hint, format, args...)
}

// groupRule returns DOMjudge's rule of a group.
func (p *reader) groupRule(g *draft.Group, depth int) points.DOMjudge {
	s := g.Settings
	r := points.DOMjudge{
		Counts: depth == 0 || g.Own, Continue: s.OnReject == "continue",
		AcceptScore: s.AcceptScore, Range: s.Range, Scored: len(p.Validation.Programs) > 0,
	}
	for _, flag := range s.GraderFlags {
		switch scores, known := groupFlags[flag]; {
		case known:
			r.Scores = scores
		case flag == ignoreSample:
			r.IgnoreSample = true
		}
	}
	return r
}

// groupFlags and ignoreSample are the grader flags that DOMjudge knows.
var groupFlags = map[string]points.Scores{"sum": points.ScoreSum, "avg": points.ScoreAvg, "min": points.ScoreMin, "max": points.ScoreMax}

const ignoreSample = "ignore_sample"

// groupDepth is the depth below data of the deepest groups in the format 2025-09. The cases of
// deeper folders belong to the group around them.
const groupDepth = 2

// byFlags returns how outputs for a case are compared, by the arguments of the default output validator.
func byFlags(p *draft.Draft, c *draft.Case) (diff.Options, error) {
	o, err := diff.ParseFlags(c.OutputArgs)
	if err != nil {
		return o, build.Located(p.Show(c.Input), fmt.Errorf("output validator: %w", err))
	}
	return o, nil
}
