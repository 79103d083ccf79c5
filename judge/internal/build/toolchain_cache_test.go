package build

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// TestVersionOfGo checks that the version of a Go distribution is found without running its go
// command, and is the text that "go version" prints.
func TestVersionOfGo(t *testing.T) {
	needs(t, "go")
	b := New(Options{Languages: Defaults(), Cache: newCache(t)})
	tools, err := b.resolve(t.Context(), "go")
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(tools.Tools["go"], "version")
	cmd.Dir, cmd.Env = "/", append(os.Environ(), "GOTOOLCHAIN=local")
	want, err := cmd.Output()
	if err != nil || tools.Version != string(want) {
		t.Errorf("got %q, %v, want %q", tools.Version, err, want)
	}
	ran := func() bool {
		answers, err := filepath.Glob(filepath.Join(b.options.Cache.Dir(), "entries", "*", "files", answerName))
		return err != nil || len(answers) > 0
	}
	if ran() {
		t.Error("the go command was run")
	}
	local := b.options.Languages["go"]
	local.Env = nil // without GOTOOLCHAIN=local, go version may be that of another toolchain
	b = New(Options{Languages: map[string]Language{"go": local}, Cache: newCache(t)})
	if _, err := b.resolve(t.Context(), "go"); err != nil {
		t.Fatal(err)
	}
	if !ran() {
		t.Error("the go command was not run")
	}
}

func TestReadDistribution(t *testing.T) {
	needs(t, "go")
	found, err := exec.LookPath("go")
	if err != nil {
		t.Fatal(err)
	}
	real, err := filepath.EvalSymlinks(found)
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := readDistribution(real); !ok {
		t.Skipf("not checked: Go distributions (%s is a shim)", real)
	}
	dir := executables(t, map[string]string{"shim/bin/go": "exec go"})
	for _, name := range []string{"shim/pkg/tool", "whole/pkg/tool", "whole/bin", "bare/bin", "other/bin", "other/pkg/tool"} {
		if err := os.MkdirAll(filepath.Join(dir, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	// One copy, because the folder for temporary files may be small.
	text, err := os.ReadFile(real)
	if err != nil {
		t.Fatal(err)
	}
	own, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	whole := filepath.Join(dir, "whole/bin/go")
	if err := errors.Join(
		os.WriteFile(whole, text, 0o755),
		os.Link(whole, filepath.Join(dir, "whole/go")),
		os.Link(whole, filepath.Join(dir, "bare/bin/go")),
		os.Symlink(own, filepath.Join(dir, "other/bin/go")),
	); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		why, file string
		ok        bool
	}{
		{"the go command of a distribution", "whole/bin/go", true},
		{"a go command that is not in the folder bin", "whole/go", false},
		{"a distribution without its tools", "bare/bin/go", false},
		{"a shim", "shim/bin/go", false},
		{"another program of that name", "other/bin/go", false},
		{"a missing file", "none/bin/go", false},
	} {
		d, ok := readDistribution(filepath.Join(dir, tt.file))
		if ok != tt.ok || ok && (d.root != filepath.Join(dir, "whole") || !strings.HasPrefix(d.version, "go1.") || d.platform != runtime.GOOS+"/"+runtime.GOARCH) {
			t.Errorf("%s: got %+v, %t", tt.why, d, ok)
		}
	}
	t.Setenv("PATH", filepath.Join(dir, "whole/bin"))
	l := Language{Build: []string{"go", "build", "{exe}"}, Root: []string{"/bin/false"}}
	tools, err := New(Options{Languages: map[string]Language{"go": l}, Cache: newCache(t)}).resolve(t.Context(), "go")
	if err != nil || tools.Root != filepath.Join(dir, "whole") || tools.Tools["go"] != filepath.Join(dir, "whole/bin/go") {
		t.Errorf("a distribution's root must be found without its root command: got %+v, %v", tools, err)
	}
}

// TestVersionOfScript checks that the version command runs again if the tool is a script, which may
// choose among versions, and the environment has changed.
func TestVersionOfScript(t *testing.T) {
	dir := executables(t, map[string]string{"xcc": `echo "xcc $XCC_VERSION"`})
	t.Setenv("PATH", dir+":/usr/bin:/bin")
	c := newCache(t)
	for _, version := range []string{"1", "2"} {
		t.Setenv("XCC_VERSION", version)
		l := Language{Run: []string{"xcc"}, Version: []string{"xcc", "--version"}}
		tools, err := New(Options{Languages: map[string]Language{"x": l}, Cache: c}).resolve(t.Context(), "x")
		if err != nil || tools.Version != "xcc "+version+"\n" {
			t.Errorf("got %+v, %v, want version %s", tools, err, version)
		}
	}
}

// TestShimMemo checks that the root command runs again if and only if something has changed on
// which the choice of a shim may depend.
func TestShimMemo(t *testing.T) {
	dir := executables(t, map[string]string{
		"m/shims/xcc":          `echo run >> "${0%/shims/*}/log"; echo "${0%/shims/*}/versions/$(cat "${0%/shims/*}/version")"`,
		"m/versions/1/bin/xcc": "echo 1", "m/versions/2/bin/xcc": "echo 2",
		"other/xcc": `echo run >> "${0%/other/*}/m/log"; echo "${0%/other/*}/m/versions/1"`,
	})
	in := func(name string) string { return filepath.Join(dir, name) }
	set := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(in(name), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	set("m/version", "1")
	c := newCache(t)
	t.Setenv("HOME", dir)
	t.Setenv("PATH", in("m/shims")+":/usr/bin:/bin")
	for _, tt := range []struct {
		why    string
		change func()
		want   string // the version found; "" means the shim itself
		ran    bool   // the root command must run
	}{
		{"first use", func() {}, "1", true},
		{"second use", func() {}, "1", false},
		{"another version is in use", func() { set("m/version", "2") }, "2", true},
		{"another version in this shell's environment", func() { t.Setenv("XCC_VERSION", "2") }, "2", true},
		{"another version in asdf's file", func() { set(".tool-versions", "xcc 2") }, "2", true},
		{"another version is installed", func() { set("m/versions/3", "") }, "2", true},
		{"the shim was written again", func() {
			text, err := os.ReadFile(in("m/shims/xcc"))
			if err != nil {
				t.Fatal(err)
			}
			set("m/shims/xcc", string(text))
		}, "2", true},
		{"no change", func() {}, "2", false},
		{"the tool was removed, and nothing else changed", func() {
			if err := os.Remove(in("m/versions/2/bin/xcc")); err != nil {
				t.Fatal(err)
			}
		}, "", true},
		{"an unknown version manager", func() { t.Setenv("PATH", in("other")+":/usr/bin:/bin") }, "1", true},
		{"an unknown version manager again", func() {}, "1", true},
	} {
		tt.change()
		os.Remove(in("m/log"))
		l := Language{Run: []string{"xcc", "{main}"}, Root: []string{"xcc", "--root"}}
		tools, err := New(Options{Languages: map[string]Language{"x": l}, Cache: c}).resolve(t.Context(), "x")
		if err != nil {
			t.Fatalf("%s: %v", tt.why, err)
		}
		want := in("m/versions/" + tt.want + "/bin/xcc")
		if tt.want == "" {
			want = in("m/shims/xcc")
		}
		if got := tools.Tools["xcc"]; got != want || exists(in("m/log")) != tt.ran {
			t.Errorf("%s: found %s, command ran: %t; want %s, %t", tt.why, got, exists(in("m/log")), want, tt.ran)
		}
	}
}
