package statement

import (
	"slices"
	"strings"
	"sync"

	"tribunal/judge/publish/texmath"
)

// The tables of commands: names, without backslashes, mean the same if they stand in one list.
var (
	// fonts maps commands with an argument to the elements of their text.
	fonts = sync.OnceValue(func() map[string]string {
		return map[string]string{
			"emph": "em", "textit": "em", "textsl": "em", "textbf": "strong", "texttt": "code", "underline": "u", "uline": "u", "sout": "s", "st": "s",
			"textsc": "span", "textsuperscript": "sup", "textsubscript": "sub", "mbox": "", "hbox": "", "text": "", "textrm": "", "textsf": "",
			"textnormal": "", "makebox": "", "fbox": "", "framebox": "", "centerline": "", "textup": "", "textmd": "", "uppercase": "", "ensuremath": "",
		}
	})
	// declared maps commands that hold up to the end of their group.
	declared = sync.OnceValue(func() map[string]string {
		return map[string]string{
			"bf": "strong", "bfseries": "strong", "it": "em", "itshape": "em", "em": "em", "sl": "em", "slshape": "em", "tt": "code", "ttfamily": "code",
		}
	})
	headings = sync.OnceValue(func() map[string]string {
		return map[string]string{"chapter": "h2", "section": "h2", "subsection": "h3", "subsubsection": "h4", "paragraph": "h5", "subparagraph": "h6"}
	})
	// titles maps the commands and environments of olymp.sty and BAPCtools to their headings.
	titles = sync.OnceValue(func() map[string]string {
		return map[string]string{
			"InputFile": "Input", "OutputFile": "Output", "Input": "Input", "Output": "Output", "Interaction": "Interaction", "Note": "Note", "Notes": "Notes",
			"Explanation": "Explanation", "Explanations": "Explanations", "Scoring": "Scoring", "Constraints": "Constraints", "Subtasks": "Subtasks",
		}
	})
)

// ignored lists commands without effect on a page, by the number of their arguments.
var ignored = [...]string{
	`noindent indent medskip bigskip smallskip newpage clearpage pagebreak nopagebreak linebreak nolinebreak hfill vfill centering raggedright raggedleft maketitle protect relax
	sloppy fussy tiny scriptsize footnotesize small normalsize large Large LARGE huge Huge rm rmfamily sffamily sf normalfont mdseries upshape selectfont
	frenchspacing nonfrenchspacing phantomsection tableofcontents null leavevmode hline toprule midrule bottomrule - / ignorespaces unskip allowbreak
	nonumber strut begingroup endgroup bgroup egroup problemnamefromproblem appendix makeatletter makeatother xspace Examples Example exmpfile makeExamples null break displaystyle looseness @`,
	`vspace hspace label index usepackage documentclass pagestyle thispagestyle selectlanguage input@path plproblemname hypersetup bibliographystyle color pagecolor
	problemlanguage illustrationsource fontsize vskip hskip graphicscale setcounterzero timelimit memorylimit ProblemName sisetup usetikzlibrary captionsetup markboth
	title author date lstset nottoggle`,
	`setlength addtolength setcounter addtocounter numberwithin rule cmidrule`,
}

func (l *latexReader) command(t string) {
	name, line := t[1:], l.here()
	if name == "" {
		return
	}
	if isLetter(t[len(t)-1]) && l.pos < len(l.src) && (l.src[l.pos] == ' ' || l.src[l.pos] == '\n' && !strings.HasPrefix(strings.TrimLeft(l.src[l.pos+1:], " \t"), "\n")) {
		defer func(at int) { // the blank after a command without arguments belongs to it
			if l.pos == at {
				l.pos++
			}
		}(l.pos)
	}
	if m, ok := l.shared.macros[name]; ok {
		l.expand(m)
		return
	}
	if tag, ok := fonts()[name]; ok {
		l.font(name, tag)
		return
	}
	if tag, ok := declared()[name]; ok {
		if len(l.bars) > 0 {
			l.paragraph()
			l.open(tag, nil)
		}
		return
	}
	if tag, ok := headings()[name]; ok {
		l.star()
		l.optional()
		source, line := l.argument()
		l.endParagraph()
		l.in(tag, nil, source, line)
		return
	}
	if title, ok := titles()[name]; ok {
		l.heading(l.page.say(title))
		if strings.HasPrefix(l.src[l.pos:], "{}") {
			l.pos += 2
		}
		return
	}
	if marks, ok := accents()[name]; ok {
		l.accent(marks)
		return
	}
	if name == "problemname" {
		l.title()
		return
	}
	for n, list := range ignored {
		if slices.Contains(strings.Fields(list), name) {
			l.star()
			l.optional()
			for range n {
				l.argument()
			}
			if n == 0 && strings.HasPrefix(l.src[l.pos:], "{}") {
				l.pos += 2
			}
			return
		}
	}
	l.special(t, name, line)
}

