package run

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/cache"
	"tribunal/judge/internal/content"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/sandbox"
	"tribunal/judge/internal/sandbox/sandboxtest"
)

// programs returns n programs that want different boxes. They are never compiled
// and never really run.
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

func newPool(t *testing.T, host Host, slots int) *Pool {
	t.Helper()
	p := NewPool(host, slots, time.Second)
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

// TestEachKeepsItsOrder plays random loads: whatever order runs end in, every job
// is told once, its finish before its delivery, and deliveries ascend.
func TestEachKeepsItsOrder(t *testing.T) {
	t.Parallel()
	p := programs(t, 3)
	for seed := range uint64(100) {
		synctest.Test(t, func(t *testing.T) {
			random := rand.New(rand.NewPCG(seed, 0))
			n, slots, cpus := random.IntN(30), 1+random.IntN(5), 1+random.IntN(3)
			takes := make([]time.Duration, n)
			runs := make([]bool, n)
			for i := range n {
				takes[i] = time.Duration(random.IntN(100)) * time.Millisecond
				runs[i] = random.IntN(4) > 0
			}
			var now, most, delivering atomic.Int32
			host := sandboxtest.New(t, func(ctx context.Context, r sandboxtest.Run) (sandbox.Result, error) {
				busy := now.Add(1)
				defer now.Add(-1)
				for old := most.Load(); busy > old && !most.CompareAndSwap(old, busy); old = most.Load() {
				}
				if want := min(cpus, slots); len(r.CPUs) != want {
					t.Errorf("seed %d: a run has %d CPUs, want %d", seed, len(r.CPUs), want)
				}
				i, err := strconv.Atoi(string(r.Input))
				if err != nil {
					return sandbox.Result{}, err
				}
				result := wait(ctx, takes[i])
				r.Print(fmt.Sprint("did ", i))
				return result, nil
			})
			pool := newPool(t, host, slots)
			outputs := make([]bytes.Buffer, n)
			finished := make([]atomic.Int32, n)
			next := 0
			err := pool.Each(t.Context(), n, cpus, func(i int) (Job, bool, error) {
				return Job{Program: p[i%len(p)], Input: content.Of([]byte(strconv.Itoa(i))), Stdout: &outputs[i]}, runs[i], nil
			}, func(i int, o Outcome) Next {
				finished[i].Add(1)
				if o.Err != nil || o.Wall != takes[i] || outputs[i].String() != fmt.Sprint("did ", i) {
					t.Errorf("seed %d: job %d: %+v %q", seed, i, o, outputs[i].String())
				}
				return Done
			}, func(i int, ran bool) {
				if delivering.Add(1) != 1 {
					t.Errorf("seed %d: two deliveries at a time", seed)
				}
				defer delivering.Add(-1)
				if i != next || ran != runs[i] || finished[i].Load() != map[bool]int32{true: 1}[ran] {
					t.Errorf("seed %d: delivered %d, %v after %d finishes, want %d, %v", seed, i, ran, finished[i].Load(), next, runs[i])
				}
				next++
			})
			if err != nil || next != n {
				t.Errorf("seed %d: %d of %d delivered, %v", seed, next, n, err)
			}
			if limit := int32(slots / min(cpus, slots)); most.Load() > limit {
				t.Errorf("seed %d: %d runs at a time with %d slots and %d CPUs each", seed, most.Load(), slots, cpus)
			}
		})
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
		{"no wish is a wish for one", 4, 0, 1, 4},
		{"two CPUs each: half as many at a time", 4, 2, 2, 2},
		{"a slot that does not make up a whole run is left", 5, 2, 2, 2},
		{"a problem that wants more than there is gets all", 2, 8, 2, 1},
		{"there is always one slot", 0, 1, 1, 1},
		{"also for a problem that wants many", -3, 4, 1, 1},
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
			err := pool.Each(t.Context(), 12, tt.cpus,
				func(int) (Job, bool, error) { return Job{Program: p}, true, nil },
				func(int, Outcome) Next { return Done }, func(int, bool) {})
			if took, want := time.Since(start), time.Duration(12/tt.atOnce)*time.Second; err != nil || took != want {
				t.Errorf("%s: 12 runs of 1s took %v, want %v: %d at a time (%v)", tt.why, took, want, tt.atOnce, err)
			}
		})
	}
}

