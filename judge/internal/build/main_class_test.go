package build

import (
	"slices"
	"strings"
	"testing"
)

// TestNameAfterClass checks that a single Java file gets the name that the compiler requires.
func TestNameAfterClass(t *testing.T) {
	t.Parallel()
	const body = " { public static void main(String[] args) { } }"
	for _, tt := range []struct {
		why   string
		files map[string]string
		has   string
	}{
		{"a public class with the file's name", map[string]string{"Main.java": "public class Main" + body}, "Main.java"},
		{"another public class", map[string]string{"solution.java": "import java.util.*;\npublic final class Solver" + body}, "Solver.java"},
		{"no public class: any name is valid", map[string]string{"a.java": "class Board {}\nclass Run" + body}, "a.java"},
		{"no public class: even a name that no class can have is valid", map[string]string{"1 a.java": "class Run" + body}, "1 a.java"},
		{"a compact source file with a name that no class can have becomes Main.java", map[string]string{"1 a.java": "void main() { }"}, "Main.java"},
		{"a class name that is too long for a file", map[string]string{"a.java": "public class " + strings.Repeat("L", 251) + body}, "a.java"},
		{"beside a file that is not a source", map[string]string{"a.java": "public class B" + body, "b.txt": ""}, "B.java b.txt"},
		{"in a subfolder", map[string]string{"src/a.java": "public class B" + body}, "src/B.java"},
		{"several sources keep their names", map[string]string{"a.java": "public class B" + body, "c.java": "public class C"}, "a.java c.java"},
	} {
		path := write(t, "java", tt.files)
		s, err := Open(path, "", Defaults())
		if err != nil || names(s) != tt.has || !slices.Contains(strings.Fields(tt.has), s.main) && s.main != tt.has {
			t.Errorf("%s: got %+v, %v, want %q", tt.why, s, err, tt.has)
		}
	}
}
