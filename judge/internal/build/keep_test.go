package build

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tribunal/internal/tier"
	"tribunal/judge/internal/sandbox"
)

// busyCompiler is a compiler that makes files of every kind and changes its sources.
const busyCompiler = `
echo made > "$1.made"; echo other > other.o; mkdir -p sub/made.made; echo made > sub/deep.made; echo made > sub/made.made/x
ln -s "$1.made" link.made; ln -s sub folder.made
echo changed > a.x; rm sub/data.txt; echo changed > data.made
`

// TestKeep checks that a program consists of the files that the language keeps and the sources as
// they were submitted.
func TestKeep(t *testing.T) {
	t.Parallel()
	host := newHost(t)
	files := map[string]string{"a.x": "source", "sub/data.txt": "data", "data.made": "handed in"}
	for _, tt := range []struct {
		why  string
		keep []string
		want map[string]string // the stored files with their texts
	}{
		{"an empty list: only the sources are kept", []string{}, files},
		{"a name with {exe}", []string{"{exe}.made"}, map[string]string{"a.x": "source", "sub/data.txt": "data", "data.made": "handed in", ".program.made": "made\n"}},
		{"a pattern matches in every folder, but only files and symbolic links to files", []string{"*.made"}, map[string]string{
			"a.x": "source", "sub/data.txt": "data", "data.made": "changed\n", ".program.made": "made\n", "sub/deep.made": "made\n", "link.made": "made\n",
		}},
		{"several patterns", []string{"*.no", "other.?"}, map[string]string{"a.x": "source", "sub/data.txt": "data", "data.made": "handed in", "other.o": "other\n"}},
		{"nil: the files of the compiler are all kept, unchanged", nil, map[string]string{
			"a.x": "changed\n", "data.made": "changed\n", ".program.made": "made\n", "other.o": "other\n", "sub/deep.made": "made\n",
			"sub/made.made/x": "made\n", "link.made": "made\n",
		}},
	} {
		l := scripted(busyCompiler)
		l.Run, l.Keep = []string{"sh", "{dir}/a.x"}, tt.keep
		b := newBuilder(t, Options{Languages: map[string]Language{"x": l}, Runner: runnerOn(host)})
		p := mustBuild(t, b, mustOpen(t, b, "", files))
		got := map[string]string{}
		err := filepath.WalkDir(p.entry.Path("."), func(file string, d os.DirEntry, err error) error {
			rel, _ := filepath.Rel(p.entry.Path("."), file)
			switch {
			case err != nil || d.IsDir():
			case d.Type().IsRegular():
				text, _ := os.ReadFile(file)
				got[rel] = string(text)
			case d.Type() == os.ModeSymlink:
				to, _ := os.Readlink(file)
				got[rel] = "-> " + to
			}
			return err
		})
		if d := cmp.Diff(tt.want, got); d != "" || err != nil {
			t.Errorf("%s: %v (-want +got):\n%s", tt.why, err, d)
		}
	}
}

// TestKeepsLittle builds a program in every language with a run command that this machine has. Only
// the unchanged sources and the files that the language keeps may be stored.
func TestKeepsLittle(t *testing.T) {
	t.Parallel()
	tier.T2(t, "what builds leave")
	b := newBuilder(t, Options{})
	for _, name := range slices.Sorted(maps.Keys(b.Languages())) {
		l := b.Languages()[name]
		if len(l.Run) == 0 {
			continue
		}
		t.Run(name, func(t *testing.T) {
			quick(t, name)
			t.Parallel()
			needsLanguage(t, b, name)
			text, err := Hello(name)
			if err != nil {
				t.Fatal(err)
			}
			s, err := Read("hello", "", strings.NewReader(string(text)), name, b.Languages())
			if err != nil {
				t.Fatal(err)
			}
			p := mustBuild(t, b, s)
			made := 0
			for file := range digests(t, p.entry.Path(".")) {
				kept, err := os.ReadFile(p.entry.Path(file))
				switch source, handedIn := s.files[file]; {
				case err != nil:
					t.Error(err)
				case handedIn && string(kept) != string(source):
					t.Errorf("%s is not as it was submitted", file)
				case !handedIn && !l.keeps(file) && !(s.classes() && file == classFile):
					t.Errorf("%s is kept, which matches none of %q", file, l.Keep)
				case !handedIn:
					made++
				}
			}
			if l.Keep == nil || (made > 0) != (len(l.Keep) > 0) {
				t.Errorf("%d files of the build were kept by %q", made, l.Keep)
			}
			if hostOf(b).Mechanisms().Mode == sandbox.Container {
				if info, err := os.Stat(p.entry.Path(s.main)); err == nil && info.Mode().Perm() != 0o644 {
					t.Errorf("%s has the mode %v", s.main, info.Mode())
				}
			}
		})
	}
}

// TestLongPaths checks that sources whose paths are too long in the judge's folder are a compile
// error.
func TestLongPaths(t *testing.T) {
	t.Parallel()
	b := newBuilder(t, Options{Languages: map[string]Language{"x": {Match: []string{".x"}, Run: []string{"sh", "{dir}/main.x"}}}})
	s := &Source{Language: "x", main: "main.x", files: map[string][]byte{
		"main.x": []byte("echo"), strings.Repeat("0123456789/", 400) + "a.x": []byte("x"),
	}}
	_, err := b.Build(t.Context(), s)
	if compile := (*CompileError)(nil); !errors.As(err, &compile) || !strings.Contains(compile.Output, "too long") || strings.Contains(compile.Output, b.options.Cache.Dir()) {
		t.Errorf("got %v, want a compile error", err)
	}
}
