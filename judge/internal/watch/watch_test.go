package watch

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/fsnotify/fsnotify"
)

// modes are the ways in which changes are noticed.
var modes = []struct {
	name string
	poll time.Duration
}{
	{"events", 0},
	{"polled", 5 * time.Millisecond},
}

// desk is a folder that is changed while it is watched.
type desk struct {
	t       *testing.T
	dir     string
	w       *Watcher
	looks   int          // after which nothing that was done before the mark is unknown
	mark    atomic.Int64 // the last one
	noticed chan int64   // a mark that was looked at
}

func newDesk(t *testing.T) *desk {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return &desk{t: t, dir: dir, noticed: make(chan int64, 16)}
}

// watch watches roots of the desk, and a folder for the marks that changes makes.
func (d *desk) watch(o Options, roots ...string) {
	d.t.Helper()
	d.do("mkdir marks")
	d.looks = 1
	if o.Poll > 0 {
		d.looks = 3 // the first may have been before it at other files, the second has yet to tell
	}
	o.Ignore = func(path string) bool {
		if mark := d.mark.Load(); path == d.markPath(mark) {
			select {
			case d.noticed <- mark:
			default:
			}
		}
		return false
	}
	w, err := New(d.paths(append(roots, "marks")...), o)
	if err != nil {
		d.t.Fatal(err)
	}
	d.t.Cleanup(func() { w.Close() })
	d.w = w
}

func (d *desk) paths(names ...string) []string {
	var paths []string
	for _, n := range names {
		paths = append(paths, filepath.Join(d.dir, n))
	}
	return paths
}

// do runs a script in the folder.
func (d *desk) do(script string) {
	d.t.Helper()
	cmd := exec.Command("sh", "-e", "-c", script)
	cmd.Dir = d.dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null", "VIMINIT=set nocompatible")
	if out, err := cmd.CombinedOutput(); err != nil {
		d.t.Fatalf("%s: %v\n%s", script, err, out)
	}
}

func (d *desk) markPath(n int64) string { return filepath.Join(d.dir, "marks", fmt.Sprint(n)) }

// changes returns the paths of all batches until every change made so far has been reported. It
// writes a mark, which the watcher sees last, and only then begins to read.
func (d *desk) changes() []string {
	d.t.Helper()
	number := d.mark.Add(1)
	mark := d.markPath(number)
	d.do("echo >" + mark)
	for looks := 0; looks < d.looks; {
		select {
		case n := <-d.noticed:
			if n == number {
				looks++
			}
		case <-time.After(time.Minute):
			d.t.Fatal("not noticed within a minute")
		}
	}
	seen := map[string]bool{}
	var settled <-chan struct{}
	for {
		select {
		case b := <-d.w.Batches():
			for _, p := range b.Paths {
				seen[p] = true
			}
			settled = nil
			if seen[mark] {
				settled = b.Settled
			}
		case <-settled:
			delete(seen, mark)
			var names []string
			for p := range seen {
				name, err := filepath.Rel(d.dir, p)
				if err != nil {
					d.t.Fatal(err)
				}
				names = append(names, name)
			}
			return slices.Sorted(slices.Values(names))
		case <-time.After(time.Minute):
			d.t.Fatalf("after a minute: %q", slices.Sorted(maps.Keys(seen)))
		}
	}
}

