package cases

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

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

func TestReplaceRefuses(t *testing.T) {
	t.Parallel()
	old, next := generation("old"), generation("new")
	for _, tt := range []struct {
		why   string
		setup func(dir string) error
		want  string // the error after the path of the folder; "" if Replace succeeds
	}{
		{"a file that was edited", func(dir string) error { return os.WriteFile(filepath.Join(dir, "edge.yaml"), nil, 0o644) },
			"/edge.yaml: changed while the outputs were computed (hint: run it again)"},
		{"a file that was removed", func(dir string) error { return os.Remove(filepath.Join(dir, "edge.yaml")) },
			"/edge.yaml: changed while the outputs were computed (hint: run it again)"},
		{"a malformed journal", func(dir string) error {
			return errors.Join(os.Mkdir(filepath.Join(dir, journalFolder), 0o755), os.WriteFile(filepath.Join(dir, journalFolder, journalList), []byte("a b\n"), 0o644))
		}, `/.regen/list: damaged: "a b" (hint: remove the folder, and run judge regen p)`},
		{"a journal with a path outside of the folder", func(dir string) error {
			return errors.Join(os.Mkdir(filepath.Join(dir, journalFolder), 0o755), os.WriteFile(filepath.Join(dir, journalFolder, journalList), []byte("a b ../x\n"), 0o644))
		}, `/.regen/list: damaged: "a b ../x" (hint: remove the folder, and run judge regen p)`},
		{"an empty journal", func(dir string) error { return os.Mkdir(filepath.Join(dir, journalFolder), 0o755) }, ""},
		{"a completed journal that was not removed", func(dir string) error { return os.MkdirAll(filepath.Join(dir, stagePrefix+"-done", "x"), 0o755) }, ""},
	} {
		root := repository(t, old)
		dir := filepath.Join(root, "cases/p")
		if err := tt.setup(dir); err != nil {
			t.Fatal(err)
		}
		before := files(t, root)
		err := Replace(root, "p", edits(root, old, next))
		if tt.want == "" {
			if err != nil {
				t.Errorf("%s: %v", tt.why, err)
			}
			wantWhole(t, tt.why, root, next)
			continue
		}
		_, located := errors.AsType[*yamlstrict.Error](err)
		if !located || err.Error() != dir+tt.want {
			t.Errorf("%s: got %v, want %s", tt.why, err, dir+tt.want)
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

// TestReplaceChanged checks a Replace of files that have changed since they were read.
func TestReplaceChanged(t *testing.T) {
	t.Parallel()
	old, next := generation("old"), generation("new")
	const dawn = "cases/p/dawn.yaml"
	for _, tt := range []struct {
		why    string
		change func(path string) error // changes the file at path, which Replace edits
		want   string                  // part of the error; "" if Replace succeeds
	}{
		{"no change", func(string) error { return nil }, ""},
		{"another process wrote the same text", func(path string) error { return os.WriteFile(path, []byte(next[dawn]), 0o644) }, ""},
		{"a file that was edited", func(path string) error { return os.WriteFile(path, []byte("cases: []\n"), 0o644) }, "changed while the outputs were computed"},
		{"a file that became a symbolic link", func(path string) error {
			return errors.Join(os.Rename(path, path+".target"), os.Symlink("dawn.yaml.target", path))
		}, "a symbolic link, and outputs are not written through links"},
	} {
		root := repository(t, old)
		path := filepath.Join(root, dawn)
		if err := tt.change(path); err != nil {
			t.Fatal(err)
		}
		before := files(t, root)
		err := Replace(root, "p", edits(root, old, next))
		switch {
		case tt.want == "" && err != nil, tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)):
			t.Errorf("%s: %v", tt.why, err)
		case tt.want == "":
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
