package config

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/diff"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/run"
	"tribunal/judge/internal/sandbox"
	"tribunal/judge/internal/yamlstrict"
)

func TestDefaults(t *testing.T) {
	cacheHome := t.TempDir()
	t.Setenv(CacheVariable, "")
	t.Setenv("XDG_CACHE_HOME", cacheHome)
	got, err := Load(t.TempDir()) // a repository without runner.yaml
	if err != nil {
		t.Fatal(err)
	}
	want := &Config{
		Slots: sandbox.DefaultSlots(), CacheDir: filepath.Join(cacheHome, "tribunal"), CacheSize: 2 * limits.GiB,
		Mode: sandbox.Auto, Grace: run.DefaultGrace, WallFactor: 3, Quiet: 100 * time.Millisecond,
		Build: build.Options{
			Languages: build.Defaults(),
			Timeout:   build.DefaultTimeout, Memory: build.DefaultMemory, Output: build.DefaultOutput,
		},
		Diff: diff.Options{Lines: 12, Bytes: 4 << 10},
	}
	if d := cmp.Diff(want, got, options); d != "" {
		t.Errorf("defaults (-want +got):\n%s", d)
	}
}

// options let cmp compare Configs.
var options = cmp.Comparer(func(a, b build.Options) bool {
	return a.Timeout == b.Timeout && a.Memory == b.Memory && a.Output == b.Output &&
		maps.EqualFunc(a.Languages, b.Languages, func(a, b build.Language) bool { return cmp.Equal(a, b) })
})

// TestOwnFileIsTheDefaults checks that the runner.yaml of this repository has the default values.
func TestOwnFileIsTheDefaults(t *testing.T) {
	t.Parallel()
	file := filepath.Join("..", "..", "..", File)
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	written, err := parse(file, data)
	if err != nil {
		t.Fatal(err)
	}
	silent, err := parse(file, nil)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(silent, written, options); d != "" {
		t.Errorf("%s differs from the defaults in the code (-code +file):\n%s", File, d)
	}
	for _, name := range slices.Sorted(maps.Keys(silent.Build.Languages)) {
		if a, b := silent.Build.Languages[name], written.Build.Languages[name]; !cmp.Equal(a, b) {
			t.Errorf("language %s (-code +file):\n%s", name, cmp.Diff(a, b))
		}
		if !strings.Contains(string(data), "\n  "+name+":\n") {
			t.Errorf("%s does not mention the language %s", File, name)
		}
	}
}

func TestSettings(t *testing.T) {
	t.Parallel()
	c, err := parse("runner.yaml", []byte(`slots: 7
cache: /var/cache/judge
cache_size: 64MiB
sandbox: {mode: rlimit, grace: 0s, wall_factor: 1.5}
watch: {quiet: 250ms}
build: {timeout: 5s, memory: 256MiB, output: 8KiB}
report: {diff_lines: 4, diff_bytes: 1KiB}
`))
	if err != nil {
		t.Fatal(err)
	}
	want := &Config{
		Slots: 7, CacheDir: c.CacheDir, CacheSize: 64 * limits.MiB,
		Mode: sandbox.Rlimit, Grace: 0, WallFactor: 1.5, Quiet: 250 * time.Millisecond,
		Build: build.Options{Timeout: 5 * time.Second, Memory: 256 * limits.MiB, Output: 8 * limits.KiB, Languages: build.Defaults()},
		Diff:  diff.Options{Lines: 4, Bytes: 1 << 10},
	}
	if d := cmp.Diff(want, c, options); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

func TestCacheFolder(t *testing.T) {
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ why, setting, variable, home, want string }{
		{"auto is the user's cache directory", "auto", "", "/home/u/.cache", "/home/u/.cache/tribunal"},
		{"an absolute folder", "/var/judge", "", "/home/u/.cache", "/var/judge"},
		{"a relative folder is relative to the repository, not to the working directory", ".cache", "", "/home/u/.cache", filepath.Join(here, "repo", ".cache")},
		{"the environment variable overrides the file", "/var/judge", "/scratch/judge", "/home/u/.cache", "/scratch/judge"},
		{"a relative folder in the variable is relative to the working directory", "auto", "scratch", "", filepath.Join(here, "scratch")},
	} {
		t.Setenv(CacheVariable, tt.variable)
		t.Setenv("XDG_CACHE_HOME", tt.home)
		c, err := parse("repo/runner.yaml", []byte("cache: "+tt.setting+"\n"))
		if err != nil || c.CacheDir != tt.want {
			t.Errorf("%s: got %+v, %v, want %s", tt.why, c, err, tt.want)
		}
	}

	t.Setenv(CacheVariable, "")
	t.Setenv("XDG_CACHE_HOME", "")
	t.Setenv("HOME", "")
	if _, err := parse("runner.yaml", []byte("slots: 1\n")); err == nil || !strings.Contains(err.Error(), CacheVariable) {
		t.Errorf("an account without a home: got %v, want a hint that names %s", err, CacheVariable)
	}
}

