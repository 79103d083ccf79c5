package build

import (
	"path/filepath"
	"testing"
)

func TestProvenance(t *testing.T) {
	dir := executables(t, map[string]string{"1/xcc": "echo; echo '  xcc 1  '; echo more", "2/xcc": "echo xcc 2"})
	provenance := func(version, text string, l Language) Provenance {
		t.Helper()
		t.Setenv("PATH", filepath.Join(dir, version)+":/usr/bin:/bin")
		languages := map[string]Language{"x": l}
		s, err := Open(filepath.Join(write(t, "s", map[string]string{"a.x": text}), "a.x"), "", languages)
		if err != nil {
			t.Fatal(err)
		}
		p, err := New(Options{Languages: languages, Cache: newCache(t)}).Provenance(t.Context(), s)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	l := Language{Match: []string{".x"}, Build: []string{"xcc", "{src}"}, Run: []string{"xcc", "{main}"}, Version: []string{"xcc"}}
	base := provenance("1", "text", l)
	if len(base.Source) != 40 || len(base.Flags) != 40 || base.Source == base.Flags || base.Toolchain != "xcc 1" {
		t.Errorf("got %+v", base)
	}
	mounts, runs, builds, env, silent := l, l, l, l, l
	mounts.Mounts = []string{"/opt"}
	runs.Run = []string{"xcc", "-v", "{main}"}
	builds.Build = []string{"xcc", "-v", "{src}"}
	env.Env = []string{"A=1"}
	silent.Version = nil
	for _, tt := range []struct {
		why                       string
		got                       Provenance
		source, flags, toolchains bool // whether these fields must differ from those of base
	}{
		{"nothing", provenance("1", "text", l), false, false, false},
		{"the mounts", provenance("1", "text", mounts), false, false, false},
		{"the text", provenance("1", "texts", l), true, false, false},
		{"the compiler", provenance("2", "text", l), false, false, true},
		{"the compiler, in a language without a version command", provenance("2", "text", silent), false, false, true},
		{"the build command", provenance("1", "text", builds), false, true, false},
		{"the run command", provenance("1", "text", runs), false, true, false},
		{"the environment", provenance("1", "text", env), false, true, false},
	} {
		if got := [3]bool{tt.got.Source != base.Source, tt.got.Flags != base.Flags, tt.got.Toolchain != base.Toolchain}; got != [3]bool{tt.source, tt.flags, tt.toolchains} {
			t.Errorf("a change of %s changes %v of %+v", tt.why, got, tt.got)
		}
	}
}
