package problem

import "strings"

// MaxAlternatives is the largest number of patterns that the braces of one pattern may expand to.
const MaxAlternatives = 1000

// MatchPath reports whether a pattern of submissions.yaml matches a path or a folder that contains
// it: * matches any text without a slash, {a,b} matches a or b.
func MatchPath(pattern, name string) bool {
	for _, p := range alternatives(pattern) {
		if matchAbove(strings.TrimSuffix(p, "/"), name) {
			return true
		}
	}
	return false
}

// IsPattern reports whether the braces of a pattern expand to at most [MaxAlternatives] patterns.
func IsPattern(pattern string) bool { return alternatives(pattern) != nil }

// matchAbove matches a pattern without braces against a path or a folder that contains it, part by
// part.
func matchAbove(pattern, name string) bool {
	for {
		p, moreP, deeper := strings.Cut(pattern, "/")
		n, moreN, below := strings.Cut(name, "/")
		switch {
		case !matchPart(p, n):
			return false
		case !deeper:
			return true
		case !below:
			return false
		}
		pattern, name = moreP, moreN
	}
}

// matchPart matches text without slashes. It backtracks only to the last star, so that the time is
// at most the product of the lengths.
func matchPart(pattern, text string) bool {
	star, from := -1, 0
	p := 0
	for t := 0; t < len(text); {
		switch {
		case p < len(pattern) && pattern[p] == '*':
			star, from = p, t
			p++
		case p < len(pattern) && pattern[p] == text[t]:
			p++
			t++
		case star >= 0:
			from++
			p, t = star+1, from
		default:
			return false
		}
	}
	return strings.Trim(pattern[p:], "*") == ""
}

// alternatives returns the patterns that the braces of a pattern expand to, or nil if there are
// more than MaxAlternatives. Blanks around an alternative do not count, as in BAPCtools. Braces that
// are not closed are ordinary letters.
func alternatives(pattern string) []string {
	list := []string{pattern}
	for i := 0; i < len(list); {
		before, choices, after, ok := braces(list[i])
		if !ok {
			i++
			continue
		}
		if len(list)+len(choices) > MaxAlternatives {
			return nil
		}
		var made []string
		for _, c := range choices {
			made = append(made, before+c+after)
		}
		list = append(append(list[:i:i], made...), list[i+1:]...)
	}
	return list
}

// braces splits a pattern at the first innermost braces.
func braces(pattern string) (before string, choices []string, after string, ok bool) {
	open := -1
	for i := range len(pattern) {
		switch pattern[i] {
		case '{':
			open = i
		case '}':
			if open >= 0 {
				choices = strings.Split(pattern[open+1:i], ",")
				for at, c := range choices {
					choices[at] = strings.TrimSpace(c)
				}
				return pattern[:open], choices, pattern[i+1:], true
			}
			open = -1
		}
	}
	return "", nil, "", false
}