var scenes = []struct {
	name, why string
	roots     string // "." when empty
	before    string
	script    string
	want      string // in brackets what may have been missed, as it came again
}{
	{
		"new folders", "files are made before the folder of the event is watched",
		"", "", "mkdir -p a/b/c; echo >a/b/c/f; mkdir d; echo >d/f", "a/b/c/f d/f",
	}, {
		"empty folders", "a folder is nothing but its files",
		"", "mkdir b", "mkdir -p a/b; rmdir b", "",
	}, {
		"renamed folder", "its files are gone from here and new there",
		"", "mkdir -p a/b; echo >a/f; echo >a/b/g", "mv a c; echo new >c/b/g", "a/b/g a/f c/b/g c/f",
	}, {
		"folder moved into a new one", "when that is looked at, the kernel still knows the folder by its old name",
		"", "mkdir -p a/b; echo >a/f; echo >a/b/g", "mkdir n; mv a n; rmdir n/a/x 2>&- || :; echo new >n/a/b/h", "a/b/g a/f n/a/b/g n/a/b/h n/a/f",
	}, {
		"folder swapped", "names stay, files change places",
		"", "mkdir a b; echo >a/f; echo >b/g", "mv a t; mv b a; mv t b", "a/f a/g b/f b/g",
	}, {
		"folder away and back", "what was done to it meanwhile nobody saw",
		"in", "mkdir -p in/a out; echo >in/a/f", "mv in/a out; echo new >out/a/f; echo new >out/a/g; mv out/a in", "in/a/f in/a/g",
	}, {
		"folder recreated", "the same name, often the same inode",
		"", "mkdir -p a/b; echo >a/b/f", "rm -rf a; mkdir -p a/b; echo >a/b/g", "a/b/f a/b/g",
	}, {
		"folder recreated empty", "with the same inode, where file systems use it again",
		"", "mkdir a", "rmdir a; mkdir a", "",
	}, {
		"file becomes a folder", "and the other way round",
		"", "echo >f; mkdir g; echo >g/h", "rm f; mkdir f; echo >f/h; rm -r g; echo >g", "f f/h g g/h",
	}, {
		"root recreated", "watched as before",
		"r", "mkdir -p r/a; echo >r/a/f; echo >r/g", "rm -rf r; mkdir -p r/a; echo >r/a/f", "(r) r/a/f r/g",
	}, {
		"root renamed", "it is gone with all its files",
		"r", "mkdir -p r/a; echo >r/a/f", "mv r away; echo >away/a/g", "r r/a/f",
	}, {
		"root that is missing", "it appears with the folders above it",
		"x/y/r x/y/f", "", "mkdir -p x/y/r/a; echo >x/y/r/a/f; echo >x/y/f; echo >x/y/g", "x/y/f x/y/r x/y/r/a/f",
	}, {
		"folder above a root renamed", "and another one in its place",
		"x/r", "mkdir -p x/r; echo >x/r/f", "mv x y; mkdir -p x/r; echo >x/r/g", "(x/r) x/r/f x/r/g",
	}, {
		"root is a file", "what lies beside it is not asked for",
		"a/f", "mkdir a; echo >a/f; echo >a/g", "echo new >a/g; echo new >t; mv t a/f; echo >a/h", "a/f",
	}, {
		"file and its folder", "asked for twice, told once",
		". a/f", "mkdir a; echo >a/f", "echo new >a/f", "a/f",
	}, {
		"root is a link", "its paths are those below the link",
		"l", "mkdir -p d/a; ln -s d l; echo >d/a/f", "echo new >d/a/f; mkdir d/b; echo >d/b/g", "l/a/f l/b/g",
	}, {
		"root is a link elsewhere", "to other files",
		"l", "mkdir d e; ln -s d l; echo >d/f; echo >d/g; echo >e/g", "ln -sfn e l; echo >e/h", "l/f l/g l/h",
	}, {
		"link to a link to a file", "each of them can be replaced",
		"a/l", "mkdir a b c; echo >c/f; ln -s ../b/m a/l; ln -s ../c/f b/m", "echo new >c/t; mv c/t c/f", "a/l",
	}, {
		"one link of two", "the second one leads elsewhere now",
		"a/l", "mkdir a b c; echo >c/f; echo >c/g; ln -s ../b/m a/l; ln -s ../c/f b/m", "ln -sfn ../c/g b/m", "a/l",
	}, {
		"two ways to a folder", "the kernel knows one name of it",
		"d l", "mkdir d; ln -s d l; echo >d/f", "echo new >d/f", "d/f l/f",
	}, {
		"link to nothing", "until there is something",
		"l", "ln -s d/f l", "mkdir d; echo >d/f", "l",
	}, {
		"links below a root", "are files; they are not followed",
		"r", "mkdir r d; echo >d/f; ln -s ../d r/l; ln -s ../r r/self", "echo new >d/f; ln -sfn ../x r/self", "r/self",
	}, {
		"version control", "writes a lot for itself",
		"", "mkdir .git; echo >f", "echo >.git/index.lock; mv .git/index.lock .git/index; mkdir -p a/.git; echo >a/.git/x; echo new >f", "f",
	}, {
		"names of all kinds", "none of them is a pattern or a flag",
		"", "mkdir -- '-n' 'a b' '*'", "echo >'-n/?'; echo >'a b/c d'; echo >'*/[x]'; echo >...", "*/[x] -n/? ... a b/c d",
	}, {
		"pipe", "nobody waits for its writer",
		"", "", "mkfifo p; echo >f", "f p",
	}, {
		"mode", "a program may be executable now",
		"", "echo >f; mkdir d; echo >d/g; chmod 600 f", "chmod 700 f; chmod 700 d", "f",
	},
}

