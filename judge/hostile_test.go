package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"tribunal/internal/tier"
	"tribunal/judge/cli"
	"tribunal/judge/cli/scripttest"
	"tribunal/judge/internal/cache/cachetest"
)

// insults are parts of file names with escape sequences, newlines and invisible characters. None of
// them may reach a terminal, and text after a newline must not look like a line of the judge.
var insults = []string{
	"\x1b[2J\x1b]52;c;ZXZpbA==\a", "\nFORGED: AC accepted", "\rFORGED", "\u009b31m", "\u202egnp\u2066", "\ufeff\u200b", "\x7f\b", "\xff\xe2\x80", "\u2028FORGED",
}

// TestNamesAreNotObeyed puts insults into the names of files, folders, problems and flags, and into
// the sources that compilers quote: all insults into one name, and in T3 also each into its own.
func TestNamesAreNotObeyed(t *testing.T) {
	t.Parallel()
	tier.T2(t, "escape sequences in names")
	tier.Needs(t, "escape sequences in names", "gcc")
	root := t.TempDir()
	if err := scripttest.CopyMissing(root, filepath.Join("testdata", "repo")); err != nil {
		t.Fatal(err)
	}
	write := func(name, text string) string {
		t.Helper()
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	write("runner.yaml", "cache: "+cachetest.Dir(t)+"\n")
	names := []string{strings.Join(insults, "x")}
	if tier.All() {
		names = append(names, insults...)
	}
	for i, insult := range names {
		dir := "d" + string(rune('a'+i))
		wrong := write(dir+"/wrong"+insult+".c", "#error \""+strings.ReplaceAll(insult, "\n", " ")+"\"\n")
		unknown := write(dir+"/unknown."+insult, "x")
		folder := filepath.Dir(write(dir+"/folder"+insult+"/a.c", "int main(void) { return 0; }\n"))
		if err := os.Symlink("/etc/passwd", filepath.Join(folder, "link"+insult+".h")); err != nil {
			t.Fatal(err)
		}
		dangling := filepath.Join(root, dir, "dangling"+insult+".c")
		if err := os.Symlink("nothing", dangling); err != nil {
			t.Fatal(err)
		}
		// Three broken packages: an input without an answer, a validator that does not compile,
		// and an archive that is not a zip file.
		orphan := filepath.Dir(filepath.Dir(filepath.Dir(write(dir+"/orphan/data/secret/1"+insult+".in", "1\n"))))
		write(dir+"/orphan/problem.yaml", "name: Orphan\n")
		broken := filepath.Dir(write(dir+"/broken"+insult+"/problem.yaml", "name: Broken\nlimits: {time_limit: 1}\n"))
		write(dir+"/broken"+insult+"/data/secret/1.in", "1\n")
		write(dir+"/broken"+insult+"/data/secret/1.ans", "1\n")
		write(dir+"/broken"+insult+"/output_validators/v"+insult+"/v.c", "#error \""+strings.ReplaceAll(insult, "\n", " ")+"\"\n")
		archive := write(dir+"/archive"+insult+".zip", "PK")
		gone := filepath.Join(root, dir, "gone"+insult+".c")
		for _, args := range [][]string{
			{"grade", "sum", wrong},
			{"grade", "sum", wrong, unknown, folder, dangling, "-q"},
			{"grade", "sum", folder, dangling, "--json"},
			{"grade", "sum", gone, "--case", insult, "--limits", insult, "--lang", insult},
			{"grade", "sum" + insult, wrong},
			{"grade", orphan, wrong},
			{"grade", broken, wrong},
			{"grade", archive, wrong},
			{"verify", broken},
			{"verify", orphan, "--json"},
			{"stress", "sum", wrong},
			{"interact", broken, wrong},
			{"watch", "sum", gone},
			{"show", insult},
			{"--" + insult},
			{insult},
		} {
			var stdout, stderr bytes.Buffer
			execute(t.Context(), append(args, "--root", root), cli.Stdio{In: bytes.NewReader(nil), Out: &stdout, Err: &stderr})
			for _, text := range []string{stdout.String(), stderr.String()} {
				if !bytes.Equal([]byte(text), bytes.ToValidUTF8([]byte(text), nil)) || strings.ContainsFunc(text, func(r rune) bool {
					return r != '\n' && unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp)
				}) {
					t.Errorf("judge %q: a terminal would obey %q", args, text)
				}
				if strings.Contains(text, "\nFORGED") {
					t.Errorf("judge %q: a line is forged:\n%s", args, text)
				}
			}
			if stdout.Len()+stderr.Len() == 0 {
				t.Errorf("judge %q prints nothing", args)
			}
		}
	}
}

// printing matches code that writes to standard output or standard error, but not through stdio.
var printing = regexp.MustCompile(`fmt\.(Fp|P)rint(f|ln)?\(([^&]|$)|io\.WriteString|os\.Std(out|err)|\bprintln\(|log\.`)

// TestAllIsWrittenGuarded checks that all commands write to standard output and standard error
// through stdio, whose writers escape unprintable characters.
func TestAllIsWrittenGuarded(t *testing.T) {
	t.Parallel()
	var files []string
	for _, commands := range []string{"", "cli", "cli/commands", "lab", "class"} {
		found, err := filepath.Glob(filepath.Join(commands, "*.go"))
		if err != nil || len(found) == 0 {
			t.Fatal(commands, err)
		}
		files = append(files, found...)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		for i, l := range strings.Split(string(text), "\n") {
			if printing.MatchString(l) && !strings.Contains(l, "execute(ctx, os.Args[1:], cli.Stdio{") && !strings.Contains(l, "log.New(io.Discard") {
				t.Errorf("%s:%d: writes without stdio: %s", file, i+1, strings.TrimSpace(l))
			}
		}
	}
}
