package grade

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/cases"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/run"
	"tribunal/judge/internal/verdict"
)

const (
	benchCases = 1000
	benchSlots = 2
)

// BenchmarkThousandCases grades a C submission on a thousand small cases of the problem game, one
// at a time and two at a time. Right after that, as the floor, it only forks, executes and waits for
// the same program as often, as many at a time. One iteration is such a pair, so that other load on
// the machine affects both alike; ratio is the median of judge time divided by floor time over all
// pairs. Building, opening the sandbox and the first run in each box are not measured.
func BenchmarkThousandCases(b *testing.B) {
	exe := compileGame(b)
	list, inputs := gameCases(b, exe)
	for slots := 1; slots <= benchSlots; slots++ {
		b.Run(strconv.Itoa(slots), func(b *testing.B) { benchmarkCases(b, exe, list, inputs, slots) })
	}
}

// accept judges a task, all of whose submissions must be accepted.
func accept(b *testing.B, j *Judge, task Task) {
	b.Helper()
	err := j.Grade(b.Context(), task, func(e Event) {
		if done, ok := e.(*Done); ok && done.Verdict != verdict.AC {
			b.Errorf("%v: %s", done.Verdict, done.Cause)
		}
	})
	if err != nil {
		b.Fatal(err)
	}
}

func benchmarkCases(b *testing.B, exe string, list []cases.Case, inputs []string, slots int) {
	source, err := build.Open(exe, "", shell)
	if err != nil {
		b.Fatal(err)
	}
	j := newJudge(b, nil, slots, nil)
	task := newTask(list, []Submission{{Source: source}})
	task.Limits = limits.Limits{CPU: time.Second, Wall: 3 * time.Second, Memory: 64 * limits.MiB, Output: 64 * limits.KiB, Processes: 256, CPUs: 1}
	first := task
	first.Cases = list[:4*slots]
	accept(b, j, first)

	var judged, bare, ratios []float64 // µs per case
	for b.Loop() {
		start := time.Now()
		accept(b, j, task)
		middle := time.Now()
		startBare(b, exe, inputs, slots)
		end := time.Now()
		x, y := middle.Sub(start).Seconds()*1e6/benchCases, end.Sub(middle).Seconds()*1e6/benchCases
		judged, bare, ratios = append(judged, x), append(bare, y), append(ratios, x/y)
	}
	b.ReportMetric(0, "ns/op") // omitted, because the time of a pair means nothing
	b.ReportMetric(median(judged), "judge-µs/case")
	b.ReportMetric(median(bare), "floor-µs/case")
	b.ReportMetric(median(ratios), "ratio")
}

// BenchmarkMemo grades a C submission on sixty small cases whose outcomes are all in the memo, and
// right after that with every case run and recorded anew. One iteration is such a pair; ratio is
// the median of the first time divided by the second over all pairs. A third grading, without a
// memo, shows the cost of recording.
func BenchmarkMemo(b *testing.B) {
	exe := compileGame(b)
	list, _ := gameCases(b, exe)
	source, err := build.Open(exe, "", shell)
	if err != nil {
		b.Fatal(err)
	}
	j := newJudge(b, nil, benchSlots, nil)
	task := newTask(list[:60], []Submission{{Source: source}})
	known, fresh := run.NewMemo(j.CaseData.Cache, j.Pool.Facts().Mechanisms), run.NewMemo(j.CaseData.Cache, j.Pool.Facts().Mechanisms)
	fresh.Fresh = true
	judge := func(memo *run.Memo, cached int) float64 {
		j.Memo = memo
		start := time.Now()
		err := j.Grade(b.Context(), task, func(e Event) {
			if done, ok := e.(*Done); ok && (done.Verdict != verdict.AC || done.Cached != cached) {
				b.Errorf("%v: %s, %d cached", done.Verdict, done.Cause, done.Cached)
			}
		})
		if err != nil {
			b.Fatal(err)
		}
		return time.Since(start).Seconds() * 1000
	}
	judge(fresh, 0)
	var hits, misses, plain, ratios []float64 // ms
	for b.Loop() {
		x, y, z := judge(known, len(task.Cases)), judge(fresh, 0), judge(nil, 0)
		hits, misses, plain, ratios = append(hits, x), append(misses, y), append(plain, z), append(ratios, x/y)
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(median(hits), "known-ms")
	b.ReportMetric(median(misses), "run-ms")
	b.ReportMetric(median(plain), "no-memo-ms")
	b.ReportMetric(median(ratios), "ratio")
}

func median(list []float64) float64 {
	slices.Sort(list)
	return list[len(list)/2]
}

// compileGame returns an example submission as an executable.
func compileGame(b *testing.B) string {
	b.Helper()
	source := filepath.Join("..", "..", "..", "reference", "game", "submissions", "accepted", "gray.c")
	exe := filepath.Join(b.TempDir(), "gray")
	if out, err := exec.Command("gcc", "-O2", "-o", exe, source).CombinedOutput(); err != nil {
		b.Skipf("not measured: %v\n%s", err, out)
	}
	return exe
}

// gameCases returns random games with the program's own answers, and their inputs
// as files.
func gameCases(b *testing.B, exe string) ([]cases.Case, []string) {
	b.Helper()
	random := rand.New(rand.NewPCG(1122, 2001))
	draw := func(n int, signs string) string {
		var text strings.Builder
		for range n {
			text.WriteByte(signs[random.IntN(len(signs))])
		}
		return text.String() + "\n"
	}
	dir := b.TempDir()
	var list []cases.Case
	var inputs []string
	for i := range benchCases {
		var input string
		for range 4 {
			input += draw(4, "BW")
		}
		for range 3 {
			input += draw(3, "01")
		}
		cmd := exec.Command(exe)
		cmd.Stdin = strings.NewReader(input)
		answer, err := cmd.Output()
		if err != nil {
			b.Fatal(err)
		}
		name := fmt.Sprint("game-", i)
		list = append(list, literal(name, input, string(answer)))
		inputs = append(inputs, filepath.Join(dir, name))
		if err := os.WriteFile(inputs[i], []byte(input), 0o600); err != nil {
			b.Fatal(err)
		}
	}
	return list, inputs
}

// startBare runs the program on all inputs, slots at a time. Go starts a child without copying its
// own memory (CLONE_VFORK and CLONE_VM), so that the size of this process does not count.
func startBare(b *testing.B, exe string, inputs []string, slots int) {
	b.Helper()
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		b.Fatal(err)
	}
	defer null.Close()
	next := make(chan string)
	var all sync.WaitGroup
	for range slots {
		all.Go(func() {
			for name := range next {
				if err := startOne(exe, name, null); err != nil {
					b.Error(err)
				}
			}
		})
	}
	for _, name := range inputs {
		next <- name
	}
	close(next)
	all.Wait()
}

func startOne(exe, input string, null *os.File) error {
	stdin, err := os.Open(input)
	if err != nil {
		return err
	}
	defer stdin.Close()
	p, err := os.StartProcess(exe, []string{exe}, &os.ProcAttr{Env: []string{}, Files: []*os.File{stdin, null, null}})
	if err != nil {
		return err
	}
	state, err := p.Wait()
	if err == nil && !state.Success() {
		err = fmt.Errorf("%s: %v", input, state)
	}
	return err
}
