package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/spf13/cobra"
	"gopkg.in/yaml.v3"

	"tribunal/internal/tier"
	"tribunal/judge/cli"
	"tribunal/judge/cli/commands"
	"tribunal/judge/cli/format"
	"tribunal/judge/cli/report"
	"tribunal/judge/internal/sandbox"
	"tribunal/judge/internal/verdict"
	"tribunal/judge/lab/findings"
)

var update = flag.Bool("update", false, "rewrite what is generated in the documents")

// documents returns the Markdown pages of the repository, by their paths in it.
func documents(t *testing.T) map[string]string {
	t.Helper()
	pages := map[string]string{}
	for _, pattern := range []string{"*.md", "docs/*.md", "docs/*/*.md"} {
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

// TestEveryCommandHasAnExample checks the help of every command: an example that calls it, or the new word for a hidden
// one, and a long text or at least a short one.
func TestEveryCommandHasAnExample(t *testing.T) {
	t.Parallel()
	var check func(cmd *cobra.Command)
	check = func(cmd *cobra.Command) {
		for _, c := range cmd.Commands() {
			if !c.Hidden && !strings.Contains(c.Example, c.CommandPath()) || !strings.HasPrefix(c.Example, "  ") || c.Short == "" {
				t.Errorf("%s has no example, or an example that is not its own: %q", c.CommandPath(), c.Example)
			}
			check(c)
		}
	}
	check(cli.NewRoot(&cli.App{Reports: map[*cobra.Command]*cli.Reports{}}, commandsOf))
}

// TestOnlyOneCommand checks that a command which is made without the others is the same, and has its name.
func TestOnlyOneCommand(t *testing.T) {
	t.Parallel()
	newApp := func() *cli.App { return &cli.App{Reports: map[*cobra.Command]*cli.Reports{}} }
	for _, want := range cli.NewRoot(newApp(), commandsOf).Commands() {
		root := cli.NewRoot(newApp(), commandsOf, want.Name(), "x")
		if slices.Contains([]string{"completion", "help", "manual"}, want.Name()) {
			continue // they are about all commands
		}
		at := slices.IndexFunc(root.Commands(), func(c *cobra.Command) bool { return c.Name() == want.Name() })
		if n := len(root.Commands()); n != 3 || at < 0 {
			t.Errorf("%s: %d commands, at %d, want it and two others", want.Name(), n, at)
			continue
		}
		if got := root.Commands()[at]; got.UsageString() != want.UsageString() || got.Hidden != want.Hidden {
			t.Errorf("%s differs when it is alone:\n%s", want.Name(), got.UsageString())
		}
	}
}

// TestManual checks that docs/commands.md holds the help of all commands. The flag -update writes it
// there.
func TestManual(t *testing.T) {
	t.Parallel()
	page := cli.MarkdownManual(cli.NewRoot(&cli.App{Reports: map[*cobra.Command]*cli.Reports{}}, commandsOf))
	file := filepath.Join(repository, "docs", "commands.md")
	if *update {
		if err := os.WriteFile(file, []byte(page), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if text, err := os.ReadFile(file); err != nil || string(text) != page {
		t.Errorf("docs/commands.md does not hold the help of all commands (go test ./judge -run TestManual -update): %v", err)
	}
}

// TestDocumentPages checks that docs/documents has the page of each kind of document, as judge schema
// --markdown prints it. The flag -update writes them there.
func TestDocumentPages(t *testing.T) {
	t.Parallel()
	for kind := range commands.Schemas {
		page := executeQuietly(t, "schema", kind, "--markdown")
		file := filepath.Join(repository, "docs", "documents", kind+".md")
		if *update {
			if err := os.WriteFile(file, []byte(page), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if text, err := os.ReadFile(file); err != nil || string(text) != page {
			t.Errorf("docs/documents/%s.md is not what judge schema %s --markdown prints (go test ./judge -run %s -update): %v", kind, kind, t.Name(), err)
		}
	}
}

// TestDocumentExamples checks that the examples of documents can be read.
func TestDocumentExamples(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	executeQuietly(t, "init", root, "--empty")
	executeQuietly(t, "new", "two", "--root", root)
	for kind, file := range map[string]string{
		"runner": "runner.yaml", "problem": "problems/two.yaml", "cases": "cases/two/edge.yaml", "mutants": "cases/two/mutants.yaml",
	} {
		if err := os.WriteFile(filepath.Join(root, file), []byte(commands.Documents[kind].Example), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	executeQuietly(t, "case", "two", "--root", root)
	executeQuietly(t, "verify", "two", "--only", "documents", "--root", root)
}

// executeQuietly runs a command that must succeed, and returns its standard output.
func executeQuietly(t *testing.T, args ...string) string {
	t.Helper()
	var stdout, stderr bytes.Buffer
	if code := execute(t.Context(), args, cli.Stdio{In: bytes.NewReader(nil), Out: &stdout, Err: &stderr}); code != cli.ExitOK {
		t.Fatalf("judge %v: status %d: %s%s", args, code, &stdout, &stderr)
	}
	return stdout.String()
}

// TestDockerfile compares Dockerfile with the output of judge ci docker. The flag -update writes it.
func TestDockerfile(t *testing.T) {
	t.Parallel()
	text := executeQuietly(t, "ci", "docker", "--root", repository)
	file := filepath.Join(repository, "Dockerfile")
	if *update {
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if have, err := os.ReadFile(file); err != nil || string(have) != text {
		t.Errorf("Dockerfile is not what judge ci docker prints (go test ./judge -run TestDockerfile -update): %v", err)
	}
}

// TestManPages checks the man pages of all commands, with mandoc if it is installed.
func TestManPages(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	pages := cli.ManPages(cli.NewRoot(&cli.App{Reports: map[*cobra.Command]*cli.Reports{}}, commandsOf))
	for name, page := range pages {
		for _, section := range []string{"NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "SEE ALSO"} {
			if strings.Count(page, "\n.SH "+section+"\n") != 1 {
				t.Errorf("%s: not one section %s", name, section)
			}
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(page), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if !strings.Contains(pages["judge-grade.1"], "\\fB\\-v\\fR, \\fB\\-\\-verbose\\fR\n") {
		t.Errorf("judge-grade.1 does not have the flag -v:\n%s", pages["judge-grade.1"])
	}
	tier.Needs(t, "the syntax of man pages", "mandoc")
	files, _ := filepath.Glob(filepath.Join(dir, "*.1"))
	out, err := exec.Command("mandoc", append([]string{"-T", "lint", "-W", "warning"}, files...)...).CombinedOutput()
	for l := range strings.Lines(string(out)) {
		if !strings.Contains(l, "missing date") {
			t.Errorf("mandoc: %s", l)
		}
	}
	if err != nil && !t.Failed() && len(out) == 0 {
		t.Error(err)
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

// TestYAMLBlocks checks that the blocks of pages that are YAML can be read. Most are checked by other tests
// as what they are; for those that are not, nothing was at hand to run them.
func TestYAMLBlocks(t *testing.T) {
	t.Parallel()
	block := regexp.MustCompile("(?ms)^```yaml\\b.*?\n(.*?)^```$")
	blocks := 0
	for page, text := range documents(t) {
		for _, m := range block.FindAllStringSubmatch(text, -1) {
			blocks++
			documents := yaml.NewDecoder(strings.NewReader(m[1]))
			var document any
			err := error(nil)
			for err == nil {
				err = documents.Decode(&document)
			}
			if !errors.Is(err, io.EOF) {
				t.Errorf("%s: %v in\n%s", page, err, m[1])
			}
		}
	}
	if blocks == 0 {
		t.Error("no page has YAML")
	}
}

// TestNamedTests checks that the tests exist that pages name as evidence.
func TestNamedTests(t *testing.T) {
	t.Parallel()
	declared := map[string]bool{}
	function := regexp.MustCompile(`(?m)^func (Test\w+)\(`)
	err := filepath.WalkDir(repository, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		for _, m := range function.FindAllSubmatch(text, -1) {
			declared[string(m[1])] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	named := regexp.MustCompile("`(Test\\w+)`")
	for page, text := range documents(t) {
		for _, m := range named.FindAllStringSubmatch(text, -1) {
			if !declared[m[1]] {
				t.Errorf("%s: there is no %s", page, m[1])
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
	for _, name := range format.AllNames() {
		if !strings.Contains(page, "\n- `"+name+"`: ") {
			t.Errorf("docs/reports.md does not explain the format %s", name)
		}
	}
	generated(t, "docs/reports.md", "| format | judge … |\n| --- | --- |", "\n\n", formatsTable())
}

// formatsTable returns the rows of a table, each after a newline, with the commands that have each format of reports.
func formatsTable() string {
	all := map[*cobra.Command]*cli.Reports{}
	commands := cli.NewRoot(&cli.App{Reports: all}, commandsOf).Commands()
	var b strings.Builder
	for _, name := range format.AllNames() {
		var have []string
		for _, cmd := range commands {
			if r := all[cmd]; r != nil && !cmd.Hidden && slices.Contains(r.Formats, name) {
				have = append(have, cmd.Name())
			}
		}
		fmt.Fprintf(&b, "\n| `%s` | %s |", name, strings.Join(have, ", "))
	}
	return b.String()
}

// TestPackageFormatsAreDocumented checks that docs/packages.md holds the output of judge help formats. The
// flag -update writes it there.
func TestPackageFormatsAreDocumented(t *testing.T) {
	t.Parallel()
	generated(t, "docs/packages.md", "```\n$ judge help formats\n", "```\n", commands.FormatsText())
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
	t.Errorf("%s does not hold what is generated there (go test ./judge -run %s -update):\n%s", page, t.Name(), want)
}

// TestInlineCommands checks that the commands in the text of pages, in the examples of help and in hints exist with their
// flags, and that none is a word of an earlier release. Those in blocks are executed (judge/scripts/docs).
func TestInlineCommands(t *testing.T) {
	t.Parallel()
	root := cli.NewRoot(&cli.App{Reports: map[*cobra.Command]*cli.Reports{}}, commandsOf)
	root.InitDefaultHelpCmd()
	inline := regexp.MustCompile("`judge( (?:[a-z]+|-[^`]*)(?: [^`]*)?)`")
	for page, text := range documents(t) {
		if page == "CHANGELOG.md" {
			continue
		}
		for _, m := range inline.FindAllStringSubmatch(fenced.ReplaceAllString(text, ""), -1) {
			if fault := unknownWords(root, m[1]); fault != "" {
				t.Errorf("%s: %s: %s", page, fault, m[0])
			}
		}
	}
	example := regexp.MustCompile(`(?m)\bjudge( [a-z]+[^|\n]*)`)
	var check func(cmd *cobra.Command)
	check = func(cmd *cobra.Command) {
		for _, m := range example.FindAllStringSubmatch(cmd.Example, -1) {
			if fault := unknownWords(root, m[1]); fault != "" {
				t.Errorf("the example of %s: %s: %s", cmd.CommandPath(), fault, m[0])
			}
		}
		for _, c := range cmd.Commands() {
			check(c)
		}
	}
	check(root)
	hint := regexp.MustCompile(`\(hint: (?:[^)"` + "`" + `]*?, )?judge( [a-z]+[^)"]*)`)
	err := filepath.WalkDir(".", func(name string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") || strings.Contains(name, "testdata") {
			return err
		}
		text, err := os.ReadFile(name)
		for _, m := range hint.FindAllSubmatch(text, -1) {
			line, _, _ := strings.Cut(string(m[1]), ",")
			if fault := unknownWords(root, line); fault != "" && fault != noCommand { // "judge it again" is no command
				t.Errorf("%s: %s: %s", name, fault, m[0])
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// flagged matches the flags of a command: long ones, and those of one letter.
var flagged = regexp.MustCompile(`(?:^|[\s|])(?:--([a-z][a-z-]+)\b|-([a-z])(?:\s|$))`)

const noCommand = "there is no such command"

// unknownWords says which command or flag in the arguments of judge does not exist; "" if all do.
func unknownWords(root *cobra.Command, arguments string) string {
	words := strings.Fields(arguments)
	cmd, _, err := root.Find(words)
	if err != nil || cmd == root && !strings.HasPrefix(words[0], "-") {
		return noCommand
	}
	if cmd.Hidden && cmd.Name() != "manual" && cmd.Parent() == root {
		return "this is a word of an earlier release"
	}
	cmd.InitDefaultHelpFlag()
	cmd.InitDefaultVersionFlag()
	for _, f := range flagged.FindAllStringSubmatch(arguments, -1) {
		if f[1] != "" && cmd.Flag(f[1]) == nil || f[2] != "" && cmd.Flags().ShorthandLookup(f[2]) == nil {
			return cmd.CommandPath() + " has no flag" + f[0]
		}
	}
	return ""
}

// TestFormatNames checks that AllNames lists the formats of all commands, and that no command has
// two formats of the same name.
func TestFormatNames(t *testing.T) {
	t.Parallel()
	all := format.AllNames()
	for _, names := range [][]string{
		format.Names(report.GradeFormats(nil, report.TerminalOptions{})), format.Names(findings.VerifyFormats(format.Output{})), format.Names(report.RegenFormats("", 0)), format.Names(findings.StressFormats()),
		format.Names(findings.MutantsFormats(findings.MutantsOptions{})), format.Names(findings.CalibrateFormats()), format.Names(findings.GrowFormats()), format.Names(findings.DoctorFormats()),
		format.Names(findings.LanguagesFormats(sandbox.Mechanisms{})), format.Names(report.WatchFormats(nil)),
	} {
		for i, name := range names {
			if !slices.Contains(all, name) || slices.Contains(names[:i], name) || names[0] != format.Terminal {
				t.Errorf("%q of %q", name, names)
			}
		}
	}
}
