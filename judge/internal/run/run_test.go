package run

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/cache"
	"tribunal/judge/internal/content"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/runner"
	"tribunal/judge/internal/sandbox"
	"tribunal/judge/internal/sandbox/sandboxtest"
)

// programs returns n programs that need different boxes. They are never compiled or really run.
func programs(t *testing.T, n int) []*build.Program {
	t.Helper()
	c, err := cache.Open(t.TempDir(), 0)
	if err != nil {
		t.Fatal(err)
	}
	languages := map[string]build.Language{"text": {Match: []string{".txt"}, Run: []string{"sh", "{dir}/{main}"}}}
	builder := build.New(build.Options{Languages: languages, Cache: c})
	var list []*build.Program
	for i := range n {
		source, err := build.Read("p", "p.txt", strings.NewReader(fmt.Sprint("program ", i)), "", languages)
		if err != nil {
			t.Fatal(err)
		}
		p, err := builder.Build(t.Context(), source)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { p.Close() })
		list = append(list, p)
	}
	return list
}

func newPool(t *testing.T, host runner.Host, slots int) *Pool {
	t.Helper()
	p := NewPool(runner.NewLocal(host, slots), slots, time.Second)
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	return p
}

// wait takes that long on the bubble's clock, or less when ctx ends.
func wait(ctx context.Context, d time.Duration) sandbox.Result {
	select {
	case <-time.After(d):
		return sandbox.Result{Wall: d}
	case <-ctx.Done():
		return sandbox.Result{Stop: sandbox.Cancelled}
	}
}

func TestWidth(t *testing.T) {
	t.Parallel()
	p := programs(t, 1)[0]
	for _, tt := range []struct {
		why                        string
		slots, cpus, width, atOnce int
	}{
		{"one CPU each: every slot is used", 4, 1, 1, 4},
		{"0 CPUs means 1", 4, 0, 1, 4},
		{"two CPUs each: half as many at a time", 4, 2, 2, 2},
		{"a slot that is not enough for a run stays empty", 5, 2, 2, 2},
		{"a run that asks for more CPUs than there are gets all", 2, 8, 2, 1},
		{"there is always one slot", 0, 1, 1, 1},
		{"even if a run asks for many CPUs", -3, 4, 1, 1},
	} {
		synctest.Test(t, func(t *testing.T) {
			host := sandboxtest.New(t, func(ctx context.Context, r sandboxtest.Run) (sandbox.Result, error) {
				if len(r.CPUs) != tt.width {
					t.Errorf("%s: a run has %d CPUs, want %d", tt.why, len(r.CPUs), tt.width)
				}
				return wait(ctx, time.Second), nil
			})
			pool := newPool(t, host, tt.slots)
			if got := pool.Width(tt.cpus); got != tt.width || pool.Slots() != max(tt.slots, 1) {
				t.Errorf("%s: width %d of %d slots, want %d of %d", tt.why, got, pool.Slots(), tt.width, max(tt.slots, 1))
			}
			start := time.Now() // on the bubble's clock, where only the runs take time
			err := Each(t.Context(), pool, 12, tt.cpus, func(ctx context.Context, w *Worker, _ int) (Outcome, error) {
				return w.Run(ctx, Job{Program: p, Limits: limits.Limits{CPUs: tt.cpus}}, nil), nil
			}, func(int, Outcome) error { return nil })
			if took, want := time.Since(start), time.Duration(12/tt.atOnce)*time.Second; err != nil || took != want {
				t.Errorf("%s: 12 runs of 1s took %v, want %v: %d at a time (%v)", tt.why, took, want, tt.atOnce, err)
			}
		})
	}
}

