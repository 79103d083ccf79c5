package build

import (
	"errors"
	"strings"
	"testing"

	"tribunal/judge/internal/limits"
)

// TestBareSources builds sources that their author could run, but not with the judge's command, and
// checks that they print ok.
func TestBareSources(t *testing.T) {
	t.Parallel()
	const library = "package lib\n\nconst Text = \"ok\"\n"
	const goMain = "package main\n\nimport \"fmt\"\n\nfunc main() { fmt.Println(\"ok\") }\n"
	const goWrong = "package main\n\nfunc main() { wrong }\n"
	const mod = "module m\n"
	for _, tt := range []struct {
		why, name string // of the file; "" for the folder
		files     map[string]string
		says      string // a part of the compile error
	}{
		{why: "a name that the go command leaves out", name: "_x.go", files: map[string]string{"_x.go": goMain}},
		{why: "that of a test", name: "solve_test.go", files: map[string]string{"solve_test.go": goMain}},
		{why: "that of another system", name: "solve_windows.go", files: map[string]string{"solve_windows.go": goMain}},
		{why: "such a one alone in a folder", files: map[string]string{"_x.go": goMain}},
		{why: "a file that is left out by what is in it", name: "a.go", files: map[string]string{"a.go": "//go:build ignore\n\n" + goMain}},
		{why: "the program of a module in a folder", files: map[string]string{"go.mod": mod, "cmd/solve/main.go": goMain}},
		{why: "beside a library at the top, a test, and what the go command leaves out", files: map[string]string{
			"go.mod": mod, "lib.go": library, "cmd/solve/main.go": strings.Replace(goMain, "\"fmt\"", "(\"fmt\"; \"m\")", 1) + "var _ = lib.Text\n",
			"lib_test.go": "package lib_test\n", "testdata/main.go": goWrong, "_old/main.go": goWrong, "other/go.mod": "module o\n", "other/main.go": goWrong,
			"gen/gen.go": "//go:build ignore\n\n" + goWrong,
		}},
		{why: "one at the top goes before", files: map[string]string{"go.mod": mod, "main.go": goMain, "cmd/other/main.go": goWrong}},
		{why: "two programs", files: map[string]string{"go.mod": mod, "a/main.go": goMain, "b/main.go": goMain}, says: "several programs: a, b (hint: keep one"},
		{why: "none", files: map[string]string{"go.mod": mod, "a/a.go": library}, says: "no Go files"},
		{why: "a program in Haskell that is not called Main", name: "Solve.hs", files: map[string]string{"Solve.hs": "module Solve where\nmain :: IO ()\nmain = putStrLn \"ok\"\n"}},
		{why: "with a comment before, an export and another module", files: map[string]string{
			"Solve.hs": "{-# OPTIONS_GHC -Wall #-}\n-- module Other\nmodule Data.Solve (main) where\nimport Text_\nmain :: IO ()\nmain = putStrLn text\n",
			"Text_.hs": "module Text_ where\ntext = \"ok\"\n",
		}},
		{why: "a module without a program", name: "Solve.hs", files: map[string]string{"Solve.hs": "module Solve where\nx = 1\n"}, says: "main"},
	} {
		t.Run(strings.ReplaceAll(tt.why, " ", "-"), func(t *testing.T) {
			t.Parallel()
			b := newBuilder(t, Options{})
			path := write(t, "s", tt.files)
			if tt.name != "" {
				path += "/" + tt.name
			}
			s, err := Submission(path, "", b.Languages())
			if err != nil {
				t.Fatal(err)
			}
			if s.Language != "" {
				needsLanguage(t, b, s.Language)
			}
			p, err := b.Build(t.Context(), s)
			if compile, ok := errors.AsType[*CompileError](err); tt.says != "" {
				if !ok || !strings.Contains(compile.Output, tt.says) {
					t.Errorf("got %v, want a compile error with %q", err, tt.says)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			defer p.Close()
			if got := output(t, hostOf(b), p, limits.Limits{}); got != "ok\n" {
				t.Errorf("it prints %q", got)
			}
		})
	}
}
