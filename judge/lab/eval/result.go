package eval

import (
	"strings"
	"time"
	"unicode/utf8"

	"tribunal/judge/internal/cache"
	"tribunal/judge/internal/diff"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/verdict"
)

// Schema names the form of the lines of results: the first is a [document.Head], the last the
// [Summary], and each other a [Result]. The name changes if a field is dropped or changes its meaning.
const Schema = "tribunal/eval/1"

// Result is the result of one program.
type Result struct {
	Task     string          `json:"task"`
	Program  string          `json:"program"`
	Language string          `json:"language"`
	Verdict  verdict.Verdict `json:"verdict"`
	Test     string          `json:"test"`       // the first test that was not passed; "" for AC and CE
	Cause    string          `json:"cause"`      // why it was not passed, or the compile error, on one line; "" for AC
	Mismatch *diff.Mismatch  `json:"difference"` // from the output of that test; nil unless the output is wrong
	Stderr   string          `json:"stderr"`     // the end of standard error in that test, or the beginning of the compiler's output
	Passed   int             `json:"passed"`     // tests passed
	Judged   int             `json:"judged"`     // tests judged
	Tests    int             `json:"tests"`
	Compile  time.Duration   `json:"compile_ns"` // 0 if the program was in the cache
	grade.MaxUsage
	SameAs string    `json:"same_as"` // the earlier program of the task with the same language and source, whose result it is; "" if it was judged
	Key    cache.Key `json:"key"`     // of the task's tests and limits, the language and the source
}

// Bounds of the texts in a result, because there may be a million.
const (
	maxCause      = 400
	maxStderr     = 1 << 10
	maxDifference = 600 // bytes
	maxLines      = 6   // of the difference
)

// same returns the result for another program that is the same. It has no details, which the result of
// the first program has.
func (r *Result) same(program string) *Result {
	s := *r
	s.Program, s.SameAs = program, r.Program
	s.Mismatch, s.Stderr, s.Compile = nil, "", 0
	return &s
}

// first returns the first bytes of a text, at most limit, and no part of a character.
func first(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	for limit > 0 && !utf8.RuneStart(text[limit]) {
		limit--
	}
	return strings.Clone(text[:limit])
}

// last returns the last bytes of a text, at most limit, and no part of a character.
func last(text string, limit int) string {
	at := max(0, len(text)-limit)
	for at < len(text) && !utf8.RuneStart(text[at]) {
		at++
	}
	return strings.Clone(text[at:])
}
