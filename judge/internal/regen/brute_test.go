package regen

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"tribunal/judge/internal/cache"
	"tribunal/judge/internal/casedata"
	"tribunal/judge/internal/cases"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/repo"
	"tribunal/judge/internal/verdict"
	"tribunal/judge/internal/verdict/verdicttest"
)

// TestWeigh checks what weigh does if the brute gets each verdict.
func TestWeigh(t *testing.T) {
	t.Parallel()
	const (
		agrees     = "remembered as agreeing"
		outOfReach = "remembered as out of its reach"
		disputes   = "disputes the reference"
		silent     = "noted: no opinion"
		fails      = "the judge has failed"
	)
	verdicttest.Each(t, map[verdict.Verdict]string{
		verdict.AC: agrees,
		verdict.PE: disputes, verdict.WA: disputes, verdict.NO: disputes,
		verdict.TLE: outOfReach, verdict.ILE: outOfReach, verdict.MLE: outOfReach, verdict.OLE: outOfReach,
		verdict.RTE: silent, verdict.SV: silent,
		verdict.CE: silent, // cases never get CE
		verdict.JE: fails,
	}, func(v verdict.Verdict, want string) {
		store, err := cache.Open(t.TempDir(), limits.MiB)
		if err != nil {
			t.Fatal(err)
		}
		input := "1\n"
		o := opinion{c: &cases.Case{Name: "edge/one", Input: &input}, agrees: cache.NewHasher("agrees").Key(), outOfReach: cache.NewHasher("out of reach").Key()}
		p := &Plan{w: &work{m: &casedata.Provider{Problem: repo.Bare("", "p"), Cache: store}}}
		err = p.weigh(context.Background(), []*grade.Case{{Name: "edge/one", Verdict: v, Cause: "it has failed"}}, map[string]opinion{"edge/one": o})
		known := func(key cache.Key) bool {
			entry, err := store.Get(key)
			if err != nil {
				t.Fatal(err)
			}
			if entry == nil {
				return false
			}
			entry.Close()
			return true
		}
		var refusal *Refusal
		got := ""
		switch {
		case errors.As(err, &refusal):
			got = disputes
		case err != nil && err.Error() == "it has failed":
			got = fails
		case err != nil:
			t.Errorf("%v: %v", v, err)
		case known(o.agrees):
			got = agrees
		case known(o.outOfReach):
			got = outOfReach
		case strings.Contains(fmt.Sprint(p.Notes), "has no opinion on edge/one: "+v.String()):
			got = silent
		}
		if got != want {
			t.Errorf("%v: %s, want %s", v, got, want)
		}
	})
}
