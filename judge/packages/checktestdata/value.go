package checktestdata

import (
	"errors"
	"fmt"
	"math/big"
	"strconv"
	"strings"
)

// value is a *big.Int, a *big.Rat or a string. It is immutable.
type value any

// Errors of arithmetic. The machine puts the expression before them, and the place after them.
var (
	errNotNumber = errors.New("is not a number")
	errTooLarge  = fmt.Errorf("is a number of more than %d bits", maxBits)
)

// fraction returns the value of a decimal fraction, and false if its exponent is too large.
func fraction(s string) (*big.Rat, bool) {
	if i := strings.IndexAny(s, "eE"); i >= 0 {
		e, err := strconv.Atoi(s[i+1:])
		if err != nil || e < -maxDigits/2 || e > maxDigits/2 {
			return nil, false
		}
	}
	return new(big.Rat).SetString(s)
}

// rational returns a number as a fraction, and false for a string.
func rational(v value) (*big.Rat, bool) {
	switch v := v.(type) {
	case *big.Int:
		return new(big.Rat).SetInt(v), true
	case *big.Rat:
		return v, true
	}
	return nil, false
}

// arithmetic applies an operator to two numbers. The result is a fraction if one of them is.
func arithmetic(op op, a, b value) (value, error) {
	if op == opPower {
		return power(a, b)
	}
	i, whole := a.(*big.Int)
	j, both := b.(*big.Int)
	if whole && both {
		return integers(op, i, j)
	}
	x, ok := rational(a)
	y, ok2 := rational(b)
	if !ok || !ok2 {
		return nil, errNotNumber
	}
	z := new(big.Rat)
	switch op {
	case opAdd:
		z.Add(x, y)
	case opSubtract:
		z.Sub(x, y)
	case opMultiply:
		z.Mul(x, y)
	case opDivide:
		if y.Sign() == 0 {
			return nil, errors.New("divides by zero")
		}
		z.Quo(x, y)
	default:
		return nil, errors.New("needs integers")
	}
	return bounded(z)
}

// integers is arithmetic for two integers.
func integers(op op, i, j *big.Int) (value, error) {
	z := new(big.Int)
	switch op {
	case opAdd:
		z.Add(i, j)
	case opSubtract:
		z.Sub(i, j)
	case opMultiply:
		z.Mul(i, j)
	default:
		if j.Sign() == 0 {
			return nil, errors.New("divides by zero")
		}
		if op == opDivide {
			z.Quo(i, j)
		} else {
			z.Rem(i, j)
		}
	}
	return bounded(z)
}

// power computes a to the power of b, which must be an integer that is not negative.
func power(a, b value) (value, error) {
	e, ok := b.(*big.Int)
	if !ok {
		return nil, errors.New("has an exponent that is not an integer")
	}
	if e.Sign() < 0 {
		return nil, errors.New("has a negative exponent")
	}
	x, ok := rational(a)
	if !ok {
		return nil, errNotNumber
	}
	// Reject a result that is too large before computing it.
	if bits := max(x.Num().BitLen(), x.Denom().BitLen()) - 1; bits > 0 && (!e.IsInt64() || e.Int64() > int64(maxBits/bits)) {
		return nil, errTooLarge
	}
	num := new(big.Int).Exp(x.Num(), e, nil)
	if _, whole := a.(*big.Int); whole {
		return bounded(num)
	}
	return bounded(new(big.Rat).SetFrac(num, new(big.Int).Exp(x.Denom(), e, nil)))
}

// bounded returns the number, or errTooLarge.
func bounded(v value) (value, error) {
	if size(v) > maxBits/8 {
		return nil, errTooLarge
	}
	return v, nil
}

// size returns the size of a number in bytes.
func size(v value) int {
	switch v := v.(type) {
	case *big.Int:
		return v.BitLen() / 8
	case *big.Rat:
		return max(v.Num().BitLen(), v.Denom().BitLen()) / 8
	}
	panic("not a number")
}

// compare returns the order of two numbers or two strings; false for a number and a string.
func compare(a, b value) (int, bool) {
	if s, ok := a.(string); ok {
		t, ok := b.(string)
		return strings.Compare(s, t), ok
	}
	i, whole := a.(*big.Int)
	j, both := b.(*big.Int)
	if whole && both {
		return i.Cmp(j), true
	}
	x, ok := rational(a)
	y, ok2 := rational(b)
	if !ok || !ok2 {
		return 0, false
	}
	return x.Cmp(y), true
}

// key returns a string that is equal for two values only if they are equal. Keys joined by commas
// are equal only if the lists of values are.
func key(v value) string {
	switch v := v.(type) {
	case *big.Int:
		return v.String()
	case *big.Rat:
		return v.RatString()
	}
	s := v.(string)
	return strconv.Itoa(len(s)) + ":" + s
}

// show formats a value for messages.
func show(v value) string {
	switch v := v.(type) {
	case *big.Int:
		if v.BitLen() < 256 {
			return v.String()
		}
		return fmt.Sprintf("a number of %d bits", v.BitLen())
	case *big.Rat:
		places, _ := v.FloatPrec()
		return v.FloatString(min(places, 15))
	}
	return strconv.Quote(excerpt(v.(string)))
}
