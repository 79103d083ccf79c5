package run

import (
	"os"
	"os/exec"
	"strconv"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/runner"
	"tribunal/judge/internal/sandbox"
)

// pingPong asks, or with an argument answers, one byte at a time.
const pingPong = `#include <stdlib.h>
#include <unistd.h>
int main(int argc, char **argv) {
	char c = 'x';
	long n = atol(argv[1]);
	if (argc > 2) while (read(0, &c, 1) == 1) write(1, &c, 1);
	else while (n--) if (write(1, &c, 1) != 1 || read(0, &c, 1) != 1) return 1;
	return 0;
}`

// BenchmarkInteraction counts the round trips per second of two programs that take turns: in the
// jail with plain and with relayed pipes and, for comparison, outside of it, pinned to one CPU as
// in the jail and to two.
func BenchmarkInteraction(b *testing.B) {
	const trips, fewer = 50000, 5000
	exe := compileC(b, pingPong)
	host, err := sandbox.Open(sandbox.Auto)
	if err != nil {
		b.Fatal(err)
	}
	defer host.Close()
	p := program(b, host, exe)
	pool := NewPool(runner.NewLocal(host, 1), 1, time.Second)
	defer pool.Close()
	n := strconv.Itoa(trips)
	jail := func(transcript limits.Bytes) time.Duration {
		l := limits.Limits{CPU: time.Minute, Wall: time.Minute, Memory: 64 * limits.MiB, Processes: 8}
		var took time.Duration
		o := pool.Run(b.Context(), Job{Program: p, Args: []string{n}, Limits: l, Interactor: &Interactor{
			Program: p, Args: []string{n, "pong"}, Limits: l, Transcript: transcript}})
		if o.Err != nil || !o.OK(l) || o.Interaction.Interactor.ExitCode != 0 {
			b.Errorf("%+v", o)
		} else {
			took = o.Wall
		}
		if err != nil {
			b.Fatal(err)
		}
		return took
	}
	cpus := sandbox.AllowedCPUs()
	var plain, relayed, one, two time.Duration
	for b.Loop() {
		plain += jail(0)
		relayed += jail(64 * limits.KiB)
		one += bareInteraction(b, exe, trips, cpus[0], cpus[0])
		two += bareInteraction(b, exe, fewer, cpus[0], cpus[len(cpus)-1]) * (trips / fewer)
	}
	rate := func(d time.Duration) float64 { return float64(trips*b.N) / d.Seconds() }
	b.ReportMetric(rate(plain), "jail-trips/s")
	b.ReportMetric(rate(relayed), "relayed-trips/s")
	b.ReportMetric(rate(one), "bare-trips/s")
	b.ReportMetric(rate(two), "bare-on-two-CPUs-trips/s")
	b.ReportMetric(float64(plain)/float64(one), "ratio")
	b.ReportMetric(float64(relayed)/float64(one), "relayed-ratio")
	b.ReportMetric(0, "ns/op")
}

// bareInteraction connects two processes, pinned to these CPUs, and returns the time that they
// took.
func bareInteraction(b *testing.B, exe string, trips int, cpus ...int) time.Duration {
	r0, w0, err := os.Pipe()
	if err != nil {
		b.Fatal(err)
	}
	r1, w1, err := os.Pipe()
	if err != nil {
		b.Fatal(err)
	}
	n := strconv.Itoa(trips)
	ping, pong := exec.Command(exe, n), exec.Command(exe, n, "pong")
	ping.Stdin, ping.Stdout, pong.Stdin, pong.Stdout = r1, w0, r0, w1
	start := time.Now()
	for i, cmd := range []*exec.Cmd{pong, ping} {
		if err := cmd.Start(); err != nil {
			b.Fatal(err)
		}
		var set unix.CPUSet
		set.Set(cpus[i])
		if err := unix.SchedSetaffinity(cmd.Process.Pid, &set); err != nil {
			b.Fatal(err)
		}
	}
	for _, f := range []*os.File{r0, w0, r1, w1} {
		f.Close()
	}
	if err := ping.Wait(); err != nil {
		b.Error(err)
	}
	took := time.Since(start)
	pong.Wait()
	return took
}
