package main

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// mostAgain is how many failed tests run again. If more fail, the host is not to blame.
const mostAgain = 20

// A gate runs tests and prints to out.
type gate struct {
	out io.Writer
	// goTest runs go test with arguments and copies its standard output to out. Tests replace it.
	goTest func(out io.Writer, env []string, args ...string) error
}

// files are the names of the committed lists. "" stands for none.
type files struct {
	sensitive, unchecked, counts string
	update                       bool
}

// test runs go test with args, runs again what failed, and compares what was not checked and what it cost with the
// lists. It returns the exit status; an error means that the gate itself failed.
func (g *gate) test(args []string, lists files) (int, error) {
	if g.goTest == nil {
		g.goTest = goTest
	}
	known, err := readSensitive(lists.sensitive)
	if err != nil {
		return 0, err
	}
	tallies, err := os.MkdirTemp("", "gate-")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(tallies)
	self, err := os.Executable()
	if err != nil {
		return 0, err
	}
	r := newResults()
	if err := g.play(r, []string{talliesVariable + "=" + tallies}, append([]string{"-json", "-count=1", "-exec=" + self + " " + wrapped}, args...)); err != nil {
		return 0, err
	}
	red, sensitive, err := g.again(r)
	if err != nil {
		return 0, err
	}
	faults, err := g.compare(r, tallies, lists)
	if err != nil {
		return 0, err
	}
	g.summary(r, red, sensitive, known, faults)
	if len(red)+len(r.broken)+len(faults) > 0 {
		return 1, nil
	}
	return 0, nil
}

// play runs go test and adds its events to r.
func (g *gate) play(r *results, env, args []string) error {
	pr, pw := io.Pipe()
	var failed error
	go func() {
		failed = g.goTest(pw, env, args...)
		pw.Close()
	}()
	if err := r.read(pr, g.out); err != nil {
		return err
	}
	if _, exited := failed.(*exec.ExitError); failed != nil && !exited {
		return failed
	}
	if failed != nil && len(r.failed)+len(r.broken) == 0 {
		return fmt.Errorf("go test: %w, but no test failed", failed)
	}
	return nil
}

func goTest(out io.Writer, env []string, args ...string) error {
	cmd := exec.Command("go", append([]string{"test"}, args...)...)
	cmd.Env = append(cmd.Environ(), env...)
	cmd.Stdout, cmd.Stderr = out, os.Stderr
	return cmd.Run()
}

// again runs each failed test once more, alone. red failed twice, sensitive passed.
func (g *gate) again(r *results) (red, sensitive []string, err error) {
	list := r.failedLeaves()
	if len(list) > mostAgain {
		return list, nil, nil
	}
	for _, test := range list {
		pkg, name, _ := strings.Cut(test, " ")
		fmt.Fprintf(g.out, "again, alone: %s %s\n", pkg, name)
		second := newResults()
		if err := g.play(second, nil, []string{"-json", "-count=1", "-parallel=1", "-run=" + pattern(name), pkg}); err != nil {
			return nil, nil, err
		}
		if second.passed[test] && len(second.failed)+len(second.broken) == 0 {
			sensitive = append(sensitive, test)
		} else {
			red = append(red, test)
		}
	}
	return red, sensitive, nil
}

// pattern returns the argument of -run that selects one test.
func pattern(name string) string {
	parts := strings.Split(name, "/")
	for i, part := range parts {
		parts[i] = "^" + regexp.QuoteMeta(part) + "$"
	}
	return strings.Join(parts, "/")
}

// readSensitive reads the list of tests that are known to be sensitive to the host: package, test and reason on each
// line, or a comment after #.
func readSensitive(file string) (map[string]string, error) {
	known := map[string]string{}
	if file == "" {
		return known, nil
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	for i, line := range strings.Split(string(text), "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		part := strings.SplitN(line, " ", 3)
		if len(part) < 3 {
			return nil, fmt.Errorf("%s:%d: want a package, a test and the reason", file, i+1)
		}
		known[part[0]+" "+part[1]] = part[2]
	}
	return known, nil
}

// summary prints the last lines.
func (g *gate) summary(r *results, red, sensitive []string, known map[string]string, faults []string) {
	fmt.Fprintln(g.out)
	byReason := map[string]int{}
	for _, reason := range r.unchecked {
		byReason[reason]++
	}
	for _, reason := range slices.Sorted(maps.Keys(byReason)) {
		fmt.Fprintf(g.out, "not checked: %d (%s)\n", byReason[reason], reason)
	}
	for _, test := range sensitive {
		reason, listed := known[test]
		if !listed {
			reason = "not listed yet: mend it"
		}
		fmt.Fprintf(g.out, "host-sensitive: %s: failed once, passed alone (%s)\n", test, reason)
	}
	for _, test := range slices.Concat(red, r.broken) {
		fmt.Fprintf(g.out, "failed: %s\n", test)
	}
	for _, fault := range faults {
		fmt.Fprintln(g.out, fault)
	}
	// Counted are tests without tests below them, as a reader of the output counts.
	passed := leaves(r.passed) + len(sensitive)
	fmt.Fprintf(g.out, "%d passed, %d failed, %d skipped\n", passed, len(red)+len(r.broken), leaves(r.skipped))
}

// compare compares what was not checked, and what the packages started, built and ran, with the committed lists. It
// returns a line for each fault. With lists.update it rewrites the lists instead.
func (g *gate) compare(r *results, tallies string, lists files) (faults []string, err error) {
	if lists.unchecked != "" {
		found, err := compareList(lists, r.unchecked)
		if err != nil {
			return nil, err
		}
		faults = append(faults, found...)
	}
	if lists.counts != "" {
		found, err := compareCounts(lists, tallies)
		if err != nil {
			return nil, err
		}
		faults = append(faults, found...)
	}
	return faults, nil
}

// compareList compares what was not checked with the list of what a host with all tools does not check. A longer list
// is a fault; on another host there may be others instead.
func compareList(lists files, unchecked map[string]string) (faults []string, err error) {
	var now bytes.Buffer
	for _, what := range slices.Sorted(maps.Keys(unchecked)) {
		fmt.Fprintf(&now, "%s (%s)\n", what, unchecked[what])
	}
	if lists.update {
		return nil, os.WriteFile(lists.unchecked, now.Bytes(), 0o644)
	}
	text, err := os.ReadFile(lists.unchecked)
	if err != nil {
		return nil, err
	}
	listed := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		what, _ := split(strings.TrimSpace(line))
		listed[what] = true
	}
	if len(unchecked) <= len(listed) {
		return nil, nil
	}
	for _, what := range slices.Sorted(maps.Keys(unchecked)) {
		if !listed[what] {
			faults = append(faults, fmt.Sprintf("not checked, but not in %s: %s (%s)", filepath.ToSlash(lists.unchecked), what, unchecked[what]))
		}
	}
	return faults, nil
}
