package pairs

import (
	"io/fs"
	"testing"
)

func FuzzPairing(f *testing.F) {
	for _, seed := range []string{"a/in.in", "in/I.1", "input/x.input.txt", "..in", "IN/ä.INP"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, input string) {
		if !fs.ValidPath(input) {
			return
		}
		seen := map[string]bool{}
		for _, answer := range answersTo(input) {
			if seen[answer] || answer == input {
				t.Errorf("answersTo(%q) has %q twice, or its input", input, answer)
			}
			seen[answer] = true
			if name := pairName(input, answer); name == "" || len(name) > max(1, len(input)) {
				t.Errorf("pairName(%q, %q) = %q", input, answer, name)
			}
		}
	})
}
