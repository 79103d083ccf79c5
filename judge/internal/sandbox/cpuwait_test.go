//go:build linux

package sandbox

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"tribunal/internal/tier"
)

// TestCPUWait runs programs that compete for their CPU with others, and programs with a CPU of
// their own. The bounds are generous, because other processes may use the machine. The machine may
// even stall after the wall limit, when the run is no longer watched.
func TestCPUWait(t *testing.T) {
	const limit, crowded = 300 * time.Millisecond, 150 * time.Millisecond
	cpus := AllowedCPUs()[:1]
	tier.T2(t, "programs that wait for a CPU")
	strongest(t, func(t *testing.T, h *Host) {
		b := box(t, h, Spec{})
		for _, tt := range []struct {
			why, source string
			beside      int  // number of spinners on the same CPU
			computes    bool // without spinners beside it, and so other processes of this host may delay it
			ok          func(waited, wall, cpu time.Duration) bool
		}{
			{
				"others use its CPU while it is ready", `int main(){for(volatile int i=0;;i++);}`, 2, false,
				func(waited, _, _ time.Duration) bool { return waited > crowded/5 },
			},
			{
				"others use its CPU while a thread that is not the first is ready", `#include <pthread.h>
#include <unistd.h>
void *f(void *p){for(volatile int i=0;;i++);}
int main(){pthread_t t;pthread_create(&t,0,f,0);sleep(60);}`, 2, false,
				func(waited, _, _ time.Duration) bool { return waited > crowded/5 },
			},
			{
				"it is asleep and needs no CPU", `#include <unistd.h>
int main(){sleep(60);}`, 0, false,
				func(waited, wall, _ time.Duration) bool { return waited < wall*2/5 },
			},
			{
				"only its own threads compete for its CPU", `#include <pthread.h>
void *f(void *p){for(volatile int i=0;;i++);}
int main(){pthread_t t;for(int i=0;i<3;i++)pthread_create(&t,0,f,0);f(0);}`, 0, true,
				func(waited, wall, cpu time.Duration) bool { return waited < wall-cpu+wall*3/10 },
			},
		} {
			exe := compileC(t, tt.source)
			stop := spinners(t, cpus, tt.beside)
			l := usual
			l.CPU, l.Wall = 0, limit
			if tt.beside > 0 {
				l.Wall = crowded // its wall clock stands still while it waits
			}
			r, err := b.Run(t.Context(), Command{
				Args: []string{"/w/p"}, Exe: exe, Limits: l, Grace: 100 * time.Millisecond, CPUs: cpus,
			})
			stop()
			if starved, ok := errors.AsType[*StarvedError](err); ok && tt.beside > 0 {
				r, err = Result{Stop: OverWall, Wall: starved.Wall, CPU: starved.CPU, CPUWait: starved.CPUWait}, nil // the host itself is too busy
			}
			if errors.As(err, new(*StarvedError)) && tt.computes {
				t.Logf("not checked: %s: %v", tt.why, err)
				continue
			}
			if err != nil {
				t.Fatalf("%s: %v", tt.why, err)
			}
			if r.Stop != OverWall || !tt.ok(r.CPUWait, r.Wall, r.CPU) {
				t.Errorf("%s: waited %v of %v: %+v", tt.why, r.CPUWait, r.Wall, r)
			}
		}
		l := usual
		r, err := b.Run(t.Context(), Command{Args: []string{"/w/p"}, Exe: compileC(t, hello), Limits: l, CPUs: cpus})
		if err != nil || r.Stop != Exited || r.CPUWait > r.Wall {
			t.Errorf("an ordinary run: %+v, %v", r, err)
		}
	})
}

// spinners starts n processes that use as much of the CPUs as they get, each in a session of its own:
// the scheduler divides CPU time among sessions, so in that of this test they would be one competitor.
func spinners(t *testing.T, cpus []int, n int) (stop func()) {
	t.Helper()
	var running []*exec.Cmd
	for range n {
		cmd := exec.Command("sh", "-c", "while kill -0 $PPID; do :; done") // ends with this test process, even if that is killed
		cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		running = append(running, cmd)
		if err := pin(cmd.Process.Pid, cpus); err != nil {
			t.Fatal(err)
		}
	}
	stop = func() {
		for _, cmd := range running {
			_ = cmd.Process.Kill()
			_ = cmd.Wait()
		}
		running = nil
	}
	t.Cleanup(stop)
	return stop
}

