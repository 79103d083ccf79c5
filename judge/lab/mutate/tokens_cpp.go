package mutate

import (
	"slices"
	"strings"
)

// cppKeywords lists words after which a sign is not binary, or that are not the name of a function.
var cppKeywords = []string{"return", "case", "throw", "else", "do", "if", "for", "while", "switch", "catch", "new", "delete", "sizeof", "alignof",
	"decltype", "auto", "const", "constexpr", "static", "typename", "template", "operator", "and", "or", "not", "co_return", "goto", "using", "noexcept",
	"int", "long", "short", "unsigned", "signed", "char", "bool", "float", "double", "void", "static_assert", "alignas", "requires", "explicit"}

// streams lists words of statements in which << and >> write and read.
var streams = []string{"cin", "cout", "cerr", "clog", "endl", "setw", "setprecision", "getline"}

// mutateCPP drafts the mutants of a source in C++.
func mutateCPP(text string) []textDraft {
	m := &tokenMutator{scanner: scanCPP(text)}
	m.function, _ = m.cppFunctions()
	for i := 0; i < len(m.tokens); i++ {
		t := m.tokens[i]
		switch {
		case m.function[i] == "" && t.kind != number: // declarations, in which only constants matter
		case t.kind == number:
			m.constant(i, "'")
		case t.kind == literal:
			if strings.HasSuffix(t.text, `"`) && len(t.text) > 2 && t.text[0] == '"' && !m.before(i).is("extern") {
				m.replace("string", i, i, `""`)
			}
		case t.is("<"):
			if end := m.template(i); end > 0 {
				i = end
				continue
			}
			m.operators(i, true)
		case t.is("<<", ">>"):
			if !m.streaming(i) {
				m.operators(i, m.before(i).operand(cppKeywords))
			}
		case t.is("true"):
			m.replace("constant", i, i, "false")
		case t.is("false"):
			m.replace("constant", i, i, "true")
		case t.is("++", "--"):
			m.replace("arithmetic", i, i, map[string]string{"++": "--", "--": "++"}[t.text])
		case t.is("!", "not") && !m.after(i).is("="):
			m.replace("not", i, i, "")
		case t.is("["):
			m.cppIndex(i)
		case t.is("("):
			if before := m.before(i); before.kind == word && !slices.Contains(cppKeywords, before.text) && !m.declares(i-1) {
				m.arguments(i)
			}
		case t.is("if", "while"):
			m.cppCondition(i)
		case t.is("break", "continue") && m.after(i).is(";"):
			m.replace("jump", i, i, "").after = "(nothing)"
			m.replace("jump", i, i, map[string]string{"break": "continue", "continue": "break"}[t.text])
		case t.is("return") && m.after(i).is(";"):
			m.replace("return", i, i, "").after = "(nothing)"
		default:
			m.operators(i, m.before(i).operand(cppKeywords))
		}
		m.cppStatement(i)
	}
	return m.drafts
}

// template returns the index of the > of a list of template arguments that begins with the < at i, 0
// if it is a comparison: what is between contains only types and numbers, and what follows continues
// a type or a call.
func (m *tokenMutator) template(i int) int {
	depth := 0
	for j := i; j < len(m.tokens) && j < i+64; j++ {
		t := m.tokens[j]
		switch {
		case t.is("<"):
			depth++
		case t.is(">"):
			depth--
		case t.is(">>"):
			depth -= 2
		case t.kind == number, t.kind == word, t.is("::", ",", "*", "&", "(", ")", "[", "]", "..."):
		default:
			return 0
		}
		if depth <= 0 {
			next := m.after(j)
			if next.kind == word && !next.is("and", "or") || next.is("(", "{", "::", ">", ",", ")", "&", "*", "&&", ";", "...") {
				if !m.before(i).operand(nil) || m.before(i).kind != word && !m.before(i).is("]") {
					return 0
				}
				return j
			}
			return 0
		}
	}
	return 0
}

// streaming reports whether the statement with the token i reads or writes by << or >>.
func (m *tokenMutator) streaming(i int) bool {
	for _, step := range []int{-1, 1} {
		for j := i; j >= 0 && j < len(m.tokens) && !m.tokens[j].is(";", "{", "}"); j += step {
			if m.tokens[j].is(streams...) || m.tokens[j].kind == literal {
				return true
			}
		}
	}
	return false
}

// declares reports whether the word i is preceded by a type, and is therefore declared there.
func (m *tokenMutator) declares(i int) bool {
	before := m.before(i)
	if before.is(">", "*", "&") {
		return m.get(i-2).kind == word && m.get(i-2).is("int", "long", "char", "bool", "double", "auto", "string", "void") || before.is(">") && m.get(i-2).kind != number
	}
	return before.kind == word && before.text != "" && !before.is("return", "case", "throw", "else", "do", "new", "delete", "and", "or", "not", "co_return")
}

