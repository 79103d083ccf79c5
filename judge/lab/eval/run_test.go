package eval

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"tribunal/judge/internal/cache"
	"tribunal/judge/internal/verdict"
	"tribunal/judge/internal/yamlstrict"
)

// played judges by a script: the source of a program is its verdict, "fatal", or "hang" until ctx ends.
// Each takes a second of the bubble's clock.
type played struct {
	t testing.TB

	mu         sync.Mutex
	open       map[string]bool // tasks
	size, most int64           // of open tasks
	judged     []string        // task/program
	running    int
	width      int // largest number of programs at a time
	atOnce     []int
}

// playedBench is an open task.
type playedBench struct {
	*played
	task *Task
}

func (p *played) Open(_ context.Context, t *Task) (Bench, error) {
	if t.Problem == "wrong" {
		return nil, t.Errorf("", "wrong problem")
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.open == nil {
		p.open = map[string]bool{}
	}
	p.open[t.ID] = true
	p.size += t.Size
	p.most = max(p.most, p.size)
	return &playedBench{p, t}, nil
}

func (b *playedBench) Key(p *Program) cache.Key {
	return cache.Key(b.task.ID + "/" + p.Language + "/" + p.Source)
}

func (b *playedBench) Judge(ctx context.Context, p *Program, atOnce int) (*Result, error) {
	b.mu.Lock()
	if !b.open[b.task.ID] {
		b.t.Errorf("task %s is not open", b.task.ID)
	}
	b.judged = append(b.judged, b.task.ID+"/"+p.ID)
	b.atOnce = append(b.atOnce, atOnce)
	b.running++
	b.width = max(b.width, b.running)
	b.mu.Unlock()
	defer func() {
		b.mu.Lock()
		b.running--
		b.mu.Unlock()
	}()
	wait := time.Second
	if p.Source == "hang" {
		wait = time.Hour
	}
	select {
	case <-time.After(wait):
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	r := &Result{Task: b.task.ID, Program: p.ID, Stderr: "details", Key: b.Key(p)}
	if p.Source == "fatal" {
		return nil, errors.New("fatal")
	}
	return r, r.Verdict.UnmarshalText([]byte(p.Source))
}

func (b *playedBench) Close() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.open[b.task.ID] {
		b.t.Errorf("task %s is closed twice", b.task.ID)
	}
	delete(b.open, b.task.ID)
	b.size -= b.task.Size
	return nil
}

// listed returns tasks with programs: "a: AC WA", one on a line. A program is language:verdict or only a
// verdict. "!" is an error in its place.
func listed(text string) iter.Seq2[*Task, error] {
	bad := func(line int) error { return &yamlstrict.Error{File: "t", Line: line, Msg: "bad"} }
	return func(yield func(*Task, error) bool) {
		for i, line := range strings.Split(strings.TrimSpace(text), "\n") {
			id, rest, _ := strings.Cut(strings.TrimSpace(line), ":")
			if id == "!" {
				if !yield(nil, bad(i+1)) {
					return
				}
				continue
			}
			t := &Task{ID: id, File: "t", Line: i + 1, Size: 100}
			if id == "wrong" {
				t.Problem = id
			}
			t.Programs = func(yield func(*Program, error) bool) {
				for n, word := range strings.Fields(rest) {
					language, source, found := strings.Cut(word, ":")
					if !found {
						language, source = "c", word
					}
					p, err := &Program{ID: fmt.Sprint(n + 1), Language: language, Source: source}, error(nil)
					if word == "!" {
						p, err = nil, bad(i+1)
					}
					if !yield(p, err) {
						return
					}
				}
			}
			if !yield(t, nil) {
				return
			}
		}
	}
}

// found are the calls of the functions of an evaluation.
type found struct {
	lines  []string // results, sorted
	failed []string
	wrong  int
}

func (f *found) evaluation(j Judge, slots int) *Evaluation {
	return &Evaluation{
		Judge: j, Slots: slots, K: []int{1},
		Emit: func(r *Result) error {
			line := fmt.Sprintf("%s/%s %v", r.Task, r.Program, r.Verdict)
			if r.SameAs != "" {
				line += " as " + r.SameAs
			}
			if (r.Stderr == "") != (r.SameAs != "") {
				line += " details"
			}
			f.lines = append(f.lines, line)
			return nil
		},
		Failed: func(r *Result) { f.failed = append(f.failed, r.Task+"/"+r.Program) },
		Wrong:  func(error) error { f.wrong++; return nil },
	}
}

func TestRun(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ why, text, want, counts string }{
		{"one program", "a: AC", "a/1 AC", "1 0 0 0 0"},
		{"no program", "a:", "", "0 0 0 0 0"},
		{"several tasks", "a: AC WA\nb:\nc: TLE", "a/1 AC, a/2 WA, c/1 TLE", "3 0 0 0 0"},
		{"the same programs", "a: AC AC WA AC\nb: AC", "a/1 AC, a/2 AC as 1, a/3 WA, a/4 AC as 1, b/1 AC", "5 2 0 0 0"},
		{"the same source in another language", "a: c:AC d:AC", "a/1 AC, a/2 AC", "2 0 0 0 0"},
		{"the judge fails", "a: JE AC JE", "a/2 AC", "1 0 0 2 0"},
		{"wrong lines", "!\na: ! AC !\n!\nwrong: AC\nb: WA", "a/2 AC, b/1 WA", "2 0 0 0 5"},
	} {
		for slots := range 4 {
			synctest.Test(t, func(t *testing.T) {
				j, f := &played{t: t}, &found{}
				sum, err := f.evaluation(j, slots+1).Run(t.Context(), listed(tt.text))
				slices.Sort(f.lines)
				if got := strings.Join(f.lines, ", "); err != nil || got != tt.want {
					t.Errorf("%s: %s, %v; want %s", tt.why, got, err, tt.want)
				}
				if counts := fmt.Sprint(sum.Programs, sum.Same, sum.Known, sum.NotJudged, sum.Skipped); counts != tt.counts || f.wrong != sum.Skipped || len(f.failed) != sum.NotJudged {
					t.Errorf("%s: counted %s, want %s", tt.why, counts, tt.counts)
				}
				if len(j.open) > 0 {
					t.Errorf("%s: open at the end: %v", tt.why, j.open)
				}
			})
		}
	}
}

