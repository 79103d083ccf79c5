// Package docs_test executes the commands of the README and of the pages in docs/. Each page has a
// script in testdata, which makes the files that the page's commands need and names the commands in
// the order of the page. A command that cannot be executed in a test is named too, with the reason.
package docs_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"tribunal/internal/tier"
	"tribunal/judge/cli/scripttest"
)

var update = flag.Bool("update", false, "write outputs that differ into the pages; elide what varies by hand")

func TestMain(m *testing.M) {
	programs := []string{"tribunal/judge/judged"}
	if tier.All() { // for the cluster of docs/cluster.md
		programs = append(programs, "github.com/nats-io/nats-server/v2")
	}
	os.Exit(scripttest.Main(m, programs...))
}

const repository = "../../.."

// pagePath returns the path of the page that a script executes: README.txt belongs to README.md, and
// docs-watch.txt to docs/watch.md.
func pagePath(script string) string {
	name := strings.TrimSuffix(filepath.Base(script), ".txt") + ".md"
	return strings.ReplaceAll(name, "docs-", "docs/")
}

// A position is how far a script has come in its page.
type position struct {
	page   string
	at     int // commands of the page that are done
	varies []variable
	means  []meaning
}

// A meaning replaces a text of the page, such as the address of a service, by the one of this run.
type meaning struct{ there, here string }

// here returns a text of the page as it is here. The newest meaning of a text counts.
func (p *position) here(text string) string {
	for _, m := range slices.Backward(p.means) {
		text = strings.ReplaceAll(text, m.there, m.here)
	}
	return text
}

// there returns a text of here as it is in the page.
func (p *position) there(text string) string {
	for _, m := range p.means {
		text = strings.ReplaceAll(text, m.here, m.there)
	}
	return text
}

var (
	positions sync.Map // a *position for each *testscript.TestScript
	writing   sync.Mutex
)

// TestPages executes the pages. These commands of scripts refer to the next command of the page,
// which they repeat so that a script can be read:
//
//	runs 'judge regen two'                     executes it in bash, and compares its output; ! runs: it must fail
//	shows 'judge watch two'                    compares its output with the standard output of the script's last program
//	writes 'reference/sum/main.py'             writes a file that the page shows
//	varies '\^\d+' …                          says what varies in the outputs of the commands that follow
//	means 'localhost:8080' log 'address=(\S+)' says that what the pattern finds in the file stands for a text of the page
//	recorded 'judge grow two a.cpp' FILE       compares what the page shows with a golden file of a test, a path in
//	                                           this repository; with TRIBUNAL_TESTS=all also like runs
//	unchecked 'docker build .' 'no engine'     says why it is not executed
//	later 'judge verify' 'it takes a minute'   like runs with TRIBUNAL_TESTS=all, otherwise like unchecked
func TestPages(t *testing.T) {
	t.Parallel()
	scripttest.RunIn(t, func(root, dir string) error {
		for _, name := range []string{"cases", "problems", "reference", "runner.yaml", "go.mod", "go.sum"} {
			if err := scripttest.CopyMissing(filepath.Join(dir, name), filepath.Join(root, name)); err != nil {
				return err
			}
		}
		return nil
	}, map[string]scripttest.Command{
		"runs": func(ts *testscript.TestScript, neg bool, args []string) {
			execute(ts, neg, next(ts, args, 1))
		},
		"recorded": func(ts *testscript.TestScript, neg bool, args []string) {
			c := next(ts, args, 2)
			ts.Check(golden(args[1]))
			text, err := os.ReadFile(filepath.Join(repository, args[1]))
			ts.Check(err)
			compare(ts, c, string(text), nil)
			if tier.All() {
				execute(ts, neg, c)
			}
		},
		"later": func(ts *testscript.TestScript, neg bool, args []string) {
			c := next(ts, args, 2)
			if tier.All() {
				execute(ts, neg, c)
			} else {
				ts.Logf("%s: not checked: %s: %s (%s=all checks it)", c.place(), c.name, args[1], tier.Variable)
			}
		},
		"shows": func(ts *testscript.TestScript, neg bool, args []string) {
			if neg {
				ts.Fatalf("usage: shows command")
			}
			c := next(ts, args, 1)
			compare(ts, c, ts.ReadFile("stdout"), reached(ts).varies)
		},
		"writes": func(ts *testscript.TestScript, neg bool, args []string) {
			c := next(ts, args, 1)
			if neg || !c.file {
				ts.Fatalf("usage: writes file")
			}
			place := ts.MkAbs(c.name)
			ts.Check(os.MkdirAll(filepath.Dir(place), 0o755))
			ts.Check(os.WriteFile(place, []byte(reached(ts).here(strings.Join(c.output, "\n")+"\n")), 0o644))
		},
		"varies": func(ts *testscript.TestScript, neg bool, args []string) {
			if neg || len(args) == 0 {
				ts.Fatalf("usage: varies pattern...")
			}
			p := reached(ts)
			p.varies = nil
			for _, arg := range args {
				find, err := regexp.Compile(arg)
				ts.Check(err)
				p.varies = append(p.varies, variable{find, arg})
			}
		},
		"means": func(ts *testscript.TestScript, neg bool, args []string) {
			if neg || len(args) != 3 {
				ts.Fatalf("usage: means text file pattern")
			}
			find, err := regexp.Compile(args[2])
			ts.Check(err)
			found := find.FindStringSubmatch(ts.ReadFile(args[1]))
			if len(found) != 2 {
				ts.Fatalf("%s: nothing in it, or not one group, for %q", args[1], args[2])
			}
			p := reached(ts)
			p.means = append(p.means, meaning{args[0], found[1]})
		},
		"unchecked": func(ts *testscript.TestScript, neg bool, args []string) {
			if neg {
				ts.Fatalf("usage: unchecked command reason")
			}
			c := next(ts, args, 2)
			ts.Logf("%s: not checked: %s: %s", c.place(), c.name, args[1])
		},
	})
}

