package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"tribunal/judge/internal/config"
)

// BenchmarkClass measures judge grade --sheet on three problems and 300 students, each with a program of its own in C
// for each problem. The floor, measured right after it, is judge grade on the same programs, problem by problem. All
// programs are in the cache. sheet-s and grade-s are medians over the iterations of the wall time, ratio and cpu-ratio
// are the medians of the sheet's wall and CPU time divided by the floor's.
func BenchmarkClass(b *testing.B) {
	judge := filepath.Join(b.TempDir(), "judge")
	if out, err := judgeBuild(judge).CombinedOutput(); err != nil {
		b.Skipf("not measured: %v\n%s", err, out)
	}
	dir := b.TempDir()
	programs := map[string][]string{}
	for id, source := range map[string]string{"game": "gray.c", "maze": "single_array.c", "dicey": "flood.c"} {
		text, err := os.ReadFile(filepath.Join(repository, "reference", id, "submissions", "accepted", source))
		if err != nil {
			b.Fatal(err)
		}
		for i := range 300 {
			file := filepath.Join(dir, "class", fmt.Sprintf("student %03d", i), id+".c")
			write(b, file, fmt.Sprintf("// by student %d\n%s", i, text))
			programs[id] = append(programs[id], file)
		}
	}
	run := func(args ...string) (wall, cpu float64) {
		cmd := exec.Command(judge, append([]string{"grade", "--fresh", "--root", repository, "--report", "csv=" + filepath.Join(dir, "report.csv")}, args...)...)
		cmd.Env = append(os.Environ(), config.CacheVariable+"="+filepath.Join(dir, "cache"))
		start := time.Now()
		if out, err := cmd.CombinedOutput(); err != nil {
			b.Fatalf("%v: %v\n%s", args[:2], err, out)
		}
		wall = time.Since(start).Seconds()
		return wall, (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()
	}
	sheet := func() (wall, cpu float64) {
		return run("--sheet", filepath.Join(dir, "class"), "game", "maze", "dicey")
	}
	sheet() // fills the cache
	var sheets, floors, ratios, cpus []float64
	for b.Loop() {
		wall, cpu := sheet()
		var floor, used float64
		for _, id := range []string{"game", "maze", "dicey"} {
			w, c := run(append([]string{id}, programs[id]...)...)
			floor, used = floor+w, used+c
		}
		sheets, floors = append(sheets, wall), append(floors, floor)
		ratios, cpus = append(ratios, wall/floor), append(cpus, cpu/used)
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(median(sheets), "sheet-s")
	b.ReportMetric(median(floors), "grade-s")
	b.ReportMetric(median(ratios), "ratio")
	b.ReportMetric(median(cpus), "cpu-ratio")
}