func TestEachTellsWhatARunGets(t *testing.T) {
	t.Parallel()
	p := programs(t, 1)[0]
	want := limits.Limits{CPU: time.Second, Memory: 64 * limits.MiB, CPUs: 1}
	long := strings.Repeat("x", stderrTail) + "the end"
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
	var got Outcome
	err := newPool(t, host, 1).Each(t.Context(), 1, 1, func(int) (Job, bool, error) {
		return Job{Program: p, Args: []string{"-seed=1"}, Env: []string{"HOME=/", "MORE=a=b"}, Input: content.Of([]byte("in")), Stdout: &out, Limits: want}, true, nil
	}, func(_ int, o Outcome) Next { got = o; return Done }, func(int, bool) {})
	if err != nil || out.String() != "out" {
		t.Errorf("wrote %q, %v", out.String(), err)
	}
	if string(got.Stderr) != long[len("the end"):] || !got.Truncated {
		t.Errorf("kept %d bytes of standard error, truncated %v: want the last %d", len(got.Stderr), got.Truncated, stderrTail)
	}
}

// TestJobContext stops one job alone.
func TestJobContext(t *testing.T) {
	t.Parallel()
	p := programs(t, 1)[0]
	synctest.Test(t, func(t *testing.T) {
		host := sandboxtest.New(t, func(ctx context.Context, r sandboxtest.Run) (sandbox.Result, error) {
			return wait(ctx, time.Hour), nil
		})
		own, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Minute, cancel)
		var stops [4]sandbox.Stop
		var delivered []int
		err := newPool(t, host, 2).Each(t.Context(), 4, 1, func(i int) (Job, bool, error) {
			job := Job{Program: p}
			if i == 1 || i == 3 { // 3 starts when its context has long ended
				job.Context = own
			}
			return job, true, nil
		}, func(i int, o Outcome) Next { stops[i] = o.Stop; return Done }, func(i int, ran bool) {
			if !ran {
				t.Errorf("job %d was left out", i)
			}
			delivered = append(delivered, i)
		})
		want := [4]sandbox.Stop{sandbox.Exited, sandbox.Cancelled, sandbox.Exited, sandbox.Cancelled}
		if err != nil || stops != want || !slices.Equal(delivered, []int{0, 1, 2, 3}) {
			t.Errorf("stops %v, delivered %v, %v: want %v in order", stops, delivered, err, want)
		}
	})
}

// TestEachEndsEarly ends the work from outside and by a prepare that fails: runs
// in progress are stopped and have no outcome, and nothing more is prepared.
func TestEachEndsEarly(t *testing.T) {
	t.Parallel()
	p := programs(t, 1)[0]
	broken := errors.New("no fixture")
	for _, tt := range []struct {
		why  string
		want error
	}{
		{"the caller gives up", context.Canceled},
		{"a job cannot be prepared", broken},
	} {
		synctest.Test(t, func(t *testing.T) {
			var stopped atomic.Int32
			host := sandboxtest.New(t, func(ctx context.Context, r sandboxtest.Run) (sandbox.Result, error) {
				if string(r.Input) == "0" {
					return wait(ctx, time.Second), nil
				}
				result := wait(ctx, time.Hour)
				if result.Stop == sandbox.Cancelled {
					stopped.Add(1)
				}
				return result, nil
			})
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			var prepared, finished atomic.Int32
			var delivered []int
			start := time.Now()
			err := newPool(t, host, 3).Each(ctx, 100, 1, func(i int) (Job, bool, error) {
				prepared.Add(1)
				if i == 3 {
					if tt.want == broken {
						return Job{}, false, broken
					}
					cancel()
				}
				return Job{Program: p, Input: content.Of([]byte(strconv.Itoa(i)))}, true, nil
			}, func(int, Outcome) Next { finished.Add(1); return Done }, func(i int, _ bool) { delivered = append(delivered, i) })
			if !errors.Is(err, tt.want) || time.Since(start) != time.Second {
				t.Errorf("%s: %v after %v, want %v at once", tt.why, err, time.Since(start), tt.want)
			}
			if stopped.Load() < 2 || finished.Load() != 1 || !slices.Equal(delivered, []int{0}) {
				t.Errorf("%s: %d stopped, %d finished, delivered %v", tt.why, stopped.Load(), finished.Load(), delivered)
			}
			if n := prepared.Load(); n > 6 {
				t.Errorf("%s: %d jobs were prepared", tt.why, n)
			}
		})
	}
}

