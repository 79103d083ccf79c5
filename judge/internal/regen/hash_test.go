package regen

import (
	"testing"

	"tribunal/judge/internal/cache"
	"tribunal/judge/internal/cache/cachetest"
	"tribunal/judge/internal/problem"
)

// TestHashValidators checks that the hash in locks covers each field of a validator, or says why it does not.
func TestHashValidators(t *testing.T) {
	t.Parallel()
	cachetest.Fields(t, problem.Validator{}, map[string]string{
		"people read it": "Name",
		"it says how submissions run, not what is right":   "Passes Interactive",
		"only packages have it, which have no lock":        "Entire Source Measured Form",
		"a check that exceeds them fails, and is repeated": "Limits",
	}, func(v problem.Validator) cache.Key {
		v.Always = !v.Always // protocol and flags count only with it
		h := cache.NewHasher("test")
		if _, err := hashValidators(h, &v, func(program string) (string, error) { return program, nil }); err != nil {
			t.Fatal(err)
		}
		return h.Key()
	})
}