func TestWhatARunGets(t *testing.T) {
	t.Parallel()
	p := programs(t, 1)[0]
	want := limits.Limits{CPU: time.Second, Memory: 64 * limits.MiB, CPUs: 1}
	long := strings.Repeat("x", 4<<10) + "the end"
	host := sandboxtest.New(t, func(_ context.Context, r sandboxtest.Run) (sandbox.Result, error) {
		if r.Limits != want || r.Grace != time.Second || r.Args[len(r.Args)-1] != "-seed=1" || string(r.Input) != "in" {
			t.Errorf("the run is %+v with input %q", r.Command, r.Input)
		}
		if env := strings.Join(r.Env, " "); strings.Count(env, "HOME=") != 1 || !strings.HasSuffix(env, " HOME=/ MORE=a=b") || !strings.Contains(env, "PATH=") {
			t.Errorf("its environment is %s", env)
		}
		r.Stderr.Write([]byte(long))
		return r.Print("out"), nil
	})
	var out bytes.Buffer
	got := newPool(t, host, 1).Run(t.Context(), Job{
		Program: p, Args: []string{"-seed=1"}, Env: []string{"HOME=/", "MORE=a=b"}, Input: content.Of([]byte("in")), Stdout: &out, Limits: want,
	})
	if got.Err != nil || out.String() != "out" {
		t.Errorf("wrote %q, %v", out.String(), got.Err)
	}
	if string(got.Stderr) != long[len("the end"):] || !got.Truncated {
		t.Errorf("kept %d bytes of standard error, truncated %v: want the last %d", len(got.Stderr), got.Truncated, 4<<10)
	}
}

// TestStopped cancels some of the runs; the others are not affected.
func TestStopped(t *testing.T) {
	t.Parallel()
	p := programs(t, 1)[0]
	synctest.Test(t, func(t *testing.T) {
		host := sandboxtest.New(t, func(ctx context.Context, r sandboxtest.Run) (sandbox.Result, error) {
			return wait(ctx, time.Hour), nil
		})
		own, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Minute, cancel)
		var stops []sandbox.StopReason
		err := Each(t.Context(), newPool(t, host, 2), 4, 1, func(ctx context.Context, w *Worker, i int) (Outcome, error) {
			if i == 1 || i == 3 { // 3 starts when its context has long ended
				ctx = own
			}
			return w.Run(ctx, Job{Program: p}, nil), nil
		}, func(i int, o Outcome) error { stops = append(stops, o.Stop); return nil })
		want := []sandbox.StopReason{sandbox.Exited, sandbox.Cancelled, sandbox.Exited, sandbox.Cancelled}
		if err != nil || !slices.Equal(stops, want) {
			t.Errorf("stops %v, %v: want %v in order", stops, err, want)
		}
	})
}

// TestExclusive runs random loads in which some runs are exclusive: no other runs beside such a
// run, and its box is fresh.
func TestExclusive(t *testing.T) {
	t.Parallel()
	p := programs(t, 2)
	for seed := range uint64(100) {
		synctest.Test(t, func(t *testing.T) {
			random := rand.New(rand.NewPCG(seed, 2))
			n, slots, cpus := 1+random.IntN(12), 1+random.IntN(4), 1+random.IntN(2)
			wants := make([][]bool, n) // whether each of the runs is exclusive
			for i := range n {
				for range 1 + random.IntN(4) {
					wants[i] = append(wants[i], random.IntN(2) == 0)
				}
			}
			var now, most atomic.Int32
			var mu sync.Mutex
			used := map[int]bool{}
			host := sandboxtest.New(t, func(ctx context.Context, r sandboxtest.Run) (sandbox.Result, error) {
				alone := string(r.Input) == "alone"
				mu.Lock()
				if alone && used[r.Box] {
					t.Errorf("seed %d: an exclusive run is in box %d, which an earlier run used", seed, r.Box)
				}
				used[r.Box] = true
				mu.Unlock()
				most.Store(max(most.Load(), now.Add(1)))
				defer now.Add(-1)
				for range 10 {
					wait(ctx, time.Duration(rand.IntN(10)+1)*time.Millisecond)
					if alone && now.Load() != 1 {
						t.Errorf("seed %d: an exclusive run is not alone", seed)
					}
				}
				return sandbox.Result{}, nil
			})
			next := 0
			err := Each(t.Context(), newPool(t, host, slots), n, cpus, func(ctx context.Context, w *Worker, i int) (int, error) {
				for _, alone := range wants[i] {
					job := Job{Program: p[i%len(p)], Exclusive: alone, Limits: limits.Limits{CPUs: cpus}}
					if alone {
						job.Input = content.Of([]byte("alone"))
					}
					if o := w.Run(ctx, job, nil); o.Err != nil || o.Stop != sandbox.Exited {
						t.Errorf("seed %d: %+v", seed, o)
					}
				}
				return i, nil
			}, func(i, v int) error {
				if i != next || v != i {
					t.Errorf("seed %d: delivered %d, %d, want %d", seed, i, v, next)
				}
				next++
				return nil
			})
			if err != nil || next != n || host.Runs() != len(slices.Concat(wants...)) {
				t.Errorf("seed %d: %d of %d delivered, %d runs, %v", seed, next, n, host.Runs(), err)
			}
		})
	}
}

