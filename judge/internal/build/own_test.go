package build

import (
	"encoding/json"
	"go/version"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"

	"tribunal/judge/internal/limits"
)

// own is a repository with a program made of every kind of source file, beside files that are not
// part of it.
var own = map[string]string{
	"go.mod":                                     "// ours\nmodule game // of games\n\ngo 1.26\n\nrequire golang.org/x/net v0.62.0\n",
	"reference/a/main.go":                        "package main\n\nimport (\n\t_ \"embed\"\n\t\"fmt\"\n\n\t\"game/reference/a/internal/board\"\n\t\"game/reference/common\"\n)\n\n//go:embed table.txt\nvar table string\n\nfunc main() { fmt.Print(table, board.Size, common.Word(), here) }\n",
	"reference/a/table.txt":                      "table ",
	"reference/a/other.txt":                      "not embedded",
	"reference/a/main_test.go":                   "package main\n\nimport _ \"example.com/testing\"\n",
	"reference/a/here_" + runtime.GOOS + ".go":   "package main\n\nconst here = \" here\"\n",
	"reference/a/here_plan9.go":                  "package main\n\nimport _ \"example.com/plan9\"\n\nconst here = \" plan9\"\n",
	"reference/a/tool.go":                        "//go:build ignore\n\npackage main\n\nfunc main() { print(\"tool\") }\n",
	"reference/a/old.go":                         "//go:build !go1.20\n\npackage main\n\nfunc main() { print(\"old\") }\n",
	"reference/a/_draft.go":                      "package main\n\nfunc main() {}\n",
	"reference/a/internal/board/board.go":        "package board\n\nimport \"game/reference/common\"\n\nvar Size = len(common.Word())\n",
	"reference/a/gen/main.go":                    "package main\n\nfunc main() { print(\"gen\") }\n",
	"reference/a/submissions/accepted/b/main.go": "package main\n",
	"reference/common/words.go":                  "package common\n\nimport \"embed\"\n\n//go:embed data all:more extra/*.txt\nvar words embed.FS\n\nfunc Word() string { b, _ := words.ReadFile(\"data/deep/word.txt\"); return string(b) }\n",
	"reference/common/data/deep/word.txt":        " word",
	"reference/common/data/.hidden":              "left out, as it is in a folder that is named",
	"reference/common/data/_old/word.txt":        "likewise",
	"reference/common/data/mod/go.mod":           "module mod\n",
	"reference/common/data/mod/word.txt":         "of another module",
	"reference/common/more/.x.txt":               "in a folder of which all is named",
	"reference/common/more/.git/x.txt":           "never",
	"reference/common/extra/.x.txt":              "named by a pattern",
	"reference/common/extra/x.dat":               "not named",
	"reference/unused/unused.go":                 "package unused\n",
}

// ownFiles are those that count.
var ownFiles = []string{
	"go.mod", "reference/a/here_" + runtime.GOOS + ".go", "reference/a/internal/board/board.go", "reference/a/main.go", "reference/a/table.txt",
	"reference/common/data/deep/word.txt", "reference/common/extra/.x.txt", "reference/common/more/.x.txt", "reference/common/words.go",
}

