// Verdict: wrong answer. A wall between two squares of one row is taken for a wall between
// rows, and the other way round. Shown by sample/statement.
package main

import "fmt"

type xy [2]int8

type direction struct {
	lift   rune
	dr, dc int8
}

var directions = []direction{{'E', 0, -1}, {'N', 1, 0}, {'S', -1, 0}, {'W', 0, 1}}

func readInts(k int) []int8 {
	list := make([]int8, k)
	for i := range list {
		var v int
		fmt.Scan(&v)
		list[i] = int8(v)
	}
	return list
}

func main() {
	for number := 1; ; number++ {
		var n, m, w int
		fmt.Scan(&n, &m, &w)
		if n == 0 {
			break
		}
		marbles, holes := make([]xy, m), make([]xy, m)
		for _, list := range [][]xy{marbles, holes} {
			for i := range list {
				v := readInts(2)
				list[i] = xy{v[0], v[1]}
			}
		}
		// under[s] is a wall below s, right[s] one to the right of it
		under, right := map[xy]bool{}, map[xy]bool{}
		for ; w > 0; w-- {
			v := readInts(4)
			first := xy{min(v[0], v[2]), min(v[1], v[3])}
			if v[0] == v[2] {
				under[first] = true
			} else {
				right[first] = true
			}
		}
		fmt.Printf("Case %d: %s\n\n", number, search(int8(n), marbles, holes, under, right))
	}
}

func search(n int8, marbles, holes []xy, under, right map[xy]bool) string {
	closed := func(s xy, d direction) bool {
		switch d.lift {
		case 'N':
			return s[0] == n-1 || under[s]
		case 'S':
			return s[0] == 0 || under[xy{s[0] - 1, s[1]}]
		case 'W':
			return s[1] == n-1 || right[s]
		}
		return s[1] == 0 || right[xy{s[0], s[1] - 1}]
	}
	type step struct {
		marbles []xy
		moves   string
	}
	seen := map[string]bool{fmt.Sprint(marbles): true}
	for todo := []step{{marbles, ""}}; len(todo) > 0; todo = todo[1:] {
		if fmt.Sprint(todo[0].marbles) == fmt.Sprint(holes) {
			return fmt.Sprintf("%d moves %s", len(todo[0].moves), todo[0].moves)
		}
		for _, d := range directions {
			at := append([]xy{}, todo[0].marbles...)
			lost := false
			for again := true; again && !lost; {
				again = false
			marble:
				for i, s := range at {
					if s == holes[i] || closed(s, d) {
						continue
					}
					to := xy{s[0] + d.dr, s[1] + d.dc}
					for j := range at {
						if at[j] == to && holes[j] != to {
							continue marble
						}
					}
					at[i], again = to, true
					for j := range holes {
						lost = lost || j != i && holes[j] == to && at[j] != to
					}
				}
			}
			if key := fmt.Sprint(at); !lost && !seen[key] {
				seen[key] = true
				todo = append(todo, step{at, todo[0].moves + string(d.lift)})
			}
		}
	}
	return "impossible"
}
