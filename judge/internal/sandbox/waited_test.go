package sandbox

import (
	"os/exec"
	"slices"
	"testing"
	"time"
)

// TestWaited runs a program that wants its CPU beside others that want it as well,
// and ones that nobody crowds out. Figures are compared generously: nobody knows what
// else this machine does meanwhile. It may even stand still after the wall limit, when
// nobody waits any more.
func TestWaited(t *testing.T) {
	const limit = time.Second
	cpus := AllowedCPUs()[:1]
	modes(t, func(t *testing.T, h *Host) {
		b := box(t, h, Spec{})
		for _, tt := range []struct {
			why, source string
			beside      int // processes on the same CPU
			ok          func(waited, wall, cpu time.Duration) bool
		}{
			{
				"crowded out: it would have used the time", `int main(){for(volatile int i=0;;i++);}`, 4,
				func(waited, _, _ time.Duration) bool { return waited > limit/5 },
			},
			{
				"a thread that is not the first is crowded out", `#include <pthread.h>
#include <unistd.h>
void *f(void *p){for(volatile int i=0;;i++);}
int main(){pthread_t t;pthread_create(&t,0,f,0);sleep(60);}`, 4,
				func(waited, _, _ time.Duration) bool { return waited > limit/5 },
			},
			{
				"asleep: it had no use for a CPU", `#include <unistd.h>
int main(){sleep(60);}`, 0,
				func(waited, wall, _ time.Duration) bool { return waited < wall*2/5 },
			},
			{
				"its own threads compete with each other for a CPU that is theirs", `#include <pthread.h>
void *f(void *p){for(volatile int i=0;;i++);}
int main(){pthread_t t;for(int i=0;i<3;i++)pthread_create(&t,0,f,0);f(0);}`, 0,
				func(waited, wall, cpu time.Duration) bool { return waited < wall-cpu+wall*3/10 },
			},
		} {
			exe := compileC(t, tt.source)
			stop := spinners(t, cpus, tt.beside)
			l := usual
			l.CPU, l.Wall = 0, limit
			r, err := b.Run(t.Context(), Command{
				Args: []string{"/w/p"}, Exe: exe, Limits: l, Grace: 100 * time.Millisecond, CPUs: cpus,
			})
			stop()
			if err != nil {
				t.Fatal(err)
			}
			if r.Stop != OverWall || !tt.ok(r.Waited, r.Wall, r.CPU) {
				t.Errorf("%s: waited %v of %v: %+v", tt.why, r.Waited, r.Wall, r)
			}
		}
		// A run within its wall limit is not looked at.
		l := usual
		l.Wall = time.Minute
		r, err := b.Run(t.Context(), Command{Args: []string{"/w/p"}, Exe: compileC(t, hello), Limits: l, CPUs: cpus})
		if err != nil || r.Stop != Exited || r.Waited != 0 {
			t.Errorf("an ordinary run: %+v, %v", r, err)
		}
	})
}

// spinners starts n processes that use all they get of the CPUs.
func spinners(t *testing.T, cpus []int, n int) (stop func()) {
	t.Helper()
	var running []*exec.Cmd
	for range n {
		cmd := exec.Command("sh", "-c", "while :; do :; done")
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

func TestPuttingWaitedTogether(t *testing.T) {
	t.Parallel()
	const s = time.Second
	for _, tt := range []struct {
		why                  string
		wall, cpu            time.Duration
		cpus                 int
		delay                time.Duration
		known                bool
		steal, pressed, want time.Duration
	}{
		{"what its threads waited", 4 * s, s, 1, 2 * s, true, 0, 0, 2 * s},
		{"threads that queued behind each other while the CPU was theirs", 4 * s, 4 * s, 1, 3 * s, true, 0, 0, 0},
		{"what others took is at most what it did not use", 4 * s, 3 * s, 1, 3 * s, true, 0, 0, s},
		{"two CPUs can be used for twice the time", 4 * s, 5 * s, 2, 4 * s, true, 0, 0, 3 * s},
		{"the hypervisor takes without the threads' knowledge", 4 * s, 4 * s, 1, 0, true, s, 0, s},
		{"never more than there was", 4 * s, 0, 1, 4 * s, true, 3 * s, 0, 4 * s},
		{"pressure does not count where delays are known", 4 * s, 0, 1, 0, true, 0, 3 * s, 0},
		{"pressure stands in for them where not", 4 * s, 0, 1, 0, false, 0, 3 * s, 3 * s},
		{"not pinned: any number of CPUs could have been used", 4 * s, 4 * s, 0, 2 * s, true, 0, 0, 2 * s},
		{"CPU time may be a tick ahead of the wall", 4 * s, 5 * s, 1, 2 * s, true, 0, 0, 0},
	} {
		if got := waited(tt.wall, tt.cpu, tt.cpus, tt.delay, tt.known, tt.steal, tt.pressed); got != tt.want {
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
	p, ok := parsePressure("some avg10=21.50 avg60=0.75 avg300=0.50 total=7638808\nfull avg10=1.00 avg60=0.00 avg300=0.00 total=9\n")
	if !ok || p.recent != 21.5 || p.total != 7638808*time.Microsecond {
		t.Errorf("pressure %+v, %v", p, ok)
	}
	for _, text := range []string{"", "full avg10=1 total=3", "some avg10=x total=3", "some avg10=1", "some total=y"} {
		if p, ok := parsePressure(text); ok {
			t.Errorf("pressure of %q is %+v", text, p)
		}
	}
	for _, tt := range []struct {
		why, text string
		want      time.Duration
		known     bool
	}{
		{"an account", "0 25820 1\n", 25820, true},
		{"a kernel that does not keep it", "0 0 0\n", 0, false},
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

	// A sample from before the run counts for the part that the run was there.
	start := time.Now()
	before := hostTimes{start, []time.Duration{0, time.Second}, time.Second}
	now := hostTimes{start.Add(4 * time.Second), []time.Duration{9 * time.Second, 3 * time.Second}, 5 * time.Second}
	lost, pressed := now.since(before, 2*time.Second, []int{1, 7})
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
		{"one thread, others of the host", 900 * ms, 0, 1, 900 * ms},
		{"eight threads of 100 ms each on one CPU, and then asleep", 700 * ms, 700 * ms, 1, 0},
		{"on two CPUs the rest takes half the time of each", 900 * ms, 800 * ms, 2, 500 * ms},
		{"pinned to nothing", 900 * ms, 400 * ms, 0, 500 * ms},
		{"accounts that do not fit together", 100 * ms, -5 * ms, 1, 100 * ms},
	} {
		if got := crowded(tt.delay, tt.rest, tt.cpus); got != tt.want {
			t.Errorf("%s: got %v, want %v", tt.why, got, tt.want)
		}
	}
}
