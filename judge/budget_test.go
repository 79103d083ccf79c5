package main

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"tribunal/judge/cli"
)

// closures are what one must hold to change something, with the packages that each must never reach, and why.
var closures = map[string]map[string]string{
	module + "grade": {
		"packages/pkgformat": packagesElsewhere, "packages/pkgdata": packagesElsewhere, "repo": "a problem is judged wherever it came from",
		"packages/checktestdata": "the interpreter is a program like others", "cli/report": reportsElsewhere, "publish/statement": "no verdict depends on it",
		"lab/verify": laboratory, "lab/stress": laboratory, "lab/mutate": laboratory, "lab/calibrate": laboratory, "lab/grow": laboratory, "lab/eval": laboratory, "lab/likeness": laboratory,
		"class/sheet": "one task is judged, whoever handed it in",
	},
	module + "regen": {
		"packages/pkgformat": packagesElsewhere, "cli/report": reportsElsewhere, "publish/statement": "no output depends on it", "lab/verify": laboratory, "lab/mutate": laboratory,
	},
	module + "watchmode":  {"packages/pkgformat": packagesElsewhere, "cli/report": reportsElsewhere, "publish/statement": "it watches programs", "lab/verify": laboratory},
	beside + "lab/verify": {"packages/pkgformat": packagesElsewhere, "cli/report": reportsElsewhere},
	module + "engine":     {"cli/report": reportsElsewhere, "lab/verify": laboratory, "regen": "front ends do that"},
	"tribunal/judge":      {"judged/service": "the judge stays small, and has no more to audit"},
	"tribunal/judge/judged": {
		"judged/scale": simulated, "judged/gauge": simulated, "cli/report": reportsElsewhere, "judged/store/simstore": simulated,
	},
}

// The commonest reasons.
const (
	packagesElsewhere = "packages become problems before"
	reportsElsewhere  = "the core emits events, and front ends render them"
	laboratory        = "it stands on judging, and not under it"
	simulated         = "who runs a service needs no simulation"
)

// TestBudget checks that nothing has grown unasked: what each closure reaches, and what there is in all, is at most what
// .ci/budget.tsv says. With -v it prints both, as .ci/quick does. A change that needs more raises the number with
// -update, and says in its commit what went for it.
func TestBudget(t *testing.T) {
	t.Parallel()
	now := map[string]int{}
	for path, never := range closures {
		lines, err := goListLines("-deps", "-f", `{{if not .Standard}}{{.ImportPath}}|{{.Dir}}|{{join .GoFiles " "}}{{end}}`, path)
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range lines {
			part := strings.Split(line, "|")
			if !strings.HasPrefix(part[0], "tribunal/") {
				continue
			}
			if why, forbidden := never[short(part[0])]; forbidden {
				t.Errorf("%s reaches %s, which it never may: %s", short(path), short(part[0]), why)
			}
			now["packages of "+short(path)]++
			for file := range strings.FieldsSeq(part[2]) {
				now["lines of "+short(path)] += countLines(t, filepath.Join(part[1], file))
			}
		}
	}
	measureAll(t, now)
	const table = "../.ci/budget.tsv"
	if *update {
		var b bytes.Buffer
		for _, name := range slices.Sorted(maps.Keys(now)) {
			fmt.Fprintf(&b, "%s\t%d\n", name, now[name])
		}
		if err := os.WriteFile(table, b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(table)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		name, number, _ := strings.Cut(strings.TrimSpace(line), "\t")
		most, err := strconv.Atoi(number)
		if err != nil {
			t.Fatalf("%s: %v", table, err)
		}
		t.Logf("budget: %-32s %7d of %7d (%+d)", name, now[name], most, now[name]-most)
		if now[name] > most {
			t.Errorf("%s: %d, at most %d (hint: go test ./judge -run TestBudget -update raises that; say in the commit what went for it)", name, now[name], most)
		}
		delete(now, name)
	}
	for name := range now {
		t.Errorf("%s has no row for %s", table, name)
	}
}

// measureAll measures what there is in all: lines of the product, of what proves it, words of documents, commands and
// flags.
func measureAll(t *testing.T, now map[string]int) {
	t.Helper()
	walk := func(top string, see func(name string)) {
		err := filepath.WalkDir(filepath.Join(repository, top), func(name string, d os.DirEntry, err error) error {
			if err == nil && !d.IsDir() {
				see(name)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	walk("judge", func(name string) {
		what := "lines of the product"
		switch dir := filepath.ToSlash(filepath.Dir(name)); {
		case filepath.Ext(name) != ".go" || strings.Contains(dir, "/testdata"):
			return
		case strings.HasSuffix(name, "_test.go") || slices.ContainsFunc(proofs, func(part string) bool { return strings.HasSuffix(dir, part) }):
			what = "lines of what proves it"
		}
		now[what] += countLines(t, name)
	})
	words := func(name string) {
		if filepath.Ext(name) == ".md" {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			now["words of documents"] += len(bytes.Fields(text))
		}
	}
	walk("docs", words)
	measureHouse(t, now)
	words(filepath.Join(repository, "judge", "internal", "README.md"))
	for name := range houses {
		words(filepath.Join(repository, "judge", name, "README.md"))
	}
	words(filepath.Join(repository, "README.md"))
	words(filepath.Join(repository, "CONTRIBUTING.md"))
	var visit func(c *cobra.Command)
	visit = func(c *cobra.Command) {
		if c.Hidden {
			return
		}
		now["commands"]++
		c.LocalNonPersistentFlags().VisitAll(func(*pflag.Flag) { now["flags"]++ })
		for _, below := range c.Commands() {
			visit(below)
		}
	}
	visit(cli.NewRoot(&cli.App{Reports: map[*cobra.Command]*cli.Reports{}}, commandsOf))
}

// proofs are the ends of the paths of packages that prove the product, and are not linked into it.
var proofs = []string{
	"test", "internal/played", "store/simstore", "judged/simulate", "internal/scale", "internal/gauge",
}

// countLines returns the number of lines of a file.
func countLines(t *testing.T, name string) int {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return bytes.Count(text, []byte("\n"))
}

// measureHouse measures what one must hold to change the judge itself: its packages without those that only tests use,
// their lines, and its floors, which are the packages of the longest chain of imports.
func measureHouse(t *testing.T, now map[string]int) {
	t.Helper()
	lines, err := goListLines("-f", `{{.ImportPath}}|{{.Dir}}|{{join .GoFiles " "}}|{{join .Imports " "}}`, module+"...")
	if err != nil {
		t.Fatal(err)
	}
	imports := map[string][]string{}
	for _, line := range lines {
		part := strings.Split(line, "|")
		if slices.ContainsFunc(proofs, func(p string) bool { return strings.HasSuffix(part[1], p) }) {
			continue
		}
		imports[part[0]] = strings.Fields(part[3])
		now["packages of the judge itself"]++
		for file := range strings.FieldsSeq(part[2]) {
			now["lines of the judge itself"] += countLines(t, filepath.Join(part[1], file))
		}
	}
	floors := map[string]int{}
	var floor func(path string) int
	floor = func(path string) int {
		list, own := imports[path]
		if own && floors[path] == 0 {
			floors[path] = 1
			for _, below := range list {
				floors[path] = max(floors[path], 1+floor(below))
			}
		}
		return floors[path]
	}
	for path := range imports {
		now["floors of the judge itself"] = max(now["floors of the judge itself"], floor(path))
	}
}
