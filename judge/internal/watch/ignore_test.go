package watch

import (
	"strings"
	"testing"
)

// TestTemporary checks which file names are ignored.
func TestTemporary(t *testing.T) {
	t.Parallel()
	for names, want := range map[string]bool{
		".git .hg .jj .svn 4913 main.go~ main.go.~1~ .#main.go #main.go# .main.go.swp .main.go.swx .main.go.un~": true,
		"main.go___jb_tmp___ main.go___jb_old___ .goutputstream-X1Y2Z3 .nfs0001 .regen .regen-game":              true,
		"main.go .gitignore 49130 swp main.swp .swap #1 kept regen lock.yaml .hidden ...":                        false,
	} {
		for name := range strings.FieldsSeq(names) {
			if temporary(name) != want {
				t.Errorf("%s: ignored is %v", name, !want)
			}
		}
	}
}
