package main

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// files are the names of the committed lists. "" stands for none.
type files struct {
	sensitive, unchecked, counts string
	update                       bool
}

// lists are the committed lists.
type lists struct {
	files
	known  map[string]string // why tests are sensitive to the host, by package and name
	listed map[string]bool   // what a host with all tools does not check
	most   map[string]count  // what the tests of packages may cost
}

func readLists(names files) (*lists, error) {
	l := &lists{files: names, listed: map[string]bool{}}
	sensitive, err1 := l.text(l.sensitive)
	unchecked, err2 := l.text(l.unchecked)
	counts, err3 := l.text(l.counts)
	err := errors.Join(err1, err2, err3)
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(unchecked) {
		what, _ := split(strings.TrimSpace(line))
		l.listed[what] = true
	}
	if l.known, err = readSensitive(l.sensitive, sensitive); err == nil {
		l.most, err = readCounts(l.counts, counts)
	}
	return l, err
}

// text returns the text of a list, or "" if there is none.
func (l *lists) text(file string) (string, error) {
	if file == "" {
		return "", nil
	}
	text, err := os.ReadFile(file)
	switch {
	case !errors.Is(err, fs.ErrNotExist):
		return string(text), err
	case l.update:
		return "", nil
	}
	return "", fmt.Errorf("%s: there is no such list (hint: -update writes those of -unchecked and -counts)", file)
}

// readSensitive reads a list of tests that are known to be sensitive to the host: package, test and reason on each
// line, or a comment after #.
func readSensitive(file, text string) (map[string]string, error) {
	known := map[string]string{}
	for i, line := range strings.Split(text, "\n") {
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

// compare compares what was not checked, and what the packages started, built and ran, with the lists. It returns a
// line for each fault. With l.update it rewrites the lists instead.
func (l *lists) compare(r *results, tallies string) (faults []string, err error) {
	if l.unchecked != "" {
		if faults, err = l.compareUnchecked(r.unchecked); err != nil {
			return nil, err
		}
	}
	if l.counts != "" {
		now, err := readTallies(tallies)
		if err != nil {
			return nil, err
		}
		found, err := l.compareCounts(now)
		if err != nil {
			return nil, err
		}
		faults = append(faults, found...)
	}
	return faults, nil
}

// compareUnchecked compares what was not checked with the list. A longer list is a fault; on another host there may be
// others instead.
func (l *lists) compareUnchecked(now map[string]string) (faults []string, err error) {
	if l.update {
		var text strings.Builder
		for _, what := range slices.Sorted(maps.Keys(now)) {
			fmt.Fprintf(&text, "%s (%s)\n", what, now[what])
		}
		return nil, os.WriteFile(l.unchecked, []byte(text.String()), 0o644)
	}
	if len(now) <= len(l.listed) {
		return nil, nil
	}
	for _, what := range slices.Sorted(maps.Keys(now)) {
		if !l.listed[what] {
			faults = append(faults, fmt.Sprintf("%s: not checked, but not in the list: %s (%s)", filepath.ToSlash(l.unchecked), what, now[what]))
		}
	}
	return faults, nil
}
