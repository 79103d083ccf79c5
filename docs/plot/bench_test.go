package main

import (
	"slices"
	"strings"
	"testing"
)

// TestNames checks that only GOMAXPROCS is removed from the names of benchmarks.
func TestNames(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why, names string
		procs      int
		want       string
	}{
		{"two processors", "Boards/m4-1-2 Boards/m4-5-2 Tiny-2", 2, "Boards:m4-1 Boards:m4-5 Tiny:"},
		{"one processor: go test adds nothing to names", "Boards/m4-1 Boards/m4-5", 1, "Boards:m4-1 Boards:m4-5"},
		{"one processor, and a name without a number", "Boards/m4-2 Tiny", 1, "Boards:m4-2 Tiny:"},
		{"two levels of sub-benchmarks", "Threads/m4-1/4-16", 16, "Threads:m4-1/4"},
		{"repeated runs", "Solve/a-2 Solve/b-2 Solve/a-2", 2, "Solve:a Solve:b"},
	} {
		var out strings.Builder
		out.WriteString("pkg: tribunal/reference/x\n")
		for _, n := range strings.Fields(tt.names) {
			out.WriteString("Benchmark" + n + " 1 5 ns/op\n")
		}
		subjects, err := parse(strings.NewReader(out.String()))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, r := range subjects[0].results {
			got = append(got, r.bench+":"+r.family)
		}
		if s := strings.Join(got, " "); s != tt.want || subjects[0].procs != tt.procs {
			t.Errorf("%s: got %s with %d processors", tt.why, s, subjects[0].procs)
		}
	}
}

func TestMedian(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		all    []float64
		median float64
		spread string
	}{
		{[]float64{7}, 7, ""},
		{[]float64{9, 1, 5}, 5, " ±80 %"},
		{[]float64{4, 1, 2, 8}, 3, " ±167 %"},
		{[]float64{1000, 1004, 1001}, 1001, ""},
		{[]float64{0, 0}, 0, ""},
	} {
		r := &result{}
		for _, v := range tt.all {
			r.add("x", v)
		}
		v, _ := r.of("x")
		if v.median() != tt.median || spread(v) != tt.spread || v.low() != slices.Min(tt.all) || v.high() != slices.Max(tt.all) {
			t.Errorf("%v: median %v, from %v to %v,%s", tt.all, v.median(), v.low(), v.high(), spread(v))
		}
	}
}
