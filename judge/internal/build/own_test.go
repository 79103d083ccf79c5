package build

import (
	"encoding/json"
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

	"tribunal/internal/tier"
	"tribunal/judge/internal/limits"
)

// own is a repository whose program reference/a consists of source files of every kind, beside
// files that are not part of it.
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
	"reference/common/data/.hidden":              "excluded: hidden, in a folder that the pattern names",
	"reference/common/data/_old/word.txt":        "excluded likewise",
	"reference/common/data/mod/go.mod":           "module mod\n",
	"reference/common/data/mod/word.txt":         "of another module",
	"reference/common/more/.x.txt":               "in a folder named with all:",
	"reference/common/more/.git/x.txt":           "never",
	"reference/common/extra/.x.txt":              "named by a pattern",
	"reference/common/extra/x.dat":               "not named",
	"reference/unused/unused.go":                 "package unused\n",
}

// ownFiles lists the files of the program reference/a.
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
		t.Errorf("go.mod of the build: %q", got)
	}
	key := sourceKey(t, s)
	for file, text := range own {
		changed := maps.Clone(own)
		changed[file] = text + "\n" // a valid edit of every kind of file
		counts := slices.Contains(ownFiles, file) && file != "go.mod"
		if got := sourceKey(t, mustOpenOwn(t, write(t, "root", changed), "reference/a")); (got != key) != counts {
			t.Errorf("edit of %s: key changes = %t, want %t", file, got != key, counts)
		}
	}
	for why, file := range map[string]string{
		"a new file in a package": "reference/common/z.go", "a new file in an embedded folder": "reference/common/data/deep/z",
	} {
		changed := maps.Clone(own)
		changed[file] = "package common\n"
		if sourceKey(t, mustOpenOwn(t, write(t, "root", changed), "reference/a")) == key {
			t.Errorf("%s does not change the key", why)
		}
	}
	for _, version := range []string{"1.25", ""} {
		changed := maps.Clone(own)
		changed["go.mod"] = "module game\ngo " + version + "\n"
		if sourceKey(t, mustOpenOwn(t, write(t, "root", changed), "reference/a")) == key {
			t.Errorf("go %s in go.mod does not change the key", version)
		}
	}
}

// TestOpenOwnAsGoList compares the files of a Go program with those that go list prints.
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
		t.Errorf("got %q, go list prints %q", got, want)
	}
}

func TestBuildOwn(t *testing.T) {
	t.Parallel()
	tier.T2(t, "programs of a problem in its module")
	needs(t, "go")
	b := newBuilder(t, Options{})
	root := write(t, "root", own)
	p := mustBuild(t, b, mustOpenOwn(t, root, "reference/a"))
	if got := output(t, hostOf(b), p, limits.Limits{}); got != "table 5 word here" {
		t.Errorf("output %q", got)
	}
	alone := write(t, "root", map[string]string{
		"reference/b/main.go":      "package main\n\nimport (\n\t_ \"embed\"\n\t\"fmt\"\n)\n\n//go:embed view/page.go\nvar page string\n\nfunc main() { fmt.Print(page) }\n",
		"reference/b/view/page.go": "embedded, not compiled",
		"reference/b/old.go":       "//go:build ignore\n\npackage main\n\nfunc main() {}\n",
	})
	if got := output(t, hostOf(b), mustBuild(t, b, mustOpenOwn(t, alone, "reference/b")), limits.Limits{}); got != "embedded, not compiled" {
		t.Errorf("output without a go.mod: %q", got)
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
			t.Errorf("%s: files %q from %q, want those of Open: %q", folder, names(s), s.Files(), names(open))
		}
	}
	t.Chdir(root)
	if s := mustOpenOwn(t, ".", "reference/a"); s.Name != "reference/a" || strings.Join(s.Files(), " ") != "go.mod reference/a/a.go reference/a/main.go" {
		t.Errorf("in the root: %s is read from %q", s.Name, s.Files())
	}
	t.Chdir("reference")
	if s := mustOpenOwn(t, "..", "reference/a"); s.Name != "../reference/a" || strings.Join(s.Files(), " ") != "go.mod reference/a/a.go reference/a/main.go" {
		t.Errorf("in a subfolder of the root: %s is read from %q", s.Name, s.Files())
	}
}

// TestOpenOwnOtherLanguages checks that a solver does not include the problem's other programs,
// which are in subfolders.
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
		{"an import path that begins with the module's, but not with its last element", "module gam\n", "game/x", "go.mod alone"},
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
		t.Errorf("a program in its own module: files %s, read from %s", names(s), got)
	}
}