// matches reports whether the paths are those wanted, but for those in brackets.
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

func TestScenes(t *testing.T) {
	t.Parallel()
	for _, mode := range modes {
		for _, s := range scenes {
			t.Run(mode.name+"/"+s.name, func(t *testing.T) {
				t.Parallel()
				d := newDesk(t)
				d.do(s.before)
				roots := strings.Fields(s.roots)
				if s.roots == "" {
					d.dir = filepath.Join(d.dir, ".") // the marks are below the root
					roots = []string{"."}
				}
				d.watch(Options{Quiet: 30 * time.Millisecond, Poll: mode.poll}, roots...)
				d.do(s.script)
				got := d.changes()
				if !matches(s.want, got) {
					t.Errorf("%s: got %s, want %s", s.why, strings.Join(got, " "), s.want)
				}
				// Whatever happened, the watch goes on, in every folder.
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
					return gone && mode.poll > 0 // it may be told again
				})
				if !slices.Equal(slices.Compact(again), got) {
					t.Errorf("then %q are made and %q noticed", again, got)
				}
			})
		}
	}
}

// TestTimesCannotTell writes two versions of the same length within one step of file times. An
// event distinguishes them, or their content if there is no event.
func TestTimesCannotTell(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.do("mkdir r; echo one >r/f")
	f := &forest{kernel: &kernel{}, watched: map[string]fileID{}, names: map[fileID]string{}}
	f.kernel.add = func(string) error { return nil }
	if err := f.set(d.paths("r")); err != nil {
		t.Fatal(err)
	}
	f.take()
	path := filepath.Join(d.dir, "r/f")
	for _, op := range []fsnotify.Op{fsnotify.Write, fsnotify.Create, fsnotify.Chmod} {
		f.handle(fsnotify.Event{Name: path, Op: op})
		told := slices.Contains(f.take().changes, change{path, true, true})
		if told != (op != fsnotify.Chmod) {
			t.Errorf("%v of a file that looks the same: told is %v", op, told)
		}
	}

	old, _ := stampOf(path, stamp{}, true)
	d.do("echo two >r/f")
	now, _ := stampOf(path, old, true)
	now.mtime, now.ctime = old.mtime, old.ctime
	if now.same(old) {
		t.Error("another content of the same length is taken for the same")
	}
	if old = old.aged(time.Now().Add(young)); old.sum != 0 {
		t.Error("the content decides although the times can tell")
	}
	if !now.same(old) {
		t.Error("a content that is not known is taken for another one")
	}
}

