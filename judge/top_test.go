package main

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// top are the files and folders at the top of the repository: what the design names, and the usual files of projects.
var top = []string{
	".ci", ".gitattributes", ".gitignore", ".goreleaser.yaml", "CHANGELOG.md", "CONTRIBUTING.md", "Dockerfile", "LICENSE",
	"README.md", "cases", "docs", "go.mod", "go.sum", "internal", "judge", "problems", "reference", "runner.yaml",
}

// TestTop checks that nothing else is committed there, such as the scratch files of an experiment.
func TestTop(t *testing.T) {
	t.Parallel()
	out, err := exec.Command("git", "-c", "safe.directory=*", "-C", repository, "ls-tree", "--name-only", "HEAD").Output()
	if err != nil {
		t.Skip("not checked: what is at the top of the repository (no git, or no clone)")
	}
	have := strings.Split(strings.TrimSpace(string(out)), "\n")
	slices.Sort(have)
	if !slices.Equal(have, top) {
		t.Errorf("the top of the repository has %q, want %q", have, top)
	}
}
