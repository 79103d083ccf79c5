package eval

import (
	"cmp"
	"regexp"
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
	return regexp.MustCompile("(?m)^ {0,3}(```+|~~~+)[ \t]*([^ \t\r\n`]*)[^\r\n`]*\r?$\n?")
})

// extract returns the program in an answer: the longest one in a fence that is labelled with the language,
// else without a label. A fence that nothing closes ends with the text.
func extract(text, language string, how Extract, languages map[string]build.Language) (string, Fence) {
	best, labelled, found := "", false, false
	for rest := text; ; {
		open := fenceLine().FindStringSubmatchIndex(rest)
		if open == nil {
			break
		}
		if !found && cmp.Or(how, ExtractAuto) == ExtractAuto && quoted(rest[:open[0]]) {
			return text, FenceLeft
		}
		found = true
		mark, label := rest[open[2]:open[3]], rest[open[4]:open[5]]
		body, end := rest[open[1]:], len(rest)-open[1]
		next := ""
		for _, line := range fenceLine().FindAllStringSubmatchIndex(body, -1) {
			if strings.HasPrefix(body[line[2]:line[3]], mark) && line[4] == line[5] {
				end, next = line[0], body[line[1]:]
				break
			}
		}
		body, rest = body[:end], next
		known, err := Language(label, languages)
		right := err == nil && strings.Replace(known, "pypy", "python", 1) == strings.Replace(language, "pypy", "python", 1)
		if right && !labelled || right == labelled && (right || label == "") && len(body) >= len(best) {
			best, labelled = body, right
		}
	}
	switch {
	case !found:
		return text, NoFence
	case how == ExtractNone || best == "":
		return text, FenceLeft
	}
	return best, FenceTaken
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
