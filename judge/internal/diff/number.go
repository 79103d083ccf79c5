package diff

import (
	"bytes"
	"math"
	"strconv"
)

// near reports whether two words are finite numbers that are equal within the tolerance, in float64
// arithmetic. Without a tolerance they must be the same number, whatever the precision of a float64:
// a program that loses the last digits of a large number is wrong.
func (s *scanner) near(want, got []byte) bool {
	a, ok := number(want)
	if !ok {
		return false
	}
	b, ok := number(got)
	if !ok {
		return false
	}
	if s.abs == 0 && s.rel == 0 {
		return a == b && decimalOf(want).equal(decimalOf(got))
	}
	d := math.Abs(a - b)
	return d <= s.abs || d <= s.rel*math.Abs(a)
}

// number parses a decimal number: digits with an optional sign, point and exponent. It rejects the
// other numbers of Go (hexadecimal, underscores, inf, nan) and those too large for a float64.
func number(word []byte) (float64, bool) {
	if len(word) > maxNumber {
		return 0, false
	}
	for _, b := range word {
		switch {
		case '0' <= b && b <= '9', b == '+', b == '-', b == '.', b == 'e', b == 'E':
		default:
			return 0, false
		}
	}
	x, err := strconv.ParseFloat(string(word), 64)
	return x, err == nil
}

// decimal is a number: 0.digits times ten to the exponent. The digits neither begin nor end with 0;
// there are none, and no sign, if the number is zero.
type decimal struct {
	negative bool
	digits   []byte
	exponent int64
}

// decimalOf returns the value of a word that number accepts.
func decimalOf(word []byte) (d decimal) {
	if at := bytes.IndexAny(word, "eE"); at >= 0 {
		// A word of 1 KiB may have an exponent below the range of int32. ParseInt then returns the least one, and
		// the number is as good as zero. Words with exponents above the range are not accepted by number.
		d.exponent, _ = strconv.ParseInt(string(word[at+1:]), 10, 32)
		word = word[:at]
	}
	d.negative = bytes.HasPrefix(word, []byte("-"))
	whole, fraction, _ := bytes.Cut(bytes.TrimLeft(word, "+-"), []byte("."))
	d.digits = bytes.TrimLeft(bytes.Join([][]byte{whole, fraction}, nil), "0")
	d.exponent += int64(len(d.digits) - len(fraction))
	if d.digits = bytes.TrimRight(d.digits, "0"); len(d.digits) == 0 {
		return decimal{}
	}
	return d
}

func (d decimal) equal(o decimal) bool {
	return d.negative == o.negative && d.exponent == o.exponent && bytes.Equal(d.digits, o.digits)
}
