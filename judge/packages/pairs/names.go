package pairs

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"tribunal/judge/packages/draft"
)

// opposites maps a word in the name of an input to the words that replace it in the name of the
// answer, the preferred one first: x.in and x.out, input1.txt and output1.txt, in/1 and out/1. If a
// name has several such words, all are replaced by the words of the same index.
var opposites = map[string][]string{
	"in":     slices.Concat([]string{"ans", "ans", "out", "out"}, answerWords),
	"inp":    slices.Concat([]string{"ans", "ans", "out", "out", "oup"}, answerWords),
	"input":  slices.Concat([]string{"answer", "ans", "output", "out"}, answerWords),
	"inputs": slices.Concat([]string{"answers", "answers", "outputs", "outputs"}, answerWords, []string{"expected_outputs"}),
	"stdin":  slices.Concat([]string{"stdout"}, answerWords),
}

// answerWords are words for answers that stand for any of those for inputs.
var answerWords = []string{"expected", "exp", "gold", "ref", "sol", "correct", "ok", "answer", "expected_output", "expected-output", "expected.output", "expectedOutput", "solution", "result"}

// mostOpposites is the length of the longest list of opposites.
var mostOpposites = len(opposites["inp"])

// wordOrSign matches the words in a name, also those of inputFile.
var wordOrSign = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[A-Z]?[a-z]+|[A-Z]+|[^A-Za-z]+`) })

// opposite returns the words that may replace a word of an input in the name of its answer, in
// upper case, or with a capital, if the word is; nil if there are none.
func opposite(word string) []string {
	list := slices.Clone(opposites[strings.ToLower(word)])
	for i, other := range list {
		switch {
		case word == strings.ToUpper(word):
			list[i] = strings.ToUpper(other)
		case word != strings.ToLower(word):
			list[i] = strings.ToUpper(other[:1]) + other[1:]
		}
	}
	return list
}

// answerName returns the name of the answer to an input: each word that is a key of opposites
// becomes its k-th replacement. It returns "" if the name has no such word.
func answerName(name string, k int) string {
	found := false
	result := wordOrSign().ReplaceAllStringFunc(name, func(word string) string {
		if list := opposite(word); k < len(list) {
			found = true
			return list[k]
		}
		return word
	})
	if !found {
		return ""
	}
	return result
}

// answersTo returns the possible paths of the answer to the input rel, the best first; nil if rel
// is not named like an input.
func answersTo(rel string) []string {
	dir, base := path.Split(rel)
	dirs, bases := []string{dir}, []string{}
	for k := range mostOpposites {
		if d := answerName(dir, k); d != "" {
			dirs = append(dirs, d)
		}
		if ext := path.Ext(base); answerName(ext, k) != "" {
			bases = append(bases, strings.TrimSuffix(base, ext)+answerName(ext, k))
		}
	}
	for k := range mostOpposites {
		if b := answerName(base, k); b != "" && hasDataExtension(base) {
			bases = append(bases, b)
		}
	}
	if name, ok := strings.CutSuffix(base, ".in"); ok {
		bases = append(bases, name+".a")
	}
	if number, ok := strings.CutPrefix(base, "I."); ok && number != "" && draft.Digits(number) == len(number) {
		bases = append(bases, "O."+number)
	}
	if len(bases) == 0 && len(dirs) == 1 && hasDataExtension(base) && !isAnswer(base) { // only the answer is marked, as in 1_expected.txt
		ext := path.Ext(base)
		for _, word := range slices.Concat([]string{"answer", "ans", "output", "out"}, answerWords) {
			for _, sign := range []string{"_", "-", "."} {
				bases = append(bases, strings.TrimSuffix(base, ext)+sign+word+ext)
			}
		}
	}
	if len(bases) == 0 { // only the folder marks it as an input
		dirs, bases = dirs[1:], append(bases, base)
	}
	var list []string
	for _, d := range dirs {
		for _, b := range bases {
			if !slices.Contains(list, d+b) {
				list = append(list, d+b)
			}
		}
	}
	return list
}

// hasDataExtension reports whether a file may hold test data, judging by its extension: input.txt
// may, input.tex may not.
func hasDataExtension(base string) bool {
	ext := strings.ToLower(strings.TrimPrefix(path.Ext(base), "."))
	return ext == "" || draft.Digits(ext) == len(ext) || slices.Contains([]string{"txt", "dat"}, ext) || opposite(ext) != nil
}

// sameExtension reports whether two files have the same extension. Extensions that are numbers
// count as equal.
func sameExtension(a, b string) bool {
	kind := func(name string) string {
		ext := strings.TrimPrefix(path.Ext(name), ".")
		if draft.Digits(ext) == len(ext) && ext != "" {
			return "0"
		}
		return ext
	}
	return kind(a) == kind(b)
}

// pairName returns the name of a case: the path of its input without the parts in which it differs
// from that of the answer, and without .txt.
func pairName(input, answer string) string {
	in, out := strings.Split(input, "/"), strings.Split(answer, "/")
	last := len(in) - 1
	var parts []string
	for i, part := range in[:last] {
		if part == out[i] {
			parts = append(parts, part)
		}
	}
	plain := func(name string) string {
		if ext := path.Ext(name); strings.EqualFold(ext, ".txt") {
			return strings.TrimSuffix(name, ext)
		}
		return name
	}
	base, other := plain(in[last]), plain(out[last])
	if base != other { // without the words that make it an input
		mine, others := wordOrSign().FindAllString(base, -1), wordOrSign().FindAllString(other, -1)
		base = ""
		for i, word := range mine {
			if len(mine) == len(others) && word == others[i] || len(mine) != len(others) && opposite(word) == nil {
				base += word
			}
		}
		base = strings.Trim(strings.NewReplacer("..", ".", "__", "_", "--", "-").Replace(base), "._- ")
	}
	if base != "" {
		parts = append(parts, base)
	} else if len(parts) == 0 {
		parts = append(parts, "1")
	}
	return strings.Join(parts, "/")
}

// isAnswer reports whether the name of a file has a word for answers, so that it is no unmarked input.
func isAnswer(base string) bool {
	return slices.ContainsFunc(wordOrSign().FindAllString(base, -1), func(word string) bool {
		word = strings.ToLower(word)
		return slices.Contains(answerWords, word) || slices.Contains([]string{"ans", "answers", "out", "output", "outputs", "oup", "stdout"}, word)
	})
}
