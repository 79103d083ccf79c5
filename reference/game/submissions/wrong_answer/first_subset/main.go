// Verdict: wrong answer. Tries the 65,536 sets of cells in counting order and stops at the
// first set that wins, which need not be the smallest. Shown by edge/centre-to-white.
package main

import (
	"bufio"
	"fmt"
	"math/bits"
	"os"
)

type game struct {
	field   uint16
	effects [16]uint16
}

func load(s *bufio.Scanner) game {
	var g game
	for k := 0; k < 16; {
		s.Scan()
		for _, c := range s.Bytes() {
			if c == 'B' {
				g.field |= 1 << k
			}
			k++
		}
	}
	for i := -1; i <= 1; i++ {
		s.Scan()
		for j := -1; j <= 1; j++ {
			if s.Bytes()[j+1] == '0' {
				continue
			}
			for k := range g.effects {
				if r, c := k/4+i, k%4+j; r >= 0 && r < 4 && c >= 0 && c < 4 {
					g.effects[k] ^= 1 << (4*r + c)
				}
			}
		}
	}
	return g
}

func (g game) after(set uint16) uint16 {
	f := g.field
	for ; set != 0; set &= set - 1 {
		f ^= g.effects[bits.TrailingZeros16(set)]
	}
	return f
}

func main() {
	g := load(bufio.NewScanner(os.Stdin))
	for set := 0; set < 1<<16; set++ {
		if f := g.after(uint16(set)); f == 0 || f == 0xFFFF {
			fmt.Println(bits.OnesCount16(uint16(set)))
			return
		}
	}
	fmt.Println("Impossible")
}
