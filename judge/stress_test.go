package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"tribunal/internal/tier"
	"tribunal/judge/cli"
	"tribunal/judge/internal/cache/cachetest"
	"tribunal/judge/internal/config"
	"tribunal/judge/internal/verdict"
)

var allExamples = flag.Bool("shrink", false, "let TestStressExamples search for the faults of all examples, shrink the inputs, and print what docs/stress.md sums up")

// enough is the largest number of inputs that a search may need. Tests do not bound its time.
const enough = 400

// spread returns at most n of the entries, evenly spread over the list.
func spread(entries []os.DirEntry, n int) []os.DirEntry {
	if len(entries) <= n {
		return entries
	}
	some := make([]os.DirEntry, n)
	for i := range some {
		some[i] = entries[i*len(entries)/n]
	}
	return some
}

// rare matches examples that fail only on large or specially constructed inputs. Test cases fail
// them, but a search that begins with small inputs does not reach such inputs.
var rare = regexp.MustCompile(`^(eleven_in_two_words|forty_in_eight_words|gives_up_after_|hash_only_)`)

// TestStressExamples searches for failing inputs of three examples of each problem: one with a
// wrong answer, one that crashes, and one with wrong white space.
func TestStressExamples(t *testing.T) {
	if !*allExamples {
		tier.T3(t, "that stress finds the faults of examples")
	}
	t.Setenv(config.CacheVariable, cachetest.Dir(t))
	folders, err := filepath.Glob(filepath.Join(repository, "reference", "*", "submissions", "*"))
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, folder := range folders {
		if v, _ := verdict.OfFolder(filepath.Base(folder)); !v.Is(verdict.WrongOutput, verdict.Crashed) {
			continue
		}
		entries, err := os.ReadDir(folder)
		if err != nil {
			t.Fatal(err)
		}
		entries = slices.DeleteFunc(entries, func(e os.DirEntry) bool { return rare.MatchString(e.Name()) })
		if !*allExamples {
			entries = spread(entries, 1)
		}
		for _, e := range entries {
			found++
			stressExample(t, filepath.Join(folder, e.Name()))
		}
	}
	if found == 0 {
		t.Error("no examples")
	}
}

// stressExample searches for an input on which a submission fails. With -shrink it prints a row, which
// docs/stress.md sums up with the others.
func stressExample(t *testing.T, path string) {
	t.Helper()
	parts := strings.Split(filepath.ToSlash(path), "/")
	problem, name := parts[2], parts[len(parts)-1]
	args := []string{"stress", problem, path, "--root", repository, "--seed", "1", "--count", strconv.Itoa(enough), "--json"}
	if !*allExamples {
		args = append(args, "--no-shrink")
	}
	var stdout, stderr bytes.Buffer
	code := execute(t.Context(), args, cli.Stdio{In: bytes.NewReader(nil), Out: &stdout, Err: &stderr})
	var doc struct {
		Inputs  int
		Elapsed time.Duration `json:"elapsed_ns"`
		Found   *struct {
			Number   int
			Original int `json:"original_bytes"`
			Input    string
			A        struct{ Verdict string }
			Shrunk   struct {
				Minimal bool
				Elapsed time.Duration `json:"elapsed_ns"`
			}
		}
	}
	if err := json.Unmarshal(stdout.Bytes(), &doc); err != nil {
		t.Fatalf("%s: status %d, %v\n%s", path, code, err, &stderr)
	}
	f := doc.Found
	if code != cli.ExitNot || f == nil {
		t.Errorf("%s: status %d, nothing found in %d inputs", path, code, doc.Inputs)
		return
	}
	if *allExamples {
		rest := ""
		if !f.Shrunk.Minimal {
			rest = ", time ran out"
		}
		fmt.Printf("| `%s` | `%s` | %s | %d | %.1f s | %d | %d, %d lines | %.1f s%s |\n", problem, name, f.A.Verdict,
			f.Number, doc.Elapsed.Seconds(), f.Original, len(f.Input), strings.Count(f.Input, "\n"), f.Shrunk.Elapsed.Seconds(), rest)
	}
}
