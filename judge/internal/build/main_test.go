package build

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"tribunal/judge/internal/cache"
	"tribunal/judge/internal/cache/cachetest"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/runner"
	"tribunal/judge/internal/sandbox"
)

// newCache returns an empty cache, which does not even contain Go's compiled standard library.
func newCache(t testing.TB) *cache.Cache {
	t.Helper()
	c, err := cache.Open(t.TempDir(), 0)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// mustBuild builds a source, and fails the test if that fails.
func mustBuild(t testing.TB, b *Builder, s *Source) *Program {
	t.Helper()
	p, err := b.Build(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	return p
}

// digests returns a hash of every file below a folder, by path.
func digests(t testing.TB, dir string) map[string]string {
	t.Helper()
	found := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		text, err := os.ReadFile(path)
		if strings.HasSuffix(path, ".pyc") && len(text) > 16 {
			text = text[16:] // skip the header, which contains the time of the source
		}
		rel, _ := filepath.Rel(dir, path)
		found[rel] = fmt.Sprintf("%x", sha256.Sum256(text))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// newHost opens the strongest sandbox of this machine.
func newHost(t testing.TB) *sandbox.Host {
	t.Helper()
	h, err := sandbox.Open(sandbox.Auto)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { h.Close() })
	return h
}

// hostRunner is a runner whose sandbox tests use directly, too.
type hostRunner struct {
	*runner.Local
	host *sandbox.Host
}

func runnerOn(host *sandbox.Host) hostRunner { return hostRunner{runner.NewLocal(host, 1), host} }

func hostOf(b *Builder) *sandbox.Host { return b.options.Runner.(hostRunner).host }

// scripted returns a language whose compiler is a shell script with the arguments {exe} and {src}.
func scripted(compiler string) Language {
	return Language{Match: []string{".x"}, Build: []string{"sh", "-c", compiler, "sh", "{exe}", "{src}"}}
}

// newBuilder returns a builder with the given options and defaults for the fields that are zero.
func newBuilder(t testing.TB, o Options) *Builder {
	t.Helper()
	if o.Timeout == 0 {
		o.Timeout = DefaultTimeout
	}
	if o.Memory == 0 {
		o.Memory = DefaultMemory
	}
	if o.Output == 0 {
		o.Output = DefaultOutput
	}
	if o.Languages == nil {
		o.Languages = Defaults()
	}
	if o.Cache == nil {
		o.Cache = cachetest.Fresh(t)
	}
	if o.Runner == nil {
		o.Runner = runnerOn(newHost(t))
	}
	o.Temp = o.Runner.(hostRunner).host.Temp()
	return New(o)
}

func needs(t testing.TB, tool string) {
	t.Helper()
	if _, err := exec.LookPath(tool); err != nil {
		t.Skipf("not checked: programs that need %s: %v", tool, err)
	}
}

// needsLanguage skips the test if a language's tools are missing or do not work.
func needsLanguage(t testing.TB, b *Builder, language string) {
	t.Helper()
	if _, err := b.resolve(t.Context(), language); errors.As(err, new(*MissingError)) {
		t.Skipf("not checked: %v", err)
	}
}

func mustOpen(t testing.TB, b *Builder, name string, files map[string]string) *Source {
	t.Helper()
	path := write(t, "submission", files)
	if name != "" {
		path = filepath.Join(path, name)
	}
	s, err := Open(path, "", b.Languages())
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// output runs a program without input and returns its output.
func output(t testing.TB, h *sandbox.Host, p *Program, l limits.Limits) string {
	t.Helper()
	box, err := h.NewBox(p.Spec())
	if err != nil {
		t.Fatal(err)
	}
	defer box.Close()
	var out, errs bytes.Buffer
	cmd, err := p.Command(box, l)
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stdout, cmd.Stderr = &out, &errs
	r, err := box.Run(t.Context(), cmd)
	if err != nil || !r.OK(l) {
		t.Fatalf("%+v, %v: %s", r, err, errs.String())
	}
	return out.String()
}
