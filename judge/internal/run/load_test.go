package run

import (
	"context"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"tribunal/internal/tier"
	"tribunal/judge/internal/content"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/runner"
	"tribunal/judge/internal/sandbox"
)

// The full test takes a minute: go test -run TestLoad -load=10000 ./judge/internal/run
var load = flag.Int("load", 100, "runs in TestLoad")

// burden leaves files or processes behind or exceeds a limit, as the letter of its input says.
const burden = `#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
int main(void) {
	switch (getchar()) {
	case 'f': /* leaves files */
		for (int i = 0; i < 20; i++) {
			char name[32];
			sprintf(name, "file%d", i);
			int fd = open(name, O_CREAT | O_WRONLY, 0600);
			if (fd < 0 || write(fd, name, sizeof name) < 0) return 1;
		}
		return 0;
	case 'd': /* leaves processes */
		for (int i = 0; i < 3; i++)
			if (!fork()) { if (i == 0) setsid(); for (;;) pause(); }
		return 0;
	case 'm': /* over memory */
		for (;;) memset(malloc(1 << 20), 1, 1 << 20);
	case 'c': /* over CPU time */
		for (;;) ;
	case 'o': /* over output */
		for (;;) puts("the quick brown fox jumps over the lazy dog");
	}
	return 0;
}`

// kind returns the argument of the i-th run, which repeats every hundred runs, and how the run must
// end.
func kind(i int, mode sandbox.Mode) (letter string, stop sandbox.StopReason) {
	switch i %= 100; {
	case i == 0:
		return "c", sandbox.OverCPU
	case i == 1:
		return "m", sandbox.OverMemory
	case i%10 == 2:
		return "o", sandbox.OverOutput
	case i%10 == 3:
		return "f", sandbox.Exited
	case i%10 == 4 && mode == sandbox.Container: // in other modes daemons are not killed
		return "d", sandbox.Exited
	}
	return "x", sandbox.Exited
}

// TestLoad runs many mixed programs in one process on two slots, and checks that nothing is left
// behind: it holds the same descriptors, goroutines, processes, mounts, control groups and files as
// before, and no more memory. It prints the cost of a run at the beginning and at the end.
func TestLoad(t *testing.T) {
	tier.T2(t, "what many runs leave")
	exe := compileC(t, burden)
	for _, mode := range bothModes {
		t.Run(string(mode), func(t *testing.T) {
			if *load == 100 {
				weaker(t, mode)
			}
			host, err := sandbox.Open(mode)
			if err != nil {
				t.Skipf("not checked: mode %s: %v", mode, err)
			}
			defer host.Close()
			p := program(t, host, exe)
			pool := NewPool(runner.NewLocal(host, 2), 2, 10*time.Millisecond)
			defer pool.Close()
			took := make([]time.Duration, *load)
			runs := func(n int) {
				t.Helper()
				err := Each(t.Context(), pool, n, 1, func(ctx context.Context, w *Worker, i int) (Outcome, error) {
					letter, stop := kind(i, mode)
					l := limits.Limits{CPU: time.Minute, Wall: hang, Memory: 16 * limits.MiB, Output: 64 * limits.KiB, Processes: 64}
					if stop == sandbox.OverCPU {
						l.CPU = 250 * time.Millisecond
					}
					begun := time.Now()
					o := w.Run(ctx, Job{Program: p, Input: content.Of([]byte(letter)), Limits: l}, nil)
					took[i] = time.Since(begun)
					return o, nil
				}, func(i int, o Outcome) error {
					if _, stop := kind(i, mode); o.Err != nil || o.Stop != stop {
						t.Errorf("run %d: %+v, want %v", i, o, stop)
					}
					return nil
				})
				if err != nil {
					t.Fatal(err)
				}
			}
			warmThreads()
			runs(min(100, *load)) // makes the boxes and caches that are kept, so that they count as held before
			before, size := held(t), weigh(t, host)
			start := time.Now()
			runs(*load)
			whole := time.Since(start)
			expectHeld(t, before)
			t.Logf("%d runs in %v; holds %+v", *load, whole.Round(time.Millisecond), held(t))
			now := weigh(t, host)
			t.Logf("before: %v", size)
			t.Logf("after:  %v", now)
			if now.groups > size.groups || now.files > size.files || now.threads > size.threads+4 {
				t.Errorf("holds more than before")
			}
			const bound = 8 << 10
			if now.rss > size.rss+bound || now.inits > size.inits+bound {
				t.Errorf("uses %d KiB more than before", bound)
			}
			tenth := max(*load/10, 1)
			first, last := middle(took[:tenth], mode), middle(took[*load-tenth:], mode)
			t.Logf("a run that only ends took %v in the first tenth and %v in the last: last/first %.2f", first, last, float64(last)/float64(first))
		})
	}
}

// middle returns the median time of the runs that only exit.
func middle(took []time.Duration, mode sandbox.Mode) time.Duration {
	var list []time.Duration
	for i, d := range took {
		if letter, _ := kind(i, mode); letter == "x" {
			list = append(list, d)
		}
	}
	slices.Sort(list)
	if len(list) == 0 {
		return 0
	}
	return list[len(list)/2]
}

// weight counts the resources besides holdings that a leak would increase. Memory is in KiB.
type weight struct{ rss, inits, threads, groups, files int }

func (w weight) String() string {
	return fmt.Sprintf("%d KiB of memory, %d KiB in the largest init, %d threads, %d control groups, %d temporary files", w.rss, w.inits, w.threads, w.groups, w.files)
}

func weigh(t testing.TB, host *sandbox.Host) (w weight) {
	t.Helper()
	debug.FreeOSMemory()
	w.rss = resident(os.Getpid())
	for _, pid := range children(os.Getpid()) {
		w.inits = max(w.inits, resident(pid))
	}
	threads, _ := os.ReadDir("/proc/self/task")
	w.threads = len(threads)
	// Groups are removed in the background.
	for last := -1; last != w.groups; time.Sleep(100 * time.Millisecond) {
		last, w.groups = w.groups, 0
		_ = filepath.WalkDir("/sys/fs/cgroup", func(path string, d fs.DirEntry, err error) error {
			if err == nil && d.IsDir() && strings.Contains(path, fmt.Sprintf("/tribunal-%d.", os.Getpid())) {
				w.groups++
			}
			return nil
		})
	}
	temporary, _ := os.ReadDir(host.Temp()) // not inside boxes, which may hold files of the last run
	w.files = len(temporary)
	return w
}

// resident returns how much memory a process uses, in KiB.
func resident(pid int) int {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(text))
	pages, _ := strconv.Atoi(fields[1])
	return pages * os.Getpagesize() / 1024
}
