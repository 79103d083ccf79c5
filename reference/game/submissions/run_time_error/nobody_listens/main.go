// Verdict: run-time error. Two goroutines look for one colour each and send what they
// find; main receives twice, but one that finds nothing sends nothing. Go notices that all
// goroutines are asleep, and the program exits with status 2. Shown by sample/statement.
package main

import (
	"fmt"
	"io"
	"os"
	"strings"
)

func search(from, to uint32, moves []uint32, found chan<- int) {
	level, seen := []uint32{from}, map[uint32]bool{from: true}
	for n := 0; len(level) > 0; n++ {
		var next []uint32
		for _, board := range level {
			if board == to {
				found <- n
				return
			}
			for _, m := range moves {
				if b := board ^ m; !seen[b] {
					seen[b] = true
					next = append(next, b)
				}
			}
		}
		level = next
	}
}

func main() {
	text, err := io.ReadAll(os.Stdin)
	if err != nil {
		panic(err)
	}
	lines := strings.Fields(string(text))
	var board uint32
	for i, chip := range strings.Join(lines[:4], "") {
		if chip == 'B' {
			board |= 1 << i
		}
	}
	var moves []uint32
	for centre := 0; centre < 16; centre++ {
		var m uint32
		for i, digit := range strings.Join(lines[4:], "") {
			r, c := centre/4+i/3-1, centre%4+i%3-1
			if digit == '1' && 0 <= r && r < 4 && 0 <= c && c < 4 {
				m |= 1 << (4*r + c)
			}
		}
		moves = append(moves, m)
	}

	found := make(chan int)
	go search(board, 0, moves, found)
	go search(board, 0xFFFF, moves, found)
	a, b := <-found, <-found
	fmt.Println(min(a, b))
}
