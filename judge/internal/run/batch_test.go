package run

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"tribunal/judge/internal/content"
	"tribunal/judge/internal/sandbox"
	"tribunal/judge/internal/sandbox/sandboxtest"
)

// TestMemoIsDamaged checks that a run is repeated, and its entry replaced, if its file in the cache
// is damaged.
func TestMemoIsDamaged(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why    string
		damage func(text []byte) []byte
	}{
		{"nothing is left", func([]byte) []byte { return nil }},
		{"a part is missing", func(text []byte) []byte { return text[:len(text)-1] }},
		{"a flipped bit", func(text []byte) []byte { text[len(text)-2] ^= 1; return text }},
		{"another format", func([]byte) []byte { return []byte("a file of another program") }},
	} {
		host := sandboxtest.New(t, func(_ context.Context, r sandboxtest.Run) (sandbox.Result, error) { return r.Print("output\n"), nil })
		p := newPool(t, host, 1)
		dir := t.TempDir()
		job := Job{Program: programs(t, 1)[0], Limits: memoLimits}
		ask(t, p, newMemo(t, dir), job)
		files, err := filepath.Glob(filepath.Join(dir, "entries", "*", "files", segmentName))
		if err != nil || len(files) != 1 {
			t.Fatalf("%q are in the cache (%v)", files, err)
		}
		text, err := os.ReadFile(files[0])
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(files[0], tt.damage(text), 0o600); err != nil {
			t.Fatal(err)
		}
		for i, cached := range []bool{false, true} {
			if o, output := ask(t, p, newMemo(t, dir), job); o.Cached != cached || output != "output\n" {
				t.Errorf("%s: time %d: %+v %q", tt.why, i, o, output)
			}
		}
	}
}

// TestMemoOfMany runs more programs than the memo holds in memory, in several Eaches, and with
// outputs so large that they are saved before the end.
func TestMemoOfMany(t *testing.T) {
	t.Parallel()
	const few = 3 // inputs with small outputs
	output := func(input int) string {
		if input < few {
			return fmt.Sprint("output ", input)
		}
		return strings.Repeat(fmt.Sprint(input), 200<<10)
	}
	host := sandboxtest.New(t, func(_ context.Context, r sandboxtest.Run) (sandbox.Result, error) {
		input, err := strconv.Atoi(string(r.Input))
		return r.Print(output(input)), err
	})
	dir, list := t.TempDir(), programs(t, 2*maxBatches)
	p := newPool(t, host, 4)
	each := func(memo *Memo, inputs int) (cached int) {
		t.Helper()
		n := inputs * len(list)
		outputs := make([]bytes.Buffer, n)
		err := Each(t.Context(), p, n, 1, func(ctx context.Context, w *Worker, i int) (Outcome, error) {
			return w.Run(ctx, Job{Program: list[i%len(list)], Input: content.Of([]byte(strconv.Itoa(i / len(list)))), Stdout: &outputs[i], Limits: memoLimits}, memo), nil
		}, func(i int, o Outcome) error {
			if outputs[i].String() != output(i/len(list)) {
				t.Errorf("job %d wrote %d bytes that are not its own", i, outputs[i].Len())
			}
			if o.Cached {
				cached++
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return cached
	}
	memo := newMemo(t, dir)
	for _, tt := range []struct {
		why    string
		memo   *Memo
		inputs int
		known  int // how many inputs of each program the memo knows
	}{
		{"the first time", memo, 1, 0},
		{"one more input", memo, 2, 1},
		{"all again", memo, 2, 2},
		{"in another process", newMemo(t, dir), few, 2},
		{"and in a third", newMemo(t, dir), few, few},
	} {
		if cached := each(tt.memo, tt.inputs); cached != tt.known*len(list) {
			t.Errorf("%s: %d outcomes are known, want %d", tt.why, cached, tt.known*len(list))
		}
	}
	// The memo also knows the outcomes of a program with so much output that they were saved before
	// the end.
	list = list[:1]
	for _, want := range []int{few, 20} {
		if cached := each(newMemo(t, dir), 20); cached != want {
			t.Errorf("%d are known, want %d", cached, want)
		}
	}
}

// TestMemoMerges records the same runs again and again, which must not fill the cache.
func TestMemoMerges(t *testing.T) {
	t.Parallel()
	host := sandboxtest.New(t, func(_ context.Context, r sandboxtest.Run) (sandbox.Result, error) {
		return r.Print(string(r.Input)), nil
	})
	dir, p := t.TempDir(), newPool(t, host, 1)
	job := Job{Program: programs(t, 1)[0], Limits: memoLimits}
	for i := range 3 * maxSegments {
		memo := newMemo(t, dir)
		memo.Fresh = i%2 == 1 // the other runs get a new input instead
		job.Input = content.Of([]byte(strconv.Itoa(i / 2)))
		ask(t, p, memo, job)
	}
	files, err := filepath.Glob(filepath.Join(dir, "entries", "*", "files", segmentName))
	if err != nil || len(files) > maxSegments+1 {
		t.Errorf("%d segments are in the cache (%v)", len(files), err)
	}
	before := host.Runs()
	for i := range 3 * maxSegments / 2 {
		job.Input = content.Of([]byte(strconv.Itoa(i)))
		if o, output := ask(t, p, newMemo(t, dir), job); !o.Cached || output != strconv.Itoa(i) {
			t.Errorf("input %d: %+v %q", i, o, output)
		}
	}
	if host.Runs() != before {
		t.Errorf("%d runs whose outcomes are known", host.Runs()-before)
	}
}

// TestMemoOutlivesFailure checks that an Each that ends early keeps the results that it has.
func TestMemoOutlivesFailure(t *testing.T) {
	t.Parallel()
	host := sandboxtest.New(t, func(_ context.Context, r sandboxtest.Run) (sandbox.Result, error) { return sandbox.Result{}, nil })
	dir := t.TempDir()
	job, memo := Job{Program: programs(t, 1)[0], Limits: memoLimits}, newMemo(t, dir)
	p := newPool(t, host, 1)
	stop := errors.New("stop")
	err := Each(t.Context(), p, 2, 1, func(ctx context.Context, w *Worker, i int) (Outcome, error) {
		if i == 1 {
			return Outcome{}, stop
		}
		return w.Run(ctx, job, memo), nil
	}, func(int, Outcome) error { return nil })
	if !errors.Is(err, stop) {
		t.Errorf("got %v", err)
	}
	if o, _ := ask(t, p, newMemo(t, dir), job); !o.Cached {
		t.Error("it was not kept")
	}
}
