package build

import (
	"strings"
	"testing"
)

func TestDependenciesFirst(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why   string
		files map[string]string
		main  string
		want  string
	}{
		{"a module that another names comes first", map[string]string{"a.ml": "Z.f ()", "z.ml": "M.g", "m.ml": ""}, "a.ml", "m.ml z.ml a.ml"},
		{"an interface before its module, both before a file that uses them", map[string]string{"a.ml": "open Z", "z.ml": "", "z.mli": ""}, "a.ml", "z.mli z.ml a.ml"},
		{"an interface that names others", map[string]string{"a.mli": "val f : B.t", "a.ml": "", "b.ml": ""}, "a.ml", "b.ml a.mli a.ml"},
		{"an interface that names its own module", map[string]string{"a.mli": "(* A does it *)", "a.ml": "", "main.ml": "A.f"}, "main.ml", "a.mli a.ml main.ml"},
		{"an interface whose module was named before", map[string]string{"a.ml": "B.f", "b.mli": "(* B does it *)", "b.ml": ""}, "z.ml", "b.mli b.ml a.ml z.ml"},
		{"the main file is last", map[string]string{"a.ml": "", "main.ml": "", "z.ml": ""}, "main.ml", "a.ml z.ml main.ml"},
		{"a cycle ends", map[string]string{"a.ml": "B.f", "b.ml": "A.f"}, "a.ml", "a.ml b.ml"},
		{"a name within a longer word does not count", map[string]string{"a.ml": "myZ Zz z'Z", "z.ml": ""}, "z.ml", "a.ml z.ml"},
	} {
		s := &Source{Language: "ocaml", files: map[string][]byte{}, main: tt.main}
		for name, text := range tt.files {
			s.files[name] = []byte(text)
		}
		if got := strings.Join(s.inOrder(Defaults()["ocaml"]), " "); got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.why, got, tt.want)
		}
	}
}
