package statement

import (
	"slices"
	"strings"
)

// body reads the source of an environment up to the end of its \end.
func (l *latexReader) body(name string, line int) string {
	verbatim := slices.Contains([]string{"verbatim", "verbatim*", "lstlisting", "Verbatim", "minted", "comment", "alltt"}, name)
	start := l.pos
	for depth := 1; l.pos < len(l.src); {
		at := l.pos
		if verbatim {
			n := strings.Index(l.src[at:], `\end{`+name+"}")
			if n < 0 {
				break
			}
			l.pos = at + n + len(`\end{}`) + len(name)
			return l.src[start : at+n]
		}
		switch t := l.next(); t {
		case "%":
			l.comment()
		case `\begin`:
			if other, _ := l.argument(); other == name {
				depth++
			}
		case `\end`:
			if other, _ := l.argument(); other == name {
				if depth--; depth == 0 {
					return l.src[start:at]
				}
			}
		}
	}
	l.fault(line, true, "", `\begin{%s} without \end{%s}`, name, name)
	l.pos = len(l.src)
	return l.src[start:]
}

// environment reads an environment, whose name has been read.
func (l *latexReader) environment(name string, line int) {
	base := strings.TrimSuffix(name, "*")
	if title, ok := titles()[base]; ok {
		at := l.here()
		source := l.body(name, line)
		l.heading(l.page.say(title))
		l.in("div", nil, source, at)
		return
	}
	switch base {
	case "itemize", "enumerate", "description", "compactitem", "compactenum", "inparaenum":
		l.optional()
		at := l.here()
		l.list(base, l.body(name, line), at)
	case "equation", "align", "displaymath", "gather", "eqnarray", "multline", "math", "alignat", "flalign":
		source := l.body(name, line)
		switch base {
		case "align", "alignat", "flalign", "eqnarray", "gather":
			source = `\begin{` + name + "}" + source + `\end{` + name + "}"
		}
		l.math(source, base != "math", line)
	case "tabular", "tabularx", "tabulary", "longtable":
		if strings.HasPrefix(base, "tabular") && base != "tabular" || name == "tabular*" {
			l.argument() // the width
		}
		l.optional()
		columns, _ := l.argument()
		at := l.here()
		l.table(columns, l.body(name, line), at)
	case "verbatim", "lstlisting", "Verbatim", "minted", "alltt":
		if base != "verbatim" {
			l.optional()
		}
		if base == "minted" {
			l.argument()
		}
		source := l.body(name, line)
		l.endParagraph()
		l.enter("pre", nil)
		l.text(strings.TrimSuffix(strings.TrimPrefix(source, "\n"), "\n") + "\n")
		l.leave("pre")
	case "comment":
		l.body(name, line)
	case "figure", "wrapfigure", "SCfigure", "table", "subfigure", "floatingfigure", "wraptable":
		l.figure(name, base, line)
	case "center", "flushleft", "flushright", "minipage", "quote", "quotation", "document", "samepage", "small", "footnotesize", "large", "multicols", "sloppypar", "spacing", "adjustbox", "problem", "tutorial", "verse", "mdframed", "framed", "raggedright", "centering":
		l.block(name, base, line)
	case "example", "examplewide", "examplethree": // of olymp.sty, filled in with the samples
		l.body(name, line)
	default:
		l.unknown(line, "environment "+name)
		at := l.here()
		source := l.body(name, line)
		if base != "tikzpicture" && base != "picture" && base != "algorithm" && base != "algorithmic" {
			l.endParagraph()
			l.in("div", nil, source, at)
		} else {
			l.endParagraph()
			l.enter("pre", map[string]string{"class": "source"})
			l.text(`\begin{` + name + "}" + source + `\end{` + name + "}")
			l.leave("pre")
		}
	}
}

// block reads an environment that only arranges its text.
func (l *latexReader) block(name, base string, line int) {
	tag, attr := "div", map[string]string(nil)
	switch base {
	case "center", "centering":
		attr = map[string]string{"class": "center"}
	case "flushright":
		attr = map[string]string{"style": "text-align:right"}
	case "quote", "quotation", "verse":
		tag = "blockquote"
	case "minipage":
		l.optional()
		l.argument()
	case "multicols", "spacing", "adjustbox":
		l.argument()
	case "problem": // olymp.sty: title, input file, output file, time and memory limit
		for range 5 {
			l.argument()
		}
	case "tutorial":
		l.argument()
	}
	at := l.here()
	source := l.body(name, line)
	l.endParagraph()
	l.in(tag, attr, source, at)
}

// figure reads an environment for an image or table with a caption.
func (l *latexReader) figure(name, base string, line int) {
	l.optional()
	attr := map[string]string{"class": "center"}
	if strings.HasPrefix(base, "wrap") || base == "floatingfigure" {
		l.optional()
		if base != "floatingfigure" {
			l.argument()
		}
		l.optional()
		width, _ := l.argument()
		attr = map[string]string{"class": "wrapped", "style": widthOf("width=" + width)}
	} else if base == "subfigure" {
		l.optional()
		l.argument()
	}
	at := l.here()
	source := l.body(name, line)
	l.endParagraph()
	l.in("figure", attr, source, at)
}

