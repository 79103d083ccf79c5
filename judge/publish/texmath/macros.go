package texmath

import "strings"

// Macro is a command that a document defines.
type Macro struct {
	Args     int    // number of its arguments
	Default  string // of the first argument, if Optional
	Optional bool   // the first argument may be given in brackets, or left out
	Body     string // #1 to #9 stand for the arguments
}

// Expand returns a formula with the uses of macros replaced, whose names are without backslashes.
// Every error is an [*Error].
func Expand(formula string, macros map[string]Macro) (string, error) {
	if len(macros) == 0 {
		return formula, nil
	}
	p := &parser{src: formula}
	var b strings.Builder
	for uses := 0; p.pos < len(p.src); {
		t := p.tokenAt(p.pos)
		p.pos += len(t)
		m, ok := macros[strings.TrimPrefix(t, `\`)]
		if !ok || t[0] != '\\' {
			b.WriteString(t)
			continue
		}
		body := p.fill(t, m)
		if uses++; uses > maxExpansions || b.Len()+len(body)+len(p.src)-p.pos > maxSource {
			p.fail("the macro %s expands to too much", t)
		}
		if p.err != nil {
			return "", p.err
		}
		p.src, p.pos = body+p.src[p.pos:], 0
	}
	return b.String(), nil
}

// fill reads the arguments of a macro and returns its body with them.
func (p *parser) fill(token string, m Macro) string {
	args := make([]string, m.Args)
	for i := range args {
		if i == 0 && m.Optional {
			given := false
			if args[0], given = p.optional(); !given {
				args[0] = m.Default
			}
			continue
		}
		args[i] = p.argument(token)
	}
	body := m.Fill(args)
	if n := len(body); n > 0 && isLetter(body[n-1]) {
		body += " " // so that a command at its end does not run into what follows
	}
	return body
}

// Fill returns the body of a macro with its arguments.
func (m Macro) Fill(args []string) string {
	var b strings.Builder
	for i := 0; i < len(m.Body); i++ {
		if m.Body[i] == '#' && i+1 < len(m.Body) && '1' <= m.Body[i+1] && int(m.Body[i+1]-'0') <= len(args) {
			b.WriteString(args[m.Body[i+1]-'1'])
			i++
			continue
		}
		b.WriteByte(m.Body[i])
	}
	return b.String()
}
