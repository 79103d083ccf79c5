package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"tribunal/judge/internal/config"
)

// BenchmarkWaits measures what a user waits for, each beside a floor. docs/performance.md describes both.
func BenchmarkWaits(b *testing.B) {
	b.Run("clone", benchmarkClone)
	b.Run("new", benchmarkNew)
	b.Run("class", benchmarkClass)
	b.Run("many", BenchmarkMany)
	b.Run("save", func(b *testing.B) { benchmarkSave(b).report(b) })
	b.Run("again", func(b *testing.B) { benchmarkAgain(b, "dicey") })
	b.Run("one", BenchmarkOneCase)
}

// benchmarkClone measures README's first command with empty caches of Go and of the judge, but with the modules
// that it would load from elsewhere. The floor is go build of the judge, with an empty cache of its own.
func benchmarkClone(b *testing.B) {
	run := func(want string, args ...string) cost {
		cmd := exec.Command("go", args...)
		cmd.Dir = repository
		cmd.Env = append(os.Environ(), "GOENV=off", "GOFLAGS=", "GOCACHE="+b.TempDir(), config.CacheVariable+"="+b.TempDir())
		return spend(b, cmd, want)
	}
	var p paired
	for b.Loop() {
		p.add(run("AC accepted", "run", "./judge", "grade", "game", filepath.Join("reference", "game", "submissions", "accepted", "search.cpp")),
			run("", "build", "-o", filepath.Join(b.TempDir(), "judge"), "./judge"))
	}
	p.report(b)
}

// sources returns a function that writes another program in C++ at each call, which includes all of the library, and
// returns its file.
func sources(b *testing.B) func() string {
	text, err := os.ReadFile(filepath.Join(repository, "reference", "game", "submissions", "accepted", "search.cpp"))
	if err != nil {
		b.Fatal(err)
	}
	dir, made := b.TempDir(), 0
	return func() string {
		made++
		file := filepath.Join(dir, fmt.Sprintf("p%d.cpp", made))
		write(b, file, fmt.Sprintf("#include <bits/stdc++.h>\nint number = %d;\n%s", made, text))
		return file
	}
}

// fresh returns a repository with cases of the problem game and an empty cache of this size.
func fresh(b *testing.B, gray string, cases int, size string) string {
	root := b.TempDir()
	writeGames(b, root, gray, cases)
	write(b, filepath.Join(root, "runner.yaml"), fmt.Sprintf("cache: %s\ncache_size: %s\n", b.TempDir(), size))
	return root
}

// benchmarkNew measures judge grade with a program in C++ that is not in the cache, on one case. The floor is g++.
func benchmarkNew(b *testing.B) {
	judge, _, gray := buildForFloor(b)
	root, program := fresh(b, gray, 1, "2GiB"), sources(b)
	grade := func() cost {
		return spend(b, exec.Command(judge, "grade", "--root", root, "-q", "game", program()), "AC 1/1")
	}
	grade()
	grade() // makes the compiled header
	var p paired
	for b.Loop() {
		p.add(grade(), spend(b, exec.Command("g++", "-O2", "-std=gnu++20", "-DONLINE_JUDGE", "-o", filepath.Join(root, "floor"), program()), ""))
	}
	p.report(b)
}

// benchmarkClass measures judge grade with 300 programs in C++ on 50 cases and an empty cache, so that it makes the
// compiled header, too. The floor is the same with a cache in which no compiled header has room.
func benchmarkClass(b *testing.B) {
	judge, _, gray := buildForFloor(b)
	var programs []string
	for program := sources(b); len(programs) < 300; {
		programs = append(programs, program())
	}
	grade := func(size string) cost {
		args := append([]string{"grade", "--root", fresh(b, gray, 50, size), "-q", "game"}, programs...)
		return spend(b, exec.Command(judge, args...), "p300.cpp: AC 50/50")
	}
	var p paired
	for b.Loop() {
		p.add(grade("2GiB"), grade("512MiB"))
	}
	p.report(b)
}

// paired holds what runs of the judge took, each with what its floor took beside it.
type paired struct{ walls, floors, ratios, cpus []float64 }

func (p *paired) add(judged, floor cost) {
	p.walls, p.floors = append(p.walls, float64(judged.wall)), append(p.floors, float64(floor.wall))
	p.ratios = append(p.ratios, float64(judged.wall)/float64(floor.wall))
	p.cpus = append(p.cpus, float64(judged.cpu)/float64(floor.cpu))
}

// report reports medians over the iterations: the wall times of the judge and of its floor, and the judge's wall time
// and, if it was measured, CPU time divided by its floor's.
func (p *paired) report(b *testing.B) {
	b.ReportMetric(median(p.walls), "ns/op")
	b.ReportMetric(median(p.floors), "ns-floor")
	b.ReportMetric(median(p.ratios), "x-floor")
	if cpu := median(p.cpus); cpu > 0 {
		b.ReportMetric(cpu, "x-floor-cpu")
	}
}

// mean returns half of what two runs took.
func mean(x, y cost) cost { return cost{wall: (x.wall + y.wall) / 2, cpu: (x.cpu + y.cpu) / 2} }

// spend runs a command whose output must contain want, and returns what it and its children took.
func spend(b *testing.B, cmd *exec.Cmd, want string) cost {
	b.Helper()
	start := time.Now()
	out, err := cmd.CombinedOutput()
	wall := time.Since(start)
	if err != nil || !bytes.Contains(out, []byte(want)) {
		b.Fatalf("%.200q: %v, want %q\n%.2000s", cmd.Args, err, want, out)
	}
	return cost{wall: wall, cpu: cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()}
}
