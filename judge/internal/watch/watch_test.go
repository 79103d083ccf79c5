package watch

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// scenes lists changes of files and folders, with the paths that a watcher must report.
var scenes = []struct {
	name, why string
	roots     string // the watched paths; "" means "."
	before    string // script that runs before the watch begins
	script    string // script that makes the changes
	want      string // the paths to report; those in parentheses may be missing
}{
	{
		"new folders", "files are made before the folder of the event is watched",
		"", "", "mkdir -p a/b/c; echo >a/b/c/f; mkdir d; echo >d/f", "a/b/c/f d/f",
	}, {
		"empty folders", "only files are reported",
		"", "mkdir b", "mkdir -p a/b; rmdir b", "",
	}, {
		"renamed folder", "its files are removed under the old name and created under the new one",
		"", "mkdir -p a/b; echo >a/f; echo >a/b/g", "mv a c; echo new >c/b/g", "a/b/g a/f c/b/g c/f",
	}, {
		"folder moved into a new one", "the new folder is scanned while the kernel still watches the moved one by its old name",
		"", "mkdir -p a/b; echo >a/f; echo >a/b/g", "mkdir n; mv a n; rmdir n/a/x 2>&- || :; echo new >n/a/b/h", "a/b/g a/f n/a/b/g n/a/b/h n/a/f",
	}, {
		"folder swapped", "names stay, files change places",
		"", "mkdir a b; echo >a/f; echo >b/g", "mv a t; mv b a; mv t b", "a/f a/g b/f b/g",
	}, {
		"folder away and back", "its files have changed where they were not watched",
		"in", "mkdir -p in/a out; echo >in/a/f", "mv in/a out; echo new >out/a/f; echo new >out/a/g; mv out/a in", "in/a/f in/a/g",
	}, {
		"folder recreated", "the same name, often the same inode",
		"", "mkdir -p a/b; echo >a/b/f", "rm -rf a; mkdir -p a/b; echo >a/b/g", "a/b/f a/b/g",
	}, {
		"folder recreated empty", "often with the same inode",
		"", "mkdir a", "rmdir a; mkdir a", "",
	}, {
		"file becomes a folder", "a folder becomes a file at the same time",
		"", "echo >f; mkdir g; echo >g/h", "rm f; mkdir f; echo >f/h; rm -r g; echo >g", "f f/h g g/h",
	}, {
		"root recreated", "the new folder is watched like the old one",
		"r", "mkdir -p r/a; echo >r/a/f; echo >r/g", "rm -rf r; mkdir -p r/a; echo >r/a/f", "(r) r/a/f r/g",
	}, {
		"root renamed", "the root and all its files are removed",
		"r", "mkdir -p r/a; echo >r/a/f", "mv r away; echo >away/a/g", "r r/a/f",
	}, {
		"root that is missing", "it appears with the folders above it",
		"x/y/r x/y/f", "", "mkdir -p x/y/r/a; echo >x/y/r/a/f; echo >x/y/f; echo >x/y/g", "x/y/f x/y/r x/y/r/a/f",
	}, {
		"folder above a root renamed", "and another one in its place",
		"x/r", "mkdir -p x/r; echo >x/r/f", "mv x y; mkdir -p x/r; echo >x/r/g", "(x/r) x/r/f x/r/g",
	}, {
		"root is a file", "files beside it are not reported",
		"a/f", "mkdir a; echo >a/f; echo >a/g", "echo new >a/g; echo new >t; mv t a/f; echo >a/h", "a/f",
	}, {
		"file and its folder", "a file below two roots is reported once",
		". a/f", "mkdir a; echo >a/f", "echo new >a/f", "a/f",
	}, {
		"root is a link", "paths begin with the link, not with its target",
		"l", "mkdir -p d/a; ln -s d l; echo >d/a/f", "echo new >d/a/f; mkdir d/b; echo >d/b/g", "l/a/f l/b/g",
	}, {
		"root becomes another link", "the files of the old target are removed, those of the new one created",
		"l", "mkdir d e; ln -s d l; echo >d/f; echo >d/g; echo >e/g", "ln -sfn e l; echo >e/h", "l/f l/g l/h",
	}, {
		"link to a link to a file", "the file is replaced",
		"a/l", "mkdir a b c; echo >c/f; ln -s ../b/m a/l; ln -s ../c/f b/m", "echo new >c/t; mv c/t c/f", "a/l",
	}, {
		"second link of a chain", "its target is replaced by another",
		"a/l", "mkdir a b c; echo >c/f; echo >c/g; ln -s ../b/m a/l; ln -s ../c/f b/m", "ln -sfn ../c/g b/m", "a/l",
	}, {
		"two ways to a folder", "the kernel watches it under one path only",
		"d l", "mkdir d; ln -s d l; echo >d/f", "echo new >d/f", "d/f l/f",
	}, {
		"link to nothing", "its target is created",
		"l", "ln -s d/f l", "mkdir d; echo >d/f", "l",
	}, {
		"links below a root", "they are not followed, but count as files",
		"r", "mkdir r d; echo >d/f; ln -s ../d r/l; ln -s ../r r/self", "echo new >d/f; ln -sfn ../x r/self", "r/self",
	}, {
		"version control", "its own folders are ignored",
		"", "mkdir .git; echo >f", "echo >.git/index.lock; mv .git/index.lock .git/index; mkdir -p a/.git; echo >a/.git/x; echo new >f", "f",
	}, {
		"names of all kinds", "names that look like patterns or flags",
		"", "mkdir -- '-n' 'a b' '*'", "echo >'-n/?'; echo >'a b/c d'; echo >'*/[x]'; echo >...", "*/[x] -n/? ... a b/c d",
	}, {
		"pipe", "opening it would block",
		"", "", "mkfifo p; echo >f", "f p",
	}, {
		"mode", "a file may have become executable",
		"", "echo >f; mkdir d; echo >d/g; chmod 600 f", "chmod 700 f; chmod 700 d", "f",
	},
}