func TestLanguages(t *testing.T) {
	t.Parallel()
	c, err := parse("runner.yaml", []byte(`languages:
  c:
    build: [clang, -o, "{exe}", "{src}"]
  cpp:
    build: [g++, -O3, -o, "{exe}", "{src}"]
  go: {env: []}
  java:
    mounts: []
    run: [/opt/java, "{main}"]
  forth:
    match: [.fs, .py]
    shebang: [gforth]
    run: [gforth|pforth, "{dir}/{main}"]
    keep: ["*.fi"]
    mounts: [/opt/forth*]
    package: gforth
`))
	if err != nil {
		t.Fatal(err)
	}
	want := build.Defaults()
	changed := want["c"]
	changed.Build = []string{"clang", "-o", "{exe}", "{src}"}
	changed.Mounts, changed.Options, changed.Package = nil, nil, "" // the defaults were for gcc
	want["c"] = changed                                             // its extensions and version command stay
	changed = want["cpp"]
	changed.Build = []string{"g++", "-O3", "-o", "{exe}", "{src}"}
	want["cpp"] = changed // the mounts stay, because the tool is the same
	changed = want["java"]
	changed.Run, changed.Mounts, changed.Keep, changed.Options, changed.Package = []string{"/opt/java", "{main}"}, []string{}, nil, nil, ""
	want["java"] = changed // another tool, but the entry sets its mounts
	changed = want["go"]
	changed.Env = []string{}
	want["go"] = changed // an empty list clears the default
	want["forth"] = build.Language{
		Match: []string{".fs", ".py"}, Shebang: []string{"gforth"},
		Run: []string{"gforth|pforth", "{dir}/{main}"}, Keep: []string{"*.fi"}, Mounts: []string{"/opt/forth*"}, Package: "gforth",
	}
	if d := cmp.Diff(want, c.Build.Languages); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	again, err := parse("runner.yaml", nil)
	if err != nil || !cmp.Equal(again.Build.Languages, build.Defaults()) {
		t.Errorf("one configuration's languages show in the next (%v)", err)
	}
}

