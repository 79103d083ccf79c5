package eval

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"sync"

	"tribunal/judge/internal/build"
)

// Extract says what becomes of answers that hold a program in a fence of Markdown.
type Extract string

// The ways to extract. By default a program is taken out of a fence unless the fence may be part of it.
const (
	ExtractAuto  Extract = "auto"
	ExtractFence Extract = "fence"
	ExtractNone  Extract = "none"
)

// Fence says what was done with a program.
type Fence int

// A program has no fence, was taken out of one, or has one and is judged as it is.
const (
	NoFence Fence = iota
	FenceTaken
	FenceLeft
)

var fenceLine = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile("(?m)^( {0,3})(```+|~~~+)[ \t]*\\{?\\.?([^ \t\r\n`}]*)[^\r\n`]*\r?$\n?")
})

// thoughtsEnd ends the thoughts of a model, of which the prompt may hold the beginning.
const thoughtsEnd = "</think>"

// fence is a line of an answer that opens or closes a block.
type fence struct {
	from, to            int // of the line
	indent, mark, label string
}

// fences returns the fences in a text.
func fences(text string) (list []fence) {
	for _, at := range fenceLine().FindAllStringSubmatchIndex(text, -1) {
		list = append(list, fence{at[0], at[1], text[at[2]:at[3]], text[at[4]:at[5]], text[at[6]:at[7]]})
	}
	return list
}

// closes reports whether f closes what g has opened.
func (f fence) closes(g fence) bool { return f.label == "" && strings.HasPrefix(f.mark, g.mark) }

// extract returns the program in an answer: the longest one in a fence that is labelled with the language,
// else without a label. Drafts in a model's thoughts do not count. A fence that nothing closes ends with the
// text, and one that the prompt has opened begins with it.
func extract(text, language string, how Extract, languages map[string]build.Language) (string, Fence) {
	answer := text
	if i := strings.LastIndex(text, thoughtsEnd); i >= 0 {
		answer = text[i+len(thoughtsEnd):]
	}
	list := fences(answer)
	switch {
	case len(list) == 0:
		return text, NoFence
	case how == ExtractNone, cmp.Or(how, ExtractAuto) == ExtractAuto && quoted(answer[:list[0].from]):
		return text, FenceLeft
	}
	best, labelled := "", false
	if before := answer[:list[0].from]; list[0].label == "" && strings.TrimSpace(before) != "" &&
		(len(list) == 1 && len(before) > len(answer)-list[0].to || len(list) > 1 && !list[1].closes(list[0])) {
		best, labelled, list = before, true, list[1:]
	}
	for len(list) > 0 {
		open, end := list[0], len(answer)
		n := 1 + slices.IndexFunc(list[1:], func(f fence) bool { return f.closes(open) })
		if n == 0 {
			list = nil
		} else {
			end, list = list[n].from, list[n+1:]
		}
		body := unindented(answer[open.to:end], len(open.indent))
		known, err := Language(open.label, languages)
		right := err == nil && strings.Replace(known, "pypy", "python", 1) == strings.Replace(language, "pypy", "python", 1)
		if right && !labelled || right == labelled && (right || open.label == "") && len(body) >= len(best) {
			best, labelled = body, right
		}
	}
	if best == "" {
		return text, FenceLeft
	}
	return best, FenceTaken
}

// unindented returns a text without the first n blanks of its lines.
func unindented(text string, n int) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		b.WriteString(line[min(n, len(line)-len(strings.TrimLeft(line, " "))):])
	}
	return b.String()
}

// quoted reports whether a program that begins like this is within a text or a comment.
func quoted(begin string) bool {
	for _, mark := range []string{`"""`, "'''", "`"} {
		if strings.Count(begin, mark)%2 == 1 {
			return true
		}
	}
	return strings.LastIndex(begin, "/*") > strings.LastIndex(begin, "*/")
}
