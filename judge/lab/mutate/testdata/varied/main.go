// Command varied has what the language has, that a schema has to live with.
package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"sort"
	str "strings"
	"sync"
)

const (
	side  = 4
	cells = side * side
)

type heading uint8

const (
	north heading = iota
	east
	south
)

type point struct{ y, x int }

var steps = [...]point{north: {-1, 0}, east: {0, 1}, south: {1, 0}}

var (
	squares, cubes = powers(2), powers(3)
	table          = [side][2]int8{{1, 2}, {3, 4}}
)

func powers(n int) (list []int) {
	for i := 1; i <= side; i++ {
		p := 1
		for range n {
			p *= i
		}
		list = append(list, p)
	}
	return
}

type number interface{ ~int | ~int64 | ~float64 }

func sum[T number](list ...T) T {
	var total T
	for _, x := range list {
		if x < 0 {
			continue
		}
		total += x
	}
	return total
}

type stack[E comparable] struct{ items []E }

func (s *stack[E]) push(e E) { s.items = append(s.items, e) }

func (s *stack[E]) pop() (e E, ok bool) {
	if len(s.items) == 0 {
		return e, false
	}
	last := len(s.items) - 1
	e, s.items = s.items[last], s.items[:last]
	return e, true
}

func (s *stack[E]) index(of E) int {
	for i, e := range s.items {
		if e == of {
			return i
		}
	}
	return -1
}

type shape interface {
	area() float64
}

type rectangle struct{ width, height float64 }

func (r rectangle) area() float64 { return r.width * r.height }

type badInput struct {
	line int
	text string
}

func (b *badInput) Error() string { return fmt.Sprint("line ", b.line, ": ", b.text) }

func walk(from point, way []heading) (at point) {
	at = from
	defer func() { at.x += 100 }()
	for _, h := range way {
		s := steps[h]
		at.y, at.x = at.y+s.y, at.x+s.x
	}
	return at
}

func grid() string {
	var g [side][side]byte
	var b str.Builder
outer:
	for i := range side {
		for j := 0; j < side; j++ {
			if i*j > 6 {
				break outer
			}
			if (i+j)%3 == 0 {
				continue
			}
			g[i][j] = '#'
		}
	}
	for i, row := range g {
		for _, c := range row[:side-1] {
			if c == 0 {
				c = '.'
			}
			b.WriteByte(c)
		}
		if i&1 == 1 {
			b.WriteString("|")
		} else {
			b.WriteString("/")
		}
	}
	return b.String()
}

func kind(v any) string {
	switch v := v.(type) {
	case nil:
		return "nil"
	case int:
		if v > 9 {
			return "large"
		}
		return "small"
	case string, []byte:
		return "text"
	case shape:
		return fmt.Sprint("shape ", v.area())
	}
	return "?"
}

func read(in io.Reader) (numbers []int, err error) {
	lines := bufio.NewScanner(in)
	for line := 1; lines.Scan(); line++ {
		text := str.TrimSpace(lines.Text())
		if text == "" || text[0] == ';' {
			continue
		}
		n := 0
		for _, c := range text {
			switch {
			case c >= '0' && c <= '9':
				n = n*10 + int(c-'0')
			case c == '_':
			default:
				return nil, &badInput{line, "not a number"}
			}
		}
		numbers = append(numbers, n)
	}
	return numbers, lines.Err()
}

func parallel(list []int) int {
	var wait sync.WaitGroup
	results := make([]int, len(list))
	for i, x := range list {
		wait.Add(1)
		go func() {
			defer wait.Done()
			results[i] = x<<2 ^ x>>1
		}()
	}
	wait.Wait()
	done := make(chan int, 1)
	select {
	case done <- len(results) * 2:
	default:
	}
	return <-done + sum(results...)
}

func shadows(x int) int {
	len := func(y int) int { return y / 2 }
	if x := len(x); x > 3 {
		x := x + 1
		return x
	} else if y := x * x; y%2 != 0 {
		return -y
	}
	type local struct{ a, b int }
	l := local{x, 7}
	l.a, l.b = l.b, l.a
	p := &l
	p.a -= x
	return p.a&^1 | p.b
}

func jumps(n int) (trace []int) {
	i := 0
again:
	trace = append(trace, i)
	i += 2
	if i < n {
		goto again
	}
	for m := uint(n); m != 0; m &= m - 1 {
		trace = append(trace, int(m))
	}
	switch n {
	case 1, 3:
		trace = append(trace, -1)
	case 5:
		trace = append(trace, -2)
		fallthrough
	default:
		trace = append(trace, -3)
	}
	return trace
}

func bounds(list []int) (low, high int, err error) {
	if len(list) == 0 {
		return 0, 0, errors.New("no numbers")
	}
	low, high = list[0], list[0]
	for _, x := range list[1:] {
		low, high = min(low, x), max(high, x, 0)
	}
	return low, high, nil
}

func main() {
	numbers, err := read(os.Stdin)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(3)
	}
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	fmt.Fprintln(out, squares, cubes, table, cells, sum(1.5, -2, 3), sum(numbers...))
	var s stack[string]
	for _, word := range str.Fields("a stack of words") {
		s.push(word)
	}
	where := s.index("of")
	top, ok := s.pop()
	if !ok {
		return
	}
	fmt.Fprintln(out, where, top, ok, walk(point{1, 1}, []heading{north, east, east, south}), grid())
	fmt.Fprintln(out, kind(nil), kind(3), kind(30), kind("x"), kind(rectangle{2, 3}), kind(2.5))
	sorted := append([]int(nil), numbers...)
	sort.Slice(sorted, func(i, j int) bool { return sorted[i] > sorted[j] })
	low, high, err := bounds(numbers)
	fmt.Fprintln(out, sorted, low, high, err == nil, parallel(numbers))
	for _, n := range numbers[:min(3, len(numbers))] {
		fmt.Fprint(out, shadows(n), " ", jumps(n), ";")
	}
	fmt.Fprintln(out)
}
