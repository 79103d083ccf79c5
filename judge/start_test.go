package main

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestStart checks that the packages of the judge prepare next to nothing before main, because every command waits for
// that. What only some commands need is made at its first use, by sync.OnceValue.
func TestStart(t *testing.T) {
	t.Parallel()
	cmd := exec.Command("judge", "--version")
	cmd.Env = append(os.Environ(), "GODEBUG=inittrace=1")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	found := regexp.MustCompile(`(?m)^init tribunal/judge/(\S+) @.* (\d+) allocs$`).FindAllStringSubmatch(string(out), -1)
	if len(found) == 0 {
		t.Fatalf("no package is listed:\n%s", out)
	}
	for _, m := range found {
		const most = 200                                                                        // to compile a regular expression takes 20 to 150
		if allocs, _ := strconv.Atoi(m[2]); allocs > most && !strings.HasSuffix(m[1], "test") { // which only tests import
			t.Errorf("%s allocates %d times before main, want at most %d", m[1], allocs, most)
		}
	}
}

// TestNothingCompiledBeforeMain checks the sources for what is too little for TestStart to see.
func TestNothingCompiledBeforeMain(t *testing.T) {
	t.Parallel()
	early := regexp.MustCompile(`(?m)^(?:var |\t)\w[\w, ]* = (?:regexp|template)\.Must\w*`)
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || strings.HasSuffix(d.Name(), "test")): // what only tests import
			return filepath.SkipDir
		case filepath.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		text, err := os.ReadFile(name)
		for _, line := range early.FindAllString(string(text), -1) {
			t.Errorf("%s: %q: compile it at its first use, by sync.OnceValue", name, line)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
