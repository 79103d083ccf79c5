package texmath

import (
	"regexp"
	"strings"
	"sync"
	"unicode"
)

// command reads a command, whose name has been read, with its arguments. It returns false if the
// command adds nothing.
func (p *parser) command(t string, previous class) (item, bool) {
	name := t[1:]
	if s, ok := symbols()[name]; ok {
		return s.item(previous), true
	}
	if first, ok := alphabets()[name]; ok {
		return p.alphabet(t, first), true
	}
	if mark, ok := accents()[name]; ok {
		return accent(mark, p.inner(p.argument(t))), true
	}
	switch name {
	case "overline", "underline": // browsers do not stretch a line far enough
		side := map[string]string{"overline": "top", "underline": "bottom"}[name]
		return item{xml: `<mrow style="border-` + side + `:0.07em solid;padding-` + side + `:0.1em">` + p.inner(p.argument(t)) + "</mrow>"}, true
	case "frac", "dfrac", "tfrac", "cfrac":
		xml := "<mfrac>" + p.inner(p.argument(t)) + p.inner(p.argument(t)) + "</mfrac>"
		switch name {
		case "dfrac", "cfrac":
			xml = styled(`\displaystyle`, xml)
		case "tfrac":
			xml = styled(`\textstyle`, xml)
		}
		return item{xml: xml}, true
	case "binom", "dbinom", "tbinom":
		return item{xml: fenced("(", `<mfrac linethickness="0">`+p.inner(p.argument(t))+p.inner(p.argument(t))+"</mfrac>", ")")}, true
	case "sqrt":
		degree, given := p.optional()
		if !given {
			return item{xml: "<msqrt>" + p.inner(p.argument(t)) + "</msqrt>"}, true
		}
		root := p.inner(degree)
		return item{xml: "<mroot>" + p.inner(p.argument(t)) + root + "</mroot>"}, true
	case "text", "mbox", "textrm", "textnormal", "textsf", "textsc", "textup", "hbox", "textmd":
		return item{xml: p.text(t, "")}, true
	case "textbf", "textit", "emph", "texttt", "textsl":
		style := map[string]string{"textbf": "font-weight:bold", "texttt": "font-family:monospace"}[name]
		if style == "" {
			style = "font-style:italic"
		}
		return item{xml: p.text(t, ` style="`+style+`"`)}, true
	case "mathrm", "mathup", "rm", "mathnormal", "mathit", "it", "bf", "tt":
		return p.upright(t), true
	case "operatorname", "DeclareMathOperator":
		star := p.src[p.pos:] != "" && p.src[p.pos] == '*'
		if star {
			p.pos++
		}
		return function(p.plain(t), star), true
	case "left":
		return p.delimited(), true
	case "big", "Big", "bigg", "Bigg", "bigl", "Bigl", "biggl", "Biggl", "bigr", "Bigr", "biggr", "Biggr", "bigm", "Bigm", "biggm", "Biggm":
		return p.sized(name), true
	case "begin":
		return p.environment(), true
	case "overset", "underset", "stackrel":
		script := p.inner(p.argument(t))
		base := p.inner(p.argument(t))
		over := "mover"
		if name == "underset" {
			over = "munder"
		}
		return item{xml: "<" + over + ">" + base + script + "</" + over + ">", class: relation}, true
	case "substack":
		return item{xml: p.table(p.argument(t), "center", "")}, true
	case "not":
		return p.negated(), true
	case "pmod", "pod", "mod":
		inner := p.inner(p.argument(t))
		word := element("mi", "", "mod") + `<mspace width="0.3em"></mspace>`
		switch name {
		case "mod":
			return item{xml: `<mrow><mspace width="0.6em"></mspace>` + word + inner + "</mrow>"}, true
		case "pod":
			word = ""
		}
		return item{xml: `<mrow><mspace width="0.6em"></mspace>` + element("mo", ` stretchy="false"`, "(") + word + inner + element("mo", ` stretchy="false"`, ")") + "</mrow>"}, true
	case "mathop", "mathrel", "mathbin", "mathord", "mathopen", "mathclose", "mathpunct", "mathinner", "ensuremath":
		list := p.items(p.argument(t))
		kind := map[string]class{"mathop": operator, "mathrel": relation, "mathbin": binary, "mathopen": opening, "mathclose": closing}[name]
		return item{xml: join(list), class: kind, limits: name == "mathop"}, true
	case "phantom", "hphantom", "vphantom":
		return item{xml: "<mphantom>" + p.inner(p.argument(t)) + "</mphantom>", class: space}, true
	case "boxed", "fbox", "smash", "mathstrut":
		if name == "mathstrut" {
			return item{}, false
		}
		return item{xml: "<mrow>" + p.inner(p.argument(t)) + "</mrow>"}, true
	case "textcolor", "color", "colorbox":
		return p.coloured(name), true
	case "hspace", "hskip", "kern", "mkern", "mskip":
		return p.hspace(t), true
	case "label":
		p.argument(t)
		return item{}, false
	case "tag":
		return item{xml: "<mrow><mspace width=\"2em\"></mspace>" + element("mtext", "", "("+p.plain(t)+")") + "</mrow>"}, true
	case "nonumber", "notag", "displaylimits", "xspace", "allowbreak", "nobreak", "relax", "/", "-", "protect", "noindent", "hfill", "centering", "small", "large", "normalsize", "boldmath", "break", "strut", "null":
		return item{}, false
	}
	p.unknown("command", t)
	return item{}, false
}

