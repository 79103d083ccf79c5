package main

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"tribunal/judge/internal/limits"
)

// A workload is a set of cases that all contenders judge, some at a time.
type workload struct {
	name    string
	cases   int
	slots   int
	program func(testing.TB, tools) program
	input   func(i int) string // of case i, counted from 1

	perCase bool // report times for a case, not for all cases
	memory  bool // report the memory that judging takes
}

// workloads lists what BenchmarkCompare measures. docs/performance.md describes each.
var workloads = []workload{
	{name: "tiny-1", cases: 1000, slots: 1, program: copier, input: oneLine, perCase: true},
	{name: "tiny-2", cases: 1000, slots: 2, program: copier, input: oneLine, perCase: true},
	{name: "large", cases: 20, slots: 2, program: copier, input: megabytes, memory: true},
	{name: "game", cases: 100, slots: 2, program: player, input: someGame},
	{name: "one", cases: 1, slots: 1, program: copier, input: oneLine},
}

// BenchmarkCompare judges the same cases with the judge and with what else is at hand to run a
// program on test cases, one contender after another. The floor runs right before and right after
// each run of a contender: x-floor is the median of the contender's wall times divided by the mean
// of these two, and x-floor-cpu the same for CPU times. CPU time is that of the contender's process
// and of all its descendants that were waited for.
//
// A contender first judges a tenth of the cases, among which one answer is wrong. If it does not
// find exactly that one, its benchmark fails without a time. This also fills caches.
func BenchmarkCompare(b *testing.B) {
	dir := b.TempDir()
	judge := filepath.Join(dir, "judge")
	if out, err := judgeBuild(judge).CombinedOutput(); err != nil {
		b.Fatalf("go build: %v\n%s", err, out)
	}
	t := newTools(b, dir, judge)
	for _, w := range workloads {
		b.Run(w.name, func(b *testing.B) {
			if n := runtime.NumCPU(); n < w.slots {
				b.Skipf("not compared: %d at a time, because this machine has %d CPUs", w.slots, n)
			}
			dir, p, tenth := b.TempDir(), w.program(b, t), max(1, w.cases/10)
			right := newSet(b, filepath.Join(dir, w.name), p, w.cases, 0, w.input)
			planted := newSet(b, filepath.Join(dir, w.name+"-planted"), p, tenth, (tenth+1)/2, w.input)
			debug.FreeOSMemory() // now, because the growth of memory is measured
			for _, c := range contenders {
				b.Run(c.name, func(b *testing.B) { contest(b, t, c, w, p, right, planted) })
			}
		})
	}
}

// contest measures a contender on a workload.
func contest(b *testing.B, t tools, c contender, w workload, p program, right, planted set) {
	floor := contenders[0]
	theirs, floors := c.prepare(b, t, p, w.slots), floor.prepare(b, t, p, w.slots)
	measure := func(c contender, judging command, s set) cost {
		x, err := c.judge(judging, s)
		if err != nil {
			b.Fatal(err)
		}
		return x
	}
	measure(c, theirs, planted)
	var walls, cpus, peaks, wallRatios, cpuRatios []float64
	for b.Loop() {
		before := measure(floor, floors, right)
		x := measure(c, theirs, right)
		after := measure(floor, floors, right)
		walls, cpus = append(walls, float64(x.wall)), append(cpus, float64(x.cpu))
		peaks = append(peaks, math.Round(float64(x.memory)/1e6))
		wallRatios = append(wallRatios, 2*float64(x.wall)/float64(before.wall+after.wall))
		cpuRatios = append(cpuRatios, 2*float64(x.cpu)/float64(before.cpu+after.cpu))
	}
	wall, cpu := median(walls), median(cpus)
	if w.perCase {
		n := float64(w.cases)
		b.ReportMetric(0, "ns/op") // omitted
		b.ReportMetric(wall/n, "ns/case")
		b.ReportMetric(cpu/n, "cpu-ns/case")
	} else {
		b.ReportMetric(wall, "ns/op")
		b.ReportMetric(cpu, "cpu-ns/op")
	}
	if c.name != floor.name {
		b.ReportMetric(median(wallRatios), "x-floor")
		b.ReportMetric(median(cpuRatios), "x-floor-cpu")
	}
	if w.memory {
		b.ReportMetric(median(peaks), "MB")
	}
}

