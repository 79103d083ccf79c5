package gauge

import (
	"bytes"
	"context"
	"errors"
	"os"
	"testing"
	"time"

	"tribunal/internal/tier"
	"tribunal/judge/internal/document"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/system"
	"tribunal/judge/judged/internal/scale"
)

// TestMeasure measures this host, and reads what it wrote. How long things take here does not matter.
func TestMeasure(t *testing.T) {
	tier.T2(t, "measuring what the steps of the service cost")
	t.Parallel()
	if free, err := system.Free(os.TempDir()); err != nil || free < 256<<20 {
		t.Skipf("not checked: measuring what the steps of the service cost (%s has room for %v: %v)", os.TempDir(), limits.Bytes(free), err)
	}
	said := 0
	c, err := measure(t.Context(), t.TempDir(), calls{4, 8, 8, 1, 1, 4}, func(what string) { said++ })
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := document.Write(&b, c); err != nil {
		t.Fatal(err)
	}
	read, err := scale.Read(&b)
	if err != nil {
		t.Fatal(err)
	}
	if *read != *c || c.Host == "" || said != 10 {
		t.Errorf("%+v was read as %+v; %d steps", c, read, said)
	}
}

// TestEnds ends a measurement.
func TestEnds(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithCancel(t.Context())
	if _, err := Single(ctx, t.TempDir(), func(string) { stop() }); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

func TestLinear(t *testing.T) {
	t.Parallel()
	const kib = (much - little) >> 10
	for _, tt := range []struct {
		why                 string
		small, large, alone time.Duration
		want                scale.Step
	}{
		{"the more, the longer", 30, 30 + 10*kib, 50, scale.Step{Each: 20, PerKiB: 10, Delay: 20}},
		{"the size does not matter", 30, 30, 30, scale.Step{Each: 30}},
		{"more took less", 30, 20, 30, scale.Step{Each: 30}},
		{"only the size matters", 10, 10 + 20*kib, 5, scale.Step{Each: 1, PerKiB: 20}},
	} {
		if got := late(linear(tt.small, tt.large), tt.alone, 0); got != tt.want {
			t.Errorf("%s: %+v, want %+v", tt.why, got, tt.want)
		}
	}
}

// TestFails checks that an error ends a measurement, in whichever goroutine it occurs.
func TestFails(t *testing.T) {
	t.Parallel()
	wrong := errors.New("wrong")
	do := func(i int) error {
		if i == 3 {
			return wrong
		}
		return nil
	}
	_, together := together(2, 10, do)
	_, _, apart := apart(10, do)
	_, fastest := (&gauge{calls: calls{rounds: 1}}).fastest(func() (time.Duration, error) { return 0, wrong })
	for what, err := range map[string]error{"together": together, "apart": apart, "fastest": fastest} {
		if !errors.Is(err, wrong) {
			t.Errorf("%s: %v", what, err)
		}
	}
}
