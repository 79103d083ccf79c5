package cases

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"tribunal/judge/internal/flock"
	"tribunal/judge/internal/yamlstrict"
)

// generation returns the files of a problem p after a regeneration: outputs that name the
// generation, and the lock with their hashes.
func generation(name string) map[string]string {
	lock := &Lock{Reference: Hash([]byte(name)), Cases: map[string]LockCase{}}
	files := map[string]string{}
	for _, group := range []string{"sample", "dawn", "edge"} {
		output := group + " of " + name + "\n"
		files["cases/p/"+group+".yaml"] = lines("cases:", "  - name: a", "    input: |", "      1", "    output: |", "      "+strings.TrimSpace(output), "...")
		lock.Cases[group+"/a"] = LockCase{Input: Hash([]byte("1\n")), Output: Hash([]byte(output))}
	}
	files["cases/p/lock.yaml"] = string(lock.Marshal())
	return files
}

// edits returns the edits that turn one generation into another, the lock last.
func edits(root string, from, to map[string]string) []Edit {
	var list []Edit
	for _, name := range []string{"sample", "dawn", "edge", "lock"} {
		file := "cases/p/" + name + ".yaml"
		e := Edit{Path: filepath.Join(root, file), Text: []byte(to[file])}
		if text, ok := from[file]; ok {
			e.Old = []byte(text)
		}
		list = append(list, e)
	}
	return list
}

