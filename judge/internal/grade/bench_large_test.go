package grade

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/limits"
	"tribunal/judge/packages/pkgformat"
)

const (
	largeCases = 10
	largeSize  = 20 << 20
)

// copiers are programs that copy their input, by how they do it.
var copiers = []struct{ name, text string }{
	{"blocks", `
#include <unistd.h>
static char b[1 << 16];
int main(void) {
	for (ssize_t n; (n = read(0, b, sizeof b)) > 0;)
		for (ssize_t k = 0; k < n;) {
			ssize_t w = write(1, b + k, n - k);
			if (w < 0) return 1;
			k += w;
		}
}`},
	{"stdio", `
#include <stdio.h>
static char b[1 << 12];
int main(void) {
	while (fgets(b, sizeof b, stdin)) fputs(b, stdout);
	return ferror(stdin) || fclose(stdout) != 0;
}`},
}

// BenchmarkLargeData grades programs that copy their input, on a package whose cases have 20 MiB of
// input and 20 MiB of output each, with one and two slots. Right after that, as the floor, it forks,
// executes and waits for the same program as often, with the file as its input, and compares what
// comes out of a pipe with the answer in windows. One iteration is such a pair. ratio and cpu-ratio
// are medians over the pairs: elapsed time, and CPU time with that of all children. Times are
// milliseconds for each case. rss-MiB is the peak of the judge's resident memory. memory-files-MiB
// is that of the files in memory on this machine, which the judge's memory does not include and the
// kernel cannot reclaim.
func BenchmarkLargeData(b *testing.B) {
	dir := b.TempDir()
	files := writeLarge(b, dir)
	for _, program := range copiers {
		exe := compileC(b, program.text)
		for _, slots := range []int{1, 2} {
			b.Run(fmt.Sprintf("%s/%d", program.name, slots), func(b *testing.B) { benchLarge(b, dir, files, exe, slots) })
		}
	}
}