// TestRunsAgain plays random loads in which jobs ask for more runs: each gets as
// many as it asks for, none runs beside one that is alone, and the order holds.
func TestRunsAgain(t *testing.T) {
	t.Parallel()
	p := programs(t, 2)
	for seed := range uint64(100) {
		synctest.Test(t, func(t *testing.T) {
			random := rand.New(rand.NewPCG(seed, 2))
			n, slots, cpus := 1+random.IntN(12), 1+random.IntN(4), 1+random.IntN(2)
			wants := make([][]Next, n) // what to ask for after each run
			for i := range n {
				for range random.IntN(4) {
					wants[i] = append(wants[i], []Next{Again, Alone}[random.IntN(2)])
				}
				wants[i] = append(wants[i], Done)
			}
			declines := random.IntN(n) // this job gives up when it is to run again
			runs := make([]atomic.Int32, n)
			var now atomic.Int32
			host := sandboxtest.New(t, func(ctx context.Context, r sandboxtest.Run) (sandbox.Result, error) {
				i, err := strconv.Atoi(string(r.Input))
				if err != nil {
					return sandbox.Result{}, err
				}
				k := runs[i].Add(1) - 1
				now.Add(1)
				defer now.Add(-1)
				alone := k > 0 && wants[i][k-1] == Alone
				for range 10 {
					wait(ctx, time.Duration(rand.IntN(10)+1)*time.Millisecond)
					if alone && now.Load() != 1 {
						t.Errorf("seed %d: run %d of job %d is not alone", seed, k, i)
					}
				}
				return sandbox.Result{}, nil
			})
			prepared := make([]atomic.Int32, n)
			next := 0
			err := newPool(t, host, slots).Each(t.Context(), n, cpus, func(i int) (Job, bool, error) {
				again := prepared[i].Add(1) > 1
				return Job{Program: p[i%len(p)], Input: content.Of([]byte(strconv.Itoa(i)))}, !again || i != declines, nil
			}, func(i int, _ Outcome) Next {
				return wants[i][runs[i].Load()-1]
			}, func(i int, ran bool) {
				if i != next || !ran {
					t.Errorf("seed %d: delivered %d, %v, want %d", seed, i, ran, next)
				}
				next++
			})
			if err != nil || next != n {
				t.Errorf("seed %d: %d of %d delivered, %v", seed, next, n, err)
			}
			for i := range n {
				want := len(wants[i])
				if i == declines {
					want = 1
				}
				if got := int(runs[i].Load()); got != want {
					t.Errorf("seed %d: job %d ran %d times, want %d", seed, i, got, want)
				}
			}
		})
	}
}

// TestAloneEndsEarly stops the work while one run is alone and another job waits.
func TestAloneEndsEarly(t *testing.T) {
	t.Parallel()
	p := programs(t, 1)[0]
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Minute, cancel)
		// The first to end wants to be alone, and then takes for ever; the second waits
		// for its turn.
		takes := []time.Duration{time.Second, 2 * time.Second, time.Hour}
		var runs atomic.Int32
		host := sandboxtest.New(t, func(ctx context.Context, r sandboxtest.Run) (sandbox.Result, error) {
			return wait(ctx, takes[runs.Add(1)-1]), nil
		})
		start := time.Now()
		err := newPool(t, host, 2).Each(ctx, 2, 1, func(int) (Job, bool, error) { return Job{Program: p}, true, nil },
			func(int, Outcome) Next { return Alone }, func(int, bool) {})
		if !errors.Is(err, context.Canceled) || time.Since(start) != time.Minute || runs.Load() != 3 {
			t.Errorf("%v after %v and %d runs", err, time.Since(start), runs.Load())
		}
	})
}

