package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"tribunal/judge/cli"
	"tribunal/judge/internal/cache/cachetest"
	"tribunal/judge/packages/pkgformat"
)

var (
	corpusFolder  = flag.String("corpus", "", "`folder` with checkouts of public repositories, as owner/name, whose packages are verified")
	corpusTime    = flag.Duration("each", 2*time.Minute, "`time` that the verification of a package may take")
	corpusOnly    = flag.String("match", "", "`regexp` of the packages to verify, as owner/name/path")
	corpusWorkers = flag.Int("workers", runtime.NumCPU(), "`number` of packages to verify at a time")
)

// TestCorpus verifies the packages of public repositories that lie in a folder, and compares what is
// found with .ci/corpus.tsv. Outcomes are kept in the folder, so that an interrupted test goes on
// from there; another build of the judge makes them anew.
//
// With -update it also verifies the packages that the table lacks, and writes the table. A package
// that takes too long does not get in; a reason is kept while the findings stay as they are.
func TestCorpus(t *testing.T) {
	if *corpusFolder == "" {
		t.Skip("not checked: packages of public repositories (see .ci/corpus)")
	}
	match, err := regexp.Compile(*corpusOnly)
	if err != nil {
		t.Fatal(err)
	}
	table := readCorpus(t)
	c := &corpus{top: *corpusFolder, work: t.TempDir(), table: table, commits: map[string]string{}}
	settings := "cache: " + cachetest.Dir(t) + "\ncache_size: 8GiB\n"
	if err := os.WriteFile(filepath.Join(c.work, "runner.yaml"), []byte(settings), 0o644); err != nil {
		t.Fatal(err)
	}
	c.resume(t)
	defer c.log.Close()
	rows := slices.Clone(table)
	if *update {
		rows = append(rows, c.unlisted(t)...)
	}
	rows = slices.DeleteFunc(rows, func(r corpusRow) bool { return !match.MatchString(r.name()) })
	c.verify(t, rows)
	t.Logf("%d packages verified, %d of them not as expected, %d not checked", c.verified, c.deviations, c.unchecked)
	if *update {
		slices.SortFunc(c.table, func(a, b corpusRow) int { return strings.Compare(a.name(), b.name()) })
		writeCorpus(t, c.table)
	}
}

// corpus verifies packages. The fields after mu are shared by its workers.
type corpus struct {
	top, work string
	log       *os.File
	build     string            // identifies the build of the judge
	known     map[string]string // outcomes of this build, by package and options

	mu                              sync.Mutex
	commits                         map[string]string
	table                           []corpusRow
	verified, deviations, unchecked int
}

// resume reads the outcomes of earlier runs.
func (c *corpus) resume(t *testing.T) {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	binary, err := os.ReadFile(exe)
	if err != nil {
		t.Fatal(err)
	}
	c.build = fmt.Sprintf("%x", sha256.Sum256(binary))
	c.known = map[string]string{}
	name := filepath.Join(c.top, "corpus.log")
	text, err := os.ReadFile(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if f := strings.Split(strings.TrimSuffix(line, "\n"), "\t"); len(f) == 3 && f[0] == c.build {
			c.known[f[1]] = f[2]
		}
	}
	if c.log, err = os.OpenFile(name, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644); err != nil {
		t.Fatal(err)
	}
}