// title reads \problemname, which is the title if the problem has only the name of its folder.
func (l *latexReader) title() {
	source, line := l.argument()
	if l.page.Title != "" && l.page.Title != l.page.ID || strings.HasPrefix(strings.TrimSpace(source), `\`) {
		return
	}
	own := &latexReader{reader: &reader{page: l.page, part: l.part}, shared: l.shared}
	own.nested(source, line, false)
	if title := plain(own.root.kids); title != "" {
		l.page.Title = title
	}
}

func (l *latexReader) heading(title string) {
	l.endParagraph()
	l.enter("h2", nil)
	l.text(title)
	l.leave("h2")
}

// font reads the argument of a command for a font.
func (l *latexReader) font(name, tag string) {
	var attr map[string]string
	switch name {
	case "textsc":
		attr = map[string]string{"class": "small-caps"}
	case "makebox", "framebox":
		l.optional()
		l.optional()
	case "ensuremath":
		source, line := l.argument()
		l.math(source, false, line)
		return
	}
	source, line := l.argument()
	l.paragraph()
	l.in(tag, attr, source, line)
}

// special reads the commands that are unlike others.
func (l *latexReader) special(t, name string, line int) {
	switch name {
	case "\\", "newline", "linebreak", "tabularnewline":
		l.star()
		l.optional()
		l.paragraph()
		l.add(&node{tag: "br"})
	case "par":
		l.endParagraph()
	case "(", "[":
		l.math(l.until(map[string]string{"(": `\)`, "[": `\]`}[name]), name == "[", line)
	case "newcommand", "renewcommand", "providecommand", "def", "DeclareMathOperator", "gdef":
		l.define(t)
	case "graphicspath":
		list, _ := l.argument()
		for part := range strings.SplitSeq(list, "{") {
			if part = strings.Trim(part, "} \t\n"); part != "" {
				l.shared.folders = append(l.shared.folders, part)
			}
		}
	case "begin":
		environment, _ := l.argument()
		l.environment(environment, line)
	case "end":
		environment, _ := l.argument()
		if environment == "document" { // run began after its \begin
			l.pos = len(l.src)
			return
		}
		l.fault(line, true, "", `\end{%s} without \begin{%s}`, environment, environment)
	case "item": // outside of a list
		l.optional()
		l.endParagraph()
	case "verb", "lstinline":
		l.star()
		l.optional()
		delimiter := l.next()
		if delimiter == "{" {
			delimiter = "}"
		}
		l.paragraph()
		l.enter("code", nil)
		l.text(l.until(delimiter))
		l.leave("code")
	case "url", "nolinkurl", "path":
		url, _ := l.argument()
		l.paragraph()
		l.enter("a", hrefOf(url))
		l.text(strings.NewReplacer(`\%`, "%", `\_`, "_", `\#`, "#").Replace(url))
		l.leave("a")
	case "href":
		url, _ := l.argument()
		source, line := l.argument()
		l.paragraph()
		l.in("a", hrefOf(strings.NewReplacer(`\%`, "%", `\_`, "_", `\#`, "#").Replace(url)), source, line)
	case "textcolor", "colorbox", "foreignlanguage", "hyperref", "hyperlink":
		l.optional()
		if name != "hyperref" {
			l.argument()
		}
		source, line := l.argument()
		l.paragraph()
		l.in("", nil, source, line)
	case "footnote", "footnotetext", "thanks":
		source, line := l.argument()
		l.paragraph()
		l.enter("span", map[string]string{"class": "note"})
		l.text(" (")
		l.nested(source, line, false)
		l.text(")")
		l.leave("span")
	case "caption", "captionof", "subcaption":
		l.star()
		l.optional()
		if name == "captionof" {
			l.argument()
		}
		source, line := l.argument()
		l.endParagraph()
		l.in("figcaption", nil, source, line)
	case "includegraphics", "includesvg":
		l.star()
		options, _ := l.optional()
		file, _ := l.argument()
		l.paragraph()
		l.image(file, widthOf(options), line)
	case "illustration":
		share, _ := l.argument()
		file, _ := l.argument()
		source, at := l.argument()
		l.endParagraph()
		l.enter("figure", map[string]string{"class": "illustration", "style": percent(share)})
		l.image(file, "width:100%", line)
		l.in("figcaption", nil, source, at)
		l.leave("figure")
	case "multicolumn": // outside of a cell
		l.argument()
		l.argument()
	case "nextsample", "remainingsamples", "sample":
		l.endParagraph()
		l.add(&node{tag: sampleTag, text: name})
	case "exmp", "exmpp":
		for range 2 + len(name) - len("exmp") {
			l.argument()
		}
	case "SI", "qty":
		a, at := l.argument()
		unit, _ := l.argument()
		l.paragraph()
		l.nested(a, at, false)
		l.text("\u00a0" + strings.Trim(strings.NewReplacer(`\`, " ").Replace(unit), " "))
	case "num":
		source, at := l.argument()
		l.paragraph()
		l.nested(source, at, false)
	default:
		if text, ok := texmath.Symbol(name); ok {
			l.words(text)
			if strings.HasPrefix(l.src[l.pos:], "{}") {
				l.pos += 2
			}
			return
		}
		if name == "LaTeX" || name == "TeX" || name == "today" {
			l.words(name)
			return
		}
		l.unknown(line, "command "+t)
	}
}

// image adds an image, whose folder may be one of \graphicspath.
func (l *latexReader) image(file, style string, line int) {
	file = strings.Trim(strings.TrimSpace(file), `"`)
	attr := map[string]string{"src": file, "alt": "", "folders": strings.Join(l.shared.folders, "\n")}
	if style != "" {
		attr["style"] = style
	}
	l.add(&node{tag: "img", attr: attr, line: line})
}

// accents maps the commands for accents to pairs: a letter and the letter with its accent.
var accents = sync.OnceValue(func() map[string]string {
	return map[string]string{
		"`": "aàeèiìoòuùnǹAÀEÈIÌOÒUÙ", "'": "aáeéiíoóuúyýcćnńsśzźlĺrŕAÁEÉIÍOÓUÚYÝCĆNŃSŚZŹ", "^": "aâeêiîoôuûcĉgĝhĥjĵsŝwŵyŷAÂEÊIÎOÔUÛ",
		"\"": "aäeëiïoöuüyÿAÄEËIÏOÖUÜ", "~": "aãnñoõiĩuũAÃNÑOÕ", "=": "aāeēiīoōuūAĀEĒIĪOŌUŪ", ".": "zżeėcċgġZŻIİ", "u": "aăgğuŭAĂGĞ",
		"v": "cčdďeěnňrřsštťzžCČDĎEĚNŇRŘSŠTŤZŽ", "H": "oőuűOŐUŰ", "c": "cçsştţCÇSŞTŢ", "k": "aąeęAĄEĘ", "r": "aåuůAÅUŮ", "d": "sṣtṭaạoọ",
	}
})

// accent reads the letter below an accent.
func (l *latexReader) accent(marks string) {
	source, _ := l.argument()
	source = strings.NewReplacer(`\i`, "i", `\j`, "j", "{", "", "}", "").Replace(source)
	letters := []rune(marks)
	for i := 0; i+1 < len(letters); i += 2 {
		if source == string(letters[i]) {
			l.words(string(letters[i+1]))
			return
		}
	}
	l.words(source)
}