// accents maps the commands for accents to their characters.
var accents = sync.OnceValue(func() map[string]string {
	return map[string]string{
		"hat": "^", "widehat": "^", "bar": "¯", "vec": "→", "tilde": "~", "widetilde": "~", "dot": "˙", "ddot": "¨", "acute": "´",
		"grave": "`", "check": "ˇ", "breve": "˘", "mathring": "˚", "overrightarrow": "→",
		"overleftarrow": "←", "overbrace": "⏞", "underbrace": "⏟",
	}
})

// accent puts a mark above, or below, an element. Braces take scripts at the same side.
func accent(mark, xml string) item {
	stretchy := ` stretchy="true"`
	if strings.ContainsAny(mark, "˙¨´`ˇ˘˚^~¯→") && strings.HasPrefix(xml, "<mi>") {
		stretchy = ` stretchy="false"`
	}
	if mark == "⏟" {
		return item{xml: "<munder>" + xml + element("mo", stretchy, mark) + "</munder>", limits: true}
	}
	return item{xml: `<mover accent="true">` + xml + element("mo", stretchy, mark) + "</mover>", limits: mark == "⏞"}
}

// alphabet reads the argument of \mathbb and its like.
func (p *parser) alphabet(t string, first [3]rune) item {
	source := p.argument(t)
	var b strings.Builder
	q := &parser{src: source}
	simple := true
	for q.peek() != "" && simple {
		r := []rune(q.next())
		simple = len(r) == 1 && (unicode.IsLetter(r[0]) || unicode.IsDigit(r[0]) || strings.ContainsRune(" -.", r[0]))
		b.WriteString(string(r))
	}
	if simple && q.err == nil {
		return item{xml: element("mi", ` mathvariant="normal"`, inAlphabet(b.String(), first))}
	}
	return item{xml: `<mstyle style="font-weight:bold">` + p.inner(source) + "</mstyle>"} // \mathbf{\alpha}
}

