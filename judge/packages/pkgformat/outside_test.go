package pkgformat

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"tribunal/judge/internal/build"
)

// around makes a folder with the package contest/hello and files around it, and returns the folder.
func around(t testing.TB) string {
	t.Helper()
	top := unpack(t, "-- contest/shared/v.h --\nint shared;\n-- contest/shared/1.ans --\n7\n-- contest/hello/problem.yaml --\n"+
		"-- contest/hello/data/secret/1.in --\n-- contest/hello/input_validators/v/v.c --\n#include \"v.h\"\n-- secret --\nsecret\n")
	link(t, top, "contest/out", "../secret")
	link(t, top, "contest/hello/data/secret/1.ans", "../../../shared/1.ans")
	link(t, top, "contest/hello/input_validators/v/v.h", "../../../shared/v.h")
	return top
}

func link(t testing.TB, top, at, to string) {
	t.Helper()
	if err := os.Symlink(to, filepath.Join(top, at)); err != nil {
		t.Fatal(err)
	}
}

// TestRoot checks that links lead as far as the root that the user names, for every kind of read.
func TestRoot(t *testing.T) {
	t.Parallel()
	top := around(t)
	hello := filepath.Join(top, "contest/hello")
	const hint = " (hint: add --root-of-package TOP/contest, or replace the link by the file)"
	if got, want := openError(t, hello), "hello/data/secret/1.ans: leads out of the package"+strings.ReplaceAll(hint, "TOP", top); got != strings.ReplaceAll(want, filepath.Dir(hello)+"/", "") {
		t.Errorf("without a root: %s", got)
	}
	for _, root := range []string{filepath.Join(top, "contest"), top} {
		p, err := openDraft(t.Context(), hello, Options{Scratch: In(t.TempDir()), Root: root})
		if err != nil {
			t.Fatal(err)
		}
		defer p.Close()
		if answer, err := p.Bytes(p.Cases[0].Answer); err != nil || string(answer) != "7\n" {
			t.Errorf("answer %q, %v", answer, err)
		}
		s, err := p.Program("input_validators/v", build.Defaults())
		if err != nil {
			t.Fatal(err)
		}
		if got := string(s.Texts()["v.h"]); got != "int shared;\n" {
			t.Errorf("v.h is %q", got)
		}
	}
}

// TestHostileLinks checks that no link leads out of the root that the user names.
func TestHostileLinks(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ why, to, want string }{
		{"beyond the root", "../../../../secret", "leads out of the package (hint: add --root-of-package TOP, or replace the link by the file)"},
		{"through a link beyond the root", "../../../out", "leads out of the package (hint: add --root-of-package TOP, or replace the link by the file)"},
		{"out and in again", "../../../../contest/shared/1.ans", "leads out of the package (hint: add --root-of-package TOP, or replace the link by the file)"},
		{"by an absolute path", "TOP/contest/shared/1.ans", "leads out of the package (hint: a package may only link to its own files, by relative paths: replace the link by the file)"},
		{"to the top of the file system", strings.Repeat("../", 40) + "etc/passwd", "leads out of the package (hint: a package may only link to its own files, by relative paths: replace the link by the file)"},
		{"to nothing below the root", "../../../shared/none", "a symbolic link to a file that does not exist"},
	} {
		t.Run(tt.why, func(t *testing.T) {
			t.Parallel()
			top := around(t)
			hello := filepath.Join(top, "contest/hello")
			if err := os.Remove(filepath.Join(hello, "data/secret/1.ans")); err != nil {
				t.Fatal(err)
			}
			link(t, top, "contest/hello/data/secret/1.ans", strings.ReplaceAll(tt.to, "TOP", top))
			p, err := openDraft(t.Context(), hello, Options{Scratch: In(t.TempDir()), Root: filepath.Join(top, "contest")})
			if err == nil {
				p.Close()
				t.Fatal("opened")
			}
			if got, want := err.Error(), hello+"/data/secret/1.ans: "+strings.ReplaceAll(tt.want, "TOP", top); got != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
		})
	}
}

// TestRootPaths checks that a path, other than a link, leads nowhere out of the package, and that
// the package must be below the root.
func TestRootPaths(t *testing.T) {
	t.Parallel()
	top := unpack(t, strings.ReplaceAll(polygonTests("1", "../secret", "tests/1.a"), "-- ", "-- hello/")+"-- secret --\n-- other/ --\n")
	hello := filepath.Join(top, "hello")
	for _, tt := range []struct{ root, want string }{
		{top, hello + "/../secret: leads out of the package (hint: a package may only link to its own files, by relative paths: replace the link by the file)"},
		{top + "/other", hello + ": not below " + top + "/other, the root of the package (hint: name a folder around the package with --root-of-package)"},
		{top + "/none", top + "/none: no such file or directory"},
		{top + "/secret", top + "/secret: not a directory"},
	} {
		p, err := openDraft(t.Context(), hello, Options{Root: tt.root})
		if err == nil {
			p.Close()
			t.Errorf("%s: opened", tt.root)
		} else if err.Error() != tt.want {
			t.Errorf("got  %s\nwant %s", err, tt.want)
		}
	}
}

// TestChangingLink replaces a link again and again while it is read: by one below the root, and by
// one beyond it.
func TestChangingLink(t *testing.T) {
	t.Parallel()
	top := around(t)
	hello := filepath.Join(top, "contest/hello")
	p, err := openDraft(t.Context(), hello, Options{Root: filepath.Join(top, "contest")})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	answer, next := filepath.Join(hello, "data/secret/1.ans"), filepath.Join(hello, "next")
	var changes sync.WaitGroup
	stop := make(chan struct{})
	changes.Go(func() {
		for {
			for _, to := range []string{"../../../../secret", "../../../shared/1.ans"} {
				select {
				case <-stop:
					return
				default:
				}
				if os.Symlink(to, next) != nil || os.Rename(next, answer) != nil {
					t.Error("the link cannot be replaced")
					return
				}
			}
		}
	})
	for range 2000 {
		if data, err := p.Bytes("data/secret/1.ans"); err == nil && string(data) != "7\n" {
			t.Errorf("read %q beyond the root", data)
			break
		}
	}
	close(stop)
	changes.Wait()
}
