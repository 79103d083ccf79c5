package texmath

import (
	"strings"
)

// environment reads \begin{name} up to the end of its \end. \begin has been read.
func (p *parser) environment() item {
	name := p.argument(`\begin`)
	source, ok := p.body(name)
	if !ok {
		return item{}
	}
	base := strings.TrimSuffix(name, "*")
	if fences, ok := strings.CutSuffix(base, "matrix"); ok {
		if strings.HasSuffix(name, "*") {
			if _, rest, aligned := strings.Cut(source, "]"); aligned && strings.HasPrefix(strings.TrimSpace(source), "[") {
				source = rest
			}
		}
		pair, known := map[string]string{"": "..", "small": "..", "p": "()", "b": "[]", "B": "{}", "v": "||", "V": "‖‖"}[fences]
		if known {
			r := []rune(pair)
			return item{xml: fenced(string(r[0]), p.table(source, "center", ""), string(r[1]))}
		}
	}
	switch base {
	case "cases", "dcases", "rcases":
		left, right := "{", "."
		if base == "rcases" {
			left, right = ".", "}"
		}
		return item{xml: fenced(left, p.table(source, "left", ""), right)}
	case "array", "tabular":
		q := &parser{src: source}
		columns := q.argument(`\begin{array}`)
		if q.err != nil {
			p.err = q.err
			return item{}
		}
		var aligned []string
		for _, c := range columns {
			if word := map[rune]string{'l': "left", 'c': "center", 'r': "right"}[c]; word != "" {
				aligned = append(aligned, word)
			}
		}
		return item{xml: p.table(source[q.pos:], strings.Join(aligned, " "), "")}
	case "aligned", "align", "alignat", "alignedat", "split", "eqnarray", "flalign":
		if strings.HasPrefix(base, "alignat") || base == "alignedat" {
			q := &parser{src: source}
			q.argument(`\begin{alignat}`)
			source = source[q.pos:]
		}
		return item{xml: p.table(source, "right left", ` displaystyle="true"`)}
	case "gather", "gathered", "multline", "equation", "displaymath", "math":
		return item{xml: p.table(source, "center", ` displaystyle="true"`)}
	}
	p.unknown("environment", name)
	return item{}
}

// body reads the source of an environment up to the end of its \end.
func (p *parser) body(name string) (string, bool) {
	start, depth := p.pos, 1
	for p.pos < len(p.src) {
		at := p.pos
		t := p.tokenAt(at)
		p.pos += len(t)
		switch t {
		case `\begin`:
			depth++
		case `\end`:
			if depth--; depth > 0 {
				continue
			}
			if end := p.argument(t); end != name {
				p.fail(`\begin{%s} ends with \end{%s}`, name, end)
				return "", false
			}
			return p.src[start:at], true
		}
	}
	p.fail(`\begin{%s} without \end{%s}`, name, name)
	return "", false
}

// table converts rows of cells. The alignments of the columns repeat from the left.
func (p *parser) table(source, columns, attributes string) string {
	q := &parser{src: source, depth: p.depth + 1}
	if q.depth > maxDepth {
		q.fail("it is nested too deeply")
	}
	align := strings.Fields(columns)
	var b strings.Builder
	b.WriteString("<mtable" + attributes + ">")
	for more := true; more && q.err == nil; {
		for q.peek() == `\hline` || q.peek() == `\noalign` {
			q.next()
		}
		if q.peek() == "" {
			break
		}
		b.WriteString("<mtr>")
		for column := 0; ; column++ {
			style := ""
			if len(align) > 0 && align[column%len(align)] != "center" {
				side := align[column%len(align)]
				style = ` style="text-align:` + side + ";text-align:-webkit-" + side + `"` // Chromium needs the latter
			}
			b.WriteString("<mtd" + style + ">" + join(q.row()) + "</mtd>")
			if q.peek() != "&" {
				break
			}
			q.next()
		}
		b.WriteString("</mtr>")
		switch t := q.next(); t {
		case `\\`, `\cr`:
			if q.pos < len(q.src) && q.src[q.pos] == '[' {
				q.optional() // additional space
			} else if q.pos < len(q.src) && q.src[q.pos] == '*' {
				q.pos++
			}
		case "":
			more = false
		default:
			q.unexpected(t)
		}
	}
	if q.err != nil && p.err == nil {
		p.err = q.err
		p.pos = len(p.src)
	}
	return b.String() + "</mtable>"
}
