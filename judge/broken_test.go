package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"tribunal/internal/tier"
	"tribunal/judge/cli"
	"tribunal/judge/internal/cache/cachetest"
)

var (
	brokenPackages = flag.String("packages", "", "`file` with the path of a package on each line, to break instead of small ones")
	brokenCount    = flag.Int("mutants", 12, "`number` of broken packages to judge")
	brokenFirst    = flag.Int("first", 0, "`number` of the first broken package; each is determined by its number and the seed")
	brokenSeed     = flag.Uint64("seed", 1, "seed of the broken packages")
)

// hang is the time after which a command on a small package does not end any more, however busy the
// host is.
const hang = 10 * time.Minute

// TestBrokenPackages breaks packages at random, by truncating files, flipping bits and exchanging
// files, and runs commands on them. Every command ends with a documented status, and says a verdict,
// or where the mistake is. None crashes, or writes anything outside of its temporary files.
func TestBrokenPackages(t *testing.T) {
	t.Parallel()
	tier.T2(t, "broken packages")
	tier.Needs(t, "broken packages", "gcc", "python3")
	w := &wrecker{top: t.TempDir(), verdicts: map[string]string{}}
	for _, dir := range []string{"work", "home", "tmp"} {
		if err := os.Mkdir(filepath.Join(w.top, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	w.write(t, "work/runner.yaml", "cache: "+cachetest.Dir(t)+"\n")
	// Without a repository here, the judge would take one that lies above, in the host's temporary folder.
	w.write(t, "work/problems/p.yaml", "id: p\ntitle: P\nsource: nowhere\nlimits: {cpu: 10s, memory: 256MiB, output: 1MiB}\nstatement: Say it.\ninput: A word.\noutput: It.\n")
	w.write(t, "home/.profile", "echo hello\n")
	packages := w.packages(t)
	count := *brokenCount
	if tier.All() {
		count = max(count, 24)
	}
	outcomes := map[string]int{}
	for n := *brokenFirst; n < *brokenFirst+count; n++ {
		rng := rand.New(rand.NewPCG(*brokenSeed, uint64(n)))
		outcome, err := w.run(t, rng, packages[rng.IntN(len(packages))])
		if err != nil {
			t.Errorf("number %d of seed %d: %v", n, *brokenSeed, err)
			outcome = "FAILURE"
		}
		outcomes[outcome]++
	}
	for _, outcome := range slices.Sorted(maps.Keys(outcomes)) {
		t.Logf("%4d %s", outcomes[outcome], outcome)
	}
}

// wrecker runs commands on broken packages. Below top lie the working folder with the package, the
// home folder and the temporary files.
type wrecker struct {
	top      string
	verdicts map[string]string // of submissions on the whole package, by package and submission
}

func (w *wrecker) write(t *testing.T, name, text string) {
	t.Helper()
	path := filepath.Join(w.top, name)
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
		t.Fatal(err)
	}
}

// packages returns the folders of the packages to break.
func (w *wrecker) packages(t *testing.T) (list []string) {
	if *brokenPackages != "" {
		text, err := os.ReadFile(*brokenPackages)
		if err != nil {
			t.Fatal(err)
		}
		return strings.Split(strings.TrimSpace(string(text)), "\n")
	}
	dir := t.TempDir()
	a, err := txtar.ParseFile(filepath.Join("testdata", "broken.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range a.Files {
		path := filepath.Join(dir, f.Name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, f.Data, 0o644)); err != nil {
			t.Fatal(err)
		}
		if first, _, _ := strings.Cut(f.Name, "/"); !slices.Contains(list, filepath.Join(dir, first)) {
			list = append(list, filepath.Join(dir, first))
		}
	}
	return list
}

// run breaks a copy of a package, runs a command on it, and returns what became of it.
func (w *wrecker) run(t *testing.T, rng *rand.Rand, from string) (outcome string, err error) {
	place := filepath.Join(w.top, "work", "package")
	if err := errors.Join(copyPackage(place, from), os.RemoveAll(filepath.Join(w.top, "work", "submission"))); err != nil {
		return "", err
	}
	submission := w.submission(t, rng, from)
	broken, err := breakFiles(rng, place)
	if err != nil {
		return "", err
	}
	args := []string{"show", "package"}
	switch draw := rng.IntN(8); {
	case draw == 0:
	case draw < 3 || submission == "":
		args = []string{"verify", "package", "--only", "inputs,outputs", "--limits", "cpu=2s"}
	default:
		args = []string{"grade", "package", submission, "-q", "--limits", "cpu=2s"}
	}
	outcome, err = w.command(args)
	if err == nil && args[0] == "grade" && !slices.ContainsFunc(broken, counts) {
		err = w.sameVerdict(from, args, outcome)
	}
	if err != nil {
		err = fmt.Errorf("%s: broken %s: judge %s: %w", from, strings.Join(broken, ", "), strings.Join(args, " "), err)
	}
	return args[0] + ": " + outcome, err
}

// copyPackage replaces a package by a copy of another, symbolic links included.
func copyPackage(to, from string) error {
	if err := os.RemoveAll(to); err != nil {
		return err
	}
	if out, err := exec.Command("cp", "-a", from, to).CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	return nil
}

// submission copies a random program of a package beside its copy, and returns its name there; "" if
// the package has none.
func (w *wrecker) submission(t *testing.T, rng *rand.Rand, from string) string {
	var all []string
	filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		in := filepath.Base(filepath.Dir(path))
		if err == nil && d.Type().IsRegular() && slices.Contains([]string{".c", ".cc", ".cpp", ".py"}, filepath.Ext(path)) &&
			(slices.Contains([]string{"accepted", "solutions", "sol"}, in) || filepath.Dir(path) == from) {
			all = append(all, path)
		}
		return nil
	})
	if len(all) == 0 {
		return ""
	}
	path := all[rng.IntN(len(all))]
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join("submission", filepath.Base(path))
	w.write(t, filepath.Join("work", name), string(text))
	return name
}