// variableName matches the names of variables that a page sets for the commands that follow.
var variableName = regexp.MustCompile(`^[a-z]+$`)

// execute executes a command of a page in bash, and compares its output with the page's. fails says that it must fail.
// A command that sets a variable sets it for the commands that follow.
func execute(ts *testscript.TestScript, fails bool, c command) {
	if name, _, ok := strings.Cut(c.text, "="); ok && variableName.MatchString(name) {
		ts.Check(ts.Exec("bash", "-c", reached(ts).here(c.text)+"; printf %s \"${"+name+"}\""))
		ts.Setenv(name, ts.ReadFile("stdout"))
		return
	}
	err := ts.Exec("bash", "-c", "exec 2>&1; "+reached(ts).here(c.text))
	compare(ts, c, ts.ReadFile("stdout"), reached(ts).varies)
	if (err != nil) != fails {
		ts.Fatalf("%s: %s: %v", c.place(), c.name, err)
	}
}

// golden checks that a test compares a file of this repository with what the code prints: the file is below the folder
// testdata of a package, a test of which names it.
func golden(file string) error {
	dir, rest, ok := strings.Cut(file, "/testdata/")
	if !ok {
		return fmt.Errorf("%s is not below testdata", file)
	}
	tests, err := filepath.Glob(filepath.Join(repository, dir, "*_test.go"))
	if err != nil {
		return err
	}
	for _, test := range tests {
		source, err := os.ReadFile(test)
		if err != nil {
			return err
		}
		if strings.Contains(string(source), strconv.Quote(rest)) || strings.Contains(string(source), strconv.Quote("testdata/"+rest)) {
			return nil
		}
	}
	return fmt.Errorf("no test in %s names %q", dir, rest)
}

// reached returns how far a script has come.
func reached(ts *testscript.TestScript) *position {
	value, _ := positions.LoadOrStore(ts, &position{page: pagePath(ts.Name())})
	return value.(*position)
}

// next returns the next command of the page that a script executes, whose name is the first of args.
func next(ts *testscript.TestScript, args []string, want int) command {
	if len(args) != want {
		ts.Fatalf("want %d arguments", want)
	}
	p := reached(ts)
	text, err := os.ReadFile(filepath.Join(repository, p.page))
	ts.Check(err)
	all := commands(p.page, string(text))
	if p.at == len(all) {
		ts.Fatalf("%s has no more commands", p.page)
	}
	c := all[p.at]
	if c.name != args[0] {
		ts.Fatalf("%s: the next command is %s", c.place(), c.name)
	}
	p.at++
	return c
}

// compare compares an output of a command with what the page shows, in which more varies than in all pages.
func compare(ts *testscript.TestScript, c command, output string, more []variable) {
	got := reached(ts).there(output)
	n, ok := c.matches(got, more...)
	switch {
	case ok:
	case *update:
		writing.Lock()
		defer writing.Unlock()
		file := filepath.Join(repository, c.page)
		text, err := os.ReadFile(file)
		ts.Check(err)
		lines := strings.SplitAfter(string(text), "\n")
		lines = slices.Replace(lines, c.line, c.line+len(c.output), strings.SplitAfter(got, "\n")...)
		ts.Check(os.WriteFile(file, []byte(strings.Join(lines, "")), 0o644))
	case n < len(c.output):
		ts.Fatalf("the output of %s:\n%s\n%s:%d: is not printed here: %s", c.name, got, c.page, c.line+n+1, c.output[n])
	default:
		ts.Fatalf("the output of %s:\n%s\n%s:%d: more is printed here", c.name, got, c.page, c.line+n+1)
	}
}

