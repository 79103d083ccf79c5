package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// BenchmarkSources measures judge grade on programs in C++ that begin with #include <bits/stdc++.h> and are not in the
// cache. One is a program on one case; the floor, measured right after it, is g++ alone. Class is 50 cases and a program
// for each iteration, with an empty cache, so that a compiled header is made, too: run it with -benchtime 300x. Its
// floor is the same with a cache in which no compiled header has room. judge-s and floor-s are medians of the wall time,
// ratio and cpu-ratio are those of the judge's time divided by the floor's.
func BenchmarkSources(b *testing.B) {
	judge, _, gray := buildForFloor(b)
	search, err := os.ReadFile(filepath.Join(repository, "reference", "game", "submissions", "accepted", "search.cpp"))
	if err != nil {
		b.Fatal(err)
	}
	dir, made := b.TempDir(), 0
	program := func() string {
		made++
		file := filepath.Join(dir, fmt.Sprintf("p%d.cpp", made))
		write(b, file, fmt.Sprintf("#include <bits/stdc++.h>\nint number = %d;\n%s", made, search))
		return file
	}
	run := func(want string, args ...string) (wall, cpu float64) {
		cmd := exec.Command(args[0], args[1:]...)
		start := time.Now()
		out, err := cmd.CombinedOutput()
		if err != nil || !strings.Contains(string(out), want) {
			b.Fatalf("%v: %v\n%s", args[:2], err, out)
		}
		return time.Since(start).Seconds(), (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()
	}
	root := func(b *testing.B, cases int, cache string) string {
		root := b.TempDir()
		writeGames(b, root, gray, cases)
		write(b, filepath.Join(root, "runner.yaml"), fmt.Sprintf("cache: %s\ncache_size: %s\n", b.TempDir(), cache))
		return root
	}
	report := func(b *testing.B, judged, floors, ratios, cpus []float64) {
		b.ReportMetric(0, "ns/op")
		b.ReportMetric(median(judged), "judge-s")
		b.ReportMetric(median(floors), "floor-s")
		b.ReportMetric(median(ratios), "ratio")
		b.ReportMetric(median(cpus), "cpu-ratio")
	}
	b.Run("one", func(b *testing.B) {
		root := root(b, 1, "2GiB")
		grade := func() (wall, cpu float64) {
			return run("AC 1/1", judge, "grade", "--root", root, "-q", "game", program())
		}
		grade()
		grade() // makes the header
		var judged, floors, ratios, cpus []float64
		for b.Loop() {
			wall, cpu := grade()
			floor, used := run("", "g++", "-O2", "-std=gnu++20", "-DONLINE_JUDGE", "-o", filepath.Join(dir, "floor"), program())
			judged, floors = append(judged, wall), append(floors, floor)
			ratios, cpus = append(ratios, wall/floor), append(cpus, cpu/used)
		}
		report(b, judged, floors, ratios, cpus)
	})
	b.Run("class", func(b *testing.B) {
		with, without := root(b, 50, "2GiB"), root(b, 50, "512MiB")
		var programs []string
		for range b.N {
			programs = append(programs, program())
		}
		grade := func(root string) (wall, cpu float64) {
			return run("AC 50/50", append([]string{judge, "grade", "--root", root, "-q", "game"}, programs...)...)
		}
		b.ResetTimer()
		wall, cpu := grade(with)
		floor, used := grade(without)
		report(b, []float64{wall}, []float64{floor}, []float64{wall / floor}, []float64{cpu / used})
	})
}