// TestContenders checks that each contender at hand accepts right answers and finds a wrong one, and
// that one which judges nothing, or wrongly, is found out.
func TestContenders(t *testing.T) {
	t.Parallel()
	judge, err := exec.LookPath("judge") // TestMain puts it on PATH
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	tools := newTools(t, dir, judge)
	p := copier(t, tools)
	right := newSet(t, filepath.Join(dir, "right"), p, 4, 0, oneLine)
	planted := newSet(t, filepath.Join(dir, "planted"), p, 4, 3, oneLine)
	for _, c := range contenders {
		t.Run(c.name, func(t *testing.T) {
			judging := c.prepare(t, tools, p, 2)
			for _, s := range []set{right, planted} {
				if _, err := c.judge(judging, s); err != nil {
					t.Error(err)
				}
			}
		})
	}
	for _, tt := range []struct {
		why    string
		cheat  contender
		judged set
		want   string
	}{
		{"runs nothing", contender{"cheat", driven("true"), nil}, right, `cheat: found the wrong cases ["0001" "0002" "0003" "0004"], want []: <nil>`},
		{"says nothing", contender{"cheat", exits("", 0), nil}, planted, `cheat: found the wrong cases [], want ["0003"]: <nil>`},
		{"ends with an error", contender{"cheat", exits("", 1), nil}, right, `cheat: found the wrong cases [], want []: exit status 1`},
		{"the judge leaves out a case", contender{"cheat", exits("copy: WA 2/3 secret/0003: differs\n", 1), judged}, planted, `cheat: found the wrong cases ["copy: WA 2/3 secret/0003: differs\n"], want ["0003"]: exit status 1`},
		{"the judge rejects two", contender{"cheat", exits("copy: WA 2/4 secret/0003: differs\n", 1), judged}, planted, `cheat: found the wrong cases ["copy: WA 2/4 secret/0003: differs\n"], want ["0003"]: exit status 1`},
		{"the judge rejects another", contender{"cheat", exits("copy: WA 3/4 secret/0001: differs\n", 1), judged}, planted, `cheat: found the wrong cases ["0001"], want ["0003"]: exit status 1`},
		{"the judge accepts too many", contender{"cheat", exits("copy: AC 5/5\n", 0), judged}, right, `cheat: found the wrong cases ["copy: AC 5/5\n"], want []: <nil>`},
	} {
		_, err := tt.cheat.judge(tt.cheat.prepare(t, tools, p, 1), tt.judged)
		if got := fmt.Sprint(err); strings.TrimSpace(got) != tt.want {
			t.Errorf("%s: %s\nwant %s", tt.why, got, tt.want)
		}
	}
}

// TestComparisonIsDocumented checks that docs/performance.md has a place for each workload, and names
// each contender.
func TestComparisonIsDocumented(t *testing.T) {
	t.Parallel()
	page := documents(t)["docs/performance.md"]
	for _, w := range workloads {
		if place := "\n<!-- figures: Compare/" + w.name + " -->\n"; !strings.Contains(page, place) {
			t.Errorf("docs/performance.md has no line %s", strings.TrimSpace(place))
		}
	}
	for _, c := range contenders {
		if !strings.Contains(page, "\n- `"+c.name+"`: ") {
			t.Errorf("docs/performance.md does not describe %s", c.name)
		}
	}
}

// exits prepares a contender that prints a text, judges nothing and exits with a status.
func exits(text string, status int) func(testing.TB, tools, program, int) command {
	return func(testing.TB, tools, program, int) command {
		return func(set) *exec.Cmd {
			return exec.Command("sh", "-c", `printf %s "$0"; exit "$1"`, text, strconv.Itoa(status))
		}
	}
}

// A cost is what it took a contender to judge a set.
type cost struct {
	wall, cpu time.Duration
	memory    limits.Bytes // see growth
}

// judge judges a set. Its error says what it printed instead of exactly the wrong cases of the set.
func (c contender) judge(judging command, s set) (cost, error) {
	cmd := judging(s)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	stop := growth()
	start := time.Now()
	err := cmd.Run()
	wall := time.Since(start)
	memory := stop()
	wrong := strings.Fields(stdout.String())
	if c.wrong != nil {
		wrong = c.wrong(stdout.String(), s)
	}
	fails := c.wrong != nil && len(s.wrong) > 0
	if !slices.Equal(wrong, s.wrong) || fails != (err != nil) || cmd.ProcessState == nil {
		return cost{}, fmt.Errorf("%s: found the wrong cases %q, want %q: %v\n%s", c.name, wrong, s.wrong, err, &stderr)
	}
	return cost{wall, cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), memory}, nil
}