// upright reads the argument of \mathrm and its like: a word, or a formula. The old commands \rm,
// \it, \bf and \tt have none and hold up to the end of the group.
func (p *parser) upright(t string) item {
	var source string
	switch t {
	case `\rm`, `\it`, `\bf`, `\tt`:
		style := map[string]string{`\bf`: "font-weight:bold", `\tt`: "font-family:monospace"}[t]
		xml := p.rest()
		if style == "" {
			return item{xml: xml}
		}
		return item{xml: `<mstyle style="` + style + `">` + xml + "</mstyle>"}
	}
	source = p.argument(t)
	if word := strings.TrimSpace(source); word != "" && !strings.ContainsAny(word, `\{}^_$&#~`) {
		if t == `\mathit` {
			return item{xml: element("mtext", ` style="font-style:italic"`, word)}
		}
		return item{xml: element("mi", ` mathvariant="normal"`, strings.ReplaceAll(word, " ", ""))}
	}
	return item{xml: p.inner(source)}
}

// text reads the argument of \text, which may have formulas between dollars.
func (p *parser) text(t, attributes string) string {
	source := p.argument(t)
	var parts []string
	words := func(s string) {
		if s != "" {
			parts = append(parts, element("mtext", attributes, strings.ReplaceAll(p.unescape(s), " ", "\u00a0")))
		}
	}
	for {
		start := indexDollar(source)
		if start < 0 {
			break
		}
		end := indexDollar(source[start+1:])
		if end < 0 {
			p.fail("a $ without its $ in %s", t)
			return ""
		}
		words(source[:start])
		parts = append(parts, p.inner(source[start+1:start+1+end]))
		source = source[start+end+2:]
	}
	words(source)
	if len(parts) == 1 {
		return parts[0]
	}
	return "<mrow>" + strings.Join(parts, "") + "</mrow>"
}

// indexDollar returns the index of the first $ that is not escaped, or -1.
func indexDollar(s string) int {
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '$':
			return i
		}
	}
	return -1
}

var ligatures = sync.OnceValue(func() *strings.Replacer {
	return strings.NewReplacer("---", "—", "--", "–", "``", "“", "''", "”", "`", "‘", "'", "’", "~", "\u00a0", "?`", "¿", "!`", "¡")
})

// Ligatures replaces the ligatures of TeX for dashes and quotes in a text without commands.
func Ligatures(text string) string { return ligatures().Replace(text) }

// plain reads the argument of a command as a text without formulas.
func (p *parser) plain(t string) string { return p.unescape(p.argument(t)) }

// unescape returns a text of LaTeX without braces and backslashes. It knows the commands for
// characters, and those that only choose a font.
func (p *parser) unescape(source string) string {
	q := &parser{src: source}
	var b strings.Builder
	for q.pos < len(q.src) {
		if n := strings.IndexAny(q.src[q.pos:]+"{", "\\{}~ \t\r\n"); n > 0 {
			b.WriteString(Ligatures(q.src[q.pos : q.pos+n]))
			q.pos += n
			continue
		}
		t := q.tokenAt(q.pos)
		q.pos += len(t)
		switch {
		case t == "{" || t == "}":
		case t == "~" || strings.TrimSpace(t) == "":
			b.WriteByte(' ')
		default:
			s, ok := symbols()[t[1:]]
			switch {
			case ok && s.kind == "space":
				b.WriteByte(' ')
			case ok:
				b.WriteString(s.text)
			case strings.HasPrefix(t, `\text`) || t == `\emph` || t == `\mathrm` || t == `\rm` || t == `\bf` || t == `\it` || t == `\tt` || t == `\-` || t == `\/`:
			default:
				p.unknown("command", t)
				return ""
			}
			if isLetter(t[len(t)-1]) && q.pos < len(q.src) && q.src[q.pos] == ' ' {
				q.pos++
			}
		}
	}
	return b.String()
}