// TestExclusiveEndsEarly stops the work while one run is exclusive and another job waits.
func TestExclusiveEndsEarly(t *testing.T) {
	t.Parallel()
	p := programs(t, 1)[0]
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Minute, cancel)
		// The work whose first run ends first continues with an exclusive run, which takes for
		// ever. The other one waits for its turn.
		takes := []time.Duration{time.Second, 2 * time.Second, time.Hour}
		var runs atomic.Int32
		host := sandboxtest.New(t, func(ctx context.Context, r sandboxtest.Run) (sandbox.Result, error) {
			return wait(ctx, takes[runs.Add(1)-1]), nil
		})
		start := time.Now()
		err := Each(ctx, newPool(t, host, 2), 2, 1, func(ctx context.Context, w *Worker, _ int) (Outcome, error) {
			w.Run(ctx, Job{Program: p}, nil)
			return w.Run(ctx, Job{Program: p, Exclusive: true}, nil), nil
		}, func(int, Outcome) error { return nil })
		if !errors.Is(err, context.Canceled) || time.Since(start) != time.Minute || runs.Load() != 3 {
			t.Errorf("%v after %v and %d runs", err, time.Since(start), runs.Load())
		}
	})
}

// TestOnceMore checks that a run that ends without a result is repeated once if its program is not
// to blame, and that the output of the first attempt is discarded.
func TestOnceMore(t *testing.T) {
	t.Parallel()
	p := programs(t, 1)[0]
	died := fmt.Errorf("container: %w", sandbox.ErrDied)
	starved, broken := error(&sandbox.StarvedError{Wall: time.Minute}), errors.New("no cgroup")
	for _, tt := range []struct {
		why      string
		fails    []error
		starving bool
		boxes    []int // box of each run
		want     error
	}{
		{"the box died", []error{died}, false, []int{0, 1}, nil},
		{"both boxes died", []error{died, died}, false, []int{0, 1}, died},
		{"no CPU", []error{starved}, false, []int{0, 1}, nil},
		{"no CPU in the exclusive run either", []error{starved, starved}, false, []int{0, 1}, starved},
		{"no CPU, and the job is Starving", []error{starved}, true, []int{0}, starved},
		{"the box died, then no CPU, and the job is Starving", []error{died, starved}, true, []int{0, 1}, starved},
		{"any other failure", []error{broken}, false, []int{0}, broken},
	} {
		var boxes []int
		host := sandboxtest.New(t, func(_ context.Context, r sandboxtest.Run) (sandbox.Result, error) {
			r.Print("output")
			if boxes = append(boxes, r.Box); len(boxes) <= len(tt.fails) {
				return sandbox.Result{}, tt.fails[len(boxes)-1]
			}
			return sandbox.Result{}, nil
		})
		var output bytes.Buffer
		pool := newPool(t, host, 2)
		o := pool.Run(t.Context(), Job{Program: p, Stdout: &output, Starving: tt.starving})
		if !errors.Is(o.Err, tt.want) || (o.Err == nil) != (tt.want == nil) || !slices.Equal(boxes, tt.boxes) || output.String() != "output" {
			t.Errorf("%s: %v, %q in boxes %v, want %v in %v", tt.why, o.Err, output.String(), boxes, tt.want, tt.boxes)
		}
		deaths := slices.DeleteFunc(slices.Clone(tt.fails), func(err error) bool { return err != died })
		if pool.Deaths() != int64(len(deaths)) {
			t.Errorf("%s: %d boxes are said to have died, want %d", tt.why, pool.Deaths(), len(deaths))
		}
	}
}

