package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/spf13/cobra"

	"tribunal/judge/internal/report"
	"tribunal/judge/internal/verdict"
)

var update = flag.Bool("update", false, "rewrite what is generated in the documents")

// documents returns the Markdown pages of the repository, by their paths in it.
func documents(t *testing.T) map[string]string {
	t.Helper()
	pages := map[string]string{}
	for _, pattern := range []string{"*.md", "docs/*.md"} {
		found, err := filepath.Glob(filepath.Join("..", pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range found {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			pages[strings.TrimPrefix(file, "../")] = string(text)
		}
	}
	return pages
}

var (
	fenced  = regexp.MustCompile("(?ms)^ *```.*?^ *```$")
	linked  = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	heading = regexp.MustCompile(`(?m)^#+ (.*)$`)
)

// anchor returns the fragment of a link to a heading.
func anchor(heading string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(heading) {
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r) || r == '-' || r == '_':
			b.WriteRune(r)
		case r == ' ':
			b.WriteByte('-')
		}
	}
	return b.String()
}

// TestLinks checks that every link in a page leads to an existing file and heading.
func TestLinks(t *testing.T) {
	t.Parallel()
	pages := documents(t)
	anchors := map[string]map[string]bool{}
	for page, text := range pages {
		anchors[page] = map[string]bool{}
		for _, h := range heading.FindAllStringSubmatch(fenced.ReplaceAllString(text, ""), -1) {
			anchors[page][anchor(h[1])] = true
		}
	}
	for page, text := range pages {
		for _, link := range linked.FindAllStringSubmatch(fenced.ReplaceAllString(text, ""), -1) {
			if strings.Contains(link[1], "://") {
				continue
			}
			file, section, has := strings.Cut(link[1], "#")
			target := page
			if file != "" {
				target = filepath.Join(filepath.Dir(page), file)
			}
			if _, err := os.Stat(filepath.Join("..", target)); err != nil {
				t.Errorf("%s: %s leads nowhere: %v", page, link[1], err)
			} else if has && !anchors[target][section] {
				t.Errorf("%s: %s has no heading %q", page, target, section)
			}
		}
	}
}

// TestCommandsAreDocumented checks that the README names every command of the program.
func TestCommandsAreDocumented(t *testing.T) {
	t.Parallel()
	readme := documents(t)["README.md"]
	for _, cmd := range newRoot(&options{reports: map[*cobra.Command]*reports{}}).Commands() {
		if !cmd.Hidden && cmd.Name() != "help" && cmd.Name() != "completion" && !strings.Contains(readme, "`judge "+cmd.Name()) {
			t.Errorf("README.md does not name judge %s", cmd.Name())
		}
	}
}

// TestColumns checks that pages can be read in a window of 120 columns.
func TestColumns(t *testing.T) {
	t.Parallel()
	for page, text := range documents(t) {
		for i, line := range strings.Split(text, "\n") {
			if n := len([]rune(line)); n > 120 {
				t.Errorf("%s:%d: %d columns, want at most 120", page, i+1, n)
			}
		}
	}
}

// TestVerdictsAreDocumented checks that docs/grading.md explains every verdict under its name.
func TestVerdictsAreDocumented(t *testing.T) {
	t.Parallel()
	page := documents(t)["docs/grading.md"]
	for _, v := range verdict.All() {
		if row := "\n| " + v.String() + " | " + v.Title() + " | "; !strings.Contains(page, row) {
			t.Errorf("docs/grading.md has no row %q", strings.TrimSpace(row))
		}
	}
}

// TestFormatsAreDocumented checks that docs/reports.md explains every format of reports.
func TestFormatsAreDocumented(t *testing.T) {
	t.Parallel()
	page := documents(t)["docs/reports.md"]
	for _, name := range report.AllNames() {
		if !strings.Contains(page, "\n- `"+name+"`: ") {
			t.Errorf("docs/reports.md does not explain the format %s", name)
		}
	}
	generated(t, "docs/reports.md", "| format | judge … |\n| --- | --- |", "\n\n", formatsTable())
}

// formatsTable returns the rows of a table, each after a newline, with the commands that have each format of reports.
func formatsTable() string {
	all := map[*cobra.Command]*reports{}
	commands := newRoot(&options{reports: all}).Commands()
	var b strings.Builder
	for _, name := range report.AllNames() {
		var have []string
		for _, cmd := range commands {
			if r := all[cmd]; r != nil && slices.Contains(r.formats, name) {
				have = append(have, cmd.Name())
			}
		}
		fmt.Fprintf(&b, "\n| `%s` | %s |", name, strings.Join(have, ", "))
	}
	return b.String()
}

// TestPackageFormatsAreDocumented checks that docs/packages.md holds the output of judge formats. The
// flag -update writes it there.
func TestPackageFormatsAreDocumented(t *testing.T) {
	t.Parallel()
	generated(t, "docs/packages.md", "```\n$ judge formats\n", "```\n", formatsText())
}

// generated checks that a page holds a text between the first begin and the next end. The flag -update
// writes it there.
func generated(t *testing.T, page, begin, end, want string) {
	t.Helper()
	text := documents(t)[page]
	before, rest, ok := strings.Cut(text, begin)
	old, after, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		t.Fatalf("%s has no text between %q and %q", page, begin, end)
	}
	if old == want {
		return
	}
	if *update {
		if err := os.WriteFile(filepath.Join("..", page), []byte(before+begin+want+end+after), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	t.Errorf("%s does not hold what is generated there (go test -run %s -update ./judge):\n%s", page, t.Name(), want)
}