func (l *latexReader) list(base, source string, line int) {
	tag, item := "ul", "li"
	switch {
	case base == "description":
		tag, item = "dl", "dd"
	case strings.Contains(base, "enum"):
		tag = "ol"
	}
	l.endParagraph()
	l.enter(tag, nil)
	defer l.leave(tag)
	s := &latexReader{reader: l.reader, src: source, line: line, shifted: l.shifted, depth: l.depth, shared: l.shared}
	start, at, label, first := 0, line, "", true
	flush := func(end int) {
		text := strings.TrimSpace(source[start:end])
		if !first || text != "" && text[0] != '\\' { // what precedes the first item only sets lengths
			l.in(item, nil, strings.TrimSpace(label+" "+text), at)
		}
		first = false
	}
	for s.pos < len(s.src) {
		before := s.pos
		switch t := s.next(); t {
		case "%":
			s.comment()
		case "{":
			s.pos = before
			s.argument()
		case `\begin`:
			name, _ := s.argument()
			s.body(name, s.here())
		case `\item`:
			flush(before)
			at = s.here()
			label, _ = s.optional()
			if item == "dd" {
				l.in("dt", nil, label, at)
				label = ""
			}
			start = s.pos
		}
	}
	flush(len(source))
}

func (l *latexReader) table(columns, source string, line int) {
	var styles []string
	depth := 0
	for _, c := range columns {
		switch {
		case c == '{':
			depth++
		case c == '}':
			depth--
		case depth > 0:
		case c == 'c':
			styles = append(styles, "text-align:center")
		case c == 'r' || c == 'S':
			styles = append(styles, "text-align:right")
		case strings.ContainsRune("lpmbXLCR", c):
			styles = append(styles, "text-align:left")
		}
	}
	class := "plain"
	if strings.Contains(columns, "|") || strings.Contains(source, `\hline`) || strings.Contains(source, `rule`) {
		class = "rules"
	}
	if l.top().tag == "p" {
		l.endParagraph()
	}
	l.enter("table", map[string]string{"class": class})
	defer l.leave("table")
	s := &latexReader{reader: l.reader, src: source, line: line, shifted: l.shifted, depth: l.depth, shared: l.shared}
	var cells []string
	start, at := 0, line
	row := func(end int) {
		cells = append(cells, source[start:end])
		if len(cells) > 1 || strings.TrimSpace(withoutRules(cells[0])) != "" {
			l.row(cells, styles, at)
		}
		cells, at = nil, s.here()
	}
	for s.pos < len(s.src) {
		before := s.pos
		switch t := s.next(); t {
		case "%":
			s.comment()
		case "{":
			s.pos = before
			s.argument()
		case "$":
			if n := strings.IndexByte(s.src[s.pos:], '$'); n >= 0 {
				s.pos += n + 1
			}
		case `\begin`:
			name, _ := s.argument()
			s.body(name, s.here())
		case "&":
			cells = append(cells, source[start:before])
			start = s.pos
		case `\\`, `\tabularnewline`:
			row(before)
			s.optional()
			start = s.pos
		}
	}
	row(len(source))
}

// withoutRules returns a cell without the lines drawn before it.
func withoutRules(cell string) string {
	for {
		cell = strings.TrimSpace(cell)
		switch t := tokenOf(cell); t {
		case `\hline`, `\toprule`, `\midrule`, `\bottomrule`:
			cell = cell[len(t):]
		case `\cline`, `\cmidrule`:
			end := strings.IndexByte(cell, '}')
			if end < 0 {
				return cell
			}
			cell = cell[end+1:]
		default:
			return cell
		}
	}
}

func (l *latexReader) row(cells, styles []string, line int) {
	l.enter("tr", nil)
	defer l.leave("tr")
	for i, cell := range cells {
		attr := map[string]string{}
		if i < len(styles) {
			attr["style"] = styles[i]
		}
		cell = withoutRules(cell)
		for strings.HasPrefix(cell, `\multicolumn`) || strings.HasPrefix(cell, `\multirow`) {
			s := &latexReader{reader: l.reader, src: cell, line: line, shifted: true, shared: l.shared}
			name := s.next()
			n, _ := s.argument()
			layout, _ := s.argument()
			text, _ := s.argument()
			if name == `\multicolumn` {
				attr["colspan"] = digits(n)
				if style := map[string]string{"c": "center", "r": "right", "l": "left"}[strings.Trim(layout, "| ")]; style != "" {
					attr["style"] = "text-align:" + style
				}
			}
			cell = strings.TrimSpace(text + s.src[s.pos:])
		}
		l.in("td", attr, cell, line)
	}
}