func mustOpenOwn(t testing.TB, root, folder string) *Source {
	t.Helper()
	s, err := OpenOwn(root, folder, Defaults())
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestOpenOwn(t *testing.T) {
	t.Parallel()
	root := write(t, "root", own)
	s := mustOpenOwn(t, root, "reference/a")
	if got := s.Files(); !slices.Equal(got, ownFiles) || s.Name != filepath.Join(root, "reference/a") {
		t.Errorf("%s is read from %q, want %q", s.Name, got, ownFiles)
	}
	if got := string(s.files["go.mod"]); got != "module game\n\ngo 1.26\n" {
		t.Errorf("it is built with a go.mod of %q", got)
	}
	key := sourceKey(t, s)
	for file, text := range own {
		changed := maps.Clone(own)
		changed[file] = text + "\n" // a newline is harmless in every kind of file
		counts := slices.Contains(ownFiles, file) && file != "go.mod"
		if got := sourceKey(t, mustOpenOwn(t, write(t, "root", changed), "reference/a")); (got != key) != counts {
			t.Errorf("an edit of %s: the key changes: %t, want %t", file, got != key, counts)
		}
	}
	for why, file := range map[string]string{
		"a file more in a package": "reference/common/z.go", "a file more in a folder that is embedded": "reference/common/data/deep/z",
	} {
		changed := maps.Clone(own)
		changed[file] = "package common\n"
		if sourceKey(t, mustOpenOwn(t, write(t, "root", changed), "reference/a")) == key {
			t.Errorf("%s leaves the key as it was", why)
		}
	}
	for _, version := range []string{"1.25", ""} {
		changed := maps.Clone(own)
		changed["go.mod"] = "module game\ngo " + version + "\n"
		if sourceKey(t, mustOpenOwn(t, write(t, "root", changed), "reference/a")) == key {
			t.Errorf("go %s in go.mod leaves the key as it was", version)
		}
	}
}

// TestOpenOwnAsGoList compares the files of a Go program with those that the go command lists.
func TestOpenOwnAsGoList(t *testing.T) {
	t.Parallel()
	needs(t, "go")
	root := write(t, "root", own)
	cmd := exec.Command("go", "list", "-deps", "-json=Dir,Standard,GoFiles,EmbedFiles", "./reference/a")
	cmd.Dir = root
	cmd.Env = append(append(os.Environ(), Defaults()["go"].Env...), "GOWORK=off", "GOENV=off")
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"go.mod"}
	for decoder := json.NewDecoder(strings.NewReader(string(out))); decoder.More(); {
		var p struct {
			Dir                 string
			Standard            bool
			GoFiles, EmbedFiles []string
		}
		if err := decoder.Decode(&p); err != nil {
			t.Fatal(err)
		}
		rel, err := filepath.Rel(root, p.Dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range slices.Concat(p.GoFiles, p.EmbedFiles) {
			if !p.Standard {
				want = append(want, path.Join(filepath.ToSlash(rel), file))
			}
		}
	}
	slices.Sort(want)
	if got := mustOpenOwn(t, root, "reference/a").Files(); !slices.Equal(got, want) {
		t.Errorf("got %q, the go command takes %q", got, want)
	}
}

func TestBuildOwn(t *testing.T) {
	t.Parallel()
	needs(t, "go")
	b := newBuilder(t, Options{})
	root := write(t, "root", own)
	p := mustBuild(t, b, mustOpenOwn(t, root, "reference/a"))
	if got := play(t, hostOf(b), p, limits.Limits{}); got != "table 5 word here" {
		t.Errorf("it prints %q", got)
	}
	alone := write(t, "root", map[string]string{
		"reference/b/main.go":      "package main\n\nimport (\n\t_ \"embed\"\n\t\"fmt\"\n)\n\n//go:embed view/page.go\nvar page string\n\nfunc main() { fmt.Print(page) }\n",
		"reference/b/view/page.go": "embedded, not compiled",
		"reference/b/old.go":       "//go:build ignore\n\npackage main\n\nfunc main() {}\n",
	})
	if got := play(t, hostOf(b), mustBuild(t, b, mustOpenOwn(t, alone, "reference/b")), limits.Limits{}); got != "embedded, not compiled" {
		t.Errorf("without a go.mod it prints %q", got)
	}
}

// TestOpenOwnAlone checks that a program without imports from its module has the same key as when
// it is submitted, so that both share cached results.
func TestOpenOwnAlone(t *testing.T) {
	files := map[string]string{"go.mod": "module game\n", "reference/a/main.go": "package main\n", "reference/a/a.go": "package main\n", "reference/p/main.py": "import x\n", "reference/p/x/y.py": ""}
	root := write(t, "root", files)
	for folder, read := range map[string]string{
		"reference/a":  "go.mod reference/a/a.go reference/a/main.go",
		"reference/a/": "go.mod reference/a/a.go reference/a/main.go",
		"reference/p":  "reference/p/main.py reference/p/x/y.py",
	} {
		s := mustOpenOwn(t, root, folder)
		open, err := Open(filepath.Join(root, folder), "", Defaults())
		if err != nil {
			t.Fatal(err)
		}
		if sourceKey(t, s) != sourceKey(t, open) || strings.Join(s.Files(), " ") != read {
			t.Errorf("%s is %q from %q, want as handed in: %q", folder, names(s), s.Files(), names(open))
		}
	}
	t.Chdir(root)
	if s := mustOpenOwn(t, ".", "reference/a"); s.Name != "reference/a" || strings.Join(s.Files(), " ") != "go.mod reference/a/a.go reference/a/main.go" {
		t.Errorf("from within: %s is read from %q", s.Name, s.Files())
	}
	t.Chdir("reference")
	if s := mustOpenOwn(t, "..", "reference/a"); s.Name != "../reference/a" || strings.Join(s.Files(), " ") != "go.mod reference/a/a.go reference/a/main.go" {
		t.Errorf("from a folder within: %s is read from %q", s.Name, s.Files())
	}
}

// TestLanguageVersion checks that a program that imports no other package of its module is compiled
// with the Go version of its go.mod, and has another key if that version changes.
func TestLanguageVersion(t *testing.T) {
	t.Parallel()
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
		{"the language of the compiler", "module m\n\ngo " + strings.TrimPrefix(version.Lang(runtime.Version()), "go") + ".0\n", "each its own"},
		{"the language before loops made new variables", "module m\n\ngo 1.21 // and not 1.22\n\nrequire (\n\tgo 1.99\n)\n", "one for all"},
		{"the one before panics became errors", "module m\n\ngo 1.20\n", "one for all nil"},
		{"a setting", "module m\n\ngo 1.23\ngodebug panicnil=1\n", "each its own nil"},
		{"settings in a block", "module m\n\ngo 1.23\ngodebug (\n\tpanicnil=1 // as before\n\tdefault=go1.22\n)\n", "each its own nil"},
	} {
		files := map[string]string{"r/main.go": loops}
		if tt.gomod != "" {
			files["go.mod"] = tt.gomod
		}
		s := mustOpenOwn(t, write(t, "root", files), "r")
		if got := play(t, hostOf(b), mustBuild(t, b, s), limits.Limits{}); got != tt.want {
			t.Errorf("%s: it prints %q, want %q", tt.why, got, tt.want)
		}
		key := string(sourceKey(t, s))
		if other := keys[key]; other != "" && other != "no module" {
			t.Errorf("%s: the same program as %s", tt.why, other)
		}
		keys[key] = tt.why
	}
	if len(keys) != 5 {
		t.Errorf("%d programs, want 5: the language of the compiler is what it takes without a module", len(keys))
	}
}

