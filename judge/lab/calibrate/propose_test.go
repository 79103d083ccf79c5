package calibrate

import (
	"strings"
	"testing"
	"time"

	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/verdict"
)

func accepted(name string, cpu time.Duration) Program {
	return Program{Name: name, Want: verdict.AC, Got: verdict.AC, CPU: cpu, Wall: cpu, Memory: limits.MiB, Case: "a/b", MemoryAt: "a/c"}
}

func slow(name string, cpu time.Duration) Program {
	p := accepted(name, cpu)
	p.Want = verdict.TLE
	return p
}

func stopped(name string, cpu time.Duration) Program {
	p := slow(name, cpu)
	p.Got, p.AtLeast = verdict.TLE, true
	return p
}

func hoards(name string, memory limits.Bytes) Program {
	p := accepted(name, time.Millisecond)
	p.Want, p.Got, p.Memory = verdict.MLE, verdict.MLE, memory
	return p
}

// TestPropose checks which limits and findings follow from measurements, without running programs.
func TestPropose(t *testing.T) {
	t.Parallel()
	const ms, s = time.Millisecond, time.Second
	present := limits.Limits{CPU: s, Wall: 5 * s, Memory: 64 * limits.MiB}
	need := func(name string, memory limits.Bytes) Program {
		p := accepted(name, 10*ms)
		p.Memory = memory
		return p
	}
	for _, tt := range []struct {
		why       string
		programs  []Program
		cpu, wall time.Duration
		memory    limits.Bytes
		find      string // a part of each finding, separated by |
	}{
		{"all is well", []Program{accepted("quick", 100*ms), stopped("ever", 10*s)}, s, 5 * s, 64 * limits.MiB, ""},
		{"exactly half, and exactly one and a half times the limit", []Program{accepted("half", 500*ms), slow("beyond", 1500*ms)}, s, 5 * s, 64 * limits.MiB, ""},
		{"too tight", []Program{accepted("quick", 600*ms), stopped("ever", 10*s)}, 2 * s, 5 * s, 64 * limits.MiB, "cpu: quick needs 600ms of 1s on a/b, more than half"},
		{"hardly stopped", []Program{accepted("quick", 10*ms), slow("hardly", 1200*ms)}, 500 * ms, 5 * s, 64 * limits.MiB,
			"cpu: hardly takes 1.2s on a/b, but a limit of 1s is sure to stop only programs that take at least 1.5s"},
		{"not even stopped", []Program{accepted("quick", 10*ms), slow("quicker", 900*ms)}, 500 * ms, 5 * s, 64 * limits.MiB, "cpu: quicker takes 900ms of 1s on a/b, and is not stopped"},
		{"no limit is right", []Program{accepted("quick", 600*ms), slow("hardly", 1500*ms)}, 0, 0, 0,
			"quick needs 600ms|no limit is right: quick takes 600ms on a/b and needs at least 1.2s, hardly takes 1.5s and needs at most 1s, 1.2 times less"},
		{"the slowest accepted program and the fastest slow one decide", []Program{accepted("a", 300*ms), accepted("b", 200*ms), stopped("c", 9*s), slow("d", 1350*ms)},
			900 * ms, 5 * s, 64 * limits.MiB, "cpu: d takes 1.35s"},
		{"no program is too slow", []Program{accepted("quick", 10*ms)}, s, 5 * s, 64 * limits.MiB, "cpu: no example exceeds it"},
		{"a program that sleeps does not count", []Program{accepted("quick", 10*ms), {Name: "idle", Want: verdict.TLE, Got: verdict.ILE, Cause: "slept", Case: "a/b"}},
			s, 5 * s, 64 * limits.MiB, "idle gets ILE on a/b and does not count: slept|no example exceeds it"},
		{"a program that does not compile has no case", []Program{accepted("quick", 10*ms), stopped("ever", 9*s), {Name: "typo", Want: verdict.AC, Got: verdict.CE, Cause: "error"}},
			s, 5 * s, 64 * limits.MiB, "typo gets CE and does not count: error"},
		{"memory is tight", []Program{need("large", 40*limits.MiB), stopped("ever", 9*s)}, s, 5 * s, 128 * limits.MiB, "memory: large needs 40.0 MiB of 64.0 MiB on a/c, more than half"},
		{"a hoarder is not stopped", []Program{need("large", 10*limits.MiB), stopped("ever", 9*s), hoards("modest", 60*limits.MiB)},
			s, 5 * s, 32 * limits.MiB, "memory: modest takes 60.0 MiB of 64.0 MiB, and is not stopped"},
		{"no memory limit is right", []Program{need("large", 40*limits.MiB), stopped("ever", 9*s), hoards("modest", 70*limits.MiB)},
			0, 0, 0, "memory: large needs|memory: no limit is right: large needs at least 80.0 MiB, modest needs less than 70.0 MiB"},
	} {
		r := &Report{Present: present, wallSet: true, Programs: tt.programs}
		r.propose(3)
		if got := r.proposed; got.CPU != tt.cpu || got.Wall != tt.wall || got.Memory != tt.memory {
			t.Errorf("%s: proposes %v, %v, %v, want %v, %v, %v", tt.why, got.CPU, got.Wall, got.Memory, tt.cpu, tt.wall, tt.memory)
		}
		var want []string
		if tt.find != "" {
			want = strings.Split(tt.find, "|")
		}
		if len(r.Findings) != len(want) {
			t.Errorf("%s: finds %q, want %q", tt.why, r.Findings, want)
			continue
		}
		for i, part := range want {
			if !strings.Contains(r.Findings[i], part) {
				t.Errorf("%s: finds %q, want %q", tt.why, r.Findings[i], part)
			}
		}
	}
}