func benchLarge(b *testing.B, dir string, files []string, exe string, slots int) {
	source, err := build.Open(exe, "", shell)
	if err != nil {
		b.Fatal(err)
	}
	p, err := pkgformat.Open(b.Context(), dir, pkgformat.Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer p.Close()
	made, err := p.Problem()
	if err != nil {
		b.Fatal(err)
	}
	set, err := made.Read()
	if err != nil {
		b.Fatal(err)
	}
	j := newJudge(b, nil, slots, nil)
	task := Task{
		Problem: made, Cases: set.Cases, Submissions: []Submission{{Source: source}},
		Limits: limits.Limits{CPU: 10 * time.Second, Wall: 30 * time.Second, Memory: 64 * limits.MiB, Output: 64 * limits.MiB, Processes: 256, CPUs: 1},
	}
	first := task
	first.Cases = task.Cases[:slots]
	accept(b, j, first)
	startCopies(b, exe, files[:slots], slots)

	var ratios, cpuRatios, judged, bare, judgedCPU, bareCPU, resident, shared []float64
	for b.Loop() {
		memory := watchMemory(b)
		begin, beginCPU := time.Now(), cpuTime(b)
		accept(b, j, task)
		middle, middleCPU := time.Now(), cpuTime(b)
		rss, held := memory()
		startCopies(b, exe, files, slots)
		end, endCPU := time.Now(), cpuTime(b)
		x, y := middle.Sub(begin).Seconds()*1e3, end.Sub(middle).Seconds()*1e3
		cx, cy := (middleCPU-beginCPU).Seconds()*1e3, (endCPU-middleCPU).Seconds()*1e3
		ratios, cpuRatios = append(ratios, x/y), append(cpuRatios, cx/cy)
		judged, bare = append(judged, x/largeCases), append(bare, y/largeCases)
		judgedCPU, bareCPU = append(judgedCPU, cx/largeCases), append(bareCPU, cy/largeCases)
		resident, shared = append(resident, rss), append(shared, held)
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(median(judged), "judge-ms")
	b.ReportMetric(median(bare), "floor-ms")
	b.ReportMetric(median(judgedCPU), "judge-cpu-ms")
	b.ReportMetric(median(bareCPU), "floor-cpu-ms")
	b.ReportMetric(median(ratios), "ratio")
	b.ReportMetric(median(cpuRatios), "cpu-ratio")
	b.ReportMetric(median(resident), "rss-MiB")
	b.ReportMetric(median(shared), "memory-files-MiB")
}

// compileC returns a C program as an executable.
func compileC(b *testing.B, text string) string {
	b.Helper()
	exe := filepath.Join(b.TempDir(), "program")
	cmd := exec.Command("gcc", "-O2", "-x", "c", "-o", exe, "-")
	cmd.Stdin = strings.NewReader(text)
	if out, err := cmd.CombinedOutput(); err != nil {
		b.Skipf("not measured: %v\n%s", err, out)
	}
	return exe
}

// writeLarge writes a package whose answers equal the inputs, and returns the paths of these.
func writeLarge(b *testing.B, dir string) (files []string) {
	b.Helper()
	secret := filepath.Join(dir, "data", "secret")
	if err := errors.Join(os.MkdirAll(secret, 0o755), os.WriteFile(filepath.Join(dir, "problem.yaml"), []byte("name: Large\nlicense: public domain\n"), 0o644)); err != nil {
		b.Fatal(err)
	}
	random := rand.New(rand.NewPCG(1122, 2001))
	text := make([]byte, 0, largeSize)
	for i := range largeCases {
		text = text[:0]
		for len(text) < largeSize-1 {
			if text = strconv.AppendUint(text, random.Uint64N(1e9), 10); random.IntN(10) == 0 {
				text = append(text, '\n')
			} else {
				text = append(text, ' ')
			}
		}
		text = append(text[:largeSize-1], '\n')
		name := filepath.Join(secret, fmt.Sprintf("%02d.in", i))
		if err := errors.Join(os.WriteFile(name, text, 0o644), os.WriteFile(strings.TrimSuffix(name, ".in")+".ans", text, 0o644)); err != nil {
			b.Fatal(err)
		}
		files = append(files, name)
	}
	return files
}

// startCopies runs a copier on all files, as many at a time as there are slots, and compares its
// output with the file.
func startCopies(b *testing.B, exe string, files []string, slots int) {
	b.Helper()
	next := make(chan string)
	var all sync.WaitGroup
	for range slots {
		all.Go(func() {
			for name := range next {
				if err := copyOne(exe, name); err != nil {
					b.Error(err)
				}
			}
		})
	}
	for _, name := range files {
		next <- name
	}
	close(next)
	all.Wait()
}

// copyOne reads the pipe by plain calls, which block this thread: nothing is cheaper.
func copyOne(exe, name string) error {
	stdin, err := os.Open(name)
	if err != nil {
		return err
	}
	defer stdin.Close()
	want, err := os.Open(strings.TrimSuffix(name, ".in") + ".ans")
	if err != nil {
		return err
	}
	defer want.Close()
	var ends [2]int
	if err := unix.Pipe2(ends[:], unix.O_CLOEXEC); err != nil {
		return err
	}
	defer unix.Close(ends[0])
	out := os.NewFile(uintptr(ends[1]), "pipe")
	p, err := os.StartProcess(exe, []string{exe}, &os.ProcAttr{Env: []string{}, Files: []*os.File{stdin, out, os.Stderr}})
	out.Close()
	if err != nil {
		return err
	}
	got, window := make([]byte, 64<<10), make([]byte, 64<<10)
	for {
		n, err := unix.Read(ends[0], got)
		if n == 0 || err != nil {
			break
		}
		if _, err := io.ReadFull(want, window[:n]); err != nil || !bytes.Equal(got[:n], window[:n]) {
			return fmt.Errorf("%s differs (%v)", name, err)
		}
	}
	state, err := p.Wait()
	if err == nil && !state.Success() {
		err = fmt.Errorf("%s: %v", name, state)
	}
	return err
}

// cpuTime returns the CPU time of this process, of its children that have ended, and of those that
// run, such as the inits of containers, with their own children that have ended.
func cpuTime(b *testing.B) time.Duration {
	b.Helper()
	total := time.Duration(0)
	for _, who := range []int{unix.RUSAGE_SELF, unix.RUSAGE_CHILDREN} {
		var u unix.Rusage
		if err := unix.Getrusage(who, &u); err != nil {
			b.Fatal(err)
		}
		total += time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
	lists, _ := filepath.Glob("/proc/self/task/*/children")
	for _, list := range lists {
		pids, _ := os.ReadFile(list)
		for _, pid := range strings.Fields(string(pids)) {
			stat, _ := os.ReadFile("/proc/" + pid + "/stat")
			_, after, _ := strings.Cut(string(stat), ") ")
			if fields := strings.Fields(after); len(fields) > 14 {
				for _, ticks := range fields[11:15] { // utime, stime, cutime, cstime
					n, _ := strconv.Atoi(ticks)
					total += time.Duration(n) * time.Second / 100
				}
			}
		}
	}
	return total
}

// watchMemory begins to watch this process, and returns a function that ends that. It returns the
// peaks in MiB of the resident memory, and of what files in memory have grown on this machine.
func watchMemory(b *testing.B) func() (resident, shared float64) {
	b.Helper()
	// Since Linux 4.0 this sets the peak of the resident memory to what is resident now.
	if err := os.WriteFile("/proc/self/clear_refs", []byte("5"), 0); err != nil {
		b.Fatal(err)
	}
	kib := func(file, key string) float64 {
		text, _ := os.ReadFile(file)
		_, after, _ := bytes.Cut(text, []byte("\n"+key))
		n, _ := strconv.Atoi(string(bytes.Fields(after)[0]))
		return float64(n) / 1024
	}
	before, peak := kib("/proc/meminfo", "Shmem:"), 0.0
	stop, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		ticker := time.NewTicker(5 * time.Millisecond)
		defer ticker.Stop()
		for {
			select {
			case <-stop:
				return
			case <-ticker.C:
				peak = max(peak, kib("/proc/meminfo", "Shmem:")-before)
			}
		}
	}()
	return func() (float64, float64) {
		close(stop)
		<-done
		return kib("/proc/self/status", "VmHWM:"), peak
	}
}