// TestManyTasks judges random programs of random tasks: each distinct one once, on all slots, and with
// bounded memory for tasks.
func TestManyTasks(t *testing.T) {
	t.Parallel()
	for seed := range uint64(30) {
		synctest.Test(t, func(t *testing.T) {
			random := rand.New(rand.NewPCG(seed, 7))
			slots := 1 + random.IntN(5)
			var text strings.Builder
			var want []string
			distinct := 0
			for i := range 1 + random.IntN(20) {
				fmt.Fprintf(&text, "t%d:", i)
				first := map[string]string{}
				for n := range random.IntN(12) {
					word := fmt.Sprintf("%s:%s", []string{"c", "d", "e"}[random.IntN(3)], []string{"AC", "WA", "CE"}[random.IntN(3)])
					fmt.Fprintf(&text, " %s", word)
					line := fmt.Sprintf("t%d/%d %s", i, n+1, word[2:])
					if first[word] == "" {
						first[word] = fmt.Sprint(n + 1)
						distinct++
					} else {
						line += " as " + first[word]
					}
					want = append(want, line)
				}
				text.WriteByte('\n')
			}
			slices.Sort(want)
			j, f := &played{t: t}, &found{}
			start := time.Now()
			_, err := f.evaluation(j, slots).Run(t.Context(), listed(text.String()))
			slices.Sort(f.lines)
			if d := cmp.Diff(want, f.lines); err != nil || d != "" {
				t.Fatalf("seed %d: %v (-want +got):\n%s", seed, err, d)
			}
			if len(j.judged) != distinct || j.width > 2*slots {
				t.Errorf("seed %d: judged %d of %d distinct programs, %d at a time on %d slots", seed, len(j.judged), distinct, j.width, slots)
			}
			if took, most := time.Since(start), time.Duration((distinct+2*slots-1)/(2*slots))*time.Second+2*patience; took > most {
				t.Errorf("seed %d: took %v, want at most %v", seed, took, most)
			}
		})
	}
}

// TestLargeTasks opens tasks that do not fit into memory together one after the other.
func TestLargeTasks(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		j, f := &played{t: t}, &found{}
		large := func(yield func(*Task, error) bool) {
			for task := range listed("a: AC\nb: AC\nc: AC\nd: AC\ne: AC\nf: AC") {
				task.Size = int64(maxOpen) / 2
				if task.ID == "c" {
					task.Size = 3 * int64(maxOpen)
				}
				if !yield(task, nil) {
					return
				}
			}
		}
		if _, err := f.evaluation(j, 8).Run(t.Context(), large); err != nil || len(f.lines) != 6 || j.most != 3*int64(maxOpen) {
			t.Errorf("%v: %v, tasks of %d bytes at a time", f.lines, err, j.most)
		}
	})
}