// matches reports whether got has the paths of want; those in parentheses may be missing.
func matches(want string, got []string) bool {
	var must []string
	for w := range strings.FieldsSeq(want) {
		if strings.HasPrefix(w, "(") {
			may := strings.Trim(w, "()")
			got = slices.DeleteFunc(slices.Clone(got), func(g string) bool { return g == may })
		} else {
			must = append(must, w)
		}
	}
	return strings.Join(must, " ") == strings.Join(got, " ")
}

// TestScenes makes the changes of each scene and checks the reported paths.
func TestScenes(t *testing.T) {
	t.Parallel()
	for _, mode := range modes {
		for _, s := range scenes {
			t.Run(mode.name+"/"+s.name, func(t *testing.T) {
				t.Parallel()
				d := newTestFolder(t)
				d.do(s.before)
				roots := strings.Fields(s.roots)
				if s.roots == "" {
					d.dir = filepath.Join(d.dir, ".")
					roots = []string{"."} // contains the folder "marks", which watch adds as a root, too
				}
				d.watch(Options{Quiet: 30 * time.Millisecond, Poll: mode.poll}, roots...)
				d.do(s.script)
				got := d.changes()
				if !matches(s.want, got) {
					t.Errorf("%s: got %s, want %s", s.why, strings.Join(got, " "), s.want)
				}
				// Afterwards, a file created in any folder must still be reported.
				var again []string
				for _, root := range roots {
					top, err := filepath.EvalSymlinks(filepath.Join(d.dir, root))
					if err != nil {
						continue
					}
					_ = filepath.WalkDir(top, func(path string, e fs.DirEntry, err error) error {
						if err == nil && e.IsDir() && !temporary(e.Name()) && e.Name() != "marks" {
							path = strings.Replace(path, top, root, 1)
							again = append(again, filepath.Join(path, "again"))
						}
						return nil
					})
				}
				for _, name := range again {
					if err := os.WriteFile(filepath.Join(d.dir, name), nil, 0o644); err != nil {
						t.Fatal(err)
					}
				}
				slices.Sort(again)
				got = slices.DeleteFunc(d.changes(), func(name string) bool {
					info, err := os.Lstat(filepath.Join(d.dir, name))
					gone := err != nil || info.IsDir()
					return gone && mode.poll > 0 // a removed file may be reported again
				})
				if !slices.Equal(slices.Compact(again), got) {
					t.Errorf("then %q were created and %q reported", again, got)
				}
			})
		}
	}
}
