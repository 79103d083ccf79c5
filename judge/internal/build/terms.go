package build

import (
	"cmp"
	"regexp"
	"slices"

	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/quote"
)

// terms are conditions that the caller puts on a submission.
type terms struct {
	refused string        // reason to reject the submission without compiling; "" if there is none
	unread  error         // error of reading the submission, or nil
	unclear *UnclearError // why it is not surely one program, or nil
	decided bool          // an unclear program is a compile error
	options []string      // of the compiler, after those of the language
	limits  limits.Limits // CPU and memory of the compiler; 0 means those of Options
}

// Refused returns a copy of the source for which [Builder.Build] runs nothing and returns a
// [*CompileError] with the text why.
func (s *Source) Refused(why string) *Source {
	t := *s
	t.terms.refused = why
	return &t
}

// Decided returns a copy of the source for which [Builder.Build] returns a [*CompileError] instead of an
// [*UnclearError]: its contestant sees the reason and can hand in again.
func (s *Source) Decided() *Source {
	t := *s
	t.terms.decided = true
	return &t
}

// WithOptions returns a copy of the source that is compiled with further options. Building one that its language does
// not allow returns a [*CompileError].
func (s *Source) WithOptions(options []string, languages map[string]Language) *Source {
	allows := Allows(languages[s.Language].Options)
	for _, o := range options {
		if !allows(o) {
			return s.Refused(quote.Line(o) + ": an option of the compiler that is not allowed (hint: runner.yaml lists those that are)")
		}
	}
	t := *s
	t.terms.options = options
	return &t
}

// Allows returns a function that reports whether patterns of a [Language] allow an option of the compiler.
func Allows(patterns []string) func(option string) bool {
	var list []*regexp.Regexp
	for _, pattern := range patterns {
		list = append(list, regexp.MustCompile(`^(?:`+pattern+`)$`))
	}
	return func(option string) bool {
		return slices.ContainsFunc(list, func(r *regexp.Regexp) bool { return r.MatchString(option) })
	}
}

// languageOf returns the language of a source, with its own options.
func (b *Builder) languageOf(s *Source) Language {
	l := b.language(s.Language)
	l.Build = slices.Concat(l.Build, s.terms.options)
	return l
}

// Within returns a copy of the source with its own limits for the compiler: CPU and Memory of l
// replace Timeout and Memory of [Options], unless they are 0.
func (s *Source) Within(l limits.Limits) *Source {
	t := *s
	t.terms.limits = limits.Limits{CPU: l.CPU, Memory: l.Memory}
	return &t
}

// Size returns the total size of the files of a source; 0 for an executable.
func (s *Source) Size() (sum limits.Bytes) {
	for name, text := range s.files {
		if name != pythonLauncher {
			sum += limits.Bytes(len(text))
		}
	}
	return sum
}

// compiler returns the limits for compiling a source: CPU time, wall time and memory.
func (b *Builder) compiler(s *Source) limits.Limits {
	l := limits.Limits{CPU: cmp.Or(s.terms.limits.CPU, b.options.Timeout), Memory: cmp.Or(s.terms.limits.Memory, b.options.Memory)}
	l.Wall = wallFactor * l.CPU
	return l
}
