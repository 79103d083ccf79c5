package service_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"tribunal/judge/judged/internal/ledger"
	"tribunal/judge/judged/internal/service"
	"tribunal/judge/judged/internal/task"
)

// BenchmarkParts judges a submission on 100 cases that take 20 ms each with one worker and with ten, each
// of one slot, and reports how much sooner the ten end: at most 10 times. The workers sleep instead of
// judging, so that this needs no ten CPUs.
func BenchmarkParts(b *testing.B) {
	const cases, each, many = 100, 20 * time.Millisecond, 10
	took := map[int]time.Duration{}
	for _, n := range []int{1, many} {
		b.Run(fmt.Sprint("workers=", n), func(b *testing.B) {
			st := open(b)
			s := start(b, st, service.Options{Tick: 20 * time.Millisecond, Parts: 200 * time.Millisecond})
			for i := range n {
				work(b, st, &actor{name: fmt.Sprint("w", i), slots: 1, cases: cases, play: func(ctx context.Context, k *task.Task, source string) (*task.Answer, error) {
					a := verdictOf(k, source)
					a.Summary.Spent = cases * each
					count := 0
					switch {
					case k.Part >= 0:
						count, a.Summary = k.Cases.To-k.Cases.From, nil
					case k.Part == task.Whole:
						count = cases
					}
					select {
					case <-time.After(time.Duration(count) * each):
						return a, nil
					case <-ctx.Done():
						return nil, ctx.Err()
					}
				}})
			}
			usable(b, s)
			for {
				if workers, err := s.Workers(b.Context()); err != nil {
					b.Fatal(err)
				} else if len(workers) == n {
					break
				}
			}
			// The leader lists the workers once in a tick.
			for i := range 2 {
				await(b, s, submit(b, s, request(1_000_000+i, "AC")), ended)
			}
			i := 0
			begin := time.Now()
			for b.Loop() {
				i++
				await(b, s, submit(b, s, request(i, "AC")), func(sub *ledger.Submission) bool { return ended(sub) })
			}
			took[n] = time.Since(begin) / time.Duration(b.N)
			if one := took[1]; one > 0 {
				b.ReportMetric(float64(one)/float64(took[n]), "x-sooner")
			}
		})
	}
}
