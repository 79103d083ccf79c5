package findings

import (
	"strings"
	"testing"
	"time"

	"tribunal/judge/cli/layout/layouttest"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/verdict"
	"tribunal/judge/lab/calibrate"
)

// TestCalibration compares the reports of a problem whose limits are suitable, which docs/calibrate.md shows, and of one
// for which no limit is right, with golden files.
func TestCalibration(t *testing.T) {
	t.Parallel()
	const us, ms, s = time.Microsecond, time.Millisecond, time.Second
	const accepted = "reference/two/submissions/accepted/"
	suitable := calibrate.Report{
		Problem: "two", Title: "Two", Cases: 5, Beyond: 10 * s, Repeat: 3,
		Present: limits.Limits{CPU: s, Wall: 3 * s, Memory: 64 * limits.MiB, Output: 64 * limits.KiB, Processes: 256, CPUs: 1},
		Programs: []calibrate.Program{
			{Name: "reference/two", Language: "go", Reference: true, Want: verdict.AC, Got: verdict.AC, CPU: 1520 * us, Low: 1480 * us, High: 1570 * us, Case: "edge/least", Memory: limits.MiB, MemoryAt: "edge/most"},
			{Name: accepted + "big", Language: "go", Want: verdict.AC, Got: verdict.AC, CPU: 1660 * us, Low: 1600 * us, High: 1730 * us, Case: "sample/statement", Memory: 1230 * limits.KiB, MemoryAt: "edge/most"},
			{Name: "reference/two/submissions/time_limit_exceeded/counts", Language: "go", Want: verdict.TLE, Got: verdict.TLE, CPU: 10 * s, Low: 10 * s, High: 10 * s, AtLeast: true, Case: "edge/most", Memory: 1230 * limits.KiB},
		},
		Languages: []calibrate.Language{{Name: "go", Programs: 2, Slowest: 1660 * us, Median: 1, Most: 1, Case: "edge/least"}},
		Limits: []calibrate.Proposal{
			{Limit: "cpu", Unit: "ns", Present: int64(s), OK: true, Least: int64(3320 * us), By: accepted + "big", Most: int64(6667 * ms), Stops: "counts", AtLeast: true, Proposed: int64(s)},
			{Limit: "wall", Unit: "ns", Present: int64(3 * s), OK: true, Proposed: int64(3 * s)},
			{Limit: "memory", Unit: "B", Present: int64(64 * limits.MiB), OK: true, Least: int64(2460 * limits.KiB), By: accepted + "big", Proposed: int64(64 * limits.MiB)},
		},
		Line: "{cpu: 1s, memory: 64MiB, output: 64KiB}",
	}
	tight := suitable
	tight.Programs = append(suitable.Programs[:2:2],
		calibrate.Program{Name: accepted + "slow.py", Language: "python3", Want: verdict.AC, Got: verdict.AC, CPU: 700 * ms, Low: 690 * ms, High: 720 * ms, Case: "edge/most", Memory: 9 * limits.MiB},
		calibrate.Program{Name: accepted + "typo.py", Language: "python3", Want: verdict.AC, Got: verdict.CE, Cause: "line 1: invalid syntax"},
		calibrate.Program{Name: "hardly.c", Language: "c", Want: verdict.TLE, Got: verdict.AC, CPU: 1200 * ms, Low: 1200 * ms, High: 1200 * ms, Case: "edge/most", Memory: limits.MiB},
		calibrate.Program{Name: "hoards.c", Language: "c", Want: verdict.MLE, Got: verdict.MLE, AtLeast: true, Memory: 128 * limits.MiB, MemoryAt: "edge/carry"})
	tight.Languages = append(suitable.Languages[:1:1], calibrate.Language{Name: "python3", Programs: 1, Slowest: 700 * ms, Median: 14.2, Most: 450, Case: "edge/most"})
	tight.Limits = []calibrate.Proposal{
		{Limit: "cpu", Unit: "ns", Present: int64(s), Least: int64(1400 * ms), By: accepted + "slow.py", Most: int64(800 * ms), Stops: "hardly.c"},
		{Limit: "wall", Unit: "ns", Present: int64(3 * s), Proposed: int64(5 * s)},
		{Limit: "memory", Unit: "B", Present: int64(64 * limits.MiB), Least: int64(18 * limits.MiB), By: accepted + "slow.py", Most: int64(128*limits.MiB - 1), Stops: "hoards.c", AtLeast: true, Proposed: int64(64 * limits.MiB)},
	}
	tight.Line, tight.Findings, tight.Notes = "", []string{"cpu: no limit is right"}, []string{"this host is busy"}
	for _, tt := range []struct {
		name string
		r    *calibrate.Report
	}{{"calibrate.txt", &suitable}, {"calibrate-tight.txt", &tight}} {
		var text strings.Builder
		if err := Calibration(&text, tt.r, CalibrateOptions{}); err != nil {
			t.Fatal(err)
		}
		layouttest.Golden(t, tt.name, text.String())
	}
}

func TestBar(t *testing.T) {
	t.Parallel()
	const ms, s = time.Millisecond, time.Second
	for _, tt := range []struct {
		why      string
		v, limit time.Duration
		want     string
	}{
		{"nothing", 0, s, "                  │     "},
		{"a millisecond", ms, s, "                  │     "},
		{"a quarter of the logarithmic scale", 10 * ms, s, "██████            │     "},
		{"the limit", s, s, "██████████████████│     "},
		{"the end of the scale", 10 * s, s, "██████████████████│█████"},
		{"beyond the scale", 100 * s, s, "██████████████████│█████"},
		{"the limit at the end of the scale", ms, 10 * s, "                       │"},
	} {
		if got := bar(tt.v, tt.limit, 10*s); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.why, got, tt.want)
		}
	}
}
