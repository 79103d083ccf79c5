package build

import (
	"errors"
	"strings"
	"testing"

	"tribunal/internal/tier"
	"tribunal/judge/internal/limits"
)

// TestBareSources builds sources that run for their authors, but that the judge's build command
// alone would not build, and checks that they print ok.
func TestBareSources(t *testing.T) {
	t.Parallel()
	tier.T2(t, "sources that no file names as a program")
	const library = "package lib\n\nconst Text = \"ok\"\n"
	const goMain = "package main\n\nimport \"fmt\"\n\nfunc main() { fmt.Println(\"ok\") }\n"
	const goWrong = "package main\n\nfunc main() { wrong }\n"
	const mod = "module m\n"
	for _, tt := range []struct {
		why, name string // name: the submitted file; "" means the folder
		files     map[string]string
		wantErr   string // part of the compile error; "" if there is none
		like      bool   // the build is like another of these
	}{
		{why: "a file name that the go command ignores", name: "_x.go", files: map[string]string{"_x.go": goMain}},
		{why: "the file name of a test", like: true, name: "solve_test.go", files: map[string]string{"solve_test.go": goMain}},
		{why: "the file name of another system", like: true, name: "solve_windows.go", files: map[string]string{"solve_windows.go": goMain}},
		{why: "a folder with only a file that the go command ignores", like: true, files: map[string]string{"_x.go": goMain}},
		{why: "a file that its build constraint excludes", name: "a.go", files: map[string]string{"a.go": "//go:build ignore\n\n" + goMain}},
		{why: "a module whose program is in a subfolder", like: true, files: map[string]string{"go.mod": mod, "cmd/solve/main.go": goMain}},
		{why: "a module whose program is in a subfolder, with a library at the top, a test, and folders that the go command ignores", files: map[string]string{
			"go.mod": mod, "lib.go": library, "cmd/solve/main.go": strings.Replace(goMain, "\"fmt\"", "(\"fmt\"; \"m\")", 1) + "var _ = lib.Text\n",
			"lib_test.go": "package lib_test\n", "testdata/main.go": goWrong, "_old/main.go": goWrong, "other/go.mod": "module o\n", "other/main.go": goWrong,
			"gen/gen.go": "//go:build ignore\n\n" + goWrong,
		}},
		{why: "a program at the top has precedence", files: map[string]string{"go.mod": mod, "main.go": goMain, "cmd/other/main.go": goWrong}},
		{why: "a module with two programs in subfolders", files: map[string]string{"go.mod": mod, "a/main.go": goMain, "b/main.go": goMain}, wantErr: "several programs: a, b (hint: keep one"},
		{why: "a module without a program", files: map[string]string{"go.mod": mod, "a/a.go": library}, wantErr: "no Go files"},
		{why: "a Haskell program whose module is not Main", name: "Solve.hs", files: map[string]string{"Solve.hs": "module Solve where\nmain :: IO ()\nmain = putStrLn \"ok\"\n"}},
		{why: "a Haskell program whose module is not Main, with comments, an export list and another module", files: map[string]string{
			"Solve.hs": "{-# OPTIONS_GHC -Wall #-}\n-- module Other\nmodule Data.Solve (main) where\nimport Text_\nmain :: IO ()\nmain = putStrLn text\n",
			"Text_.hs": "module Text_ where\ntext = \"ok\"\n",
		}},
		{why: "a Haskell module without main", name: "Solve.hs", files: map[string]string{"Solve.hs": "module Solve where\nx = 1\n"}, wantErr: "main"},
	} {
		t.Run(strings.ReplaceAll(tt.why, " ", "-"), func(t *testing.T) {
			if tt.like {
				tier.T3(t, "builds that are like others")
			}
			t.Parallel()
			b := newBuilder(t, Options{})
			path := write(t, "s", tt.files)
			if tt.name != "" {
				path += "/" + tt.name
			}
			s, err := Submission(path, "", "", b.Languages())
			if err != nil {
				t.Fatal(err)
			}
			if s.Language != "" {
				needsLanguage(t, b, s.Language)
			}
			p, err := b.Build(t.Context(), s)
			if tt.wantErr != "" {
				_, refused := errors.AsType[*CompileError](err)
				_, unclear := errors.AsType[*UnclearError](err)
				if !refused && !unclear || !strings.Contains(err.Error(), tt.wantErr) {
					t.Errorf("got %v, want a compile error with %q", err, tt.wantErr)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			defer p.Close()
			if got := output(t, hostOf(b), p, limits.Limits{}); got != "ok\n" {
				t.Errorf("output %q", got)
			}
		})
	}
}
