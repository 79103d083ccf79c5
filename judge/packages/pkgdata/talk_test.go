package pkgdata

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/cache/cachetest"
	"tribunal/judge/internal/run"
	"tribunal/judge/internal/runner"
	"tribunal/judge/internal/sandbox"
	"tribunal/judge/internal/sandbox/sandboxtest"
	"tribunal/judge/packages/draft"
	"tribunal/judge/packages/pkgformat"
)

// TestTalk makes an answer by a program and an interactor, which are played: what the interactor writes into its
// output file is the answer.
func TestTalk(t *testing.T) {
	t.Parallel()
	const program, interactor = "submissions/accepted/a.py", "talk.py"
	for _, tt := range []struct {
		why             string
		leave           func(output string) error // what the interactor does; nil for nothing
		program, judges int                       // exit statuses
		want            string                    // the answer, or the error
	}{
		{"it writes an output", func(output string) error { return os.WriteFile(output, []byte("4\n"), 0o600) }, 0, 0, "4\n"},
		{"it writes none", nil, 0, 0, ""},
		{"it leaves something else there", func(output string) error { return os.Mkdir(output, 0o700) }, 0, 0, program + ": a.py: open output: not a regular file (hint: asked for by test 1)"},
		{"it refuses what the program says", nil, 0, 1, program + ": a.py: talk.py does not accept it: exited with status 1: too many questions (hint: asked for by test 1)"},
		{"the program fails", nil, 3, 0, program + ": a.py: exited with status 3: asked wrongly (hint: asked for by test 1)"},
	} {
		dir := t.TempDir()
		for name, text := range map[string]string{"problem.yaml": "name: P\n", "data/secret/1.in": "3\n", "data/secret/1.ans": "", program: "x", interactor: "x"} {
			at := filepath.Join(dir, name)
			if err := errors.Join(os.MkdirAll(filepath.Dir(at), 0o755), os.WriteFile(at, []byte(text), 0o644)); err != nil {
				t.Fatal(err)
			}
		}
		p, err := pkgformat.Open(t.Context(), dir, pkgformat.Options{Scratch: pkgformat.In(t.TempDir())})
		if err != nil {
			t.Fatal(err)
		}
		defer p.Close()
		local := runner.NewLocal(sandboxtest.New(t, func(_ context.Context, r sandboxtest.Run) (sandbox.Result, error) {
			if r.Spec.Folder.Path != "/talk" {
				_, err := io.WriteString(r.Stderr, "asked wrongly\n")
				return sandbox.Result{ExitCode: tt.program}, errors.Join(err, os.WriteFile(filepath.Join(r.Dir, "output"), []byte("its own"), 0o600))
			}
			for _, f := range r.FolderFiles {
				if text, err := io.ReadAll(f.From()); f.Name != "input" || string(text) != "3\n" {
					t.Errorf("%s: the interactor gets the file %s with %q, %v", tt.why, f.Name, text, err)
				}
			}
			_, err := io.WriteString(r.Stderr, "too many questions\n")
			if tt.leave != nil {
				err = errors.Join(err, tt.leave(filepath.Join(r.Dir, "output")))
			}
			return sandbox.Result{ExitCode: tt.judges}, err
		}), 1)
		pool := run.NewPool(local, 1, time.Second)
		kept := cachetest.Fresh(t)
		languages := map[string]build.Language{"python3": {Match: []string{".py"}, Run: []string{"sh", "{dir}/{main}"}}}
		m := &Maker{Builder: build.New(build.Options{Languages: languages, Cache: kept, Runner: local}), Pool: pool, Cache: kept}
		made, err := m.Make(t.Context(), p.Draft(), []draft.Step{{Program: program, Interactor: interactor, Input: "data/secret/1.in", Stdout: "answer", From: "test 1"}})
		got := ""
		if err != nil {
			got = strings.TrimPrefix(err.Error(), dir+"/")
		} else if answer, err := made["answer"].Open(); err != nil {
			t.Errorf("%s: %v", tt.why, err)
		} else {
			text, _ := answer.Bytes()
			got = string(text)
		}
		if got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.why, got, tt.want)
		}
		if err := errors.Join(m.Close(), pool.Close()); err != nil {
			t.Error(err)
		}
	}
}
