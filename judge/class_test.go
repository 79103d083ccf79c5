package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"tribunal/judge/internal/config"
)

// BenchmarkClass measures judge grade --sheet on three problems and 300 students, each with a program of its own in C
// for each problem. The floor, measured right after it, is judge grade on the same programs, problem by problem. All
// programs are in the cache.
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
	run := func(args ...string) cost {
		cmd := exec.Command(judge, append([]string{"grade", "--fresh", "--root", repository, "--report", "csv=" + filepath.Join(dir, "report.csv")}, args...)...)
		cmd.Env = append(os.Environ(), config.CacheVariable+"="+filepath.Join(dir, "cache"))
		return spend(b, cmd, "")
	}
	sheet := func() cost { return run("--sheet", filepath.Join(dir, "class"), "game", "maze", "dicey") }
	sheet() // fills the cache
	var p paired
	for b.Loop() {
		judged, floor := sheet(), cost{}
		for _, id := range []string{"game", "maze", "dicey"} {
			one := run(append([]string{id}, programs[id]...)...)
			floor.wall, floor.cpu = floor.wall+one.wall, floor.cpu+one.cpu
		}
		p.add(judged, floor)
	}
	p.report(b)
}