// TestBoxes checks which boxes a worker opens, keeps and closes.
func TestBoxes(t *testing.T) {
	t.Parallel()
	p := programs(t, 5)
	crash, missing := errors.New("container died"), &sandbox.StartError{Err: errors.New("no such file")}
	for _, tt := range []struct {
		why    string
		jobs   []int // indexes of programs
		fails  map[int]error
		boxes  []int // box of each job
		closed []int // boxes closed in the end
	}{
		{"one program needs one box", []int{0, 0, 0}, nil, []int{0, 0, 0}, nil},
		{"programs keep their boxes", []int{0, 1, 2, 3, 0, 1, 2, 3}, nil, []int{0, 1, 2, 3, 0, 1, 2, 3}, nil},
		{"the least recently used box is closed to make room", []int{0, 1, 2, 3, 4, 1, 0}, nil, []int{0, 1, 2, 3, 4, 1, 5}, []int{0, 2}},
		{"a box that failed is replaced", []int{0, 0, 0}, map[int]error{1: crash}, []int{0, 0, 1}, []int{0}},
		{"a program that does not start has not broken its box", []int{0, 0, 0}, map[int]error{1: missing}, []int{0, 0, 0}, nil},
		{"a box that failed makes room for another", []int{0, 1, 2, 3, 0, 4, 1}, map[int]error{4: crash}, []int{0, 1, 2, 3, 0, 4, 1}, []int{0}},
	} {
		var ran []int
		host := sandboxtest.New(t, func(_ context.Context, r sandboxtest.Run) (sandbox.Result, error) {
			ran = append(ran, r.Box)
			return sandbox.Result{}, tt.fails[len(ran)-1]
		})
		pool := newPool(t, host, 1)
		for i, program := range tt.jobs {
			if o := pool.Run(t.Context(), Job{Program: p[program]}); !errors.Is(o.Err, tt.fails[i]) || (o.Err == nil) != (tt.fails[i] == nil) {
				t.Errorf("%s: job %d: error %v, want %v", tt.why, i, o.Err, tt.fails[i])
			}
		}
		if !slices.Equal(ran, tt.boxes) {
			t.Errorf("%s: ran in %v, want %v", tt.why, ran, tt.boxes)
		}
		for i := range host.Boxes() {
			if open, want := host.Open(i), !slices.Contains(tt.closed, i); open != want {
				t.Errorf("%s: box %d open %v, want %v", tt.why, i, open, want)
			}
		}
	}
}

// TestBoxesAreFound checks that a run prefers a slot whose box fits.
func TestBoxesAreFound(t *testing.T) {
	t.Parallel()
	p := programs(t, 2)
	host := sandboxtest.New(t, func(context.Context, sandboxtest.Run) (sandbox.Result, error) { return sandbox.Result{}, nil })
	pool := newPool(t, host, 2)
	first, err := pool.acquire(t.Context(), 1, false)
	if err != nil {
		t.Fatal(err)
	}
	pool.Run(t.Context(), Job{Program: p[0]}) // on the second slot
	first.release()
	for i := range 4 {
		pool.Run(t.Context(), Job{Program: p[i%2]})
	}
	if host.Boxes() != 2 || host.Runs() != 5 {
		t.Errorf("%d boxes for %d runs, want 2 for 5: opening one costs more than many runs", host.Boxes(), host.Runs())
	}
}

// noHost cannot open boxes.
type noHost struct {
	*sandboxtest.Host
	err error
}

func (h noHost) NewBox(sandbox.Spec) (sandbox.Box, error) { return nil, h.err }

func TestNoBox(t *testing.T) {
	t.Parallel()
	want := errors.New("no namespaces left")
	p := programs(t, 1)[0]
	pool := newPool(t, noHost{err: want}, 1)
	for range 2 {
		if o := pool.Run(t.Context(), Job{Program: p}); !errors.Is(o.Err, want) {
			t.Errorf("got %v: a box that cannot be opened is the failure of that job", o.Err)
		}
	}
}