// TestBadValues checks that each mistake is reported with its line.
func TestBadValues(t *testing.T) {
	t.Setenv(CacheVariable, "") // the variable would take precedence
	for _, tt := range []struct {
		why, text string
		line      int
		says      string
	}{
		{"a typo", "slots: 1\nslot: 3\n", 2, `unknown field "slot" (hint: did you mean "slots"?)`},
		{"a typo further down", "slots: 1\nlanguages:\n  c:\n    bild: [x]\n", 4, `unknown field "bild" (hint: did you mean "build"?)`},
		{"a duplicate key", "slots: 3\nslots: 4\n", 2, `duplicate key "slots"`},
		{"no slots", "cache: auto\nslots: 0\n", 2, `want auto or a number from 1 to 1024, found "0"`},
		{"a negative number of slots", "slots: -2\n", 1, "want auto or a number"},
		{"too many slots", "slots: 1025\n", 1, "from 1 to 1024"},
		{"slots that are not a number", "slots: all\n", 1, `found "all"`},
		{"an unknown mode", "sandbox:\n  mode: jail\n", 2, `want one of auto, container, rlimit, found "jail"`},
		{"a time without a unit", "sandbox:\n  mode: auto\n  grace: 300\n", 3, "300 has no unit"},
		{"too much grace", "sandbox: {grace: 2m}\n", 1, "grace: want at most 1m"},
		{"a wall limit below the CPU limit", "sandbox: {wall_factor: 0.5}\n", 1, "wall_factor: want at least 1"},
		{"a size without a unit", "build:\n  memory: 100\n", 2, "100 has no unit"},
		{"a compiler that can never finish", "build:\n  timeout: 10ms\n", 2, "timeout: want at least 1s"},
		{"a decimal unit", "cache_size: 64MB\n", 1, "unknown unit"},
		{"a cache that holds no program", "slots: 1\ncache_size: 1MiB\n", 2, "want at least 16MiB"},
		{"an empty cache folder", "cache: ''\n", 1, "want auto or a folder"},
		{"a report without room for two lines", "report:\n  diff_lines: 1\n", 2, "want at least 2"},
		{"no quiet time", "watch:\n  quiet: 0s\n", 2, "want at least 1ms"},
		{"a new language without commands", "languages:\n  forth: {match: [.fs]}\n", 2, "language forth: needs a build or a run command"},
		{"an extension without its dot", "languages:\n  c:\n    match: [c]\n", 3, `match "c" is not a file name extension`},
		{"an unknown placeholder", "languages:\n  python3:\n    run: [python3, '{file}']\n", 3, `unknown placeholder in "{file}"`},
		{"a compile command without {exe}", "languages:\n  c:\n    build: [gcc, '{src}']\n", 3, "must produce {exe}"},
		{"the name of submitted executables", "languages:\n  binary: {match: [.bin], run: [qemu]}\n", 2, "language binary: is reserved for submitted executables"},
		{"a list where a mapping belongs", "- slots: 3\n", 1, "want a mapping, found a list"},
		{"nothing at all", "", 1, "empty document"},
		{"nothing but a comment", "# slots: 3\n", 1, "empty document"},
		{"a second document", "slots: 3\n---\nslots: 4\n", 2, "second document"},
		{"line ends of Windows", "slots: 3\r\ncache: auto\r\n", 1, "CRLF"},
		{"bytes that are not UTF-8", "slots: 3\ncache: \xff\n", 2, "invalid UTF-8"},
	} {
		_, err := parse("dir/runner.yaml", []byte(tt.text))
		var located *yamlstrict.Error
		if !errors.As(err, &located) {
			t.Errorf("%s: %q: got %v, want a located error", tt.why, tt.text, err)
			continue
		}
		if located.File != "dir/runner.yaml" || located.Line != tt.line || !strings.Contains(err.Error(), tt.says) {
			t.Errorf("%s: %q:\ngot  %v\nwant line %d with %q", tt.why, tt.text, err, tt.line, tt.says)
		}
	}
}

func TestLoadUnreadable(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	if err := os.Mkdir(filepath.Join(root, File), 0o755); err != nil {
		t.Fatal(err)
	}
	_, err := Load(root)
	var located *yamlstrict.Error
	if !errors.As(err, &located) || located.File != filepath.Join(root, File) {
		t.Errorf("got %v, want an error located at the file: one that cannot be read is not a missing one", err)
	}
}

// FuzzConfig checks that any text is either refused with a location or gives a usable
// configuration.
func FuzzConfig(f *testing.F) {
	own, err := os.ReadFile(filepath.Join("..", "..", "..", File))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(own)
	f.Add([]byte("slots: 3\r\n"))
	f.Add([]byte("languages: {lua: {match: [.lua], run: [lua, '{dir}/{main}']}}\n"))
	f.Add([]byte("sandbox: {mode: rlimit, grace: 1s, wall_factor: .inf}\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if data == nil {
			data = []byte{} // nil means that there is no file
		}
		c, err := parse("runner.yaml", data)
		if err != nil {
			var located *yamlstrict.Error
			if !errors.As(err, &located) || located.File != "runner.yaml" || located.Line < 1 || strings.Contains(err.Error(), "\n") {
				t.Fatalf("%q: error without a place or in several lines: %v", data, err)
			}
			return
		}
		if c.Slots < 1 || !filepath.IsAbs(c.CacheDir) || c.CacheSize < limits.MiB || c.Grace < 0 ||
			!(c.WallFactor >= 1 && c.WallFactor <= 1000) || c.Build.Timeout <= 0 || c.Build.Memory <= 0 || c.Build.Output <= 0 {
			t.Fatalf("%q: not usable: %+v", data, c)
		}
		for name, l := range c.Build.Languages {
			if err := l.Check(); err != nil {
				t.Fatalf("%q: language %s: %v", data, name, err)
			}
		}
	})
}
