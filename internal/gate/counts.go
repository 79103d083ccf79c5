package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// A count is what the tests of a package started, built and ran.
type count struct{ start, build, run int }

// slack returns the most that a count may reach before it is a fault: watching programs, and doubtful runs on a busy
// host, are repeated more or less often. The table is made with an empty cache, which costs most.
func slack(most int) int { return most + most/2 + 20 }

// varies is the count of what a test does until something happens, which no table can bound: "-" in the table.
const varies = -1

// readTallies adds up the files that package tally writes, one for each package of tests.
func readTallies(dir string) (map[string]count, error) {
	list, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	all := map[string]count{}
	for _, entry := range list {
		text, err := os.ReadFile(filepath.Join(dir, entry.Name()))
		if err != nil {
			return nil, err
		}
		var n count
		built := map[string]bool{}
		for line := range strings.Lines(string(text)) {
			switch kind, what, _ := strings.Cut(line, " "); kind {
			case "start":
				n.start++
			case "build":
				built[what] = true
			case "run":
				n.run++
			}
		}
		n.build = len(built)
		all[strings.ReplaceAll(entry.Name(), "+", "/")] = n
	}
	return all, nil
}

// compareCounts compares what the tests cost with the table, or with update changes the table.
func (l *lists) compareCounts(now map[string]count) (faults []string, err error) {
	if l.update {
		for pkg, n := range now { // packages that did not run keep their lines
			if l.most[pkg].run == varies {
				n.run = varies
			}
			l.most[pkg] = n
		}
		return nil, os.WriteFile(l.counts, []byte(writeCounts(l.most)), 0o644)
	}
	for _, pkg := range slices.Sorted(maps.Keys(now)) {
		n, most := now[pkg], l.most[pkg]
		for _, row := range []struct {
			what    string
			n, most int
		}{{"starts of the judge", n.start, most.start}, {"programs built", n.build, most.build}, {"runs in the sandbox", n.run, most.run}} {
			if row.most != varies && row.n > slack(row.most) {
				faults = append(faults, fmt.Sprintf("%s: the tests of %s cost more: %d %s, the table has %d (hint: make them cheaper, or say in the commit why not, and change the table by -update)",
					filepath.ToSlash(l.counts), pkg, row.n, row.what, row.most))
			}
		}
	}
	return faults, nil
}

// heading is the first line of the table.
const heading = "# package, and what its tests may cost: starts of the judge, programs built, runs in the sandbox (-: as many as it takes)\n"

func writeCounts(table map[string]count) string {
	var b strings.Builder
	b.WriteString(heading)
	for _, pkg := range slices.Sorted(maps.Keys(table)) {
		runs := strconv.Itoa(table[pkg].run)
		if table[pkg].run == varies {
			runs = "-"
		}
		fmt.Fprintf(&b, "%s\t%d\t%d\t%s\n", pkg, table[pkg].start, table[pkg].build, runs)
	}
	return b.String()
}

// readCounts reads a table, in which each line has a package, and how often its tests may start the judge, how many
// programs they may build and how many they may run.
func readCounts(file, text string) (map[string]count, error) {
	table := map[string]count{}
	for i, line := range strings.Split(text, "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		var pkg, runs string
		n := count{run: varies}
		_, err := fmt.Sscan(line, &pkg, &n.start, &n.build, &runs)
		if err == nil && runs != "-" {
			n.run, err = strconv.Atoi(runs)
		}
		if err != nil || len(strings.Fields(line)) != 4 {
			return nil, fmt.Errorf("%s:%d: want a package and three numbers, of which the last may be -", file, i+1)
		}
		table[pkg] = n
	}
	return table, nil
}
