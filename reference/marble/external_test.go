package main

import (
	"bufio"
	"bytes"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"tribunal/reference/marble/disk"
)

// TestScratch checks that a search in files finds what a search in memory finds, whatever the
// memory, the sizes and the number of threads, and that nothing of it is left.
func TestScratch(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	defer func(sizes disk.Sizes, cost int) { diskSizes, leastCost = sizes, cost }(diskSizes, leastCost)
	leastCost = 1 << 6
	chance := rand.New(rand.NewPCG(7, 8))
	for _, test := range []struct {
		why     string
		sizes   disk.Sizes
		limit   int64
		threads int
		boards  []string // of testdata/boards, or none for small ones
	}{
		{"hardly any memory", disk.Sizes{Chunk: 1, Radix: 2, Block: 1, Fan: 16, Merge: 2}, 1, 1, nil},
		{"runs are merged before they are compared", disk.Sizes{Chunk: 2, Radix: 1 << 20, Block: 1, Fan: 13, Merge: 2}, 1, 3, nil},
		{"a part of an outbox takes several streams", disk.Sizes{Chunk: 8, Radix: 2, Block: 64, Fan: 16, Merge: 3}, 1 << 12, 2, nil},
		{"the sizes of large boards", diskSizes, 1 << 14, 5, nil},
		{"much is spilled", disk.Sizes{Chunk: 16, Radix: 100, Block: 100, Fan: 16, Merge: 2}, 1 << 15, 2, []string{"51-moves-8x8-5", "deep-8x8-4", "impossible-8x8-5"}},
		{"un-tilting is given up", diskSizes, 1 << 20, 3, []string{"one-end-home-274", "22-moves-40x40-8"}},
	} {
		t.Run(test.why, func(t *testing.T) {
			runtime.GOMAXPROCS(test.threads)
			diskSizes = test.sizes
			var text strings.Builder
			for _, name := range test.boards {
				input, err := os.ReadFile(filepath.Join("testdata", "boards", name+".in"))
				if err != nil {
					t.Fatal(err)
				}
				text.Write(bytes.TrimSuffix(input, []byte("0 0 0\n")))
			}
			for range 100 {
				if test.boards == nil {
					text.WriteString(smallBoard(chance))
				}
			}
			boards, err := readBoards(strings.NewReader(text.String() + "0 0 0\n"))
			if err != nil {
				t.Fatal(err)
			}
			dir := t.TempDir()
			for i, b := range boards {
				want, wantOK, err := solve(b, &meter{limit: 1 << 40})
				if err != nil {
					t.Fatal(err)
				}
				m := &meter{limit: test.limit, scratch: dir}
				got, ok, err := solve(b, m)
				if got != want || ok != wantOK || err != nil {
					t.Fatalf("board %d: %q %v %v, want %q %v", i+1, got, ok, err, want, wantOK)
				}
				if m.disk.Load() != 0 {
					t.Errorf("board %d leaves %d bytes on disk", i+1, m.disk.Load())
				}
			}
			if left, err := os.ReadDir(dir); len(left) > 0 || err != nil {
				t.Errorf("%d files are left, %v", len(left), err)
			}
		})
	}
}

// TestScratchIsFull checks that a file that cannot grow ends the program with one line that says
// where, for which board and why. The limit stands for a full disk.
func TestScratchIsFull(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("needs ulimit")
	}
	program := buildProgram(t, t.TempDir(), ".")
	input, err := os.Open(filepath.Join("testdata", "boards", "impossible-6m-40x40.in"))
	if err != nil {
		t.Fatal(err)
	}
	defer input.Close()
	dir := t.TempDir()
	command := exec.Command("sh", "-c", `ulimit -f 200 && exec "$0" "$@"`, program, "-mem=16MiB", "-scratch="+dir)
	command.Stdin = input
	var out, bad bytes.Buffer
	command.Stdout, command.Stderr = &out, &bad
	_ = command.Run()
	want := regexp.MustCompile(`^board 1: scratch ` + regexp.QuoteMeta(dir) + `: file too large after \d+ positions \(hint: -scratch=DIR may name a folder with more room\)\n$`)
	if command.ProcessState.ExitCode() != 1 || out.Len() > 0 || !want.MatchString(bad.String()) {
		t.Errorf("%v %q %q", command.ProcessState, &out, &bad)
	}
	if left, err := os.ReadDir(dir); len(left) > 0 || err != nil {
		t.Errorf("%d files are left, %v", len(left), err)
	}
}

// TestScratchIsKilled checks that nothing is left of the files of a program that is killed.
func TestScratchIsKilled(t *testing.T) {
	input, err := os.Open(filepath.Join("testdata", "boards", "impossible-61m-40x40.in"))
	if err != nil {
		t.Fatal(err)
	}
	defer input.Close()
	dir := t.TempDir()
	command := exec.Command(buildProgram(t, t.TempDir(), "."), "-v", "-mem=16MiB", "-scratch="+dir)
	command.Stdin = input
	progress, err := command.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	onDisk := false
	for lines := bufio.NewScanner(progress); !onDisk && lines.Scan(); {
		onDisk = strings.HasSuffix(lines.Text(), " on disk")
	}
	if err := command.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = command.Wait()
	if left, err := os.ReadDir(dir); !onDisk || len(left) > 0 || err != nil {
		t.Errorf("on disk %v, %d files are left, %v", onDisk, len(left), err)
	}
}

// BenchmarkScratch solves hard boards with 64 MiB of memory and files, and compares the time with
// that of a search in memory.
func BenchmarkScratch(b *testing.B) {
	for _, name := range []string{"41-moves-40x40", "impossible-61m-40x40", "impossible-109m-40x40"} {
		b.Run(name, func(b *testing.B) {
			x := readBoard(b, name)
			var took time.Duration
			var m *meter
			for b.Loop() {
				m = &meter{limit: 48 << 20, scratch: b.TempDir()}
				begun := time.Now()
				if _, _, err := solve(x, m); err != nil {
					b.Fatal(err)
				}
				took = time.Since(begun)
			}
			b.ReportMetric(float64(m.positions.Load()), "positions")
			b.ReportMetric(float64(took.Nanoseconds())/float64(m.positions.Load()), "ns/position")
			inMemory, _ := measure(b, x)
			b.ReportMetric(float64(took)/float64(inMemory), "x-memory")
		})
	}
}
