package rbx

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"tribunal/judge/internal/quote"
	"tribunal/judge/packages/tree"
	"tribunal/judge/packages/yamlloose"
)

// test is a test that a script asks for: a call of a generator, a file or a text.
type test struct {
	line   int
	group  string // "" for all groups that use the script
	call   string // name of the generator; "" for none
	args   string
	file   string // to be copied; "" for none
	text   string // otherwise
	script string // path of the script, for messages
}

// scanner reads a text of rbx. Every statement begins with a word.
type scanner struct {
	t    *tree.Tree
	rel  string
	rest string
	line int
}

func (s *scanner) errorf(hint, format string, args ...any) error {
	return s.t.Errorf(s.rel, s.line, hint, format, args...)
}

// skip passes over n bytes.
func (s *scanner) skip(n int) {
	s.line += strings.Count(s.rest[:n], "\n")
	s.rest = s.rest[n:]
}

// blank passes over white space, and over comments at the beginning of a statement.
func (s *scanner) blank() {
	for {
		s.skip(len(s.rest) - len(strings.TrimLeftFunc(s.rest, unicode.IsSpace)))
		if !strings.HasPrefix(s.rest, "//") && !strings.HasPrefix(s.rest, "#") {
			return
		}
		s.restOfLine()
	}
}

// keyword reads a word that begins with @, if it is next.
func (s *scanner) keyword(word string) bool {
	rest, ok := strings.CutPrefix(s.rest, word)
	if !ok || rest != "" && (isName(rest[0]) || rest[0] == '-') {
		return false
	}
	s.skip(len(word))
	return true
}

func isName(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// mark reads a character that must be next, after white space.
func (s *scanner) mark(c string) bool {
	s.skip(len(s.rest) - len(strings.TrimLeftFunc(s.rest, unicode.IsSpace)))
	if !strings.HasPrefix(s.rest, c) {
		return false
	}
	s.skip(len(c))
	return true
}

// restOfLine reads what is left of the line.
func (s *scanner) restOfLine() string {
	end := strings.IndexAny(s.rest, "\r\n")
	if end < 0 {
		end = len(s.rest)
	}
	text := s.rest[:end]
	s.skip(end)
	return strings.TrimSpace(text)
}

// name reads a name; with paths, slashes belong to it. It returns "" if no name is next.
func (s *scanner) name(paths bool) string {
	s.skip(len(s.rest) - len(strings.TrimLeftFunc(s.rest, unicode.IsSpace)))
	end := 0
	for end < len(s.rest) && (isName(s.rest[end]) || end > 0 && s.rest[end] == '-' || end > 0 && paths && s.rest[end] == '/') {
		end++
	}
	name := s.rest[:end]
	s.skip(end)
	return name
}

// content reads a text: in quotes, as in Python, or in braces. White space at the ends of lines in
// braces does not count.
func (s *scanner) content() (string, error) {
	const triple = `"""`
	switch {
	case s.mark("{"):
		text, _, ok := strings.Cut(s.rest, "}")
		if !ok {
			return "", s.errorf("close it with }", "a text without an end")
		}
		s.skip(len(text) + 1)
		var lines []string
		for line := range strings.Lines(text) {
			lines = append(lines, strings.TrimSpace(line))
		}
		return endLine(strings.Join(lines, "\n")), nil
	case s.mark(triple):
		text, _, ok := strings.Cut(s.rest, triple)
		if !ok {
			return "", s.errorf("close it with "+triple, "a text without an end")
		}
		s.skip(len(text) + len(triple))
		return endLine(text), nil
	case strings.HasPrefix(s.rest, `"`), strings.HasPrefix(s.rest, "'"):
		return s.quoted()
	}
	return "", s.errorf(`write it in quotes, or in { }`, "a text is missing")
}

// endLine returns a text without white space around it, and with a newline at its end unless it is
// empty.
func endLine(text string) string {
	if text = strings.TrimSpace(text); text != "" {
		text += "\n"
	}
	return text
}

// quoted reads a text in quotes on one line, with backslashes as in Python.
func (s *scanner) quoted() (string, error) {
	mark := s.rest[0]
	var b strings.Builder
	rest := s.rest[1:]
	for rest != "" && rest[0] != mark && rest[0] != '\n' {
		if strings.HasPrefix(rest, "\\\n") { // Python reads nothing there
			rest = rest[2:]
			continue
		}
		r, _, tail, err := strconv.UnquoteChar(rest, mark)
		switch {
		case err != nil && rest[0] == '\\' && len(rest) > 1: // an unknown escape stays as it is
			if strings.ContainsRune(`"'`, rune(rest[1])) {
				b.WriteByte(rest[1])
			} else {
				b.WriteString(rest[:2])
			}
			rest = rest[2:]
			continue
		case err != nil:
			return "", s.errorf("", "invalid text in quotes: %s", quote.Name(s.rest))
		}
		b.WriteRune(r) // \xe9 is a character for Python, not a byte
		rest = tail
	}
	if rest == "" || rest[0] != mark {
		return "", s.errorf("close it with the same quote on the same line", "a text without an end")
	}
	s.skip(len(s.rest) - len(rest) + 1)
	return b.String(), nil
}

// parseScript reads a generator script.
func parseScript(t *tree.Tree, rel, text string) ([]test, error) {
	s := &scanner{t, rel, text, 1}
	return s.statements("", 0)
}

// statements reads statements up to the end of the text, or of the group with that path.
func (s *scanner) statements(group string, depth int) (all []test, err error) {
	for s.blank(); s.rest != ""; s.blank() {
		one := test{line: s.line, group: group, script: s.rel}
		switch {
		case depth > 0 && s.mark("}"):
			return all, nil
		case s.keyword("@testgroup"):
			name := s.name(true)
			if name == "" || strings.HasPrefix(name, "-") || strings.Contains(name+"/", "//") || !s.mark("{") || depth == yamlloose.MaxNesting {
				return nil, s.errorf("write @testgroup NAME { and close it with } on a line of its own", "a group without a name or without {")
			}
			inner, err := s.statements(strings.TrimPrefix(group+"/"+name, "/"), depth+1)
			if err != nil {
				return nil, err
			}
			all = append(all, inner...)
			continue
		case s.keyword("@copy"):
			if one.file = s.restOfLine(); one.file == "" {
				return nil, s.errorf("write @copy FILE", "@copy without a file")
			}
		case s.keyword("@input"):
			if one.text, err = s.content(); err != nil {
				return nil, err
			}
		default:
			one.call, one.args, _ = strings.Cut(s.restOfLine(), " ")
			if name, args, tab := strings.Cut(one.call, "\t"); tab {
				one.call, one.args = name, args+" "+one.args
			}
			if strings.HasPrefix(one.call, "/") || strings.HasPrefix(one.call, "@") {
				return nil, s.t.Errorf(s.rel, one.line, "it is a generator with its arguments, @copy, @input or @testgroup", "%s is no statement", quote.Name(one.call))
			}
		}
		all = append(all, one)
	}
	if depth > 0 {
		return nil, s.errorf("close it with } on a line of its own", "the group %s has no end", quote.Name(group))
	}
	return all, nil
}

// parseBox reads a script in the format of BOX: lines with a number, a semicolon and a call.
func parseBox(t *tree.Tree, rel, text string) (all []test, err error) {
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		number, call, ok := strings.Cut(line, ";")
		_, wrong := strconv.Atoi(strings.TrimSpace(number))
		words := strings.Fields(call)
		if !ok || wrong != nil || len(words) == 0 {
			return nil, t.Errorf(rel, i+1, "write NUMBER ; GENERATOR ARGUMENTS", "%s is no line of a script in the format box", quote.Name(line))
		}
		one := test{line: i + 1, script: rel}
		args := strings.TrimPrefix(strings.TrimSpace(call), words[0])
		if words[0] == "copy" || words[0] == "@copy" {
			one.file = strings.TrimSpace(args)
		} else {
			one.call, one.args = strings.TrimSuffix(words[0], ".exe"), args
		}
		all = append(all, one)
	}
	return all, nil
}

