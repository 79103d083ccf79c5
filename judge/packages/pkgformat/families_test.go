package pkgformat

import "testing"

// TestTraits checks that each format of each family has a complete row, and that no other has one.
func TestTraits(t *testing.T) {
	t.Parallel()
	formats := map[string]bool{}
	for _, f := range families() {
		if len(f.Formats) == 0 || f.Origin == "" || f.Signs == "" || f.is == nil || f.read == nil {
			t.Errorf("%q: a column is empty", f.Formats)
		}
		for _, format := range f.Formats {
			formats[format] = true
			if row := traits[format]; row.main == "" || row.rule == 0 || row.compare == 0 {
				t.Errorf("%s has no complete row: decide how its points are computed, and how outputs are compared", format)
			}
		}
	}
	if len(formats) != len(traits) {
		t.Error("a row is for no family")
	}
}