// TestCompareThreads compares the threads of two polls, 100 ms apart.
func TestCompareThreads(t *testing.T) {
	t.Parallel()
	const ms = time.Millisecond
	at := func(used, delay time.Duration) thread {
		return thread{used: used, delay: delay, ready: true, accounted: true}
	}
	type threads = map[string]thread
	for _, tt := range []struct {
		why         string
		before, now threads
		used, rest  time.Duration
		cpus        int
		longest     time.Duration
		churn       bool
	}{
		{"its only thread waited", threads{"1": at(10*ms, 50*ms)}, threads{"1": at(30*ms, 130*ms)}, 20 * ms, 0, 1, 80 * ms, false},
		{"two of its threads waited: the longer wait counts", threads{"1": at(0, 0), "2": at(0, 0)}, threads{"1": at(0, 30*ms), "2": at(0, 40*ms)}, 0, 0, 1, 40 * ms, false},
		{"threads of the run that wait for each other", threads{"1": at(0, 0), "2": at(0, 0)}, threads{"1": at(50*ms, 50*ms), "2": at(50*ms, 50*ms)}, 100 * ms, 0, 1, 0, false},
		{"children that have ended also took CPU time from their parent", threads{"1": at(0, 0)}, threads{"1": at(10*ms, 90*ms)}, 100 * ms, 0, 1, 0, false},
		{"on two CPUs, the other threads of the run take half of each", threads{"1": at(0, 0)}, threads{"1": at(10*ms, 90*ms)}, 110 * ms, 0, 2, 40 * ms, false},
		{"its partner's CPU time does not count as another program's", threads{"1": at(0, 0)}, threads{"1": at(10*ms, 90*ms)}, 10 * ms, 60 * ms, 1, 30 * ms, false},
		{"a thread that is new", threads{"1": at(0, 0)}, threads{"1": at(0, 0), "2": at(5*ms, 70*ms)}, 5 * ms, 0, 1, 70 * ms, true},
		{"a thread that has ended", threads{"1": at(0, 0), "2": at(0, 0)}, threads{"1": at(0, 0)}, 5 * ms, 0, 1, 0, true},
	} {
		x := stretch{used: tt.used}
		x.compare(tt.before, tt.now, tt.rest, tt.cpus)
		if x.longest != tt.longest || x.churn != tt.churn || !x.known || !x.awake {
			t.Errorf("%s: %+v, want %v", tt.why, x, tt.longest)
		}
	}
	var x stretch
	x.compare(threads{"1": {}}, threads{"1": {}}, 0, 1)
	if x.known || x.awake {
		t.Errorf("asleep, on a kernel without accounts: %+v", x)
	}
}

