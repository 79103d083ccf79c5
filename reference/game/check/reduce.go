package main

import (
	"bytes"
	"io"

	"tribunal/reference/internal/reduce"
)

const (
	chips = 16 // chips on the board
	cells = 9  // cells of the pattern
)

// offer writes valid inputs that come before a given one in the order of bytes. There B comes
// before W and 0 before 1, so reductions lead to black boards and to patterns that flip little.
func offer(input []byte, out io.Writer) error {
	w := reduce.NewWriter(out)
	try := func(board, pattern []byte) {
		if smaller := write(board, pattern); bytes.Compare(smaller, input) < 0 {
			w.Offer(smaller)
		}
	}
	marks := bytes.ReplaceAll(input, []byte("\n"), nil)
	board, pattern := marks[:chips], marks[chips:]

	for from, to := range reduce.Cuts(chips) {
		try(filled(board, from, to, 'B'), pattern)
	}
	for from, to := range reduce.Cuts(cells) {
		try(board, filled(pattern, from, to, '0'))
	}
	// Both colours are goals, so this is the same game with the colours swapped.
	try(swapped(board), pattern)
	// Make one chip black and all after it white: this leads towards the other goal.
	for i := range chips {
		try(filled(filled(board, i, i+1, 'B'), i+1, chips, 'W'), pattern)
	}
	// Move white chips and ones towards the end.
	for i := range chips - 1 {
		try(exchanged(board, i), pattern)
	}
	for i := range cells - 1 {
		try(board, exchanged(pattern, i))
	}
	return w.Close()
}

// write returns the input of a game.
func write(board, pattern []byte) []byte {
	marks := append(bytes.Clone(board), pattern...)
	var input []byte
	for _, kind := range layout {
		if kind == '\n' {
			input = append(input, '\n')
			continue
		}
		input = append(input, marks[0])
		marks = marks[1:]
	}
	return input
}

// filled returns the list with mark in [from, to).
func filled(list []byte, from, to int, mark byte) []byte {
	list = bytes.Clone(list)
	for i := from; i < to; i++ {
		list[i] = mark
	}
	return list
}

// swapped returns the board with every chip turned.
func swapped(board []byte) []byte {
	return bytes.Map(func(chip rune) rune { return 'B' + 'W' - chip }, board)
}

// exchanged returns the list with marks i and i+1 swapped.
func exchanged(list []byte, i int) []byte {
	list = bytes.Clone(list)
	list[i], list[i+1] = list[i+1], list[i]
	return list
}