// growth watches the memory of the machine until the returned function is called, which returns by
// how much the memory grew at most: that of all processes together, with files in memory, without
// cached files of a disk. This counts what a contender hands to a service or to its jails as well.
func growth() (stop func() limits.Bytes) {
	used := func() (total limits.Bytes) {
		text, _ := os.ReadFile("/proc/meminfo")
		for line := range strings.Lines(string(text)) {
			name, size, _ := strings.Cut(line, ":")
			if name == "AnonPages" || name == "Shmem" {
				kib, _ := strconv.Atoi(strings.TrimSuffix(strings.TrimSpace(size), " kB"))
				total += limits.Bytes(kib) * limits.KiB
			}
		}
		return total
	}
	done, peak := make(chan struct{}), make(chan limits.Bytes)
	before := used()
	go func() {
		tick := time.NewTicker(5 * time.Millisecond)
		defer tick.Stop()
		most := before
		for {
			select {
			case <-tick.C:
				most = max(most, used())
			case <-done:
				peak <- most - before
				return
			}
		}
	}()
	return func() limits.Bytes {
		close(done)
		return <-peak
	}
}

// newTools compiles drive into dir.
func newTools(tb testing.TB, dir, judge string) tools {
	tb.Helper()
	t := tools{dir: dir, judge: judge}
	t.drive = t.compile(tb, "drive", "gcc", "-static", filepath.Join("testdata", "compare", "drive.c"))
	return t
}

// A program is what a contender runs on the cases.
type program struct {
	submission string // what the judge gets: the source or the executable
	executable string
}

// copier compiles a program that copies its input.
func copier(tb testing.TB, t tools) program {
	tb.Helper()
	exe := t.compile(tb, "copy", "gcc", "-static", "-nostartfiles", filepath.Join("testdata", "compare", "copy.c"))
	return program{exe, exe}
}

// player compiles a solution of the problem game, as the judge does.
func player(tb testing.TB, t tools) program {
	tb.Helper()
	source, err := filepath.Abs(filepath.Join(repository, "reference", "game", "submissions", "accepted", "search.cpp"))
	if err != nil {
		tb.Fatal(err)
	}
	return program{source, t.compile(tb, "game", "g++", "-std=gnu++20", source)}
}

func oneLine(i int) string { return fmt.Sprintf("case %d\n", i) }

// megabytes returns 20 MB. There are four such texts, because more would fill the disk, and fewer
// might fit in the processor's cache.
func megabytes(i int) string {
	return strings.Repeat(fmt.Sprintf("line of 20 bytes, %d\n", i%4), 1_000_000)
}

func someGame(i int) string { return randomGame(rand.New(rand.NewPCG(1122, uint64(i)))) }

// A set is test cases on disk, as a problem package.
type set struct {
	folder string
	cases  int
	wrong  []string // the numbers of the cases whose answers are wrong
}

// data returns the folder with the files of the cases: 0001.in, 0001.ans, 0002.in and so on.
func (s set) data() string { return filepath.Join(s.folder, "data", "secret") }

// newSet writes a set. The program must solve the first case, because its outputs are the answers.
// If planted is not 0, the last character of that case's answer is wrong.
func newSet(tb testing.TB, folder string, p program, cases, planted int, input func(i int) string) set {
	tb.Helper()
	s := set{folder: folder, cases: cases}
	written := map[string]string{} // by kind and text: files of the same text are links to one
	put := func(i int, kind, text string) {
		path := filepath.Join(s.data(), fmt.Sprintf("%04d.%s", i, kind))
		err := error(nil)
		if same := written[kind+text]; same != "" {
			err = os.Link(same, path)
		} else {
			err = writeTestFile(path, text)
		}
		if err != nil {
			tb.Fatal(err)
		}
		written[kind+text] = path
	}
	if err := writeTestFile(filepath.Join(folder, "problem.yaml"), "name: Compared\nlimits: {time_limit: 10, memory: 256, output: 64}\n"); err != nil {
		tb.Fatal(err)
	}
	for i := 1; i <= cases; i++ {
		text := input(i)
		cmd := exec.Command(p.executable)
		cmd.Stdin = strings.NewReader(text)
		answer, err := cmd.Output()
		if err != nil {
			tb.Fatalf("%s: %v", p.executable, err)
		}
		if i == planted {
			answer[len(answer)-2] ^= 1 // before the end of the line
			s.wrong = []string{fmt.Sprintf("%04d", i)}
		}
		put(i, "in", text)
		put(i, "ans", string(answer))
	}
	return s
}
