package pkgformat

import (
	"cmp"
	"math"
	"math/big"
	"strconv"
	"strings"
	"unicode"
)

// evaluate computes an expression of Python: numbers, vars.name, + - * / // % **, parentheses and the
// functions min, max, abs, int and float. Names are looked up in vars. It reports false for any other
// expression, and for a result that is not a finite float64 or an integer of 64 bits.
func evaluate(code string, vars map[string]any) (any, bool) {
	e := &expression{rest: code, vars: vars}
	v := e.sum()
	if e.blank(); e.failed || e.rest != "" {
		return nil, false
	}
	switch v := v.(type) {
	case *big.Int:
		switch {
		case v.IsInt64():
			return v.Int64(), true
		case v.IsUint64():
			return v.Uint64(), true
		}
	case float64:
		return v, !math.IsInf(v, 0) && !math.IsNaN(v)
	}
	return nil, false
}

// expression is an expression that is being read. Its values are of the types *big.Int and float64.
type expression struct {
	rest   string
	vars   map[string]any
	depth  int
	failed bool
}

func (e *expression) fail() any {
	e.failed = true
	return big.NewInt(0)
}

func (e *expression) blank() { e.rest = strings.TrimLeft(e.rest, " \t\n") }

// take reads the operator if it is next, but not as a part of a longer one.
func (e *expression) take(operator string) bool {
	e.blank()
	rest, ok := strings.CutPrefix(e.rest, operator)
	if !ok || (operator == "*" || operator == "/") && strings.HasPrefix(rest, operator) {
		return false
	}
	e.rest = rest
	return true
}

func (e *expression) sum() any {
	v := e.product()
	for !e.failed {
		switch {
		case e.take("+"):
			v = e.apply('+', v, e.product())
		case e.take("-"):
			v = e.apply('-', v, e.product())
		default:
			return v
		}
	}
	return v
}

func (e *expression) product() any {
	v := e.signed()
	for !e.failed {
		switch {
		case e.take("//"):
			v = e.apply('d', v, e.signed())
		case e.take("*"):
			v = e.apply('*', v, e.signed())
		case e.take("/"):
			v = e.apply('/', v, e.signed())
		case e.take("%"):
			v = e.apply('%', v, e.signed())
		default:
			return v
		}
	}
	return v
}

func (e *expression) signed() any {
	if e.depth++; e.depth > maxNesting {
		return e.fail()
	}
	defer func() { e.depth-- }()
	switch {
	case e.take("-"):
		return e.apply('-', big.NewInt(0), e.signed())
	case e.take("+"):
		return e.signed()
	}
	v := e.atom()
	if e.take("**") {
		return e.apply('^', v, e.signed())
	}
	return v
}

func (e *expression) atom() any {
	e.blank()
	if e.take("(") {
		v := e.sum()
		if !e.take(")") {
			return e.fail()
		}
		return v
	}
	end := strings.IndexFunc(e.rest, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' && r != '.'
	})
	if end < 0 {
		end = len(e.rest)
	}
	word := e.rest[:end]
	if word == "" {
		return e.fail()
	}
	if '0' <= word[0] && word[0] <= '9' || word[0] == '.' {
		return e.number(word)
	}
	e.rest = e.rest[end:]
	if name, ok := strings.CutPrefix(word, "vars."); ok {
		switch v := e.vars[name].(type) {
		case int64:
			return big.NewInt(v)
		case uint64:
			return new(big.Int).SetUint64(v)
		case float64:
			return v
		}
		return e.fail()
	}
	return e.call(word)
}

// number reads the number that begins with word; an exponent may have a sign.
func (e *expression) number(word string) any {
	if last := word[len(word)-1]; (last == 'e' || last == 'E') && !strings.HasPrefix(word, "0x") {
		rest := e.rest[len(word):]
		if len(rest) > 1 && (rest[0] == '-' || rest[0] == '+') {
			n := 1 + digits(rest[1:])
			word += rest[:n]
		}
	}
	e.rest = e.rest[len(word):]
	plain := strings.ReplaceAll(word, "_", "")
	if plain[0] == '0' && digits(plain) == len(plain) && strings.Trim(plain, "0") != "" {
		return e.fail() // Python has no such numbers
	}
	if i, ok := new(big.Int).SetString(plain, 0); ok && i.BitLen() <= maxBits {
		return i
	}
	f, err := strconv.ParseFloat(plain, 64)
	if err != nil {
		return e.fail()
	}
	return f
}

func (e *expression) call(name string) any {
	var list []any
	if !e.take("(") {
		return e.fail()
	}
	for more := true; more && !e.failed; more = e.take(",") {
		list = append(list, e.sum())
	}
	if !e.take(")") || e.failed {
		return e.fail()
	}
	v := list[0]
	switch {
	case name == "min" || name == "max":
		for _, other := range list[1:] {
			if c := compareNumbers(other, v); c < 0 && name == "min" || c > 0 && name == "max" {
				v = other
			}
		}
		return v
	case len(list) > 1:
	case name == "abs":
		if real64(v) < 0 {
			return e.apply('-', big.NewInt(0), v)
		}
		return v
	case name == "float":
		return real64(v)
	case name == "int":
		if f, ok := v.(float64); ok {
			if !(math.Abs(f) < 1<<63) { // or not a number
				return e.fail()
			}
			return big.NewInt(int64(f))
		}
		return v
	}
	return e.fail()
}

// maxBits bounds the integers in an expression.
const maxBits = 4096

// compareNumbers compares two numbers: whole ones exactly, others as float64.
func compareNumbers(a, b any) int {
	x, whole := a.(*big.Int)
	y, also := b.(*big.Int)
	if whole && also {
		return x.Cmp(y)
	}
	return cmp.Compare(real64(a), real64(b))
}

func real64(v any) float64 {
	if i, ok := v.(*big.Int); ok {
		f, _ := new(big.Float).SetInt(i).Float64()
		return f
	}
	return v.(float64)
}

// apply computes with two numbers: whole ones exactly, but for /, and others as float64.
func (e *expression) apply(operator rune, a, b any) any {
	x, whole := a.(*big.Int)
	y, also := b.(*big.Int)
	zero := strings.ContainsRune("/d%", operator) && real64(b) == 0
	if e.failed || zero {
		return e.fail()
	}
	if !whole || !also || operator == '/' || operator == '^' && y.Sign() < 0 {
		return applyReal(operator, real64(a), real64(b))
	}
	z := new(big.Int)
	switch operator {
	case '+':
		z.Add(x, y)
	case '-':
		z.Sub(x, y)
	case '*':
		z.Mul(x, y)
	case 'd', '%': // Python rounds down
		m := new(big.Int)
		z.QuoRem(x, y, m)
		if m.Sign() != 0 && m.Sign() != y.Sign() {
			z.Sub(z, big.NewInt(1))
			m.Add(m, y)
		}
		if operator == '%' {
			z = m
		}
	case '^':
		if !y.IsInt64() || y.Int64() > maxBits || y.Int64()*int64(x.BitLen()) > maxBits {
			return e.fail()
		}
		z.Exp(x, y, nil)
	}
	if z.BitLen() > maxBits {
		return e.fail()
	}
	return z
}

func applyReal(operator rune, x, y float64) float64 {
	switch operator {
	case '+':
		return x + y
	case '-':
		return x - y
	case '*':
		return x * y
	case '/':
		return x / y
	case 'd':
		return math.Floor(x / y)
	case '%':
		return x - y*math.Floor(x/y)
	}
	return math.Pow(x, y)
}
