package main

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A subject is a place for figures in a document, with its measurements in the order of the benchmarks.
// It belongs to the solver of a problem, or to a benchmark of another package that compares programs.
type subject struct {
	id      string // of the problem, or the name of the benchmark, such as Compare/large
	solver  bool
	procs   int // GOMAXPROCS
	results []*result
}

// A result holds the measurements of a benchmark or, if it has sub-benchmarks, of one of them.
type result struct {
	bench, family string // a table and its row, such as Solve and random-20x20; family is "" without sub-benchmarks
	values        []values
}

// values holds the measurements of all runs in one unit.
type values struct {
	unit string
	all  []float64 // in increasing order
}

func (v values) median() float64 {
	n := len(v.all)
	return (v.all[(n-1)/2] + v.all[n/2]) / 2
}

func (v values) low() float64  { return v.all[0] }
func (v values) high() float64 { return v.all[len(v.all)-1] }

// of returns the measurements in a unit, or false if there are none.
func (r *result) of(unit string) (values, bool) {
	i := slices.IndexFunc(r.values, func(v values) bool { return v.unit == unit })
	if i < 0 {
		return values{}, false
	}
	return r.values[i], true
}

// add adds a measurement.
func (r *result) add(unit string, value float64) {
	i := slices.IndexFunc(r.values, func(v values) bool { return v.unit == unit })
	if i < 0 {
		i = len(r.values)
		r.values = append(r.values, values{unit: unit})
	}
	v := &r.values[i]
	at, _ := slices.BinarySearch(v.all, value)
	v.all = slices.Insert(v.all, at, value)
}

// measurement is a line of the output: one run of a benchmark.
type measurement struct {
	name   string // as printed, without "Benchmark", but with GOMAXPROCS
	values []values
}

const folder = "/reference/"

// parse reads the output of go test -bench. The benchmarks of a package reference/<id> are one
// subject, and those of packages below it are ignored. In any other package a benchmark with
// sub-benchmarks is a subject, and they are the rows of its table.
func parse(in io.Reader) ([]*subject, error) {
	var subjects []*subject
	lines := map[*subject][]measurement{}
	pkg := ""
	number := 0
	scanner := bufio.NewScanner(in)
	for scanner.Scan() {
		number++
		line := scanner.Text()
		name, named := strings.CutPrefix(line, "pkg: ")
		switch {
		case named:
			pkg = name
		case strings.HasPrefix(line, "FAIL"), strings.HasPrefix(line, "--- FAIL"), strings.HasPrefix(line, "panic: "):
			return nil, fmt.Errorf("benchmarks:%d: a benchmark failed: %s", number, line)
		case strings.HasPrefix(line, "Benchmark"):
			m, ok, err := parseLine(line)
			if err != nil {
				return nil, fmt.Errorf("benchmarks:%d: %w", number, err)
			}
			if ok && pkg == "" {
				return nil, fmt.Errorf("benchmarks:%d: no line pkg: … before the first result", number)
			}
			_, id, solver := strings.Cut(pkg, folder)
			if !solver {
				id = m.name[:max(0, strings.LastIndexByte(m.name, '/'))]
			}
			if !ok || id == "" || solver && strings.Contains(id, "/") {
				continue
			}
			i := slices.IndexFunc(subjects, func(s *subject) bool { return s.id == id && s.solver == solver })
			if i < 0 {
				i = len(subjects)
				subjects = append(subjects, &subject{id: id, solver: solver})
			}
			lines[subjects[i]] = append(lines[subjects[i]], m)
		}
	}
	if err := scanner.Err(); err != nil {
		return nil, fmt.Errorf("benchmarks:%d: %w", number+1, err)
	}
	if len(subjects) == 0 {
		return nil, fmt.Errorf("benchmarks:%d: no result before the end (hint: go test -run - -bench . ./reference/...)", number+1)
	}
	for _, s := range subjects {
		s.merge(lines[s])
	}
	return subjects, nil
}

// parseLine parses a line that begins with the name of a benchmark. ok is false if the line has
// only the name, which go test prints when a benchmark begins.
func parseLine(line string) (m measurement, ok bool, err error) {
	fields := strings.Fields(line)
	if len(fields) == 1 {
		return m, false, nil
	}
	if n, err := strconv.Atoi(fields[1]); err != nil || n < 1 {
		return m, false, fmt.Errorf("%s is not a number of runs of %s", fields[1], fields[0])
	}
	if len(fields)%2 != 0 || len(fields) < 4 {
		return m, false, fmt.Errorf("%s has no value, or a value without a unit", fields[0])
	}
	m.name = strings.TrimPrefix(fields[0], "Benchmark")
	for i := 2; i < len(fields); i += 2 {
		v, err := strconv.ParseFloat(fields[i], 64)
		if err != nil || math.IsInf(v, 0) || math.IsNaN(v) || v < 0 {
			return m, false, fmt.Errorf("%s is not a measurement in %s of %s", fields[i], fields[i+1], fields[0])
		}
		m.values = append(m.values, values{fields[i+1], []float64{v}})
	}
	return m, true, nil
}

var suffix = regexp.MustCompile(`-([1-9][0-9]*)$`)

// merge combines repeated runs of the same benchmark. go test adds GOMAXPROCS to the name of a
// benchmark unless it is 1. If all names end with the same number, merge takes it for GOMAXPROCS;
// otherwise numbers are part of the names.
func (s *subject) merge(lines []measurement) {
	for i, m := range lines {
		procs := 1
		if found := suffix.FindStringSubmatch(m.name); found != nil {
			procs, _ = strconv.Atoi(found[1])
		}
		if i > 0 && procs != s.procs {
			procs = 1
		}
		if s.procs = procs; procs == 1 {
			break
		}
	}
	for _, m := range lines {
		name := m.name
		if s.procs > 1 {
			name = suffix.ReplaceAllString(name, "")
		}
		bench, family, _ := strings.Cut(name, "/")
		if !s.solver {
			bench, family = s.id, strings.ReplaceAll(strings.TrimPrefix(name, s.id+"/"), "_", " ") // as go test was given it
		}
		i := slices.IndexFunc(s.results, func(r *result) bool { return r.bench == bench && r.family == family })
		if i < 0 {
			i = len(s.results)
			s.results = append(s.results, &result{bench: bench, family: family})
		}
		for _, v := range m.values {
			s.results[i].add(v.unit, v.all[0])
		}
	}
}
