package build

import (
	"cmp"

	"tribunal/judge/internal/limits"
)

// terms are conditions that the caller puts on a submission.
type terms struct {
	refused string // why it is rejected without compiling; "" if it is not
	unread  error  // why it could not be read; nil if it was
	limits  limits.Limits
}

// Refused returns the source as a rejected one: building it runs nothing and is a [*CompileError]
// with the text why.
func (s *Source) Refused(why string) *Source {
	t := *s
	t.terms.refused = why
	return &t
}

// Within returns the source with limits of its own for its compiler: CPU and Memory of l replace
// Timeout and Memory of [Options], unless they are 0.
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

// compiler returns the limits of the compiler of a source: CPU time, wall time and memory.
func (b *Builder) compiler(s *Source) limits.Limits {
	l := limits.Limits{CPU: cmp.Or(s.terms.limits.CPU, b.options.Timeout), Memory: cmp.Or(s.terms.limits.Memory, b.options.Memory)}
	l.Wall = wallFactor * l.CPU
	return l
}