// TestReaderSawAnotherFolder checks a file that was reported as removed and then exists again for a
// moment, in a folder that the watcher scans only afterwards. The file must be reported again,
// because the reader may have seen it.
func TestReaderSawAnotherFolder(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why, root string
		polled    bool
		after     string // commands that run once the reader has seen another r/d/f
	}{
		{"the folder is new", "r", false, "rm r/d/f"},
		{"the folder is gone", "r", false, "rm -r r/d"},
		{"a file is in its place", "r", false, "rm -r r/d; echo >r/d"},
		{"the root is new", "r/d", false, "rm r/d/f"},
		{"the root is gone", "r/d", false, "rm -r r/d"},
		{"a file is in place of the root", "r/d", false, "rm -r r/d; echo >r/d"},
		{"polled", "r", true, "rm r/d/f"},
		{"polled, a file is in its place", "r", true, "rm -r r/d; echo >r/d"},
		{"polled, the root is new", "r/d", true, "rm r/d/f"},
		{"polled, a file is in place of the root", "r/d", true, "rm -r r/d; echo >r/d"},
	} {
		d := newDesk(t)
		d.do("mkdir -p r/d; echo >r/d/f")
		f := &forest{watched: map[string]fileID{}, names: map[fileID]string{}}
		if !tt.polled {
			nothing := func(string) error { return nil }
			f.kernel = &kernel{add: nothing, remove: nothing}
		}
		if err := f.set(d.paths(tt.root)); err != nil {
			t.Fatal(err)
		}
		f.take()
		look := func(op fsnotify.Op) {
			if tt.polled {
				f.scanAll()
			} else {
				f.handle(fsnotify.Event{Name: d.paths("r/d")[0], Op: op})
			}
		}
		b := &batcher{next: map[string]change{}, gone: map[string]bool{}}

		d.do("rm -r r/d")
		look(fsnotify.Remove)
		b.add(f.take(), time.Now())
		b.received()
		d.do("mkdir r/d; echo >r/d/f; " + tt.after)
		look(fsnotify.Create)
		b.add(f.take(), time.Now())
		if _, told := b.next[d.paths("r/d/f")[0]]; !told {
			t.Errorf("%s: the reader is not told of the file that it saw, only of %v", tt.why, b.next)
		}
	}
}

// TestFolderIsWatchedBeforeItIsRead puts a file into a new folder before the kernel watches the
// folder, so that there is no event.
func TestFolderIsWatchedBeforeItIsRead(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.do("mkdir r")
	d.watchWith(func(k *kernel) {
		add := k.add
		k.add = func(dir string) error {
			if filepath.Base(dir) == "new" {
				d.do("echo >r/new/early")
			}
			return add(dir)
		}
	}, "r")
	d.do("mkdir r/new")
	d.until("r/new/early", false)
}

func TestDroppings(t *testing.T) {
	t.Parallel()
	for names, want := range map[string]bool{
		".git .hg .jj .svn 4913 main.go~ main.go.~1~ .#main.go #main.go# .main.go.swp .main.go.swx .main.go.un~": true,
		"main.go___jb_tmp___ main.go___jb_old___ .goutputstream-X1Y2Z3 .nfs0001 .regen .regen-game":              true,
		"main.go .gitignore 49130 swp main.swp .swap #1 kept regen lock.yaml .hidden ...":                        false,
	} {
		for name := range strings.FieldsSeq(names) {
			if temporary(name) != want {
				t.Errorf("%s: ignored is %v", name, !want)
			}
		}
	}
}

// TestRootCameAndWentBetweenLooks checks a root that exists only between two polls. The reader may
// have seen it if it was told of it before.
func TestRootCameAndWentBetweenLooks(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.do("touch -d yesterday .") // times of today may not tell
	f := &forest{}
	if err := f.set(d.paths("f")); err != nil {
		t.Fatal(err)
	}
	for _, want := range []int{0, 1} {
		if want > 0 {
			d.do("echo >f; rm f")
		}
		f.scanAll()
		if got := len(f.take().changes); got != want {
			t.Errorf("%d changes, want %d", got, want)
		}
	}
}
