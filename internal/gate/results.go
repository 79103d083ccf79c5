package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// An event is a line of go test -json: see go doc test2json. Builds have an ImportPath instead of a Package.
type event struct {
	Action, Package, Test, Output, ImportPath, FailedBuild string
	Elapsed                                                float64
}

// results are what the events of go test add up to. Tests are named by package and name, with a blank between.
type results struct {
	passed, skipped, failed map[string]bool
	running                 map[string]bool
	output                  map[string]*strings.Builder // of tests that failed or still run, of packages ("package "), of builds ("# path")
	unchecked               map[string]string           // the reason why something was not checked, by what it is
	broken                  []string                    // packages that failed without a failed test
}

func newResults() *results {
	return &results{
		passed: map[string]bool{}, skipped: map[string]bool{}, failed: map[string]bool{}, running: map[string]bool{},
		output: map[string]*strings.Builder{}, unchecked: map[string]string{},
	}
}

// read adds the events of a go test -json to r, and prints the line of each package that ends, and what failed in it.
// Lines that are no events are printed as they are.
func (r *results) read(from io.Reader, to io.Writer) error {
	lines := bufio.NewReader(from)
	for {
		line, err := lines.ReadBytes('\n')
		var e event
		if len(line) > 0 && json.Unmarshal(line, &e) != nil {
			to.Write(line)
		} else if len(line) > 0 {
			r.add(e, to)
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func (r *results) add(e event, to io.Writer) {
	name := e.Package + " " + e.Test
	if e.Package == "" {
		name = "# " + e.ImportPath
	}
	switch e.Action {
	case "output", "build-output":
		if r.output[name] == nil {
			r.output[name] = &strings.Builder{}
		}
		r.output[name].WriteString(e.Output)
		return
	case "build-fail":
		fmt.Fprint(to, r.text(name))
		return
	case "run", "cont":
		r.running[name] = true
		return
	case "pass", "skip", "fail":
		delete(r.running, name)
	case "pause":
		delete(r.running, name)
		return
	default:
		return
	}
	if e.Test == "" {
		r.endPackage(e, to)
		return
	}
	switch e.Action {
	case "pass":
		r.passed[name] = true
		r.note(name, r.text(name), false)
		delete(r.output, name)
	case "skip":
		r.skipped[name] = !elsewhere.MatchString(r.text(name))
		r.note(name, r.text(name), true)
		delete(r.output, name)
	case "fail":
		r.failed[name] = true
	}
}

// endPackage prints how a package ended: the go command's own last line, and the output of what failed. That is also
// what still ran when the process ended, by its timeout or a crash.
func (r *results) endPackage(e event, to io.Writer) {
	name := e.Package + " "
	for test := range r.running {
		if strings.HasPrefix(test, name) {
			r.failed[test] = true
			delete(r.running, test)
		}
	}
	if e.Action == "fail" {
		var failed []string
		for _, test := range slices.Sorted(maps.Keys(r.failed)) {
			if strings.HasPrefix(test, name) {
				failed = append(failed, test)
				fmt.Fprint(to, r.text(test))
			}
		}
		if len(failed) == 0 {
			r.broken = append(r.broken, e.Package)
		}
		fmt.Fprint(to, r.text(name))
		return
	}
	lines := strings.Split(strings.TrimSpace(r.text(name)), "\n")
	if last := lines[len(lines)-1]; last != "" {
		fmt.Fprintln(to, last)
	}
}

func (r *results) text(name string) string {
	if b := r.output[name]; b != nil {
		return b.String()
	}
	return ""
}

// failedLeaves returns the failed tests, without those that failed because of a test below them.
func (r *results) failedLeaves() (list []string) {
	for _, test := range slices.Sorted(maps.Keys(r.failed)) {
		if !slices.ContainsFunc(slices.Collect(maps.Keys(r.failed)), func(other string) bool {
			return strings.HasPrefix(other, test+"/")
		}) {
			list = append(list, test)
		}
	}
	return list
}

// leaves returns how many tests have no tests below them, and passed or were skipped.
func leaves(tests map[string]bool) (n int) {
	parents := map[string]bool{}
	for test := range tests {
		for i := strings.LastIndexByte(test, '/'); i > 0; i = strings.LastIndexByte(test[:i], '/') {
			parents[test[:i]] = true
		}
	}
	for test, counts := range tests {
		if counts && !parents[test] {
			n++
		}
	}
	return n
}

// unchecked matches what a test says of what it leaves out, when it is skipped or as a part of it.
var unchecked = regexp.MustCompile(`(?m)^\s*(?:[\w.-]+\.go:\d+: )?not checked: (.*)$`)

// elsewhere matches the message of a test that is skipped because another test runs it, in a process of its own.
var elsewhere = regexp.MustCompile(`(?m)^\s*[\w.-]+\.go:\d+: run by `)

// note keeps what a test that has ended says was not checked. A skipped test that does not say it is named.
func (r *results) note(test, output string, skipped bool) {
	found := unchecked.FindAllStringSubmatch(output, -1)
	for _, m := range found {
		what, reason := split(strings.TrimSpace(m[1]))
		r.unchecked[what] = reason
	}
	if skipped && len(found) == 0 && !elsewhere.MatchString(output) {
		r.unchecked[test] = "it does not say why"
	}
}

// split divides a message into what is not checked and the reason in parentheses at its end, which is "" if there is
// none.
func split(message string) (what, reason string) {
	if !strings.HasSuffix(message, ")") {
		return message, ""
	}
	depth := 0
	for i := len(message) - 1; i > 0; i-- {
		switch message[i] {
		case ')':
			depth++
		case '(':
			depth--
		}
		if depth == 0 {
			return strings.TrimSpace(message[:i]), message[i+1 : len(message)-1]
		}
	}
	return message, ""
}
