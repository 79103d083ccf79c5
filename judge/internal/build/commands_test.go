package build

import (
	"slices"
	"strings"
	"testing"
)

// TestCommands checks that no placeholder is left in the build and run commands of any language.
func TestCommands(t *testing.T) {
	t.Parallel()
	for name, l := range Defaults() {
		s := &Source{Language: name, files: map[string][]byte{"main" + l.Match[0]: nil}, main: "main" + l.Match[0]}
		build, run := s.Commands(l, "program", "there")
		all := strings.Join(slices.Concat(build, run), " ")
		if placeholders.Replace(all) != all || strings.Contains(all, "lua5.3") {
			t.Errorf("%s: %s", name, all)
		}
		if len(run) == 0 || len(l.Run) == 0 && run[0] != "there/program" || (build == nil) != (l.Build == nil) {
			t.Errorf("%s: built by %q, run by %q", name, build, run)
		}
	}
	s := &Source{Language: "cpp", files: map[string][]byte{"a.cpp": nil, "b.cpp": nil, "c.h": nil}, main: "a.cpp"}
	build, _ := s.Commands(Defaults()["cpp"], "program", "there")
	if got := strings.Join(build, " "); !strings.HasSuffix(got, "-o program a.cpp b.cpp") {
		t.Errorf("several files: %s", got)
	}
}
