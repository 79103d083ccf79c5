package casedata

import (
	"testing"

	"tribunal/judge/internal/cache"
	"tribunal/judge/internal/cache/cachetest"
	"tribunal/judge/internal/cases"
	"tribunal/judge/internal/points"
	"tribunal/judge/internal/problem"
)

// TestFingerprint checks that each field of a problem and of its cases either is in the fingerprint, or
// decides about no result for the reason given here.
func TestFingerprint(t *testing.T) {
	t.Parallel()
	key := func(q problem.Problem) cache.Key {
		h := cache.NewHasher("test")
		if err := hashRules(h, &q); err != nil {
			t.Fatal(err)
		}
		return h.Key()
	}
	cachetest.Fields(t, problem.Problem{}, map[string]string{
		"it is where the problem lies":              "Root Path Place Placed Files",
		"the format and dialect decide it":          "Because ForeignRules LenientAnswers",
		"people read it":                            "Origin Title Source UUID Authors License Keywords Notes Missing FilesHint Language Statement Input Output Rulings Texts Samples Shown Beside",
		"a service shows less of a result":          "Open Feedback Numbered",
		"limits have a key of their own":            "Limits Time",
		"it reads the cases, whose data counts":     "Read",
		"it judges no submission":                   "Tests Bounds Submissions",
		"it makes data, which counts":               "Reference Generator Brute Check Draw InputValidators AnswerValidators",
		"the key of a built submission covers them": "Include",
	}, key)
	cachetest.Fields(t, problem.Validator{}, nil, func(v problem.Validator) cache.Key { return key(problem.Problem{Validator: &v}) })
	cachetest.Fields(t, problem.Grader{}, nil, func(g problem.Grader) cache.Key { return key(problem.Problem{Grader: &g}) })
	cachetest.Fields(t, problem.Terms{}, map[string]string{
		"the key of a built submission covers them": "Languages Code Compile",
	}, func(q problem.Terms) cache.Key { return key(problem.Problem{Terms: q}) })
	cachetest.Fields(t, points.Group{}, map[string]string{
		"the test cannot make one, but TestValue has an interface": "Rule",
	}, func(g points.Group) cache.Key { return key(problem.Problem{Groups: &g}) })

	list := func(c cases.Case) cache.Key {
		text := "1\n"
		if c.Input == nil {
			c.Input = &text
		}
		if c.Output == nil {
			c.Output = &text
		}
		c.Given, c.Generate, c.Seed = nil, nil, nil
		k, err := (&Provider{Problem: &problem.Problem{}}).Fingerprint(t.Context(), []cases.Case{c})
		if err != nil {
			t.Fatal(err)
		}
		return k
	}
	cachetest.Fields(t, cases.Case{}, map[string]string{
		"Name counts, and it is where the case lies": "Group File Line InputFile OutputFile FilesDir place",
		"people read it":              "Note",
		"who calls chooses the cases": "Optional",
		"it makes data, which counts": "Generate Seed Given",
		"it is for who writes cases":  "Pinned Lock",
		"it judges no submission":     "InputArgs AnswerArgs InputValidators",
	}, list)
}