// delimiter reads a delimiter; "." stands for none.
func (p *parser) delimiter(of string) string {
	t := p.next()
	switch s, ok := symbols()[strings.TrimPrefix(t, `\`)]; {
	case t == "":
		p.fail("%s without a delimiter", of)
	case t == "<":
		return "⟨"
	case t == ">":
		return "⟩"
	case t[0] != '\\':
		if strings.Contains("()[]|/.", t) {
			return t
		}
	case ok && (s.kind == "opening" || s.kind == "closing" || strings.Contains("|‖\\", s.text) || strings.HasSuffix(t, "arrow")):
		return s.text
	}
	p.fail("%s is no delimiter after %s", t, of)
	return ""
}

// delimited reads what follows \left, up to the end of its \right.
func (p *parser) delimited() item {
	if p.depth++; p.depth > maxDepth {
		p.fail("it is nested too deeply")
	}
	defer func() { p.depth-- }()
	xml := "<mrow>" + fence(p.delimiter(`\left`), "prefix")
	for p.err == nil {
		xml += join(p.row())
		switch t := p.next(); t {
		case `\middle`:
			xml += fence(p.delimiter(t), "infix")
			continue
		case `\right`:
			return item{xml: xml + fence(p.delimiter(t), "postfix") + "</mrow>", class: ordinary}
		default:
			p.fail(`\left without \right`)
		}
	}
	return item{}
}

// sized reads the delimiter of \big and its like.
func (p *parser) sized(name string) item {
	t := p.delimiter(`\` + name)
	size := map[bool]string{true: "1.2em", false: "1.8em"}[name[0] == 'b' && !strings.HasPrefix(name, "bigg")]
	if strings.HasPrefix(strings.ToLower(name), "bigg") {
		size = "2.4em"
	}
	kind := ordinary
	form := ""
	switch {
	case strings.HasSuffix(name, "l") || strings.Contains("([{⟨⌊⌈", t):
		kind, form = opening, ` form="prefix"`
	case strings.HasSuffix(name, "r") || strings.Contains(")]}⟩⌋⌉", t):
		kind, form = closing, ` form="postfix"`
	}
	return item{xml: element("mo", form+` minsize="`+size+`" maxsize="`+size+`" stretchy="true" symmetric="true" lspace="0" rspace="0"`, t), class: kind}
}

// negated reads the relation that \not crosses out.
func (p *parser) negated() item {
	t := p.next()
	text := t
	if s, ok := symbols()[strings.TrimPrefix(t, `\`)]; ok && s.kind == "relation" {
		text = s.text
	}
	switch text {
	case "":
		p.fail(`\not without a relation`)
	case "=":
		text = "≠"
	case "∈":
		text = "∉"
	default:
		if len([]rune(text)) != 1 {
			p.unknown("command", `\not`+t)
		}
		text += "\u0338"
	}
	return item{xml: element("mo", "", text), class: relation}
}

var (
	safeColour = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(?:[a-z]{3,20}|#[0-9a-fA-F]{3,6})$`) })
	length     = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^\s*(-?[0-9]{0,3}(?:\.[0-9]{1,4})?)\s*(em|ex|pt|mm|cm|px|mu)`)
	})
)

// coloured reads \textcolor, or \color up to the end of the group.
func (p *parser) coloured(name string) item {
	colour := strings.TrimSpace(p.argument(`\` + name))
	var xml string
	if name == "color" {
		xml = p.rest()
	} else {
		xml = p.inner(p.argument(`\` + name))
	}
	if name == "colorbox" || !safeColour().MatchString(colour) {
		return item{xml: xml}
	}
	return item{xml: `<mstyle mathcolor="` + colour + `">` + xml + "</mstyle>"}
}

func (p *parser) hspace(t string) item {
	if p.src[p.pos:] != "" && p.src[p.pos] == '*' {
		p.pos++
	}
	var text string
	if t == `\hspace` {
		text = p.argument(t)
	} else {
		text = p.src[p.pos:]
		p.pos += len(length().FindString(text))
	}
	m := length().FindStringSubmatch(text)
	if m == nil || m[1] == "" || m[1] == "-" {
		p.fail("%s without a length", t)
		return item{}
	}
	if m[2] == "mu" {
		return gap("calc(" + m[1] + "em / 18)")
	}
	return gap(m[1] + m[2])
}
