package pkgformat

import (
	"slices"
	"testing"

	"tribunal/judge/internal/problem"
)

// TestFormats checks that each format of each family has a complete row, and that for each protocol of
// validators a family or a setting in its packages says which packages have it.
func TestFormats(t *testing.T) {
	t.Parallel()
	// Packages of DMOJ, and those whose programs adapters run, name their own; only those of Kattis have Answers.
	carried := []problem.Protocol{problem.Adapted, problem.DMOJ, problem.COCI, problem.PEG, problem.Answers}
	for _, f := range families {
		if len(f.Formats) == 0 || f.Origin == "" || f.Signs == "" || f.Is == nil || f.Read == nil {
			t.Errorf("%v: a column is empty", f.Signs)
		}
		for _, row := range f.Formats {
			if row.Name == "" || row.Main == "" || row.Points == nil || row.Compare == nil || row.Inputs == "" || row.Outputs == "" || row.Output == 0 {
				t.Errorf("%s has no complete row: decide how its points are computed, how outputs are compared, and which protocols validators have", row.Name)
			}
			carried = append(carried, row.Inputs, row.Outputs)
		}
	}
	for _, protocol := range problem.Protocols() {
		if !slices.Contains(carried, protocol) {
			t.Errorf("no packages have validators of the protocol %s", protocol)
		}
	}
}