// unlisted returns a row for each package in the folder that the table lacks.
func (c *corpus) unlisted(t *testing.T) (rows []corpusRow) {
	listed := map[string]bool{}
	for _, r := range c.table {
		listed[r.name()] = true
	}
	checkouts, err := filepath.Glob(filepath.Join(c.top, "*", "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, checkout := range checkouts {
		checkout, repository := unlinked(checkout), strings.TrimPrefix(checkout, filepath.Clean(c.top)+"/")
		err := filepath.WalkDir(checkout, func(path string, d fs.DirEntry, err error) error {
			if err != nil || !d.IsDir() {
				return err
			}
			if d.Name() == ".git" {
				return fs.SkipDir
			}
			family, err := pkgformat.Detect(path)
			if err != nil || family == "" {
				return err
			}
			rel, err := filepath.Rel(checkout, path)
			r := corpusRow{repository: repository, path: rel, family: family, reason: "?"}
			if !listed[r.name()] {
				rows = append(rows, r)
			}
			if err != nil {
				return err
			}
			return fs.SkipDir
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return rows
}

// unlinked returns a path without symbolic links, or the path if that fails.
func unlinked(path string) string {
	if to, err := filepath.EvalSymlinks(path); err == nil {
		return to
	}
	return path
}

func (c *corpus) verify(t *testing.T, rows []corpusRow) {
	todo := make(chan corpusRow)
	var workers sync.WaitGroup
	for range *corpusWorkers {
		workers.Go(func() {
			for r := range todo {
				c.row(t, r)
			}
		})
	}
	for _, r := range rows {
		todo <- r
	}
	close(todo)
	workers.Wait()
}

// row verifies a package and compares or records what is found.
func (c *corpus) row(t *testing.T, r corpusRow) {
	checkout := filepath.Join(c.top, r.repository)
	commit, err := c.commit(checkout)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		c.uncheck(t, r, "")
	case err != nil:
		t.Errorf("%s: %v", r.repository, err)
	case r.commit != "" && r.commit != commit && !*update:
		c.uncheck(t, r, "the checkout is at "+commit+", and the table is about "+r.commit)
	default:
		key := strings.TrimSpace(r.name() + " " + r.options)
		c.mu.Lock()
		outcome, done := c.known[key]
		c.mu.Unlock()
		if !done {
			family, found, err := c.run(checkout, r)
			if err != nil {
				t.Errorf("%s: %v", r.name(), err)
				return
			}
			outcome = family + ": " + found
			c.mu.Lock()
			fmt.Fprintf(c.log, "%s\t%s\t%s\n", c.build, key, outcome)
			c.mu.Unlock()
		}
		family, found, _ := strings.Cut(outcome, ": ")
		c.compare(t, r, commit, family, found)
	}
}

// uncheck counts a package that is not verified, and says why if a reason is given.
func (c *corpus) uncheck(t *testing.T, r corpusRow, why string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.unchecked++
	if why != "" {
		t.Logf("%s: not checked: %s", r.name(), why)
	}
}

// tooLong is the finding in a package whose verification takes too long.
const tooLong = "takes too long"

func (c *corpus) compare(t *testing.T, r corpusRow, commit, family, found string) {
	if found == tooLong {
		c.uncheck(t, r, fmt.Sprintf("takes longer than %v", *corpusTime))
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.verified++
	if found == r.findings && family == r.family && (r.commit == commit || !*update) {
		return
	}
	if !*update {
		c.deviations++
		t.Errorf("%s: found %s (%s), and not %s (%s)", r.name(), found, family, r.findings, r.family)
		return
	}
	at := slices.IndexFunc(c.table, func(o corpusRow) bool { return o.name() == r.name() })
	if at < 0 {
		at = len(c.table)
		c.table = append(c.table, r)
	}
	if found != r.findings {
		c.deviations++
		t.Logf("%s: found %s", r.name(), found)
		r.fault, r.reason = "?", "?"
		if found == noFindings {
			r.fault, r.reason = "-", "-"
		}
	}
	r.commit, r.family, r.findings = commit, family, found
	c.table[at] = r
	writeCorpus(t, c.table)
}

// commit returns the commit of a checkout.
func (c *corpus) commit(checkout string) (string, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if commit, ok := c.commits[checkout]; ok {
		return commit, nil
	}
	if _, err := os.Stat(checkout); err != nil {
		return "", err
	}
	out, err := exec.Command("git", "-c", "safe.directory=*", "-C", unlinked(checkout), "rev-parse", "HEAD").Output()
	if err != nil {
		return "", fmt.Errorf("git tells no commit: %w", err)
	}
	c.commits[checkout] = strings.TrimSpace(string(out))
	return c.commits[checkout], nil
}

// verifyReport is the part of the JSON document of judge verify that is compared.
type verifyReport struct {
	Errors   []string
	Findings []struct {
		Check, File, Text string
	}
	Problems []struct{ Dialect string }
}

// run verifies a package, and returns its family and what is found in it.
func (c *corpus) run(checkout string, r corpusRow) (family, found string, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), *corpusTime)
	defer cancel()
	root := unlinked(checkout)
	place := filepath.Join(root, r.path)
	args := append([]string{"verify", place, "--json", "--slots", "1", "--root-of-package", root}, strings.Fields(r.options)...)
	cmd := exec.CommandContext(ctx, "judge", args...)
	var stdout, stderr bytes.Buffer
	cmd.Dir, cmd.Stdout, cmd.Stderr = c.work, &stdout, &stderr
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) } // what is known by then is remembered
	cmd.WaitDelay = time.Minute
	err = cmd.Run()
	switch exit, ok := errors.AsType[*exec.ExitError](err); {
	case ctx.Err() != nil:
		return r.family, tooLong, nil
	case err != nil && (!ok || !exit.Exited() || exit.ExitCode() > cli.ExitUsage):
		return "", "", fmt.Errorf("judge verify ended with %w: %s", err, stderr.String())
	}
	var d verifyReport
	if err := json.Unmarshal(stdout.Bytes(), &d); err != nil || crash.Match(stderr.Bytes()) {
		return "", "", fmt.Errorf("judge verify: %w: %s%s", err, stdout.String(), stderr.String())
	}
	if family, err = pkgformat.Detect(place); err != nil {
		return "", "", err
	}
	if family == "" {
		family = pkgformat.Pairs
	}
	if len(d.Problems) > 0 && d.Problems[0].Dialect != "" {
		family = d.Problems[0].Dialect
	}
	return family, normalFindings(d, place, root), nil
}
