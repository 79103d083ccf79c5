package run

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"slices"
	"testing"

	"tribunal/judge/internal/runner"
	"tribunal/judge/internal/sandbox"
	"tribunal/judge/internal/sandbox/sandboxtest"
)

func TestClaims(t *testing.T) {
	t.Parallel()
	for i, tt := range []struct {
		why     string
		allowed []int
		others  int // how many of the allowed CPUs another pool claims first
		want    int
		cpus    []int
		shared  bool
	}{
		{"no other pool: the first CPUs", []int{0, 1, 2, 3}, 0, 2, []int{0, 1}, false},
		{"the first are taken", []int{0, 1, 2, 3}, 1, 2, []int{1, 2}, false},
		{"exactly enough are left", []int{0, 1, 2, 3}, 2, 2, []int{2, 3}, false},
		{"one is taken, and no other is left", []int{0, 1}, 1, 2, []int{1, 0}, true},
		{"its own CPUs before those of others", []int{0, 1, 2, 3}, 3, 2, []int{3, 0, 1, 2}, true},
		{"all are taken", []int{4, 6}, 2, 1, []int{4, 6}, true},
		{"the only one is free", []int{5}, 0, 1, []int{5}, false},
	} {
		prefix := fmt.Sprintf("@tribunal-test-%d-%d-", os.Getpid(), i)
		other := claim(prefix, tt.allowed, tt.others)
		ours := claim(prefix, tt.allowed, tt.want)
		if !slices.Equal(ours.cpus, tt.cpus) || ours.shared != tt.shared {
			t.Errorf("%s: claimed %v, shared %v, want %v, %v", tt.why, ours.cpus, ours.shared, tt.cpus, tt.shared)
		}
		if err := other.release(); err != nil {
			t.Error(err)
		}
		if err := ours.release(); err != nil {
			t.Error(err)
		}
		again := claim(prefix, tt.allowed, len(tt.allowed))
		if again.shared || !slices.Equal(again.cpus, tt.allowed) {
			t.Errorf("%s: after all pools have released their CPUs: %v, shared %v", tt.why, again.cpus, again.shared)
		}
		again.release()
	}
}

// TestPoolClaims checks which CPUs a pool claims and the warnings that it gives. It does not depend
// on the CPUs that other judges on this machine hold.
func TestPoolClaims(t *testing.T) {
	t.Parallel()
	p := NewPool(runner.NewLocal(sandboxtest.New(t, nil), 1024), 1024, 0)
	if len(p.cpus) != 1024 || p.Slots() != 1024 || p.cpus[0] != p.claims.cpus[0] {
		t.Errorf("%d slots on %v", p.Slots(), p.claims.cpus)
	}
	if err := p.Close(); err != nil || len(p.claims.held) > 0 {
		t.Errorf("close: %v, %d held", err, len(p.claims.held))
	}
	for _, tt := range []struct {
		why      string
		shared   bool
		pressure float64
		want     []string
	}{
		{"a quiet host", false, 20, nil},
		{"CPUs of another", true, 0, []string{"CPUs shared with another judge: times may be longer"}},
		{"other work", false, 34.6, []string{"this host is busy, programs waited for a CPU in 35 % of the last ten seconds: times may be longer"}},
	} {
		p := &Pool{claims: &claims{shared: tt.shared}, pressure: tt.pressure}
		if got := p.Busy(); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q, want %q", tt.why, got, tt.want)
		}
	}
}

// TestReleaseCPUs checks that another pool can claim the CPUs that a pool has released.
func TestReleaseCPUs(t *testing.T) {
	t.Parallel()
	host := sandboxtest.New(t, func(_ context.Context, r sandboxtest.Run) (sandbox.Result, error) {
		return r.Print(fmt.Sprint(r.CPUs)), nil
	})
	p := newPool(t, host, 1)
	if err := p.ReleaseCPUs(); err != nil { // later claims have a prefix that other judges do not know
		t.Fatal(err)
	}
	p.prefix = fmt.Sprintf("@tribunal-test-%d-rest-", os.Getpid())
	program := programs(t, 1)[0]
	run := func() string {
		var cpus bytes.Buffer
		if o := p.Run(t.Context(), Job{Program: program, Stdout: &cpus}); o.Err != nil {
			t.Fatal(o.Err)
		}
		return cpus.String()
	}
	allowed := sandbox.AllowedCPUs()
	first := fmt.Sprint(allowed[:1])
	other := func(why string, want int) *claims {
		t.Helper()
		c := claim(p.prefix, allowed, len(allowed))
		if len(c.held) != want {
			t.Errorf("%s: another pool claims %d CPUs, want %d", why, len(c.held), want)
		}
		return c
	}
	if cpus := run(); cpus != first {
		t.Errorf("runs on %s, want %s", cpus, first)
	}
	other("between two runs", len(allowed)-1).release()
	for range 2 {
		if err := p.ReleaseCPUs(); err != nil {
			t.Fatal(err)
		}
	}
	if !host.Open(0) || p.Slots() != 1 || p.Width(3) != 1 {
		t.Error("ReleaseCPUs released more than CPUs")
	}
	idle := func(context.Context, *Worker, int) (int, error) { return 0, nil }
	if err := Each(t.Context(), p, 1, 1, idle, func(int, int) error { return nil }); err != nil {
		t.Error(err)
	}
	all := other("after ReleaseCPUs and an Each without runs", len(allowed))
	if cpus := run(); cpus != first || len(p.Busy()) != 1 || !p.claims.shared {
		t.Errorf("runs on %s with notes %q, want CPUs that another pool has claimed", cpus, p.Busy())
	}
	all.release()
	if err := p.ReleaseCPUs(); err != nil {
		t.Fatal(err)
	}
	if cpus := run(); cpus != first || len(p.Busy()) > 0 || host.Boxes() != 1 {
		t.Errorf("runs on %s in box %d with notes %q, want CPUs of its own", cpus, host.Boxes(), p.Busy())
	}
}
