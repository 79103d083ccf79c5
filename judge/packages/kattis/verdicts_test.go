package kattis

import (
	"testing"

	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/verdict"
	"tribunal/judge/internal/verdict/verdicttest"
	"tribunal/judge/packages/draft"
)

// TestEveryVerdict pins for each verdict the folders that permit and require it, the verdicts that
// its code means in an annotation, and its text in an expectation.
func TestEveryVerdict(t *testing.T) {
	t.Parallel()
	type row struct {
		folders string // folders of the later formats that both permit and require the verdict
		result  string // verdicts that its code means in an annotation
		text    string // text of an expectation of these verdicts
	}
	every := []string{"accepted", "rejected", "wrong_answer", "time_limit_exceeded", "run_time_error", "brute_force"}
	legacy := &reader{Draft: &draft.Draft{}}
	legacy.Format = Legacy
	verdicttest.Each(t, map[verdict.Verdict]row{
		verdict.AC:  {" accepted", "AC", "AC"},
		verdict.PE:  {" rejected wrong_answer", "PE", "PE"},
		verdict.WA:  {" rejected wrong_answer", "PE, WA, NO", "WA"},
		verdict.NO:  {" rejected wrong_answer", "NO", "NO"},
		verdict.TLE: {" rejected time_limit_exceeded brute_force", "TLE, ILE, OLE", "TLE"},
		verdict.ILE: {" rejected time_limit_exceeded brute_force", "ILE", "ILE"},
		verdict.MLE: {" rejected run_time_error brute_force", "MLE", "MLE"},
		verdict.OLE: {" rejected time_limit_exceeded run_time_error brute_force", "OLE", "OLE"},
		verdict.RTE: {" rejected run_time_error brute_force", "MLE, OLE, RTE, SV", "RTE"},
		verdict.SV:  {" rejected run_time_error brute_force", "SV", "SV"},
		verdict.CE:  {" rejected", "CE", "CE"},
		verdict.JE:  {"", "JE", "JE"},
	}, func(v verdict.Verdict, want row) {
		got := row{}
		for _, folder := range every {
			if r := defaultRules[folder]; r.Permitted.Has(v) && r.Required.Has(v) {
				got.folders += " " + folder
			}
		}
		set, ok := draft.ParseResult(v.String())
		got.result, got.text = set.String(), problem.Expect{Final: set}.String()
		if !ok || got != want {
			t.Errorf("%v: %+v, want %+v", v, got, want)
		}
		if e, known, narrow := legacy.folderPromise(v.Folder()); v.Folder() != "" && (!known || !narrow || e.Final != v.Class()) {
			t.Errorf("the folder %s promises %v, want %v", v.Folder(), e, v.Class())
		}
	})
	if got := draft.Finer.String(); got != "PE, NO, ILE, MLE, OLE, SV" {
		t.Errorf("the verdicts that the formats lack are %s", got)
	}
}