// TestSampleThreads polls the threads of a played /proc, 100 ms after the previous poll.
func TestSampleThreads(t *testing.T) {
	t.Parallel()
	const ms = time.Millisecond
	proc := t.TempDir()
	tasks := filepath.Join(proc, "7", "task")
	stat := func(state string) []byte { return []byte("7 (p) " + state + " 1 7" + strings.Repeat(" 0", 20)) }
	play := func(task, state, account string) string {
		dir := filepath.Join(tasks, task)
		if err := errors.Join(os.MkdirAll(dir, 0o755), os.WriteFile(filepath.Join(dir, "stat"), stat(state), 0o600),
			os.WriteFile(filepath.Join(dir, "schedstat"), []byte(account), 0o600)); err != nil {
			t.Fatal(err)
		}
		return dir
	}
	before, want := map[string]thread{}, map[string]thread{}
	for i, tt := range []struct {
		why             string
		before, account string
		wasReady, ready bool
		used, delay     time.Duration
	}{
		{"it ran, after 30 ms", "1000000 50000000 1", "2000000 80000000 2", true, true, 2 * ms, 80 * ms},
		{"it has waited all the time", "1000000 50000000 1", "1000000 50000000 1", true, true, ms, 160 * ms},
		{"it has been woken since, and nobody knows when", "1000000 50000000 1", "1000000 50000000 1", false, true, ms, 60 * ms},
		{"it is asleep", "1000000 50000000 1", "1000000 50000000 1", true, false, ms, 50 * ms},
		{"it is new", "", "1000000 50000000 1", false, true, ms, 50 * ms},
	} {
		dir := play(strconv.Itoa(70+i), map[bool]string{true: "R", false: "S"}[tt.ready], tt.account)
		if tt.before != "" {
			before[dir] = thread{account: tt.before, ready: tt.wasReady, delay: 60 * ms}
		}
		want[dir] = thread{account: tt.account, ready: tt.ready, used: tt.used, delay: tt.delay, accounted: true}
	}
	r := &runState{tree: &tree{proc: proc}}
	if err := os.WriteFile(filepath.Join(proc, "7", "stat"), stat("R"), 0o600); err != nil {
		t.Fatal(err)
	}
	if used := threadTime(filepath.Join(proc, "7")); used != 6*ms {
		t.Errorf("its threads used %v, want 6ms", used)
	}
	ended := play("90", "S", "1000000 0 1")
	if err := os.Remove(filepath.Join(ended, "schedstat")); err != nil {
		t.Fatal(err)
	}
	if got := r.sampleThreads(before, 100*ms); !maps.Equal(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if used := threadTime(filepath.Join(proc, "7")); used != 0 {
		t.Errorf("one of its threads has ended, the others used %v: want the account of the process", used)
	}
	// As many threads as are read, which have ended, and then one of this process.
	text := fmt.Sprint(strings.Repeat("1073741824\n", maxThreads), os.Getpid())
	if err := os.WriteFile(filepath.Join(proc, "cgroup.threads"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := (&runState{group: &groupV2{dir: proc}}).sampleThreads(nil, 0); len(got) > 0 {
		t.Errorf("of a fork bomb, more than %d threads are read", maxThreads)
	}
}

// TestBound checks that a run has waited no longer than the time in which it left a CPU unused.
func TestBound(t *testing.T) {
	t.Parallel()
	const s = time.Second
	for _, tt := range []struct {
		why              string
		cpus             int
		total, wall, cpu time.Duration
		want             time.Duration
	}{
		{"there was time", 1, 2 * s, 4 * s, s, 2 * s},
		{"others took at most what the run did not use", 1, 3 * s, 4 * s, 3 * s, s},
		{"two CPUs can be used for twice the time", 2, 4 * s, 4 * s, 5 * s, 3 * s},
		{"never more than the wall time", 0, 5 * s, 4 * s, 0, 4 * s},
		{"not pinned: any number of CPUs could have been used", 0, 2 * s, 4 * s, 4 * s, 2 * s},
		{"CPU time may be a tick ahead of the wall", 1, 2 * s, 4 * s, 5 * s, 0},
	} {
		w := cpuWait{cpus: make([]int, tt.cpus)}
		if got := w.bound(tt.total, tt.wall, tt.cpu); got != tt.want {
			t.Errorf("%s: got %v, want %v", tt.why, got, tt.want)
		}
	}
}

func TestHostTimes(t *testing.T) {
	t.Parallel()
	steal := parseSteal("cpu  3015 0 753 126618 358 0 17 990 0 0\ncpu0 1 2 3 4 5 6 7 40 0 0\ncpu3 1 2 3 4 5 6 7 25 0 0\nintr 1 2 3 4 5 6 7 8 9\ncpufreq 1 2 3 4 5 6 7 8 9\n")
	if want := []time.Duration{400 * time.Millisecond, 0, 0, 250 * time.Millisecond}; !slices.Equal(steal, want) {
		t.Errorf("steal %v, want %v", steal, want)
	}
	p, ok := parsePressure("some avg10=21.50 avg60=0.75 avg300=0.50 total=7638808\nfull avg10=1.00 avg60=0.00 avg300=0.00 total=9\n", "some")
	if !ok || p.recent != 21.5 || p.total != 7638808*time.Microsecond {
		t.Errorf("pressure %+v, %v", p, ok)
	}
	for _, text := range []string{"", "full avg10=1 total=3", "some avg10=x total=3", "some avg10=1", "some total=y"} {
		if p, ok := parsePressure(text, "some"); ok {
			t.Errorf("pressure of %q is %+v", text, p)
		}
	}
	for _, tt := range []struct {
		why, text string
		want      time.Duration
		known     bool
	}{
		{"an account", "0 25820 1\n", 25820, true},
		{"a kernel that does not count", "0 0 0\n", 0, false},
		{"nothing", "", 0, false},
	} {
		if _, d, known := parseDelay([]byte(tt.text)); d != tt.want || known != tt.known {
			t.Errorf("%s: got %v, %v", tt.why, d, known)
		}
	}

	for stat, want := range map[string]bool{
		"7 (sh) R 1 7": true, "7 (sh) S 1 7": false, "7 (a) R b) S 1 7": false, "": false,
	} {
		if got := ready([]byte(stat)); got != want {
			t.Errorf("ready of %q is %v", stat, got)
		}
	}

	// Of a sample from before the stretch, the part that belongs to the stretch counts.
	start := time.Now()
	before := hostTimes{start, []time.Duration{0, time.Second}, time.Second}
	now := hostTimes{start.Add(4 * time.Second), []time.Duration{9 * time.Second, 3 * time.Second}, 5 * time.Second}
	lost, pressed := now.stolenSince(before, 2*time.Second, []int{1, 7}), now.pressedSince(before, 2*time.Second)
	if lost != time.Second || pressed != 2*time.Second {
		t.Errorf("lost %v, pressed %v, want half of 2s and of 4s: CPU 0 is another's", lost, pressed)
	}
}

func TestCrowded(t *testing.T) {
	t.Parallel()
	const ms = time.Millisecond
	for _, tt := range []struct {
		why         string
		delay, rest time.Duration
		cpus        int
		want        time.Duration
	}{
		{"one thread, delayed by other programs", 900 * ms, 0, 1, 900 * ms},
		{"eight threads that used 100 ms each on one CPU and then sleep", 700 * ms, 700 * ms, 1, 0},
		{"on two CPUs, the other threads take half of each", 900 * ms, 800 * ms, 2, 500 * ms},
		{"not pinned", 900 * ms, 400 * ms, 0, 500 * ms},
		{"accounts that contradict each other", 100 * ms, -5 * ms, 1, 100 * ms},
	} {
		if got := othersDelay(tt.delay, tt.rest, tt.cpus); got != tt.want {
			t.Errorf("%s: got %v, want %v", tt.why, got, tt.want)
		}
	}
}