// breakFiles breaks up to three files of a folder, and returns their paths in it.
func breakFiles(rng *rand.Rand, dir string) (broken []string, err error) {
	var all, documents []string // documents are the files other than test data
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		all = append(all, rel)
		if !slices.Contains([]string{".in", ".ans", ".out", ".a"}, filepath.Ext(rel)) {
			documents = append(documents, rel)
		}
		return err
	})
	if err != nil || len(all) == 0 {
		return nil, err
	}
	pick := func() string {
		list := all
		if len(documents) > 0 && rng.IntN(2) == 0 {
			list = documents
		}
		rel := list[rng.IntN(len(list))]
		broken = append(broken, rel)
		return filepath.Join(dir, rel)
	}
	for range 1 + rng.IntN(3) {
		path := pick()
		data, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		switch rng.IntN(3) {
		case 0:
			data = data[:rng.IntN(len(data)+1)]
		case 1:
			for range 1 + rng.IntN(8) {
				if len(data) > 0 {
					data[rng.IntN(len(data))] ^= 1 << rng.IntN(8)
				}
			}
		case 2:
			other := pick()
			text, err := os.ReadFile(other)
			if err == nil {
				err = os.WriteFile(other, data, 0o644)
			}
			if data = text; err != nil {
				return nil, err
			}
		}
		if err := os.WriteFile(path, data, 0o644); err != nil {
			return nil, err
		}
	}
	return broken, nil
}

// counts reports whether a file of a package can change the verdict of a submission that is not the
// package's, if the limits are given.
func counts(rel string) bool {
	first, rest, _ := strings.Cut(filepath.ToSlash(rel), "/")
	switch first {
	case "submissions":
		return rest == "submissions.yaml"
	case "problem_statement", "statement", "statements", "statement-sections", "input_validators", "input_format_validators", "answer_validators",
		"attachments", "generators", "README.md":
		return false
	}
	return true
}

var (
	verdictLine = regexp.MustCompile(`(?m)^submission[^\n]*: ([A-Z]{2,3}) [^\n]+$`)
	failedLine  = regexp.MustCompile(`(?m)^submission[^\n]*: JE \d+/\d+ [^\n]+: the judge failed: [^\n]+$`)
	foundLine   = regexp.MustCompile(`^package[^\n]*: [a-z]+: [^\n]+$`)
	placedError = regexp.MustCompile(`(?m)^judge: (package|submission)[^\n]*: [^\n]+$`)
	crash       = regexp.MustCompile(`(?m)^(panic: |fatal error: |goroutine \d+ \[|SIG[A-Z]+: )`)
)

