package main

import (
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
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

// test runs go test with args, runs again what failed, and compares what was not checked and what it cost with the
// lists. It returns the exit status; an error means that the gate itself failed.
func (g *gate) test(args []string, names files) (int, error) {
	if g.goTest == nil {
		g.goTest = goTest
	}
	l, err := readLists(names)
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
	var faults []string
	if l.update && len(red)+len(r.broken) > 0 {
		faults = []string{"the lists are not updated, because a test failed"}
	} else if faults, err = l.compare(r, tallies); err != nil {
		return 0, err
	}
	g.summary(r, red, sensitive, l.known, faults)
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