// TestBoxes looks at which boxes a worker opens, keeps and closes.
func TestBoxes(t *testing.T) {
	t.Parallel()
	p := programs(t, shelfSize+1)
	crash, missing := errors.New("container died"), &sandbox.StartError{Err: errors.New("no such file")}
	for _, tt := range []struct {
		why    string
		jobs   []int // indexes of programs
		fails  map[int]error
		boxes  []int // where each job runs
		closed []int // boxes closed in the end
	}{
		{"one program needs one box", []int{0, 0, 0}, nil, []int{0, 0, 0}, nil},
		{"programs keep their boxes", []int{0, 1, 2, 3, 0, 1, 2, 3}, nil, []int{0, 1, 2, 3, 0, 1, 2, 3}, nil},
		{"the oldest makes room", []int{0, 1, 2, 3, 4, 1, 0}, nil, []int{0, 1, 2, 3, 4, 1, 5}, []int{0, 1}},
		{"a box that failed is replaced", []int{0, 0, 0}, map[int]error{1: crash}, []int{0, 0, 1}, []int{0}},
		{"a program that does not start has not broken its box", []int{0, 0, 0}, map[int]error{1: missing}, []int{0, 0, 0}, nil},
		{"a failed box leaves its place", []int{0, 1, 2, 3, 0, 4, 1}, map[int]error{4: crash}, []int{0, 1, 2, 3, 0, 4, 1}, []int{0}},
	} {
		var ran []int
		host := sandboxtest.New(t, func(_ context.Context, r sandboxtest.Run) (sandbox.Result, error) {
			ran = append(ran, r.Box)
			return sandbox.Result{}, tt.fails[len(ran)-1]
		})
		pool := newPool(t, host, 1)
		err := pool.Each(t.Context(), len(tt.jobs), 1, func(i int) (Job, bool, error) {
			return Job{Program: p[tt.jobs[i]]}, true, nil
		}, func(i int, o Outcome) Next {
			if !errors.Is(o.Err, tt.fails[i]) || (o.Err == nil) != (tt.fails[i] == nil) {
				t.Errorf("%s: job %d: error %v, want %v", tt.why, i, o.Err, tt.fails[i])
			}
			return Done
		}, func(int, bool) {})
		if err != nil || !slices.Equal(ran, tt.boxes) {
			t.Errorf("%s: ran in %v, want %v (%v)", tt.why, ran, tt.boxes, err)
		}
		for i := range host.Boxes() {
			if open, want := host.Open(i), !slices.Contains(tt.closed, i); open != want {
				t.Errorf("%s: box %d open %v, want %v", tt.why, i, open, want)
			}
		}
	}
}

func TestBoxesOutliveEach(t *testing.T) {
	t.Parallel()
	p := programs(t, 1)[0]
	host := sandboxtest.New(t, func(context.Context, sandboxtest.Run) (sandbox.Result, error) { return sandbox.Result{}, nil })
	pool := newPool(t, host, 1)
	for range 3 {
		err := pool.Each(t.Context(), 2, 1, func(int) (Job, bool, error) { return Job{Program: p}, true, nil },
			func(int, Outcome) Next { return Done }, func(int, bool) {})
		if err != nil {
			t.Fatal(err)
		}
	}
	if host.Boxes() != 1 || host.Runs() != 6 {
		t.Errorf("%d boxes for %d runs, want 1 for 6: opening one costs more than many runs", host.Boxes(), host.Runs())
	}
}

// noHost cannot open boxes.
type noHost struct{ err error }

func (h noHost) NewBox(sandbox.Spec) (sandbox.Box, error) { return nil, h.err }

func TestNoBox(t *testing.T) {
	t.Parallel()
	want := errors.New("no namespaces left")
	p := programs(t, 1)[0]
	var got []error
	err := newPool(t, noHost{want}, 1).Each(t.Context(), 2, 1,
		func(int) (Job, bool, error) { return Job{Program: p}, true, nil },
		func(_ int, o Outcome) Next { got = append(got, o.Err); return Done }, func(int, bool) {})
	if err != nil || len(got) != 2 || !errors.Is(got[0], want) || !errors.Is(got[1], want) {
		t.Errorf("got %v, %v: a box that cannot be opened is the failure of that job", got, err)
	}
}