// command runs judge and returns what became of it, or an error if it is not what a user may expect.
func (w *wrecker) command(args []string) (outcome string, err error) {
	before, err := w.state()
	if err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(context.Background(), hang)
	defer cancel()
	var stdout, stderr bytes.Buffer
	cmd := exec.CommandContext(ctx, "judge", args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = filepath.Join(w.top, "work"), &stdout, &stderr
	cmd.Env = append(os.Environ(), "HOME="+filepath.Join(w.top, "home"), "TMPDIR="+filepath.Join(w.top, "tmp"))
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGQUIT) } // its stacks show where it hangs
	cmd.WaitDelay = time.Minute
	if _, set := os.LookupEnv("RUSTUP_HOME"); !set { // rustup, which rustc may be, writes its settings to a new home folder
		cmd.Env = append(cmd.Env, "RUSTUP_HOME="+filepath.Join(os.Getenv("HOME"), ".rustup"))
	}
	err = cmd.Run()
	said := fmt.Sprintf("\nstdout:\n%s\nstderr:\n%s", stdout.String(), stderr.String())
	if exit, ok := errors.AsType[*exec.ExitError](err); err != nil && (!ok || !exit.Exited()) || ctx.Err() != nil {
		return "", fmt.Errorf("ended with %w%s", errors.Join(err, ctx.Err()), said)
	}
	after, err := w.state()
	if err != nil {
		return "", err
	}
	if !maps.Equal(before, after) {
		for path := range before {
			if before[path] == after[path] {
				delete(after, path)
			}
		}
		return "", fmt.Errorf("files were written or removed: %q%s", slices.Sorted(maps.Keys(after)), said)
	}
	outcome, ok := judgedOutcome(args[0], cmd.ProcessState.ExitCode(), stdout.String(), stderr.String())
	if !ok || crash.MatchString(stderr.String()) {
		return "", fmt.Errorf("exited with status %d%s", cmd.ProcessState.ExitCode(), said)
	}
	return outcome, nil
}

// judgedOutcome names what a command found, or reports false if it ends in a way that is not
// documented.
func judgedOutcome(command string, code int, stdout, stderr string) (string, bool) {
	verdict := verdictLine.FindStringSubmatch(stdout)
	switch {
	case code == cli.ExitUsage:
		return "located error", placedError.MatchString(stderr)
	case command == "show":
		return "shown", code == cli.ExitOK && stdout != ""
	case command == "verify" && code == cli.ExitOK:
		return "no findings", stdout == ""
	case command == "verify" && code == cli.ExitNot:
		for line := range strings.Lines(stdout) {
			if !strings.HasPrefix(line, " ") && !foundLine.MatchString(strings.TrimSuffix(line, "\n")) {
				return "", false
			}
		}
		return "findings", stdout != ""
	case command != "grade" || verdict == nil:
		return "", false
	case code == cli.ExitFailed:
		return "JE", failedLine.MatchString(stdout)
	}
	return verdict[1], (code == cli.ExitOK) == (verdict[1] == "AC") && (code == cli.ExitOK || code == cli.ExitNot)
}

// sameVerdict checks that a submission gets the verdict that it gets on the whole package.
func (w *wrecker) sameVerdict(from string, args []string, got string) error {
	if got == "located error" {
		return nil
	}
	key := from + "\n" + args[2]
	want, known := w.verdicts[key]
	if !known {
		place := filepath.Join(w.top, "work", "package")
		err := copyPackage(place, from)
		if err == nil {
			want, err = w.command(args)
		}
		if err != nil {
			return err
		}
		w.verdicts[key] = want
	}
	if got != want {
		return fmt.Errorf("gets %s, and %s on the whole package, although nothing is broken that judging needs", got, want)
	}
	return nil
}

// state returns a description of each file below w.top.
func (w *wrecker) state() (map[string]string, error) {
	files := map[string]string{}
	err := filepath.WalkDir(w.top, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		content := ""
		switch {
		case info.Mode().IsRegular():
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			content = fmt.Sprintf("%x", sha256.Sum256(data))
		case info.Mode()&fs.ModeSymlink != 0:
			content, err = os.Readlink(path)
		}
		files[path] = fmt.Sprint(info.Mode(), content)
		return err
	})
	return files, err
}
