// Command brute is a slow, independent solver of the Marble Game for small boards. It keeps whole
// boards as text, rolls marbles square by square until nothing moves, and visits all positions
// breadth first. It trusts its input and has no flags. It exits with 3 if a board takes too much
// work.
//
// It takes positions from a queue and tries lifts in the order E, N, S, W. So it finds positions of
// equal distance in the alphabetical order of their first shortest sequences, and the first
// sequence that it finds is the answer.
package main

import (
	"bufio"
	"fmt"
	"os"
)

// patience bounds the squares that the search of a board may look at: about a second.
const patience = 20_000_000

// puzzle is the part of a board that never changes in play.
type puzzle struct {
	n     int
	hole  map[[2]int]int     // the marble of the hole on a square
	walls map[[2][2]int]bool // by both squares, in both orders
	looks int                // number of squares looked at so far
}

// state is a board in play: marbles on the floor, and filled holes.
type state struct {
	marble map[[2]int]int
	full   map[[2]int]bool
}

func main() {
	in := bufio.NewReader(os.Stdin)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	for number := 1; ; number++ {
		var n, m, w int
		fmt.Fscan(in, &n, &m, &w)
		if n == 0 {
			return
		}
		p := puzzle{n, make(map[[2]int]int), make(map[[2][2]int]bool), 0}
		start := state{make(map[[2]int]int), make(map[[2]int]bool)}
		for i := range 2 * m {
			var at [2]int
			fmt.Fscan(in, &at[0], &at[1])
			if i < m {
				start.marble[at] = i
			} else {
				p.hole[at] = i - m
			}
		}
		for range w {
			var a, b [2]int
			fmt.Fscan(in, &a[0], &a[1], &b[0], &b[1])
			p.walls[[2][2]int{a, b}] = true
			p.walls[[2][2]int{b, a}] = true
		}
		moves, ok := p.play(start)
		switch {
		case !ok:
			fmt.Fprintf(out, "Case %d: impossible\n\n", number)
		case moves == "":
			fmt.Fprintf(out, "Case %d: 0 moves\n\n", number)
		default:
			fmt.Fprintf(out, "Case %d: %d moves %s\n\n", number, len(moves), moves)
		}
	}
}

// play searches breadth first.
func (p *puzzle) play(start state) (string, bool) {
	type entry struct {
		board state
		moves string
	}
	for at := range start.marble {
		if !p.drop(&start, at) {
			return "", false
		}
	}
	queue := []entry{{start, ""}}
	seen := map[string]bool{p.text(start): true}
	for ; len(queue) > 0; queue = queue[1:] {
		if p.looks > patience {
			os.Exit(3)
		}
		here := queue[0]
		if len(here.board.marble) == 0 {
			return here.moves, true
		}
		for _, lift := range "ENSW" {
			next, ok := p.roll(here.board, lift)
			if !ok {
				continue
			}
			if text := p.text(next); !seen[text] {
				seen[text] = true
				queue = append(queue, entry{next, here.moves + string(lift)})
			}
		}
	}
	return "", false
}

// drop lets the marble on a square fall if there is an open hole. It returns false if the hole is
// another marble's.
func (p *puzzle) drop(b *state, at [2]int) bool {
	owner, hole := p.hole[at]
	if !hole || b.full[at] {
		return true
	}
	if owner != b.marble[at] {
		return false
	}
	delete(b.marble, at)
	b.full[at] = true
	return true
}

// roll lets every marble roll by one square, those ahead first, again and again until none can.
func (p *puzzle) roll(old state, lift rune) (state, bool) {
	b := state{make(map[[2]int]int), make(map[[2]int]bool)}
	for at, i := range old.marble {
		b.marble[at] = i
	}
	for at := range old.full {
		b.full[at] = true
	}
	down := map[rune][2]int{'E': {0, -1}, 'N': {1, 0}, 'S': {-1, 0}, 'W': {0, 1}}[lift]
	for moved := true; moved; {
		moved = false
		p.looks += p.n * p.n
		for i := range p.n {
			for j := range p.n {
				at := [2]int{i, j}
				if down[0]+down[1] > 0 { // squares with larger numbers are ahead, so take them first
					at = [2]int{p.n - 1 - i, p.n - 1 - j}
				}
				marble, here := b.marble[at]
				to := [2]int{at[0] + down[0], at[1] + down[1]}
				_, taken := b.marble[to]
				if !here || taken || p.walls[[2][2]int{at, to}] ||
					min(to[0], to[1]) < 0 || max(to[0], to[1]) >= p.n {
					continue
				}
				delete(b.marble, at)
				b.marble[to] = marble
				if !p.drop(&b, to) {
					return b, false
				}
				moved = true
			}
		}
	}
	return b, true
}

// text returns a board as text. The character of a square encodes its marble, and whether there is
// a filled hole.
func (p *puzzle) text(b state) string {
	var all []rune
	for r := range p.n {
		for c := range p.n {
			at := [2]int{r, c}
			mark := rune(0)
			if marble, here := b.marble[at]; here {
				mark = rune(2 + marble*2)
			}
			if b.full[at] {
				mark++
			}
			all = append(all, mark)
		}
	}
	return string(all)
}
