package kattis

import (
	"strings"

	"tribunal/judge/packages/yamlloose"
)

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