// TestEveryCommandIsExecuted checks that the scripts name every command of every page, in order. Lines
// for the case that something is missing, such as [!exec:chromium], do not count.
func TestEveryCommandIsExecuted(t *testing.T) {
	t.Parallel()
	named := regexp.MustCompile(`(?m)^(?:\[[^!\]][^\]]*\] )?(?:! )?(?:runs|shows|writes|recorded|later|unchecked) '((?:[^']|'')*)'`)
	for _, page := range pages(t) {
		text, err := os.ReadFile(filepath.Join(repository, page))
		if err != nil {
			t.Fatal(err)
		}
		script, err := os.ReadFile(filepath.Join("testdata", strings.TrimSuffix(strings.ReplaceAll(page, "/", "-"), ".md")+".txt"))
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		var names []string
		for _, m := range named.FindAllStringSubmatch(string(script), -1) {
			names = append(names, strings.ReplaceAll(m[1], "''", "'"))
		}
		all := commands(page, string(text))
		for i, c := range all {
			if i == len(names) || names[i] != c.name {
				t.Errorf("%s: the script of the page does not name this command (hint: add \"runs '%s'\"): %s",
					c.place(), strings.ReplaceAll(c.name, "'", "''"), c.name)
				break
			}
		}
		if len(names) > len(all) {
			t.Errorf("%s: its script names commands that it does not have: %s", page, names[len(all)])
		}
		for i, line := range strings.Split(unfenced(text), "\n") {
			if hidden.MatchString(line) {
				t.Errorf("%s:%d: a command that is not executed (hint: put it between ```sh and ```): %s", page, i+1, line)
			}
		}
	}
}

// TestGolden checks that recorded takes only files that a test compares with what the code prints.
func TestGolden(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ why, file, want string }{
		{"a test names it", "judge/lab/findings/testdata/grow.txt", ""},
		{"a test names it with its folder", "judge/lab/doctor/testdata/held.txt", ""},
		{"no test names it", "judge/cli/report/testdata/README.md", `no test in judge/cli/report names "README.md"`},
		{"a package without tests of that name", "judge/lab/grow/testdata/grow.txt", `no test in judge/lab/grow names "grow.txt"`},
		{"any other file", "docs/calibrate.md", "docs/calibrate.md is not below testdata"},
	} {
		if err := golden(tt.file); (err == nil) != (tt.want == "") || err != nil && err.Error() != tt.want {
			t.Errorf("%s: %v, want %q", tt.why, err, tt.want)
		}
	}
}

// TestGoTests checks that the tests and benchmarks that pages name exist, because hardly any of these
// commands is executed.
func TestGoTests(t *testing.T) {
	t.Parallel()
	named := regexp.MustCompile(`-(run|bench) '?(\w+)`)
	folder := regexp.MustCompile(` \./([\w/-]+)`)
	checked := 0
	for _, page := range pages(t) {
		text, err := os.ReadFile(filepath.Join(repository, page))
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range commands(page, string(text)) {
			command, _, _ := strings.Cut(c.text, "|")
			if !strings.HasPrefix(command, "go test ") || !folder.MatchString(command) {
				continue
			}
			files, err := filepath.Glob(filepath.Join(repository, folder.FindStringSubmatch(command)[1], "*_test.go"))
			if err != nil {
				t.Fatal(err)
			}
			var sources strings.Builder
			for _, file := range files {
				source, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				sources.Write(source)
			}
			for _, m := range named.FindAllStringSubmatch(command, -1) {
				kind := map[string]string{"run": "Test", "bench": "Benchmark"}[m[1]]
				checked++
				if !regexp.MustCompile(`(?m)^func ` + kind + `\w*` + strings.TrimPrefix(m[2], kind)).MatchString(sources.String()) {
					t.Errorf("%s: there is no %s that -%s %s selects", c.place(), strings.ToLower(kind), m[1], m[2])
				}
			}
		}
	}
	if checked < 10 {
		t.Errorf("only %d tests and benchmarks are named", checked)
	}
}

// hidden matches commands in blocks that are only indented, which nothing executes.
var hidden = regexp.MustCompile(`^    +(judge [a-z]+( |$)|go (run|test|build|install) )`)

// unfenced returns a page without its fenced blocks, line by line.
func unfenced(page []byte) string {
	return fence.ReplaceAllStringFunc(string(page), func(block string) string {
		return strings.Repeat("\n", strings.Count(block, "\n"))
	})
}

var fence = regexp.MustCompile("(?ms)^ *```.*?^ *```$")

// pages returns the pages whose commands are executed: all but docs/commands.md, which is generated.
func pages(t *testing.T) (list []string) {
	t.Helper()
	for _, pattern := range []string{"*.md", "docs/*.md", "docs/*/*.md"} {
		found, err := filepath.Glob(filepath.Join(repository, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range found {
			page := strings.TrimPrefix(file, repository+"/")
			if page != "docs/commands.md" && page != "CHANGELOG.md" {
				list = append(list, page)
			}
		}
	}
	return list
}
