// Verdict: wrong answer. The program remembers the positions that it has met only by their
// FNV-1a hashes of 32 bits, "as there are four billion of them". Shown by
// edge/same-hash-again.
package main

import (
	"bufio"
	"fmt"
	"hash/fnv"
	"os"
)

type game struct {
	n, m   int
	hole   []byte // row and column of each
	nextTo [4]map[[2]byte]bool
}

type entry struct {
	places []byte
	before *entry
	lifted byte
}

var lifts = [4]struct {
	name   byte
	dr, dc int
}{{'E', 0, -1}, {'N', 1, 0}, {'S', -1, 0}, {'W', 0, 1}}

func hash(places []byte) uint32 {
	h := fnv.New32a()
	h.Write(places)
	return h.Sum32()
}

func (g *game) free(r, c, k int) bool {
	return !g.nextTo[k][[2]byte{byte(r), byte(c)}]
}

// after makes a move, and returns nil if the move loses a marble.
func (g *game) after(places []byte, k int) []byte {
	board := make([]int, g.n*g.n)  // by square, number of the marble, from 1; 0 for none
	target := make([]int, g.n*g.n) // by square, number of the open hole, from 1; 0 for none
	for i := 0; i < g.m; i++ {
		r, c := int(places[2*i]), int(places[2*i+1])
		if places[2*i] != g.hole[2*i] || places[2*i+1] != g.hole[2*i+1] {
			board[r*g.n+c] = i + 1
			target[int(g.hole[2*i])*g.n+int(g.hole[2*i+1])] = i + 1
		}
	}
	result := append([]byte(nil), places...)
	for j := range board {
		at := j
		if lifts[k].dr+lifts[k].dc > 0 {
			at = len(board) - 1 - j
		}
		marble := board[at]
		if marble == 0 {
			continue
		}
		r, c := at/g.n, at%g.n
		board[at] = 0
		for {
			if !g.free(r, c, k) || board[(r+lifts[k].dr)*g.n+c+lifts[k].dc] > 0 {
				board[r*g.n+c] = marble
				break
			}
			r, c = r+lifts[k].dr, c+lifts[k].dc
			if h := target[r*g.n+c]; h > 0 {
				if h != marble {
					return nil
				}
				target[r*g.n+c] = 0
				break
			}
		}
		result[2*marble-2], result[2*marble-1] = byte(r), byte(c)
	}
	return result
}

func (g *game) play(start []byte) string {
	seen := map[uint32]struct{}{hash(start): {}}
	queue := []*entry{{places: start}}
	for i := 0; i < len(queue); i++ {
		e := queue[i]
		if string(e.places) == string(g.hole) {
			moves := ""
			for ; e.before != nil; e = e.before {
				moves = string(e.lifted) + moves
			}
			return fmt.Sprintf("%d moves %s", len(moves), moves)
		}
		for k := range lifts {
			if next := g.after(e.places, k); next != nil {
				h := hash(next)
				if _, known := seen[h]; !known {
					seen[h] = struct{}{}
					queue = append(queue, &entry{next, e, lifts[k].name})
				}
			}
		}
	}
	return "impossible"
}

func main() {
	in := bufio.NewReader(os.Stdin)
	readBytes := func(count int) []byte {
		list := make([]byte, count)
		for i := range list {
			fmt.Fscan(in, &list[i])
		}
		return list
	}
	for number := 1; ; number++ {
		g := &game{}
		var w int
		fmt.Fscan(in, &g.n, &g.m, &w)
		if g.n == 0 {
			return
		}
		start := readBytes(2 * g.m)
		g.hole = readBytes(2 * g.m)
		for k, l := range lifts {
			g.nextTo[k] = map[[2]byte]bool{}
			for r := 0; r < g.n; r++ {
				for c := 0; c < g.n; c++ {
					if r+l.dr < 0 || r+l.dr == g.n || c+l.dc < 0 || c+l.dc == g.n {
						g.nextTo[k][[2]byte{byte(r), byte(c)}] = true
					}
				}
			}
		}
		for ; w > 0; w-- {
			v := readBytes(4)
			for k, l := range lifts {
				if int(v[2])-int(v[0]) == l.dr && int(v[3])-int(v[1]) == l.dc {
					g.nextTo[k][[2]byte{v[0], v[1]}] = true
					g.nextTo[3-k][[2]byte{v[2], v[3]}] = true
				}
			}
		}
		fmt.Printf("Case %d: %s\n\n", number, g.play(start))
	}
}