// files returns the texts in a folder of cases.
func files(t testing.TB, root string) map[string]string {
	t.Helper()
	found := map[string]string{}
	dir := filepath.Join(root, "cases/p")
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() && path == dir {
			return err
		}
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		if d.IsDir() {
			found[rel] = "a folder"
			return nil
		}
		text, err := os.ReadFile(path)
		found[rel] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// wantWhole loads a problem after a kill, and requires one of two generations, both in memory and
// in the files.
func wantWhole(t testing.TB, why, root string, either ...map[string]string) {
	t.Helper()
	_, err := Load(root, "p")
	if err != nil {
		t.Errorf("%s: %v", why, err)
	}
	got := files(t, root)
	if !slices.ContainsFunc(either, func(g map[string]string) bool { return fmt.Sprint(g) == fmt.Sprint(got) }) {
		t.Errorf("%s: a mixture: %v", why, got)
	}
}

// TestReplaceStopped checks the files after every single step of a Replace, as a kill there would
// leave them.
func TestReplaceStopped(t *testing.T) {
	t.Parallel()
	old, next := generation("old"), generation("new")
	lockless := generation("old")
	delete(lockless, "cases/p/lock.yaml")
	for _, tt := range []struct {
		why  string
		from map[string]string
	}{{"all of them", old}, {"a lock that is new", lockless}} {
		root := repository(t, tt.from)
		var left []map[string]string
		j := journal{dir: filepath.Join(root, "cases/p"), step: func() { left = append(left, files(t, root)) }}
		if err := j.replace(edits(root, tt.from, next)); err != nil {
			t.Fatal(err)
		}
		if len(left) != 13 { // the stage, 4 texts, the list, the commit, 4 places, and 2 to clear up
			t.Errorf("%s: %d steps", tt.why, len(left))
		}
		began := false
		for i, state := range left {
			folders := map[string]string{}
			for name, text := range state {
				if text != "a folder" {
					folders[name] = text
				}
			}
			stopped := repository(t, folders)
			committed := state["cases/p/"+journalFolder] != "" || began
			began = committed
			want := tt.from
			if committed {
				want = next
			}
			wantWhole(t, fmt.Sprintf("%s, killed after step %d", tt.why, i+1), stopped, want)
		}
		wantWhole(t, tt.why, root, next)
		if !began {
			t.Error("no step was the commit")
		}
	}
}

// TestReplaceKilled kills a process that replaces files all the time, at random points, and
// requires a whole generation.
func TestReplaceKilled(t *testing.T) {
	t.Parallel()
	a, b := generation("even"), generation("odd")
	if root := os.Getenv("TRIBUNAL_REPLACE"); root != "" {
		replaceForever(root, a, b)
	}
	root := repository(t, a)
	rounds, mixed := 200, 0
	if testing.Short() {
		rounds = 20
	}
	for i := range rounds {
		cmd := exec.Command(os.Args[0], "-test.run=^TestReplaceKilled$")
		cmd.Env = append(os.Environ(), "TRIBUNAL_REPLACE="+root)
		steps, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		// After some step, and then wherever it is when the signal arrives.
		r := bufio.NewReader(steps)
		for range 1 + rand.IntN(40) {
			if _, err := r.ReadByte(); err != nil {
				t.Fatalf("the process ended by itself: %v", err)
			}
		}
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait()
		left := files(t, root)
		if fmt.Sprint(left) != fmt.Sprint(a) && fmt.Sprint(left) != fmt.Sprint(b) {
			mixed++
		}
		wantWhole(t, fmt.Sprintf("kill %d", i+1), root, a, b)
		if t.Failed() {
			return
		}
	}
	if mixed < rounds/4 {
		t.Errorf("of %d kills only %d left anything to mend: the test does not hit", rounds, mixed)
	}
}

// replaceForever makes one generation of the other and back, and writes a byte for every step,
// until it is killed.
func replaceForever(root string, a, b map[string]string) {
	for {
		if _, err := Load(root, "p"); err != nil {
			panic(err)
		}
		from, to := a, b
		if text, err := os.ReadFile(filepath.Join(root, "cases/p/lock.yaml")); err != nil {
			panic(err)
		} else if string(text) == b["cases/p/lock.yaml"] {
			from, to = b, a
		}
		j := journal{dir: filepath.Join(root, "cases/p"), step: func() { os.Stdout.Write([]byte{'.'}) }}
		if err := j.replace(edits(root, from, to)); err != nil {
			panic(err)
		}
	}
}

// TestEditedAfterKill edits a file between a kill and the next read. The edit must stay, and be
// reported once.
func TestEditedAfterKill(t *testing.T) {
	t.Parallel()
	old, next := generation("old"), generation("new")
	root := repository(t, old)
	dir := filepath.Join(root, "cases/p")
	if err := (&journal{dir: dir}).stage(edits(root, old, next)); err != nil {
		t.Fatal(err)
	}
	work := "# mine\n" + old["cases/p/dawn.yaml"]
	if err := os.WriteFile(filepath.Join(dir, "dawn.yaml"), []byte(work), 0o644); err != nil {
		t.Fatal(err)
	}
	want := filepath.Join(dir, "dawn.yaml") + ": edited after a regeneration was interrupted: it stays as it is, the other files are written (hint: look at it, and run judge regen p)"
	if _, err := Load(root, "p"); err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	next["cases/p/dawn.yaml"] = work
	if got := files(t, root); fmt.Sprint(got) != fmt.Sprint(next) {
		t.Errorf("left %v", got)
	}
	// From then on it is a file that does not match the lock, like any other.
	if _, err := Load(root, "p"); err == nil || !strings.Contains(err.Error(), "dawn.yaml:6: case a: output does not match lock.yaml") {
		t.Errorf("the second time: %v", err)
	}
}

// TestFolderStaysLocked keeps the folder locked in another process, as any account that may read it
// can. Readers must still read it, because no process writes to it.
func TestFolderStaysLocked(t *testing.T) {
	t.Parallel()
	old, next := generation("old"), generation("new")
	root := repository(t, old)
	dir := filepath.Join(root, "cases/p")
	lock, err := flock.Folder(dir, syscall.LOCK_EX)
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Close()
	reads := 0
	text, err := quietly(dir, 0, func() (string, error) {
		text, err := os.ReadFile(filepath.Join(dir, "dawn.yaml"))
		if reads++; reads == 1 { // a writer comes while this reader has read one half
			err = os.WriteFile(filepath.Join(dir, "dawn.yaml"), []byte(next["cases/p/dawn.yaml"]), 0o644)
		}
		return string(text), err
	})
	if err != nil || reads != 2 || text != next["cases/p/dawn.yaml"] {
		t.Errorf("read %d times, at last %q, %v", reads, text, err)
	}
	if alone, err := hold(dir, 0); err != nil || !alone() {
		t.Errorf("nobody writes: %v", err)
	}
	if err := (&journal{dir: dir}).stage(edits(root, next, old)); err != nil {
		t.Fatal(err)
	}
	want := dir + ": another process keeps it locked (hint: end that process, which fuser " + dir + " names, or wait for it)"
	if _, err := hold(dir, 0); err == nil || err.Error() != want {
		t.Errorf("one was killed while it wrote: %v, want %s", err, want)
	}
	if _, err := lockWithin(dir, syscall.LOCK_EX, 0); err == nil || lockError(dir, err).Error() != want {
		t.Errorf("a writer: %v, want %s", err, want)
	}
}

// TestFolderIsLocked checks that a folder is not read while it is written, nor written while it is
// read. Several processes may read it.
func TestFolderIsLocked(t *testing.T) {
	t.Parallel()
	old, next := generation("old"), generation("new")
	root := repository(t, old)
	dir := filepath.Join(root, "cases/p")
	free := func(how int) bool {
		lock, err := flock.Folder(dir, how|syscall.LOCK_NB)
		if err == nil {
			lock.Close()
		} else if !errors.Is(err, syscall.EWOULDBLOCK) {
			t.Error(err)
		}
		return err == nil
	}
	release, err := hold(dir, 0)
	if err != nil {
		t.Fatal(err)
	}
	if free(syscall.LOCK_EX) || !free(syscall.LOCK_SH) {
		t.Error("a folder that is read may be written, or not be read by another")
	}
	release()
	j := journal{dir: dir, step: func() {
		if free(syscall.LOCK_SH) {
			t.Error("a folder that is written may be read")
		}
	}}
	if err := j.replace(edits(root, old, next)); err != nil {
		t.Fatal(err)
	}
	if !free(syscall.LOCK_EX) {
		t.Error("a folder stays locked")
	}
}

func TestReplaceRefuses(t *testing.T) {
	t.Parallel()
	old, next := generation("old"), generation("new")
	for _, tt := range []struct {
		why   string
		setup func(dir string) error
		says  string // after the folder
		after bool   // the files are as they should be
	}{
		{"a file that somebody edited", func(dir string) error { return os.WriteFile(filepath.Join(dir, "edge.yaml"), nil, 0o644) },
			"/edge.yaml: changed while the outputs were computed (hint: run it again)", false},
		{"a file that somebody removed", func(dir string) error { return os.Remove(filepath.Join(dir, "edge.yaml")) },
			"/edge.yaml: changed while the outputs were computed (hint: run it again)", false},
		{"a journal that is none", func(dir string) error {
			return errors.Join(os.Mkdir(filepath.Join(dir, journalFolder), 0o755), os.WriteFile(filepath.Join(dir, journalFolder, journalList), []byte("a b\n"), 0o644))
		}, `/.regen/list: damaged: "a b" (hint: remove the folder, and run judge regen p)`, false},
		{"a journal that leads elsewhere", func(dir string) error {
			return errors.Join(os.Mkdir(filepath.Join(dir, journalFolder), 0o755), os.WriteFile(filepath.Join(dir, journalFolder, journalList), []byte("a b ../x\n"), 0o644))
		}, `/.regen/list: damaged: "a b ../x" (hint: remove the folder, and run judge regen p)`, false},
		{"an empty journal is nobody's", func(dir string) error { return os.Mkdir(filepath.Join(dir, journalFolder), 0o755) }, "", true},
		{"what an earlier kill has left", func(dir string) error { return os.MkdirAll(filepath.Join(dir, stagePrefix+"-done", "x"), 0o755) }, "", true},
	} {
		root := repository(t, old)
		dir := filepath.Join(root, "cases/p")
		if err := tt.setup(dir); err != nil {
			t.Fatal(err)
		}
		before := files(t, root)
		err := Replace(root, "p", edits(root, old, next))
		if tt.says == "" {
			if err != nil {
				t.Errorf("%s: %v", tt.why, err)
			}
			wantWhole(t, tt.why, root, next)
			continue
		}
		_, located := errors.AsType[*yamlstrict.Error](err)
		if !located || err.Error() != dir+tt.says {
			t.Errorf("%s: got %v, want %s", tt.why, err, dir+tt.says)
		}
		if got := files(t, root); fmt.Sprint(got) != fmt.Sprint(before) {
			t.Errorf("%s: left %v", tt.why, got)
		}
	}
}

// TestReplaceKeepsModes checks that files keep their permissions.
func TestReplaceKeepsModes(t *testing.T) {
	t.Parallel()
	old, next := generation("old"), generation("new")
	root := repository(t, old)
	file := filepath.Join(root, "cases/p/edge.yaml")
	if err := os.Chmod(file, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := Replace(root, "p", edits(root, old, next)); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
}

// TestReplaceMeets checks a Replace of files that have changed in the meantime.
func TestReplaceMeets(t *testing.T) {
	t.Parallel()
	old, next := generation("old"), generation("new")
	const dawn = "cases/p/dawn.yaml"
	for _, tt := range []struct {
		why  string
		then func(path string) error // path is that of a file whose edit changes it
		ends string                  // the wanted error; "" means that all edits are made
	}{
		{"nobody else", func(string) error { return nil }, ""},
		{"another wrote the same", func(path string) error { return os.WriteFile(path, []byte(next[dawn]), 0o644) }, ""},
		{"somebody edited it", func(path string) error { return os.WriteFile(path, []byte("cases: []\n"), 0o644) }, "changed while the outputs were computed"},
		{"a link by now", func(path string) error {
			return errors.Join(os.Rename(path, path+".target"), os.Symlink("dawn.yaml.target", path))
		}, "a symbolic link, and outputs are not written through links"},
	} {
		root := repository(t, old)
		path := filepath.Join(root, dawn)
		if err := tt.then(path); err != nil {
			t.Fatal(err)
		}
		before := files(t, root)
		err := Replace(root, "p", edits(root, old, next))
		switch {
		case tt.ends == "" && err != nil, tt.ends != "" && (err == nil || !strings.Contains(err.Error(), tt.ends)):
			t.Errorf("%s: %v", tt.why, err)
		case tt.ends == "":
			wantWhole(t, tt.why, root, next)
		case fmt.Sprint(before) != fmt.Sprint(files(t, root)):
			t.Errorf("%s: something was written", tt.why)
		}
		if info, err := os.Lstat(path); err != nil || (info.Mode()&fs.ModeSymlink != 0) != strings.Contains(tt.why, "link") {
			t.Errorf("%s: the file is %v (%v)", tt.why, info.Mode(), err)
		}
	}
}

// TestReplaceEdited edits a file at each step of a Replace. The edit must stay, and the error must
// not mention an interruption.
func TestReplaceEdited(t *testing.T) {
	t.Parallel()
	old, next := generation("old"), generation("new")
	root := repository(t, old)
	path := filepath.Join(root, "cases/p/edge.yaml")
	j := journal{dir: filepath.Join(root, "cases/p")}
	j.step = func() {
		if _, err := os.Stat(j.path(journalFolder)); err == nil {
			j.step = nil
			if err := os.WriteFile(path, []byte("cases: []\n"), 0o644); err != nil {
				t.Error(err)
			}
		}
	}
	err := j.replace(edits(root, old, next))
	if e, ok := errors.AsType[*yamlstrict.Error](err); !ok || e.File != path || !strings.HasPrefix(e.Msg, "edited while the outputs were written: it stays as it is") {
		t.Errorf("got %v", err)
	}
	want := generation("new")
	want["cases/p/edge.yaml"] = "cases: []\n"
	if got := files(t, root); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got %v", got)
	}
}

// TestReplaceKeepsOwner checks that files of another user keep their owner if root writes them.
func TestReplaceKeepsOwner(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("not checked: the owner of files that root writes (not root)")
	}
	old, next := generation("old"), generation("new")
	delete(old, "cases/p/lock.yaml")
	root := repository(t, old)
	const uid, gid = 54321, 54322
	err := filepath.WalkDir(filepath.Join(root, "cases/p"), func(path string, _ fs.DirEntry, err error) error {
		return errors.Join(err, os.Chown(path, uid, gid))
	})
	if err := errors.Join(err, Replace(root, "p", edits(root, old, next))); err != nil {
		t.Fatal(err)
	}
	for name := range files(t, root) {
		info, err := os.Stat(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		if s := info.Sys().(*syscall.Stat_t); s.Uid != uid || s.Gid != gid {
			t.Errorf("%s belongs to %d:%d", name, s.Uid, s.Gid)
		}
	}
}
