package build

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"tribunal/internal/tier"
	"tribunal/judge/internal/cache/cachetest"
	"tribunal/judge/internal/limits"
)

// umasks lists umasks, the strictest first, each with a package of Go's standard library that no
// other test compiles: under this umask the go command must add files to the cache.
var umasks = []struct {
	mask    int
	library string
}{{0o077, "container/ring"}, {0o027, "hash/adler32"}, {0o022, "encoding/ascii85"}}

// TestUmask builds and runs a program of each language, also as another account, with umasks that
// hide new files from other accounts: the account of the jail must be able to read what it needs.
// All share one cache. It begins as an earlier version of the judge left it under such a umask.
func TestUmask(t *testing.T) {
	tier.T2(t, "strict umasks with real compilers")
	needsLibrary(t, "strict umasks with real compilers")
	c := cachetest.Own(t)
	if err := chmodAll(filepath.Join(c.Dir(), goFolder), func(mode fs.FileMode) fs.FileMode { return mode &^ 0o077 }); err != nil {
		t.Fatal(err)
	}
	languages := []string{"c", "go"}
	if tier.All() {
		languages = slices.Sorted(maps.Keys(Defaults()))
	} else {
		t.Log("not checked: strict umasks with languages other than C and Go (TRIBUNAL_TESTS=all checks it)")
	}
	for i, u := range umasks {
		for _, language := range languages {
			t.Run(fmt.Sprintf("%03o/%s", u.mask, language), func(t *testing.T) {
				defer syscall.Umask(syscall.Umask(u.mask))
				b := newBuilder(t, Options{Cache: c})
				needsLanguage(t, b, language)
				text, err := Hello(language)
				if err != nil {
					t.Fatal(err)
				}
				if language == "go" {
					text = []byte(strings.Replace(string(text), "package main\n", "package main\n\nimport _ \""+u.library+"\"\n", 1))
				}
				text = append(text, strings.Repeat("\n", i)...) // another program than with the umask before
				source, err := Read("hello", "", bytes.NewReader(text), language, b.Languages())
				if err != nil {
					t.Fatal(err)
				}
				greet(t, b, mustBuild(t, b, source))
			})
		}
		t.Run(fmt.Sprintf("%03o/executable", u.mask), func(t *testing.T) {
			defer syscall.Umask(syscall.Umask(u.mask))
			image, err := exec.LookPath("true")
			if err != nil {
				t.Fatal(err)
			}
			b := newBuilder(t, Options{Cache: c})
			s, err := Open(image, "", b.Languages())
			if err != nil {
				t.Skipf("not checked: submitted executables: %v", err)
			}
			output(t, hostOf(b), mustBuild(t, b, s), limits.Limits{})
		})
	}
	t.Run("user", asUser)
}

// greet runs a program that reads a line and greets.
func greet(t *testing.T, b *Builder, p *Program) {
	t.Helper()
	name := filepath.Join(t.TempDir(), "input")
	input, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o600)
	if err == nil {
		defer input.Close()
		_, err = input.WriteString("world\n")
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, err := input.Seek(0, io.SeekStart); err != nil {
		t.Fatal(err)
	}
	box, err := hostOf(b).NewBox(p.Spec())
	if err != nil {
		t.Fatal(err)
	}
	defer box.Close()
	l := limits.Limits{}
	cmd, err := p.Command(box, l)
	if err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = input, &out, &errs
	if r, err := box.Run(t.Context(), cmd); err != nil || !r.OK(l) || out.String() != "hello, world\n" {
		t.Errorf("%+v, %v, output %q: %s", r, err, out.String(), errs.String())
	}
}

// chmodAll changes the permissions of all files and folders below a folder, and its own.
func chmodAll(dir string, change func(fs.FileMode) fs.FileMode) error {
	return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		return os.Chmod(path, change(info.Mode()))
	})
}

// asUser runs the calling test as an account that owns nothing but a copy of the cache.
func asUser(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("not checked: another account (not root)")
	}
	const account = 54321
	shared, err := cachetest.Folder()
	if err != nil {
		t.Fatal(err)
	}
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir, err := os.MkdirTemp("", "tribunal-user-")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	test, _, _ := strings.Cut(t.Name(), "/")
	err = errors.Join(
		os.CopyFS(filepath.Join(dir, "cache", goFolder), os.DirFS(filepath.Join(shared, goFolder))),
		exec.Command("cp", program, filepath.Join(dir, "test")).Run(),
		filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
			return errors.Join(err, os.Lchown(path, account, account))
		}),
	)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), filepath.Join(dir, "test"), "-test.run", "^"+test+"$", "-test.v")
	cmd.Dir = dir // the account need not be able to enter this checkout
	cmd.Env = append(os.Environ(), "TRIBUNAL_CACHE="+filepath.Join(dir, "cache"), "TMPDIR="+dir, "HOME="+dir)
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: account, Gid: account}}
	out, err := cmd.CombinedOutput()
	t.Logf("%s", out)
	if err != nil || !strings.Contains(string(out), "--- PASS: "+test) {
		t.Error(err)
	}
}
