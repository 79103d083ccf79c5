// Package kattis loads packages of the ICPC/Kattis formats, as problemtools, DOMjudge and BAPCtools read them.
package kattis

import (
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/problem"
	"tribunal/judge/packages/draft"
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

// Family are packages with problem.yaml and data/.
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
	for _, read := range []func() error{
		func() error { return p.readDialect(p.AskedDialect, m) },
		p.ReadTiming, p.checkNames, p.readStatements,
		func() error { return p.readPrograms(m) },
		p.generate,
		func() error { return p.readData(m) },
		p.readSubmissions,
	} {
		if err := read(); err != nil {
			return err
		}
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
