package build

import (
	"go/version"
	"runtime"
	"slices"
	"strings"
	"testing"

	"tribunal/internal/tier"
	"tribunal/judge/internal/limits"
)

// TestLanguageVersion checks that a program that imports no other package of its module is compiled
// with the Go version of its go.mod, and has another key if that version changes.
func TestLanguageVersion(t *testing.T) {
	t.Parallel()
	tier.T2(t, "the versions of Go that modules name")
	needs(t, "go")
	b := newBuilder(t, Options{})
	const loops = `package main

import "os"

func main() {
	defer func() {
		if recover() == nil {
			os.Stdout.WriteString(" nil")
		}
	}()
	var all []func() int
	for i := 0; i < 3; i++ {
		all = append(all, func() int { return i })
	}
	sum := 0
	for _, f := range all {
		sum += f()
	}
	os.Stdout.WriteString([]string{3: "each its own", 9: "one for all"}[sum])
	panic(nil)
}
`
	keys := map[string]string{}
	for _, tt := range []struct{ why, gomod, want string }{
		{"no module", "", "each its own"},
		{"the language version of the compiler", "module m\n\ngo " + strings.TrimPrefix(version.Lang(runtime.Version()), "go") + ".0\n", "each its own"},
		{"a version in which all iterations of a loop share a variable", "module m\n\ngo 1.21 // and not 1.22\n\nrequire (\n\tgo 1.99\n)\n", "one for all"},
		{"a version in which panic(nil) is allowed", "module m\n\ngo 1.20\n", "one for all nil"},
		{"a GODEBUG setting", "module m\n\ngo 1.23\ngodebug panicnil=1\n", "each its own nil"},
		{"GODEBUG settings in a block", "module m\n\ngo 1.23\ngodebug (\n\tpanicnil=1 // as before\n\tdefault=go1.22\n)\n", "each its own nil"},
	} {
		if !tier.All() && !slices.Contains([]string{"no module", "a version in which panic(nil) is allowed", "GODEBUG settings in a block"}, tt.why) {
			continue
		}
		files := map[string]string{"r/main.go": loops}
		if tt.gomod != "" {
			files["go.mod"] = tt.gomod
		}
		s := mustOpenOwn(t, write(t, "root", files), "r")
		if got := output(t, hostOf(b), mustBuild(t, b, s), limits.Limits{}); got != tt.want {
			t.Errorf("%s: output %q, want %q", tt.why, got, tt.want)
		}
		key := string(sourceKey(t, s))
		if other := keys[key]; other != "" && other != "no module" {
			t.Errorf("%s: the same program as %s", tt.why, other)
		}
		keys[key] = tt.why
	}
	if tier.All() && len(keys) != 5 {
		t.Errorf("%d programs, want 5: without a module, the version is that of the compiler", len(keys))
	}
}

// TestModuleSettings reduces texts of go.mod to the settings that change how programs are compiled.
func TestModuleSettings(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ why, text, want string }{
		{"comments and settings that change nothing", "// A module.\nmodule \"m\" // quoted\n\ngo 1.23\ntoolchain go1.24\n", "module m\n\ngo 1.23\n"},
		{"no version of the language", "module example.com/m", "module example.com/m\n"},
		{"a GODEBUG setting in a line", "module m\ngodebug panicnil=1 // as before\ngodebug default=go1.22\n", "module m\n\ngodebug panicnil=1\n\ngodebug default=go1.22\n"},
		{"GODEBUG settings in a block", "module m\ngodebug (\n\tpanicnil=1\n\n\tdefault=go1.22 // and not 1.23\n)\ngo 1.23\n", "module m\n\ngo 1.23\n\ngodebug panicnil=1\n\ngodebug default=go1.22\n"},
		{"words in other blocks", "module m\nrequire (\n\tgo 1.99\n\tgodebug x=1\n)\n", "module m\n"},
		{"no module", "go 1.23\n", "f/go.mod:1: no module line (hint: go mod init NAME writes one)"},
	} {
		got, err := ModuleSettings("f/go.mod", []byte(tt.text))
		if err != nil {
			got = []byte(err.Error())
		}
		if string(got) != tt.want {
			t.Errorf("%s: got %q, want %q", tt.why, got, tt.want)
		}
	}
}

// TestGoContext checks that the build command selects the files, and not the judge's environment.
func TestGoContext(t *testing.T) {
	t.Setenv("GOOS", "plan9")
	t.Setenv("GOFLAGS", "-tags=judge")
	files := map[string]string{"r/main.go": "package main\n"}
	for _, tag := range []string{"judge", "fast", "slow", "cgo", "go1.1", "go1.999", "plan9", "linux", "gc"} {
		files["r/t-"+tag+".go"] = "//go:build " + tag + "\n\npackage main\n"
	}
	files["r/x_arm64.go"], files["r/x_riscv64.go"] = "package main\n", "package main\n"
	root := write(t, "root", files)
	for _, tt := range []struct {
		why        string
		build, env []string
		want       string
	}{
		{"tags as two arguments of the command", []string{"go", "build", "-tags", "fast,slow"}, []string{"GOOS=linux", "GOARCH=arm64", "CGO_ENABLED=0"}, "t-fast t-gc t-go1.1 t-linux t-slow x_arm64"},
		{"tags as one argument, which overrides GOFLAGS", []string{"go", "build", "-tags=fast"}, []string{"GOOS=linux", "GOARCH=riscv64", "GOFLAGS=-mod=mod -tags=slow"}, "t-cgo t-fast t-gc t-go1.1 t-linux x_riscv64"},
		{"tags in GOFLAGS", []string{"go", "build"}, []string{"GOOS=plan9", "GOARCH=amd64", "GOFLAGS=--tags=slow", "CGO_ENABLED=0"}, "t-gc t-go1.1 t-plan9 t-slow"},
	} {
		languages := map[string]Language{"go": {Match: []string{".go"}, Build: tt.build, Env: tt.env}}
		s, err := OpenOwn(root, "r", languages)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.ReplaceAll(strings.TrimPrefix(names(s), "main.go "), ".go", ""); got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.why, got, tt.want)
		}
	}
}

func TestReleases(t *testing.T) {
	t.Parallel()
	if got := releases("go1.26.8"); len(got) != 26 || got[0] != "go1.1" || got[25] != "go1.26" {
		t.Errorf("go1.26.8 is %q", got)
	}
	if got := releases("go1.3"); len(got) != 3 {
		t.Errorf("go1.3 is %q", got)
	}
	if got := releases("devel"); len(got) < 26 {
		t.Errorf("a version without a number: got %q, want the tags of the judge's own Go", got)
	}
}
