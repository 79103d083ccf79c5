// Package spoil makes small changes to an input, so that tests meet inputs that are nearly valid.
package spoil

import (
	"bytes"
	"iter"
	"math/rand/v2"
	"slices"
)

// words replace a number or another field: bounds, values just beyond them, and other ways to write
// a number.
var words = []string{
	"0", "1", "2", "3", "4", "6", "7", "9", "10", "11", "20", "21", "39", "40", "41", "1000", "1001", "50000", "4294967297",
	"-1", "+1", "01", "00", "1.0", "1e0", "0x1", "٣", "x", "F", "U", "D", "L", "R", "W", "B", "END",
}

const letters = "0123456789-+ \t\r\n\v\x00.xFUDLR\xff"

// Inputs yields n variants of an input with up to three changes each: bytes, fields or lines
// replaced, doubled, exchanged or removed, or another layout of the whole. They depend on the input
// and n alone; some may be valid.
func Inputs(input []byte, n int) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		chance := rand.New(rand.NewPCG(uint64(len(input)), 1))
		for range n {
			text := slices.Clone(input)
			for range 1 + chance.IntN(3) {
				text = change(chance, text)
			}
			if !yield(text) {
				return
			}
		}
	}
}

func change(chance *rand.Rand, text []byte) []byte {
	pieces := func(split [][]byte) ([][]byte, int, int) {
		return split, chance.IntN(len(split)), chance.IntN(len(split))
	}
	switch chance.IntN(12) {
	case 0, 1: // one byte
		if len(text) > 0 {
			text[chance.IntN(len(text))] = letters[chance.IntN(len(letters))]
		}
	case 2:
		at := chance.IntN(len(text) + 1)
		text = slices.Insert(text, at, letters[chance.IntN(len(letters))])
	case 3:
		if len(text) > 0 {
			at := chance.IntN(len(text))
			text = slices.Delete(text, at, at+1)
		}
	case 4, 5, 6: // one field; the lines stay as they are
		lines, i, _ := pieces(bytes.Split(text, []byte("\n")))
		fields, j, k := pieces(bytes.Split(lines[i], []byte(" ")))
		if chance.IntN(4) == 0 {
			fields[j], fields[k] = fields[k], fields[j]
		} else {
			fields[j] = []byte(words[chance.IntN(len(words))])
		}
		lines[i] = bytes.Join(fields, []byte(" "))
		return bytes.Join(lines, []byte("\n"))
	case 7, 8: // one line
		lines, i, j := pieces(bytes.SplitAfter(text, []byte("\n")))
		switch chance.IntN(3) {
		case 0:
			lines[i], lines[j] = lines[j], lines[i]
		case 1:
			lines = slices.Insert(lines, i, lines[j])
		default:
			lines = slices.Delete(lines, i, i+1)
		}
		return bytes.Join(lines, nil)
	case 9:
		return bytes.ReplaceAll(text, []byte("\n"), []byte([]string{"\r\n", " \n", "\n\n", "\r"}[chance.IntN(4)]))
	case 10:
		return bytes.ReplaceAll(text, []byte(" "), []byte([]string{"  ", "\t", "\n"}[chance.IntN(3)]))
	default:
		return bytes.TrimRight(text, "\n")
	}
	return text
}

// Strict returns the text in the strict layout of validators: the fields of a line with one space
// between them, no empty lines, a newline after each line, and numbers without leading zeros.
func Strict(text []byte) []byte {
	var strict []byte
	for line := range bytes.Lines(text) {
		fields := bytes.Fields(line)
		for i, f := range fields {
			if bytes.Trim(f, "0123456789") == nil {
				f = bytes.TrimLeft(f[:len(f)-1], "0")
				f = append(slices.Clip(f), fields[i][len(fields[i])-1])
			}
			fields[i] = f
		}
		if len(fields) > 0 {
			strict = append(append(strict, bytes.Join(fields, []byte(" "))...), '\n')
		}
	}
	return strict
}
