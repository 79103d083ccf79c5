// Verdict: run-time error. If a board cannot be won, the program calls log.Fatal, which writes to
// standard error and exits with status 1. Shown by sample/statement.
package main

import (
	"bufio"
	"fmt"
	"log"
	"os"
	"sort"
)

type point struct{ r, c int }

type board struct {
	size    int
	marbles []point
	holes   []point
	walls   map[[2]point]bool
}

func parse(in *bufio.Reader) (b board, ok bool) {
	var m, w int
	fmt.Fscan(in, &b.size, &m, &w)
	points := func(k int) []point {
		list := make([]point, k)
		for i := range list {
			fmt.Fscan(in, &list[i].r, &list[i].c)
		}
		return list
	}
	b.marbles, b.holes, b.walls = points(m), points(m), map[[2]point]bool{}
	for ; w > 0; w-- {
		ends := points(2)
		b.walls[[2]point{ends[0], ends[1]}] = true
		b.walls[[2]point{ends[1], ends[0]}] = true
	}
	return b, b.size > 0
}

var sides = []struct {
	name string
	to   point
}{{"E", point{0, -1}}, {"N", point{1, 0}}, {"S", point{-1, 0}}, {"W", point{0, 1}}}

func (b *board) roll(from []point, d point) ([]point, bool) {
	to := append([]point(nil), from...)
	order := make([]int, 0, len(from))
	empty, rest := map[point]int{}, map[point]bool{}
	for i, p := range from {
		if p != b.holes[i] {
			order = append(order, i)
			empty[b.holes[i]] = i
		}
	}
	sort.Slice(order, func(i, j int) bool {
		p, q := from[order[i]], from[order[j]]
		return p.r*d.r+p.c*d.c > q.r*d.r+q.c*d.c
	})
next:
	for _, i := range order {
		for {
			ahead := point{to[i].r + d.r, to[i].c + d.c}
			outside := ahead.r < 0 || ahead.c < 0 || ahead.r >= b.size || ahead.c >= b.size
			if outside || rest[ahead] || b.walls[[2]point{to[i], ahead}] {
				rest[to[i]] = true
				continue next
			}
			to[i] = ahead
			if owner, open := empty[ahead]; open {
				if owner != i {
					return nil, false
				}
				delete(empty, ahead)
				continue next
			}
		}
	}
	return to, true
}

func (b *board) solve() (string, error) {
	key := func(p []point) string { return fmt.Sprint(p) }
	moves := map[string]string{key(b.marbles): ""}
	goal := key(b.holes)
	for queue := [][]point{b.marbles}; len(queue) > 0; queue = queue[1:] {
		k := key(queue[0])
		if k == goal {
			return moves[k], nil
		}
		for _, side := range sides {
			if to, ok := b.roll(queue[0], side.to); ok {
				if _, known := moves[key(to)]; !known {
					moves[key(to)] = moves[k] + side.name
					queue = append(queue, to)
				}
			}
		}
	}
	return "", fmt.Errorf("impossible")
}

func main() {
	log.SetFlags(0)
	in := bufio.NewReader(os.Stdin)
	for i := 1; ; i++ {
		b, ok := parse(in)
		if !ok {
			return
		}
		moves, err := b.solve()
		if err != nil {
			log.Fatalf("Case %d: %v\n\n", i, err)
		}
		fmt.Printf("Case %d: %d moves %s\n\n", i, len(moves), moves)
	}
}
