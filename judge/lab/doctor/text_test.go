//go:build linux

package doctor

import (
	"flag"
	"os"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tribunal/judge/internal/sandbox"
)

var update = flag.Bool("update", false, "write the golden files anew")

// TestWholeText compares the report of a host that stops every attack, which docs/doctor.md shows, with a golden file.
func TestWholeText(t *testing.T) {
	t.Parallel()
	const us, ms = time.Microsecond, time.Millisecond
	r := &Report{
		Host: Facts{
			Kernel: "6.18", Arch: "amd64", Root: true, CPUs: []int{0, 1}, Memory: 25233000000, TempFree: 56478600000,
			Cgroups: []Hierarchy{
				{Version: 1, Controllers: []string{"blkio", "cpu", "cpuacct", "cpuset", "devices", "freezer", "memory", "pids"}, Writable: true},
				{Version: 2, Controllers: []string{"hugetlb"}, Writable: true},
			},
			Namespaces: []Namespace{{Name: "user"}, {Name: "mount"}, {Name: "pid"}, {Name: "network", Error: "operation not permitted"}},
			Settings:   []Setting{{"user.max_user_namespaces", "96365"}},
			Seccomp:    []string{"kill_process", "trap", "errno", "allow"},
			Pressure:   true,
			Clock:      Clock{"tsc", 1, 57 * us},
			Noise: []Noise{
				{CPU: 0, Median: 18700, P99: 19 * us, Worst: 210 * us, Lost: 0.004},
				{CPU: 1, Median: 18700, P99: 20 * us, Worst: 150 * us, Lost: 0.003, Steal: 2 * ms},
			},
			Waited: 3 * ms,
		},
		Asked: sandbox.Auto,
		Mechanisms: sandbox.Mechanisms{
			Mode: sandbox.Container, Isolation: "user, mount, pid, ipc, uts, network and cgroup namespaces; system call filter", CPU: "cgroup v1 cpuacct",
			Wall: "timer", Memory: "cgroup v1 memory", Output: "bytes read from the pipe", Processes: "cgroup v1 pids",
		},
		Notes: []string{"known gaps here (docs/sandbox.md): covert channels between programs that conspire"},
		Count: Count{Attacks: 143, Held: 143},
	}
	seen := map[string]string{"honest": "runs", "memory-heap": "over_memory", "fork-bomb": "runs", "read-passwd": "ENOENT", "secret-path": "ENOENT"}
	for _, a := range attacks() {
		if seen[a.name] != "" {
			r.Findings = append(r.Findings, Finding{Name: a.name, Group: a.group, Attack: a.what, Expected: a.want, Seen: seen[a.name], Status: Held})
		}
	}
	text := r.Text()
	checkWidth(t, text)
	if *update {
		if err := os.WriteFile("testdata/held.txt", []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile("testdata/held.txt")
	if err != nil {
		t.Fatalf("%v (hint: go test -update)", err)
	}
	if d := cmp.Diff(string(want), text); d != "" {
		t.Errorf("testdata/held.txt (-want +got):\n%s", d)
	}
}
