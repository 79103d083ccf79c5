package mutate

import (
	"math/big"
	"slices"
	"strings"
	"sync"
)

// tokenMutator makes the mutants of a text from its tokens. It knows neither types nor scopes, so
// some of its mutants do not compile.
type tokenMutator struct {
	*scanner
	function []string // for each token, the function that contains it
	drafts   []textDraft
}

// textDraft is the change that a mutant makes to a text.
type textDraft struct {
	op            string
	start, end    int    // the part of the text that is replaced
	text          string // what replaces it
	before, after string // how reports show the change; "" for the replaced and the new text
	function      string
}

// replace drafts a mutant that replaces the tokens from i to j, both included.
func (m *tokenMutator) replace(op string, i, j int, text string) *textDraft {
	m.drafts = append(m.drafts, textDraft{op: op, start: m.tokens[i].start, end: m.tokens[j].end, text: text, function: m.function[i]})
	return &m.drafts[len(m.drafts)-1]
}

// exchange is an operator of mutants that replaces a token by another.
type exchange struct {
	op     string
	binary bool // only between operands
	to     map[string]string
}

var exchanges = sync.OnceValue(func() []exchange {
	return []exchange{
		{"boundary", true, map[string]string{"<": "<=", "<=": "<", ">": ">=", ">=": ">", "lower_bound": "upper_bound", "upper_bound": "lower_bound",
			"bisect_left": "bisect_right", "bisect_right": "bisect_left"}},
		{"relation", true, map[string]string{"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}},
		{"logic", true, map[string]string{"&&": "||", "||": "&&", "and": "or", "or": "and"}},
		{"arithmetic", true, map[string]string{"+": "-", "-": "+", "*": "/", "/": "*", "%": "*", "<<": ">>", ">>": "<<", "&": "|", "|": "&", "^": "&",
			"+=": "-=", "-=": "+=", "*=": "/=", "/=": "*=", "%=": "*=", "<<=": ">>=", ">>=": "<<=", "&=": "|=", "|=": "&=", "^=": "&="}},
		{"minmax", false, map[string]string{"min": "max", "max": "min", "min_element": "max_element", "max_element": "min_element", "fmin": "fmax", "fmax": "fmin"}},
	}
})

// operand reports whether a token can end an operand, so that a sign after it is binary. keywords are
// words that cannot.
func (t lexeme) operand(keywords []string) bool {
	switch t.kind {
	case word:
		return t.text != "" && !slices.Contains(keywords, t.text)
	case number, literal:
		return true
	case sign:
		return t.text == ")" || t.text == "]"
	}
	return false
}

// operators drafts the mutants of the token i that replace an operator.
func (m *tokenMutator) operators(i int, binary bool) {
	t := m.tokens[i]
	if t.kind == word && !m.after(i).is("(") && !t.is("and", "or") {
		return
	}
	for _, e := range exchanges() {
		if to := e.to[t.text]; to != "" && (binary || t.kind == word || !e.binary) {
			m.replace(e.op, i, i, to)
		}
	}
}

// constant drafts the mutants of a number.
func (m *tokenMutator) constant(i int, separator string) {
	text := m.tokens[i].text
	digits := strings.TrimRight(text, "uUlLzZ")
	suffix := text[len(digits):]
	n, ok := new(big.Int).SetString(strings.ReplaceAll(digits, separator, ""), 10)
	switch {
	case !ok || len(digits) > 1 && digits[0] == '0':
		if strings.HasPrefix(strings.ToLower(text), "0x") || strings.HasPrefix(strings.ToLower(text), "0b") {
			m.replace("constant", i, i, "("+text+" + 1)")
			m.replace("constant", i, i, "("+text+" - 1)")
		} else if strings.Trim(digits, "0.") != "" {
			m.replace("constant", i, i, "0")
		}
		return
	}
	one := big.NewInt(1)
	m.replace("constant", i, i, new(big.Int).Add(n, one).String()+suffix)
	if n.Sign() > 0 {
		m.replace("constant", i, i, new(big.Int).Sub(n, one).String()+suffix)
	}
	if n.Cmp(one) > 0 {
		m.replace("constant", i, i, "0"+suffix)
	}
}

// commutative lists functions of which two arguments can be swapped.
var commutative = []string{"min", "max", "gcd", "lcm", "__gcd", "swap", "hypot", "fmin", "fmax"}

// arguments drafts the mutant that swaps the two arguments of a call, whose bracket is the token i.
func (m *tokenMutator) arguments(i int) {
	end := m.pairs[i]
	name := m.before(i)
	if end < 0 || name.kind != word || slices.Contains(commutative, name.text) {
		return
	}
	commas := m.at0(i, end, ",")
	if len(commas) != 1 || len(m.at0(i, end, "=", "*", "**", ";")) > 0 {
		return
	}
	first, second := m.between(i, commas[0]), m.between(commas[0], end)
	if first == second || first == "" || second == "" {
		return
	}
	d := m.replace("argument", i+1, end-1, second+", "+first)
	d.before, d.after = first+", "+second, second+", "+first
}

// at0 returns the indices of the given signs between two brackets, outside of further brackets.
func (m *tokenMutator) at0(from, to int, signs ...string) (list []int) {
	for i := from + 1; i < to; i++ {
		if m.tokens[i].is(signs...) {
			list = append(list, i)
		}
		if m.pairs[i] > i {
			i = m.pairs[i]
		}
	}
	return list
}

// index drafts the mutants of the index between a bracket, the token i, and the one that closes it.
func (m *tokenMutator) index(i int) {
	end := m.pairs[i]
	if end <= i+1 || len(m.at0(i, end, ",", ":", "=")) > 0 || m.tokens[i+1].kind == literal {
		return
	}
	inner := m.between(i, end)
	if end > i+2 {
		inner = "(" + inner + ")"
	}
	for _, by := range []string{" + 1", " - 1"} {
		d := m.replace("index", i+1, end-1, inner+by)
		d.before, d.after = "["+m.between(i, end)+"]", "["+inner+by+"]"
	}
}
