package main

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"testing"

	"tribunal/internal/tier"
	"tribunal/judge/internal/cache/cachetest"
	"tribunal/judge/internal/config"
	"tribunal/judge/judged/internal/ledger"
	"tribunal/judge/judged/internal/service"
	"tribunal/judge/judged/internal/store"
)

// TestWorkersWithDifferentTools judges programs in C and in Python with two workers, each of which has only one of
// the languages. A program in an archive reaches the right one too, and one in a language of neither is refused.
func TestWorkersWithDifferentTools(t *testing.T) {
	tier.T2(t, "workers with different tools")
	tier.Needs(t, "workers with different tools", "gcc", "python3")
	t.Setenv(config.CacheVariable, cachetest.Dir(t))
	st := openStore(t)
	c, err := config.Load(repository)
	if err != nil {
		t.Fatal(err)
	}
	svc := serve(t, st, service.Options{LanguagesOf: languagesOf(c)})
	log := slog.New(slog.NewTextHandler(t.Output(), nil))
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error)
	for name, lacks := range map[string][]string{"c": {"python3", "rust"}, "python3": {"c", "rust"}} {
		root := t.TempDir()
		text := "languages:\n"
		for _, language := range lacks {
			text += fmt.Sprintf("  %s:\n    run: [no-such-%[1]s, \"{main}\"]\n", language)
		}
		if err := os.WriteFile(filepath.Join(root, "runner.yaml"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		w := workerOptions{root: root, slots: 1, name: "has-" + name, noDoctor: true}
		go func() { done <- w.run(ctx, st, log) }()
	}
	t.Cleanup(func() {
		stop()
		for range 2 {
			if err := <-done; err != nil && !errors.Is(err, context.Canceled) {
				t.Error(err)
			}
		}
	})
	for ready := 0; ready < 2; {
		list, err := svc.Workers(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		ready = len(list)
	}
	for _, tt := range []struct{ name, code, worker string }{
		{"a.c", "int main(void) { return 0; }\n", "has-c"},
		{"a.py", "print(input())\n", "has-python3"},
		{"b.c", "int main(void) { return 1; }\n", "has-c"},
		{"c.zip", zipped(t, "main.c", "int main(void) { return 2; }\n"), "has-c"},
		{"d.zip", zipped(t, "main.py", "print(1)\n"), "has-python3"},
	} {
		sub, _, err := svc.Submit(t.Context(), aRun(tt.name, tt.code))
		if err != nil {
			t.Fatal(tt.name, err)
		}
		if r := result(t, svc, sub.ID); r.Host.Worker != tt.worker {
			t.Errorf("%s was run by %s, want %s", tt.name, r.Host.Worker, tt.worker)
		}
		if sub, err = svc.Get(sub.ID); err != nil || sub.Counts().Attempt != 1 {
			t.Errorf("%s: %+v, %v", tt.name, sub.Counts(), err)
		}
	}
	_, _, err = svc.Submit(t.Context(), aRun("a.rs", "fn main() {}\n"))
	if absent, ok := errors.AsType[*service.LanguageError](err); !ok || absent.Language != "rust" {
		t.Errorf("a program in Rust: %v", err)
	}
}

// aRun returns the request to run a program without input.
func aRun(name, code string) service.Request {
	return service.Request{Code: []byte(code), Stdin: []byte("1\n"), Submitted: ledger.Submitted{Submitter: "s", Name: name, Input: &store.Ref{}, Priority: ledger.Interactive}}
}

// zipped returns an archive with one file.
func zipped(t *testing.T, name, text string) string {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	f, err := z.Create(name)
	if err == nil {
		_, err = f.Write([]byte(text))
	}
	if err = errors.Join(err, z.Close()); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
