package watchmode

import (
	"os"
	"path/filepath"
	"strings"
	"time"
)

// gitStates lists the files that git keeps in its folder during an operation. During one, files
// must not change: git might stop, or commit them where they do not belong.
var gitStates = []struct{ name, operation string }{
	{"rebase-merge", "a rebase"},
	{"rebase-apply", "a rebase, or of git am"},
	{"MERGE_HEAD", "a merge"},
	{"CHERRY_PICK_HEAD", "a cherry-pick"},
	{"REVERT_HEAD", "a revert"},
	{"sequencer", "a cherry-pick or revert of several commits"},
	{"BISECT_LOG", "a bisection"},
	{"index.lock", "a command"},
}

// gitInterval is the interval at which a session that waits for git checks git's state.
const gitInterval = 250 * time.Millisecond

// gitAtWork describes the unfinished git operation in the working tree that contains dir. It
// returns "" if there is no operation, or no working tree.
func gitAtWork(dir string) string {
	folder := gitFolder(dir)
	if folder == "" {
		return ""
	}
	for _, s := range gitStates {
		path := filepath.Join(folder, s.name)
		if _, err := os.Lstat(path); err == nil {
			if at, err := filepath.Abs(dir); err == nil {
				if rel, err := filepath.Rel(at, path); err == nil && filepath.IsLocal(rel) {
					path = rel
				}
			}
			return "git is in the middle of " + s.operation + " (" + path + ")"
		}
	}
	return ""
}

// gitFolder returns the folder in which git keeps the state of the working tree that contains dir,
// or "" if there is no working tree. In linked working trees and submodules, .git is a file that
// names this folder.
func gitFolder(dir string) string {
	at, err := filepath.Abs(dir)
	if err != nil {
		return ""
	}
	if real, err := filepath.EvalSymlinks(at); err == nil {
		at = real
	}
	for {
		path := filepath.Join(at, ".git")
		if info, err := os.Stat(path); err == nil {
			if info.IsDir() {
				return path
			}
			text, err := os.ReadFile(path)
			to, named := strings.CutPrefix(strings.TrimSpace(string(text)), "gitdir: ")
			switch {
			case err != nil || !named:
				return ""
			case filepath.IsAbs(to):
				return to
			}
			return filepath.Join(at, to)
		}
		above := filepath.Dir(at)
		if above == at {
			return ""
		}
		at = above
	}
}
