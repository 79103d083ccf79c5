package mutate

import (
	"slices"
	"strings"
)

// pythonKeywords lists words after which a sign is not binary.
var pythonKeywords = []string{"return", "and", "or", "not", "in", "is", "if", "elif", "else", "while", "for", "print", "lambda", "yield", "assert", "del", "from", "import", "raise", "with", "as", "await", "def", "class", "global", "nonlocal"}

// mutatePython drafts the mutants of a source in Python.
func mutatePython(text string) []textDraft {
	m := &tokenMutator{scanner: scanPython(text)}
	m.function, _ = m.pythonFunctions()
	for from := 0; from < len(m.tokens); {
		to := from
		for m.tokens[to].kind != newline {
			to++
		}
		if first := m.tokens[from]; from < to && !first.is("import", "from", "@", "global", "nonlocal") && !strings.Contains(text[first.start:m.tokens[to].start], "__name__") {
			m.pythonLine(from, to)
		}
		from = to + 1
	}
	return m.drafts
}

// pythonLine drafts the mutants of a logical line: the tokens from the first index up to the second.
func (m *tokenMutator) pythonLine(from, to int) {
	first := m.tokens[from]
	heads := first.is("def", "class", "else", "try", "finally", "with", "except")
	m.pythonStatement(from, to)
	loops := slices.ContainsFunc(m.tokens[from:to], func(t lexeme) bool { return t.is("for") })
	for i := from; i < to; i++ {
		t := m.tokens[i]
		switch {
		case t.kind == number:
			m.constant(i, "_")
		case t.kind == literal:
			if to > from+1 && len(strings.Trim(t.text, `rRbBuUfF"'`)) > 0 { // a line by itself is documentation
				m.replace("string", i, i, strings.ToLower(t.text[:strings.IndexAny(t.text, `"'`)])+`""`)
			}
		case t.is("True"):
			m.replace("constant", i, i, "False")
		case t.is("False"):
			m.replace("constant", i, i, "True")
		case t.is("not"):
			if m.after(i).is("in") {
				m.replace("relation", i, i+1, "in")
			} else if !m.before(i).is("is") {
				m.replace("not", i, i, "")
			}
		case t.is("in") && !loops && !m.before(i).is("not"):
			m.replace("relation", i, i, "not in")
		case t.is("is") && !m.after(i).is("not"):
			m.replace("relation", i, i, "is not")
		case t.is("//"):
			m.replace("arithmetic", i, i, "/")
		case t.is("**") && m.before(i).operand(pythonKeywords):
			m.replace("arithmetic", i, i, "*")
		case t.is("["):
			if before := m.before(i); before.operand(pythonKeywords) && before.kind != number && m.pairs[i] > 0 {
				m.index(i)
				m.slice(i)
			}
		case t.is("("):
			if !heads && m.before(i).kind == word && !m.before(i).is(pythonKeywords...) || m.before(i).is("print") {
				m.arguments(i)
				m.pythonRange(i)
			}
		case t.is("range", "min", "max") && !m.after(i).is("("):
		default:
			m.operators(i, m.before(i).operand(pythonKeywords))
		}
	}
}

// slice drafts the mutants of a slice: one that begins later, one that ends earlier.
func (m *tokenMutator) slice(i int) {
	end := m.pairs[i]
	colons := m.at0(i, end, ":")
	if len(colons) == 0 || len(m.at0(i, end, ",")) > 0 {
		return
	}
	if colons[0] > i+1 {
		m.replace("slice", i+1, colons[0]-1, "("+m.between(i, colons[0])+") + 1")
	}
	stop := end
	if len(colons) > 1 {
		stop = colons[1]
	}
	if stop > colons[0]+1 {
		m.replace("slice", colons[0]+1, stop-1, "("+m.between(colons[0], stop)+") - 1")
	}
}

// pythonRange drafts the mutants of a range with one iteration less or more.
func (m *tokenMutator) pythonRange(i int) {
	end := m.pairs[i]
	if !m.before(i).is("range") || end <= i+1 || m.tokens[i+1].kind == number && end == i+2 {
		return
	}
	commas := m.at0(i, end, ",")
	if len(commas) > 1 {
		return // with a step it is unclear which way to go
	}
	from := i
	if len(commas) == 1 {
		from = commas[0]
	}
	for _, by := range []string{" + 1", " - 1"} {
		m.replace("loop", from+1, end-1, "("+m.between(from, end)+")"+by)
	}
}

// pythonStatement drafts the mutants of the whole line: its condition, or the line left out.
func (m *tokenMutator) pythonStatement(from, to int) {
	first := m.tokens[from]
	switch {
	case first.is("if", "elif", "while"):
		colon := -1
		if list := m.at0(from, to, ":"); len(list) > 0 {
			colon = list[len(list)-1]
		}
		if colon <= from+1 || colon == from+2 && m.tokens[from+1].is("True", "False") {
			return
		}
		if !first.is("while") {
			m.replace("condition", from+1, colon-1, "True")
		}
		m.replace("condition", from+1, colon-1, "False")
	case first.is("break", "continue"):
		m.replace("jump", from, from, map[string]string{"break": "continue", "continue": "break"}[first.text])
		m.replace("jump", from, from, "pass").after = "(nothing)"
	case first.is("return"):
		if to == from+1 {
			m.replace("return", from, from, "pass").after = "(nothing)"
		} else if !(to == from+2 && m.tokens[from+1].is("None")) {
			m.replace("return", from+1, to-1, "None")
		}
	case first.is("for", "def", "class", "else", "try", "finally", "with", "except", "pass", "lambda", "async", "assert", "raise", "del"), first.kind == literal && to == from+1:
	case len(m.at0(from-1, to, "=", ";", ":")) > 1: // several statements, or a chain of assignments
	default:
		m.replace("statement", from, to-1, "pass").after = "(nothing)"
	}
}

// pythonFunctions returns the function that contains each token, and all functions in their order.
// Methods are named like Type.Name.
func (s *scanner) pythonFunctions() (of, names []string) {
	type scope struct {
		indent int // of the line with def or class
		name   string
		class  bool
	}
	of = make([]string, len(s.tokens))
	var scopes []scope
	name := ""
	fresh := true
	for i, t := range s.tokens {
		if fresh && t.kind != newline {
			indent := t.start - (strings.LastIndexByte(s.text[:t.start], '\n') + 1)
			for len(scopes) > 0 && indent <= scopes[len(scopes)-1].indent {
				scopes = scopes[:len(scopes)-1]
			}
			if t.is("def", "class") && s.after(i).kind == word {
				inner := s.after(i).text
				if n := len(scopes); n > 0 && scopes[n-1].class {
					inner = scopes[n-1].name + "." + inner
				}
				scopes = append(scopes, scope{indent, inner, t.is("class")})
				if t.is("def") && !slices.Contains(names, inner) {
					names = append(names, inner)
				}
			}
			name = ""
			for _, sc := range slices.Backward(scopes) {
				if !sc.class {
					name = sc.name
					break
				}
			}
		}
		fresh = t.kind == newline
		of[i] = name
	}
	return of, names
}