// TestProposeWall checks the proposed wall limit: set by the problem or by the machine's default,
// and with several CPUs.
func TestProposeWall(t *testing.T) {
	t.Parallel()
	const s = time.Second
	for _, tt := range []struct {
		why           string
		cpu, wall     time.Duration
		cpus          int
		set           bool
		need, elapsed time.Duration
		want          time.Duration
		find          string
		busy          bool
	}{
		{"the machine's default", s, 3 * s, 1, false, s / 10, s / 10, 3 * s, "", false},
		{"the default follows a larger CPU limit", s, 3 * s, 1, false, 4 * s / 5, 4 * s / 5, 6 * s, "cpu: ", false},
		{"set by the problem, and long enough", s, 5 * s, 1, true, s / 10, s / 10, 5 * s, "", false},
		{"set by the problem, and too tight", s, 2 * s, 1, true, s / 10, 3 * s / 2, 3 * s, "wall: ", false},
		{"two CPUs reach the CPU limit in half the time", 20 * s, 12 * s, 2, true, 2 * s, s, 12 * s, "", false},
		{"two CPUs cannot reach the CPU limit", 20 * s, 10 * s, 2, true, 2 * s, s, 11 * s, "wall: 20s of CPU time cannot be reached in 10s", false},
		{"too tight, but measured on a busy machine", s, 2 * s, 1, true, s / 10, 3 * s / 2, 2 * s, "", true},
	} {
		p := accepted("quick", tt.need)
		p.Wall = tt.elapsed
		r := &Report{
			Present: limits.Limits{CPU: tt.cpu, Wall: tt.wall, Memory: 64 * limits.MiB, CPUs: tt.cpus}, wallSet: tt.set, busy: tt.busy,
			Programs: []Program{p, stopped("ever", 200*s)},
		}
		r.propose(3)
		if r.proposed.Wall != tt.want || r.wallFollows == tt.set {
			t.Errorf("%s: proposes %v, want %v", tt.why, r.proposed.Wall, tt.want)
		}
		if found := strings.Join(r.Findings, "|"); (found == "") != (tt.find == "") || !strings.Contains(found, tt.find) {
			t.Errorf("%s: finds %q, want %q", tt.why, found, tt.find)
		}
	}
}

// TestCompare compares languages case by case.
func TestCompare(t *testing.T) {
	t.Parallel()
	const ms = time.Millisecond
	in := func(language string, times ...time.Duration) Program {
		p := accepted(language, times[0])
		p.Language = language
		p.perCase = map[string]time.Duration{"a": times[0], "b": times[1], "c": times[2]}
		return p
	}
	slow := in("rust", 1000*ms, 1000*ms, 1000*ms)
	slow.Want = verdict.TLE
	r := &Report{Programs: []Program{in("c", 10*ms, 20*ms, ms/10), in("python3", 40*ms, 40*ms, 8*ms), in("python3", 50*ms, 20*ms, 10*ms), slow}}
	r.compare()
	want := []Language{
		{"c", 1, 20 * ms, 1, 1, "a"},
		{"python3", 2, 50 * ms, 5, 10, "c"}, // c takes less than a millisecond on case c, which counts as one
	}
	if len(r.Languages) != len(want) || r.Languages[0] != want[0] || r.Languages[1] != want[1] {
		t.Errorf("got %+v, want %+v", r.Languages, want)
	}
}

func TestLine(t *testing.T) {
	t.Parallel()
	const s = time.Second
	l := limits.Limits{CPU: 1500 * time.Millisecond, Wall: 90 * s, Memory: 64 * limits.MiB, Output: limits.KiB, CPUs: 1}
	two := l
	two.CPUs = 2
	for _, tt := range []struct {
		why  string
		r    Report
		want string
	}{
		{"the wall limit is the problem's", Report{proposed: l}, "{cpu: 1500ms, wall: 90s, memory: 64MiB, output: 1KiB}"},
		{"the wall limit is the machine's default", Report{proposed: l, wallFollows: true}, "{cpu: 1500ms, memory: 64MiB, output: 1KiB}"},
		{"two CPUs", Report{proposed: two, wallFollows: true}, "{cpu: 1500ms, memory: 64MiB, output: 1KiB, cpus: 2}"},
	} {
		if got := tt.r.line(); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.why, got, tt.want)
		}
	}
}