// cppIndex drafts the mutants of an index, but not of a declared array, a structured binding or the
// captures of a lambda.
func (m *tokenMutator) cppIndex(i int) {
	before := m.before(i)
	if !before.operand(cppKeywords) || before.kind == literal || before.kind == number {
		return
	}
	first := i // the first bracket of a declaration such as int a[2][3]
	for m.before(first).is("]") && m.pairs[first-1] > 0 {
		first = m.pairs[first-1]
	}
	if m.before(first).kind == word && m.declares(first-1) {
		return
	}
	m.index(i)
}

// cppCondition drafts the mutants of the condition of if or while, the token i.
func (m *tokenMutator) cppCondition(i int) {
	from := i + 1
	if m.get(from).is("constexpr") {
		from++
	}
	if !m.get(from).is("(") {
		return
	}
	to := m.pairs[from]
	if to <= from+1 || len(m.at0(from, to, ";")) > 0 || to == from+2 && m.tokens[from+1].is("true", "false") || to == from+2 && m.tokens[from+1].kind == number {
		return
	}
	if m.tokens[i].is("if") {
		m.replace("condition", from+1, to-1, "true")
	}
	m.replace("condition", from+1, to-1, "false")
}

// cppStatement drafts the mutant without the statement that begins at the token i, if that is a call
// or an assignment. Declarations and return statements with a value stay, because without them the
// program would not compile or have no defined behaviour.
func (m *tokenMutator) cppStatement(i int) {
	before, t := m.before(i), m.tokens[i]
	starts := before.is(";", "{", "}", "else", "do", ":") || before.is(")") && m.pairs[i-1] >= 0 && m.get(m.pairs[i-1]-1).is("if", "while", "for")
	if !starts || m.function[i] == "" || !(t.kind == word || t.is("++", "--", "*", "(")) || slices.Contains(cppKeywords, t.text) || t.is("break", "continue") {
		return
	}
	if t.kind == word {
		j := i
		for m.after(j).is("::") {
			j += 2
		}
		if next := m.after(j); next.kind == word || next.is("<", "&", "*", "&&", ":", ";", ",") && !m.streaming(j) { // a declaration, a label
			return
		}
	}
	for j := i; j < len(m.tokens); j++ {
		switch {
		case m.tokens[j].is("{", "}", ")"), m.tokens[j].is("sync_with_stdio", "tie"): // without the latter it is only slower
			return
		case m.tokens[j].is(";"):
			if m.depthOfFor(i) {
				return
			}
			m.replace("statement", i, j, ";").after = "(nothing)"
			return
		}
		if m.pairs[j] > j {
			j = m.pairs[j]
		}
	}
}

// depthOfFor reports whether the token i is in the head of a for statement.
func (m *tokenMutator) depthOfFor(i int) bool {
	for j := i - 1; j >= 0 && !m.tokens[j].is("{", "}"); j-- {
		if m.tokens[j].is("(") && (m.pairs[j] < 0 || m.pairs[j] > i) {
			return true
		}
		if m.pairs[j] >= 0 && m.pairs[j] < j {
			j = m.pairs[j]
		}
	}
	return false
}

// cppFunctions returns the function that contains each token, and all functions in their order.
// Methods are named like Type.Name.
func (s *scanner) cppFunctions() (of, names []string) {
	type scope struct {
		function, class string
		end             int
	}
	of = make([]string, len(s.tokens))
	scopes := []scope{{end: len(s.tokens)}}
	candidate, class := "", "" // the function and the class of a { that may follow
	for i, t := range s.tokens {
		for len(scopes) > 1 && i > scopes[len(scopes)-1].end {
			scopes = scopes[:len(scopes)-1]
		}
		top := scopes[len(scopes)-1]
		of[i] = top.function
		switch {
		case t.is(";", "}"):
			candidate, class = "", ""
		case t.is("struct", "class", "namespace", "union") && top.function == "" && s.after(i).kind == word:
			if !t.is("namespace") && !s.before(i).is("<", ",") {
				class = s.after(i).text
			}
		case t.is("=") && candidate == "":
			class = ""
		case t.is("(") && top.function == "" && candidate == "":
			if name := s.before(i); name.kind == word && name.text != "" && !slices.Contains(cppKeywords, name.text) {
				candidate = name.text
				if s.get(i-2).is("::") && s.get(i-3).kind == word && s.get(i-3).text != "std" {
					candidate = s.get(i-3).text + "." + candidate
				} else if top.class != "" {
					candidate = top.class + "." + candidate
				}
			}
		case t.is("{"):
			next := scope{top.function, top.class, s.pairs[i]}
			if next.end < 0 {
				next.end = len(s.tokens)
			}
			switch {
			case top.function != "":
			case candidate != "":
				next.function = candidate
				if !slices.Contains(names, candidate) {
					names = append(names, candidate)
				}
			case class != "":
				next.class = class
			}
			candidate, class = "", ""
			scopes = append(scopes, next)
		}
	}
	return of, names
}