// TestOpenOwnOtherLanguages checks that a solver does not include the programs in folders below it.
func TestOpenOwnOtherLanguages(t *testing.T) {
	t.Parallel()
	root := write(t, "root", map[string]string{
		"reference/a/main.cpp": "#include \"parts/a.h\"\n", "reference/a/parts/a.h": "", "reference/a/parts/gen/b.h": "",
		"reference/a/gen/main.cpp": "", "reference/a/check/main.go": "", "reference/a/brute/main.py": "",
		"reference/a/submissions/accepted/c.cpp": "",
	})
	got := mustOpenOwn(t, root, "reference/a").Files()
	if want := []string{"reference/a/main.cpp", "reference/a/parts/a.h", "reference/a/parts/gen/b.h"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	got = mustOpenOwn(t, root, "reference/a/gen").Files()
	if want := []string{"reference/a/gen/main.cpp"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestOpenOwnModules(t *testing.T) {
	t.Parallel()
	const uses = "package main\n\nimport _ %q\n"
	for _, tt := range []struct{ why, gomod, imports, files string }{
		{"a comment after the name", "module game // g\n", "game/x", "go.mod"},
		{"a quoted name", "module \"game\"\n", "game/x", "go.mod"},
		{"the package at the top", "module game\n", "game", "go.mod root.go"},
		{"a name that only begins like the module's", "module gam\n", "game/x", "go.mod alone"},
		{"no module", "", "game/x", ""},
	} {
		files := map[string]string{"r/main.go": strings.ReplaceAll(uses, "%q", `"`+tt.imports+`"`), "x/x.go": "package x\n", "root.go": "package game\n"}
		if tt.gomod != "" {
			files["go.mod"] = tt.gomod
		}
		got := strings.Join(mustOpenOwn(t, write(t, "root", files), "r").Files(), " ")
		want := strings.TrimSpace(tt.files + " r/main.go")
		if strings.Contains(tt.files, "alone") {
			want = "go.mod r/main.go"
		} else if strings.Contains(tt.files, "root.go") {
			want = "go.mod r/main.go root.go"
		} else if tt.files != "" {
			want += " x/x.go"
		}
		if got != want {
			t.Errorf("%s: read from %s, want %s", tt.why, got, want)
		}
	}
	s := mustOpenOwn(t, write(t, "root", map[string]string{
		"go.mod": "module game\n", "r/go.mod": "module r\n\ngo 1.25\n", "r/main.go": strings.ReplaceAll(uses, "%q", `"r/x"`), "r/x/x.go": "package x\n", "r/y/y.go": "package y\n",
	}), "r")
	if got := strings.Join(s.Files(), " "); got != "r/go.mod r/main.go r/x/x.go" || names(s) != "go.mod main.go x/x.go" {
		t.Errorf("a program with a module of its own is %s, read from %s", names(s), got)
	}
}

func TestOpenOwnRefuses(t *testing.T) {
	t.Parallel()
	const embeds = "package main\n\nimport _ \"embed\"\n\n//go:embed %s\nvar x string\n"
	foreign := "(hint: a problem's programs use the standard library and packages of their own module)"
	for _, tt := range []struct {
		why, main string
		files     map[string]string
		pipe      string
		says      string // after the root
	}{
		{why: "other people's modules", main: "package main\n\nimport (\n\t\"fmt\"\n\n\t\"golang.org/x/net/html\"\n)\n", says: "r/main.go:6: imports golang.org/x/net/html " + foreign},
		{why: "also where a package of ours asks for them", main: "package main\n\nimport _ \"game/x\"\n", files: map[string]string{"x/x.go": "package x\n\nimport _ \"a.b/c\"\n"}, says: "x/x.go:3: imports a.b/c " + foreign},
		{why: "a path that leads around the module", main: "package main\n\nimport _ \"../x\"\n", says: "r/main.go:3: imports ../x " + foreign},
		{why: "a package there is not", main: "package main\n\nimport _ \"game/none\"\n", says: "r/main.go:3: imports game/none, but there is no folder ROOT/none"},
		{why: "a folder without a package", main: "package main\n\nimport _ \"game/x\"\n", files: map[string]string{"x/x_test.go": "package x\n", "x/README": ""}, says: "r/main.go:3: imports game/x, which has no Go file for this machine (hint: write main.go)"},
		{why: "a package for other machines", main: "package main\n\nimport _ \"game/x\"\n", files: map[string]string{"x/x_plan9.go": "package x\n"}, says: "r/main.go:3: imports game/x, which has no Go file for this machine (hint: build constraints or cgo leave out x_plan9.go)"},
		{why: "another module within", main: "package main\n\nimport _ \"game/x/y\"\n", files: map[string]string{"x/go.mod": "module game/x\n", "x/y/y.go": "package y\n"}, says: "r/main.go:3: imports game/x/y, which is in the module of ROOT/x/go.mod " + foreign},
		{why: "a program for other machines", main: "//go:build plan9\n\npackage main\n", says: "r: no Go file for this machine (hint: build constraints or cgo leave out main.go)"},
		{why: "C", main: "package main\n\nimport \"C\"\n", says: "r: no Go file for this machine (hint: build constraints or cgo leave out main.go)"},
		{why: "assembler", main: "package main\n", files: map[string]string{"r/add_" + runtime.GOARCH + ".s": "TEXT ·add(SB),$0\n"}, says: "r/add_" + runtime.GOARCH + ".s: needs cgo, an assembler or a linker's object (hint: a problem's programs are pure Go)"},
		{why: "a go.mod that says nothing", main: "package main\n", files: map[string]string{"go.mod": "go 1.26\n"}, says: "go.mod:1: no module line (hint: go mod init NAME writes one)"},
		{why: "nothing to embed", main: strings.ReplaceAll(embeds, "%s", "a.txt b*"), files: map[string]string{"r/a.txt": ""}, says: "r/main.go:5: embeds b*: no such file (hint: hidden files and other modules do not count)"},
		{why: "hidden files alone", main: strings.ReplaceAll(embeds, "%s", "d"), files: map[string]string{"r/d/.a": "", "r/d/_b": ""}, says: "r/main.go:5: embeds d: no such file (hint: hidden files and other modules do not count)"},
		{why: "a way out", main: strings.ReplaceAll(embeds, "%s", "../a.txt"), files: map[string]string{"a.txt": ""}, says: "r/main.go:5: embeds ../a.txt: not a pattern (hint: such as table.txt, data/*.txt or data)"},
		{why: "a pattern that is none", main: strings.ReplaceAll(embeds, "%s", "a[b"), says: "r/main.go:5: embeds a[b: not a pattern (hint: such as table.txt, data/*.txt or data)"},
		{why: "another module's file", main: strings.ReplaceAll(embeds, "%s", "d/a.txt"), files: map[string]string{"r/d/go.mod": "module d\n", "r/d/a.txt": ""}, says: "r/main.go:5: embeds d/a.txt: d is in another module"},
		{why: "version control", main: strings.ReplaceAll(embeds, "%s", ".git/x"), files: map[string]string{"r/.git/x": ""}, says: "r/main.go:5: embeds .git/x: .git belongs to version control"},
		{why: "a link", main: strings.ReplaceAll(embeds, "%s", "link"), says: "r/main.go:5: embeds link: link is neither a file nor a folder (hint: symbolic links cannot be embedded)"},
		{why: "a pipe, which is not waited for", main: "package main\n", pipe: "r/pipe.go", says: "r/pipe.go: not a regular file"},
		{why: "a file through a link", main: strings.ReplaceAll(embeds, "%s", "link/passwd"), says: "r/main.go:5: embeds link/passwd: link is neither a file nor a folder (hint: symbolic links cannot be embedded)"},
	} {
		files := map[string]string{"go.mod": "module game\n", "r/main.go": tt.main}
		maps.Copy(files, tt.files)
		root := write(t, "root", files)
		if err := os.Symlink("/etc", filepath.Join(root, "r/link")); err != nil {
			t.Fatal(err)
		}
		if tt.pipe != "" {
			if err := syscall.Mkfifo(filepath.Join(root, tt.pipe), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		_, err := OpenOwn(root, "r", Defaults())
		if want := strings.ReplaceAll(root+"/"+tt.says, "ROOT", root); err == nil || err.Error() != want {
			t.Errorf("%s: got  %v\nwant %s", tt.why, err, want)
		}
	}
}

// TestOpenOwnBroken checks that errors that the compiler reports well are left to it.
func TestOpenOwnBroken(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ why, file, text string }{
		{"a file that is no Go", "r/broken.go", "package main\nimport \"fmt\nfunc"},
		{"one that is no text", "r/broken.go", "package main\x00"},
		{"an empty one", "r/broken.go", ""},
		{"two packages in a folder", "r/other.go", "package other\n"},
		{"a standard package there is not", "r/other.go", "package main\n\nimport _ \"fnt\"\n"},
		{"an import of itself", "r/other.go", "package main\n\nimport _ \"game/r\"\n"},
	} {
		s := mustOpenOwn(t, write(t, "root", map[string]string{"go.mod": "module game\n", "r/main.go": "package main\n\nfunc main() {}\n", "r/main_test.go": "package", tt.file: tt.text}), "r")
		if got := strings.Join(s.Files(), " "); !strings.Contains(got, tt.file) || strings.Contains(got, "_test") {
			t.Errorf("%s: read from %s", tt.why, got)
		}
	}
}

// TestGoContext checks that files are selected by the build command, not by the judge's
// environment.
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
		{"flags of the command", []string{"go", "build", "-tags", "fast,slow"}, []string{"GOOS=linux", "GOARCH=arm64", "CGO_ENABLED=0"}, "t-fast t-gc t-go1.1 t-linux t-slow x_arm64"},
		{"and in one word", []string{"go", "build", "-tags=fast"}, []string{"GOOS=linux", "GOARCH=riscv64", "GOFLAGS=-mod=mod -tags=slow"}, "t-cgo t-fast t-gc t-go1.1 t-linux x_riscv64"},
		{"settings", []string{"go", "build"}, []string{"GOOS=plan9", "GOARCH=amd64", "GOFLAGS=--tags=slow", "CGO_ENABLED=0"}, "t-gc t-go1.1 t-plan9 t-slow"},
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
		t.Errorf("what has no number is as the judge's own Go: %q", got)
	}
}

func TestWith(t *testing.T) {
	root := write(t, "own", map[string]string{
		"go.mod":                 "module m\n",
		"reference/sum/main.go":  "package main\n\nimport \"m/lib\"\n\nfunc main() { lib.Print() }\n",
		"reference/sum/other.go": "package main\n",
		"lib/lib.go":             "package lib\n\nfunc Print() {}\n",
	})
	s, err := OpenOwn(root, "reference/sum", Defaults())
	if err != nil {
		t.Fatal(err)
	}
	code := slices.Sorted(maps.Keys(s.Code(Defaults())))
	if want := []string{"reference/sum/main.go", "reference/sum/other.go"}; !slices.Equal(code, want) {
		t.Errorf("the program's own code: got %v, want %v", code, want)
	}
	changed, err := s.With(map[string][]byte{
		"reference/sum/main.go": []byte("package main\n"),
		"reference/sum/more.go": []byte("package main\n\nfunc main() {}\n"),
	}, Defaults())
	if err != nil {
		t.Fatal(err)
	}
	if got := string(changed.Texts()["reference/sum/main.go"]); got != "package main\n" {
		t.Errorf("the file replaced: got %q", got)
	}
	if got := changed.sources(Defaults()["go"]); !slices.Contains(got, "reference/sum/more.go") || len(got) != len(s.code)+1 {
		t.Errorf("files to compile: got %v", got)
	}
	if _, there := s.Texts()["reference/sum/more.go"]; there || len(s.code) != 3 {
		t.Error("the source itself has changed")
	}
}
