package main

import (
	"bufio"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A count is what the tests of a package started, built and ran.
type count struct{ start, build, run int }

// slack returns the most that a count may reach before it is a fault: watching programs, and doubtful runs on a busy
// host, are repeated more or less often. The table is made with an empty cache, which costs most.
func slack(most int) int { return most + most/4 + 10 }

// readTallies adds up the files that package tally writes, one for each package of tests.
func readTallies(dir string) (map[string]count, error) {
	list, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	all := map[string]count{}
	for _, entry := range list {
		f, err := os.Open(filepath.Join(dir, entry.Name()))
		if err != nil {
			return nil, err
		}
		var n count
		built := map[string]bool{}
		for lines := bufio.NewScanner(f); lines.Scan(); {
			switch kind, what, _ := strings.Cut(lines.Text(), " "); kind {
			case "start":
				n.start++
			case "build":
				built[what] = true
			case "run":
				n.run++
			}
		}
		f.Close()
		n.build = len(built)
		all[strings.ReplaceAll(entry.Name(), "+", "/")] = n
	}
	return all, nil
}

// compareCounts compares what the tests cost with the table, in which each line has a package, and how often it may
// start the judge, how many programs it may build and how many it may run.
func compareCounts(lists files, tallies string) (faults []string, err error) {
	now, err := readTallies(tallies)
	if err != nil {
		return nil, err
	}
	table, err := readCounts(lists.counts)
	if err != nil && !(lists.update && os.IsNotExist(err)) {
		return nil, err
	}
	if lists.update {
		for pkg, n := range now { // packages that did not run keep their lines
			table[pkg] = n
		}
		return nil, os.WriteFile(lists.counts, []byte(writeCounts(table)), 0o644)
	}
	for _, pkg := range slices.Sorted(maps.Keys(now)) {
		n, most := now[pkg], table[pkg]
		for _, row := range []struct {
			what    string
			n, most int
		}{{"starts of the judge", n.start, most.start}, {"programs built", n.build, most.build}, {"runs in the sandbox", n.run, most.run}} {
			if row.n > slack(row.most) {
				faults = append(faults, fmt.Sprintf("%s: the tests of %s cost more: %d %s, the table has %d (hint: make them cheaper, or say in the commit why not, and change the table by -update)",
					filepath.ToSlash(lists.counts), pkg, row.n, row.what, row.most))
			}
		}
	}
	return faults, nil
}

// heading is the first line of the table.
const heading = "# package, and what its tests may cost: starts of the judge, programs built, runs in the sandbox\n"

func writeCounts(table map[string]count) string {
	var b strings.Builder
	b.WriteString(heading)
	for _, pkg := range slices.Sorted(maps.Keys(table)) {
		fmt.Fprintf(&b, "%s\t%d\t%d\t%d\n", pkg, table[pkg].start, table[pkg].build, table[pkg].run)
	}
	return b.String()
}

func readCounts(file string) (map[string]count, error) {
	table := map[string]count{}
	text, err := os.ReadFile(file)
	if err != nil {
		return table, err
	}
	for i, line := range strings.Split(string(text), "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		var pkg string
		var n count
		if _, err := fmt.Sscan(line, &pkg, &n.start, &n.build, &n.run); err != nil {
			return table, fmt.Errorf("%s:%d: want a package and three numbers", file, i+1)
		}
		table[pkg] = n
	}
	return table, nil
}
