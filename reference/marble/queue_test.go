package main

import (
	"slices"
	"sync"
	"testing"
)

// TestQueueHandsOutEachNumberOnce takes numbers by several goroutines at once. A worker that takes few
// numbers and stops must leave the rest to the others.
func TestQueueHandsOutEachNumberOnce(t *testing.T) {
	for _, test := range []struct {
		why        string
		n, workers int
		most       []int // by worker, how many numbers it takes at most
	}{
		{"nothing to take", 0, 3, []int{9, 9, 9}},
		{"fewer numbers than workers", 2, 3, []int{9, 9, 9}},
		{"one worker", 100, 1, []int{100}},
		{"all workers take all they can", 10_000, 4, []int{10_000, 10_000, 10_000, 10_000}},
		{"one worker takes nothing", 10_000, 2, []int{0, 10_000}},
		{"most workers stop early", 1_000, 4, []int{3, 1_000, 0, 70}},
	} {
		q := newQueue(test.n, test.workers)
		taken := make([][]int, test.workers)
		var wait sync.WaitGroup
		for i := range taken {
			wait.Go(func() {
				for range test.most[i] {
					number, ok := q.take(i)
					if !ok {
						return
					}
					taken[i] = append(taken[i], number)
				}
			})
		}
		wait.Wait()
		all := slices.Sorted(slices.Values(slices.Concat(taken...)))
		for i, number := range all {
			if i != number {
				t.Errorf("%s: number %d is %d", test.why, i, number)
				break
			}
		}
		if len(all) != test.n || !q.empty() {
			t.Errorf("%s: %d of %d numbers taken, empty %v", test.why, len(all), test.n, q.empty())
		}
	}
}

// TestQueuePrefersOwnRange checks that a worker takes the same numbers in every layer, in order, as
// long as the workers are equally fast, and that a queue that is left continues where it stopped.
func TestQueuePrefersOwnRange(t *testing.T) {
	q := newQueue(10, 2)
	var got []int
	for range 3 {
		for worker := range 2 {
			number, _ := q.take(worker)
			got = append(got, number)
		}
	}
	for range 4 { // worker 0 takes its last two numbers, and two from the end of the other range
		number, _ := q.take(0)
		got = append(got, number)
	}
	if want := []int{0, 5, 1, 6, 2, 7, 3, 4, 9, 8}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if !q.empty() {
		t.Error("numbers are left")
	}
}