func TestOpenOwnRefuses(t *testing.T) {
	t.Parallel()
	const embeds = "package main\n\nimport _ \"embed\"\n\n//go:embed %s\nvar x string\n"
	foreign := "(hint: a problem's programs may use the standard library and packages of their own module)"
	for _, tt := range []struct {
		why, main string
		files     map[string]string
		pipe      string
		wantErr   string // the error, without the root before it; ROOT stands for the root
	}{
		{why: "an import from another module", main: "package main\n\nimport (\n\t\"fmt\"\n\n\t\"golang.org/x/net/html\"\n)\n", wantErr: "r/main.go:6: imports golang.org/x/net/html " + foreign},
		{why: "an import from another module, in an imported package", main: "package main\n\nimport _ \"game/x\"\n", files: map[string]string{"x/x.go": "package x\n\nimport _ \"a.b/c\"\n"}, wantErr: "x/x.go:3: imports a.b/c " + foreign},
		{why: "an import path that leads out of the folder", main: "package main\n\nimport _ \"../x\"\n", wantErr: "r/main.go:3: imports ../x " + foreign},
		{why: "a package that does not exist", main: "package main\n\nimport _ \"game/none\"\n", wantErr: "r/main.go:3: imports game/none, but there is no folder ROOT/none"},
		{why: "a folder without a package", main: "package main\n\nimport _ \"game/x\"\n", files: map[string]string{"x/x_test.go": "package x\n", "x/README": ""}, wantErr: "r/main.go:3: imports game/x, which has no Go file for this machine (hint: write main.go)"},
		{why: "a package for other machines", main: "package main\n\nimport _ \"game/x\"\n", files: map[string]string{"x/x_plan9.go": "package x\n"}, wantErr: "r/main.go:3: imports game/x, which has no Go file for this machine (hint: build constraints or cgo exclude x_plan9.go)"},
		{why: "a module within the module", main: "package main\n\nimport _ \"game/x/y\"\n", files: map[string]string{"x/go.mod": "module game/x\n", "x/y/y.go": "package y\n"}, wantErr: "r/main.go:3: imports game/x/y, which belongs to the module of ROOT/x/go.mod " + foreign},
		{why: "a program for other machines", main: "//go:build plan9\n\npackage main\n", wantErr: "r: no Go file for this machine (hint: build constraints or cgo exclude main.go)"},
		{why: "an import of C", main: "package main\n\nimport \"C\"\n", wantErr: "r: no Go file for this machine (hint: build constraints or cgo exclude main.go)"},
		{why: "assembler", main: "package main\n", files: map[string]string{"r/add_" + runtime.GOARCH + ".s": "TEXT ·add(SB),$0\n"}, wantErr: "r/add_" + runtime.GOARCH + ".s: needs cgo, an assembler or a linker's object (hint: a problem's programs must be pure Go)"},
		{why: "a go.mod without a module line", main: "package main\n", files: map[string]string{"go.mod": "go 1.26\n"}, wantErr: "go.mod:1: no module line (hint: go mod init NAME writes one)"},
		{why: "a pattern that matches no file", main: strings.ReplaceAll(embeds, "%s", "a.txt b*"), files: map[string]string{"r/a.txt": ""}, wantErr: "r/main.go:5: embeds b*: no such file (hint: hidden files and other modules do not count)"},
		{why: "a folder with only hidden files", main: strings.ReplaceAll(embeds, "%s", "d"), files: map[string]string{"r/d/.a": "", "r/d/_b": ""}, wantErr: "r/main.go:5: embeds d: no such file (hint: hidden files and other modules do not count)"},
		{why: "a pattern that leads out of the folder", main: strings.ReplaceAll(embeds, "%s", "../a.txt"), files: map[string]string{"a.txt": ""}, wantErr: "r/main.go:5: embeds ../a.txt: not a pattern (hint: such as table.txt, data/*.txt or data)"},
		{why: "an invalid pattern", main: strings.ReplaceAll(embeds, "%s", "a[b"), wantErr: "r/main.go:5: embeds a[b: not a pattern (hint: such as table.txt, data/*.txt or data)"},
		{why: "a file of another module", main: strings.ReplaceAll(embeds, "%s", "d/a.txt"), files: map[string]string{"r/d/go.mod": "module d\n", "r/d/a.txt": ""}, wantErr: "r/main.go:5: embeds d/a.txt: d is in another module"},
		{why: "a file of version control", main: strings.ReplaceAll(embeds, "%s", ".git/x"), files: map[string]string{"r/.git/x": ""}, wantErr: "r/main.go:5: embeds .git/x: .git belongs to version control"},
		{why: "a symbolic link", main: strings.ReplaceAll(embeds, "%s", "link"), wantErr: "r/main.go:5: embeds link: link is neither a file nor a folder (hint: symbolic links cannot be embedded)"},
		{why: "a pipe, which must not block the judge", main: "package main\n", pipe: "r/pipe.go", wantErr: "r/pipe.go: not a regular file"},
		{why: "a file through a symbolic link", main: strings.ReplaceAll(embeds, "%s", "link/passwd"), wantErr: "r/main.go:5: embeds link/passwd: link is neither a file nor a folder (hint: symbolic links cannot be embedded)"},
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
		if want := strings.ReplaceAll(root+"/"+tt.wantErr, "ROOT", root); err == nil || err.Error() != want {
			t.Errorf("%s: got  %v\nwant %s", tt.why, err, want)
		}
	}
}

// TestOpenOwnBroken checks that OpenOwn leaves errors that the compiler reports well to the
// compiler.
func TestOpenOwnBroken(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ why, file, text string }{
		{"a file that does not parse", "r/broken.go", "package main\nimport \"fmt\nfunc"},
		{"a file with a NUL byte", "r/broken.go", "package main\x00"},
		{"an empty file", "r/broken.go", ""},
		{"two packages in a folder", "r/other.go", "package other\n"},
		{"a standard package that does not exist", "r/other.go", "package main\n\nimport _ \"fnt\"\n"},
		{"a package that imports itself", "r/other.go", "package main\n\nimport _ \"game/r\"\n"},
	} {
		s := mustOpenOwn(t, write(t, "root", map[string]string{"go.mod": "module game\n", "r/main.go": "package main\n\nfunc main() {}\n", "r/main_test.go": "package", tt.file: tt.text}), "r")
		if got := strings.Join(s.Files(), " "); !strings.Contains(got, tt.file) || strings.Contains(got, "_test") {
			t.Errorf("%s: read from %s", tt.why, got)
		}
	}
}
