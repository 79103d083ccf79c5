// Verdict: accepted. Every move is made once or not at all, as in a knapsack: with each
// move allowed in turn, the fewest moves for every set of flipped chips are the smaller
// number of those without this move and those with it.
package main

import "fmt"

const unreached = 17

func main() {
	var black uint16
	for row := 0; row < 4; row++ {
		var chips string
		fmt.Scan(&chips)
		for _, chip := range chips {
			black <<= 1
			if chip == 'B' {
				black |= 1
			}
		}
	}
	var pattern [3]string
	for i := range pattern {
		fmt.Scan(&pattern[i])
	}

	price := make([]int, 1<<16)
	for chips := range price {
		price[chips] = unreached
	}
	price[0] = 0
	for row := 0; row < 4; row++ {
		for column := 0; column < 4; column++ {
			price = allow(price, move(pattern, row, column))
		}
	}

	answer := min(price[black], price[^black])
	if answer == unreached {
		fmt.Println("Impossible")
	} else {
		fmt.Println(answer)
	}
}

// move returns the chips that are flipped round a centre; the first chip of the
// board is the highest bit.
func move(pattern [3]string, row, column int) uint16 {
	var flipped uint16
	for r := 0; r < 4; r++ {
		for c := 0; c < 4; c++ {
			flipped <<= 1
			i, j := r-row+1, c-column+1
			if 0 <= i && i < 3 && 0 <= j && j < 3 {
				flipped |= uint16(pattern[i][j] - '0')
			}
		}
	}
	return flipped
}

func allow(price []int, move uint16) []int {
	better := make([]int, len(price))
	for chips := range price {
		better[chips] = min(price[chips], price[uint16(chips)^move]+1)
	}
	return better
}