// of reports whether a test belongs to a group or subgroup, which uses the script.
func (t *test) of(group string) bool {
	return t.group == "" || t.group == group || strings.HasPrefix(group, t.group+"/")
}

// unit is a test of a validator or of the checker in a plan of tests.
type unit struct {
	line    int
	outcome string
	given   map[string]string // texts by kind: input, output, answer
}

// parseUnits reads a plan of tests.
func parseUnits(t *tree.Tree, rel, text string) (all []unit, err error) {
	s := &scanner{t, rel, text, 1}
	for s.blank(); s.rest != ""; s.blank() {
		u := unit{line: s.line, given: map[string]string{}}
		test := s.keyword("@test")
		if !test && !s.keyword("@input") {
			return nil, s.errorf("they are @test and @input", "%s is no statement", quote.Name(s.restOfLine()))
		}
		for range 2 { // the name is optional
			if name := s.name(false); name != "" {
				u.outcome = name
			}
		}
		if u.outcome == "" {
			return nil, s.errorf("write @input valid, for example", "a test without an expected outcome")
		}
		if test {
			err = s.unitTexts(&u)
		} else {
			u.given["input"], err = s.content()
		}
		if err != nil {
			return nil, err
		}
		all = append(all, u)
	}
	return all, nil
}

// unitTexts reads the texts of a test in braces.
func (s *scanner) unitTexts(u *unit) error {
	if !s.mark("{") {
		return s.errorf("write @test valid { @input { … } }", "a test without {")
	}
	for s.blank(); !s.mark("}"); s.blank() {
		kind := ""
		for _, k := range []string{"input", "output", "answer"} {
			if kind == "" && s.keyword("@"+k) {
				kind = k
			}
		}
		if kind == "" {
			return s.errorf("they are @input, @output and @answer; close the test with }", "a test without an end, or with an unknown part")
		}
		var err error
		if u.given[kind], err = s.content(); err != nil {
			return err
		}
	}
	if _, has := u.given["input"]; !has {
		return s.t.Errorf(s.rel, u.line, "write @input { … } into it", "a test without an input")
	}
	return nil
}

// place returns the path that stands for a text in a script, for messages.
func (t *test) place() string { return fmt.Sprintf("%s:%d", t.script, t.line) }
