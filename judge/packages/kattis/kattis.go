// Package kattis loads packages of the ICPC/Kattis formats, as problemtools, DOMjudge and BAPCtools read them.
package kattis

import (
	"strings"

	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/problem"
	"tribunal/judge/packages/draft"
	"tribunal/judge/packages/yamlloose"
)

// Versions of the specification that differ only in name share a format.
const (
	Legacy = problem.Legacy // no problem_format_version, legacy or legacy-icpc
	Draft  = "2023-07"      // 2023-07 and 2023-07-draft
	Latest = "2025-09"      // 2025-09, its draft, and draft
)

var kattisFormats = []draft.Format{
	{Name: Legacy, Main: "data", Points: draft.ByGroups, Compare: byFlags, Inputs: problem.ICPC, Outputs: problem.ICPC, Output: 8 * limits.MiB},
	{Name: Draft, Main: "data", Points: draft.ByGroups, Compare: byFlags, Inputs: problem.ICPC, Outputs: problem.ICPC, Output: 8 * limits.MiB},
	{Name: Latest, Main: "data", Points: draft.ByGroups, Compare: byFlags, Inputs: problem.ICPC, Outputs: problem.ICPC, Output: 8 * limits.MiB},
}

// Family describes packages with problem.yaml and data/.
var Family = draft.Family{
	Formats: kattisFormats,
	Origin:  "ICPC, Kattis, DOMjudge, BAPCtools", Signs: "problem.yaml, domjudge-problem.ini or data/",
	Lacks: "submit-answer problems",
	Marks: []string{draft.MetadataFile, draft.IniFile, "data"},
	Empty: "add data/secret/*.in, each with its answer *.ans",
	Is: func(_ *draft.Draft, list draft.Listing) (bool, error) {
		return list.File(draft.MetadataFile, draft.IniFile) || list.Folder("data"), nil
	},
	Read: read,
}

// reader reads a package of a Kattis format, or the folder submissions/ of another.
type reader struct {
	*draft.Draft
	minimize  bool                    // lower scores are better; legacy scoring only
	graders   []string                // programs that compute the scores of groups with custom grading
	tags      map[string]taggedSource // annotations by path of the submission
	pointKeys []pointKey
	newerKeys bool // not all of pointKeys are those of the legacy format in its file
	filled    int  // bytes of all arguments so far, after constants are filled in, at most maxFilled
}

// ReadSubmissions reads submissions/ of a package of any family.
func ReadSubmissions(of *draft.Draft) error { return (&reader{Draft: of}).readSubmissions() }

// read reads the Kattis formats, which have problem.yaml and data/.
func read(of *draft.Draft) error {
	p := &reader{Draft: of}
	m, err := p.readMetadata()
	if err != nil {
		return err
	}
	err = draft.InOrder(
		func() error { return p.readDialect(p.AskedDialect, m) }, p.ReadTiming, p.checkNames, p.readStatements,
		func() error { return p.readPrograms(m) }, p.generate, func() error { return p.readData(m) }, p.readSubmissions,
	)
	if err != nil {
		return err
	}
	p.Points, p.Verdicts, p.Draft.LegacyPoints, p.LooseAnswers = p.rule, p.groupVerdicts(), p.legacyPoints(), true
	p.ForeignRules, p.Shown = p.Scoring && p.Dialect != Kattis, p.shownSamples
	if p.Format == Latest {
		p.Deepest = groupDepth
	}
	if len(p.graders) > 0 {
		p.Grader = p.graders[0]
	}
	return nil
}

// spareKey is a key that judging can do without, so that a value that cannot be read is ignored
// with a note. docs/packages.md lists all of them. An unreadable value of any other key is an error,
// because it could change what a verdict means.
type spareKey struct {
	key  string
	when func(*reader) bool // nil: always
}

// spareMetadata lists keys of problem.yaml: those that describe the problem, and one that a format
// does not have, so that the tools of its authors ignore it.
var spareMetadata = []spareKey{
	{key: "name"}, {key: "uuid"}, {key: "author"}, {key: "credits"}, {key: "source"}, {key: "license"}, {key: "keywords"},
	{"limits.time_multipliers", func(p *reader) bool { return p.Format == Legacy }},
}

// spareSettings lists keys of groups and cases: those for contestants, those for validators of
// inputs and answers, and, in a problem without points, those about points. In the formats that have
// them, those about verdicts count in such a problem too.
var spareSettings = []spareKey{
	{key: "hint"}, {key: "description"}, {key: "full_feedback"},
	{key: "input_validator_args"}, {key: "input_validator_flags"}, {key: "answer_validator_args"}, {key: "answer_validator_flags"},
	{key: "static_validation"}, {key: "static_validation_score"},
	{"accept_score", passFail}, {"reject_score", passFail}, {"range", passFail}, {"scoring", passFail}, {"max_score", passFail},
	{"score_aggregation", passFail}, {"require_pass", passFail},
	{"on_reject", ungraded}, {"grading", ungraded}, {"grader_flags", ungraded},
}

// spareRules lists keys of submissions.yaml.
var spareRules = []spareKey{{key: "author"}, {key: "authors"}}

func passFail(p *reader) bool { return !p.Scoring }

func ungraded(p *reader) bool { return !p.Scoring && p.Format == Latest }

// sparing lets judging do without the values of some keys of the document of n.
func (p *reader) sparing(n yamlloose.Node, keys []spareKey) yamlloose.Node {
	n.Doc.Spare = func(key string) bool {
		for _, k := range keys {
			below, is := strings.CutPrefix(key, k.key)
			if is && (below == "" || below[0] == '.' || below[0] == '[') && (k.when == nil || k.when(p)) {
				return true
			}
		}
		return false
	}
	return n
}
