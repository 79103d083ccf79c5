package main

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"tribunal/internal/chart"
)

// column is a column of a table: the unit of its measurements, its title, and the format of a
// measurement.
type column struct {
	unit, title string
	show        func(float64) string
}

// columns lists the columns of the known units, from left to right. Columns for other units of the
// form ns/PART come before these, and columns for all remaining units after them.
var columns = []column{
	{"ns/op", "time", chart.Duration},
	{"ns/case", "time of a case", chart.Duration},
	{"ns-floor", "its floor", chart.Duration},
	{"x-floor", "× floor", chart.Digits},
	{"cpu-ns/op", "CPU time", chart.Duration},
	{"cpu-ns/case", "CPU time of a case", chart.Duration},
	{"x-floor-cpu", "CPU × floor", chart.Digits},
	{"MB", "memory in MB", chart.Digits},
	{"ns/puzzle", "a puzzle", chart.Duration},
	{"worst-ns/puzzle", "the worst", chart.Duration},
	{"positions", "positions", chart.Count},
	{"ns/position", "a position", chart.Duration},
	{"B/position", "bytes a position", chart.Digits},
	{"x-baseline", "times as fast as the baseline", chart.Digits},
	{"x-memory", "times as long as in memory", chart.Digits},
	{"speed-up", "speed-up", chart.Digits},
	{"ceiling", "ceiling", chart.Digits},
	{"x-fair-share", "fair shares of the busiest thread", chart.Digits},
	{"barriers", "waits of all threads", chart.Digits},
	{"ns/direct", "judge grade", chart.Duration},
	{"ns/served", "the service", chart.Duration},
	{"throughput", "throughput of the service", chart.Digits},
	{"ns-p50", "half within", chart.Duration},
	{"ns-p95", "95 % within", chart.Duration},
	{"ns-p99", "99 % within", chart.Duration},
	{"ns-last", "the last", chart.Duration},
	{"B/listener", "bytes a listener", chart.Digits},
	{"x-floor-memory", "memory × floor", chart.Digits},
	{"MB-peak", "peak in MB", chart.Digits},
	{"B/submission", "bytes a submission", chart.Digits},
	{"ns-ledger", "start: ledger", chart.Duration},
	{"ns-snapshot", "start: snapshot", chart.Duration},
	{"ns-taken", "95 % taken within", chart.Duration},
	{"ns-page", "95 % of pages", chart.Duration},
	{"ns-late", "last verdict", chart.Duration},
	{"boards/s", "standings a second", chart.Digits},
	{"B/s", "bytes a second", chart.Digits},
	{"verdicts/s", "verdicts a second", chart.Digits},
	{"x-verdicts", "verdicts × simulated", chart.Digits},
	{"x-taken", "taken × simulated", chart.Digits},
	{"x-judged", "judged × simulated", chart.Digits},
}

// unshown lists the units that are left out, because go test adds them to every benchmark.
var unshown = []string{"B/op", "allocs/op", "MB/s"}

// tables returns a Markdown table for each benchmark of a subject.
func tables(s *subject) string {
	var names []string
	for _, r := range s.results {
		if !slices.Contains(names, r.bench) {
			names = append(names, r.bench)
		}
	}
	var parts []string
	for _, name := range names {
		var rows []*result
		for _, r := range s.results {
			if r.bench == name {
				rows = append(rows, r)
			}
		}
		parts = append(parts, table(name, rows))
	}
	return strings.Join(parts, "\n")
}

// table returns the table of a benchmark, with a row for each result.
func table(name string, rows []*result) string {
	shown := columnsOf(rows)
	var out strings.Builder
	fmt.Fprintf(&out, "| %s |", cell(name))
	for _, c := range shown {
		fmt.Fprintf(&out, " %s |", cell(c.title))
	}
	out.WriteString("\n|---|" + strings.Repeat("--:|", len(shown)) + "\n")
	for _, r := range rows {
		fmt.Fprintf(&out, "| %s |", cell(cmp.Or(r.family, "all")))
		for _, c := range shown {
			text := ""
			if v, ok := r.of(c.unit); ok {
				text = c.show(v.median()) + spread(v)
			}
			fmt.Fprintf(&out, " %s |", text)
		}
		out.WriteString("\n")
	}
	return out.String()
}

// columnsOf returns the columns for all units in rows.
func columnsOf(rows []*result) []column {
	var units []string
	for _, r := range rows {
		for _, v := range r.values {
			if !slices.Contains(units, v.unit) && !slices.Contains(unshown, v.unit) {
				units = append(units, v.unit)
			}
		}
	}
	var shown []column
	for _, c := range columns {
		if slices.Contains(units, c.unit) && !(c.unit == "ns/op" && slices.ContainsFunc(units, isPart)) {
			shown = append(shown, c)
		}
	}
	for _, u := range units {
		switch part, _ := strings.CutPrefix(u, "ns/"); {
		case slices.ContainsFunc(columns, func(c column) bool { return c.unit == u }):
		case isPart(u):
			shown = slices.Insert(shown, 0, column{u, "a " + part, chart.Duration})
		default:
			shown = append(shown, column{u, u, chart.Digits})
		}
	}
	return shown
}

// isPart reports whether a unit is the time for an independent part of an operation, such as
// ns/puzzle. ns/position is not such a unit, because the positions of a search depend on each
// other.
func isPart(unit string) bool {
	return strings.HasPrefix(unit, "ns/") && unit != "ns/op" && unit != "ns/position"
}

// spread returns the largest deviation of a run from the median, such as " ±3 %", or "" if it is
// below 1 %.
func spread(v values) string {
	m := v.median()
	if m == 0 {
		return ""
	}
	percent := math.Round(100 * max(v.high()-m, m-v.low()) / m)
	if percent < 1 {
		return ""
	}
	return fmt.Sprintf(" ±%.0f %%", percent)
}

// cell escapes a text for a cell of a Markdown table.
func cell(text string) string { return strings.NewReplacer("|", `\|`, "<", "&lt;").Replace(text) }
