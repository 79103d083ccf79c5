package watchmode

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestGitAtWork(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why   string
		files map[string]string // an entry that ends in / is a folder
		says  string
	}{
		{"no working tree", nil, ""},
		{"no operation", map[string]string{".git/HEAD": "ref: refs/heads/main\n"}, ""},
		{"git rebase", map[string]string{".git/rebase-merge/": ""}, "a rebase (.git/rebase-merge)"},
		{"git am", map[string]string{".git/rebase-apply/": ""}, "git am (.git/rebase-apply)"},
		{"a merge with conflicts", map[string]string{".git/MERGE_HEAD": ""}, "a merge (.git/MERGE_HEAD)"},
		{"git cherry-pick", map[string]string{".git/CHERRY_PICK_HEAD": ""}, "a cherry-pick ("},
		{"git cherry-pick of several commits, between two of them", map[string]string{".git/sequencer/": ""}, "several commits ("},
		{"git revert", map[string]string{".git/REVERT_HEAD": ""}, "a revert ("},
		{"git bisect", map[string]string{".git/BISECT_LOG": ""}, "a bisection ("},
		{"any command that writes the index", map[string]string{".git/index.lock": ""}, "a command (.git/index.lock)"},
		{"a linked working tree", map[string]string{".git": "gitdir: ../main/.git/worktrees/x\n", "../main/.git/worktrees/x/rebase-merge/": ""}, "a rebase ("},
		{"a rebase in another working tree", map[string]string{".git": "gitdir: ../main/.git/worktrees/x\n", "../main/.git/rebase-merge/": "", "../main/.git/worktrees/x/HEAD": ""}, ""},
		{"a repository in a folder of the working tree", map[string]string{"../.git/MERGE_HEAD": ""}, "a merge ("},
		{"a file .git that git did not write", map[string]string{".git": "hello\n"}, ""},
	} {
		root := filepath.Join(t.TempDir(), "top", "tree")
		if err := os.MkdirAll(root, 0o755); err != nil {
			t.Fatal(err)
		}
		for name, text := range tt.files {
			path := filepath.Join(root, name)
			dir := filepath.Dir(path)
			if strings.HasSuffix(name, "/") {
				dir = path
			}
			if err := os.MkdirAll(dir, 0o755); err != nil {
				t.Fatal(err)
			}
			if dir != path {
				if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		}
		got := gitAtWork(root)
		if (got == "") != (tt.says == "") || !strings.Contains(got, tt.says) {
			t.Errorf("%s: got %q, want %q", tt.why, got, tt.says)
		}
	}
}

// TestHeldForGit changes the reference in the middle of a rebase. It checks that no file is written
// before the rebase is over, and that the watch then writes the outputs of the reference as it is
// by then.
func TestHeldForGit(t *testing.T) {
	t.Parallel()
	w := startSettled(t, map[string]string{".git/HEAD": ""}, nil)
	w.write(".git/rebase-merge/head-name", "")
	before := w.read("cases/p/lock.yaml")
	w.save("reference/p/main.sh", "tr a-z A-Z | sed s/ABC/abc/\n")
	check(t, w.settled(), `
		round save main.sh
		expectations checking edge/one
		reference AC
		expectations held edge/one
		settled ok`)
	if w.read("cases/p/edge.yaml") != edgeFile || w.read("cases/p/lock.yaml") != before {
		t.Error("written in the middle of a rebase")
	}
	// The rebase changes the reference again; its batch has not come yet.
	w.write("reference/p/main.sh", "tr a-z A-Z | sed s/DEF/def/\n")
	if err := os.RemoveAll(w.path(".git/rebase-merge")); err != nil {
		t.Fatal(err)
	}
	check(t, w.settled(), `
		round git
		expectations checking edge/two
		expectations written edge/two
		settled ok`)
	if got := w.read("cases/p/edge.yaml"); !strings.Contains(got, "ABC") || !strings.Contains(got, "def") {
		t.Errorf("written:\n%s", got)
	}

	// The command Write does not wait for git.
	w.write(".git/MERGE_HEAD", "")
	w.save("reference/p/main.sh", capitals)
	if got := w.settled(); !strings.Contains(got, "expectations held edge/two") {
		t.Errorf("got\n%s", got)
	}
	w.commands <- Write
	w.next("writing", func(e Event) bool {
		x, ok := e.(*Expectations)
		return ok && x.State == Written
	})
	if w.read("cases/p/edge.yaml") != edgeFile {
		t.Error("not written")
	}
}