// TestAtOnce checks on how many slots programs are judged.
func TestAtOnce(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why, text string
		slots     int
		want      string
	}{
		{"one program has all slots", "a: AC", 8, "[8]"},
		{"two share them", "a: AC WA", 8, "[4 4]"},
		{"as many as there are slots", "a: AC WA TLE MLE", 4, "[1 1 1 1]"},
	} {
		synctest.Test(t, func(t *testing.T) {
			j, f := &played{t: t}, &found{}
			if _, err := f.evaluation(j, tt.slots).Run(t.Context(), listed(tt.text)); err != nil {
				t.Error(err)
			}
			if slices.Sort(j.atOnce); fmt.Sprint(j.atOnce) != tt.want {
				t.Errorf("%s: %v, want %s", tt.why, j.atOnce, tt.want)
			}
		})
	}
}

// TestSlowInput gets a program at once and another one a minute later, which has all slots, and then more
// programs than are waited for, which begin at once.
func TestSlowInput(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		j, f := &played{t: t}, &found{}
		slow := func(yield func(*Task, error) bool) {
			for task := range listed("a: AC\nb: AC") {
				if !yield(task, nil) {
					return
				}
				if task.ID == "a" {
					time.Sleep(time.Minute)
				}
			}
		}
		if _, err := f.evaluation(j, 8).Run(t.Context(), slow); err != nil || fmt.Sprint(j.atOnce) != "[1 8]" {
			t.Errorf("%v, %v", j.atOnce, err)
		}
		start := time.Now()
		if _, err := f.evaluation(j, 1).Run(t.Context(), listed("c: a:AC b:AC c:AC d:AC e:AC f:AC")); err != nil || time.Since(start) != 3*time.Second {
			t.Errorf("took %v, %v", time.Since(start), err)
		}
	})
}

// TestEnds checks how an evaluation ends early, and what is judged before.
func TestEnds(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	for _, tt := range []struct {
		why, text string
		change    func(e *Evaluation, cancel context.CancelFunc)
		lines     int // results
		err       string
	}{
		{"a wrong line that is not skipped", "a: AC\n!\nb: AC", func(e *Evaluation, _ context.CancelFunc) {
			e.Wrong = func(err error) error { return err }
		}, 1, "t:2: bad"},
		{"a wrong program that is not skipped", "a: AC ! WA", func(e *Evaluation, _ context.CancelFunc) {
			e.Wrong = func(err error) error { return err }
		}, 1, "t:1: bad"},
		{"a result that cannot be written", "a: AC WA TLE", func(e *Evaluation, _ context.CancelFunc) {
			e.Emit = func(*Result) error { return broken }
		}, 0, "broken"},
		{"earlier results that do not fit", "a: AC WA", func(e *Evaluation, _ context.CancelFunc) {
			e.Known = func(_, program string, _ cache.Key) (verdict.Verdict, error) {
				if program == "2" {
					return verdict.None, broken
				}
				return verdict.None, nil
			}
		}, 1, "broken"},
		{"an error of the judge", "a: fatal hang", nil, 0, "fatal"},
		{"an interrupt", "a: AC WA hang MLE", func(_ *Evaluation, cancel context.CancelFunc) {
			time.AfterFunc(time.Minute, cancel)
		}, 3, "context canceled"},
		{"an interrupt while the reader waits", "a: " + strings.Repeat("c:hang d:hang ", 50), func(_ *Evaluation, cancel context.CancelFunc) {
			time.AfterFunc(time.Minute, cancel)
		}, 0, "context canceled"},
	} {
		synctest.Test(t, func(t *testing.T) {
			j, f := &played{t: t}, &found{}
			e := f.evaluation(j, 2)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			if tt.change != nil {
				tt.change(e, cancel)
			}
			_, err := e.Run(ctx, listed(tt.text))
			if err == nil || err.Error() != tt.err || len(f.lines) != tt.lines {
				t.Errorf("%s: %v, %v; want %d results, %s", tt.why, f.lines, err, tt.lines, tt.err)
			}
		})
	}
}

// TestKnown counts earlier results, and judges only the others.
func TestKnown(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		j, f := &played{t: t}, &found{}
		e := f.evaluation(j, 2)
		e.Known = func(task, program string, key cache.Key) (verdict.Verdict, error) {
			if want := cache.Key(task + "/c/"); !strings.HasPrefix(string(key), string(want)) {
				t.Errorf("key %s", key)
			}
			if program == "2" {
				return verdict.WA, nil
			}
			return verdict.None, nil
		}
		var done []int
		e.Progress = func(n int, _ *Summary) { done = append(done, n) }
		sum, err := e.Run(t.Context(), listed("a: AC WA AC\nb: TLE WA"))
		if err != nil || sum.Known != 2 || sum.Programs != 5 || sum.Verdicts[verdict.WA] != 2 || !slices.Equal(done, []int{1, 2, 3, 4, 5}) {
			t.Errorf("%+v, %v, %v", sum, done, err)
		}
		if got := strings.Join(j.judged, " "); len(j.judged) != 2 {
			t.Errorf("judged %s", got)
		}
	})
}
